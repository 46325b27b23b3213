"""Which object is in which cluster, as integers.

Objects are positions 0..n-1 and clusters are numbers 0..k-1: either one code per object, or a run
of members per cluster. Ids and names are kept elsewhere.
"""

from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core import pages
from coverlap.core.hashing import KEY
from coverlap.core.threads import SMALL, Workers, workers_for

FEW = 512
"""Up to this many memberships, one sort in NumPy is faster than a counting sort in kernels."""

SPARE = 1024
"""Integer labels are used as codes if they are below the number of objects plus this."""

SORTED_TOGETHER = 1 << 16
"""Number of memberships that are sorted together, more only if one cluster has more."""

FIXED = np.uint64(0x9E3779B97F4A7C15)
"""Start of fingerprints that are the same in every process."""


class Codes(NamedTuple):
    """One cluster code per object; negative for outliers. Some codes may have no object."""

    codes: NDArray[Any]
    n_codes: int


class Runs(NamedTuple):
    """The members of each cluster: ``members[pointers[c]:pointers[c + 1]]``, sorted, distinct."""

    pointers: NDArray[np.int64]
    members: NDArray[Any]


Incidence = Codes | Runs


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only, contiguous view (a copy only if it is not contiguous)."""
    array = np.ascontiguousarray(array).view()
    array.setflags(write=False)
    return array


def refrozen(incidence: Incidence) -> Incidence:
    """Return the same incidence with read-only arrays."""
    if isinstance(incidence, Codes):
        return Codes(frozen(incidence.codes), incidence.n_codes)
    return Runs(frozen(incidence.pointers), frozen(incidence.members))


def copied(incidence: Incidence) -> Incidence:
    """Return the same incidence in new arrays, as narrow as possible."""
    if isinstance(incidence, Codes):
        return Codes(
            frozen(incidence.codes.astype(narrowest(incidence.n_codes))), incidence.n_codes
        )
    return Runs(frozen(incidence.pointers.copy()), frozen(incidence.members.copy()))


def narrowest(bound: int) -> type[np.int32] | type[np.int64]:
    """Return the smaller of int32 and int64 that holds all numbers below a bound."""
    return np.int32 if bound <= 2**31 else np.int64


def code_type(bound: int) -> type[np.unsignedinteger[Any]]:
    """Return the smallest unsigned type for codes below a bound, to save memory bandwidth."""
    if bound <= 2**16:
        return np.uint16
    return np.uint32 if bound <= 2**32 else np.uint64


def largest_code(codes: NDArray[Any]) -> int:
    """Return the largest code, -1 if all are negative."""
    if len(codes) < SMALL:
        return int(codes.max(initial=-1))
    with workers_for(len(codes)) as team:
        return int(max(team.map(_kernels.matching.largest, team.slices(codes))))


def code_sizes(codes: Codes) -> NDArray[np.int64]:
    """Count the objects of each code."""
    with workers_for(len(codes.codes), codes.n_codes) as team:
        counts = _counts(team, codes.codes, *team.ranges(len(codes.codes)), codes.n_codes)
    return np.sum(counts, axis=0)[1:] if len(counts) > 1 else counts[0, 1:]


def runs_of_codes(codes: Codes, sizes: NDArray[np.int64]) -> Runs:
    """List the members of each code that has some."""
    n_objects = len(codes.codes)
    members = np.empty(int(sizes.sum()), narrowest(n_objects))
    with workers_for(n_objects, codes.n_codes) as team:
        begins, ends = team.ranges(n_objects)
        counts = np.concatenate(([0], sizes))[np.newaxis]
        if team.threads > 1:
            counts = _counts(team, codes.codes, begins, ends, codes.n_codes)
        pointers, free = _places(team, counts)
        team.run(_kernels.incidence.group_codes, codes.codes, begins, ends, free, members)
    return Runs(frozen(np.concatenate(([0], pointers[1:][sizes > 0]))), frozen(members))


def numbers_of_codes(codes: Codes, sizes: NDArray[np.int64]) -> NDArray[Any]:
    """Return the cluster of each object as a number from 1 on, without gaps; 0 for outliers."""
    used = np.flatnonzero(sizes)
    number = np.zeros(codes.n_codes + 1, code_type(len(used) + 1))
    number[used + 1] = np.arange(1, len(used) + 1)
    numbers = np.empty(len(codes.codes), number.dtype)
    with workers_for(len(numbers)) as team:
        parts = team.slices(codes.codes), frozen(number), team.slices(numbers)
        team.run(_kernels.incidence.renumber, *parts)
    return frozen(numbers)


def numbers_of_runs(runs: Runs, n_objects: int) -> NDArray[Any]:
    """Return the cluster of each object as a number from 1 on, 0 for outliers; no overlaps."""
    numbers = np.zeros(n_objects, code_type(len(runs.pointers)))
    with workers_for(len(runs.members)) as team:
        first = [begin + 1 for begin in team.balanced(runs.pointers)[0]]
        (pointers,) = team.balanced_slices(runs.pointers)
        team.run(_kernels.incidence.number_members, pointers, runs.members, first, numbers)
    return frozen(numbers)


def outliers_of_runs(runs: Runs, n_objects: int) -> NDArray[np.bool_]:
    """Return whether each object is in no cluster."""
    is_outlier = np.ones(n_objects, bool)
    with workers_for(len(runs.members)) as team:
        team.run(_kernels.incidence.unmark_members, team.slices(runs.members), is_outlier)
    return is_outlier


def n_in_several_runs(runs: Runs, n_objects: int) -> int:
    """Return the number of objects that are in several clusters."""
    n_clusters, not_listed = np.zeros(n_objects, np.uint32), np.empty(0, np.uint32)
    with workers_for(len(runs.members)) as team:
        ranges = team.ranges(n_objects)
        team.run(_kernels.matching.transpose_range, *runs, *ranges, n_clusters, not_listed)
    return int(np.count_nonzero(n_clusters > 1))


def codes_of_runs(runs: Runs, n_objects: int) -> Codes:
    """Return the cluster of each object, -1 for outliers; requires no overlaps."""
    n_clusters = len(runs.pointers) - 1
    numbers = numbers_of_runs(runs, n_objects)
    return Codes(frozen(numbers.astype(narrowest(n_clusters)) - 1), n_clusters)


def take(runs: Runs, chosen: NDArray[np.int64]) -> Runs:
    """Return some of the runs, in the given order."""
    sizes = np.diff(runs.pointers)[chosen]
    pointers = np.concatenate(([0], np.cumsum(sizes)))
    within = np.arange(pointers[-1]) - np.repeat(pointers[:-1], sizes)
    return Runs(pointers, runs.members[np.repeat(runs.pointers[chosen], sizes) + within])


def runs_of_pairs(
    objects: NDArray[Any], clusters: NDArray[Any], n_objects: int, n_clusters: int
) -> Runs:
    """Build runs from memberships in any order; repeated memberships count once.

    Members are sorted by a second grouping if there are few enough for the cache.
    """
    if len(objects) <= FEW and n_objects * n_clusters < 2**62:
        keys = np.unique(clusters.astype(np.int64) * n_objects + objects)
        pointers = np.searchsorted(keys, np.arange(n_clusters + 1) * n_objects)
        members = keys - np.repeat(np.arange(n_clusters) * n_objects, np.diff(pointers))
        return Runs(frozen(pointers), frozen(members.astype(narrowest(n_objects))))
    objects, clusters = frozen(objects), frozen(clusters)
    if len(objects) < SMALL:
        by_object = _grouped(objects, clusters, n_objects, narrowest(n_clusters))
        return transposed(Runs(*map(frozen, by_object)), n_clusters)
    return sorted_runs(*_grouped(clusters, objects, n_clusters, narrowest(n_objects)))


def _grouped(
    keys: NDArray[Any], values: NDArray[Any], n_keys: int, dtype: type[Any]
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return where the values of each key begin, and the values."""
    grouped = pages.zeros(len(values), dtype)
    with workers_for(len(values), n_keys) as team:
        begins, ends = team.ranges(len(values))
        pointers, free = _places(team, _counts(team, keys, begins, ends, n_keys))
        team.run(_kernels.incidence.group, keys, values, begins, ends, free, grouped)
    return pointers, grouped


def sorted_runs(pointers: NDArray[np.int64], members: NDArray[Any]) -> Runs:
    """Sort the members of each run in place, and drop repeated ones.

    Many runs are sorted together, but few enough for the cache.
    """
    wanted = np.arange(0, len(members), SORTED_TOGETHER)
    cuts = np.append(np.unique(np.searchsorted(pointers, wanted)), len(pointers) - 1)
    with workers_for(len(members)) as team:
        bounds = zip(*team.balanced(pointers[cuts]), strict=True)
        parts = [cuts[begin : end + 1].tolist() for begin, end in bounds]
        team.run(lambda part: _sort_members(pointers, members, part), parts)
    squeezed = np.empty_like(pointers)
    left = int(_kernels.incidence.squeeze(frozen(pointers), members, squeezed))
    return Runs(frozen(squeezed), frozen(members[:left]))


def _sort_members(pointers: NDArray[np.int64], members: NDArray[Any], cuts: list[int]) -> None:
    """Sort the members of the runs from each cut to the next one."""
    for begin, end in pairwise(cuts):
        own = members[pointers[begin] : pointers[end]]
        if end - begin == 1:
            own.sort()
            continue
        sizes = np.diff(pointers[begin : end + 1])
        if members.itemsize > 4:
            own[:] = own[np.lexsort((own, np.repeat(np.arange(len(sizes)), sizes)))]
            continue
        keys = np.repeat(np.arange(len(sizes)) << 32, sizes)
        keys |= own
        keys.sort()
        own[:] = keys.astype(np.int32)  # the lower half


def transposed(runs: Runs, n_members: int) -> Runs:
    """Transpose runs: list the runs of each member, sorted and distinct.

    Transposing twice sorts the members of each run.
    """
    n_runs, n_memberships = len(runs.pointers) - 1, len(runs.members)
    around = np.empty(n_memberships, narrowest(n_runs))
    with workers_for(n_memberships, n_members) as team:
        begins, ends = team.balanced(runs.pointers)
        bounds = runs.pointers[begins].tolist(), runs.pointers[ends].tolist()
        pointers, free = _places(team, _counts(team, runs.members, *bounds, n_members))
        team.run(_kernels.incidence.transpose, *runs, begins, ends, free, around)
    made = Runs(frozen(pointers), frozen(around))
    if are_sorted(made, n_runs):
        return made
    squeezed = np.empty_like(pointers)
    left = int(_kernels.incidence.squeeze(made.pointers, around, squeezed))
    return Runs(frozen(squeezed), frozen(around[:left]))


def _counts(
    team: Workers, keys: NDArray[Any], begins: list[int], ends: list[int], n_keys: int
) -> NDArray[np.int64]:
    """Count each key in the range of each thread (a row); negative ones come first."""
    counts = np.zeros((team.threads, n_keys + 1), np.int64)
    team.run(_kernels.matching.histogram, keys, begins, ends, list(counts))
    return counts


def _places(
    team: Workers, counts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """Return where the values of each key begin, and where each thread writes its own values.

    Negative keys have no values. Each thread writes after the threads with earlier ranges, into
    the places that replace its counts.
    """
    if team.threads == 1:
        counts[0, 0] = 0
        pointers = np.cumsum(counts[0])
        return pointers, [pointers[:-1].copy()]
    begins, ends = team.ranges(counts.shape[1] - 1)
    totals = team.map(_kernels.incidence.total_counts, counts, begins, ends)
    *starts, n_values = accumulate(map(int, totals), initial=0)
    pointers = np.full(counts.shape[1], n_values)
    team.run(_kernels.incidence.lay_out, counts, begins, ends, starts, pointers)
    return pointers, list(counts[:, 1:])


def are_sorted(runs: Runs, n_objects: int) -> bool:
    """Return whether the members of every cluster are sorted, distinct and below n_objects."""
    with workers_for(len(runs.members)) as team:
        (pointers,) = team.balanced_slices(runs.pointers)
        return all(team.map(_kernels.incidence.ascending, pointers, runs.members, n_objects))


def fingerprints(runs: Runs, start: Any = FIXED) -> NDArray[np.uint64]:
    """Return a hash of the members of each run, the same in every process by default."""
    prints = np.empty(len(runs.pointers) - 1, np.uint64)
    with workers_for(len(runs.members)) as team:
        pointers, parts = team.balanced_slices(runs.pointers, prints)
        team.run(_kernels.incidence.fingerprints, pointers, runs.members, start, parts)
    return prints


def first_equal(runs: Runs, prints: NDArray[np.uint64] | None = None) -> NDArray[np.int64]:
    """Return for each run the first run equal to it; members are compared, not only hashes.

    ``prints`` are fingerprints that nobody could predict, since all runs of one fingerprint are
    compared with each other.
    """
    prints = fingerprints(runs, KEY[0]) if prints is None else prints
    first = np.empty(len(prints), np.int64)
    order = np.argsort(prints, kind="stable")
    _kernels.incidence.first_equal(*runs, frozen(order), frozen(prints), first)
    return first


def distinct_runs(
    runs: Runs, *, keep_duplicates: bool = False
) -> tuple[Runs, NDArray[np.int64] | None, int, int]:
    """Drop empty clusters and merge equal ones, unless duplicates are to be kept.

    Return the runs, the old positions of the clusters kept (None if all were), and the numbers of
    clusters dropped and merged.
    """
    sizes = np.diff(runs.pointers)
    n_empty = int(np.count_nonzero(sizes == 0))
    stays = sizes > 0
    if not keep_duplicates:
        prints = fingerprints(runs, KEY[0])
        in_order = np.sort(prints)
        if np.any(in_order[1:] == in_order[:-1]):
            stays &= first_equal(runs, prints) == np.arange(len(sizes))
    kept = np.flatnonzero(stays)
    n_merged = len(sizes) - n_empty - len(kept)
    if len(kept) == len(sizes):
        return runs, None, 0, 0
    pointers = np.concatenate(([0], np.cumsum(sizes[kept])))
    members = runs.members[np.repeat(stays, sizes)]
    return Runs(frozen(pointers), frozen(members)), kept, n_empty, n_merged


def move(incidence: Incidence, position: NDArray[np.int64] | None, n_objects: int) -> Incidence:
    """Move each object to a new position among n_objects; -1 removes it, None moves none."""
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


def with_clusters(
    incidence: Incidence, outliers: NDArray[np.int64], sizes: NDArray[np.int64]
) -> Incidence:
    """Add clusters of the given sizes, whose members are the outliers in order."""
    if isinstance(incidence, Runs):
        ends = incidence.pointers[-1] + np.cumsum(sizes)
        members = np.concatenate((incidence.members, outliers.astype(incidence.members.dtype)))
        return Runs(frozen(np.concatenate((incidence.pointers, ends))), frozen(members))
    n_codes = incidence.n_codes + len(sizes)
    codes: NDArray[Any] = incidence.codes.astype(narrowest(n_codes))
    codes[outliers] = np.repeat(np.arange(incidence.n_codes, n_codes), sizes)
    return Codes(frozen(codes), n_codes)
