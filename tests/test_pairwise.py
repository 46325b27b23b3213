"""Many clusterings against each other."""

import json
from threading import Barrier, get_ident

import numpy as np
import pandas as pd
import polars as pl
import pytest

import coverlap as cv
from coverlap.engines import memory
from coverlap.text import plain


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


@pytest.mark.parametrize("outliers_as", ["singletons", "cluster", "drop"])
@pytest.mark.parametrize("drop_outliers", [None, "left", "both"])
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
    for method in ("medoid", "stability", "mean_to_others"):
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
    frame = stability.to_frame("pandas")
    assert frame["mean"].tolist() == stability.similarity.mean(axis=1).tolist()
    assert list(frame) == ["cluster", "size", "mean", "min", "median", "max"]
    assert result.stability().clustering == result.medoid()


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
    result = cv.pairwise(runs(9))
    assert "1.0000" in str(result)
    narrow = plain(result, width=60)
    assert "1.0000" not in narrow
    assert "All scores would take 80 columns: see --csv" in narrow
    (medoid,) = (line for line in narrow.splitlines() if line.startswith("*"))
    assert medoid.split()[1] == str(result.medoid())
    assert str(cv.pairwise(runs(3), reference=0)).startswith("fstar_wo with 0\n")


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
    """Each thread waits in its first one until the other has begun one, or fails."""
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
    assert "Mean" not in str(result)
    for method in ("medoid", "stability", "mean_to_others"):
        with pytest.raises(cv.InputError, match=f"{method} needs another clustering"):
            getattr(result, method)()
