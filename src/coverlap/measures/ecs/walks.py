"""Walking: the scores of the groups of objects that are not known without."""

import numpy as np

from coverlap import _kernels
from coverlap.core.incidence import frozen
from coverlap.core.threads import Workers
from coverlap.measures.ecs.spreads import most_steps, scratch, spreads
from coverlap.measures.ecs.webs import Floats, Groups, Integers, Web


def walk(
    left: Web,
    right: Web,
    groups: Groups,
    wanted: Integers,
    alpha: float,
    team: Workers,
    scores: Floats,
) -> None:
    """Write the scores of the groups that are wanted (in ascending order)."""
    one, other = left.component[groups.left[wanted]], right.component[groups.right[wanted]]
    forth = spreads(left, _count(left, one), alpha, team)
    back = spreads(right, _count(right, other), alpha, team)
    turns, lanes = list(range(team.threads)), _kernels.ecs.LANES
    team.run(
        _kernels.ecs.score_blocks, turns, len(turns),
        frozen(_blocks(groups, wanted, one, other)), frozen(wanted),
        (groups.left, groups.right, groups.weights), forth.arrays, back.arrays,
        (forth.inverses, back.inverses), alpha, most_steps(alpha),
        [np.empty(forth.width * lanes) for _ in turns],
        [np.empty(back.width * lanes) for _ in turns],
        [scratch(max(forth.iterated, back.iterated)) for _ in turns], scores,
    )  # fmt: skip


def _count(side: Web, component: Integers) -> Integers:
    """Count the walks that begin in each component."""
    return np.bincount(component[component >= 0], minlength=len(side.first_row) - 1)


def _blocks(groups: Groups, wanted: Integers, one: Integers, other: Integers) -> Integers:
    """Cut what is wanted into blocks of one pair of components each; see `score_blocks`."""
    begin, end = groups.begin[wanted], groups.end[wanted]
    first = np.searchsorted(begin, begin)
    starts = np.flatnonzero((np.arange(len(wanted)) - first) % _kernels.ecs.LANES == 0)
    ends = np.append(starts[1:], len(wanted))
    return np.column_stack(
        (starts, ends, one[starts], other[starts], begin[starts], end[starts])
    )  # fmt: skip
