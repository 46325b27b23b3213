"""Nodes are sets, bands their shared objects, to one scale; colours follow mutual best matches."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import coverlap as cv
from coverlap.pictures import alluvial as module
from coverlap.pictures.alluvial import largest_clusters, lay_out_alluvial
from coverlap.results.pictures import alluvial_of, heat_map_of
from tests.naive_changes import partners
from tests.naive_pictures import repeated, shown_sets, width
from tests.pictures.cases import cases, clustering, compare, sides

KINDS = ("cluster", "others", "outliers")


def near(value):
    return pytest.approx(float(value), rel=0, abs=1e-9)


def complete(lay_out):
    """Make a picture with all bands, and check which ones are hidden."""
    drawn = lay_out()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "THINNEST", 0.0)
        everything = lay_out()
    assert everything.n_hidden == everything.n_hidden_objects == 0
    assert everything.nodes == drawn.nodes
    hidden = [band for band in everything.bands if band not in drawn.bands]
    assert [band for band in everything.bands if band in drawn.bands] == drawn.bands
    for band in everything.bands:
        ends = band.left_end - band.left_begin, band.right_end - band.right_begin
        assert (band in hidden) == (max(ends) < module.THINNEST)
    assert drawn.n_hidden == len(hidden)
    assert drawn.n_hidden_objects == sum(band.n_shared for band in hidden)
    return everything


class Layers:
    """The clusters of several layers as sets, and which of them are shown."""

    def __init__(self, clusters, shown, universe):
        self.clusters, self.shown, self.universe = clusters, shown, universe
        self.sets = [
            shown_sets(own, chosen, universe) for own, chosen in zip(clusters, shown, strict=True)
        ]

    def set_of(self, node):
        own = self.sets[node.layer]
        if node.kind == "cluster":
            return own[list(self.shown[node.layer]).index(node.cluster)]
        return own[-2] if node.kind == "others" else own[-1]


def check(picture, layers):
    """Compare a picture that has all bands with sets."""
    check_nodes(picture, layers)
    check_scale(picture)
    check_bands(picture, layers)
    check_colours(picture, layers)


def check_nodes(picture, layers):
    assert [node.layer for node in picture.nodes] == sorted(node.layer for node in picture.nodes)
    for layer, sets in enumerate(layers.sets):
        nodes = [node for node in picture.nodes if node.layer == layer]
        found = sorted(node.cluster for node in nodes if node.kind == "cluster")
        assert found == sorted(layers.shown[layer])
        # The others and the outliers are at the bottom, and left out if there are none.
        kinds = [KINDS.index(node.kind) for node in nodes]
        assert kinds == sorted(kinds)
        assert [kind for kind in kinds if kind] == [i for i in (1, 2) if sets[i - 3]]
        n_others = len(layers.clusters[layer]) - len(layers.shown[layer])
        for node in nodes:
            assert node.n_objects == len(layers.set_of(node))
            assert node.n_clusters == (1, n_others, 0)[KINDS.index(node.kind)]
            assert 0 <= node.begin < node.end <= 1
        for one, other in pairwise(nodes):
            assert one.end < other.begin
            # The labels are beside the middles.
            pitch = min(module.PITCH, 0.8 / len(nodes))
            assert other.begin + other.end - one.begin - one.end >= 2 * pitch - 1e-9


def check_scale(picture):
    """Heights of clusters are to one scale; the grey sets of a layer may have a smaller one."""
    clusters = [node for node in picture.nodes if node.kind == "cluster"]
    grey = [node for node in picture.nodes if node.kind != "cluster"]
    unit = unit_of(picture)
    for node in picture.nodes:
        assert node.end - node.begin == near(unit * node.n_objects * node.scale)
    assert all(node.scale == 1 for node in clusters)
    assert all(0 < node.scale <= 1 for node in grey)
    for layer in {node.layer for node in grey}:
        scales = {node.scale for node in grey if node.layer == layer}
        assert len(scales) == 1
    if not clusters:
        assert all(node.scale == 1 for node in grey)


def unit_of(picture):
    """Return the height of an object of a cluster."""
    nodes = [node for node in picture.nodes if node.scale == 1]
    return max(((node.end - node.begin) / node.n_objects for node in nodes), default=0)


def check_bands(picture, layers):
    unit, nodes = unit_of(picture), picture.nodes
    sets = [layers.set_of(node) for node in nodes]
    expected = {
        (i, j): len(sets[i] & sets[j])
        for i, one in enumerate(nodes)
        for j, other in enumerate(nodes)
        if one.layer + 1 == other.layer and sets[i] & sets[j]
    }
    assert {(band.left, band.right): band.n_shared for band in picture.bands} == expected
    assert len(picture.bands) == len(expected)
    ends = [[] for _ in nodes], [[] for _ in nodes]
    for left, right, _, *places in picture.bands:
        for at, other, begin, end, side in (
            (left, right, *places[:2], ends[0]), (right, left, *places[2:], ends[1])
        ):  # fmt: skip
            objects = width(sets[at], sets[other], layers.sets[nodes[other].layer])
            assert end - begin == near(unit * nodes[at].scale * float(objects))
            side[at].append((other, begin, end))
    for at, node in enumerate(nodes):
        leaving, coming = ends[0][at], ends[1][at]
        assert bool(leaving) == (node.layer + 1 < len(layers.sets))
        assert bool(coming) == (node.layer > 0)
        for bands in (sorted(leaving), sorted(coming)):
            # In the order of the nodes of the other layer, from top to bottom without gaps.
            tops = [node.begin, *(end for _, _, end in bands)]
            for (_, begin, _), top in zip(bands, tops, strict=False):
                assert begin == near(top)
            assert not bands or tops[-1] == near(node.end)


def check_colours(picture, layers):
    colour = {
        (node.layer, node.cluster): node.colour for node in picture.nodes if node.kind == "cluster"
    }
    assert all(node.colour == -1 for node in picture.nodes if node.kind != "cluster")
    used = {own for own in colour.values() if own >= 0}
    assert used <= set(range(module.N_COLOURS))
    for layer in range(len(layers.sets)):
        own = [value for (at, _), value in colour.items() if at == layer and value >= 0]
        assert not repeated(own)
    # Clusters are related if they are each other's best match, directly or by other layers.
    shown = [sorted(chosen) for chosen in layers.shown]
    family = {place: place for place in sorted(colour)}
    for layer, (one, other) in enumerate(pairwise(shown)):
        left = [layers.clusters[layer][i] for i in one]
        right = [layers.clusters[layer + 1][j] for j in other]
        for i, j in partners(left, right):
            family[layer + 1, other[j]] = family[layer, one[i]]
            assert colour[layer + 1, other[j]] == colour[layer, one[i]]
    families = {}
    for place, value in colour.items():
        if value >= 0:
            families.setdefault(value, set()).add(family[place])
    assert all(len(places) == 1 for places in families.values()), families
    # Grey is left only if all colours are used.
    if -1 in colour.values():
        assert used == set(range(module.N_COLOURS))


@given(cases(14), st.sampled_from((0, 1, 3, 12)))
def test_nodes_bands_and_colours_of_comparisons_are_those_of_sets(case, most):
    result = case.compare()
    order = heat_map_of(result, most).order
    shown = [order.left.tolist(), order.right.tolist()]
    layers = Layers([case.left, case.right], shown, case.universe)
    check(complete(lambda: alluvial_of(result, most)), layers)


def lay_out(clusters, n, most, n_unmentioned=0):
    """Return a function that lays out the largest clusters of layers, and these layers."""
    drawn = [clustering(own, n).memberships for own in clusters]
    shown = [largest_clusters(side, most) for side in drawn]
    layers = Layers(clusters, [own.tolist() for own in shown], frozenset(range(n + n_unmentioned)))
    return (lambda: lay_out_alluvial(drawn, shown, n_unmentioned)), layers


@st.composite
def several(draw):
    """Draw layers of range(n), which often have clusters in common, and n."""
    n = draw(st.sampled_from((0, 1, 4, 8, 20)))
    kinds = draw(st.lists(sides(n), min_size=1, max_size=3))
    return draw(st.lists(st.sampled_from(kinds).flatmap(st.permutations), max_size=5)), n


EVERYTHING = frozenset(range(6))


@settings(max_examples=150)
@given(several(), st.sampled_from((0, 1, 2, 12)), st.sampled_from((0, 9)))
@example(([[EVERYTHING], [], [EVERYTHING]], 6), 12, 0)
@example(([[EVERYTHING], [frozenset({i}) for i in range(6)]], 6), 12, 100)
def test_any_number_of_layers_is_drawn_like_two(layers, most, n_unmentioned):
    made, expected = lay_out(*layers, most, n_unmentioned)
    check(complete(made), expected)


def test_the_largest_clusters_are_the_largest():
    side = clustering([{0}, {1, 2, 3}, {4, 5}, {6}], 7).memberships
    assert largest_clusters(side, 2).tolist() == [1, 2]
    assert sorted(largest_clusters(side, 9).tolist()) == [0, 1, 2, 3]


def test_bands_that_are_too_thin_are_counted():
    left = np.zeros(100_000, int)
    right = left.copy()
    right[:3], right[3:5] = 1, -1
    result = cv.compare(left, right)
    complete(lambda: alluvial_of(result, 12))
    picture = alluvial_of(result, 12)
    assert [band.n_shared for band in picture.bands] == [99_995]
    assert (picture.n_hidden, picture.n_hidden_objects) == (2, 5)


@pytest.mark.parametrize("right", [[], [{0}], [set(range(50))]], ids=["none", "one", "many"])
@pytest.mark.parametrize("n_unmentioned", [0, 10**4, 10**9])
def test_outliers_do_not_make_clusters_invisible(right, n_unmentioned):
    left = [set(range(50)), set(range(50, 100))]
    for layers in ([left, right], [right, left]):
        drawn = [clustering(own, 100).memberships for own in layers]
        shown = [largest_clusters(side, 12) for side in drawn]
        heights = Counter()
        for node in lay_out_alluvial(drawn, shown, n_unmentioned).nodes:
            heights[node.layer, node.kind == "cluster"] += node.end - node.begin
        coloured = max(heights[layer, True] for layer in (0, 1))
        assert coloured > 0.35
        assert all(heights[layer, False] <= coloured + 1e-9 for layer in (0, 1))


def test_the_objects_of_a_cluster_that_becomes_outliers_keep_their_height():
    # One object of the right side is in a cluster; nothing is too large to be drawn to scale.
    sides = [clustering(own, 100).memberships for own in ([set(range(100))], [{0}])]
    picture = lay_out_alluvial(sides, [np.array([0]), np.array([0])])
    assert all(node.scale == 1 for node in picture.nodes)


def test_colours_follow_the_matches_of_the_comparison_in_ties():
    # Left 0 and 1 are equally similar to right 0, whose best match is the first one.
    left, right = [{0, 1, 4}, {2, 3, 5}], [{0, 1, 2, 3}]
    result = compare(left, right, 6)
    match = int(result.difference.by_jaccard.right.match[0])
    for shown in ([0, 1], [1, 0]):
        sides = result.difference.pair.left, result.difference.pair.right
        picture = lay_out_alluvial(sides, [np.array(shown), np.array([0])])
        colour = {(node.layer, node.cluster): node.colour for node in picture.nodes}
        assert colour[1, 0] == colour[0, match]


def test_more_than_ten_clusters_leave_some_grey():
    n = 13
    left = [frozenset(range(100 * i, 100 * i + 20 - i)) for i in range(n)]
    made, layers = lay_out([left, left[::-1]], 100 * n, n)
    picture = made()
    check_colours(picture, layers)
    assert {node.cluster for node in picture.nodes if not node.layer and node.colour < 0} == {
        -1, 10, 11, 12
    }  # fmt: skip
