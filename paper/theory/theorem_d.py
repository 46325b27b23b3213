"""Theorem D: the expected score if the objects of one side are permuted at random.

Without overlaps it has an exact formula. With overlaps it counts the independent sets of graphs.
docs/theory.md has the proofs.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import comb

from paper.theory.check import NOT_STATED, Check
from paper.theory.exact_scores import Sets, exact_score, rename, sets, span

Sizes = Sequence[int]

CASES: Mapping[str, tuple[Sets, Sets, int]] = {
    "sizes 2, 2 and 3, 1": (sets({0, 1}, {2, 3}), sets({0, 1, 2}, {3}), 4),
    "outliers on one side": (sets({0, 1, 2}, {3, 4}, {5}), sets({0, 1}, {2, 3}), 6),
    "outliers on both sides": (sets({0, 1}, {2, 3, 4}), sets({0, 1, 2, 3}), 6),
    "no clusters on one side": (sets(), sets({0, 1}, {2}), 5),
    "no clusters at all": (sets(), sets(), 3),
    "one object": (sets({0}), sets({0}), 1),
    "singletons": (sets({0}, {1}, {2}, {3}, {4}), sets({0, 1, 2, 3, 4}), 5),
}
"""Pairs without overlaps for which all permutations are tried."""


def count_below(own: int, sizes: Sizes, n: int, limit: Fraction) -> int:
    """Count the sets of `own` objects whose Jaccard index with no cluster exceeds the limit.

    The clusters are disjoint and have the given sizes; the other objects of n are in none.
    """
    counts = [comb(n - sum(sizes), i) for i in range(own + 1)]
    for size, number in sorted(Counter(sizes).items()):
        most = limit * (own + size) // (1 + limit)
        allowed = [comb(size, i) if i <= most else 0 for i in range(own + 1)]
        for _ in range(number):
            counts = _product(counts, allowed)
    return counts[own]


def _product(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Multiply two polynomials, and keep as many coefficients as they have."""
    terms = [(j, value) for j, value in enumerate(other) if value]
    return [
        sum(one[i - j] * value for j, value in terms if j <= i) for i in range(len(one))
    ]  # fmt: skip


def expected_best(own: int, sizes: Sizes, n: int) -> Fraction:
    """Return the expected similarity of a random set of `own` objects to its best match."""
    values = {Fraction(i, own + size - i) for size in sizes for i in range(min(own, size) + 1)}
    expected, every = Fraction(0), comb(n, own)
    ordered = sorted(values | {Fraction(0)})
    for low, high in pairwise(ordered):
        expected += (high - low) * (1 - Fraction(count_below(own, sizes, n, low), every))
    return expected


def expected_direction(own: Sizes, sizes: Sizes, n: int, *, covered: int | None = None) -> Fraction:
    """Return the expected score of one direction, from clusters that may overlap.

    `covered` is the number of objects in clusters of the first side, by default without overlaps.
    """
    clustered = sum(own) if covered is None else covered
    mean = Fraction(0)
    for size, number in Counter(own).items():
        mean += Fraction(number * size, sum(own)) * expected_best(size, sizes, n)
    outliers, others = n - clustered, n - sum(sizes)
    of_outliers = expected_best(outliers, [others], n) if outliers and others else Fraction(0)
    return (clustered * mean + outliers * of_outliers) / n


def expected_score(left: Sizes, right: Sizes, n: int) -> Fraction:
    """Return the expected F*_wo of two clusterings without overlaps, from their sizes."""
    return (expected_direction(left, right, n) + expected_direction(right, left, n)) / 2


def mean_over_permutations(left: Sets, right: Sets, n: int) -> Fraction:
    """Return the mean score over all permutations of the objects of the right side."""
    renamed = Counter(rename(right, names) for names in permutations(range(n)))
    scores = (number * exact_score(left, one, n).score for one, number in renamed.items())
    return sum(scores, Fraction(0)) / renamed.total()


def graphs() -> dict[str, Sets]:
    """Return graphs without isolated vertices, as clusterings whose clusters are the edges."""
    pairs = list(map(frozenset, combinations(range(4), 2)))
    every = (frozenset(some) for size in range(7) for some in combinations(pairs, size))
    small = [edges for edges in every if len(frozenset().union(*edges)) == 4]
    named = {f"graph {i} of 4 vertices": edges for i, edges in enumerate(small)}
    outer = [{i, (i + 1) % 5} for i in range(5)]
    inner = [{5 + i, 5 + (i + 2) % 5} for i in range(5)]
    spokes = [{i, 5 + i} for i in range(5)]
    return named | {
        "cycle of 5": sets(*outer),
        "complete bipartite 3, 3": sets(*({i, 3 + j} for i in range(3) for j in range(3))),
        "Petersen graph": sets(*outer, *inner, *spokes),
    }


def independent_sets(edges: Sets, n: int) -> list[int]:
    """Count the independent sets of a graph by their sizes, from the definition."""
    counts = [0] * (n + 1)
    for size in range(n + 1):
        for some in map(frozenset, combinations(range(n), size)):
            counts[size] += not any(edge <= some for edge in edges)
    return counts


def independent_sets_from_scores(edges: Sets, n: int) -> list[Fraction]:
    """Count the same from expected scores of one cluster against the edges."""
    counts = [Fraction(1), Fraction(n)]
    for size in range(2, n + 1):
        expected = _mean_over_places(edges, size, n)
        back = expected_direction([2] * len(edges), [size], n, covered=n)
        best = (2 * expected - back) * n / size
        low, high = Fraction(1, size + 1), Fraction(2, size)
        counts.append((high - best) / (high - low) * comb(n, size))
    return counts


def _mean_over_places(edges: Sets, size: int, n: int) -> Fraction:
    """Return the mean score of one cluster of each set of the given size, and the edges."""
    placed = [sets(some) for some in combinations(range(n), size)]
    return sum((exact_score(one, edges, n).score for one in placed), Fraction(0)) / len(placed)


def check_theorem_d() -> list[Check]:
    """Check the formula, and the reduction."""
    return [_check_formula(CASES.values()), _check_reduction()]


def _check_formula(cases: Iterable[tuple[Sets, Sets, int]]) -> Check:
    equal = [
        expected_score([*map(len, left)], [*map(len, right)], n)
        == mean_over_permutations(left, right, n)
        for left, right, n in cases
    ]
    return Check(
        "Theorem D, formula",
        "Without overlaps, the expected score under permutation is given by the formula.",
        NOT_STATED, all(equal),
        f"equal as fractions to the mean over all permutations of up to 6 objects in {sum(equal)} "
        f"of {len(equal)} cases, with outliers on no, one and both sides and without clusters",
    )  # fmt: skip


def _check_reduction() -> Check:
    numbers = {name: len(span(0, 0).union(*edges)) for name, edges in graphs().items()}
    counts = {name: independent_sets(edges, numbers[name]) for name, edges in graphs().items()}
    equal = [
        independent_sets_from_scores(edges, numbers[name]) == counts[name]
        for name, edges in graphs().items()
    ]
    return Check(
        "Theorem D, hardness",
        "With overlaps on the searched side, expected scores count independent sets of graphs.",
        NOT_STATED, all(equal) and sum(counts["Petersen graph"]) == 76,
        f"{len(equal)} graphs of 4 to 10 vertices: the numbers of independent sets of every size "
        f"follow from expected scores, for the Petersen graph {sum(counts['Petersen graph'])}",
    )  # fmt: skip
