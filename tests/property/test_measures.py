"""Properties of all measures, and relations between them, for any clusterings."""

from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import coverlap as cv
from tests import naive, naive_measures
from tests.naive_measures import MEASURES
from tests.property.strategies import labels, pairs
from tests.treatments import TREATMENTS

EXACT = settings(derandomize=True, deadline=None, max_examples=60)
MANY = settings(derandomize=True, deadline=None, max_examples=300)
OUTLIERS_AS = st.sampled_from([None, "singletons", "cluster"])
WAYS = st.sampled_from([*TREATMENTS.values()])
DROPS = st.sampled_from([None, "left", "right", "either", "both"])


def near(value, tolerance=1e-10):
    return pytest.approx(float(value), rel=0, abs=tolerance)


def over(clusters, n):
    return cv.Clustering.from_clusters(clusters, universe=n)


def attempt(*arguments, **options):
    """Return a score, or None if the measure is undefined."""
    try:
        return cv.score(*arguments, **options)
    except cv.UndefinedError:
        return None


@st.composite
def partitions(draw, max_objects=12):
    """Draw two partitions as lists of labels; often they are equal, or right is finer."""
    n = draw(st.integers(0, max_objects))
    one, other = ([abs(label) for label in draw(labels(n))] for _ in range(2))
    split = [2 * label + draw(st.integers(0, 1)) for label in one]
    return one, draw(st.sampled_from([other, other, other, one, split]))


def expected_of(left, right, n, measure, **options):
    """Return the score of the oracle, or None if the measure is undefined."""
    try:
        value = naive_measures.score(left, right, n, measure, **options)
    except naive_measures.NotDefinedError:
        return None
    return near(value, 1e-12 if measure in naive_measures.RATIONAL else 1e-10)


@pytest.mark.slow
@MANY
@given(pair=pairs(), outliers_as=OUTLIERS_AS, drop_outliers=DROPS)
def test_scores_are_those_of_the_definitions_wherever_there_are_any(
    pair, outliers_as, drop_outliers
):
    n, left, right = pair
    options = {"outliers_as": outliers_as, "drop_outliers": drop_outliers}
    for measure in MEASURES:
        found = attempt(over(left, n), over(right, n), measure, **options)
        assert found == expected_of(left, right, n, measure, **options), measure


@pytest.mark.slow
@MANY
@given(pair=partitions())
def test_scores_of_partitions_are_those_of_the_definitions(pair):
    left, right = (
        [{i for i, label in enumerate(side) if label == name} for name in set(side)]
        for side in pair
    )
    for measure in MEASURES:
        found = cv.score(*pair, measure)
        assert found == expected_of(left, right, len(pair[0]), measure), measure


@EXACT
@given(pair=pairs(), treatment=WAYS)
def test_placing_outliers_is_the_same_as_placing_them_by_hand(pair, treatment):
    n, left, right = pair
    left, right, objects = naive_measures.compared(left, right, n, **treatment)
    given_sides = over(pair[1], n), over(pair[2], n)
    by_hand = [cv.Clustering.from_clusters(side, universe=objects) for side in (left, right)]
    for measure in MEASURES:
        found = attempt(*given_sides, measure, **treatment)
        assert found == attempt(*by_hand, measure), measure


@pytest.mark.slow
@EXACT
@given(pair=pairs())
def test_clusterings_that_differ_nowhere_score_as_equal_and_none_is_nan(pair):
    n, left, right = pair
    one, other = over(left, n), over(right, n)
    same = set(naive.normalise(left)) == set(naive.normalise(right))
    for name, measure in {**cv.MEASURES, **cv.MEASURES.aliases}.items():
        for treatment in TREATMENTS.values():
            found = attempt(one, other, name, **treatment)
            assert found is None or found == found, name  # noqa: PLR0124
            if same and found is not None and measure.identical is not None:
                assert found == measure.identical, name


@EXACT
@given(pair=pairs())
def test_omega_and_ecs_take_outliers_for_singletons_and_exact_and_fstar_w_for_nothing(pair):
    n, left, right = pair
    one, other = over(left, n), over(right, n)
    for measure in ("omega", "omega_raw", "ecs"):
        placed = cv.score(one, other, measure, outliers_as="singletons")
        assert cv.score(one, other, measure) == near(placed, 1e-12)
    for measure in ("fstar_w", "exact_precision", "exact_recall", "exact_f1"):
        wider = over(left, n + 3), over(right, n + 3)
        assert cv.score(*wider, measure) == cv.score(one, other, measure)


@EXACT
@given(pair=pairs())
def test_only_equal_clusterings_have_all_clusters_in_common(pair):
    n, left, right = pair
    same = set(naive.normalise(left)) == set(naive.normalise(right))
    assert (cv.score(over(left, n), over(right, n), "exact_f1") == 1.0) is same


@EXACT
@given(pair=partitions())
def test_measures_of_partitions_are_functions_of_each_other(pair):
    left, right = pair
    assume(len(left) > 1)
    found = {measure: cv.score(left, right, measure) for measure in MEASURES}
    assert found["omega"] == near(found["ari"], 1e-12)
    assert found["omega_raw"] == near(found["rand"], 1e-12)
    jaccard, rand = found["pair_jaccard"], found["rand"]
    assert found["pair_f1"] == near(2 * jaccard / (1 + jaccard), 1e-12)
    assert found["rogers_tanimoto"] == near(rand / (2 - rand), 1e-12)
    product = found["pair_precision"] * found["pair_recall"]
    assert found["fowlkes_mallows"] == near(sqrt(product), 1e-12)
    entropies = [cv.score(side, side, "mi") for side in (left, right)]
    assert found["vi"] == near(sum(entropies) - 2 * found["mi"])
    assert found["v"] == near(found["nmi"])
    falling = [found[name] for name in ("nmi_min", "nmi_sqrt", "nmi", "nmi_max", "nmi_joint")]
    assert all(one > two or one == near(two) for one, two in pairwise(falling))


@EXACT
@given(pair=partitions())
def test_ecs_of_partitions_is_the_mean_share_of_the_larger_cluster_of_every_object(pair):
    left, right = pair
    n = len(left)
    sides = [[{i for i in range(n) if side[i] == side[item]} for item in range(n)] for side in pair]
    shares = [len(c & d) / max(len(c), len(d)) for c, d in zip(*sides, strict=True)]
    for alpha in (0.3, 0.9):
        expected = sum(shares) / n if n else 1.0
        assert cv.score(left, right, "ecs", alpha=alpha) == near(expected, 1e-12)


@pytest.mark.slow
@EXACT
@given(pair=pairs(), shift=st.integers(1, 5))
def test_other_objects_of_the_same_structure_give_the_same_score(pair, shift):
    n, left, right = pair
    moved = [
        cv.Clustering.from_clusters(
            [{(item + shift) % n for item in cluster} for cluster in side], universe=n
        )
        for side in (left, right)
    ]
    for measure in MEASURES:
        one = attempt(over(left, n), over(right, n), measure)
        other = attempt(*moved, measure)
        assert other is one is None or other == near(one, 1e-12), measure
