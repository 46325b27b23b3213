"""Weighted F* of thousands of random pairs equals exact fractions, and replicated objects."""

import pytest

from coverlap import Clustering, compare, fstar_score
from tests import naive, naive_weights
from tests.measures.examples import covers, over, random_options


def integer_weights(random, n):
    """Draw weights of 0, small integers and, in some, large ones."""
    largest = random.choice([1, 3, 100, 2**40])
    drawn = [random.choice([0, 1, random.randint(0, largest)]) for _ in range(n)]
    return drawn if any(drawn) else [1] * n


def float_weights(random, n):
    """Draw floats of similar size, of very different sizes, or of few bits."""
    scale = random.choice([0, 2, 40, 250])
    draw = random.choice([
        lambda: random.random() * 10 ** random.uniform(-scale, scale),
        lambda: random.choice([0.0, 0.1, 0.3, 1 / 3]),
        lambda: random.randint(0, 8) / 8,
    ])  # fmt: skip
    drawn = [draw() for _ in range(n)]
    return drawn if any(drawn) else [1.0] * n


def cases(seed, number, draw):
    """Yield pairs of clusterings, weights with which something is compared, and options."""
    for random, n, left, right in covers(seed, number, max_objects=12):
        weights, options = draw(random, n), random_options(random, "fstar")
        del options["outliers_as"], options["duplicates"]
        options["outliers"] = random.random() < 0.7
        if not naive_weights.kept(left, right, range(n), weights, options["drop_outliers"]):
            options["drop_outliers"] = None  # else all that is left may weigh nothing, an error
        yield random, n, left, right, weights, options


def sizes(few, many):
    """Return numbers of cases: few, and many for slow tests."""
    return pytest.mark.parametrize("number", [few, pytest.param(many, marks=pytest.mark.slow)])


@pytest.mark.parametrize("draw", [integer_weights, float_weights])
@sizes(150, 1500)
def test_weighted_scores_equal_exact_fractions_for_every_option(number, draw):
    for _, n, left, right, weights, options in cases(f"exact {draw.__name__}", number, draw):
        score = fstar_score(over(left, n), over(right, n), weights=weights, **options)
        expected = naive_weights.fstar(left, right, range(n), weights, **options)
        near = pytest.approx(float(expected), rel=0, abs=2e-15)
        assert score == near, (n, left, right, weights, options)
        is_metric = options["outliers"] and options["similarity"] in ("jaccard", "f1")
        if is_metric and 0 < options["balance"] < 1:
            assert (score == 1) == (expected == 1), (n, left, right, weights, options)


@sizes(100, 700)
def test_integer_weights_equal_replicated_objects_to_the_bit(number):
    for random, n, left, right, _, options in cases("copies", number, integer_weights):
        weights = [random.randint(1, 5) for _ in range(n)]
        copies = {i: [(i, k) for k in range(weights[i])] for i in range(n)}
        replicated = (
            Clustering.from_clusters(
                [[copy for i in cluster for copy in copies[i]] for cluster in side],
                universe=[copy for i in range(n) for copy in copies[i]],
            )
            for side in (left, right)
        )
        weighted = fstar_score(over(left, n), over(right, n), weights=weights, **options)
        expected = fstar_score(*replicated, **options)
        assert weighted == expected, (n, left, right, weights, options)


@sizes(60, 700)
def test_order_sides_names_and_powers_of_two_do_not_change_a_bit(number):
    for random, n, left, right, weights, options in cases("order", number, float_weights):
        options |= {"balance": 0.5, "similarity": random.choice(["jaccard", "f1"])}
        options["drop_outliers"] = None
        score = fstar_score(over(left, n), over(right, n), weights=weights, **options)
        assert fstar_score(over(right, n), over(left, n), weights=weights, **options) == score
        factor = 2.0 ** random.choice([-20, -1, 31])
        scaled = [weight * factor for weight in weights]
        assert fstar_score(over(left, n), over(right, n), weights=scaled, **options) == score
        places = random.sample(range(n), n)
        shuffled = [[{places[i] for i in cluster} for cluster in side] for side in (left, right)]
        moved = {places[i]: weight for i, weight in enumerate(weights)}
        random.shuffle(shuffled[0])
        sides = (over(side, n) for side in shuffled)
        assert fstar_score(*sides, weights=moved, **options) == score, (n, left, right, weights)


def test_the_best_matches_are_those_of_the_oracle():
    for _, n, left, right, weights, _ in cases("matches", 100, integer_weights):
        objects = naive_weights.kept(left, right, range(n), weights)
        one, other = naive.normalise(left, objects), naive.normalise(right, objects)
        matching = compare(over(left, n), over(right, n), weights=weights).matching
        for own, others, side in ((one, other, matching.left), (other, one, matching.right)):
            assert side.sizes.tolist() == [naive_weights.weigh(c, weights) for c in own]
            found = [naive_weights.best_match(c, others, weights, "jaccard") for c in own]
            assert side.match.tolist() == [-1 if at is None else at for at, _ in found]
            assert side.similarity.tolist() == [float(value) for _, value in found]


@pytest.mark.parametrize("draw", [integer_weights, float_weights])
@sizes(60, 700)
def test_the_losses_add_up_to_what_the_score_lacks(number, draw):
    for _, n, left, right, weights, options in cases(f"losses {draw.__name__}", number, draw):
        result = compare(over(left, n), over(right, n), weights=weights, **options)
        lost = pytest.approx(1 - result.score, rel=0, abs=1e-12)
        for table in (result, result.losses(), result.objects()):
            losses = table.columns()["loss"]
            assert sum(losses) == lost, (table, n, left, right, weights, options)
            assert min(losses, default=0) >= 0
