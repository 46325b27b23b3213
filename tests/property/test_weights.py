"""Weighted F* of thousands of random pairs equals exact fractions, and replicated objects."""

from random import Random

import pytest

from coverlap import Clustering, compare, fstar_score
from tests import naive, naive_weights
from tests.property.test_fstar import over, random_pairs


def near(value):
    return pytest.approx(float(value), rel=0, abs=2e-15)


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


def random_options(random):
    return {
        "similarity": random.choice([*naive.SIMILARITIES]),
        "average": random.choice(["size", "equal"]),
        "outliers": random.random() < 0.7,
        "balance": random.choice([0.0, 0.1, 0.5, 0.8, 1.0]),
        "drop_outliers": random.choice([None, None, "left", "right", "either", "both"]),
    }


def cases(seed, number, draw):
    """Yield pairs of clusterings, weights with which something is compared, and options."""
    for random, n, left, right in random_pairs(seed, number):
        weights, options = draw(random, n), random_options(random)
        if not naive_weights.kept(left, right, range(n), weights, options["drop_outliers"]):
            options["drop_outliers"] = None  # else all that is left may weigh nothing, an error
        yield random, n, left, right, weights, options


def sizes(few, many):
    """Return numbers of cases: few, and many for slow tests."""
    return pytest.mark.parametrize("number", [few, pytest.param(many, marks=pytest.mark.slow)])


@pytest.mark.parametrize("draw", [integer_weights, float_weights])
@sizes(150, 5000)
def test_weighted_scores_equal_exact_fractions_for_every_option(number, draw):
    for _, n, left, right, weights, options in cases(f"exact {draw.__name__}", number, draw):
        score = fstar_score(over(left, n), over(right, n), weights=weights, **options)
        expected = naive_weights.fstar(left, right, range(n), weights, **options)
        assert score == near(expected), (n, left, right, weights, options)
        is_metric = options["outliers"] and options["similarity"] in ("jaccard", "f1")
        if is_metric and 0 < options["balance"] < 1:
            assert (score == 1) == (expected == 1), (n, left, right, weights, options)


@sizes(100, 2000)
def test_integer_weights_equal_replicated_objects_to_the_bit(number):
    for random, n, left, right, _, options in cases("copies", number, integer_weights):
        weights = [random.randint(1, 5) for _ in range(n)]
        copies = {i: [(i, k) for k in range(weights[i])] for i in range(n)}
        everything = [copy for i in range(n) for copy in copies[i]]
        one, other = (
            Clustering.from_clusters(
                [[copy for i in cluster for copy in copies[i]] for cluster in side],
                universe=everything,
            )
            for side in (left, right)
        )
        weighted = fstar_score(over(left, n), over(right, n), weights=weights, **options)
        assert weighted == fstar_score(one, other, **options), (n, left, right, weights, options)


@pytest.mark.parametrize("one", [1, 1.0, 4, 0.25])
def test_equal_weights_equal_no_weights_to_the_bit(one):
    for _, n, left, right, _, options in cases("ones", 60, integer_weights):
        sides = over(left, n), over(right, n)
        weighted = fstar_score(*sides, weights=[one] * n, **options)
        assert weighted == fstar_score(*sides, **options), (n, left, right, options)


@sizes(60, 1000)
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
@sizes(60, 1000)
def test_the_losses_add_up_to_what_the_score_lacks(number, draw):
    for _, n, left, right, weights, options in cases(f"losses {draw.__name__}", number, draw):
        result = compare(over(left, n), over(right, n), weights=weights, **options)
        lost = pytest.approx(1 - result.score, rel=0, abs=1e-12)
        for table in (result, result.losses(), result.objects()):
            losses = table.columns()["loss"]
            assert sum(losses) == lost, (table, n, left, right, weights, options)
            assert min(losses, default=0) >= 0


@sizes(150, 3000)
def test_the_weighted_distance_of_clusterings_without_overlaps_is_a_metric(number):
    """Check in fractions that 1 - F*_wo obeys the triangle inequality and separates clusterings."""
    random = Random("triangles")
    for _ in range(number):
        n = random.randint(1, 7)
        weights = [random.choice([1, random.randint(1, 9), 1000]) for _ in range(n)]
        labels = [[random.randint(-1, 3) for _ in range(n)] for _ in range(3)]
        sides = [
            [frozenset(i for i in range(n) if own[i] == label) for label in range(4)]
            for own in labels
        ]
        a, b, c = sides
        distances = [
            1 - naive_weights.fstar(x, y, range(n), weights) for x, y in ((a, b), (b, c), (a, c))
        ]
        assert 2 * max(distances) <= sum(distances), (weights, labels)
        assert (distances[0] == 0) == ({*a, frozenset()} == {*b, frozenset()}), (weights, labels)
