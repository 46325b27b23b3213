"""F* is 1.0 if and only if it is exactly 1, however large the universe or uneven the balance."""

import math
from fractions import Fraction
from random import Random

import pytest

import coverlap as cv
from tests import naive

BELOW_ONE = math.nextafter(1, 0)


def direction(left, right, n_objects, similarity, average):
    """Return the exact score of one direction, without making the universe a set."""
    sizes = [n_objects - len(frozenset().union(*side)) for side in (left, right)]
    n_shared = n_objects - len(frozenset().union(*left, *right))
    matched = naive.fhat_w(left, right, similarity=similarity, average=average)
    outliers = naive.SIMILARITIES[similarity](n_shared, *sizes)
    share = Fraction(sizes[0], n_objects)
    return share * outliers + (1 - share) * matched


def exact(left, right, n_objects, *, balance=0.5, similarity="jaccard", average="size"):
    there = direction(left, right, n_objects, similarity, average)
    back = direction(right, left, n_objects, similarity, average)
    return Fraction(balance) * there + (1 - Fraction(balance)) * back


def random_pair(random):
    left = [set(random.sample(range(9), random.randint(1, 4))) for _ in range(3)]
    right = [set(cluster) for cluster in left]
    if random.random() < 0.6:
        right[0] ^= {random.randrange(9)}
    return naive.normalise(left), naive.normalise(right)


@pytest.mark.parametrize("n_objects", [9, 10**6, 2**53, 2**53 + 1, 2**54 + 3, 2**60 + 7, 2**63 - 1])
@pytest.mark.parametrize("similarity", ["jaccard", "f1", "precision", "recall"])
def test_scores_are_one_only_if_they_are_exactly_one(n_objects, similarity):
    random = Random(f"{n_objects} {similarity}")
    for _ in range(40):
        left, right = random_pair(random)
        options = {
            "balance": random.choice([0.0, 5e-324, 2**-60, 0.1, 0.5, BELOW_ONE, 1.0]),
            "average": random.choice(["size", "equal"]),
            "similarity": similarity,
        }
        result = cv.compare(left, right, n_objects=n_objects, **options)
        expected = exact(left, right, n_objects, **options)
        assert cv.fstar_score(left, right, n_objects=n_objects, **options) == result.score
        assert (result.score == 1.0) == (expected == 1), (left, right, options)
        assert result.score == pytest.approx(float(expected), rel=0, abs=2**-51)
        for part, sides in ((result.left, (left, right)), (result.right, (right, left))):
            one = direction(*sides, n_objects, similarity, options["average"]) == 1
            assert (part.score == 1.0) == one


def test_equal_clusterings_of_a_huge_universe_score_one():
    for n_objects in range(2**53 + 1, 2**53 + 2**9, 7):
        assert cv.fstar_score([{0, 1, 2}], [{2, 1, 0}], n_objects=n_objects) == 1.0


@pytest.mark.parametrize("balance", [BELOW_ONE, math.nextafter(0, 1), 1e-300, 0.5])
def test_other_clusterings_score_less_for_every_balance_inside_the_range(balance):
    pairs = ([0, 0, 1], [0, 1, 1]), ([{0, 1}], [{0, 1}, {1}]), ([{0, 1}, {1}], [{0, 1}])
    for left, right in pairs:
        for outliers in (True, False):
            assert cv.fstar_score(left, right, balance=balance, outliers=outliers) < 1.0
