"""Element-centric similarity: compare the distributions of two random walks from each object.

The distribution of a walk follows from a few numbers per cluster (``x``, ``y``: one row per
cluster, one lane per object that a walk starts from), so two distributions are compared in one pass
over the objects. Lanes are written out as scalars: they stay in registers, while loops over an
array of lanes go through memory and take twice as long.
"""

from typing import Any, NamedTuple

import numpy as np

from coverlap._kernels._jit import Array, I, U
from coverlap._kernels._jit import heavy_kernel as kernel

Side = Any
"""A `coverlap.measures.ecs.components.Components`."""

Groups = Any
"""A `coverlap.measures.ecs.components.Groups`."""

LANES = 4
"""Number of objects whose walks are compared in one pass."""

CHUNK = 256
"""Number of terms added at a time: sums of sums have smaller rounding errors than one long sum."""

TOLERANCE = 1e-15
"""Where iteration stops; twice the largest possible error of a score."""

ENERGY, ACTIVE, STEP, NEXT_ENERGY, ERROR = range(5)
"""Rows of ``Scratch.lanes``: residual times scaled residual, 1 while the lane iterates, the length
of the step, the next energy or its ratio to the last one, and the sum of absolute residuals."""


class Scratch(NamedTuple):
    """Arrays for the iteration: per cluster and lane, per cluster (``scale``), and per lane."""

    residual: Array
    direction: Array
    product: Array
    scale: Array
    lanes: Array


@kernel
def score_partition(
    begin: int, end: int, pointers: Array, members: Array, right: Array, right_sizes: Array,
    counts: Array, scores: Array,
) -> None:  # fmt: skip
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
def find_root(root: Array, cluster: int) -> int:
    """Return the lowest cluster of a component (union-find with path halving)."""
    at = U(cluster)
    while U(root[at]) != at:
        root[at] = root[U(root[at])]
        at = U(root[at])
    return at


@kernel
def join_clusters(pointers: Array, members: Array, root: Array) -> None:
    """Give each cluster the lowest cluster of its component: join the clusters of each pattern."""
    for pattern in range(U(pointers.shape[0] - 1)):
        for place in range(U(pointers[pattern]) + U(1), U(pointers[pattern + U(1)])):
            one = find_root(root, U(members[place - U(1)]))
            other = find_root(root, U(members[place]))
            root[max(one, other)] = min(one, other)
    for cluster in range(U(root.shape[0])):
        root[cluster] = find_root(root, cluster)


@kernel
def n_clusters_of(component: int, side: Side) -> int:
    """Return the number of clusters of a component."""
    return U(side.first_cluster[component + U(1)]) - U(side.first_cluster[component])


@kernel
def solve_by_inverse(
    component: int, patterns: Array, n_lanes: int, side: Side, x: Array
) -> None:  # fmt: skip
    """Compute the walks from some patterns of a component with its inverse matrix."""
    start, width = U(side.offsets[component]), n_clusters_of(component, side)
    for i in range(width * U(LANES)):
        x[i] = 0.0
    for lane in range(U(n_lanes)):
        first, last = U(side.bounds[U(patterns[lane])]), U(side.bounds[U(patterns[lane]) + U(1)])
        n_clusters = float(last - first)
        for cluster in range(width):
            total = 0.0
            for place in range(first, last):
                total += side.inverses[start + U(side.members[place]) * width + cluster]
            x[cluster * U(LANES) + lane] = total / n_clusters


@kernel
def multiply(component: int, side: Side, alpha: float, x: Array, product: Array) -> None:
    """Multiply the matrix of a component (see `inverses`) by ``x``: one pass over patterns."""
    bounds, members = side.bounds, side.members
    base = U(side.first_cluster[component])
    for cluster in range(n_clusters_of(component, side)):
        for lane in range(U(LANES)):
            at = cluster * U(LANES) + lane
            product[at] = side.sizes[base + cluster] * x[at]
    for row in range(U(side.first_row[component]), U(side.first_row[component + U(1)])):
        pattern = U(side.rows[row])
        first, last = U(bounds[pattern]), U(bounds[pattern + U(1)])
        a0 = a1 = a2 = a3 = 0.0
        for place in range(first, last):
            at = U(members[place]) * U(LANES)
            a0 += x[at]
            a1 += x[at + U(1)]
            a2 += x[at + U(2)]
            a3 += x[at + U(3)]
        share = alpha * (side.weights[pattern] / float(last - first))
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
def invert_diagonal(component: int, side: Side, alpha: float, scale: Array) -> None:
    """Write 1 / diagonal of the matrix of a component."""
    base, width = U(side.first_cluster[component]), n_clusters_of(component, side)
    for cluster in range(width):
        scale[cluster] = side.sizes[base + cluster]
    for row in range(U(side.first_row[component]), U(side.first_row[component + U(1)])):
        pattern = U(side.rows[row])
        first, last = U(side.bounds[pattern]), U(side.bounds[pattern + U(1)])
        share = alpha * (side.weights[pattern] / float(last - first))
        for place in range(first, last):
            scale[U(side.members[place])] -= share
    for cluster in range(width):
        scale[cluster] = 1.0 / scale[cluster]


@kernel
def solve_by_iteration(
    component: int, patterns: Array, n_lanes: int, side: Side, alpha: float, max_steps: int,
    x: Array, scratch: Scratch,
) -> None:  # fmt: skip
    """Compute the walks from some patterns of a component by conjugate gradients.

    The sums of the matrix are (1 - alpha) times the sizes and its inverse has no negative entry,
    so a residual whose absolute values add up to e changes a score by at most e / 2. Each lane
    stops on its own when that is small enough, so its result does not depend on the others.
    """
    residual, direction, product, scale, lanes = scratch
    width = n_clusters_of(component, side)
    invert_diagonal(component, side, alpha, scale)
    for i in range(width * U(LANES)):
        x[i] = 0.0
        residual[i] = 0.0
    for lane in range(U(n_lanes)):
        first, last = U(side.bounds[U(patterns[lane])]), U(side.bounds[U(patterns[lane]) + U(1)])
        for place in range(first, last):
            residual[U(side.members[place]) * U(LANES) + lane] = 1.0 / float(last - first)
    for lane in range(U(LANES)):
        lanes[ENERGY, lane] = 0.0
        lanes[ACTIVE, lane] = 1.0 if lane < U(n_lanes) else 0.0
    for cluster in range(width):
        for lane in range(U(LANES)):
            at = cluster * U(LANES) + lane
            direction[at] = scale[cluster] * residual[at]
            lanes[ENERGY, lane] += residual[at] * direction[at]
    for _ in range(U(max_steps)):
        multiply(component, side, alpha, direction, product)
        if not step(width, x, scratch):
            break
    factor = alpha * (1.0 - alpha)
    for i in range(width * U(LANES)):
        x[i] *= factor


@kernel
def step(width: int, x: Array, scratch: Scratch) -> bool:
    """Do one step of conjugate gradients in each active lane; return whether any is left."""
    residual, direction, product, scale, lanes = scratch
    for lane in range(U(LANES)):
        lanes[STEP, lane] = lanes[NEXT_ENERGY, lane] = lanes[ERROR, lane] = 0.0
    for cluster in range(U(width)):
        for lane in range(U(LANES)):
            at = cluster * U(LANES) + lane
            lanes[STEP, lane] += direction[at] * product[at]
    for lane in range(U(LANES)):
        moves = lanes[ACTIVE, lane] > 0.0 and lanes[STEP, lane] > 0.0
        lanes[STEP, lane] = lanes[ENERGY, lane] / lanes[STEP, lane] if moves else 0.0
    for cluster in range(U(width)):
        for lane in range(U(LANES)):
            at = cluster * U(LANES) + lane
            x[at] += lanes[STEP, lane] * direction[at]
            rest = residual[at] - lanes[STEP, lane] * product[at]
            residual[at] = rest
            lanes[NEXT_ENERGY, lane] += rest * rest * scale[cluster]
            lanes[ERROR, lane] += abs(rest)
    any_active = False
    for lane in range(U(LANES)):
        before, lanes[ENERGY, lane] = lanes[ENERGY, lane], lanes[NEXT_ENERGY, lane]
        lanes[NEXT_ENERGY, lane] = lanes[NEXT_ENERGY, lane] / before if before > 0.0 else 0.0
        if lanes[ERROR, lane] <= TOLERANCE or lanes[STEP, lane] == 0.0:
            lanes[ACTIVE, lane] = 0.0
        any_active = any_active or lanes[ACTIVE, lane] > 0.0
    for cluster in range(U(width)):
        for lane in range(U(LANES)):
            at = cluster * U(LANES) + lane
            direction[at] = scale[cluster] * residual[at] + lanes[NEXT_ENERGY, lane] * direction[at]
    return any_active


@kernel
def add_shared(
    begin: int, end: int, groups: Groups, left: Side, right: Side, x: Array, y: Array, sums: Array
) -> None:
    """Add up the smaller of two probabilities over a range of groups of objects.

    A function for the sums of one side, or arrays that are not named before the loop, would take
    two to four times as long: Numba counts the references of an array wherever it passes one.
    """
    bounds, members = left.bounds, left.members
    other_bounds, other_members = right.bounds, right.members
    ones, others, weights = groups.left, groups.right, groups.weights
    t0 = t1 = t2 = t3 = 0.0
    start = U(begin)
    while start < U(end):
        stop = min(start + U(CHUNK), U(end))
        s0 = s1 = s2 = s3 = 0.0
        for group in range(start, stop):
            one, other = U(ones[group]), U(others[group])
            a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = 0.0
            for place in range(U(bounds[one]), U(bounds[one + U(1)])):
                at = U(members[place]) * U(LANES)
                a0 += x[at]
                a1 += x[at + U(1)]
                a2 += x[at + U(2)]
                a3 += x[at + U(3)]
            for place in range(U(other_bounds[other]), U(other_bounds[other + U(1)])):
                at = U(other_members[place]) * U(LANES)
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
def add_start(patterns: Array, n_lanes: int, side: Side, x: Array, sums: Array) -> None:
    """Write the probability that each walk is at the object where it started."""
    for lane in range(U(n_lanes)):
        total = 0.0
        first, last = U(side.bounds[U(patterns[lane])]), U(side.bounds[U(patterns[lane]) + U(1)])
        for place in range(first, last):
            total += x[U(side.members[place]) * U(LANES) + lane]
        sums[lane] = total


@kernel
def solve(
    component: int, patterns: Array, n_lanes: int, side: Side, alpha: float, max_steps: int,
    x: Array, scratch: Scratch,
) -> None:  # fmt: skip
    """Compute walks with the inverse matrix of a component if it has one, else by iteration."""
    if side.offsets[U(component)] >= 0:
        solve_by_inverse(U(component), patterns, n_lanes, side, x)
    else:
        solve_by_iteration(
            U(component), patterns, n_lanes, side, alpha, max_steps, x, scratch
        )  # fmt: skip


@kernel
def score_blocks(
    thread: int, n_threads: int, blocks: Array, wanted: Array, groups: Groups, left: Side,
    right: Side, alpha: float, max_steps: int, x: Array, y: Array, scratch: Scratch, scores: Array,
) -> None:  # fmt: skip
    """Score every group of every ``n_threads``-th block.

    The columns of a block are: its first and last place in ``wanted``, the component of its
    groups on the left and on the right (-1: outliers there), and the range of all groups in
    both. Beyond that range one of the probabilities is 0, so nothing is shared.
    """
    ones, others = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    sums = np.empty(LANES, np.float64)
    for block in range(U(thread), U(blocks.shape[0]), U(n_threads)):
        first, last = U(blocks[block, 0]), U(blocks[block, 1])
        one, other = I(blocks[block, 2]), I(blocks[block, 3])
        n_lanes = last - first
        for lane in range(n_lanes):
            group = U(wanted[first + lane])
            ones[lane] = groups.left[group]
            others[lane] = groups.right[group]
        if one >= 0:
            solve(one, ones, n_lanes, left, alpha, max_steps, x, scratch)
        if other >= 0:
            solve(other, others, n_lanes, right, alpha, max_steps, y, scratch)
        if one < 0:
            add_start(others, n_lanes, right, y, sums)
        elif other < 0:
            add_start(ones, n_lanes, left, x, sums)
        else:
            add_shared(blocks[block, 4], blocks[block, 5], groups, left, right, x, y, sums)
        for lane in range(n_lanes):
            scores[U(wanted[first + lane])] = min(max(sums[lane] / alpha, 0.0), 1.0)
