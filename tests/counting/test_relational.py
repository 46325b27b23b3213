"""The relational engine on DuckDB counts what the engine in memory counts."""

import numpy as np
import pytest

from coverlap import Clustering
from coverlap.core.align import Rules
from coverlap.core.errors import UniverseError
from coverlap.counting.counts import counts_of
from coverlap.counting.matching import SIMILARITIES
from coverlap.counting.relational.engine import ClusterNames, count_cases, count_relations
from coverlap.counting.relational.relations import Relations
from coverlap.counting.relational.runner import DuckDBRunner
from coverlap.tables.database import open_database
from coverlap.tables.limits import limits_of
from tests.counting.relations import (
    NAMES,
    columns_of,
    expected,
    expected_of,
    found,
    option_sets,
    random_comparisons,
    rules_of,
)


@pytest.fixture(scope="module")
def database():
    with open_database(limits_of("1GB", None, 1)) as opened:
        yield opened


def store(database, name, columns):
    """Store columns, or none if there are no rows, as a table."""
    rows = list(zip(*columns.values(), strict=True)) if columns else []
    database.execute(
        f"CREATE OR REPLACE TABLE {name} (case_number INTEGER, object INTEGER, cluster BIGINT)"
    )
    if rows:
        values = ", ".join(
            f"({case}, {item}, {'NULL' if cluster is None else cluster})"
            for case, item, cluster in rows
        )
        database.execute(f"INSERT INTO {name} VALUES {values}")  # noqa: S608


def counted(database, comparisons, options, hash_of=None):
    universe, drop_outliers, similarity = options
    for name, columns in zip(("one", "other", "given"), columns_of(comparisons), strict=True):
        store(database, name, columns)
    runner = DuckDBRunner(database)
    if hash_of:
        runner.hash = hash_of
    relations = Relations("one", "other", "given" if universe == "given" else None, by_case=True)
    return count_cases(
        runner, relations, range(len(comparisons)), (NAMES, NAMES),
        rules_of(universe, drop_outliers), SIMILARITIES[similarity],
    )  # fmt: skip


@pytest.mark.parametrize("options", option_sets(), ids=str)
def test_random_comparisons_equal_those_in_memory(database, options):
    comparisons = random_comparisons(15, seed=str(options))
    for comparison, counts in zip(
        comparisons, counted(database, comparisons, options), strict=True
    ):
        assert found(counts) == expected(comparison, *options), comparison


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_fingerprints_that_collide_do_not_merge_different_clusters(database, similarity):
    options = ("intersection", "either", similarity)
    comparisons = random_comparisons(40, seed=similarity)
    counts = counted(database, comparisons, options, "CAST({} * 0 AS BIGINT)")
    wanted = [expected(comparison, *options) for comparison in comparisons]
    assert [found(one) for one in counts] == wanted


def count(database, left, right, rules, *, given=None, names=NAMES, integers=True):
    """Count two relations that are written as rows of SQL."""
    one, other = (
        f"(SELECT * FROM (VALUES {rows}) AS t(object, cluster))"  # noqa: S608
        for rows in (left, right)
    )
    given = given and f"(SELECT * FROM (VALUES {given}) AS t(object))"  # noqa: S608
    relations = Relations(one, other, given, have_integers=integers)
    runner, jaccard = DuckDBRunner(database), SIMILARITIES["jaccard"]
    return count_relations(runner, relations, (names, names), rules, jaccard)


def test_objects_may_be_of_any_type_and_numbers_of_clusters_may_have_gaps(database):
    names = ClusterNames(np.array(["x", "y"], object), np.array([7, 10**12]), ("-1",))
    counts = count(
        database,
        "(DATE '2020-01-01', 7), ('2020-01-02', 7), ('2020-01-03', 1000000000000)",
        "(DATE '2020-01-01', 7), ('2020-01-04', NULL)",
        Rules(),
        names=names,
    )
    assert counts.left.names.tolist() == ["x", "y"]
    assert counts.left.outlier_texts == ("-1",)
    assert counts.matching.left.match.tolist() == [0, -1]
    assert counts.matching.left.similarity.tolist() == [0.5, 0.0]
    assert (counts.n_only_left, counts.n_only_right, counts.disjoint) == (2, 1, False)


def test_members_outside_given_objects_are_named(database):
    left = ", ".join(f"({item}, 0)" for item in range(8))
    with pytest.raises(UniverseError, match=r"left has members .* 1, 2, 3, 4, 5 and 2 more$"):
        count(database, left, "(0, 0)", Rules(), given="(0)")
    with pytest.raises(UniverseError, match=r"right has members outside the universe: 3$"):
        count(database, "(0, 0)", "(3, 0), (4, NULL)", Rules(), given="(0)")


def test_a_number_of_objects_admits_no_other_ids(database):
    with pytest.raises(UniverseError, match=r"right has objects outside the universe: -1, 3$"):
        count(database, "(0, 0)", "(3, 0), (-1, NULL), (2, 1)", Rules(3))
    with pytest.raises(UniverseError, match=r"left has objects outside the universe: 'a'$"):
        count(database, "('a', 0)", "('a', 0)", Rules(3), integers=False)


def test_fewer_objects_than_known_are_an_error(database):
    with pytest.raises(UniverseError, match="n_objects is 1, but the two clusterings know 2"):
        count(database, "(0, 0)", "(1, 0)", Rules(n_objects=1))


def test_no_views_are_left(database):
    equal = "(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)"
    assert count(database, equal, equal, Rules()).left.n_merged == 1
    assert not database.rows("SELECT view_name FROM duckdb_views() WHERE NOT internal")


@pytest.mark.slow
def test_large_overlapping_clusterings_equal_those_in_memory(database):
    rng = np.random.default_rng(1)
    sides = []
    for name in ("big_left", "big_right"):
        rows = {
            "object": rng.integers(0, 100_000, 400_000),
            "cluster": (3000 * rng.random(400_000) ** 3).astype(np.int64) - 20,
        }
        database.register(name, rows)
        outside = rows["cluster"] < 0
        pairs = zip(rows["object"].tolist(), rows["cluster"].tolist(), strict=True)
        sides.append(
            Clustering.from_memberships(
                [(item, None if out else n) for (item, n), out in zip(pairs, outside, strict=True)]
            )
        )
    relations = Relations(
        *(
            f"(SELECT object, CASE WHEN cluster >= 0 THEN cluster END AS cluster FROM {name})"  # noqa: S608
            for name in ("big_left", "big_right")
        )
    )
    names = ClusterNames(np.arange(3000))
    for similarity, form in SIMILARITIES.items():
        counts = count_relations(
            DuckDBRunner(database), relations, (names, names), Rules(drop_outliers="either"), form
        )
        wanted = expected_of(counts_of(*sides, Rules(drop_outliers="either")), similarity)
        assert found(counts) == wanted
    for name in ("big_left", "big_right"):
        database.execute(f"DROP VIEW {name}")
