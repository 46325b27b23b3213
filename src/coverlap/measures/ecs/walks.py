"""Scores by random walks, computed with inverse matrices of components or by iteration.

With sizes D and the shared weights B of the clusters (see the kernel `assemble`), the walk that
follows a step with probability alpha from an object in k clusters is at object j, other than by
never having moved, with probability ``sum(x[c] for c of j)``, where ``x = alpha (1 - alpha)
(D - alpha B)^-1 r`` and r is 1 / k in the clusters of the object. The matrix is symmetric and
positive definite with a condition, once scaled, of at most 1 / (1 - alpha).
"""

from math import ceil, sqrt
from typing import Any

import numpy as np

from coverlap import _kernels
from coverlap.core.incidence import frozen
from coverlap.core.threads import Workers
from coverlap.measures.ecs.components import Components, Floats, Groups, Integers

DENSE = 2**26
"""Maximum number of entries of all inverse matrices of a side: 512 MiB, or 8,192 clusters."""

PER_CUBE, PER_VISIT = 1.2e-10, 4e-9
"""Seconds to invert per width cubed, and to iterate per step, block and membership."""


def score_by_walks(
    left: Components,
    right: Components,
    groups: Groups,
    wanted: Integers,
    alpha: float,
    team: Workers,
    scores: Floats,
) -> None:
    """Write the scores of the wanted groups, which are in ascending order."""
    one, other = left.component[groups.left[wanted]], right.component[groups.right[wanted]]
    one_side, width, iterated = _prepare(left, one, alpha, team)
    other_side, other_width, other_iterated = _prepare(right, other, alpha, team)
    threads, lanes = list(range(team.threads)), _kernels.ecs.LANES
    team.run(
        _kernels.ecs.score_blocks, threads, len(threads),
        frozen(_blocks(groups, wanted, one, other)), frozen(wanted), groups, one_side, other_side,
        alpha, _max_steps(alpha), [np.empty(width * lanes) for _ in threads],
        [np.empty(other_width * lanes) for _ in threads],
        [_scratch(max(iterated, other_iterated)) for _ in threads], scores,
    )  # fmt: skip


def _blocks(groups: Groups, wanted: Integers, one: Integers, other: Integers) -> Integers:
    """Divide the wanted groups into blocks of one pair of components; see `score_blocks`."""
    begin, end = groups.begin[wanted], groups.end[wanted]
    first = np.searchsorted(begin, begin)
    starts = np.flatnonzero((np.arange(len(wanted)) - first) % _kernels.ecs.LANES == 0)
    ends = np.append(starts[1:], len(wanted))
    return np.column_stack((starts, ends, one[starts], other[starts], begin[starts], end[starts]))


def _max_steps(alpha: float) -> int:
    """Return more steps than iteration needs, which gains a digit in every sqrt(condition)."""
    return ceil(40 * sqrt(1 / (1 - alpha))) + 20


def _scratch(width: int) -> Any:
    """Return scratch arrays for iteration in components of up to ``width`` clusters."""
    kernels = _kernels.ecs
    residual, direction, product = (np.empty(width * kernels.LANES) for _ in range(3))
    return kernels.Scratch(
        residual, direction, product, np.empty(width), np.empty((5, kernels.LANES))
    )


def _prepare(
    side: Components, component: Integers, alpha: float, team: Workers
) -> tuple[Components, int, int]:
    """Invert the matrices of some components, given the component of each walk.

    Return the side with these inverses, and the largest number of clusters of the components with
    walks, and of those of them that are not inverted.
    """
    widths = np.diff(side.first_cluster)
    walks = np.bincount(component[component >= 0], minlength=len(widths))
    dense = _to_invert(side, walks, alpha)
    ends = np.cumsum(widths[dense] ** 2)
    offsets = np.full(len(widths), -1)
    offsets[dense] = ends - widths[dense] ** 2
    inverses = np.zeros(int(ends[-1]) if len(ends) else 0)
    prepared = side._replace(offsets=frozen(offsets), inverses=inverses)
    threads = list(range(team.threads))
    team.run(_kernels.inverses.invert_all, threads, len(threads), frozen(dense), prepared, alpha)
    iterated = widths[(walks > 0) & (offsets < 0)]
    return prepared, int(widths[walks > 0].max(initial=0)), int(iterated.max(initial=0))


def _to_invert(side: Components, walks: Integers, alpha: float) -> Integers:
    """Choose the components to invert, smallest first: where it is faster, while memory allows.

    The choice does not depend on the number of threads, so that scores do not either. The number
    of steps of the iteration depends on the matrix; a fifth of the bound is an estimate.
    """
    widths = np.diff(side.first_cluster)
    per_row = np.append(np.diff(side.bounds)[side.rows], 0)
    n_visits = np.add.reduceat(per_row, side.first_row[:-1]) if len(widths) else widths
    per_block = PER_VISIT * (_max_steps(alpha) / 5) * n_visits
    iteration = per_block * -(-walks // _kernels.ecs.LANES)
    elimination = PER_CUBE * widths.astype(np.float64) ** 3
    order = np.argsort(widths, kind="stable")
    order = order[((walks > 0) & (elimination <= iteration))[order]]
    return np.asarray(order[np.cumsum(widths[order].astype(np.float64) ** 2) <= DENSE])
