"""Random variations of clusterings: permuted or resampled objects, scored in parallel."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import Codes, Incidence, Runs, frozen, move, narrowest
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.threads import number_of_threads

Integers = NDArray[np.int64]


def draw_all(
    draw: Callable[[Any], float], seeds: list[Any], n_memberships: int, threads: int | None
) -> NDArray[np.float64]:
    """Return the values of a function for each seed; they do not depend on the threads."""
    n_threads = number_of_threads(threads, n_memberships * len(seeds), 1)
    with ThreadPoolExecutor(n_threads) as pool:
        return np.array(list(pool.map(draw, seeds)), np.float64)


def permuted(clustering: Memberships, seed: np.uint64) -> Memberships:
    """Return the clustering with its objects permuted at random."""
    incidence = clustering.incidence
    if isinstance(incidence, Codes):
        codes = incidence.codes.astype(narrowest(incidence.n_codes + 1))
        _kernels.sampling.shuffle(codes, seed)
        return clustering.rearranged(Codes(frozen(codes), incidence.n_codes))
    n_objects = clustering.n_objects
    positions: NDArray[Any] = np.arange(n_objects, dtype=narrowest(n_objects))
    _kernels.sampling.shuffle(positions, seed)
    return clustering.rearranged(move(incidence, positions, n_objects))


def resampled(clustering: Memberships, times: Integers) -> Memberships:
    """Repeat each object a number of times; copies of one object are in the same clusters."""
    n_objects = int(times.sum())
    incidence: Incidence = clustering.incidence
    if isinstance(incidence, Codes):
        incidence = Codes(frozen(np.repeat(incidence.codes, times)), incidence.n_codes)
    else:
        incidence = _repeated(incidence, times, n_objects)
    return Memberships(incidence, Objects(n_objects)).distinct()


def _repeated(runs: Runs, times: Integers, n_objects: int) -> Runs:
    """Write each member as often as it was drawn; copies of one object follow one another."""
    members_times = times[runs.members]
    ends = np.cumsum(members_times)
    first_copy = np.cumsum(times) - times
    places = np.arange(int(ends[-1]) if len(ends) else 0)
    nth_copy = places - np.repeat(ends - members_times, members_times)
    members = np.repeat(first_copy[runs.members], members_times) + nth_copy
    pointers = np.concatenate(([0], ends))[runs.pointers]
    return Runs(frozen(pointers), frozen(members.astype(narrowest(n_objects))))
