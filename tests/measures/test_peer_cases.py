"""Numbers of other tools: every case is reproduced, or this file explains the difference.

The cases come from the tests, issues and examples of other tools, and from running those tools.
The cases name measures as these tools do; `OURS` has the corresponding calls of coverlap.
"""

import json
from fractions import Fraction
from math import log, log2
from pathlib import Path

import igraph as ig
import pytest

import coverlap as cv
from tests import naive_measures

CASES = json.loads((Path(__file__).parents[1] / "golden" / "peer_cases.json").read_text("utf-8"))
EXACT = 1e-12

F1 = {"similarity": "f1"}
LEFT_ONLY = {"similarity": "f1", "average": "equal", "balance": 1.0}
MCDAID = {"variant": "mcdaid"}

OURS: dict[str, tuple[str, dict[str, object]]] = {
    "fstar_wo": ("fstar_wo", {}),
    "fstar_wo (set semantics, paper)": ("fstar_wo", {}),
    "f1_weighted_symmetric (MF1a_w)": ("fstar_w", F1),
    "f1_hat_unweighted(A->B)": ("fstar_w", LEFT_ONLY),
    "clusim.rand_index": ("rand", {}),
    "clusim.fowlkes_mallows_index": ("fowlkes_mallows", {}),
    "clusim.fmeasure": ("pair_f1", {}),
    "clusim.purity_index": ("purity", {}),
    "clusim.nmi": ("nmi", {}),
    "clusim.omega_index": ("omega", {}),
    "omega": ("omega", {}),
    "omega (N = n)": ("omega", {}),
    "ecs_alpha0.9": ("ecs", {"alpha": 0.9}),
    "ecs_alpha0.9 (outliers as singletons)": ("ecs", {}),
    "ecs_alpha0.9 (common outliers as singletons, n=10)": ("ecs", {}),
    "onmi_lfk": ("onmi_lfk", {}),
    "onmi_lfk (cdlib, equality shortcut)": ("onmi_lfk", {}),
    "onmi_lfk (OvpNMI, H(n,n)=1)": ("onmi_lfk", {}),
    "onmi_global_lfk": ("onmi_lfk_total", {}),
    "onmi_mgh_max": ("onmi_mgh", {}),
    "onmi_mgh_max (definition, all pairs)": ("onmi_mgh", {}),
    "onmi_mgh_max (N = n)": ("onmi_mgh", MCDAID),  # NetworKit skips disjoint clusters, too
    "onmi_mgh_max (N = n = 10)": ("onmi_mgh", MCDAID),
    "onmi_mgh_max (McDaid)": ("onmi_mgh", MCDAID),
    "onmi_mgh_max (McDaid, intersecting pairs only)": ("onmi_mgh", MCDAID),
    "onmi_mgh_min": ("onmi_min", {}),
    "igraph.vi": ("vi", {}),
    "igraph.nmi": ("nmi", {}),
    "igraph.rand": ("rand", {}),
    "igraph.adjusted_rand": ("ari", {}),
    "igraph.split-join": ("split_join", {}),
    "mutual_info_nats": ("mi", {}),
    "adjusted_rand": ("ari", {}),
    "completeness": ("completeness", {}),
}
"""The measure of coverlap for each measure in the cases, over all objects of the case."""

OVER_CLUSTERED: dict[str, tuple[str, dict[str, object]]] = {
    "omega (N = 4)": ("omega", {}),
    "ecs_alpha0.9 (4 listed objects only)": ("ecs", {}),
    "onmi_mgh_max (N = union of listed objects = 4)": ("onmi_mgh", MCDAID),
    **{f"onmi_lfk (N = union = {n})": ("onmi_lfk", MCDAID) for n in (5, 7, 10, 11, 13)},
}
"""The same for cases over the objects in clusters only, without ``n_objects``."""

PER_CLUSTER = {"best_f1_per_cluster(A->B)": "f1", "best_fstar_per_cluster(A->B)": "jaccard"}
"""The similarity of coverlap for measures with one value per left cluster."""

IN_BITS = {"clusim.vi": "vi"}
"""The measure of coverlap, in nats, for measures in bits."""

CLUSTER_ENTROPY = "n*H(X1)"
"""The entropy of one cluster, in bits, times the number of objects."""

DIFFERENT = {
    "onmi_mgh_max, repeated clusters": "NetworKit counts a cluster as often as it is listed. As "
    "sets, the sides differ only by a cluster of all objects, which has no entropy.",
    "fstar_wo (multiset, what appendix and repo compute)": "A clustering is a set: the repeated "
    "{0} counts once.",
    "onmi_lfk (McDaid, 0/0 := 1)": "A cluster of all objects has no entropy: 0/0. If the other "
    "side has it too, it counts as found.",
}
"""Cases in which coverlap differs on purpose; a test below derives its values."""

GRAPH_AWARE: dict[str, tuple[str, bool]] = {
    "gam[gmn,adjusted]": ("gmn", True),
    "gam[min,adjusted]": ("min", True),
    "gam[max,adjusted]": ("max", True),
    "gam[mn,raw]": ("mn", False),
    "gam[max,raw]": ("max", False),
}
"""Measures of Zachary's karate club: the name in coverlap, and whether it is adjusted."""

NOT_OFFERED = {
    "clusim.southwood_index": "Is j / (1 - j) of the pair Jaccard index j, without bound.",
    "clusim.geometric_accuracy": "Is the geometric mean of purity in both directions.",
    "clusim.classification_error": "Needs the best one-to-one matching of clusters.",
    "expected_mi_bits[num1]": "Uses a model of chance other than permuted objects.",
    "ecs_per_element_alpha0.9_r1_hierarchical_b, repeated clusters": "Compares hierarchies.",
    "ovpnmi_max": "Uses the larger of the two sides' information, where MGH uses the mean.",
}
"""Cases of measures that coverlap does not have, with the reason."""


def name(case):
    """Return the name of the measure of a case, with a suffix if a cluster is listed twice."""
    sides = case["clusters_a"], case["clusters_b"]
    repeated = any(len({frozenset(cluster) for cluster in side}) < len(side) for side in sides)
    said = "set semantics" in case["measure"] or "multiset" in case["measure"]
    return case["measure"] + (", repeated clusters" if repeated and not said else "")


def cases(*tables):
    chosen = [case for case in CASES if any(name(case) in table for table in tables)]
    return pytest.mark.parametrize(
        "case", chosen, ids=lambda case: f"{case['measure']}: {case['source']}"
    )


def by_package(case, measure, *, n_objects, **options):
    sides = (list(map(set, case[side])) for side in ("clusters_a", "clusters_b"))
    return cv.score(*sides, measure, n_objects=n_objects, **options)


def by_oracle(case, measure, *, n_objects, **options):
    sides = case["clusters_a"], case["clusters_b"]
    seen = sorted({item for side in sides for cluster in side for item in cluster})
    place = {item: i for i, item in enumerate(seen)}
    left, right = ([frozenset(place[i] for i in cluster) for cluster in side] for side in sides)
    n = len(seen) if n_objects is None else n_objects
    return float(naive_measures.score(left, right, n, measure, **options))


@pytest.fixture(params=[by_package, by_oracle], ids=["coverlap", "oracle"])
def score(request):
    return request.param


def met(case, value):
    return value == pytest.approx(case["expected"], rel=0, abs=case["tolerance"])


def test_every_case_is_met_or_explained():
    met_by = OURS, OVER_CLUSTERED, PER_CLUSTER, IN_BITS, {CLUSTER_ENTROPY}, GRAPH_AWARE
    named = [entry for table in (*met_by, DIFFERENT, NOT_OFFERED) for entry in table]
    assert len(CASES) == 144
    assert {name(case) for case in CASES} == set(named)
    assert len(named) == len(set(named))
    assert set(naive_measures.MEASURES) >= {ours for ours, _ in OURS.values()}


@cases(OURS)
def test_a_number_of_others_is_met(score, case):
    measure, options = OURS[name(case)]
    assert met(case, score(case, measure, n_objects=case["n_objects"], **options))


@cases(OVER_CLUSTERED)
def test_a_number_over_the_clustered_objects_is_met(score, case):
    measure, options = OVER_CLUSTERED[name(case)]
    assert met(case, score(case, measure, n_objects=None, **options))


@cases(IN_BITS)
def test_a_number_in_bits_is_met(score, case):
    nats = score(case, IN_BITS[name(case)], n_objects=case["n_objects"])
    assert met(case, nats / log(2))


@cases(PER_CLUSTER)
def test_numbers_per_cluster_are_met(case):
    sides = (list(map(set, case[side])) for side in ("clusters_a", "clusters_b"))
    result = cv.compare(
        *sides,
        similarity=PER_CLUSTER[name(case)],
        outliers=False,
        n_objects=case["n_objects"],
    )
    assert met(case, result.columns()["similarity"][: len(case["expected"])])


@cases(GRAPH_AWARE)
def test_a_graph_aware_number_is_met(case):
    measure, adjusted = GRAPH_AWARE[name(case)]
    sides = (list(map(set, case[side])) for side in ("clusters_a", "clusters_b"))
    graph = ig.Graph.Famous("Zachary")
    assert met(case, cv.graph.partition_score(graph, *sides, measure, adjusted=adjusted))


@cases({CLUSTER_ENTROPY})
def test_the_entropy_of_a_cluster_is_met(score, case):
    n, (cluster, *_) = case["n_objects"], case["clusters_a"]
    halves = [cluster, [item for item in range(n) if item not in cluster]]
    twice = {"clusters_a": halves, "clusters_b": halves}
    assert met(case, n * score(twice, "mi", n_objects=n) / log(2))


# What differs on purpose

BY_HAND = {
    # The entropy of {0, 1} is 0, so only {0} has entropy, and it is found on both sides.
    "onmi_mgh_max, repeated clusters": ("onmi_mgh", Fraction(1)),
    # Left to right: the similarities of {0, 1} and {0} are 1/2 and 1: (2 * 1/2 + 1) / 3 = 2/3.
    # Right to left: {0} has weight 1/2 and similarity 1, and the outlier 1 has no match: 1/2.
    "fstar_wo (multiset, what appendix and repo compute)": ("fstar_wo", Fraction(7, 12)),
    # Both clusters of each side are found, so all conditional entropies are 0.
    "onmi_lfk (McDaid, 0/0 := 1)": ("onmi_lfk", Fraction(1)),
}


@cases(DIFFERENT)
def test_where_we_differ_the_value_is_the_one_derived_by_hand(score, case):
    measure, expected = BY_HAND[name(case)]
    found = score(case, measure, n_objects=case["n_objects"])
    assert found == pytest.approx(float(expected), rel=0, abs=EXACT)
    assert not met(case, found)


@cases({"clusim.southwood_index"})
def test_the_southwood_index_is_a_function_of_the_pair_jaccard_index(score, case):
    jaccard = score(case, "pair_jaccard", n_objects=case["n_objects"])
    assert met(case, jaccard / (1 - jaccard))


@cases({"clusim.geometric_accuracy"})
def test_the_geometric_accuracy_of_partitions_is_made_of_purities(score, case):
    back = {"clusters_a": case["clusters_b"], "clusters_b": case["clusters_a"]}
    there, back = (score(sides, "purity", n_objects=case["n_objects"]) for sides in (case, back))
    assert met(case, (there * back) ** 0.5)


@cases({"ovpnmi_max"})
def test_onmi_is_what_the_issue_says_that_mcdaid_prints_for_the_case_of_ovpnmi(score, case):
    found = score(case, "onmi_mgh", n_objects=case["n_objects"], variant="mcdaid")
    assert found == pytest.approx(0.746301, rel=0, abs=1e-6)


FAULTY = {
    "small": ([[0, 3], [1, 2, 5], [4]], [[0, 3], [1, 2], [4, 5]], 0.63187, 0.74496),
    "overlapping": (
        [[0, 1, 2], [2, 3], [4, 5]],
        [[0, 1, 2], [2, 3, 5], [4, 5, 0]],
        0.65305,
        0.72966,
    ),
}


@pytest.mark.parametrize("example", FAULTY)
def test_onmi_lfk_is_that_of_the_definition_and_not_the_number_of_clusim(score, example):
    left, right, expected, theirs = FAULTY[example]
    found = score({"clusters_a": left, "clusters_b": right}, "onmi_lfk", n_objects=6)
    assert found == pytest.approx(expected, rel=0, abs=5e-6)
    assert found != pytest.approx(theirs, rel=0, abs=1e-2)


def test_onmi_lfk_of_a_case_worked_by_hand(score):
    # {0, 3} is found. The best match of {1, 2, 5} (1 bit) is {1, 2}, with a=3, b=0, c=1, d=2; its
    # conditional entropy is h(3) + h(1) + h(2) - H(2). Right to left it is the same joint entropy
    # minus 1 bit. {4} and {4, 5} match in the same way, with a=4, b=1, c=0, d=1. n is 6.
    def h(count):
        return -count / 6 * log2(count / 6)

    pair, single = h(2) + h(4), h(1) + h(5)
    there = (h(3) + h(1) + h(2) - pair) / 1 + (h(4) + 2 * h(1) - pair) / single
    back = (h(3) + h(1) + h(2) - 1) / pair + (h(4) + 2 * h(1) - single) / pair
    case = {"clusters_a": FAULTY["small"][0], "clusters_b": FAULTY["small"][1]}
    found = score(case, "onmi_lfk", n_objects=6)
    assert found == pytest.approx(1 - (there / 3 + back / 3) / 2, rel=0, abs=EXACT)
