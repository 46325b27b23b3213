"""The engine for clusterings in memory: compiled kernels, driven by a pool of threads.

Only counts, one division per pair of clusters, and maxima with fixed ties happen in the threads,
so their number cannot change the result.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.errors import InputError, OptionError
from coverlap.incidence import SPARE, Codes, Runs, frozen
from coverlap.matching import Form, Matching, Side, Similarity, Sum, Totals, apply_similarity
from coverlap.universe import Pair

SMALL = 200_000
"""Below this many memberships starting threads costs more than it saves."""

PAIRS = 1 << 20
"""Pairs of clusters listed at a time for a person's own similarity."""

INT64 = np.dtype(np.int64)

Each = Callable[..., None]
Best = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def match(pair: Pair, similarity: Form | Similarity, threads: int | None = None) -> Matching:
    """Find the best match of every cluster of both sides."""
    left, right = pair.left._incidence, pair.right._incidence
    threads = _number_of_threads(threads, pair)
    if not isinstance(similarity, Form):
        return _match_by_function(pair, similarity, threads)
    if isinstance(left, Codes) and isinstance(right, Codes):
        if pair.n_objects < SMALL and threads == 1:
            return _match_small_codes(left, right, tuple(similarity))
        return _match_codes(left, right, tuple(similarity), threads)
    return _match_runs(pair, tuple(similarity), threads)


def total_labels(
    left: Any, right: Any, similarity: Form | Similarity, average: str
) -> Totals | None:
    """Add up the similarities of two small arrays of integer labels, straight from the arrays.

    This is `match` and `Matching.totals` in one call, for the kind of input that scores are asked
    for in loops; making the clusterings would take longer than comparing them. Returns None for
    any other input.
    """
    if not (
        type(left) is np.ndarray and type(right) is np.ndarray and left.ndim == right.ndim == 1
        and left.dtype == right.dtype == INT64 and 0 < left.size == right.size < SMALL
        and type(similarity) is Form
    ):  # fmt: skip
        return None
    one, other, outliers = _kernels.matching.total_partitions(
        frozen(left), frozen(right), tuple(similarity), average == "equal", left.size + SPARE
    )
    if one[0] < 0:
        return None
    return Totals(Sum(*one), Sum(*other), left.size, *outliers)


def _number_of_threads(threads: int | None, pair: Pair) -> int:
    if threads is None:
        if pair.n_objects < SMALL:
            return 1
        return (
            len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else (os.cpu_count() or 1)
        )
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or threads < 1:
        raise OptionError(f"threads must be a positive integer, not {threads!r}")
    return int(threads)


@contextmanager
def _pool(threads: int) -> Iterator[Each]:
    """Give a function that calls a kernel once for each item of its arguments, in threads."""
    if threads == 1:
        yield lambda kernel, *columns: _finish(kernel(*row) for row in zip(*columns, strict=True))
        return
    with ThreadPoolExecutor(threads) as pool:
        yield lambda kernel, *columns: _finish(
            task.result()
            for task in [pool.submit(kernel, *row) for row in zip(*columns, strict=True)]
        )


def _finish(results: Iterable[object]) -> None:
    for _ in results:
        pass


def _unsigned(bound: int) -> type[np.unsignedinteger[Any]]:
    """Return the smallest of the unsigned types in use that holds numbers below a bound."""
    if bound <= 2**16:
        return np.uint16
    return np.uint32 if bound <= 2**32 else np.uint64


def _counter(bound: int) -> type[np.unsignedinteger[Any]]:
    return np.uint32 if bound < 2**32 else np.uint64


def _no_best(n: int) -> Best:
    return np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n)


# Two partitions


def _match_small_codes(left: Codes, right: Codes, form: tuple[int, ...]) -> Matching:
    left_sizes, right_sizes, left_best, right_best, n_shared = _kernels.matching.match_partitions(
        left.codes, right.codes, form, left.n_codes, right.n_codes
    )
    return _matching_of_codes(left_sizes, right_sizes, left_best, right_best, n_shared)


def _match_codes(left: Codes, right: Codes, form: tuple[int, ...], threads: int) -> Matching:
    n_objects, n_left, n_right = len(left.codes), left.n_codes + 1, right.n_codes + 1
    counter = _counter(n_objects)
    cuts = [n_objects * i // threads for i in range(threads + 1)]
    begins, ends = cuts[:-1], cuts[1:]
    lefts, rights = [left.codes] * threads, [right.codes] * threads
    laid = np.empty(n_objects, _unsigned(n_right))
    with _pool(threads) as each:
        by_thread = np.zeros((threads, n_left), counter)
        each(_kernels.matching.histogram, lefts, begins, ends, by_thread)
        left_sizes = by_thread.sum(axis=0, dtype=np.int64)
        starts = np.concatenate(([0], np.cumsum(left_sizes)))
        free = (starts[:-1] + np.cumsum(by_thread, axis=0) - by_thread).astype(counter)
        by_thread = np.zeros((threads, n_right), counter)
        each(
            _kernels.matching.lay_out,
            lefts,
            rights,
            begins,
            ends,
            free,
            [laid] * threads,
            by_thread,
        )
        right_sizes = by_thread.sum(axis=0, dtype=np.int64)
        left_best = _no_best(n_left)
        right_bests = [_no_best(n_right) for _ in range(threads)]
        cuts = _balanced(starts, threads)
        each(
            _kernels.matching.count, cuts[:-1], cuts[1:], [laid] * threads, [starts] * threads,
            [right_sizes] * threads, [form] * threads, np.zeros((threads, n_right), counter),
            np.empty((threads, n_right + 1), counter), [left_best] * threads, right_bests,
        )  # fmt: skip
    n_shared = _kernels.matching.count_shared_outliers(laid, left_sizes[0])
    return _matching_of_codes(left_sizes, right_sizes, left_best, _merged(right_bests), n_shared)


def _matching_of_codes(
    left_sizes: NDArray[np.int64],
    right_sizes: NDArray[np.int64],
    left_best: Best,
    right_best: Best,
    n_shared_outliers: int,
) -> Matching:
    return Matching(
        _side_of_codes(left_sizes, left_best, right_sizes),
        _side_of_codes(right_sizes, right_best, left_sizes),
        int(left_sizes.sum()), int(left_sizes[0]), int(right_sizes[0]), n_shared_outliers,
    )  # fmt: skip


def _side_of_codes(sizes: NDArray[np.int64], best: Best, other_sizes: NDArray[np.int64]) -> Side:
    """Leave out the outliers and the codes that nobody has; number the matches from 0."""
    match, shared, similarity = best
    number = np.cumsum(other_sizes[1:] > 0) - 1
    used = np.flatnonzero(sizes[1:]) + 1
    match = np.append(-1, number)[match[used]]
    return Side(sizes[used], match, shared[used], similarity[used])


def _balanced(starts: NDArray[np.int64], parts: int) -> list[int]:
    """Cut the clusters, from code 1 on, into ranges of about equal numbers of members."""
    begin, end = int(starts[1]), int(starts[-1])
    wanted = [begin + (end - begin) * i // parts for i in range(1, parts)]
    return [1, *(np.searchsorted(starts[1:], wanted) + 1).tolist(), len(starts) - 1]


def _merged(bests: list[Best]) -> Best:
    """Merge what the threads found for the right side; ties go to the lowest left cluster."""
    match, shared, similarity = bests[0]
    for new_match, new_shared, new_similarity in bests[1:]:
        tie = (new_similarity == similarity) & (new_shared > 0) & (new_match < match)
        better = (new_similarity > similarity) | tie
        match = np.where(better, new_match, match)
        shared = np.where(better, new_shared, shared)
        similarity = np.where(better, new_similarity, similarity)
    return match, shared, similarity


# Anything else


class _Turned(NamedTuple):
    """The right side turned round: object i is in clusters[ends[i]:ends[i + 1]], `most` at most."""

    ends: NDArray[Any]
    clusters: NDArray[Any]
    most: int

    def room(self, threads: int) -> NDArray[Any]:
        """Return scratch for gathering the clusters of some objects; see `shared_counts`."""
        return np.empty((threads, _kernels.matching.BLOCK + self.most), self.clusters.dtype)


def _turn(runs: Runs, n_objects: int, threads: int, each: Each) -> _Turned:
    pointers, members = runs
    cuts = [n_objects * i // threads for i in range(threads + 1)]
    arguments = [pointers] * threads, [members] * threads, cuts[:-1], cuts[1:]
    ends = np.zeros(n_objects + 1, _counter(len(members) + 1))
    each(_kernels.matching.degrees, *arguments, [ends[1:]] * threads)
    most = int(ends.max())
    np.cumsum(ends, out=ends)
    clusters = np.empty(len(members), _unsigned(len(pointers)))
    each(_kernels.matching.turn, *arguments, [ends[:-1].copy()] * threads, [clusters] * threads)
    return _Turned(ends, clusters, most)


def _match_runs(pair: Pair, form: tuple[int, ...], threads: int) -> Matching:
    left, right = pair.left._as_runs(), pair.right._as_runs()
    left_sizes, right_sizes = np.diff(left.pointers), np.diff(right.pointers)
    n_right = len(right_sizes)
    left_best = _no_best(len(left_sizes))
    right_bests = [_no_best(n_right) for _ in range(threads)]
    counter = _counter(pair.n_objects)
    with _pool(threads) as each:
        turned = _turn(right, pair.n_objects, threads, each)
        order = np.argsort(left_sizes, kind="stable")
        each(
            _kernels.matching.walk, [order[i::threads].copy() for i in range(threads)],
            [left.pointers] * threads, [left.members] * threads, [turned.ends] * threads,
            [turned.clusters] * threads, [right_sizes] * threads,
            [form] * threads, turned.room(threads),
            np.zeros((threads, n_right), counter), np.empty((threads, n_right + 1), counter),
            [left_best] * threads, right_bests,
        )  # fmt: skip
        covered = _covered(left, pair.n_objects, threads, each)
    return _matching_of_runs(
        left_sizes, right_sizes, left_best, _merged(right_bests), covered, turned
    )


def _covered(runs: Runs, n_objects: int, threads: int, each: Each) -> NDArray[np.bool_]:
    covered = np.zeros(n_objects, bool)
    cuts = [len(runs.members) * i // threads for i in range(threads + 1)]
    each(_kernels.matching.mark, [runs.members] * threads, cuts[:-1], cuts[1:], [covered] * threads)
    return covered


def _matching_of_runs(
    left_sizes: NDArray[np.int64],
    right_sizes: NDArray[np.int64],
    left_best: Best,
    right_best: Best,
    covered: NDArray[np.bool_],
    turned: _Turned,
) -> Matching:
    out_left = ~covered
    out_right = turned.ends[1:] == turned.ends[:-1]
    return Matching(
        _side_of_runs(left_sizes, left_best),
        _side_of_runs(right_sizes, right_best),
        len(covered),
        int(np.count_nonzero(out_left)),
        int(np.count_nonzero(out_right)),
        int(np.count_nonzero(out_left & out_right)),
    )


def _side_of_runs(sizes: NDArray[np.int64], best: Best) -> Side:
    match, shared, similarity = best
    return Side(sizes, np.where(shared > 0, match, -1), shared, similarity)


# A person's own similarity


def _match_by_function(pair: Pair, similarity: Similarity, threads: int) -> Matching:
    left, right = pair.left._as_runs(), pair.right._as_runs()
    left_sizes, right_sizes = np.diff(left.pointers), np.diff(right.pointers)
    _check_nothing_shared(similarity, left_sizes, right_sizes)
    left_best, right_best = _no_best(len(left_sizes)), _no_best(len(right_sizes))
    with _pool(threads) as each:
        turned = _turn(right, pair.n_objects, threads, each)
        covered = _covered(left, pair.n_objects, threads, each)
    for lefts, rights, shared in _shared_pairs(left, len(right_sizes), turned, pair.n_objects):
        own, other = left_sizes[lefts], right_sizes[rights]
        forth = apply_similarity(similarity, shared, own, other)
        back = apply_similarity(similarity, shared, other, own)
        _keep_best(left_best, lefts, rights, shared, forth)
        _keep_best(right_best, rights, lefts, shared, back)
    return _matching_of_runs(left_sizes, right_sizes, left_best, right_best, covered, turned)


def _check_nothing_shared(
    similarity: Similarity, left_sizes: NDArray[np.int64], right_sizes: NDArray[np.int64]
) -> None:
    """Refuse a similarity of clusters that share nothing: those pairs are never looked at."""
    if not len(left_sizes) or not len(right_sizes):
        return
    other = np.resize(right_sizes, len(left_sizes))
    values = apply_similarity(similarity, np.zeros_like(left_sizes), left_sizes, other)
    if values.any():
        at = int(np.flatnonzero(values)[0])
        raise InputError(
            f"similarity must be 0 for clusters that share no object, but is {values[at]} for "
            f"shared=0, own={left_sizes[at]}, other={other[at]}"
        )


def _shared_pairs(
    left: Runs, n_right: int, turned: _Turned, n_objects: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
    """List the pairs of clusters that share objects, some left clusters at a time."""
    n_left = len(left.pointers) - 1
    counter = _counter(n_objects)
    room = max(PAIRS, n_right)
    counts, touched = np.zeros(n_right, counter), np.empty(n_right + 1, counter)
    gathered = turned.room(1)[0]
    begin = 0
    while begin < n_left:
        lists = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
        begin, n_pairs = map(
            int,
            _kernels.matching.list_shared(
                begin, n_left, left.pointers, left.members, turned.ends, turned.clusters,
                gathered, counts, touched, *lists,
            ),
        )  # fmt: skip
        yield lists[0][:n_pairs], lists[1][:n_pairs], lists[2][:n_pairs]


def _keep_best(
    best: Best,
    own: NDArray[np.int64],
    other: NDArray[np.int64],
    shared: NDArray[np.int64],
    similarity: NDArray[np.float64],
) -> None:
    """Enter the best pair of each own cluster where it beats what is known."""
    order = np.lexsort((other, -similarity, own))
    first = order[np.flatnonzero(np.diff(own[order], prepend=-1))]
    rows = own[first]
    better = (similarity[first] > best[2][rows]) | (best[1][rows] == 0)
    rows, first = rows[better], first[better]
    best[0][rows], best[1][rows], best[2][rows] = other[first], shared[first], similarity[first]
