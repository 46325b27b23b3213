"""Proposition 1, for every pair of clusterings of up to three objects."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import NamedTuple

import numpy as np

from coverlap.experiments.theory.check import SAME, Check, exactly
from coverlap.experiments.theory.exact import Sets, exact
from coverlap.experiments.theory.small import MOST, clusterings, relabelled, score_table
from coverlap.verbs.compare import fstar_score


class Pairs(NamedTuple):
    """All pairs of clusterings of n objects: what is in [0, 1], and where the score is 1.

    ``largest`` is the largest score of two that differ, ``error`` how far floats are off at most.
    """

    n: int
    n_pairs: int
    within: bool
    one_if_equal: bool
    symmetric: bool
    label_invariant: bool
    largest: Fraction
    error: float


def all_pairs(n: int) -> Pairs:
    """Score every pair of clusterings of n objects, and say what they have in common."""
    every = clusterings(n)
    pairs = list(combinations_with_replacement(every, 2))
    values = [exact(left, right, n) for left, right in pairs]
    table = score_table(n)
    return Pairs(
        n=n,
        n_pairs=len(pairs),
        within=all(0 <= value.score <= 1 and 0.0 <= value.rounded <= 1.0 for value in values),
        one_if_equal=all(
            (value.score == 1) == (value.rounded == 1.0) == (left == right)
            for (left, right), value in zip(pairs, values, strict=True)
        ),
        symmetric=bool((table == table.T).all()),
        label_invariant=all((table[np.ix_(to, to)] == table).all() for to in relabelled(n)),
        largest=max(
            value.score for (left, right), value in zip(pairs, values, strict=True) if left != right
        ),
        error=max(abs(value.rounded - float(value.score)) for value in values),
    )


def any_order(n: int) -> tuple[int, bool]:
    """Give the clusters in every order; return how many calls, and if no score has changed."""
    calls, same = 0, True
    for left, right in product(clusterings(n), repeat=2):
        expected = exact(left, right, n).rounded
        for orders in product(permutations(left), permutations(right)):
            calls += 1
            same &= fstar_score(*map(list, orders), universe=n) == expected
    return calls, same


def singletons_for_outliers(n: int) -> list[tuple[Sets, Fraction]]:
    """Score every clustering against what it becomes when one outlier is made a cluster."""
    found = []
    for clustering in clusterings(n):
        for x in set(range(n)).difference(*clustering):
            changed = clustering | {frozenset({x})}
            found.append((clustering, exact(clustering, changed, n).score))
    return found


def check_proposition_1() -> list[Check]:
    """Check the four properties that the paper asks of a measure."""
    pairs = [all_pairs(n) for n in range(1, MOST + 1)]
    tried = f"{_listed(f'{p.n_pairs:,}' for p in pairs)} pairs of clusterings of 1, 2 and 3 objects"
    calls, same = any_order(2)
    made = [score for n in range(1, MOST + 1) for _, score in singletons_for_outliers(n)]
    largest = _listed(exactly(p.largest) for p in pairs[1:])
    return [
        Check(
            "Proposition 1 (1)", "The score does not depend on names or order.", SAME,
            same and all(p.label_invariant for p in pairs),
            f"{tried}, under every renaming of the objects, and {calls:,} calls with the clusters "
            "of 2 objects in every order: the same float each time",
        ),
        Check(
            "Proposition 1 (2)", "The score is in [0, 1], and 1 only for equal clusterings.", SAME,
            all(p.within and p.one_if_equal for p in pairs),
            f"{tried}: in [0, 1], 1.0 for equal ones and no others; the largest scores of others "
            f"are {largest} for 2 and 3 objects; floats are off by at most "
            f"{max(p.error for p in pairs):.1g}",
        ),
        Check(
            "Proposition 1 (3)", "The score is symmetric.", SAME,
            all(p.symmetric for p in pairs), f"{tried}: the same float when sides are swapped",
        ),
        Check(
            "Proposition 1 (4)", "A cluster of one object is not the same as an outlier.", SAME,
            max(made) < 1,
            f"{len(made)} times an outlier was made a cluster: the scores are from "
            f"{exactly(min(made))} to {exactly(max(made))}",
        ),
    ]  # fmt: skip


def _listed(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}"
