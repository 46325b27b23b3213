"""Blocks are components of the graph of best matches, the costliest first; a choice keeps them."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings

from coverlap.pictures.order import LEAST_PART, choose_clusters
from coverlap.results.pictures import cluster_losses_of
from tests import naive, naive_pictures
from tests.naive_changes import Options
from tests.pictures.cases import Case, compare, order_of
from tests.property.strategies import pairs

SEEDS = range(80)
TINY = Fraction(1, 10**12)
EXACT = settings(derandomize=True, deadline=None, max_examples=25)


def members(order):
    """Return the clusters of each block in their order, left ones first."""
    found = {}
    for side, clusters, blocks in (
        ("left", order.left, order.left_blocks), ("right", order.right, order.right_blocks)
    ):  # fmt: skip
        assert len(clusters) == len(blocks)
        for cluster, block in zip(clusters.tolist(), blocks.tolist(), strict=True):
            found.setdefault(block, []).append((side, cluster))
    return [found[block] for block in sorted(found)]


def check_order(order, left, right, losses):
    assert sorted(order.left.tolist()) == list(range(len(left)))
    assert sorted(order.right.tolist()) == list(range(len(right)))
    for blocks in (order.left_blocks.tolist(), order.right_blocks.tolist()):
        assert blocks == sorted(blocks)
    found = members(order)
    assert {*order.left_blocks.tolist(), *order.right_blocks.tolist()} == set(range(len(found)))
    assert {frozenset(block) for block in found} == naive_pictures.blocks(left, right)
    lost = [sum(losses[place] for place in block) for block in found]
    assert all(one >= other - TINY for one, other in pairwise(lost)), lost
    position = {cluster: at for at, cluster in enumerate(order.left.tolist())}
    for block in found:
        own = [i for side, i in block if side == "left"]
        sizes = [len(left[i]) for i in own]
        assert sizes == sorted(sizes, reverse=True)
        means = [
            naive_pictures.mean_position(right[j], [(position[i], left[i]) for i in own])
            for side, j in block
            if side == "right"
        ]
        assert means == sorted(means)


@pytest.mark.parametrize(
    "seeds", [SEEDS, pytest.param(range(1000, 1300), marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_blocks_are_components_and_the_orders_inside_them_are_as_defined(seeds):
    for case in map(Case, seeds):
        losses = naive_pictures.losses(case.left, case.right, case.universe, case.options)
        check_order(order_of(case.compare()), case.left, case.right, losses)


def test_parts_of_a_split_cluster_stand_side_by_side():
    # 0 is split into 0 and 2; 1 and 3 are merged into 1; 2 is equal to 3.
    left = [{*range(10)}, {10, 11}, {20, 21, 22}, {12, 13, 14}]
    right = [{*range(6)}, {*range(10, 15)}, {*range(6, 10)}, {20, 21, 22}]
    order = order_of(compare(left, right, 23))
    assert members(order) == [
        [("left", 0), ("right", 0), ("right", 2)],
        [("left", 3), ("left", 1), ("right", 1)],
        [("left", 2), ("right", 3)],
    ]


def test_clusters_without_a_match_are_blocks_of_their_own():
    order = order_of(compare([{0, 1}, {2, 3, 4}], [{5}, {0, 1}, {6, 7}], 8))
    assert members(order) == [
        [("left", 1)], [("right", 2)], [("right", 0)], [("left", 0), ("right", 1)]
    ]  # fmt: skip


def has_ties(left, right, losses):
    """Return whether the definition leaves the order open somewhere, or leaves it to rounding."""
    for own, other in ((left, right), (right, left)):
        for cluster in own:
            similarities = [naive.compare_sets(cluster, each) for each in other]
            if similarities and similarities.count(max(similarities)) > 1:
                return True
    lost = []
    for block in naive_pictures.blocks(left, right):
        sizes = [len(left[i]) for side, i in block if side == "left"]
        if naive_pictures.repeated(sizes):
            return True
        lefts = sorted((i for side, i in block if side == "left"), key=lambda i: -len(left[i]))
        means = [
            naive_pictures.mean_position(right[j], [(at, left[i]) for at, i in enumerate(lefts)])
            for side, j in block
            if side == "right"
        ]
        if naive_pictures.repeated(means):
            return True
        lost.append(sum(losses[place] for place in block))
    lost.sort()
    return any(other - one < TINY for one, other in pairwise(lost))


def test_the_order_depends_neither_on_the_order_of_clusters_nor_of_objects():
    n_checked = 0
    for seed in range(400):
        case = Case(seed)
        left, right, random = case.left, case.right, Random(seed)
        losses = naive_pictures.losses(left, right, case.universe, case.options)
        if len(left) + len(right) < 3 or has_ties(left, right, losses):
            continue
        n_checked += 1
        renamed = random.sample(range(case.n), case.n)
        ways = [random.sample(range(len(side)), len(side)) for side in (left, right)]
        shuffled = [
            [frozenset(renamed[item] for item in side[i]) for i in way]
            for side, way in zip((left, right), ways, strict=True)
        ]
        order = order_of(case.compare())
        again = order_of(compare(*shuffled, case.n, case.n_objects, case.options))
        assert [ways[0][i] for i in again.left.tolist()] == order.left.tolist()
        assert [ways[1][i] for i in again.right.tolist()] == order.right.tolist()
        assert again.left_blocks.tolist() == order.left_blocks.tolist()
        assert again.right_blocks.tolist() == order.right_blocks.tolist()
    assert n_checked > 20


def check_choice(result, most, losses):
    order, matching = order_of(result), result.difference.by_jaccard
    chosen = choose_clusters(order, matching, *cluster_losses_of(result), most)
    assert len(chosen.left) <= most
    assert len(chosen.right) <= most
    whole, kept = members(order), [set(block) for block in members(chosen)]
    if len(order.left) <= most and len(order.right) <= most:
        assert members(chosen) == whole
        return
    whole = without_crumbs(whole, cluster_losses_of(result))
    # The chosen ones are in the same order, and of the costliest blocks.
    expected = [[place for place in block if place in set().union(*kept)] for block in whole]
    assert members(chosen) == [block for block in expected if block]
    assert all(expected[: len(kept)])
    assert not any(expected[len(kept) :])
    for block, shown in zip(whole, kept[:-1], strict=False):
        assert set(block) == shown
    before = set().union(*kept[:-1])
    room = {side: most - sum(place[0] == side for place in before) for side in ("left", "right")}
    if kept and kept[-1] != set(whole[len(kept) - 1]):
        check_part(whole[len(kept) - 1], kept[-1], room, losses, matching)
    elif len(kept) < len(whole):  # the next block does not fit, because a side is full
        sides = {side for side, _ in whole[len(kept)]}
        full = {side for side in room if sum(p[0] == side for p in set().union(*kept)) == most}
        assert sides & full


def without_crumbs(blocks, losses):
    """Leave out the clusters that cost less than a tenth of the costliest one of their side."""
    loss = {("left", i): lost for i, lost in enumerate(losses[0])}
    loss |= {("right", i): lost for i, lost in enumerate(losses[1])}

    def is_crumb(place, block):
        costliest = max(loss[other] for other in block if other[0] == place[0])
        return loss[place] < LEAST_PART * costliest

    return [[place for place in block if not is_crumb(place, block)] for block in blocks]


def check_part(block, shown, room, losses, matching):
    """Check that the costliest clusters of a block are shown, as many as there is room for."""
    lefts = {i for side, i in shown if side == "left"}
    matched = {("right", int(matching.left.match[i])) for i in lefts}
    matched |= {("right", j) for j, i in enumerate(matching.right.match.tolist()) if i in lefts}
    for side in ("left", "right"):
        own = [place for place in block if place[0] == side]
        assert sum(place in shown for place in own) == min(len(own), room[side])
        for one in (place for place in own if place in shown):
            for other in (place for place in own if place not in shown):
                assert (one in matched) >= (other in matched)
                if (one in matched) == (other in matched):
                    assert losses[one] >= losses[other] - TINY


@pytest.mark.parametrize(
    "seeds", [SEEDS, pytest.param(range(1000, 1300), marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_a_choice_has_the_costliest_blocks_and_of_the_last_one_the_costliest_clusters(seeds):
    for seed in seeds:
        case = Case(seed)
        result = case.compare()
        losses = naive_pictures.losses(case.left, case.right, case.universe, case.options)
        for most in (0, 1, 2, 3, 5, 8, 100):
            check_choice(result, most, losses)


def test_everything_is_chosen_if_it_fits_though_one_side_is_full():
    # Both left clusters are in the first block; the other right clusters have no match.
    left, right = [{0, 1, 2}, {3, 4}], [{0, 1, 2, 3, 4}, {5}]
    result = compare(left, right, 6)
    order = order_of(result)
    chosen = choose_clusters(order, result.difference.by_jaccard, *cluster_losses_of(result), 2)
    assert members(chosen) == members(order)


def test_of_a_block_that_does_not_fit_matched_clusters_come_before_costlier_ones():
    # A chain: the best match of left 1 is right 0, but the latter's is left 0.
    left = [{*range(20)}, {*range(20, 24), 100}]
    right = [{*range(8)}, {*range(8, 14)}, {*range(14, 20), *range(20, 24)}]
    result = compare(left, right, 101)
    losses = naive_pictures.losses(
        [frozenset(c) for c in left], [frozenset(c) for c in right], frozenset(range(101)),
        Options(),
    )  # fmt: skip
    for most in (1, 2):
        check_choice(result, most, losses)


@EXACT
@given(pairs())
def test_any_pair_of_clusterings_has_an_order(case):
    n, left, right = case
    left, right = naive.normalise(left), naive.normalise(right)
    universe = frozenset(range(n))
    losses = naive_pictures.losses(left, right, universe, Options())
    result = compare(left, right, n)
    check_order(order_of(result), left, right, losses)
    for most in (1, 3):
        check_choice(result, most, losses)
