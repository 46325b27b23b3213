"""Crossings of bands are those of all pairs of bands; an order has no more of them than by size."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from coverlap.pictures.crossings import n_crossings, order_layers
from tests import naive_pictures


class Layers:
    """Random tables of shared objects between layers, the last two sets of each being grey."""

    def __init__(self, seed, most=6):
        random = Random(seed)
        n_layers = random.choice((1, 2, 2, 2, 3, 4))
        self.n_sets = [random.randint(0, most) + 2 for _ in range(n_layers)]
        dense = random.random()
        largest = random.choice((1, 3, 100, 10**6))
        self.tables = [
            np.array([
                [random.randint(1, largest) if random.random() < dense else 0 for _ in range(n)]
                for _ in range(m)
            ])
            for m, n in pairwise(self.n_sets)
        ]  # fmt: skip
        self.sizes = [np.array([random.randint(1, 10) for _ in range(n)]) for n in self.n_sets]
        self.orders = [np.array(random.sample(range(n), n)) for n in self.n_sets]
        self.random = random

    def brute_force(self, orders):
        tables = [table.tolist() for table in self.tables]
        return naive_pictures.n_crossings(tables, [order.tolist() for order in orders])


def untangled(seed, most=5):
    """Return layers that were drawn without crossings, with their sets renumbered."""
    random = Random(seed)
    layers = Layers(seed, most)
    layers.tables = []
    renumbered = [[*random.sample(range(n - 2), n - 2), n - 2, n - 1] for n in layers.n_sets]
    for (m, n), (one, other) in zip(pairwise(layers.n_sets), pairwise(renumbered), strict=True):
        table, i, j = np.zeros((m, n), int), 0, 0
        while i < m and j < n:  # a path down, so that no two bands cross
            table[one[i], other[j]] = random.randint(1, 9)
            i, j = random.choice(((i + 1, j), (i, j + 1), (i + 1, j + 1)))
        layers.tables.append(table)
    return layers


SEEDS = range(60)


def test_crossings_are_those_of_all_pairs_of_bands():
    for layers in map(Layers, SEEDS):
        assert n_crossings(layers.tables, layers.orders) == layers.brute_force(layers.orders)


def test_two_bands_cross_with_the_product_of_their_objects():
    swapped = np.array([[0, 2, 0, 0], [3, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    order = np.arange(4)
    assert n_crossings([swapped], [order, order]) == 6
    assert n_crossings([swapped], [order, np.array([1, 0, 2, 3])]) == 0


@pytest.mark.parametrize(
    "seeds", [SEEDS, pytest.param(range(1000, 1250), marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_an_order_has_no_more_crossings_than_the_order_by_size(seeds):
    for layers in map(Layers, seeds):
        orders = order_layers(layers.tables, layers.sizes)
        by_size = [
            np.array([*sorted(range(len(own) - 2), key=lambda i, own=own: -own[i]),
                      len(own) - 2, len(own) - 1]) for own in layers.sizes
        ]  # fmt: skip
        assert layers.brute_force(orders) <= layers.brute_force(by_size)


def test_each_set_is_in_the_order_once_and_the_grey_ones_are_last():
    for layers in map(Layers, SEEDS):
        for n, order in zip(layers.n_sets, order_layers(layers.tables, layers.sizes), strict=True):
            assert sorted(order.tolist()) == list(range(n))
            assert order[-2:].tolist() == [n - 2, n - 1]


def test_orders_are_the_same_in_each_call_and_inputs_are_not_changed():
    for layers in map(Layers, SEEDS):
        copies = [table.copy() for table in layers.tables]
        sizes = [own.copy() for own in layers.sizes]
        once = order_layers(layers.tables, layers.sizes)
        again = order_layers(copies, sizes)
        assert [order.tolist() for order in once] == [order.tolist() for order in again]
        assert all(map(np.array_equal, layers.tables, copies))
        assert all(map(np.array_equal, layers.sizes, sizes))


def test_swapping_neighbours_does_not_reduce_the_crossings_of_an_order():
    for layers in map(Layers, range(40)):
        orders = order_layers(layers.tables, layers.sizes)
        fewest = layers.brute_force(orders)
        for at, order in enumerate(orders):
            for i in range(len(order) - 3):
                swapped = order.copy()
                swapped[[i, i + 1]] = order[[i + 1, i]]
                assert layers.brute_force([*orders[:at], swapped, *orders[at + 1 :]]) >= fewest


def test_two_layers_that_can_be_drawn_without_crossings_mostly_are():
    cases = [layers for layers in map(untangled, range(200)) if len(layers.n_sets) == 2]
    assert all(
        naive_pictures.fewest_crossings([t.tolist() for t in layers.tables], layers.n_sets) == 0
        for layers in cases[:5]
    )
    found = [
        n_crossings(layers.tables, order_layers(layers.tables, layers.sizes)) for layers in cases
    ]
    assert found.count(0) > 0.9 * len(found)
