"""Measures of tables that DuckDB counts equal those of clusterings in memory, to the bit."""

import random

import pytest

import coverlap as cv
from tests.counting.test_streaming import write
from tests.counting.test_table_pair import SEEDS, random_tables

N_CASES = 8
NEEDING_MEMORY = ("ecs", "omega", "omega_raw", "bcubed_precision", "bcubed_recall", "bcubed_f1")


@pytest.fixture
def paths(tmp_path):
    return tmp_path / "left.parquet", tmp_path / "right.parquet"


def scored(paths, **options):
    try:
        return cv.scores(*paths, **options)
    except cv.CoverlapError as error:
        return error


@pytest.mark.parametrize("seed", SEEDS)
def test_scores_of_tables_equal_memory(paths, seed):
    rng, n_scored = random.Random(200 + seed), 0
    for _ in range(N_CASES):
        options = random_tables(rng, paths)
        rules = {
            name: options[name]
            for name in ("universe", "n_objects", "drop_outliers")
            if name in options
        }
        wanted, found = scored(paths, **rules), scored(paths, engine="duckdb", **rules)
        if isinstance(wanted, Exception):
            assert str(found) == str(wanted)
            continue
        overlap = any(wanted.n_in_several)
        refused = [*NEEDING_MEMORY] if overlap else ["ecs"]
        for name in wanted:
            if name in refused:
                assert found[name] is None
            else:
                assert found[name] == wanted[name], name
                n_scored += found[name] is not None
        assert found.universe == wanted.universe
        assert found.n_clusters == wanted.n_clusters
        assert found.n_outliers == wanted.n_outliers
        assert found.n_in_several == wanted.n_in_several
        assert found.notes == wanted.notes
    assert n_scored > N_CASES


def test_measures_with_options_equal_memory(paths):
    write(paths[0], [(0, 1), (1, 1), (2, 2), (3, 2), (2, 1)], "dense", "dense")
    write(paths[1], [(0, 1), (1, 2), (2, 2), (3, 1)], "dense", "dense")
    for measure, options in (
        ("fstar_wo", {"similarity": "recall", "balance": 0.25}), ("fstar_w", {"average": "equal"}),
        ("onmi", {"normalization": "lfk"}), ("onmi", {"variant": "mcdaid"}), ("exact_f1", {}),
    ):  # fmt: skip
        wanted = cv.score(*paths, measure, **options)
        assert cv.score(*paths, measure, engine="duckdb", **options) == wanted


def test_what_does_not_follow_from_tables_is_refused(paths):
    write(paths[0], [(0, 1), (1, 1), (1, 2)], "dense", "dense")
    use_memory = r"use engine='memory' \(--engine memory\)$"
    with pytest.raises(cv.OptionError, match=rf"ecs needs the memberships .*{use_memory}"):
        cv.score(paths[0], paths[0], "ecs", engine="duckdb")
    for measure in ("omega", "bcubed_f1"):
        with pytest.raises(cv.OptionError, match=rf"{measure} needs .*clusters overlap; "):
            cv.score(paths[0], paths[0], measure, engine="duckdb")
    with pytest.raises(cv.OptionError, match=rf"outliers_as .*; {use_memory}"):
        cv.score(paths[0], paths[0], "nmi", engine="duckdb", outliers_as="cluster")
    with pytest.raises(cv.OptionError, match="a graph needs engine='memory'"):
        cv.scores(paths[0], paths[0], engine="duckdb", graph=[(0, 1)])
    reasons = cv.scores(paths[0], paths[0], engine="duckdb").reasons
    assert set(NEEDING_MEMORY) <= set(reasons)
    assert "memory" in reasons["ecs"]
