"""Element-centric similarity: how alike two random walks from each object spread.

The spread of a walk is known from a few numbers per cluster (``x``, ``y``: one row per cluster,
one lane per object that a walk starts from), so two spreads are compared by one pass over the
objects. Lanes are written out as scalars: they stay in registers, where loops over an array of
lanes go through memory and take twice as long.

A *pattern* is a distinct set of clusters of one side that some objects are in; its clusters are
``members[bounds[p]:bounds[p + 1]]``, numbered within their component. ``Side`` is the tuple
(bounds, members, weights, first_row, rows, first_cluster, sizes, offsets) that
`coverlap.measures.ecs.spreads` makes; ``offsets`` tells where the inverse of a component is, -1
if there is none.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap._kernels._jit import kernel

Array = NDArray[Any]
Side = tuple[Array, ...]

U: Any = np.uint64
I: Any = np.int64

LANES = 4
"""Objects whose walks are compared in one pass."""

CHUNK = 256
"""Terms added up at a time: sums of sums round off less than one long sum."""

TOLERANCE = 1e-15
"""Where iteration stops; twice the most that it can be off by in a score."""


@kernel
def score_partition(
    begin: int,
    end: int,
    pointers: Array,
    members: Array,
    right: Array,
    right_sizes: Array,
    counts: Array,
    scores: Array,
) -> None:
    """Score the members of a range of left clusters: shared / larger size of their two clusters."""
    for own in range(U(begin), U(end)):
        first, last = U(pointers[own]), U(pointers[own + U(1)])
        size = I(last) - I(first)
        for place in range(first, last):
            other = I(right[U(members[place])])
            if other >= 0:
                counts[U(other)] += I(1)
        for place in range(first, last):
            member = U(members[place])
            other = I(right[member])
            if other >= 0:
                larger = max(size, I(right_sizes[U(other)]))
                scores[member] = float(counts[U(other)]) / float(larger)
            else:
                scores[member] = 1.0 / float(size)
        for place in range(first, last):
            other = I(right[U(members[place])])
            if other >= 0:
                counts[U(other)] = I(0)


@kernel
def find(root: Array, cluster: int) -> int:
    """Follow the links to the lowest cluster of a component, and shorten the way."""
    at = U(cluster)
    while U(root[at]) != at:
        root[at] = root[U(root[at])]
        at = U(root[at])
    return at


@kernel
def unite(pointers: Array, members: Array, root: Array) -> None:
    """Link the clusters of each pattern; in the end each has the lowest of its component."""
    for pattern in range(U(pointers.shape[0] - 1)):
        for place in range(U(pointers[pattern]) + U(1), U(pointers[pattern + U(1)])):
            one = find(root, U(members[place - U(1)]))
            other = find(root, U(members[place]))
            root[max(one, other)] = min(one, other)
    for cluster in range(U(root.shape[0])):
        root[cluster] = find(root, cluster)


@kernel
def look_up(
    component: int, patterns: Array, n_lanes: int, side: Side, inverses: Array, x: Array
) -> None:
    """Spread walks from some patterns of a component by its inverse matrix."""
    bounds, members, _, _, _, first_cluster, _, offsets = side
    start = U(offsets[component])
    width = U(first_cluster[component + U(1)]) - U(first_cluster[component])
    for i in range(width * U(LANES)):
        x[i] = 0.0
    for lane in range(U(n_lanes)):
        first, last = U(bounds[U(patterns[lane])]), U(bounds[U(patterns[lane]) + U(1)])
        n_clusters = float(last - first)
        for cluster in range(width):
            total = 0.0
            for place in range(first, last):
                total += inverses[start + U(members[place]) * width + cluster]
            x[cluster * U(LANES) + lane] = total / n_clusters


@kernel
def multiply(component: int, side: Side, alpha: float, x: Array, product: Array) -> None:
    """Multiply the matrix of a component (see `inverses`) with ``x``: one pass over patterns."""
    bounds, members, weights, first_row, rows, first_cluster, sizes = side[:7]
    base = U(first_cluster[component])
    for cluster in range(U(first_cluster[component + U(1)]) - base):
        for lane in range(U(LANES)):
            at = cluster * U(LANES) + lane
            product[at] = sizes[base + cluster] * x[at]
    for row in range(U(first_row[component]), U(first_row[component + U(1)])):
        pattern = U(rows[row])
        first, last = U(bounds[pattern]), U(bounds[pattern + U(1)])
        a0 = a1 = a2 = a3 = 0.0
        for place in range(first, last):
            at = U(members[place]) * U(LANES)
            a0 += x[at]
            a1 += x[at + U(1)]
            a2 += x[at + U(2)]
            a3 += x[at + U(3)]
        share = alpha * (weights[pattern] / float(last - first))
        a0 *= share
        a1 *= share
        a2 *= share
        a3 *= share
        for place in range(first, last):
            at = U(members[place]) * U(LANES)
            product[at] -= a0
            product[at + U(1)] -= a1
            product[at + U(2)] -= a2
            product[at + U(3)] -= a3


@kernel
def scale(component: int, side: Side, alpha: float, inverse: Array) -> None:
    """Write 1 / diagonal of the matrix of a component."""
    bounds, members, weights, first_row, rows, first_cluster, sizes = side[:7]
    base = U(first_cluster[component])
    width = U(first_cluster[component + U(1)]) - base
    for cluster in range(width):
        inverse[cluster] = sizes[base + cluster]
    for row in range(U(first_row[component]), U(first_row[component + U(1)])):
        pattern = U(rows[row])
        first, last = U(bounds[pattern]), U(bounds[pattern + U(1)])
        share = alpha * (weights[pattern] / float(last - first))
        for place in range(first, last):
            inverse[U(members[place])] -= share
    for cluster in range(width):
        inverse[cluster] = 1.0 / inverse[cluster]


@kernel
def begin_walks(patterns: Array, n_lanes: int, side: Side, width: int, residual: Array) -> None:
    """Start with no spread, so that what is missing is the whole walk: 1 over its clusters."""
    bounds, members = side[0], side[1]
    for i in range(width * U(LANES)):
        residual[i] = 0.0
    for lane in range(U(n_lanes)):
        first, last = U(bounds[U(patterns[lane])]), U(bounds[U(patterns[lane]) + U(1)])
        for place in range(first, last):
            residual[U(members[place]) * U(LANES) + lane] = 1.0 / float(last - first)


@kernel
def iterate(
    component: int,
    n_lanes: int,
    side: Side,
    alpha: float,
    most: int,
    x: Array,
    scratch: tuple[Array, ...],
) -> None:
    """Solve for the residuals given, by conjugate gradients, and scale to probabilities.

    The sums of the matrix are (1 - alpha) times the sizes and its inverse has no negative entry,
    so a residual whose absolute values add up to e leaves a score off by at most e / 2. A lane
    stops where that is reached, whatever the others do: its result does not depend on them.
    """
    residual, direction, product, inverse, lanes = scratch
    width = U(side[5][U(component) + U(1)]) - U(side[5][U(component)])
    scale(component, side, alpha, inverse)
    for lane in range(U(LANES)):
        lanes[0, lane] = 0.0
        lanes[1, lane] = 1.0 if lane < U(n_lanes) else 0.0
    for i in range(width * U(LANES)):
        x[i] = 0.0
    for cluster in range(width):
        for lane in range(U(LANES)):
            at = cluster * U(LANES) + lane
            direction[at] = inverse[cluster] * residual[at]
            lanes[0, lane] += residual[at] * direction[at]
    for _ in range(U(most)):
        multiply(component, side, alpha, direction, product)
        if not step(width, x, residual, direction, product, inverse, lanes):
            break
    factor = alpha * (1.0 - alpha)
    for i in range(width * U(LANES)):
        x[i] *= factor


@kernel
def step(
    width: int,
    x: Array,
    residual: Array,
    direction: Array,
    product: Array,
    inverse: Array,
    lanes: Array,
) -> bool:
    """Go one step in each lane that is not done; tell whether any is left.

    ``lanes`` has rows for: residual times scaled residual, whether the lane goes on, and scratch.
    """
    for lane in range(U(LANES)):
        lanes[2, lane] = lanes[3, lane] = lanes[4, lane] = 0.0
    for cluster in range(U(width)):
        for lane in range(U(LANES)):
            at = cluster * U(LANES) + lane
            lanes[2, lane] += direction[at] * product[at]
    for lane in range(U(LANES)):
        going = lanes[1, lane] > 0.0 and lanes[2, lane] > 0.0
        lanes[2, lane] = lanes[0, lane] / lanes[2, lane] if going else 0.0
    for cluster in range(U(width)):
        for lane in range(U(LANES)):
            at = cluster * U(LANES) + lane
            x[at] += lanes[2, lane] * direction[at]
            rest = residual[at] - lanes[2, lane] * product[at]
            residual[at] = rest
            lanes[3, lane] += rest * rest * inverse[cluster]
            lanes[4, lane] += abs(rest)
    left = False
    for lane in range(U(LANES)):
        before, lanes[0, lane] = lanes[0, lane], lanes[3, lane]
        lanes[3, lane] = lanes[3, lane] / before if before > 0.0 else 0.0
        if lanes[4, lane] <= TOLERANCE or lanes[2, lane] == 0.0:
            lanes[1, lane] = 0.0
        left = left or lanes[1, lane] > 0.0
    for cluster in range(U(width)):
        for lane in range(U(LANES)):
            at = cluster * U(LANES) + lane
            direction[at] = inverse[cluster] * residual[at] + lanes[3, lane] * direction[at]
    return left


@kernel
def share(
    begin: int,
    end: int,
    groups: tuple[Array, ...],
    left: Side,
    right: Side,
    x: Array,
    y: Array,
    sums: Array,
) -> None:
    """Add up what two spreads have in common over a range of groups of objects."""
    lefts, rights, weights = groups
    left_bounds, left_members = left[0], left[1]
    right_bounds, right_members = right[0], right[1]
    t0 = t1 = t2 = t3 = 0.0
    start = U(begin)
    while start < U(end):
        stop = min(start + U(CHUNK), U(end))
        s0 = s1 = s2 = s3 = 0.0
        for group in range(start, stop):
            one, other = U(lefts[group]), U(rights[group])
            a0 = a1 = a2 = a3 = 0.0
            for place in range(U(left_bounds[one]), U(left_bounds[one + U(1)])):
                at = U(left_members[place]) * U(LANES)
                a0 += x[at]
                a1 += x[at + U(1)]
                a2 += x[at + U(2)]
                a3 += x[at + U(3)]
            b0 = b1 = b2 = b3 = 0.0
            for place in range(U(right_bounds[other]), U(right_bounds[other + U(1)])):
                at = U(right_members[place]) * U(LANES)
                b0 += y[at]
                b1 += y[at + U(1)]
                b2 += y[at + U(2)]
                b3 += y[at + U(3)]
            weight = weights[group]
            s0 += weight * min(a0, b0)
            s1 += weight * min(a1, b1)
            s2 += weight * min(a2, b2)
            s3 += weight * min(a3, b3)
        t0 += s0
        t1 += s1
        t2 += s2
        t3 += s3
        start = stop
    sums[U(0)], sums[U(1)], sums[U(2)], sums[U(3)] = t0, t1, t2, t3


@kernel
def stay(patterns: Array, n_lanes: int, side: Side, x: Array, sums: Array) -> None:
    """Return the part of each spread that is on the object where it began."""
    bounds, members = side[0], side[1]
    for lane in range(U(n_lanes)):
        total = 0.0
        first, last = U(bounds[U(patterns[lane])]), U(bounds[U(patterns[lane]) + U(1)])
        for place in range(first, last):
            total += x[U(members[place]) * U(LANES) + lane]
        sums[lane] = total


@kernel
def spread(
    component: int,
    patterns: Array,
    n_lanes: int,
    side: Side,
    inverses: Array,
    alpha: float,
    most: int,
    x: Array,
    scratch: tuple[Array, ...],
) -> None:
    """Spread walks by the inverse matrix of a component if there is one, else by iteration."""
    if side[7][U(component)] >= 0:
        look_up(U(component), patterns, n_lanes, side, inverses, x)
        return
    width = U(side[5][U(component) + U(1)]) - U(side[5][U(component)])
    begin_walks(patterns, n_lanes, side, width, scratch[0])
    iterate(U(component), n_lanes, side, alpha, most, x, scratch)


@kernel
def score_blocks(
    turn: int,
    turns: int,
    blocks: Array,
    wanted: Array,
    groups: tuple[Array, ...],
    left: Side,
    right: Side,
    inverses: tuple[Array, Array],
    alpha: float,
    most: int,
    x: Array,
    y: Array,
    scratch: tuple[Array, ...],
    scores: Array,
) -> None:
    """Score every group of each block whose turn it is.

    The columns of a block are: its first and last place in ``wanted``, the component of its
    groups on the left and on the right (-1: outliers there), and the range of all groups in
    both. Beyond that range one of the spreads is nothing, so there is nothing in common.
    """
    ones, others = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    sums = np.empty(LANES, np.float64)
    for block in range(U(turn), U(blocks.shape[0]), U(turns)):
        first, last = U(blocks[block, 0]), U(blocks[block, 1])
        one, other = I(blocks[block, 2]), I(blocks[block, 3])
        n_lanes = last - first
        for lane in range(n_lanes):
            group = U(wanted[first + lane])
            ones[lane] = groups[0][group]
            others[lane] = groups[1][group]
        if one >= 0:
            spread(one, ones, n_lanes, left, inverses[0], alpha, most, x, scratch)
        if other >= 0:
            spread(other, others, n_lanes, right, inverses[1], alpha, most, y, scratch)
        if one < 0:
            stay(others, n_lanes, right, y, sums)
        elif other < 0:
            stay(ones, n_lanes, left, x, sums)
        else:
            share(blocks[block, 4], blocks[block, 5], groups, left, right, x, y, sums)
        for lane in range(n_lanes):
            scores[U(wanted[first + lane])] = min(max(sums[lane] / alpha, 0.0), 1.0)
