"""Scores, gamma and bounds of Theorem 1 by the definitions of `tests.naive`, in exact fractions.

Clusterings and moves are enumerated by `paper.theory`; nothing here uses coverlap.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from random import Random

from paper.theory.exact_scores import Cluster, Sets
from paper.theory.moves import Trial, moves
from paper.theory.small_clusterings import clusterings
from tests import naive


@cache
def scores(n: int) -> dict[tuple[Sets, Sets], Fraction]:
    """Return F*_wo of all ordered pairs; both orders are computed."""
    every = clusterings(n)
    return {(a, b): naive.fstar(a, b, range(n)) for a in every for b in every}


@cache
def one_sided(n: int) -> dict[tuple[Sets, Sets], Fraction]:
    """Return the mean similarity of the clusters of the first, of all ordered pairs."""
    every = clusterings(n)
    return {(a, b): naive.fhat_w(a, b) for a in every for b in every}


def gamma(right: Sets, left: Sets, cluster: Cluster, x: int) -> int:
    """Count the right clusters that contain `x` or match `cluster` of `left`.

    The paper leaves open whether a tie is a match. Here it is not, which gives the least gamma and
    so the strongest claims. For the empty cluster this is the paper's Gamma.
    """
    return sum(x in own or matches(own, left, cluster) for own in right)


@lru_cache(maxsize=10_000)
def matches(own: Cluster, left: Sets, cluster: Cluster) -> bool:
    """Return whether `own` is more similar to `cluster` than to all others of `left`."""
    others = left - {cluster}
    rest = max((naive.compare_sets(own, other) for other in others), default=Fraction(0))
    return naive.compare_sets(own, cluster) > rest


def trial_gamma(trial: Trial) -> int:
    """Count gamma for the cluster without the object."""
    return gamma(trial.right, trial.move.before, trial.move.cluster, trial.move.x)


def bound(right: Sets, gamma: int, n: int) -> Fraction:
    """Return the expression inside the O of Theorem 1, with 0/0 = 1 for an empty `right`."""
    if not right:
        return Fraction(1, n)
    n_clustered = n - len(naive.outliers(right, range(n)))
    return max(Fraction(1), Fraction(n_clustered * gamma, sum(map(len, right)))) / n


def change(trial: Trial) -> Fraction:
    """Return the absolute change of the score."""
    before, after = (
        naive.fstar(left, trial.right, range(trial.n))
        for left in (trial.move.before, trial.move.after)
    )
    return abs(before - after)


def change_left_to_right(trial: Trial) -> Fraction:
    """Return the change of the mean similarity of the left clusters."""
    move, right = trial.move, trial.right
    return abs(naive.fhat_w(move.before, right) - naive.fhat_w(move.after, right))


def change_right_to_left(trial: Trial) -> Fraction:
    """Return the change of the mean similarity of the right clusters."""
    move, right = trial.move, trial.right
    return abs(naive.fhat_w(right, move.before) - naive.fhat_w(right, move.after))


def ratio(trial: Trial) -> Fraction:
    """Return the change over the corrected bound."""
    return change(trial) / bound(trial.right, trial_gamma(trial), trial.n)


def random_trials(seed: int, count: int) -> Iterator[Trial]:
    """Yield moves of 4 to 9 objects; the two sides often have clusters in common."""
    rng = Random(seed)
    for _ in range(count):
        n = rng.randint(4, 9)
        left, right = random_clustering(rng, n), random_clustering(rng, n)
        common = rng.sample(sorted(left, key=sorted), rng.randint(0, len(left)))
        yield Trial(rng.choice(moves(left, n)), right.union(common), n)


def random_clustering(rng: Random, n: int) -> Sets:
    """Draw up to five clusters of some of the objects."""
    clustered = rng.sample(range(n), rng.randint(1, n))
    sizes = [rng.randint(1, len(clustered)) for _ in range(rng.randint(0, 5))]
    return frozenset(frozenset(rng.sample(clustered, size)) for size in sizes)
