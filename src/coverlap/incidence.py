"""Who is in which cluster, as integers: one code per object, or runs of members per cluster.

Objects are positions 0..n-1 here and clusters are 0..k-1; what they are called is known elsewhere.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels

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


def runs_of_pairs(
    objects: NDArray[Any], clusters: NDArray[Any], n_objects: int, n_clusters: int
) -> Runs:
    """Build runs from memberships in any order; repeated memberships count once."""
    by_object = np.empty(len(objects), np.int64)
    everything = np.arange(len(objects))
    _kernels.incidence.group(
        frozen(objects), frozen(everything), frozen(everything), _starts(objects, n_objects),
        by_object,
    )  # fmt: skip
    members = np.empty(len(objects), narrowest(n_objects))
    starts = _starts(clusters, n_clusters)
    pointers = np.append(starts, len(objects))
    _kernels.incidence.group(
        frozen(clusters), frozen(objects), frozen(by_object), starts, members
    )  # fmt: skip
    squeezed = np.empty_like(pointers)
    left = int(_kernels.incidence.squeeze(frozen(pointers), members, squeezed))
    return Runs(frozen(squeezed), frozen(members[:left]))


def _starts(keys: NDArray[Any], n_keys: int) -> NDArray[np.int64]:
    counts = np.bincount(keys, minlength=n_keys) if len(keys) else np.zeros(n_keys, np.int64)
    return np.cumsum(counts) - counts


def are_sorted(runs: Runs, n_objects: int) -> bool:
    """Tell whether the members of every cluster are sorted, distinct and objects."""
    return bool(_kernels.incidence.ascending(*runs, n_objects))


def distinct_runs(runs: Runs) -> tuple[Runs, NDArray[np.int64] | None, int, int]:
    """Drop empty clusters and merge equal ones.

    Returns the runs, the old positions of the clusters kept (None if all were), and the numbers of
    clusters dropped and merged.
    """
    sizes = np.diff(runs.pointers)
    prints = np.empty(len(sizes), np.uint64)
    _kernels.incidence.fingerprints(0, len(sizes), *runs, prints)
    n_empty = int(np.count_nonzero(sizes == 0))
    table = np.zeros(2 << len(sizes).bit_length(), np.uint64)
    prints[prints == 0] = 1
    if n_empty == 0 and _kernels.incidence.all_distinct(prints, table):
        return runs, None, 0, 0
    first = np.empty(len(sizes), np.int64)
    order = np.argsort(prints, kind="stable")
    _kernels.incidence.first_equal(*runs, frozen(order), frozen(prints), first)
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
