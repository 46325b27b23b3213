"""Theorem B: moving one object changes the score by less than (k + M) / 2n.

M is the largest number of right clusters that an object is in, divided by the mean over clustered
objects; k depends on the case of the move. docs/theory.md has the proof.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from paper.theory.check import NOT_STATED, Check
from paper.theory.exact_scores import EMPTY, Cluster, Sets, n_memberships, sets, span
from paper.theory.moves import Move, Trial, every_trial, random_trials
from paper.theory.small_clusterings import MAX_OBJECTS

N_RANDOM = 2000
SEED = 2602_14855 + 1

ADDED = {"1a": 2, "1b": 3, "2a": 1, "2b": 2}
"""The number k of the theorem, for each case of the move."""


def unevenness(right: Sets) -> Fraction:
    """Return the largest number of clusters of an object, over the mean of clustered objects."""
    if not right:
        return Fraction(1)
    numbers = Counter(x for cluster in right for x in cluster)
    return Fraction(max(numbers.values()) * len(numbers), n_memberships(right))


def share_of_bound(trial: Trial) -> Fraction:
    """Return the change of the score, divided by the bound of the theorem."""
    limit = (ADDED[trial.move.case] + unevenness(trial.right)) / (2 * trial.n)
    return trial.change() / limit


def join_clustered(size: int, m: int) -> Trial:
    """Let an object join a cluster that lies inside m right clusters; it is in another one."""
    cluster, x = span(0, size), size
    right = _nested(cluster | {x}, m)
    start = size + m
    large = span(start, start + size**2)
    far = span(start + size**2, start + (m + 1) * size**2)
    return Trial(
        Move(sets(cluster, large | {x}), cluster, x), right | {far}, start + len(large | far)
    )


def join_outlier(size: int, m: int) -> Trial:
    """Let an outlier join a cluster that lies inside m right clusters."""
    cluster, x = span(0, size), size
    far = span(size + m, size + m + m * size**2)
    right = _nested(cluster | {x}, m)
    n = size + m + len(far) + size  # the last ones are outliers of both sides
    return Trial(Move(sets(cluster, far), cluster, x), right | {far}, n)


def create_clustered(size: int, m: int) -> Trial:
    """Let an object of a large cluster make its own; m small right clusters contain it."""
    large, far = span(m, m + size**2), span(m + size**2, m + size**2 + m * size)
    return Trial(Move(sets(large | {0}), EMPTY, 0), _nested(span(0, 1), m) | {far}, max(far) + 1)


def create_outlier(size: int, m: int) -> Trial:
    """Let an outlier make its own cluster; m small right clusters contain it."""
    far = span(m, m + m * size)
    return Trial(Move(sets(far), EMPTY, 0), _nested(span(0, 1), m) | {far}, max(far) + 1 + size)


def _nested(cluster: Cluster, m: int) -> Sets:
    """Return the cluster, and m - 1 clusters with one object more each."""
    above = max(cluster) + 1
    return sets(cluster, *(cluster | {above + i} for i in range(m - 1)))


FAMILIES: Mapping[str, Callable[[int, int], Trial]] = {
    "1a": join_clustered,
    "1b": join_outlier,
    "2a": create_clustered,
    "2b": create_outlier,
}
"""For each case, moves for which M tends to m and the change to its bound, as the size grows."""


def largest_shares(trials: Iterable[Trial]) -> dict[str, tuple[int, Fraction]]:
    """Return, for each case, the number of moves and the largest share of the bound.

    Moves that make two clusters equal are left out, as the theorem excludes them.
    """
    found: dict[str, tuple[int, Fraction]] = dict.fromkeys(ADDED, (0, Fraction(0)))
    for trial in trials:
        if not trial.move.collapses:
            number, largest = found[trial.move.case]
            found[trial.move.case] = number + 1, max(largest, share_of_bound(trial))
    return found


def check_theorem_b() -> list[Check]:
    """Check the bound for many moves, and that families of moves approach it."""
    small = largest_shares(trial for n in range(1, MAX_OBJECTS + 1) for trial in every_trial(n))
    drawn = largest_shares(random_trials(N_RANDOM, SEED))
    return [_check_case(case, small[case], drawn[case]) for case in ADDED]


def _check_case(case: str, small: tuple[int, Fraction], drawn: tuple[int, Fraction]) -> Check:
    near = {m: [share_of_bound(FAMILIES[case](size, m)) for size in (10, 60)] for m in (1, 2, 3)}
    reached = ", ".join(f"{float(large):.4f} for m = {m}" for m, (_, large) in near.items())
    return Check(
        f"Theorem B ({case})",
        f"The score changes by less than ({ADDED[case]} + M) / 2n, M = max(Q) / mean(Q).",
        NOT_STATED,
        max(small[1], drawn[1]) < 1
        and all(Fraction(19, 20) < large < 1 and few < large for few, large in near.values()),
        f"largest share of the bound {float(small[1]):.4f} in all {small[0]:,} moves of up to "
        f"{MAX_OBJECTS} objects, {float(drawn[1]):.4f} in {drawn[0]:,} random ones; families of "
        f"moves reach {reached} at size 60",
    )
