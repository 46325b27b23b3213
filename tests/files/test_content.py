"""Memberships from pairs of numbers, as readers build them."""

from itertools import pairwise

import numpy as np
import pytest

from coverlap.files import content


@pytest.mark.parametrize("key", ["objects", "clusters", None])
def test_pairs_may_be_sorted_nearly_sorted_or_in_any_order(key, monkeypatch):
    monkeypatch.setattr(content, "SMALL", 4)  # so that these pairs are many
    rng = np.random.default_rng(1)
    for n_pairs in range(100):
        pairs = {"objects": rng.integers(0, 9, n_pairs), "clusters": rng.integers(-1, 5, n_pairs)}
        order = np.argsort(pairs[key], kind="stable") if key else np.arange(n_pairs)
        if n_pairs % 3:
            at = rng.integers(0, n_pairs)
            order[at : at + 2] = order[at : at + 2][::-1]  # then these are often out of order
        objects, clusters = (values[order].astype(np.int32) for values in pairs.values())
        wanted = [sorted({*objects[clusters == c].tolist()}) for c in range(5)]
        made = content.memberships_of_pairs(objects, clusters, np.arange(9), np.arange(5))
        pointers, members = made.runs
        assert [members[begin:end].tolist() for begin, end in pairwise(pointers)] == wanted
