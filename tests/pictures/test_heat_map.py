"""Cells of heat maps are intersections of sets; a pixel of an overview shows its best pair."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coverlap as cv
from coverlap.counting.matching import SIMILARITIES
from coverlap.pictures.heat_map import lay_out_heat_map
from coverlap.pictures.order import Order
from coverlap.results.pictures import heat_map_of, overview_of
from tests import naive
from tests.naive_pictures import shown_sets
from tests.pictures.cases import Case, compare, order_of
from tests.property.strategies import labels, pairs

MANY = pytest.param(range(1000, 1250), marks=pytest.mark.slow)
EXACT = settings(derandomize=True, deadline=None, max_examples=25)


def near(value):
    return pytest.approx(float(value), rel=1e-15, abs=0)


def check_heat_map(heat_map, left, right, universe):
    rows = shown_sets(left, heat_map.order.left.tolist(), universe)
    columns = shown_sets(right, heat_map.order.right.tolist(), universe)
    assert heat_map.shared.tolist() == [[len(own & other) for other in columns] for own in rows]
    assert heat_map.left_sizes.tolist() == [len(own) for own in rows]
    assert heat_map.right_sizes.tolist() == [len(other) for other in columns]
    assert heat_map.n_other_left == len(left) - len(heat_map.order.left)
    assert heat_map.n_other_right == len(right) - len(heat_map.order.right)
    shares = [[Fraction(len(own & other), len(own) or 1) for other in columns] for own in rows]
    assert heat_map.shares().tolist() == [list(map(near, row)) for row in shares]
    for name, form in SIMILARITIES.items():
        values = [[naive.compare_sets(own, other, name) for other in columns] for own in rows]
        assert heat_map.similarities(form).tolist() == [list(map(near, row)) for row in values]


@pytest.mark.parametrize("seeds", [range(40), MANY], ids=["few", "many"])
def test_each_cell_is_the_intersection_of_two_sets(seeds):
    for seed in seeds:
        case = Case(seed)
        result = case.compare()
        for most in (0, 1, 3, 100):
            check_heat_map(heat_map_of(result, most), case.left, case.right, case.universe)


def test_any_clusters_can_be_shown_in_any_order():
    left, right = [{0, 1, 2}, {2, 3}, {4}, {0, 4}], [{0, 1}, {5}, {2, 3, 4}]
    left, right = naive.normalise(left), naive.normalise(right)
    pair = compare(left, right, 7).difference.pair
    order = Order(np.array([3, 1]), np.array([2, 0]), np.zeros(2, int), np.zeros(2, int))
    heat_map = lay_out_heat_map(pair, order)
    check_heat_map(heat_map, left, right, frozenset(range(7)))
    # Rows {0, 4}, {2, 3}, {0, 1, 2, 4}, {5, 6}; columns {2, 3, 4}, {0, 1}, {5}, {6}.
    assert heat_map.shared.tolist() == [[1, 1, 0, 0], [2, 0, 0, 0], [2, 2, 0, 0], [0, 0, 1, 1]]


def test_objects_that_nobody_mentions_are_outliers_of_both_sides():
    result = cv.compare([0, 0, -1, 1], [0, -1, -1, 1], n_objects=10**12)
    heat_map = heat_map_of(result, 5)
    assert heat_map.shared[-1, -1] == 10**12 - 3
    assert heat_map.left_sizes[-1] == 10**12 - 3
    assert heat_map.right_sizes[-1] == 10**12 - 2
    assert heat_map.shares()[-1, -1] == 1


def test_similarities_of_the_largest_universe_do_not_overflow():
    result = cv.compare([0, 0, -1, 1], [0, -1, -1, 1], n_objects=2**63 - 1)
    heat_map = heat_map_of(result, 5)
    for form in SIMILARITIES.values():
        assert heat_map.similarities(form)[-1, -1] == pytest.approx(1)


def check_overview(overview, order, left, right, similarity, most):
    """Compare with a dict of the pairs that fall into each pixel."""
    assert overview.n_rows == min(most, len(left))
    assert overview.n_columns == min(most, len(right))
    row = {c: at * overview.n_rows // len(left) for at, c in enumerate(order.left.tolist())}
    column = {c: at * overview.n_columns // len(right) for at, c in enumerate(order.right.tolist())}
    pairs_of = {}
    for i, own in enumerate(left):
        for j, other in enumerate(right):
            if own & other:
                pairs_of.setdefault((row[i], column[j]), {})[i, j] = naive.compare_sets(
                    own, other, similarity
                )
    found = {}
    for at, *pixel in zip(*(values.tolist() for values in overview[2:]), strict=True):
        assert (at, pixel[0]) not in found
        found[at, pixel[0]] = pixel[1:]
    assert found.keys() == pairs_of.keys()
    for place, (i, j, shared, value) in found.items():
        candidates = pairs_of[place]
        assert candidates[i, j] == max(candidates.values())
        assert shared == len(left[i] & right[j])
        assert value == near(candidates[i, j])


@pytest.mark.parametrize("seeds", [range(40), MANY], ids=["few", "many"])
def test_each_pixel_shows_the_most_similar_pair_that_falls_into_it(seeds):
    for seed in seeds:
        case = Case(seed)
        result = case.compare()
        for most in (1, 2, 3, 5, 400):
            overview = overview_of(result, most)
            check_overview(
                overview, order_of(result), case.left, case.right, case.options.similarity, most
            )


def test_rows_and_columns_of_an_overview_hold_equally_many_clusters():
    n_clusters, most = 103, 10
    result = cv.compare(list(range(n_clusters)), list(range(n_clusters)))
    overview = overview_of(result, most)
    # Clusters are equal, so that only the pixels on the diagonal have any.
    assert overview.row.tolist() == overview.column.tolist() == list(range(most))
    order = order_of(result)
    for clusters in (order.left, order.right):
        places = np.arange(n_clusters) * most // n_clusters
        counts = np.bincount(places)
        assert {len(clusters) // most, len(clusters) // most + 1} == set(counts.tolist())


def test_user_defined_similarities_are_shown_as_jaccard():
    left, right = naive.normalise([{0, 1, 2}, {3}]), naive.normalise([{0, 1}, {2, 3}])
    sides = [cv.Clustering.from_clusters(side) for side in (left, right)]
    result = cv.compare(*sides, similarity=lambda shared, own, other: shared / (own * other))
    check_overview(overview_of(result, 5), order_of(result), left, right, "jaccard", 5)


@EXACT
@given(pairs(), st.integers(1, 4))
def test_any_pair_of_clusterings_has_heat_maps(case, most):
    n, left, right = case
    left, right = naive.normalise(left), naive.normalise(right)
    result = compare(left, right, n)
    check_heat_map(heat_map_of(result, most), left, right, frozenset(range(n)))
    check_overview(overview_of(result, most), order_of(result), left, right, "jaccard", most)


@EXACT
@given(st.integers(0, 20).flatmap(lambda n: st.tuples(labels(n), labels(n))))
def test_any_pair_of_label_lists_has_heat_maps(sides):
    clusters = [
        [frozenset(i for i, own in enumerate(side) if own == label) for label in sorted(set(side))
         if label >= 0] for side in sides
    ]  # fmt: skip
    result = cv.compare(*(np.array(side, int) for side in sides))
    universe = frozenset(range(len(sides[0])))
    check_heat_map(heat_map_of(result, 2), *clusters, universe)
    check_overview(overview_of(result, 2), order_of(result), *clusters, "jaccard", 2)
