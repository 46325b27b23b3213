"""Shared objects and pairs, counted from labels and from members in any number of threads."""

from collections import Counter
from math import comb

import numpy as np
import pytest

from coverlap import Clustering
from coverlap.core import threads
from coverlap.core.align import align
from coverlap.counting.memory import contingency, joined_pairs, partitions

SIZES = (0, 1, 2, 3, 9, 701)


@pytest.fixture(params=["small inputs as such", "small inputs like large ones"])
def any_size(request, monkeypatch):
    if request.param != "small inputs as such":
        monkeypatch.setattr(threads, "SMALL", 0)
        monkeypatch.setattr(partitions, "SMALL", 0)


def draw(n, seed):
    """Return labels of which -1 means outlier and some are unused."""
    return np.random.default_rng([n, seed]).integers(-1, 2 + n // 20, n) * 3


def forms(labels):
    """Return a clustering by codes and by members, with its clusters in the same order."""
    names = sorted({label for label in labels.tolist() if label >= 0})
    clusters = [np.flatnonzero(labels == name).tolist() for name in names]
    by_members = Clustering.from_clusters(clusters, universe=len(labels))
    return Clustering.from_labels(labels, outlier_label=range(-9, 0)), by_members


def pairs_of(n):
    left, right = draw(n, 1), draw(n, 2)
    for one in forms(left):
        for other in forms(right):
            yield align(one.memberships, other.memberships), left.tolist(), right.tolist()


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("n_threads", [None, 1, 2, 3, 7])
@pytest.mark.parametrize("n", SIZES)
def test_cells_are_the_objects_that_clusters_share(n, n_threads):
    for pair, left, right in pairs_of(n):
        expected = Counter((a, b) for a, b in zip(left, right, strict=True) if min(a, b) >= 0)
        table = contingency(pair, n_threads)
        rows, columns = (sorted({x for x in side if x >= 0}) for side in (left, right))
        found = zip(table.rows().tolist(), table.columns.tolist(), strict=True)
        cells = [(rows[i], columns[j]) for i, j in found]
        assert len(set(cells)) == len(cells)
        assert dict(zip(cells, table.shared.tolist(), strict=True)) == expected
        assert table.left_sizes.tolist() == [left.count(name) for name in rows]
        assert table.right_sizes.tolist() == [right.count(name) for name in columns]


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("n_threads", [None, 1, 2, 3, 7])
@pytest.mark.parametrize("n", SIZES)
def test_pairs_are_those_of_objects_with_equal_labels(n, n_threads):
    for pair, left, right in pairs_of(n):
        both = [(a, b) for a, b in zip(left, right, strict=True) if min(a, b) >= 0]
        sides = ([x for x in side if x >= 0] for side in (left, right))
        in_left, in_right, in_both = (
            sum(comb(count, 2) for count in Counter(items).values()) for items in (*sides, both)
        )
        expected = (n, (0, in_left), (0, in_right), in_both, in_both)
        assert joined_pairs(pair, n_threads) == expected
