"""Shared objects and pairs, counted from labels and from members in any number of threads."""

from collections import Counter
from itertools import product
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


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("n_threads", [None, 1, 2, 3, 7])
@pytest.mark.parametrize("n", SIZES)
def test_cells_and_pairs_are_those_of_objects_with_equal_labels(n, n_threads):
    left, right = draw(n, 1), draw(n, 2)
    both = Counter((a, b) for a, b in zip(left.tolist(), right.tolist(), strict=True)
                   if min(a, b) >= 0)  # fmt: skip
    sizes = [Counter(side[side >= 0].tolist()) for side in (left, right)]
    rows, columns = map(sorted, sizes)
    in_left, in_right, in_both = (
        sum(comb(count, 2) for count in counts.values()) for counts in (*sizes, both)
    )
    for one, other in product(forms(left), forms(right)):
        pair = align(one.memberships, other.memberships)
        table = contingency(pair, n_threads)
        found = zip(table.rows().tolist(), table.columns.tolist(), strict=True)
        cells = [(rows[i], columns[j]) for i, j in found]
        assert len(set(cells)) == len(cells)
        assert dict(zip(cells, table.shared.tolist(), strict=True)) == both
        assert table.left_sizes.tolist() == [sizes[0][name] for name in rows]
        assert table.right_sizes.tolist() == [sizes[1][name] for name in columns]
        expected = (n, (0, in_left), (0, in_right), in_both, in_both)
        assert joined_pairs(pair, n_threads) == expected
