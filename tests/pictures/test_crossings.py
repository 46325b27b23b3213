"""Crossings of bands are those of all pairs of bands; an order has no more of them than by size."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from coverlap.pictures.crossings import n_crossings, order_layers
from tests import naive_pictures


@st.composite
def layers(draw):
    """Draw tables of shared objects between layers and sizes; the last two sets are grey."""
    n_sets = draw(st.lists(st.integers(2, 7), min_size=1, max_size=4))
    shared = st.integers(0, draw(st.sampled_from((1, 3, 100, 10**6))))
    tables = [draw(arrays(int, shape, elements=shared)) for shape in pairwise(n_sets)]
    return tables, [draw(arrays(int, n, elements=st.integers(1, 10))) for n in n_sets]


def brute_force(tables, orders):
    return naive_pictures.n_crossings(
        [table.tolist() for table in tables], [order.tolist() for order in orders]
    )


@given(layers(), st.randoms())
def test_crossings_are_those_of_all_pairs_of_bands(drawn, random):
    tables, sizes = drawn
    orders = [np.array(random.sample(range(len(own)), len(own))) for own in sizes]
    assert n_crossings(tables, orders) == brute_force(tables, orders)


@given(layers())
def test_an_order_has_each_set_once_and_no_more_crossings_than_by_size(drawn):
    tables, sizes = drawn
    copies = [[array.copy() for array in given] for given in drawn]
    orders = order_layers(tables, sizes)
    for own, order in zip(sizes, orders, strict=True):
        n = len(own)
        assert sorted(order.tolist()) == list(range(n))
        assert order[-2:].tolist() == [n - 2, n - 1]
    by_size = [
        np.array([*np.argsort(-own[:-2], kind="stable"), len(own) - 2, len(own) - 1])
        for own in sizes
    ]
    fewest = brute_force(tables, orders)
    assert fewest <= brute_force(tables, by_size)
    for at, order in enumerate(orders):
        for i in range(len(order) - 3):
            swapped = order.copy()
            swapped[[i, i + 1]] = order[[i + 1, i]]
            assert brute_force(tables, [*orders[:at], swapped, *orders[at + 1 :]]) >= fewest
    # Another call does the same, and neither changes its inputs.
    assert all(map(np.array_equal, orders, order_layers(*copies)))
    assert all(map(np.array_equal, tables + sizes, copies[0] + copies[1]))


def untangled(seed):
    """Return the table of two layers that were drawn without crossings, with sets renumbered."""
    random = np.random.default_rng(seed)
    m, n = random.integers(2, 8, 2)
    table, i, j = np.zeros((m, n), int), 0, 0
    while i < m and j < n:  # a path down, so that no two bands cross
        table[i, j] = random.integers(1, 10)
        down = random.integers(3)
        i, j = i + (down < 2), j + (down > 0)
    rows, columns = ([*random.permutation(k - 2), k - 2, k - 1] for k in (m, n))
    return table[np.ix_(rows, columns)]


def test_two_layers_that_can_be_drawn_without_crossings_mostly_are():
    tables = [untangled(seed) for seed in range(100)]
    assert all(
        naive_pictures.fewest_crossings([table.tolist()], table.shape) == 0 for table in tables[:5]
    )
    found = [
        n_crossings([table], order_layers([table], [np.ones(n, int) for n in table.shape]))
        for table in tables
    ]
    assert found.count(0) > 90
