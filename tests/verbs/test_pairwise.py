"""Many clusterings against each other."""

import json
import statistics
from itertools import combinations, permutations
from pathlib import Path
from threading import Barrier, get_ident

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

import coverlap as cv
from coverlap.clustering import recognise
from coverlap.counting import memory
from coverlap.results.pairwise import PairwiseScores
from coverlap.results.text import plain
from tests import naive
from tests.strategies import clusterings


def runs(n_runs: int, *, outliers: float = 0.0) -> list[np.ndarray]:
    base = cv.generate.random_clustering(200, 8, outliers=outliers, seed=7)
    return [cv.generate.shuffled(base, 0.3, seed=seed).to_labels() for seed in range(n_runs)]


def single(sides, measure="fstar_wo", **options):
    """Return the scores of all pairs by single calls."""
    return [[cv.score(left, right, measure, **options) for right in sides] for left in sides]


RULES = ["union", "intersection", "left", "right"]
KEYED = [
    {"a": 1, "b": 1, "c": 2},
    {"c": 1, "b": 2, "a": 2},
    cv.Clustering.from_clusters([{"b", "c"}, {"c", "d"}], universe=["b", "c", "d", "e"]),
    cv.Clustering.from_clusters([{"e", "c"}, {"c", "d", "b"}], universe=["e", "d", "c", "b"]),
]
NESTED = [{"a": 0, "b": 0, "c": 1, "d": 1}, {"b": 0, "c": 1, "d": 1}, {"d": 0, "a": 0, "c": 1}]
CASES = [
    *((runs(4), measure, {}) for measure in cv.MEASURES),
    *(
        (runs(3, outliers=0.1), "ari", {"outliers_as": placed, "drop_outliers": dropped})
        for placed in ("singletons", "cluster")
        for dropped in (None, "left", "either", "both")
    ),
    *(
        (KEYED, measure, {"universe": universe})
        for measure in ("fstar_wo", "omega", "exact_recall", "ecs", "onmi_lfk")
        for universe in (*RULES, list("abcde"))
    ),
    *((NESTED, "fstar_wo", {"universe": universe}) for universe in RULES),
    (runs(3), "fstar_wo", {"balance": 1.0}),
    *((runs(9, outliers=0.1), "fstar_wo", {"threads": threads}) for threads in (1, 2, 5)),
]


@pytest.mark.parametrize(("sides", "measure", "options"), CASES)
def test_every_score_is_the_float_of_the_single_call(sides, measure, options):
    result = cv.pairwise(sides, measure, **options)
    assert result.matrix.tolist() == single(sides, measure, **options)


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
        named["reference"] = named.pop("b")
        assert cv.pairwise(named, reference="reference").rows == ["reference"]
    for method in ("medoid", "stability", "mean_to_others", "object_stability"):
        with pytest.raises(cv.OptionError, match=f"{method} needs the scores of all pairs"):
            getattr(result, method)()


def test_stability_is_the_best_jaccard_similarity_of_each_cluster_in_each_other_run():
    labels = runs(4, outliers=0.1)
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
    with pytest.raises(cv.OptionError, match="of must be the name"):
        result.stability(of=np.array([0, 1]))
    assert repr(stability) == f"Stability({len(stability.clusters)} clusters of 2 in 3 runs)"


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


def test_equal_scores_have_no_deviation_and_too_few_have_none():
    equal = cv.pairwise([[0, 0, 1]] * 7, "mi")
    assert (equal.mean, equal.sd) == (equal.matrix[0, 1], 0.0)
    pair = cv.pairwise(runs(2))
    assert (pair.mean, pair.sd) == (pair.matrix[0, 1], None)
    alone = cv.pairwise(runs(1))
    assert (alone.mean, alone.sd, alone.to_dict()["mean"]) == (None, None, None)


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


def test_progress_is_told_until_all_is_done():
    told: list[tuple[int, int]] = []
    cv.pairwise(runs(9), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (45, 45)
    assert told == sorted(told)


def test_one_clustering_alone_has_no_others():
    result = cv.pairwise({"only": [0, 0, 1]}, "vi")
    assert result.matrix.tolist() == [[0.0]]
    assert "others" not in str(result)
    for method in ("medoid", "stability", "mean_to_others", "object_stability"):
        with pytest.raises(cv.InputError, match=f"{method} needs another clustering"):
            getattr(result, method)()


@pytest.mark.parametrize("reference", [({0, 1}, {2}), ([0, 1], [2]), [{0, 1}, {2}]])
def test_a_reference_may_be_a_tuple_of_clusters(reference):
    result = cv.pairwise([[0, 0, 1], [0, 1, 1]], reference=reference)
    assert result.matrix.tolist() == [[1.0, 1.0, cv.score([0, 0, 1], [0, 1, 1])]]


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
@pytest.mark.parametrize("names", [("clustering", "b"), (1, "1")])
def test_no_column_of_a_frame_takes_the_place_of_another(names, library):
    result = cv.pairwise(dict(zip(names, runs(2), strict=True)))
    with pytest.raises(cv.InputError, match="several columns called"):
        result.to_frame(library)
    assert len(result.to_frame(library, long=True)) == 4


def test_the_same_scores_in_another_order_are_a_tie_for_the_medoid():
    scores = [0.1, 0.2, 0.3, 0.7, 0.3, 0.2, 0.1]  # in a ring of eight, all have the same scores
    ring = np.array([[1.0 if i == j else scores[(j - i) % 8 - 1] for j in range(8)]
                     for i in range(8)])  # fmt: skip
    made = cv.pairwise([[0, 1]] * 8)
    result = PairwiseScores("fstar_wo", made.names, made.names, ring, made.clusterings)
    assert len(set(result.mean_to_others().values())) == 1
    assert result.medoid() == 0


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
    once = {**rules, "universe": iter(range(8))} if given == "list" else rules
    assert cv.pairwise(SIDES[sides], **once).matrix.tolist() == single(SIDES[sides], **rules)


def test_names_come_from_dicts_lists_and_columns():
    assert cv.pairwise(runs(3)).names == [0, 1, 2]
    named = dict(zip("ab", runs(2), strict=True))
    numbered = {0: named["a"], 1: named["b"]}
    frames = {
        "ab": (named, pd.DataFrame(named), pl.DataFrame(named), pl.LazyFrame(named),
               pa.RecordBatch.from_pydict(named)),
        (0, 1): (pd.DataFrame(numbered),),
        (("x", 0), ("x", 1)): (pd.DataFrame({("x", name): run for name, run in numbered.items()}),),
    }  # fmt: skip
    for names, sides in frames.items():
        for result in map(cv.pairwise, sides):
            assert result.names == list(names)
            assert {type(name) for name in result.names} == {type(names[0])}
            assert result.matrix.tolist() == single(runs(2))


def scores_of(sides, *args, **options):
    """Return the score of every pair of different clusterings, in both directions."""
    return {
        (i, j): cv.score(sides[i], sides[j], *args, **options)
        for i, j in permutations(range(len(sides)), 2)
    }


@pytest.mark.parametrize(
    ("measure", "options"), [("fstar_wo", {}), ("vi", {}), ("v", {"beta": 3}), ("exact_recall", {})]
)
def test_means_and_deviations_are_those_of_all_pairs_in_both_directions(measure, options):
    sides = [[0, 0, 0, 0, 1], [0, 0, 1, 2, 2], [0, 0, 1, 1, 1], [0, 1, 0, 1, 1]]
    result, scores = cv.pairwise(sides, measure, **options), scores_of(sides, measure, **options)
    means = {
        i: statistics.fmean(scores[pair] for pair in scores if i in pair) for i in range(len(sides))
    }
    assert result.mean_to_others() == pytest.approx(means, rel=1e-14)
    closest = min if measure == "vi" else max
    assert result.medoid() == closest(means, key=means.get)
    assert result.mean == pytest.approx(statistics.fmean(scores.values()), rel=1e-15)
    if cv.MEASURES[measure].symmetric and not options:
        once = [scores[pair] for pair in combinations(range(len(sides)), 2)]
        assert result.sd == pytest.approx(statistics.stdev(once), rel=1e-13)
        assert f"{result.mean:.6f} ± {result.sd:.6f} (mean ± sd of 6 pairs)" in str(result)
        facts = json.loads(result.to_json())
        assert (facts["mean"], facts["sd"]) == (result.mean, result.sd)
    else:
        assert any(scores[i, j] != scores[j, i] for i, j in scores)


def test_the_mean_of_a_reference_leaves_its_score_with_itself_out():
    labels = runs(4)
    result = cv.pairwise(labels, "homogeneity", reference=2)
    scores = [cv.score(labels[2], labels[i], "homogeneity") for i in (0, 1, 3)]
    assert result.mean == pytest.approx(statistics.fmean(scores), rel=1e-15)
    assert result.sd == pytest.approx(statistics.stdev(scores), rel=1e-13)


@settings(max_examples=40)
@given(st.lists(clusterings(9, max_clusters=5), min_size=2, max_size=5), st.sampled_from([1, 3]))
def test_the_stability_of_objects_is_that_of_the_definition(runs, threads):
    result = cv.pairwise([cv.Clustering.from_clusters(run, universe=9) for run in runs])
    pairs = list(combinations(map(naive.normalise, runs), 2))
    for item, score in enumerate(result.object_stability(threads).scores.tolist()):
        similarities = [naive.object_similarity(item, *pair, range(9)) for pair in pairs]
        assert score == pytest.approx(float(sum(similarities) / len(pairs)), rel=1e-14, abs=1e-15)


def test_stability_holds_for_clusterings_of_different_objects_and_without_outliers():
    sides = {"one": {"a": 1, "b": 1, "c": 2}, "two": {"b": 1, "c": 1, "d": 1}}
    stability = cv.pairwise(sides).stability(of="one")
    assert dict(zip(stability.clusters, stability.similarity[:, 0], strict=True)) == {
        1: 1 / 4, 2: 1 / 3,
    }  # fmt: skip
    stability = cv.pairwise([[0, 0, 1], [0, 1, -1]]).stability(of=0)
    assert stability.columns()["kind"] == ["cluster", "cluster"]
    assert (stability.n_outliers, stability.outliers.tolist()) == (0, [0.0])


def test_frames_and_arrays_have_the_names_and_the_scores():
    result = cv.pairwise(dict(zip("ab", runs(2), strict=True)))
    wide = result.to_frame("pandas")
    assert wide["clustering"].tolist() == ["a", "b"]
    assert wide[["a", "b"]].to_numpy().tolist() == result.matrix.tolist()
    long = result.to_frame("pandas", long=True)
    assert long["left"].tolist() == ["a", "a", "b", "b"]
    assert long["right"].tolist() == ["a", "b", "a", "b"]
    assert long["score"].tolist() == result.matrix.ravel().tolist()
    assert np.asarray(result).tolist() == json.loads(result.to_json())["scores"]
    with pytest.raises(ValueError, match="read-only"):
        result.matrix[0, 0] = 5


TWO = [[0, 0, 1], [0, 1, 1]]
NAN_INDEX = pd.Series([0, 1], index=[1.0, np.nan])
REFUSED = [
    *(
        (cv.InputTypeError, "clusterings must be a dict or list", sides, {})
        for sides in ("labels.txt", 5, None, np.array(3), csr_array([[1, 0], [0, 1]]))
    ),
    (cv.InputError, "at least one", [], {}),
    (cv.InputError, "a frame of one clustering",
     pd.DataFrame({"object": [0, 1], "cluster": ["a", "a"]}), {}),
    (cv.InputError, "several columns of one name: 'x'",
     pd.DataFrame([[0, 1], [0, 0]], columns=["x", "x"]), {}),
    (cv.UniverseError, r"[01] and 2: left has 3 objects and right has 2",
     [*TWO, [0, 1]], {"threads": 1}),
    (cv.UniverseError, "clustering 'y' has members outside the universe",
     {"x": {1: 0, 2: 0}, "y": {2: 0, 3: 0}}, {"universe": [1, 2]}),
    (cv.UniverseError, "share no object", [{"a": 0, "b": 0}, {1: 0, 2: 1}], {}),
    (cv.CoverlapError, "must not be missing", [NAN_INDEX, NAN_INDEX], {}),
    (cv.UndefinedError, "'fine' and 'cut': ari is not defined for outl",
     {"fine": [0, 0, 1], "cut": [0, 0, -1]}, {"measure": "ari", "threads": 1}),
    (cv.OptionError, "another one is called 'reference'",
     {"reference": [0, 1, 0], "a": [0, 0, 1]}, {"reference": [0, 0, 0]}),
    (cv.OptionError, "one of the names 'a', 'b', not 'c'",
     {"a": [0, 0], "b": [0, 1]}, {"reference": "c"}),
    (cv.OptionError, "ari has no option 'balance'", TWO, {"measure": "ari", "balance": 1.0}),
    *(
        (cv.OptionError, name, TWO, {name: value})
        for name, value in (
            ("drop_outliers", "everyone"), ("drop_outliers", ["left"]), ("outliers_as", True),
            ("universe", np.array(3)), ("universe", b"union"), ("balance", np.array([0.5, 0.5])),
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize(("error", "message", "sides", "options"), REFUSED)
def test_what_cannot_be_compared_is_refused(error, message, sides, options):
    with pytest.raises(error, match=message):
        cv.pairwise(sides, **options)
