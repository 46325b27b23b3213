"""Moves that approach the constants of Theorem 1, and two that violate it as printed."""

from collections.abc import Callable, Mapping
from itertools import combinations

from paper.theory.exact_scores import EMPTY, sets, span
from paper.theory.moves import Move, Trial

Family = Callable[[int], Trial]


def join_clustered(size: int) -> Trial:
    """Make a cluster equal to the right one, beside a large one that determines the mean."""
    cluster, large = span(0, size), span(size, size + size**2)
    move = Move(sets(cluster, large), cluster, size)
    return Trial(move, sets(move.grown), size + size**2)


def join_outlier(size: int) -> Trial:
    """Make the only cluster equal to the right one, which makes the outliers equal, too."""
    move = Move(sets(span(0, size)), span(0, size), size)
    return Trial(move, sets(move.grown), 2 * size + 1)


def create_clustered(size: int) -> Trial:
    """Create the right singleton, whose only match was the cluster of all objects."""
    return Trial(Move(sets(span(0, size)), EMPTY, 0), sets({0}), size)


def create_outlier(size: int) -> Trial:
    """Create the first cluster, a singleton that is equal to the right clustering."""
    return Trial(Move(sets(), EMPTY, 0), sets({0}), size)


FAMILIES: Mapping[str, Family] = {
    "1a": join_clustered,
    "1b": join_outlier,
    "2a": create_clustered,
    "2b": create_outlier,
}
"""For each case of the proof, trials whose ratio approaches the constant as they grow."""


def one_among_unmatched(size: int) -> Trial:
    """Make one cluster equal to the right one, beside many objects without a match.

    This approaches the constant of Lemma 2.
    """
    n = size + 1 + size**2
    cluster, large = span(0, size), span(size + 1, n)
    move = Move(sets(cluster, large), cluster, size)
    return Trial(move, sets(move.grown), n)


def grow_inside_match(size: int) -> Trial:
    """Let a cluster grow inside its match; this attains the constant of Lemma 3."""
    return Trial(Move(sets(span(0, size)), span(0, size), size), sets(span(0, 2 * size)), 2 * size)


def collapse(size: int) -> Trial:
    """Make two clusters equal, so that they become one: counterexample A."""
    cluster, far = span(0, size), span(size + 1, 2 * size + 1)
    move = Move(sets(cluster, span(0, size + 1), far), cluster, size)
    return Trial(move, sets(move.grown), 2 * size + 1)


def removal(size: int, n: int) -> Trial:
    """Let many right clusters match one left cluster once it has lost x: counterexample B.

    Read as a removal of x, the left has S with x, and S without z and z'. The right has all sets
    of 2/3 of S that contain z but not z', the objects outside S, and z' alone.
    """
    z, other_z, x = 0, 1, size
    first, second = span(0, size), span(2, size)
    chosen = combinations(sorted(second), 2 * size // 3 - 1)
    right = sets(*((z, *some) for some in chosen), span(size, n), {other_z})
    return Trial(Move(sets(first, second), first, x), right, n)
