"""Clusterings that keep duplicate clusters, for the measures that count them."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import coverlap as cv
from coverlap.cli import program


def kept(clusters, n):
    return cv.Clustering.from_clusters(clusters, universe=n, duplicates="keep")


GREY, BLACK, DASHED = {0, 1, 2}, {0, 1, 3, 4}, {5, 6}
PUBLISHED = [
    # Figures 17 and 18 of Amigó and others 2009, and python-bcubed
    ([GREY, BLACK, DASHED], [GREY, GREY, BLACK, DASHED], "bcubed_precision", 181 / 210, 1.0),
    ([GREY, BLACK, DASHED], [GREY] * 3 + [BLACK, DASHED], "bcubed_precision", 17 / 21, 1.0),
    # clusim
    ([GREY, GREY, {2, 3, 4}], [GREY, {2, 3, 4}], "ecs", 41 / 45, 1.0),
    # cdlib and NetworKit
    ([GREY, GREY, {3, 4}], [GREY, {3, 4}], "onmi", 5 / 6, 1.0),
    ([GREY, GREY, {3, 4}], [GREY, {3, 4}], "omega", 1 / 2, 1.0),
    ([GREY, {3, 4}, {4, 5}], [{0, 1}, {0, 1}, {2, 3}, {4, 5}], "onmi", 0.44950877, 0.50114868),
    ([GREY, {3, 4}, {4, 5}], [{0, 1}, {0, 1}, {2, 3}, {4, 5}], "omega", 4 / 19, 1 / 3),
]


@pytest.mark.parametrize(("left", "right", "measure", "counted", "merged"), PUBLISHED)
def test_scores_are_those_of_other_tools(left, right, measure, counted, merged):
    n = len(set().union(*left, *right))
    assert cv.score(kept(left, n), kept(right, n), measure) == pytest.approx(counted, abs=1e-8)
    assert cv.score(left, right, measure) == pytest.approx(merged, abs=1e-8)


A, B = {0, 1, 2}, {2, 3}


def test_clusters_of_all_objects_have_no_entropy_however_many_there_are():
    full = {0, 1, 2}
    for normalization in ("max", "lfk_total", "mean", "joint"):
        found = [
            cv.onmi_score(kept([full] * k, 3), kept([full] * 2, 3), normalization=normalization)
            for k in (1, 2, 3)
        ]
        assert found == [1.0, 1.0, 1.0]  # as NetworKit has it


def test_fstar_and_its_table_are_those_of_the_sets():
    twice, once = kept([A, A, B], 5), cv.Clustering.from_clusters([A, B], universe=5)
    assert cv.fstar_score(twice, once) == 1.0
    result = cv.compare(twice, [A, {3, 4}, {3, 4}])
    assert result.score == cv.fstar_score(once, [A, {3, 4}])
    assert len(result.to_frame("pandas").query("kind == 'cluster' and side == 'left'")) == 2
    assert [side.n_merged for side in result.clusterings] == [1, 1]


# Making and changing clusterings


def sources(tmp_path):
    path = tmp_path / "a.cmty.txt"
    path.write_text("0 1 2\n2 0 1\n2 3\n")
    pairs_of = [(o, c) for c, members in enumerate([A, A, B]) for o in members]
    matrix = np.array([[1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 1, 1]])
    return [
        (cv.Clustering.from_clusters, [A, A, B]),
        (cv.Clustering.from_clusters, {"x": A, "y": A, "z": B}),
        (cv.Clustering.from_memberships, pairs_of),
        (cv.Clustering.from_matrix, matrix),
        (cv.Clustering.from_frame, pd.DataFrame(pairs_of, columns=["object", "cluster"])),
        (cv.as_clustering, [A, A, B]),
        (cv.read_clustering, path),
        (cv.as_clustering, path),
    ]


def test_every_constructor_merges_or_keeps(tmp_path):
    for make, data in sources(tmp_path):
        merged, keeping = make(data), make(data, duplicates="keep")
        assert (merged.n_clusters, merged.n_merged, merged.n_memberships) == (2, 1, 5)
        assert (keeping.n_clusters, keeping.n_merged, keeping.n_memberships) == (3, 0, 8)
        assert sorted(map(sorted, keeping.to_clusters())) == [[0, 1, 2], [0, 1, 2], [2, 3]]
        assert "1 duplicate cluster merged" in merged.describe()
        assert "1 duplicate cluster kept" in keeping.describe()
        with pytest.raises(cv.OptionError, match="duplicates must be one of 'merge', 'keep'"):
            make(data, duplicates="drop")


def test_empty_clusters_are_dropped_even_if_duplicates_are_kept():
    made = kept([A, set(), A, set()], 3)
    assert (made.n_clusters, made.n_dropped, made.n_merged) == (2, 2, 0)


def test_duplicates_survive_what_is_done_to_a_clustering():
    made = kept([A, A, {0, 1, 3}], 5)
    assert made.restrict([0, 1]).n_clusters == 3
    assert cv.as_clustering(made).n_clusters == 3
    copied = pickle.loads(pickle.dumps(made))  # noqa: S301
    assert copied == made
    assert copied.restrict([0, 1]).n_clusters == 3
    assert cv.Clustering.from_frame(made.to_frame("pandas"), duplicates="keep") == made


def test_clusterings_with_other_numbers_of_the_same_clusters_differ():
    assert kept([A, A, {3, 4, 5}], 6) != kept([A, {3, 4, 5}, {3, 4, 5}], 6)
    assert kept([A, A, B], 4) == kept([B, A, A], 4)
    assert kept([A, B], 4) == cv.Clustering.from_clusters([A, B])


def test_draws_keep_duplicates():
    left, right = kept([A, A, {3, 4, 5}, {6, 7}], 9), kept([A, {3, 4}, {5, 6, 7}], 9)
    assert cv.baseline(left, right, "omega", n_draws=20).score == cv.omega_score(left, right)
    interval = cv.bootstrap(left, left, "omega", n_draws=20)
    assert set(interval.draws) == {1.0}
    assert cv.bootstrap(left, right, "omega", n_draws=20).value == cv.omega_score(left, right)


def test_tables_of_scores_note_that_duplicates_were_merged():
    names = ["fstar_wo", "omega", "ecs"]
    (note,) = cv.scores([A, A, B], [A, B], names).notes
    assert note.startswith("left: 1 duplicate cluster merged, although these measures count")
    assert 'omega, ecs; to keep them, pass as_clustering(left, duplicates="keep")' in note
    assert not cv.scores([A, A, B], [A, B], ["fstar_wo"]).notes
    assert not cv.scores(kept([A, A, B], 4), [A, B], names).notes


def test_the_command_line_keeps_duplicates(tmp_path):
    for name, text in {"a": "0 1 2\n0 1 2\n3 4\n", "b": "0 1 2\n3 4\n"}.items():
        (tmp_path / f"{name}.cmty.txt").write_text(text)
    files = [str(tmp_path / f"{name}.cmty.txt") for name in "ab"]
    for option, expected in {
        "": 1.0,
        "--duplicates=keep": 0.5,
        "--duplicates-left=keep": 0.5,
    }.items():
        words = ["scores", *files, *filter(None, [option]), "-m", "omega", "--json"]
        result = CliRunner().invoke(program, words)
        assert json.loads(result.stdout)["scores"]["omega"] == expected
