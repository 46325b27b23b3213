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
from tests.pictures.cases import cases, compare, order_of


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


def test_any_clusters_can_be_shown_in_any_order():
    left, right = [{0, 1, 2}, {2, 3}, {4}, {0, 4}], [{0, 1}, {5}, {2, 3, 4}]
    left, right = naive.normalise(left), naive.normalise(right)
    order = Order(np.array([3, 1]), np.array([2, 0]), np.zeros(2, int), np.zeros(2, int))
    heat_map = lay_out_heat_map(compare(left, right, 7).difference.pair, order)
    check_heat_map(heat_map, left, right, frozenset(range(7)))


def test_objects_that_nobody_mentions_are_outliers_of_both_sides_however_many_there_are():
    n_objects = 2**63 - 1
    heat_map = heat_map_of(cv.compare([0, 0, -1, 1], [0, -1, -1, 1], n_objects=n_objects), 5)
    assert heat_map.shared[-1, -1] == n_objects - 3
    assert heat_map.left_sizes[-1] == n_objects - 3
    assert heat_map.right_sizes[-1] == n_objects - 2
    assert heat_map.shares()[-1, -1] == 1
    for form in SIMILARITIES.values():  # which must not overflow
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


@settings(max_examples=150)
@given(cases(), st.sampled_from((0, 1, 2, 3, 100)))
def test_cells_are_intersections_and_pixels_show_the_most_similar_pair_inside(case, most):
    left, right, similarity = case.left, case.right, case.options.similarity
    result = case.compare()
    check_heat_map(heat_map_of(result, most), left, right, case.universe)
    overview = overview_of(result, most + 1)
    check_overview(overview, order_of(result), left, right, similarity, most + 1)


def test_user_defined_similarities_are_shown_as_jaccard():
    left, right = naive.normalise([{0, 1, 2}, {3}]), naive.normalise([{0, 1}, {2, 3}])
    sides = [cv.Clustering.from_clusters(side) for side in (left, right)]
    result = cv.compare(*sides, similarity=lambda shared, own, other: shared / (own * other))
    check_overview(overview_of(result, 5), order_of(result), left, right, "jaccard", 5)
