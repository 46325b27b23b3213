"""The moves of Theorem 1: one object joins one cluster of the left clustering.

A removal is an addition in reverse, so every move is written as an addition. An addition to the
empty cluster creates a singleton.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import cycle, islice
from typing import NamedTuple

import numpy as np

from paper.theory.exact_scores import (
    EMPTY,
    Cluster,
    ExactScore,
    Sets,
    exact_score,
    jaccard,
    n_memberships,
)
from paper.theory.small_clusterings import clusterings

UNBOUNDED = Fraction(10**9)
"""Used for the quotient of a positive number and 0."""


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
        """Whether the grown cluster exists already, so that two clusters become one."""
        return self.grown in self.before

    @property
    def case(self) -> str:
        """The case in the paper's proof.

        "1a" and "1b": the object joins a cluster; "2a" and "2b": it creates one. In "1b" and "2b"
        it was an outlier.
        """
        clustered = any(self.x in cluster for cluster in self.before)
        return ("1" if self.cluster else "2") + ("a" if clustered else "b")


class Trial(NamedTuple):
    """A move on the left, a right clustering, and the number of objects."""

    move: Move
    right: Sets
    n: int

    def change(self) -> Fraction:
        """Return the absolute change of the score."""
        before, after = self._scores()
        return abs(before.score - after.score)

    def change_left_to_right(self) -> Fraction:
        """Return the absolute change of the mean similarity of the left clusters (Lemma 2)."""
        before, after = self._scores()
        return abs(before.left_to_right - after.left_to_right)

    def change_right_to_left(self) -> Fraction:
        """Return the absolute change of the mean similarity of the right clusters (Lemma 3)."""
        before, after = self._scores()
        return abs(before.right_to_left - after.right_to_left)

    def gamma(self) -> int:
        """Count the right clusters that contain the object or match the cluster without it."""
        return sum(counts_for_gamma(self.move, own) for own in self.right)

    def ratio(self) -> Fraction:
        """Return the change divided by the bound of the corrected theorem."""
        return self.change() / bound(self.right, self.gamma(), self.n)

    def _scores(self) -> tuple[ExactScore, ExactScore]:
        return (
            exact_score(self.move.before, self.right, self.n),
            exact_score(self.move.after, self.right, self.n),
        )


@lru_cache(maxsize=4096)
def counts_for_gamma(move: Move, own: Cluster) -> bool:
    """Return whether a right cluster contains the object or matches the cluster it joins."""
    return move.x in own or matches(own, move.cluster, move.before)


def matches(own: Cluster, cluster: Cluster, among: Sets) -> bool:
    """Return whether `cluster` is the only best match of `own`.

    The paper leaves open whether a tie is a match. Here it is not, which gives the least gamma and
    so the strongest statements.
    """
    rest = max((jaccard(own, other) for other in among - {cluster}), default=Fraction(0))
    return jaccard(own, cluster) > rest


def bound(right: Sets, gamma: int, n: int) -> Fraction:
    """Return the expression inside the O of Theorem 1, with 0/0 = 1 for an empty `right`."""
    n_clustered = len(EMPTY.union(*right))
    return max(Fraction(1), Fraction(n_clustered * gamma, max(n_memberships(right), 1))) / n


def ratios(trial: Trial) -> Iterator[tuple[str, Fraction]]:
    """Yield the ratios of changes to the bounds of Theorem 1 and Lemmas 2 and 3 that apply."""
    move, right = trial.move, trial.right
    if move.collapses:
        return
    yield move.case, trial.ratio()
    if move.cluster:
        yield "Lemma 2", trial.change_left_to_right() * (n_memberships(move.before) + 1)
        change = trial.change_right_to_left() * n_memberships(right)
        yield "Lemma 3", quotient(change, trial.gamma())


def quotient(amount: Fraction, limit: int) -> Fraction:
    """Divide, with 0/0 = 0 and `UNBOUNDED` for any other division by 0."""
    if not amount:
        return Fraction(0)
    return amount / limit if limit else UNBOUNDED


def moves(clustering: Sets, n: int) -> list[Move]:
    """Return every move that changes the clustering, including those that make clusters equal."""
    return [
        move
        for cluster in [EMPTY, *sorted(clustering, key=sorted)]
        for x in sorted(set(range(n)) - cluster)
        if (move := Move(clustering, cluster, x)).after != clustering
    ]


def every_trial(n: int) -> Iterator[Trial]:
    """Yield every move of every left clustering of n objects, with every right clustering."""
    for left in clusterings(n):
        for move in moves(left, n):
            yield from (Trial(move, right, n) for right in clusterings(n))


def random_trials(count: int, seed: int) -> Iterator[Trial]:
    """Yield moves of 4 to 9 objects, of the four cases in turn; none makes two clusters equal.

    The right clustering often has clusters of the left one.
    """
    rng = np.random.default_rng(seed)
    for case in islice(cycle(("1a", "1b", "2a", "2b")), count):
        n = int(rng.integers(4, 10))
        move = _random_move(rng, n, case)
        known = sorted(move.before | move.after, key=sorted)
        common = {cluster for cluster in known if rng.random() < 0.5}
        yield Trial(move, random_clustering(rng, n) | common, n)


def _random_move(rng: np.random.Generator, n: int, case: str) -> Move:
    """Draw clusterings until one allows a move of the given case."""
    while True:
        every = moves(random_clustering(rng, n), n)
        possible = [move for move in every if move.case == case and not move.collapses]
        if possible:
            return possible[rng.integers(len(possible))]


def random_clustering(rng: np.random.Generator, n: int) -> Sets:
    """Draw up to three clusters of some of the objects; the others are outliers."""
    clustered = rng.permutation(n)[: rng.integers(1, n + 1)]
    sizes = rng.integers(1, len(clustered) + 1, size=rng.integers(0, 4))
    return frozenset(frozenset(rng.permutation(clustered)[:size].tolist()) for size in sizes)
