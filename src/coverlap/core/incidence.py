"""Who is in which cluster, as integers: one code per object, or runs of members per cluster.

Objects are positions 0..n-1 here and clusters are 0..k-1; what they are called is known elsewhere.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.threads import Workers, number_of_threads, workers

SPARE = 1024
"""Integer labels serve as codes if they are below the number of objects plus this."""


class Codes(NamedTuple):
    """At most one cluster per object. A negative code is an outlier; codes may have gaps."""

    codes: NDArray[Any]
    n_codes: int


class Runs(NamedTuple):
    """Any clusters: cluster c is ``members[pointers[c]:pointers[c + 1]]``, sorted and distinct."""

    pointers: NDArray[np.int64]
    members: NDArray[Any]


Incidence = Codes | Runs


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only, contiguous view (a copy only if it is not contiguous)."""
    array = np.ascontiguousarray(array).view()
    array.setflags(write=False)
    return array


def refrozen(incidence: Incidence) -> Incidence:
    """Make the arrays read-only again."""
    if isinstance(incidence, Codes):
        return Codes(frozen(incidence.codes), incidence.n_codes)
    return Runs(frozen(incidence.pointers), frozen(incidence.members))


def narrowest(bound: int) -> type[np.int32] | type[np.int64]:
    """Return the integer type to hold numbers below a bound."""
    return np.int32 if bound <= 2**31 else np.int64


def code_type(bound: int) -> type[np.unsignedinteger[Any]]:
    """Return the smallest type for cluster codes below a bound; many of them are read at random."""
    if bound <= 2**16:
        return np.uint16
    return np.uint32 if bound <= 2**32 else np.uint64


def code_sizes(codes: Codes) -> NDArray[np.int64]:
    """Count the objects of each code."""
    sizes = np.zeros(codes.n_codes + 1, np.int64)
    _kernels.matching.histogram(codes.codes, 0, len(codes.codes), sizes)
    return sizes[1:]


def runs_of_codes(codes: Codes, sizes: NDArray[np.int64]) -> Runs:
    """Write out the members of each code that is used, in order."""
    starts = np.concatenate(([0], np.cumsum(sizes)))
    members = np.empty(int(starts[-1]), narrowest(len(codes.codes)))
    _kernels.incidence.group_codes(codes.codes, starts[:-1].copy(), members)
    pointers = np.concatenate(([0], starts[1:][sizes > 0]))
    return Runs(frozen(pointers), frozen(members))


def numbers_of_codes(codes: Codes, sizes: NDArray[np.int64]) -> NDArray[Any]:
    """Number the clusters from 1 on, without gaps; 0 stands for outliers."""
    used = np.flatnonzero(sizes)
    number = np.zeros(codes.n_codes + 1, code_type(len(used) + 1))
    number[used + 1] = np.arange(1, len(used) + 1)
    numbers = np.empty(len(codes.codes), number.dtype)
    _kernels.incidence.renumber(codes.codes, frozen(number), numbers)
    return frozen(numbers)


def numbers_of_runs(runs: Runs, n_objects: int) -> NDArray[Any]:
    """Number the clusters, which do not overlap, from 1 on; 0 stands for outliers."""
    n_clusters = len(runs.pointers) - 1
    numbers = np.zeros(n_objects, code_type(n_clusters + 1))
    of_members = np.arange(1, n_clusters + 1, dtype=numbers.dtype)
    numbers[runs.members] = np.repeat(of_members, np.diff(runs.pointers))
    return frozen(numbers)


def codes_of_runs(runs: Runs, n_objects: int) -> Codes:
    """Give each object the number of its cluster; the clusters do not overlap."""
    n_clusters = len(runs.pointers) - 1
    numbers = numbers_of_runs(runs, n_objects)
    return Codes(frozen(numbers.astype(narrowest(n_clusters)) - 1), n_clusters)


def runs_of_pairs(
    objects: NDArray[Any], clusters: NDArray[Any], n_objects: int, n_clusters: int
) -> Runs:
    """Build runs from memberships in any order; repeated memberships count once."""
    objects, clusters = frozen(objects), frozen(clusters)
    by_object = np.empty(len(objects), narrowest(n_clusters))
    with workers(number_of_threads(None, len(objects), n_objects)) as team:
        begins, ends = team.ranges(len(objects))
        pointers, free = _places(team, objects, begins, ends, n_objects)
        team.run(_kernels.incidence.group, objects, clusters, begins, ends, free, by_object)
    return turned(Runs(frozen(pointers), frozen(by_object)), n_clusters)


def turned(runs: Runs, n_members: int) -> Runs:
    """Turn runs around: the runs that each member is in, in ascending order and each once.

    To turn runs twice sorts them.
    """
    n_runs, n_memberships = len(runs.pointers) - 1, len(runs.members)
    around = np.empty(n_memberships, narrowest(n_runs))
    with workers(number_of_threads(None, n_memberships, n_members)) as team:
        shares = np.array(team.ranges(n_memberships))
        begins, ends = np.minimum(np.searchsorted(runs.pointers, shares), n_runs).tolist()
        ends[-1] = n_runs
        bounds = runs.pointers[begins].tolist(), runs.pointers[ends].tolist()
        pointers, free = _places(team, runs.members, *bounds, n_members)
        team.run(_kernels.incidence.transpose, *runs, begins, ends, free, around)
    squeezed = np.empty_like(pointers)
    left = int(_kernels.incidence.squeeze(frozen(pointers), around, squeezed))
    return Runs(frozen(squeezed), frozen(around[:left]))


def _places(
    team: Workers, keys: NDArray[Any], begins: list[int], ends: list[int], n_keys: int
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """Return where the values of each key begin, and where each thread writes those of its own.

    The threads of a team have one range of keys each, and what they write follows one another.
    """
    counts = [np.zeros(n_keys + 1, np.int64) for _ in begins]
    team.run(_kernels.matching.histogram, keys, begins, ends, counts)
    pointers = np.cumsum(sum(counts))
    free = [pointers[:-1].copy()]
    for earlier in counts[:-1]:
        free.append(free[-1] + earlier[1:])
    return pointers, free


def are_sorted(runs: Runs, n_objects: int) -> bool:
    """Tell whether the members of every cluster are sorted, distinct and objects."""
    return bool(_kernels.incidence.ascending(*runs, n_objects))


def fingerprints(runs: Runs) -> NDArray[np.uint64]:
    """Hash each run by its members."""
    prints = np.empty(len(runs.pointers) - 1, np.uint64)
    _kernels.incidence.fingerprints(0, len(prints), *runs, prints)
    return prints


def first_equal(runs: Runs, prints: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Give each run the first run equal to it; the fingerprints are only a hint."""
    first = np.empty(len(prints), np.int64)
    order = np.argsort(prints, kind="stable")
    _kernels.incidence.first_equal(*runs, frozen(order), frozen(prints), first)
    return first


def distinct_runs(runs: Runs) -> tuple[Runs, NDArray[np.int64] | None, int, int]:
    """Drop empty clusters and merge equal ones.

    Returns the runs, the old positions of the clusters kept (None if all were), and the numbers of
    clusters dropped and merged.
    """
    sizes = np.diff(runs.pointers)
    prints = fingerprints(runs)
    n_empty = int(np.count_nonzero(sizes == 0))
    in_order = np.sort(prints)
    if n_empty == 0 and not np.any(in_order[1:] == in_order[:-1]):
        return runs, None, 0, 0
    first = first_equal(runs, prints)
    stays = (first == np.arange(len(sizes))) & (sizes > 0)
    kept = np.flatnonzero(stays)
    n_merged = len(sizes) - n_empty - len(kept)
    if len(kept) == len(sizes):
        return runs, None, 0, 0
    pointers = np.concatenate(([0], np.cumsum(sizes[kept])))
    members = runs.members[np.repeat(stays, sizes)]
    return Runs(frozen(pointers), frozen(members)), kept, n_empty, n_merged


def move(incidence: Incidence, position: NDArray[np.int64] | None, n_objects: int) -> Incidence:
    """Give each object a new position among n_objects (-1: it leaves; None: all stay in place)."""
    if isinstance(incidence, Codes):
        return _move_codes(incidence, position, n_objects)
    if position is None:
        return incidence
    pointers, members = incidence
    kept_pointers = np.empty_like(pointers)
    kept = np.empty(len(members), narrowest(n_objects))
    n_kept = int(
        _kernels.incidence.keep(pointers, members, frozen(position), kept_pointers, kept)
    )  # fmt: skip
    runs = Runs(frozen(kept_pointers), frozen(kept[:n_kept]))
    if are_sorted(runs, n_objects):
        return runs
    clusters = np.repeat(np.arange(len(pointers) - 1), np.diff(runs.pointers))
    return runs_of_pairs(runs.members, clusters, n_objects, len(pointers) - 1)


def _move_codes(codes: Codes, position: NDArray[np.int64] | None, n_objects: int) -> Codes:
    if position is None and n_objects == len(codes.codes):
        return codes
    moved = np.full(n_objects, -1, codes.codes.dtype)
    if position is None:
        moved[: len(codes.codes)] = codes.codes
    else:
        stays = position >= 0
        moved[position[stays]] = codes.codes[stays]
    return Codes(frozen(moved), codes.n_codes)
