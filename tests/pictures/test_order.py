"""Blocks are components of the graph of best matches, the costliest first; a choice keeps them."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from coverlap.pictures.order import LEAST_PART, choose_clusters
from coverlap.results.pictures import cluster_losses_of
from tests import naive, naive_pictures
from tests.pictures.cases import Case, cases, compare, order_of

TINY = Fraction(1, 10**12)


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


@settings(max_examples=150)
@given(cases())
def test_blocks_are_components_and_the_orders_inside_them_are_as_defined(case):
    check_order(order_of(case.compare()), case.left, case.right, case.losses())


@pytest.mark.parametrize("seed", range(8))
def test_the_order_depends_neither_on_the_order_of_clusters_nor_of_objects(seed):
    # Clusters are large enough that no sizes, losses or mean positions are equal.
    random, n = Random(seed), 1000
    sides = [
        [frozenset(random.sample(range(n), random.randint(20, 300))) for _ in range(7)]
        for _ in range(2)
    ]
    renamed = random.sample(range(n), n)
    ways = [random.sample(range(7), 7) for _ in range(2)]
    shuffled = [
        [frozenset(renamed[item] for item in side[i]) for i in way]
        for side, way in zip(sides, ways, strict=True)
    ]
    order, again = order_of(compare(*sides, n)), order_of(compare(*shuffled, n))
    for way, here, there in zip(ways, order, again, strict=False):
        assert [way[i] for i in there] == here.tolist()
    assert [blocks.tolist() for blocks in again[2:]] == [blocks.tolist() for blocks in order[2:]]


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


CHAIN = Case(
    *map(naive.normalise, (
        [range(20), range(20, 32)],
        [{*range(12), *range(20, 26)}, {*range(26, 29), *range(100, 130)}],
    )), 130, 130,
)  # fmt: skip
"""The best match of left 0 and 1 is right 0; right 1, whose best one is left 1, costs most."""


@settings(max_examples=150)
@given(cases(), st.sampled_from((0, 1, 2, 3, 5, 8, 100)))
@example(CHAIN, 1)
def test_a_choice_has_the_costliest_blocks_and_of_the_last_one_the_costliest_clusters(case, most):
    check_choice(case.compare(), most, case.losses())
