import json
from functools import partial
from pathlib import Path

import pytest
from scipy import sparse

from tests.cli import runner

run = partial(runner.run, "describe")
error_line = partial(runner.error_line, "describe")


@pytest.fixture(autouse=True)
def files() -> None:
    Path("truth.cmty.txt").write_text("1 2 3\n3 4\n4 3\n\n5\n")


def test_a_file_is_described_in_words():
    result = run("truth.cmty.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "read as: one cluster per line\n"
        "5 objects, 3 clusters, 6 memberships\n"
        "0 outliers; 1 object in several clusters (2 at most)\n"
        "cluster sizes: 1 to 3, median 2\n"
        "1 duplicate cluster merged, 1 empty cluster dropped\n"
    )


def test_a_file_is_described_in_numbers():
    assert json.loads(run("truth.cmty.txt", "--json").stdout) == {
        "read_as": "one cluster per line", "n_objects": 5, "n_clusters": 3, "n_memberships": 6,
        "n_outliers": 0, "n_in_several": 1, "has_overlaps": True, "smallest": 1, "largest": 3,
        "n_merged": 1, "n_dropped": 1,
    }  # fmt: skip


def test_a_clustering_without_clusters_has_no_sizes():
    Path("none.labels").write_text("-1\n-1\n")
    found = json.loads(run("none.labels", "--json").stdout)
    assert (found["n_clusters"], found["smallest"], found["largest"]) == (0, None, None)


def test_a_matrix_with_weights_needs_a_threshold():
    sparse.save_npz("soft.npz", sparse.csr_array([[0.9, 0.2], [0.1, 0.8]]))
    assert "--threshold" in error_line("soft.npz")
    assert "above 0" in error_line("soft.npz", "--threshold", "0")
    assert "2 objects, 2 clusters, 2 memberships" in run("soft.npz", "--threshold", ".5").stdout
