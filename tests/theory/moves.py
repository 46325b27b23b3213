"""One object joins one cluster of the left clustering: the moves of Theorem 1.

A removal is an addition read backwards, so every move is written as an addition, and adding to
the empty cluster creates a singleton.
"""

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import NamedTuple

from tests import naive
from tests.theory import small
from tests.theory.small import Clustering

Cluster = frozenset[int]
EMPTY: Cluster = frozenset()


class Move(NamedTuple):
    """Object `x` joins `cluster` of `before`."""

    before: Clustering
    cluster: Cluster
    x: int

    @property
    def grown(self) -> Cluster:
        return self.cluster | {self.x}

    @property
    def after(self) -> Clustering:
        return (self.before - {self.cluster}) | {self.grown}

    @property
    def collapses(self) -> bool:
        """Whether the grown cluster is there already, so that two clusters become one."""
        return self.grown in self.before

    @property
    def kind(self) -> str:
        """What happens to which kind of object: the four cases of the paper's proof."""
        clustered = any(self.x in cluster for cluster in self.before)
        return ("join" if self.cluster else "create") + (" clustered" if clustered else " outlier")


class Case(NamedTuple):
    """A move on the left, a right clustering and the number of objects."""

    move: Move
    right: Clustering
    n: int


def mass(clustering: Clustering) -> int:
    """Return the number of memberships, A or B in the paper."""
    return sum(map(len, clustering))


def reach(right: Clustering, left: Clustering, cluster: Cluster, x: int) -> int:
    """Return gamma: the right clusters that hold `x` or match `cluster` of `left`.

    The paper does not say whether a tie is a match. Here it is not, which gives the least gamma
    and so the strongest claims. For the empty cluster this is the paper's Gamma.
    """
    others = left - {cluster}

    def matches(own: Cluster) -> bool:
        rest = max((naive.compare_sets(own, other) for other in others), default=Fraction(0))
        return naive.compare_sets(own, cluster) > rest

    return sum(x in own or matches(own) for own in right)


def bound(right: Clustering, gamma: int, n: int) -> Fraction:
    """Return what stands in the O of Theorem 1, with 0/0 for an empty `right` read as 1."""
    if not right:
        return Fraction(1, n)
    covered = n - len(naive.outliers(right, range(n)))
    return max(Fraction(1), Fraction(covered * gamma, mass(right))) / n


def change(case: Case) -> Fraction:
    """Return how far the move changes the score."""
    move, right, n = case
    before = naive.fstar(move.before, right, range(n))
    return abs(before - naive.fstar(move.after, right, range(n)))


def ratio(case: Case) -> Fraction:
    """Return the change over the bound, with gamma for the cluster without the object."""
    move, right, n = case
    return change(case) / bound(right, reach(right, *move), n)


def moves(clustering: Clustering, n: int) -> Iterator[Move]:
    """Yield every move, those that make two clusters coincide included."""
    for cluster in [EMPTY, *sorted(clustering, key=sorted)]:
        for x in sorted(set(range(n)) - cluster):
            move = Move(clustering, cluster, x)
            if move.after != clustering:
                yield move


def every_case(n: int) -> Iterator[Case]:
    """Yield every move of every left clustering against every right one."""
    for left in small.clusterings(n):
        for move in moves(left, n):
            yield from (Case(move, right, n) for right in small.clusterings(n))


def random_clustering(rng: Random, n: int) -> Clustering:
    covered = rng.sample(range(n), rng.randint(1, n))
    sizes = [rng.randint(1, len(covered)) for _ in range(rng.randint(0, 5))]
    return frozenset(frozenset(rng.sample(covered, size)) for size in sizes)


def random_cases(seed: int, count: int) -> Iterator[Case]:
    """Yield moves of 4 to 9 objects; the two sides often have clusters in common."""
    rng = Random(seed)
    for _ in range(count):
        n = rng.randint(4, 9)
        left, right = random_clustering(rng, n), random_clustering(rng, n)
        common = rng.sample(sorted(left, key=sorted), rng.randint(0, len(left)))
        yield Case(rng.choice(list(moves(left, n))), right.union(common), n)
