"""Three ways to look at pairs of objects, and which is the fastest.

See `coverlap._kernels.pairs`. The ways differ by factors of ten and more in time, and each is the
best for some clusterings, so their times are predicted first.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import frozen
from coverlap.core.threads import Workers
from coverlap.counting.memory.kinds import Kinds, KindSide

Integers = NDArray[np.int64]

WRITERS = 8
"""At most this many threads write rows for the same kinds, each its own 40 bytes for each."""

CELLS = 1 << 20
"""Numbers of left and right clusters shared that are counted together, if there are that many."""

SAFE = 2**62
"""Sums of products of shared clusters must stay below this."""


class Notes(NamedTuple):
    """What the threads write down, each its own; see `coverlap._kernels.pairs`."""

    tallies: list[tuple[Integers, Integers, Integers]]
    rows: Integers
    parts: tuple[Integers, Integers]


class Buckets(NamedTuple):
    """The entries and pairs in the buckets of each cluster of a side."""

    n_entries: Integers
    n_pairs: Integers


Way = Callable[[Kinds, Notes, Workers], None]


def walk(kinds: Kinds, notes: Notes, team: Workers) -> None:
    """Note all pairs that share a cluster."""
    n_kinds, threads = len(kinds.weights), range(team.threads)
    team.run(
        _kernels.pairs.walk, list(threads), team.threads, kinds.left.lists, kinds.left.clusters,
        kinds.right.lists, kinds.right.clusters, kinds.weights, notes.parts,
        [np.zeros(n_kinds, np.uint64) for _ in threads],
        [np.empty(n_kinds + 1, np.uint32) for _ in threads], *_joint(kinds, team),
        notes.tallies, notes.rows,
    )  # fmt: skip
    _halve(notes)
    _note_kinds(kinds, notes, team, closed=0)


def compare_bits(kinds: Kinds, notes: Notes, team: Workers) -> None:
    """Note all pairs."""
    bits = []
    for side in (kinds.left, kinds.right):
        words = np.zeros((len(kinds.weights), _n_words(side)), np.uint64)
        _kernels.pairs.set_bits(side.lists, words)
        bits.append(frozen(words))
    team.run(
        _kernels.pairs.compare_bits, list(range(team.threads)), team.threads, *bits,
        kinds.weights, notes.parts, *_joint(kinds, team), notes.tallies, notes.rows,
    )  # fmt: skip
    _halve(notes)
    _note_kinds(kinds, notes, team, closed=0)


def _joint(kinds: Kinds, team: Workers) -> tuple[list[Integers], list[Integers]]:
    """Return counts by left and right clusters shared, all 0, and room to note which are not."""
    n = min((kinds.left.most + 1) * (kinds.right.most + 1), CELLS)
    threads = range(team.threads)
    return [np.zeros(n, np.int64) for _ in threads], [np.empty(n + 1, np.int64) for _ in threads]


def _halve(notes: Notes) -> None:
    """Count each pair once: where there are rows, it was noted for either of its objects."""
    if len(notes.rows):
        for counts in zip(*notes.tallies, strict=True):
            halves = sum(counts) // 2
            for one in counts:
                one[:] = 0
            counts[0][:] = halves


def visit_buckets(
    kinds: Kinds, notes: Notes, team: Workers, weighed: tuple[Buckets, Buckets] | None = None
) -> None:
    """Note the pairs that share two clusters of a side; the others follow from sums."""
    left, right = kinds.left, kinds.right
    if len(notes.rows) and team.threads > WRITERS:
        team = Workers(WRITERS, team.pool)
    rows = [notes.rows, *(np.zeros_like(notes.rows) for _ in range(1, team.threads))]
    team.run(
        _kernels.pairs.add_shared, list(range(team.threads)), team.threads, left.clusters,
        right.lists, kinds.weights, *_scratch(right, team),
        [sums for _, _, sums in notes.tallies[: team.threads]], rows,
    )  # fmt: skip
    left_buckets, right_buckets = weighed or (weigh(left, team), weigh(right, team))
    _visit_side(0, left, right, left_buckets, kinds, notes, rows, team)
    _visit_side(1, right, left, right_buckets, kinds, notes, rows, team)
    for others in rows[1:]:
        np.add(notes.rows, others, out=notes.rows)
    if len(notes.rows):
        notes.rows[:, 0] += reach(kinds, left, team)
        notes.rows[:, 1] += reach(kinds, right, team)
    _note_kinds(kinds, notes, team, closed=1)


def _visit_side(
    number: int, own: KindSide, other: KindSide, buckets: Buckets, kinds: Kinds, notes: Notes,
    rows: list[Integers], team: Workers,
) -> None:  # fmt: skip
    """Deal the clusters out to the threads, those with the most pairs first."""
    threads = range(team.threads)
    order = np.argsort(-buckets.n_pairs, kind="stable")
    order = order[: np.count_nonzero(buckets.n_pairs)]
    room = int(buckets.n_entries[order].max(initial=0))
    length = int(_n_listed(own, kinds, team)[order].max(initial=0))
    team.run(
        _kernels.pairs.visit_buckets, [order[i :: team.threads].copy() for i in threads], number,
        own.clusters, own.lists, other.lists, kinds.weights,
        (notes.parts[number], notes.parts[1 - number]), *_scratch(own, team),
        [np.empty((room, 2), np.uint32) for _ in threads],
        [np.empty(room, np.uint32) for _ in threads],
        [np.empty(2 * room + 1, np.uint32) for _ in threads],
        [np.empty(length, np.uint32) for _ in threads],
        [np.zeros(len(own.sizes), np.uint8) for _ in threads],
        [np.zeros(len(other.sizes), np.uint8) for _ in threads],
        [(tally[number], tally[1 - number], tally[2]) for tally in notes.tallies[: team.threads]],
        rows,
    )  # fmt: skip


def _n_listed(side: KindSide, kinds: Kinds, team: Workers) -> Integers:
    """Add up the lengths of the lists of the members of each cluster."""
    total = np.empty(len(side.sizes), np.int64)
    lengths = frozen(kinds.left.degrees() + kinds.right.degrees())
    team.run(
        _kernels.pairs.add_reach, *team.ranges(len(total)), side.clusters, lengths, total
    )  # fmt: skip
    return total


def weigh(side: KindSide, team: Workers) -> Buckets:
    """Tell how much there is to visit."""
    n_clusters = len(side.sizes)
    buckets = Buckets(np.zeros(n_clusters, np.int64), np.zeros(n_clusters, np.int64))
    team.run(
        _kernels.pairs.weigh_buckets, list(range(team.threads)), team.threads, side.clusters,
        side.lists, *_scratch(side, team), *buckets,
    )  # fmt: skip
    return buckets


def reach(kinds: Kinds, side: KindSide, team: Workers) -> Integers:
    """Add up the sizes of the clusters of each kind."""
    total = np.empty(len(kinds.weights), np.int64)
    team.run(
        _kernels.pairs.add_reach, *team.ranges(len(total)), side.lists, side.sizes, total
    )  # fmt: skip
    return total


def _note_kinds(kinds: Kinds, notes: Notes, team: Workers, *, closed: int) -> None:
    """Note the pairs within each kind."""
    team.run(
        _kernels.pairs.note_kinds, *team.ranges(len(kinds.weights)), kinds.left.lists,
        kinds.right.lists, closed, kinds.weights, notes.parts,
        notes.tallies[: team.threads], notes.rows,
    )  # fmt: skip


def _scratch(
    side: KindSide, team: Workers
) -> tuple[list[NDArray[np.uint32]], list[NDArray[np.uint32]]]:
    """Return counts of clusters, all 0, and room to note clusters, for each thread."""
    n, threads = len(side.sizes), range(team.threads)
    return [np.zeros(n, np.uint32) for _ in threads], [np.empty(n + 1, np.uint32) for _ in threads]


def _n_words(side: KindSide) -> int:
    """Return how many times 64 bits the clusters of a side need."""
    return -(-len(side.sizes) // 64)


def fastest(kinds: Kinds, n_objects: int, team: Workers, *, by_object: bool) -> Way:
    """Predict how many nanoseconds each way takes, and return the fastest.

    The figures were measured on one core of 2.6 GHz, and only their ratios matter.
    """
    left, right = kinds.left, kinds.right
    n_pairs = len(kinds.weights) * (len(kinds.weights) - 1) / 2 * (1 + by_object)
    n_steps = (_n_steps(left) + _n_steps(right)) * (1 + by_object)
    walking = 1.0 * n_steps + 2.5 * min(n_steps, n_pairs)
    comparing = (3.2 + 0.15 * (_n_words(left) + _n_words(right))) * n_pairs
    least = 40 * float(left.degrees() @ right.degrees()) + 80 * (
        _n_entries(left) + _n_entries(right)
    )
    if least < min(walking, comparing) and _is_safe(kinds, n_objects):
        weighed = weigh(left, team), weigh(right, team)
        per_pair = 8 + 8 * by_object
        visiting = least + sum(
            (per_pair + 0.5 * _length(side, kinds)) * float(buckets.n_pairs.sum())
            for side, buckets in zip((left, right), weighed, strict=True)
        )
        if visiting < min(walking, comparing):
            return partial(visit_buckets, weighed=weighed)
    return walk if walking <= comparing else compare_bits


def _n_steps(side: KindSide) -> float:
    """Return the number of pairs of kinds within clusters."""
    sizes = np.diff(side.clusters[0]).astype(float)
    return float((sizes * (sizes - 1)).sum()) / 2


def _n_entries(side: KindSide) -> float:
    """Return the number of pairs of clusters within the lists of kinds."""
    degrees = side.degrees().astype(float)
    return float((degrees * (degrees - 1)).sum()) / 2


def _length(side: KindSide, kinds: Kinds) -> float:
    """Return how many clusters a kind in a bucket of a side has on both sides, on average."""
    degrees = side.degrees().astype(float)
    entries = degrees * (degrees - 1)
    lengths = kinds.left.degrees() + kinds.right.degrees()
    return float((entries * lengths).sum()) / max(float(entries.sum()), 1.0)


def _is_safe(kinds: Kinds, n_objects: int) -> bool:
    """Tell whether the sums over products of shared clusters fit."""
    left, right = kinds.left, kinds.right
    products = min(left.n_pairs() * right.most, right.n_pairs() * left.most)
    per_object = n_objects * left.most * right.most
    return max(products, per_object) < SAFE
