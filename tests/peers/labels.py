"""Libraries that compare two lists of labels: scikit-learn, genieclust, igraph and others."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import coverlap as cv
from tests.peers.comparison import NAN, REFUSES, Difference, Function, Peer, Value
from tests.peers.inputs import disjoint_pairs, label_pairs, labels_of

MEANS = {"arithmetic": "mean", "geometric": "sqrt", "min": "min", "max": "max"}


def codes(labels: Any) -> list[int]:
    """Return labels as small integers, so that none of them means an outlier."""
    return np.unique(np.asarray(labels), return_inverse=True)[1].ravel().tolist()


def as_codes(left: Any, right: Any, measure: str, **options: Any) -> float:
    return cv.score(codes(left), codes(right), measure, **options)


def is_flat(*sides: Any) -> bool:
    """Return whether both sides are lists of labels, of the same length."""
    return all(np.ndim(side) == 1 for side in sides) and len({len(side) for side in sides}) == 1


def is_number(labels: Any) -> bool:
    return np.asarray(labels).dtype.kind in "iuf"


def has_negative(*sides: Any, **_: Any) -> bool:
    return any(is_number(side) and (np.asarray(side) < 0).any() for side in sides)


def has_fractions(*sides: Any, **_: Any) -> bool:
    values = [np.asarray(side) for side in sides if is_number(side)]
    return any((np.isfinite(side) & (side % 1 != 0)).any() for side in values)


def is_empty(*sides: Any, **_: Any) -> bool:
    return all(np.asarray(side).size == 0 for side in sides)


def no_pairs_at_all(*sides: Any, **_: Any) -> bool:
    """Return whether no two objects are in the same cluster, on both sides."""
    return all(len(set(codes(side))) == len(side) for side in sides)


def no_pairs_on_a_side(*sides: Any, **_: Any) -> bool:
    return any(len(set(codes(side))) == len(side) for side in sides)


def both_one_cluster(*sides: Any, **_: Any) -> bool:
    return all(len(set(codes(side))) <= 1 for side in sides)


def no_chance(*sides: Any, **_: Any) -> bool:
    """Return whether random clusters of the same sizes are always equal to each other."""
    return no_pairs_at_all(*sides) or both_one_cluster(*sides)


def below_two(*sides: Any, **_: Any) -> bool:
    return all(len(side) < 2 for side in sides)


def is_text(*sides: Any, **_: Any) -> bool:
    return any(np.asarray(side).dtype.kind in "US" for side in sides)


def is_nested(*sides: Any, **_: Any) -> bool:
    return any(isinstance(side, list) and np.ndim(side) == 2 for side in sides)


def is_complex(*sides: Any, **_: Any) -> bool:
    return any(np.asarray(side).dtype.kind == "c" for side in sides)


def refused_if(condition: Callable[..., bool]) -> Callable[..., Value | None]:
    """Return a function of labels: that the other library refuses them, if a condition holds."""
    return lambda left, right, *_, **__: REFUSES if condition(left, right) else None


def when(condition: Callable[..., bool], value: Any) -> Callable[..., Value | None]:
    """Return a function of labels: a value, or a function of the labels, if a condition holds."""

    def theirs(left: Any, right: Any, *args: Any, **options: Any) -> Value | None:
        if not is_flat(left, right) or not condition(left, right, **options):
            return None
        return value(left, right, *args, **options) if callable(value) else value

    return theirs


NESTED = Difference("lists of lists are not clusters", refused_if(is_nested))
COMPLEX = Difference("complex numbers are not labels", refused_if(is_complex))
TEXT = Difference("text is no label", refused_if(is_text))
NO_OBJECTS = Difference("no objects", refused_if(is_empty))


def corner(name: str, condition: Callable[..., bool], value: Value) -> Difference:
    """Return the difference that a library has another convention, mostly for 0/0."""
    return Difference(name, when(condition, value))


# scikit-learn


def scikit_learn(number: int) -> Peer:
    from sklearn import metrics
    from sklearn.metrics import cluster

    plain = {
        "rand_score": "rand",
        "adjusted_rand_score": "ari",
        "mutual_info_score": "mi",
        "homogeneity_score": "homogeneity",
        "completeness_score": "completeness",
        "v_measure_score": "v",
        "fowlkes_mallows_score": "fowlkes_mallows",
        "normalized_mutual_info_score": "nmi",
        "adjusted_mutual_info_score": "ami",
    }
    return Peer(
        "scikit-learn",
        [_of_scikit_learn(getattr(cluster, name), ours) for name, ours in plain.items()],
        inputs=label_pairs(number),
        homes=(metrics, cluster),
        suites=(
            "sklearn.metrics.cluster.tests.test_supervised",
            "sklearn.metrics.cluster.tests.test_common",
        ),
        examples=True,
    )


def _of_scikit_learn(theirs: Callable[..., Any], measure: str) -> Function:
    def score(scored: Callable[..., float], left: Any, right: Any, **options: Any) -> float:
        if options.get("contingency") is not None:
            left, right = _from_table(options["contingency"])
        if "average_method" in options:
            return scored(left, right, measure, mean=MEANS.get(options["average_method"]))
        if options.get("beta", 1.0) != 1.0:
            return _weighted(
                options["beta"], *(scored(left, right, m) for m in ("homogeneity", "completeness"))
            )
        return scored(left, right, measure)

    def ours(labels_true: Any, labels_pred: Any, **options: Any) -> float:
        return score(cv.score, labels_true, labels_pred, **options)

    def labelled(labels_true: Any, labels_pred: Any, **options: Any) -> float:
        return score(as_codes, labels_true, labels_pred, **options)

    differences = [
        Difference("negative labels are clusters", when(has_negative, labelled)),
        Difference("continuous labels are accepted", when(has_fractions, labelled)),
        NESTED,
        COMPLEX,
    ]
    if measure == "mi":
        differences.append(NO_OBJECTS)
    if measure == "fowlkes_mallows":
        differences.append(Difference("no pairs in clusters", when(no_pairs_at_all, 0.0)))
    return Function(theirs.__name__, theirs, ours, tuple(differences))


def _from_table(table: Any) -> tuple[list[int], list[int]]:
    """Return labels with a given contingency table."""
    dense = np.asarray(table.todense() if hasattr(table, "todense") else table)
    places = [np.repeat(index.ravel(), dense.ravel()) for index in np.indices(dense.shape)]
    return places[0].tolist(), places[1].tolist()


def _weighted(beta: float, homogeneity: float, completeness: float) -> float:
    total = beta * homogeneity + completeness
    return (1 + beta) * homogeneity * completeness / total if total else 0.0


# genieclust


def genieclust(number: int) -> Peer:
    from genieclust import compare_partitions

    names = {
        "rand_score": "rand",
        "adjusted_rand_score": "ari",
        "fm_score": "fowlkes_mallows",
        "mi_score": "mi",
        "normalized_mi_score": "nmi",
        "adjusted_mi_score": "ami",
    }
    chance = corner("random clusters are equal (0/0)", no_chance, NAN)
    corners = {
        "rand": [corner("no pairs of objects (0/0)", below_two, NAN)],
        "ari": [chance],
        "ami": [chance],
        "fowlkes_mallows": [corner("no pairs in clusters (0/0)", no_pairs_on_a_side, NAN)],
        "mi": [corner("no objects (0/0)", is_empty, NAN)],
        "nmi": [corner("no entropy (0/0)", both_one_cluster, NAN)],
    }
    return Peer(
        "genieclust",
        [
            _plain(getattr(compare_partitions, name), ours, *corners[ours])
            for name, ours in names.items()
        ],
        inputs=label_pairs(number),
        homes=(compare_partitions,),
        examples=True,
    )


def _plain(theirs: Callable[..., Any], measure: str, *more: Difference) -> Function:
    """Return a function of two lists of integers without options."""

    def labelled(left: Any, right: Any) -> float:
        return as_codes(left, right, measure)

    def truncated(left: Any, right: Any) -> float:
        return as_codes(*(np.asarray(side).astype(int) for side in (left, right)), measure)

    differences = (
        Difference("negative labels are clusters", when(has_negative, labelled)),
        Difference("continuous labels are truncated", when(has_fractions, truncated)),
        *more,
        NESTED,
        COMPLEX,
        TEXT,
    )
    ours = partial(_score, measure)
    return Function(theirs.__name__, theirs, ours, differences)


def _score(measure: str, left: Any, right: Any) -> float:
    return cv.score(left, right, measure)


# igraph


def igraph(number: int) -> Peer:
    from igraph import compare_communities

    methods = {
        "vi": "vi",
        "nmi": "nmi",
        "rand": "rand",
        "adjusted_rand": "ari",
        "split-join": "split_join",
    }
    return Peer(
        "igraph",
        [_of_igraph(compare_communities, method, measure) for method, measure in methods.items()],
        inputs=label_pairs(number),
    )


def _of_igraph(function: Callable[..., Any], method: str, measure: str) -> Function:
    def theirs(left: Any, right: Any) -> float:
        return function(left, right, method=method)

    theirs.__name__ = f"compare_communities: {method}"
    corners = {
        "rand": [Difference("no pairs of objects", when(below_two, REFUSES))],
        "ari": [
            Difference("no pairs of objects", when(below_two, REFUSES)),
            corner("random clusters are equal (0/0)", no_chance, NAN),
        ],
    }
    return _plain(theirs, measure, *corners.get(measure, ()))


# torchmetrics


def torchmetrics(number: int) -> Peer:
    import torch
    from torchmetrics.functional import clustering

    names = {
        "rand_score": "rand",
        "adjusted_rand_score": "ari",
        "mutual_info_score": "mi",
        "homogeneity_score": "homogeneity",
        "completeness_score": "completeness",
        "v_measure_score": "v",
        "fowlkes_mallows_index": "fowlkes_mallows",
        "normalized_mutual_info_score": "nmi",
        "adjusted_mutual_info_score": "ami",
    }

    def tensors() -> Any:
        for source, sides in label_pairs(number):
            try:
                yield source, tuple(torch.tensor(side) for side in reversed(sides))
            except (TypeError, ValueError, RuntimeError):
                continue  # no tensor has such labels

    return Peer(
        "torchmetrics",
        [_of_torchmetrics(getattr(clustering, name), ours) for name, ours in names.items()],
        inputs=tensors(),
        homes=(clustering,),
        examples=True,
    )


def _of_torchmetrics(theirs: Callable[..., Any], measure: str) -> Function:
    def ours(preds: Any, target: Any, average_method: str | None = None) -> float:
        options = {} if average_method is None else {"mean": MEANS.get(average_method)}
        return cv.score(target.numpy(), preds.numpy(), measure, **options)

    def labelled(preds: Any, target: Any, **_: Any) -> float:
        return as_codes(target.numpy(), preds.numpy(), measure)

    def independent(preds: Any, target: Any, **_: Any) -> bool:
        return as_codes(preds, target, "v") == 0.0

    corners = {
        "v": corner("no mutual information (0/0)", independent, 1.0),
        "fowlkes_mallows": corner("no pairs in clusters", no_pairs_at_all, 0.0),
        "nmi": corner("no entropy (0/0)", both_one_cluster, 0.0),
        "ami": corner("random clusters are equal (0/0)", no_chance, 0.0),
    }
    differences = [
        Difference("negative labels are clusters", when(has_negative, labelled)),
        NO_OBJECTS,
        *([corners[measure]] if measure in corners else []),
    ]
    # It computes with 32 bits.
    return Function(theirs.__name__, theirs, ours, tuple(differences), tolerance=1e-5)


# er-evaluation


def er_evaluation(number: int) -> Peer:
    import pandas as pd
    from er_evaluation import metrics

    logging.getLogger().setLevel(logging.ERROR)  # it warns of every input without links
    names = {
        "pairwise_precision": "pair_precision",
        "pairwise_recall": "pair_recall",
        "pairwise_f": "pair_f1",
        "b_cubed_precision": "bcubed_precision",
        "b_cubed_recall": "bcubed_recall",
        "b_cubed_f": "bcubed_f1",
        "cluster_precision": "exact_precision",
        "cluster_recall": "exact_recall",
        "cluster_f": "exact_f1",
        "cluster_homogeneity": "homogeneity",
        "cluster_completeness": "completeness",
        "cluster_v_measure": "v",
        "rand_score": "rand",
        "adjusted_rand_score": "ari",
    }

    def series() -> Any:
        for source, n, left, right in disjoint_pairs(number // 4, outliers=True):  # it is slow
            sides = (labels_of(side, n, outlier=None) for side in (right, left))
            yield source, tuple(pd.Series(side, dtype="Int64") for side in sides)

    return Peer(
        "er-evaluation",
        [_of_er_evaluation(getattr(metrics, name), ours) for name, ours in names.items()],
        inputs=series(),
        homes=(metrics,),
        examples=True,
    )


def _of_er_evaluation(theirs: Callable[..., Any], measure: str) -> Function:
    def ours(prediction: Any, reference: Any) -> float:
        return cv.score(
            reference, prediction, measure, drop_outliers="either", universe="intersection"
        )

    def of_nothing(prediction: Any, reference: Any) -> Value | None:
        if not _joined(prediction, reference).empty:
            return None
        return REFUSES if measure == "bcubed_f1" else NAN

    def of_no_links(prediction: Any, reference: Any) -> Value | None:
        joined = _joined(prediction, reference)
        side = {"pair_precision": "prediction", "pair_recall": "reference"}.get(measure)
        return None if side is None or joined[side].duplicated().any() else 1.0

    def by_cluster(prediction: Any, reference: Any) -> Value | None:
        return _equal_weights(_joined(prediction, reference), measure)

    differences = []
    if measure.startswith("pair"):
        differences.append(Difference("no pairs in clusters (0/0)", of_no_links))
    if measure.startswith("bcubed"):
        differences.append(Difference("each true cluster has the same weight", by_cluster))
    if measure.startswith(("bcubed", "exact", "pair")):
        differences.append(Difference("no objects in common", of_nothing))
    return Function(theirs.__name__, theirs, ours, tuple(differences))


def _joined(prediction: Any, reference: Any) -> Any:
    """Return the labels of the objects that are in clusters on both sides."""
    import pandas as pd

    sides = {"prediction": prediction.dropna(), "reference": reference.dropna()}
    return pd.concat(sides, axis=1, join="inner")


def _equal_weights(joined: Any, measure: str) -> Value | None:
    """Return B-cubed as the mean over true clusters of the means over their objects."""
    if joined.empty:
        return None
    shared = joined.groupby(["prediction", "reference"])["reference"].transform("size")
    means = {}
    for name, by in (("bcubed_precision", "prediction"), ("bcubed_recall", "reference")):
        ratio = shared / joined.groupby(by)[by].transform("size")
        means[name] = float(ratio.groupby(joined["reference"]).mean().mean())
    if measure in means:
        return means[measure]
    return 2 / sum(1 / mean for mean in means.values())
