"""Many clusterings against each other."""

import json
import random
import statistics
from itertools import combinations, permutations
from pathlib import Path
from threading import Barrier, get_ident

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

import coverlap as cv
from coverlap.clustering import recognise
from coverlap.counting import memory
from coverlap.results.pairwise import PairwiseScores
from coverlap.results.text import plain
from tests import naive


def runs(n_runs: int, n_objects: int = 200, *, outliers: bool = False) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    base = rng.integers(0, 8, n_objects)
    made = [np.where(rng.random(n_objects) < 0.3, rng.integers(0, 8, n_objects), base)
            for _ in range(n_runs)]  # fmt: skip
    return [np.where(rng.random(n_objects) < 0.1, -1, run) if outliers else run for run in made]


@pytest.mark.parametrize("measure", cv.MEASURES)
def test_every_score_is_the_float_of_the_single_call(measure):
    labels = runs(4)
    result = cv.pairwise(labels, measure)
    expected = [[cv.score(left, right, measure) for right in labels] for left in labels]
    assert result.matrix.tolist() == expected


@pytest.mark.parametrize("outliers_as", ["singletons", "cluster"])
@pytest.mark.parametrize("drop_outliers", [None, "left", "either", "both"])
def test_outliers_are_treated_as_in_the_single_call(outliers_as, drop_outliers):
    labels = runs(3, outliers=True)
    options = {"outliers_as": outliers_as, "drop_outliers": drop_outliers}
    result = cv.pairwise(labels, "ari", **options)
    expected = [[cv.score(left, right, "ari", **options) for right in labels] for left in labels]
    assert result.matrix.tolist() == expected


@pytest.mark.parametrize(
    "universe", ["union", "intersection", "left", "right", ["a", "b", "c", "d", "e"]]
)
@pytest.mark.parametrize("measure", ["fstar_wo", "omega", "exact_recall"])
def test_clusterings_of_different_objects_are_aligned_pair_by_pair(universe, measure):
    sides = [
        {"a": 1, "b": 1, "c": 2},
        {"c": 1, "b": 2, "a": 2},
        cv.Clustering.from_clusters([{"b", "c"}, {"c", "d"}], universe=["b", "c", "d", "e"]),
    ]
    result = cv.pairwise(sides, measure, universe=universe)
    expected = [
        [cv.score(left, right, measure, universe=universe) for right in sides] for left in sides
    ]
    assert result.matrix.tolist() == expected


def test_a_universe_that_can_be_read_only_once_will_do():
    sides = [{0: 1, 1: 1}, {1: 2, 2: 2}]
    given = cv.pairwise(sides, universe=iter([0, 1, 2, 3]))
    assert given.matrix.tolist() == cv.pairwise(sides, universe=range(4)).matrix.tolist()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(threads):
    labels = runs(9, outliers=True)
    result = cv.pairwise(labels, threads=threads)
    assert result.matrix.tolist() == cv.pairwise(labels, threads=1).matrix.tolist()


def test_options_of_the_measure_hold_and_may_make_it_asymmetric():
    labels = runs(3)
    result = cv.pairwise(labels, balance=1.0)
    assert result.matrix[0, 1] == cv.fstar_score(labels[0], labels[1], balance=1.0)
    assert result.matrix[1, 0] == cv.fstar_score(labels[1], labels[0], balance=1.0)
    with pytest.raises(cv.OptionError, match="ari has no option 'balance'"):
        cv.pairwise(labels, "ari", balance=1.0)


def test_names_come_from_dicts_lists_and_columns():
    labels = runs(3)
    named = dict(zip("abc", labels, strict=True))
    assert cv.pairwise(named).names == ["a", "b", "c"]
    assert cv.pairwise(labels).names == [0, 1, 2]
    for frame in (pd.DataFrame(named), pl.DataFrame(named), pl.LazyFrame(named)):
        result = cv.pairwise(frame)
        assert result.names == ["a", "b", "c"]
        assert result.matrix.tolist() == cv.pairwise(named).matrix.tolist()


def test_columns_of_cells_with_missing_labels_are_read_by_their_index():
    obs = pd.DataFrame(
        {"leiden": pd.Categorical(["0", "1", "1"]), "expert": ["T", None, "B"]},
        index=["x", "y", "z"],
    )
    expected = cv.fstar_score(obs["leiden"], obs["expert"])
    assert cv.pairwise(obs).matrix[0, 1] == expected


@pytest.mark.parametrize("reference", ["b", runs(3)[1]])
def test_a_reference_is_left_and_may_be_one_of_them_or_not(reference):
    named = dict(zip("abc", runs(3), strict=True))
    result = cv.pairwise(named, "homogeneity", reference=reference)
    expected = [cv.score(named["b"], right, "homogeneity") for right in named.values()]
    if isinstance(reference, str):
        assert (result.rows, result.names) == (["b"], ["a", "b", "c"])
        assert result.matrix.tolist() == [expected]
    else:
        assert (result.rows, result.names) == (["reference"], ["reference", "a", "b", "c"])
        assert result.matrix.tolist() == [[1.0, *expected]]
    for method in ("medoid", "stability", "mean_to_others", "object_stability"):
        with pytest.raises(cv.OptionError, match=f"{method} needs the scores of all pairs"):
            getattr(result, method)()


def test_the_medoid_is_most_similar_to_the_others_on_average():
    labels = runs(6)
    result = cv.pairwise(labels)
    means = [np.mean([cv.fstar_score(one, other) for other in labels if other is not one])
             for one in labels]  # fmt: skip
    assert list(result.mean_to_others().values()) == pytest.approx(means, rel=1e-14)
    assert result.medoid() == int(np.argmax(means))


def test_the_medoid_of_distances_is_the_least_far_from_the_others():
    labels = runs(6)
    result = cv.pairwise(labels, "vi")
    means = result.mean_to_others()
    assert result.medoid() == min(means, key=means.get)


def test_stability_is_the_best_jaccard_similarity_of_each_cluster_in_each_other_run():
    labels = runs(4, outliers=True)
    result = cv.pairwise(labels)
    stability = result.stability(of=2)
    assert stability.runs == [0, 1, 3]
    for column, run in enumerate(stability.runs):
        compared = cv.compare(labels[2], labels[run]).columns()
        left = [i for i, side in enumerate(compared["side"]) if side == "left"]
        rows = [i for i in left if compared["kind"][i] == "cluster"]
        assert stability.clusters == [compared["cluster"][i] for i in rows]
        assert stability.sizes == [compared["size"][i] for i in rows]
        assert stability.similarity[:, column].tolist() == [compared["similarity"][i] for i in rows]
        assert stability.outliers[column] == cv.compare(labels[2], labels[run]).outliers.similarity
    frame = stability.to_frame("pandas")
    *means, outliers = frame["mean"]
    assert means == stability.similarity.mean(axis=1).tolist()
    assert outliers == stability.outliers.mean()
    assert list(frame) == ["kind", "cluster", "size", "mean", "min", "median", "max"]
    assert frame["kind"].tolist() == [*["cluster"] * len(stability.clusters), "outliers"]
    assert frame["size"].tolist()[-1] == np.count_nonzero(labels[2] == -1)
    assert result.stability().clustering == result.medoid()
    assert repr(stability) == f"Stability({len(stability.clusters)} clusters of 2 in 3 runs)"


def test_without_outliers_stability_has_no_row_for_them():
    stability = cv.pairwise([[0, 0, 1], [0, 1, -1]]).stability(of=0)
    assert stability.columns()["kind"] == ["cluster", "cluster"]
    assert (stability.n_outliers, stability.outliers.tolist()) == (0, [0.0])


def test_the_text_of_stability_begins_with_the_least_stable_clusters():
    labels = [np.arange(60) // 4, np.arange(60) // 4]
    labels[1][:2], labels[1][20:23] = -1, 0  # clusters 0 and 5 change
    result = cv.pairwise(labels).stability(of=0)
    lines = str(result).splitlines()
    assert lines[0].startswith("Clusters of 0: Jaccard similarity to the best match in 1 other")
    assert "the 10 least stable of 15" in " ".join(lines[:2])
    rows = [line.split() for line in lines if line.startswith(tuple("0123456789"))][1:]
    assert rows[0][:3] == ["0", "4", f"{2 / 7:.4f}"]  # {2, 3} of {0, ..., 3, 20, 21, 22}
    assert rows[1][:3] == ["5", "4", f"{3 / 6:.4f}"]  # {20, 21, 22} of {2, 3, 20, ..., 23}
    assert len(rows) == 10


OVERLAPPING = [
    [{"a", "b", "c"}, {"c", "d"}, {"d", "e", "f", "g"}],
    [{"a", "b"}, {"b", "c", "d"}, {"e", "f"}],
    [{"a", "b", "c", "d"}, {"f", "g"}, {"a", "g"}],
    [{"h"}, {"a", "b"}],
]


def by_definition(runs, objects):
    """Return the stability of each object by the definition."""
    pairs = list(combinations(runs, 2))
    return [
        float(sum(naive.object_similarity(item, *pair, objects) for pair in pairs) / len(pairs))
        for item in objects
    ]


def test_the_stability_of_objects_is_that_of_the_definition():
    found = cv.pairwise(OVERLAPPING).object_stability(threads=1)
    assert found.objects.tolist() == list("abcdefgh")
    assert found.scores.tolist() == pytest.approx(by_definition(OVERLAPPING, "abcdefgh"), rel=1e-14)


@pytest.mark.parametrize("seed", range(8))
def test_the_stability_of_random_objects_is_that_of_the_definition(seed):
    rng = random.Random(seed)
    runs = [[{rng.randrange(9) for _ in range(rng.randint(1, 6))} for _ in range(rng.randint(0, 5))]
            for _ in range(rng.randint(2, 5))]  # fmt: skip
    found = cv.pairwise([cv.Clustering.from_clusters(run, universe=9) for run in runs])
    expected = by_definition([naive.normalise(run) for run in runs], range(9))
    for threads in (1, 3):
        scores = found.object_stability(threads).scores.tolist()
        assert scores == pytest.approx(expected, rel=1e-14, abs=1e-15)


def test_the_stability_of_objects_in_one_cluster_each_is_the_mean_jaccard_similarity():
    labels = runs(4, outliers=True)
    scores = cv.pairwise(labels).object_stability().scores
    for item in (0, 17, 100):
        own = [{*np.flatnonzero(run == run[item]).tolist()} for run in labels]
        kinds = [run[item] >= 0 for run in labels]
        pairs = [len(own[i] & own[j]) / len(own[i] | own[j]) if kinds[i] == kinds[j] else 0
                 for i, j in combinations(range(4), 2)]  # fmt: skip
        assert scores[item] == pytest.approx(np.mean(pairs), rel=1e-14)


def test_objects_of_equal_clusterings_are_stable_and_keep_their_ids():
    obs = pd.DataFrame({"one": [0, 0, 1, -1], "two": [5, 5, 2, -1]}, index=list("wxyz"))
    found = cv.pairwise(obs).object_stability()
    assert found.columns() == {"object": list("wxyz"), "score": [1.0] * 4}
    mixed = cv.pairwise([[0, 0, 1, -1], obs["two"]]).object_stability()
    assert mixed.columns() == found.columns()
    different = cv.pairwise([{"x": 0, "y": 0}, {"y": 0, "z": 0, "x": 0}]).object_stability()
    assert dict(zip(*different.columns().values(), strict=True)) == {
        "x": 2 / 3, "y": 2 / 3, "z": 0.0,
    }  # fmt: skip


def test_too_many_objects_for_one_score_each_are_refused(monkeypatch):
    monkeypatch.setattr("coverlap.core.align.MOST_OBJECTS", 9)
    many = [cv.Clustering.from_clusters([{0, i}], universe=10) for i in (1, 2)]
    with pytest.raises(cv.UniverseError, match="too many"):
        cv.pairwise(many).object_stability()


def test_the_mean_and_deviation_are_those_of_all_pairs():
    labels = runs(5)
    result = cv.pairwise(labels)
    scores = [cv.fstar_score(one, other) for one, other in combinations(labels, 2)]
    assert result.mean == pytest.approx(statistics.fmean(scores), rel=1e-15)
    assert result.sd == pytest.approx(statistics.stdev(scores), rel=1e-13)
    assert f"{result.mean:.6f} ± {result.sd:.6f} (mean ± sd of 10 pairs)" in str(result)
    facts = json.loads(result.to_json())
    assert (facts["mean"], facts["sd"]) == (result.mean, result.sd)


def test_the_mean_of_a_reference_leaves_its_score_with_itself_out():
    labels = runs(4)
    result = cv.pairwise(labels, "homogeneity", reference=2)
    scores = [cv.score(labels[2], labels[i], "homogeneity") for i in (0, 1, 3)]
    assert result.mean == pytest.approx(statistics.fmean(scores), rel=1e-15)
    assert result.sd == pytest.approx(statistics.stdev(scores), rel=1e-13)


def test_the_mean_of_an_asymmetric_measure_is_that_of_both_directions():
    labels = runs(3)
    result = cv.pairwise(labels, "v", beta=3)
    both = [cv.score(a, b, "v", beta=3) for a, b in permutations(labels, 2)]
    assert result.matrix[0, 1] != result.matrix[1, 0]
    assert result.mean == pytest.approx(statistics.fmean(both), rel=1e-15)


def test_equal_scores_have_no_deviation_and_too_few_have_none():
    equal = cv.pairwise([[0, 0, 1]] * 7, "mi")
    assert (equal.mean, equal.sd) == (equal.matrix[0, 1], 0.0)
    pair = cv.pairwise(runs(2))
    assert (pair.mean, pair.sd) == (pair.matrix[0, 1], None)
    alone = cv.pairwise(runs(1))
    assert (alone.mean, alone.sd, alone.to_dict()["mean"]) == (None, None, None)


def test_stability_holds_for_clusterings_of_different_objects():
    sides = {"one": {"a": 1, "b": 1, "c": 2}, "two": {"b": 1, "c": 1, "d": 1}}
    stability = cv.pairwise(sides).stability(of="one")
    assert dict(zip(stability.clusters, stability.similarity[:, 0], strict=True)) == {
        1: 1 / 4, 2: 1 / 3,
    }  # fmt: skip


def test_frames_and_json_have_the_names_and_the_scores():
    named = dict(zip("ab", runs(2), strict=True))
    result = cv.pairwise(named)
    wide = result.to_frame("pandas")
    assert wide["clustering"].tolist() == ["a", "b"]
    assert wide[["a", "b"]].to_numpy().tolist() == result.matrix.tolist()
    long = result.to_frame("pandas", long=True)
    assert long["left"].tolist() == ["a", "a", "b", "b"]
    assert long["right"].tolist() == ["a", "b", "a", "b"]
    assert long["score"].tolist() == result.matrix.ravel().tolist()
    assert json.loads(result.to_json())["scores"] == result.matrix.tolist()


def test_the_text_shows_the_matrix_if_it_fits_and_says_so_if_not():
    result = cv.pairwise(runs(8))
    assert "1.0000" in str(result)
    narrow = plain(result, width=60)
    assert "1.0000" not in narrow
    assert "too narrow to show all scores: see --csv" in narrow
    (medoid,) = (line for line in narrow.splitlines() if line.startswith("*"))
    assert medoid.split()[1] == str(result.medoid())
    assert str(cv.pairwise(runs(3), reference=0)).startswith("fstar_wo with 0: ")


def test_long_names_are_replaced_by_numbers():
    named = {f"a run with a long name {i}": run for i, run in enumerate(runs(2))}
    text = str(cv.pairwise(named))
    assert "#1" in text
    assert "a run with a long name 1" in text


def test_the_matrix_is_an_array():
    result = cv.pairwise(runs(3))
    assert np.asarray(result).tolist() == result.matrix.tolist()


@pytest.mark.parametrize("n_runs", [3, 12])
def test_comparisons_run_at_the_same_time(monkeypatch, n_runs):
    """Each thread waits in its first comparison until the other has begun one, or fails."""
    together, begun = Barrier(2, timeout=20), set()
    counted = memory.joined_pairs

    def count(*arguments):
        if get_ident() not in begun:
            begun.add(get_ident())
            together.wait()
        return counted(*arguments)

    monkeypatch.setattr(memory, "joined_pairs", count)
    cv.pairwise(runs(n_runs), "ari", threads=2)


def test_a_frame_of_memberships_is_refused():
    frame = pd.DataFrame({"object": [0, 1], "cluster": ["a", "a"]})
    with pytest.raises(cv.InputError, match="a frame of one clustering"):
        cv.pairwise(frame)


def test_progress_is_told_until_all_is_done():
    told: list[tuple[int, int]] = []
    cv.pairwise(runs(9), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (45, 45)
    assert told == sorted(told)


def test_the_scores_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        cv.pairwise(runs(2)).matrix[0, 0] = 5


def test_an_undefined_score_names_the_two_clusterings():
    named = {"fine": [0, 0, 1], "cut": [0, 0, -1]}
    with pytest.raises(cv.UndefinedError, match="'fine' and 'cut': ari is not defined for outl"):
        cv.pairwise(named, "ari", threads=1)


@pytest.mark.parametrize("clusterings", ["labels.txt", 5, None])
def test_what_is_no_collection_of_clusterings_is_refused(clusterings):
    with pytest.raises(cv.InputTypeError, match="clusterings must be a dict or list"):
        cv.pairwise(clusterings)


def test_no_clusterings_at_all_are_refused():
    with pytest.raises(cv.InputError, match="at least one"):
        cv.pairwise([])


def test_one_of_another_length_is_refused():
    with pytest.raises(cv.UniverseError, match=r"[01] and 2: left has 3 objects and right has 2"):
        cv.pairwise([[0, 1, 1], [0, 1, 1], [0, 1]], threads=1)


def test_one_clustering_alone_has_no_others():
    result = cv.pairwise({"only": [0, 0, 1]}, "vi")
    assert result.matrix.tolist() == [[0.0]]
    assert "others" not in str(result)
    for method in ("medoid", "stability", "mean_to_others", "object_stability"):
        with pytest.raises(cv.InputError, match=f"{method} needs another clustering"):
            getattr(result, method)()


def test_a_reference_beside_a_clustering_of_that_name_is_refused():
    named = {"reference": [0, 1, 0], "a": [0, 0, 1]}
    with pytest.raises(cv.OptionError, match="another one is called 'reference'"):
        cv.pairwise(named, reference=[0, 0, 0])
    assert cv.pairwise(named, reference="reference").rows == ["reference"]


@pytest.mark.parametrize("reference", [({0, 1}, {2}), ([0, 1], [2]), [{0, 1}, {2}]])
def test_a_reference_may_be_a_tuple_of_clusters(reference):
    result = cv.pairwise([[0, 0, 1], [0, 1, 1]], reference=reference)
    assert result.matrix.tolist() == [[1.0, 1.0, cv.score([0, 0, 1], [0, 1, 1])]]


def test_a_reference_that_does_not_exist_is_refused_with_the_names_that_do():
    with pytest.raises(cv.OptionError, match="one of the names 'a', 'b', not 'c'"):
        cv.pairwise({"a": [0, 0], "b": [0, 1]}, reference="c")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({0: [0, 0, 1], 1: [0, 1, 1]}),
        pd.DataFrame({("x", 0): [0, 0, 1], ("x", 1): [0, 1, 1]}),
        pa.RecordBatch.from_pydict({"a": [0, 0, 1], "b": [0, 1, 1]}),
    ],
)
def test_columns_may_be_called_by_numbers_and_come_in_batches(frame):
    result = cv.pairwise(frame)
    assert result.matrix.tolist() == cv.pairwise([[0, 0, 1], [0, 1, 1]]).matrix.tolist()
    assert all(type(name) is not np.int64 for name in result.names)


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
@pytest.mark.parametrize("names", [("clustering", "b"), (1, "1")])
def test_no_column_of_a_frame_takes_the_place_of_another(names, library):
    result = cv.pairwise(dict(zip(names, runs(2), strict=True)))
    with pytest.raises(cv.InputError, match="several columns called"):
        result.to_frame(library)
    assert len(result.to_frame(library, long=True)) == 4


@pytest.mark.parametrize(
    "sides",
    [
        [{"a": 0, "b": 0}, {1: 0, 2: 1}],
        [pd.Series([0, 1], index=[1.0, np.nan]), pd.Series([0, 1], index=[1.0, np.nan])],
    ],
)
def test_ids_that_a_single_call_refuses_are_refused(sides):
    for call in (lambda: cv.score(*sides), lambda: cv.pairwise(sides)):
        with pytest.raises(cv.CoverlapError, match=r"share no object|must not be missing"):
            call()


@pytest.mark.parametrize(
    "options",
    [
        {"drop_outliers": "everyone"},
        {"drop_outliers": ["left"]},
        {"outliers_as": True},
        {"universe": np.array(3)},
        {"universe": b"union"},
        {"balance": np.array([0.5, 0.5])},
    ],
)
def test_bad_options_are_refused(options):
    with pytest.raises(cv.OptionError, match=next(iter(options))):
        cv.pairwise([[0, 0, 1], [0, 1, 1]], **options)


@pytest.mark.parametrize("clusterings", [np.array(3), csr_array([[1, 0], [0, 1]])])
def test_what_only_looks_like_a_collection_is_refused(clusterings):
    with pytest.raises(cv.InputTypeError, match="clusterings must be a dict or list"):
        cv.pairwise(clusterings)


def test_the_stability_of_something_that_is_no_name_is_refused():
    with pytest.raises(cv.OptionError, match="of must be the name"):
        cv.pairwise(runs(2)).stability(of=np.array([0, 1]))


def test_the_same_scores_in_another_order_are_a_tie_for_the_medoid():
    scores = [0.1, 0.2, 0.3, 0.7, 0.3, 0.2, 0.1]  # in a ring of eight, all have the same scores
    ring = np.array([[1.0 if i == j else scores[(j - i) % 8 - 1] for j in range(8)]
                     for i in range(8)])  # fmt: skip
    made = cv.pairwise([[0, 1]] * 8)
    result = PairwiseScores("fstar_wo", made.names, made.names, ring, made.clusterings)
    assert len(set(result.mean_to_others().values())) == 1
    assert result.medoid() == 0


@pytest.mark.parametrize("universe", ["union", "intersection", "left", "right"])
def test_one_that_knows_all_objects_does_not_teach_them_to_the_others(universe):
    sides = [{"a": 0, "b": 0, "c": 1, "d": 1}, {"b": 0, "c": 1, "d": 1}, {"d": 0, "a": 0, "c": 1}]
    result = cv.pairwise(sides, universe=universe)
    expected = [[cv.score(left, right, universe=universe) for right in sides] for left in sides]
    assert result.matrix.tolist() == expected


def test_the_mean_to_others_is_that_of_both_directions():
    sides = {"a": [0, 0, 0, 0], "b": [0, 0, 1, 2], "c": [0, 0, 1, 1]}
    result = cv.pairwise(sides, "exact_recall")
    scores = {(x, y): cv.score(sides[x], sides[y], "exact_recall") for x in sides for y in sides}
    assert scores["b", "c"] != scores["c", "b"]
    wanted = {
        x: sum(scores[x, y] + scores[y, x] for y in sides if y != x) / 4 for x in sides
    }  # fmt: skip
    assert result.mean_to_others() == pytest.approx(wanted, abs=1e-15)


UNIVERSES = {
    "list": list(range(8)),
    "reversed": list(range(8))[::-1],
    "number": 8,
    "file": Path("universe.txt"),
}
SIDES = {
    "places": [[0, 0, 1, 1, 2], [0, 1, 1, -1, 2], [{0, 1}, {1, 2}, {4}]],
    "lists": [[0, 0, 1, 1, 2], [0, 1, 1, -1, 2]],
    "ids": [{0: 0, 5: 0, 2: 1}, {5: 0, 7: 0, 0: -1}, [{0, 1}, {1, 2}, {7}]],
    "indexed": [pd.Series([0, 0, 1], index=[3, 1, 2]), pd.Series([0, 1, 1], index=[1, 2, 3])],
    "mixed": [[0, 0, 1], pd.Series([0, 1, 1], index=[1, 2, 3]), pd.Series([0, 1, 1])],
}


@pytest.mark.parametrize("given", UNIVERSES)
@pytest.mark.parametrize("sides", SIDES)
@pytest.mark.parametrize(
    "options", [{}, {"drop_outliers": "left"}, {"outliers_as": "singletons"}], ids=str
)
def test_on_a_given_universe_every_score_is_that_of_the_single_call(
    given, sides, options, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("universe.txt").write_text("\n".join(map(str, range(8))))
    rules = {"universe": UNIVERSES[given], **options}
    result = cv.pairwise(SIDES[sides], **rules)
    expected = [[cv.score(one, two, **rules) for two in SIDES[sides]] for one in SIDES[sides]]
    assert result.matrix.tolist() == expected


def test_a_given_universe_is_read_once(tmp_path, monkeypatch):
    path = tmp_path / "universe.txt"
    path.write_text("a\nb\nc\nd\n")
    reads = []
    read = recognise.read_ids_of_universe
    monkeypatch.setattr(
        recognise, "read_ids_of_universe", lambda source: [reads.append(1), read(source)][1]
    )
    cv.pairwise([{"a": 0, "b": 0}, {"b": 0, "c": 0}, {"a": 0, "c": 1}], universe=path)
    assert len(reads) == 1


def test_one_outside_a_given_universe_is_named():
    with pytest.raises(cv.UniverseError, match="clustering 'y' has members outside the universe"):
        cv.pairwise({"x": {1: 0, 2: 0}, "y": {2: 0, 3: 0}}, universe=[1, 2])


def test_frames_with_two_columns_of_one_name_are_refused():
    frame = pd.DataFrame([[0, 1], [0, 0]], columns=["x", "x"])
    with pytest.raises(cv.InputError, match="several columns of one name: 'x'"):
        cv.pairwise(frame)


@pytest.mark.parametrize("same", [True, False])
def test_scores_of_covers_told_by_ids_are_the_floats_of_single_calls(same):
    rng = random.Random(3)
    ids = [f"object {i}" for i in range(40)]
    covers = [
        cv.Clustering.from_clusters(
            [rng.sample(ids, 12) for _ in range(6)],
            universe=rng.sample(ids, 40) if same else None,
        )
        for _ in range(4)
    ]
    for measure in ("ecs", "omega", "onmi_lfk", "fstar_wo"):
        result = cv.pairwise(covers, measure)
        expected = [[cv.score(one, two, measure) for two in covers] for one in covers]
        assert result.matrix.tolist() == expected
