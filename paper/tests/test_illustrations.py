"""Illustrations show clusterings of the kind that their scenario has."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Polygon
from matplotlib.path import Path

from paper.figures.illustrations import (
    DISC_DISTANCE,
    PARTITION_DISTANCE,
    draw_discs,
    draw_partitions,
    pack_in_rows,
    pack_in_square,
)
from paper.figures.style import CLUSTER_COLOURS

GIVEN = Counter(dict.fromkeys(map(str.lower, CLUSTER_COLOURS), 9))


def illustrate(draw, scenario):
    axes = Figure().subplots()
    draw(axes, scenario)
    return axes


def partitions(axes) -> list:
    """Return the colours of the dots in each box, by partition from left to right."""
    found = [[], [], []]
    for dots in axes.collections:
        x = dots.get_offsets()[:, 0].mean()
        colours = Counter(to_hex(colour) for colour in dots.get_facecolors())
        found[round(x / PARTITION_DISTANCE)].append(colours)
    return found


def sizes(partition) -> list:
    return sorted((box.total() for box in partition), reverse=True)


@pytest.mark.parametrize("scenario", ["shuffle", "skew", "number"])
def test_partitions_hold_all_objects_and_the_first_is_pure(scenario):
    for place, partition in enumerate(partitions(illustrate(draw_partitions, scenario))):
        assert sum(partition, Counter()) == GIVEN
        if place == 0:
            assert all(len(box) == 1 for box in partition)


def test_half_and_all_objects_are_shuffled_in_scenario_1():
    _, half, everything = partitions(illustrate(draw_partitions, "shuffle"))
    assert sizes(half) == sizes(everything) == [9] * 4
    kept = [sum(max(box.values()) for box in one) for one in (half, everything)]
    assert 18 < kept[0] < 36
    assert kept[1] < kept[0]


def test_sizes_become_uneven_in_scenario_2():
    _, even, uneven = partitions(illustrate(draw_partitions, "skew"))
    assert sizes(even) == [9] * 4
    assert sizes(uneven) == [20, 10, 4, 2]


def test_clusters_become_many_in_scenario_3():
    _, few, many = partitions(illustrate(draw_partitions, "number"))
    assert sizes(few) == [9] * 4
    assert sizes(many) == [1] * 36


@pytest.mark.parametrize("scenario", ["shuffle", "skew", "number"])
def test_every_dot_is_in_a_box_and_boxes_do_not_meet(scenario):
    axes = illustrate(draw_partitions, scenario)
    frames = [patch for patch in axes.patches if isinstance(patch, FancyBboxPatch)]
    assert len(frames) == len(axes.collections)
    spans = [frame.get_path().get_extents() for frame in frames]
    for dots, span in zip(axes.collections, spans, strict=True):
        assert all(span.contains(*place) for place in dots.get_offsets())
    assert not any(one.overlaps(other) for one, other in combinations(spans, 2))
    assert axes.get_aspect() == 1


def test_boxes_have_a_place_for_every_object():
    boxes = pack_in_rows([20, 10, 4, 2], 9)
    assert [box.columns * box.rows for box in boxes] == [20, 10, 4, 2]
    assert max(box.x + box.columns for box in boxes) <= 9
    last = pack_in_square([1] * 36)[-1]
    assert (last.x, last.y) == pytest.approx((8, 8))  # of 6 x 6 boxes


def discs(axes) -> list:
    """Return the places and colours of the dots, by disc from left to right; later are above."""
    found = [{}, {}, {}]
    for dots in axes.collections:
        places = dots.get_offsets()
        colours = np.broadcast_to(dots.get_facecolors(), (len(places), 4))
        for (x, y), colour in zip(places.tolist(), colours, strict=True):
            found[round(x / DISC_DISTANCE)][x, y] = to_hex(colour)
    return found


def regions(axes) -> list:
    found = [[], [], []]
    for patch in axes.patches:
        if isinstance(patch, Polygon):
            corners = patch.get_xy()
            found[round(corners[:, 0].mean() / DISC_DISTANCE)].append(Path(corners))
    return found


def test_clusters_grow_into_one_another_in_scenario_4():
    axes = illustrate(draw_discs, "overlap")
    for colours in discs(axes):
        assert len(colours) == 192
        assert [list(colours.values()).count(colour.lower()) for colour in CLUSTER_COLOURS[:3]] == [
            12
        ] * 3
    inside = []
    for colours, three in zip(discs(axes), regions(axes), strict=True):
        places = np.array(list(colours))
        held = [path.contains_points(places, radius=1e-9) for path in three]
        held_too = [path.contains_points(places, radius=-1e-9) for path in three]
        inside.append(np.array(held) | np.array(held_too))
    several = [int((one.sum(axis=0) > 1).sum()) for one in inside]
    assert [one.shape for one in inside] == [(3, 192)] * 3
    for one, factor in zip(inside, (1, 3, 6), strict=True):
        assert (one.sum(axis=1) >= 12 * factor).all()  # a region holds its cluster
    assert several[0] < several[1] < several[2]


def test_clusters_lose_their_objects_in_scenario_5():
    axes = illustrate(draw_discs, "outliers")
    outliers = [list(colours.values()).count("#ffffff") for colours in discs(axes)]
    assert outliers == [0, 16 * 6, 16 * 11]
    assert [len(one) for one in regions(axes)] == [16, 16, 0]


@pytest.mark.parametrize("scenario", ["overlap", "outliers"])
def test_the_second_disc_is_the_reference(scenario):
    texts = [text.get_text() for text in illustrate(draw_discs, scenario).texts]
    assert ["reference" in text for text in texts] == [False, True, False]
