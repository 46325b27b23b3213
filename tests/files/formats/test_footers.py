"""Footers of Parquet files that say what is not true."""

import subprocess
import sys

import duckdb
import pytest

import coverlap as cv
from tests.files.footers import MAX_VALUE, MIN_VALUE, NULLS, change_footer
from tests.marks import seeds

NO_BOUNDS = {MIN_VALUE: None, MAX_VALUE: None}


@pytest.mark.parametrize("seed", seeds(2))
def test_a_footer_that_lies_changes_no_result(seed):
    command = [sys.executable, "-m", "tests.files.footers", str(seed), "40"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) > 20  # results, not errors


@pytest.fixture
def paths(tmp_path):
    """Return the paths of a file and of one whose statistics can be changed."""
    found = [tmp_path / name for name in ("a.parquet", "b.parquet")]
    for path in found:
        duckdb.sql(
            "SELECT i AS object, CASE WHEN i % 3 > 0 THEN i % 40 END AS cluster "
            "FROM range(1000) AS t(i)"
        ).write_parquet(str(path))
    return found


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(
    ("column", "changes"),
    [
        (0, {MIN_VALUE: (1).to_bytes(8, "little")}),
        (0, {MIN_VALUE: (2**33).to_bytes(8, "little"), MAX_VALUE: (2**34).to_bytes(8, "little")}),
        (1, {MIN_VALUE: (2).to_bytes(8, "little")}),
        (1, {MIN_VALUE: (30).to_bytes(8, "little")}),
        (1, {MAX_VALUE: (1).to_bytes(8, "little")}),
        (1, {NULLS: 0}),
    ],
)
def test_wrong_bounds_and_numbers_of_nulls_are_not_believed(paths, engine, column, changes):
    change_footer(paths[1], column, changes)
    assert cv.compare(*paths, engine=engine).score == 1.0


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("changes", [{NULLS: 1000}, {NULLS: 1000} | NO_BOUNDS])
def test_columns_that_are_said_to_be_null_but_have_values_are_rejected(paths, engine, changes):
    change_footer(paths[1], 1, changes)
    with pytest.raises(cv.InputError, match=r"^right: .*'cluster' has values, but the statistics"):
        cv.compare(*paths, engine=engine)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_columns_of_nulls_are_read(tmp_path, engine):
    path = tmp_path / "a.parquet"
    duckdb.sql(
        "SELECT i AS object, CAST(NULL AS INT) AS cluster FROM range(100000) t(i)"
    ).write_parquet(str(path))
    assert cv.compare(path, path, engine=engine).score == 1.0
