"""Memberships from pairs of numbers, as readers build them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coverlap.files import content


@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(-1, 4)), max_size=40),
    st.sampled_from([None, 0, 1]), st.integers(0, 40),
)  # fmt: skip
def test_pairs_may_be_sorted_nearly_sorted_or_in_any_order(pairs, key, at):
    """They are sorted by object or by cluster, but for two neighbours."""
    if key is not None:
        pairs = sorted(pairs, key=lambda pair: pair[key])
        pairs[at : at + 2] = pairs[at : at + 2][::-1]
    objects, clusters = np.array(pairs, np.int32).reshape(-1, 2).T
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(content, "SMALL", 4)  # so that these pairs are many
        made = content.memberships_of_pairs(objects, clusters, np.arange(9), np.arange(5))
    pointers, members = made.runs
    wanted = [sorted({o for o, c in pairs if c == cluster}) for cluster in range(5)]
    assert [members[begin:end].tolist() for begin, end in pairwise(pointers)] == wanted
