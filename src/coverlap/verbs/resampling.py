"""Clusterings of resampled objects."""

import numpy as np
from numpy.typing import NDArray

from coverlap.core.incidence import Codes, Incidence, Runs, frozen, narrowest
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects

Integers = NDArray[np.int64]


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
