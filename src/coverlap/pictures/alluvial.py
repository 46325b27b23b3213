"""Alluvial: where the objects of the clusters go, through two or more clusterings.

Each clustering is a layer of nodes from top to bottom: some clusters, the other clusters together,
and the outliers. Bands lead from each node to those of the next layer that share objects with it.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.memberships import Memberships
from coverlap.pictures.crossings import order_layers
from coverlap.pictures.sets import Shared, divide_shared, shown_sets

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

N_COLOURS = 10
"""More colours than these cannot be told apart by everybody."""

GAP = 0.012
"""Smallest gap between two nodes, as a share of the height of the picture."""

PITCH = 0.036
"""Smallest distance of the middles of two nodes, so that each can have a line of text."""

THINNEST = 0.001
"""Bands that are thinner than this at both ends are left out."""


class Node(NamedTuple):
    """A set of objects in one layer, from ``begin`` down to ``end``; 0 is the top and 1 the bottom.

    ``kind`` is "cluster", "others" (``n_clusters`` clusters together) or "outliers". ``colour`` is
    -1 for grey. The height is to scale unless ``scale`` is below 1.
    """

    layer: int
    kind: str
    cluster: int
    n_clusters: int
    n_objects: int
    begin: float
    end: float
    colour: int
    scale: float


class Band(NamedTuple):
    """The objects that two nodes of neighbouring layers share, from left to right.

    An object in several sets of the other side is divided among these, so the two ends can differ.
    """

    left: int
    right: int
    n_shared: int
    left_begin: float
    left_end: float
    right_begin: float
    right_end: float


class Alluvial(NamedTuple):
    """Nodes by layer, from top to bottom, and the bands between them.

    ``n_hidden`` bands are too thin to be drawn; ``n_hidden_objects`` is the sum of their objects.
    """

    nodes: list[Node]
    bands: list[Band]
    n_hidden: int
    n_hidden_objects: int


class _Layer(NamedTuple):
    clusters: Integers
    sizes: Integers  # of the clusters, the others, and the outliers
    n_others: int
    order: Integers  # the sets from top to bottom
    scales: Floats


def largest_clusters(side: Memberships, most: int) -> Integers:
    """Return the largest clusters of one side."""
    return np.argsort(-side.sizes, kind="stable")[:most]


def lay_out_alluvial(
    sides: Sequence[Memberships], clusters: Sequence[Integers], n_unmentioned: int = 0
) -> Alluvial:
    """Lay out clusterings of the same objects, with the clusters to be shown of each.

    ``n_unmentioned`` more objects are outliers on all sides.
    """
    clusters = [np.sort(shown) for shown in clusters]  # as in matches, the first one wins ties
    sets = [shown_sets(side, shown) for side, shown in zip(sides, clusters, strict=True)]
    sizes = [own.sizes() for own in sets]
    flows = [divide_shared(left, right) for left, right in pairwise(sets)]
    for counts in (*sizes, *(table[-1] for flow in flows for table in flow)):
        counts[-1] += n_unmentioned
    orders = order_layers([flow.n for flow in flows], sizes)
    most = max((int(counts[:-2].sum()) for counts in sizes), default=0)
    layers = [
        _Layer(
            shown,
            counts,
            side.n_clusters - len(shown),
            order[counts[order] > 0],
            _scales(counts, most),
        )
        for side, shown, counts, order in zip(sides, clusters, sizes, orders, strict=True)
    ]
    colours = _colours(layers, flows)
    unit = min((_unit(layer) for layer in layers), default=0.0)
    nodes, number = _nodes(layers, colours, unit)
    bands = []
    for at, flow in enumerate(flows):
        bands += _bands(flow, layers[at], layers[at + 1], number[at], number[at + 1], nodes, unit)
    drawn = [band for band in bands if _thickness(band) >= THINNEST]
    n_hidden_objects = sum(band.n_shared for band in bands) - sum(band.n_shared for band in drawn)
    return Alluvial(nodes, drawn, len(bands) - len(drawn), n_hidden_objects)


def _scales(sizes: Integers, most: int) -> Floats:
    """Return the scale of each set: the grey ones of a layer are at most as high as ``most``.

    This is the sum of the clusters of the layer where it is largest, so these get at least half of
    the height, and a layer without clusters does not make those of others invisible.
    """
    grey = sizes[-2:].sum()
    scales = np.ones(len(sizes))
    if 0 < most < grey:
        scales[-2:] = most / grey
    return scales


def _unit(layer: _Layer) -> float:
    """Return the largest height of an object with which a layer fits."""
    heights = (layer.sizes * layer.scales)[layer.order]
    if not len(heights):
        return 1.0
    pitch = min(PITCH, 0.8 / len(heights))
    gap = min(GAP, pitch / 2)
    low, high = 0.0, 1 / float(heights.max())
    for _ in range(50):
        unit = (low + high) / 2
        if np.maximum(unit * heights + gap, pitch).sum() <= 1:
            low = unit
        else:
            high = unit
    return low


def _nodes(
    layers: Sequence[_Layer], colours: Sequence[Integers], unit: float
) -> tuple[list[Node], list[dict[int, int]]]:
    """Return all nodes, and for each layer the number of the node of each set."""
    nodes: list[Node] = []
    number: list[dict[int, int]] = []
    for at, layer in enumerate(layers):
        heights = unit * (layer.sizes * layer.scales)[layer.order]
        pitch = min(PITCH, 0.8 / max(len(heights), 1))
        slots = np.maximum(heights + min(GAP, pitch / 2), pitch)
        begins = (1 - slots.sum()) / 2 + np.cumsum(slots) - slots + (slots - heights) / 2
        number.append({})
        n = len(layer.clusters)
        for i, begin, height in zip(
            layer.order.tolist(), begins.tolist(), heights.tolist(), strict=True
        ):
            kind = "cluster" if i < n else "others" if i == n else "outliers"
            cluster = int(layer.clusters[i]) if i < n else -1
            n_clusters = 1 if i < n else layer.n_others if i == n else 0
            number[at][i] = len(nodes)
            nodes.append(
                Node(at, kind, cluster, n_clusters, int(layer.sizes[i]), begin, begin + height,
                     int(colours[at][i]), float(layer.scales[i]))
            )  # fmt: skip
    return nodes, number


def _bands(
    flow: Shared, left: _Layer, right: _Layer, left_number: dict[int, int],
    right_number: dict[int, int], nodes: list[Node], unit: float,
) -> list[Band]:  # fmt: skip
    """Return the bands between two layers; at each node they are in the order of the other side."""
    left_end = {i: nodes[node].begin for i, node in left_number.items()}
    right_end = {j: nodes[node].begin for j, node in right_number.items()}
    bands = []
    for i in left.order.tolist():
        for j in right.order.tolist():
            if flow.n[i, j] == 0:
                continue
            begin, other_begin = left_end[i], right_end[j]
            left_end[i] += unit * float(flow.left[i, j] * left.scales[i])
            right_end[j] += unit * float(flow.right[i, j] * right.scales[j])
            bands.append(
                Band(left_number[i], right_number[j], int(flow.n[i, j]), begin, left_end[i],
                     other_begin, right_end[j])
            )  # fmt: skip
    return bands


def _thickness(band: Band) -> float:
    return max(band.left_end - band.left_begin, band.right_end - band.right_begin)


def _colours(layers: Sequence[_Layer], flows: Sequence[Shared]) -> list[Integers]:
    """Return the colour of each set, so that clusters that are each other's best match share it.

    The others get colours that no layer has yet, the largest first, until there are none.
    """
    colours: list[Integers] = []
    unused = list(range(N_COLOURS))
    for at, layer in enumerate(layers):
        own = np.full(len(layer.sizes), -1)
        n = len(layer.clusters)
        if at and n and len(layers[at - 1].clusters):
            shared = flows[at - 1].n[:-2, :-2]
            union = layers[at - 1].sizes[:-2, None] + layer.sizes[:-2] - shared
            similarity = shared / np.maximum(union, 1)
            best = similarity.argmax(axis=0)
            mutual = (similarity.argmax(axis=1)[best] == np.arange(n)) & (
                similarity.max(axis=0) > 0
            )
            own[:-2][mutual] = colours[-1][best[mutual]]
        without = [i for i in np.argsort(-layer.sizes[:n], kind="stable") if own[i] < 0]
        for i, colour in zip(without, unused, strict=False):
            own[i] = colour
        unused = unused[len(without) :]
        colours.append(own)
    return colours
