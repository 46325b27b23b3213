"""How walks spread over the clusters of a component: by its inverse matrix, or by iteration.

With sizes D and the shared weights B of the clusters (see the kernel `assemble`), the walk that
follows an edge with probability alpha from an object in k clusters is at object j, other than by
never having left, with probability ``sum(x[c] for c of j)``, where ``x = alpha (1 - alpha)
(D - alpha B)^-1 r`` and r is 1 / k in the clusters of the object. The matrix is symmetric and
positive definite with a condition, once scaled, of at most 1 / (1 - alpha).
"""

from math import ceil, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import frozen
from coverlap.core.threads import Workers
from coverlap.measures.ecs.webs import Floats, Integers, Web

DENSE = 2**26
"""Numbers that the inverse matrices of one side may have in all: 512 MiB, or 8,192 clusters."""

PER_CUBE, PER_VISIT = 1.2e-10, 4e-9
"""Seconds to invert per width cubed, and to iterate per step, block and membership."""


class Spreads(NamedTuple):
    """One side as the kernels need it, and the inverse matrices of some of its components.

    ``offsets``, the last of ``arrays``, tells where the matrix of a component begins, -1 if it
    has none. ``width`` and ``iterated`` are the most clusters of a component that is walked in,
    and of one that is walked in by iteration.
    """

    arrays: tuple[NDArray[Any], ...]
    inverses: Floats
    width: int
    iterated: int


def most_steps(alpha: float) -> int:
    """Return more steps than iteration needs, which gains a digit in every sqrt(condition)."""
    return ceil(40 * sqrt(1 / (1 - alpha))) + 20


def scratch(width: int) -> tuple[NDArray[Any], ...]:
    """Return room for iteration: three numbers per cluster and lane, one per cluster, a few."""
    lanes = _kernels.ecs.LANES
    long = width * lanes
    return np.empty(long), np.empty(long), np.empty(long), np.empty(width), np.empty((5, lanes))


def spreads(web: Web, walks: Integers, alpha: float, team: Workers) -> Spreads:
    """Make one side ready, given how many walks begin in each of its components."""
    widths = np.diff(web.first_cluster)
    dense = _to_invert(web, walks, alpha)
    ends = np.cumsum(widths[dense] ** 2)
    offsets = np.full(len(widths), -1)
    offsets[dense] = ends - widths[dense] ** 2
    arrays = (
        web.bounds, web.members, web.weights, web.first_row, web.rows, web.first_cluster,
        web.sizes, frozen(offsets),
    )  # fmt: skip
    inverses = np.zeros(int(ends[-1]) if len(ends) else 0)
    turns = list(range(team.threads))
    team.run(_kernels.inverses.assemble, turns, len(turns), frozen(dense), arrays, alpha, inverses)
    team.run(
        _kernels.inverses.invert_all, turns, len(turns), frozen(offsets[dense]),
        frozen(widths[dense]), alpha * (1 - alpha), inverses,
    )  # fmt: skip
    used = np.where(walks > 0, widths, 0)
    width, iterated = int(used.max(initial=0)), int(used[offsets < 0].max(initial=0))
    return Spreads(arrays, frozen(inverses), width, iterated)


def _to_invert(web: Web, walks: Integers, alpha: float) -> Integers:
    """Choose the components to invert, smallest first: where that is quicker, while they fit.

    The number of threads has no say, so that it cannot change a score. How many steps iteration
    takes depends on the matrix; a fifth of the bound is a fair guess.
    """
    widths = np.diff(web.first_cluster)
    per_row = np.append(np.diff(web.bounds)[web.rows], 0)
    n_visits = np.add.reduceat(per_row, web.first_row[:-1]) if len(widths) else widths
    per_block = PER_VISIT * (most_steps(alpha) / 5) * n_visits
    iteration = per_block * -(-walks // _kernels.ecs.LANES)
    elimination = PER_CUBE * widths.astype(np.float64) ** 3
    order = np.argsort(widths, kind="stable")
    order = order[((walks > 0) & (elimination <= iteration))[order]]
    return np.asarray(order[np.cumsum(widths[order].astype(np.float64) ** 2) <= DENSE])
