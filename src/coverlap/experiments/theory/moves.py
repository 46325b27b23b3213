"""One object joins one cluster of the left clustering: the moves of Theorem 1.

A removal is an addition read backwards, so every move is written as an addition, and what joins the
empty cluster makes a new one.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from coverlap.experiments.theory.exact import EMPTY, Cluster, Exact, Sets, exact, jaccard, mass
from coverlap.experiments.theory.small import clusterings

TOO_MUCH = Fraction(10**9)
"""Stands for something over nothing."""


class Move(NamedTuple):
    """Object `x` joins `cluster` of `before`."""

    before: Sets
    cluster: Cluster
    x: int

    @property
    def grown(self) -> Cluster:
        """The cluster with the object."""
        return self.cluster | {self.x}

    @property
    def after(self) -> Sets:
        """The clustering after the move."""
        return (self.before - {self.cluster}) | {self.grown}

    @property
    def collapses(self) -> bool:
        """Whether the grown cluster is there already, so that two clusters become one."""
        return self.grown in self.before

    @property
    def case(self) -> str:
        """The case in the paper's proof: 1 joins a cluster, 2 makes one, b if it was an outlier."""
        clustered = any(self.x in cluster for cluster in self.before)
        return ("1" if self.cluster else "2") + ("a" if clustered else "b")


class Trial(NamedTuple):
    """A move on the left, a right clustering, and the number of objects."""

    move: Move
    right: Sets
    n: int

    def change(self) -> Fraction:
        """Return by how much the score changes."""
        before, after = self._scores()
        return abs(before.score - after.score)

    def one_sided_changes(self) -> tuple[Fraction, Fraction]:
        """Return by how much the clusters' means change: left to right, and back."""
        before, after = self._scores()
        return abs(before.there - after.there), abs(before.back - after.back)

    def gamma(self) -> int:
        """Count the right clusters that hold the object or match the cluster without it."""
        return sum(concerns(self.move, own) for own in self.right)

    def ratio(self) -> Fraction:
        """Return the change over what the corrected theorem has in its O."""
        return self.change() / bound(self.right, self.gamma(), self.n)

    def _scores(self) -> tuple[Exact, Exact]:
        move, right, n = self
        return exact(move.before, right, n), exact(move.after, right, n)


@lru_cache(maxsize=4096)
def concerns(move: Move, own: Cluster) -> bool:
    """Tell whether a right cluster holds the object or matches the cluster that it joins."""
    return move.x in own or matches(own, move.cluster, move.before)


def matches(own: Cluster, cluster: Cluster, among: Sets) -> bool:
    """Tell whether `cluster` is the best match of `own`.

    The paper leaves open whether a tie is a match. Here it is not, which gives the least gamma and
    so the strongest statements.
    """
    rest = max((jaccard(own, other) for other in among - {cluster}), default=Fraction(0))
    return jaccard(own, cluster) > rest


def bound(right: Sets, gamma: int, n: int) -> Fraction:
    """Return what stands in the O of Theorem 1; 0/0, for a right side without clusters, is 1."""
    covered = len(EMPTY.union(*right))
    return max(Fraction(1), Fraction(covered * gamma, max(mass(right), 1))) / n


def ratios(trial: Trial) -> Iterator[tuple[str, Fraction]]:
    """Yield how far Theorem 1 and Lemmas 2 and 3 are used up, where they have something to say."""
    move, right, _ = trial
    if move.collapses:
        return
    yield move.case, trial.ratio()
    if move.cluster:
        there, back = trial.one_sided_changes()
        yield "Lemma 2", there * (mass(move.before) + 1)
        yield "Lemma 3", over(back * mass(right), trial.gamma())


def over(amount: Fraction, most: int) -> Fraction:
    """Divide; nothing over nothing is nothing, and anything else over nothing is too much."""
    if not amount:
        return Fraction(0)
    return amount / most if most else TOO_MUCH


def moves(clustering: Sets, n: int) -> list[Move]:
    """Return every move, those that make two clusters coincide included."""
    return [
        move
        for cluster in [EMPTY, *sorted(clustering, key=sorted)]
        for x in sorted(set(range(n)) - cluster)
        if (move := Move(clustering, cluster, x)).after != clustering
    ]


def every_trial(n: int) -> Iterator[Trial]:
    """Yield every move of every left clustering of n objects, against every right one."""
    for left in clusterings(n):
        for move in moves(left, n):
            yield from (Trial(move, right, n) for right in clusterings(n))


def random_trials(count: int, seed: int) -> Iterator[Trial]:
    """Yield moves of 4 to 9 objects; the right side often has clusters of the left one."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(4, 10))
        possible = moves(_drawn(rng, n), n)
        move = possible[rng.integers(len(possible))]
        known = sorted(move.before | move.after, key=sorted)
        common = {cluster for cluster in known if rng.random() < 0.5}
        yield Trial(move, _drawn(rng, n) | common, n)


def _drawn(rng: np.random.Generator, n: int) -> Sets:
    """Draw up to three clusters of some of the objects; the others are outliers."""
    covered = rng.permutation(n)[: rng.integers(1, n + 1)]
    sizes = rng.integers(1, len(covered) + 1, size=rng.integers(0, 4))
    return frozenset(frozenset(rng.permutation(covered)[:size].tolist()) for size in sizes)
