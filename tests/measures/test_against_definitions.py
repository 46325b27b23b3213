"""Every measure equals its definition, and has the properties that the registry states."""

from random import Random

import pytest

import coverlap as cv
from tests import naive, naive_measures
from tests.marks import slow_after
from tests.measures.examples import covers, lopsided, partitions
from tests.naive_measures import MEASURES, NotDefinedError
from tests.treatments import TREATMENTS

ALL_MEASURES = {**cv.MEASURES, **cv.MEASURES.aliases}
WAYS = list(TREATMENTS.values())
COVER_MEASURES = [name for name in MEASURES if name in naive_measures.OVERLAPS]
PARTITION_MEASURES = [name for name in MEASURES if name not in naive_measures.OVERLAPS]
ONMI = [name for name in MEASURES if name.startswith("onmi")]


def over(clusters, n):
    return cv.Clustering.from_clusters(clusters, universe=n)


def near(value, measure):
    tolerance = 1e-12 if measure in naive_measures.RATIONAL else 1e-10
    return pytest.approx(float(value), rel=0, abs=tolerance)


def check(sides, example, measure, **options):
    """Compare a score with that of the oracle; both may be undefined."""
    n, left, right = example
    try:
        expected = naive_measures.score(left, right, n, measure, **options)
    except NotDefinedError:
        expected = None
    found = attempt(*sides, measure, **options)
    if expected is None or found is None:
        assert found is expected, (measure, options, example)
    else:
        assert type(found) is float
        assert found == near(expected, measure), (measure, options, example)


def attempt(*arguments, **options):
    """Return a score, or None if the measure is undefined."""
    try:
        return cv.score(*arguments, **options)
    except cv.UndefinedError:
        return None


# Values


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_scores_of_random_covers_are_those_of_the_definitions(seed):
    for i, (random, n, left, right) in enumerate(covers(seed, 500)):
        sides = over(left, n), over(right, n)
        for measure in COVER_MEASURES:
            check(sides, (n, left, right), measure, **WAYS[i % 4])
        for measure in random.sample(PARTITION_MEASURES, 2):
            check(sides, (n, left, right), measure, **WAYS[i % 4])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_scores_of_random_partitions_are_those_of_the_definitions(seed):
    for i, (random, n, left, right) in enumerate(partitions(seed, 500, outliers=True)):
        sides = over(left, n), over(right, n)
        for measure in (*PARTITION_MEASURES, *random.sample(COVER_MEASURES, 4)):
            check(sides, (n, left, right), measure, **WAYS[i % 4])


@pytest.mark.slow
def test_scores_of_larger_covers_are_those_of_the_definitions():
    for i, (_, n, left, right) in enumerate(covers(20, 40, max_objects=40)):
        for measure in COVER_MEASURES:
            check((over(left, n), over(right, n)), (n, left, right), measure, **WAYS[i % 4])


@pytest.mark.slow
def test_scores_of_larger_partitions_are_those_of_the_definitions():
    for i, (_, n, left, right) in enumerate(partitions(20, 40, max_objects=60, outliers=True)):
        for measure in MEASURES:
            check((over(left, n), over(right, n)), (n, left, right), measure, **WAYS[i % 4])


@pytest.mark.parametrize(
    "drop_outliers",
    slow_after(1, ["either", "left", "right", "both"]),
)
def test_outliers_are_dropped_before_they_are_placed(drop_outliers):
    examples = [*covers(21, 100), *partitions(21, 100, outliers=True)]
    for i, (random, n, left, right) in enumerate(examples):
        sides = over(left, n), over(right, n)
        for measure in random.sample(list(MEASURES), 10):
            options = {
                "drop_outliers": drop_outliers,
                "outliers_as": (None, "singletons", "cluster")[i % 3],
            }
            check(sides, (n, left, right), measure, **options)


@pytest.mark.parametrize("measure", slow_after(2, ONMI))
def test_onmi_without_disjoint_pairs_is_that_of_the_definition_without_them(measure):
    for _, n, left, right in covers(22, 300):
        full = frozenset(range(n))
        if measure == "onmi_lfk" and full in left and full in right:
            continue  # McDaid's program never matches such a cluster
        check((over(left, n), over(right, n)), (n, left, right), measure, variant="mcdaid")


@pytest.mark.parametrize("measure", ONMI)
def test_clusters_that_share_nothing_inform_on_each_other_by_definition(measure):
    differing = 0
    for _, n, left, right in lopsided(0, 60):
        sides = over(left, n), over(right, n)
        found = []
        for variant in ("definition", "mcdaid"):
            check(sides, (n, left, right), measure, variant=variant)
            found.append(cv.score(*sides, measure, variant=variant))
        differing += found[0] > found[1]
    assert differing > 20


def test_onmi_over_the_smaller_entropy_or_the_geometric_mean_may_exceed_one():
    half = frozenset(range(50))
    left, right = [half], [half | {item} for item in range(50, 60)]
    for measure in ("onmi_min", "onmi_sqrt"):
        check((over(left, 100), over(right, 100)), (100, left, right), measure)
        assert cv.score(over(left, 100), over(right, 100), measure) > 1.5


@pytest.mark.parametrize("alpha", [0.05, 0.5, 0.85, 0.99])
def test_ecs_follows_alpha(alpha):
    for _, n, left, right in covers(23, 150):
        check((over(left, n), over(right, n)), (n, left, right), "ecs", alpha=alpha)


def test_ecs_is_the_exact_fraction():
    for _, n, left, right in covers(24, 80, max_objects=6):
        sides = naive_measures.compared(left, right, n)
        expected = naive_measures.ecs_exact(*sides)
        found = cv.score(over(left, n), over(right, n), "ecs")
        assert found == pytest.approx(float(expected), rel=0, abs=1e-12), (n, left, right)
        assert naive_measures.ecs(*sides) == pytest.approx(float(expected), rel=0, abs=1e-12)


@pytest.mark.parametrize("measure", ["fstar_wo", "fstar_w"])
def test_fstar_takes_its_options_by_name_of_measure_too(measure):
    for random, n, left, right in covers(25, 100):
        options = {
            "similarity": random.choice(list(naive.SIMILARITIES)),
            "average": random.choice(["size", "equal"]),
            "balance": random.choice([0.0, 0.25, 0.5, 1.0]),
        }
        check((over(left, n), over(right, n)), (n, left, right), measure, **options)


# Exact decisions in cases where rounding would decide with floats


def test_a_tie_of_onmi_leaves_the_entropy_of_the_cluster_as_it_is():
    # Here a=4, b=2, c=1, d=1, n=8, and h(4) = h(2), so h(a) + h(d) is not more than h(b) + h(c).
    left, right = [frozenset({0, 5})], [frozenset({0, 4, 7})]
    for measure in ONMI:
        assert cv.score(over(left, 8), over(right, 8), measure) == 0.0, measure


TIES = [(4, 2, 1, 1), (16, 24, 7, 7)]
"""Numbers of objects in neither, in one, in the other and in both of two dependent clusters."""


@pytest.mark.parametrize("times", [1, 2, 3, 5, 7, 10, 41, 1000])
@pytest.mark.parametrize("counts", TIES)
def test_ties_of_onmi_are_decided_exactly_where_floats_round(counts, times):
    for a, b, c, d in (counts, counts[::-1]):
        n = a + b + c + d
        assert n ** (a + d) * b**b * c**c == n ** (b + c) * a**a * d**d
        assert n * d != (b + d) * (c + d)
        left, right = set(range((c + d) * times)), set(range(c * times, (c + d + b) * times))
        for sides in ((left, right), (right, left)):
            for measure in ONMI:
                found = cv.score([sides[0]], [sides[1]], measure, n_objects=n * times)
                assert found == 0.0, (measure, a, b, c, d)


def test_information_of_independent_partitions_is_exactly_zero():
    for rows, columns in ((2, 2), (2, 3), (3, 5), (7, 11)):
        n = rows * columns
        left, right = [i // columns for i in range(n)], [i % columns for i in range(n)]
        for measure in ("mi", "nmi", "nmi_min", "nmi_joint", "homogeneity", "completeness", "v"):
            assert cv.score(left, right, measure) == 0.0, (measure, rows, columns)


@pytest.mark.slow
def test_ami_of_singletons_or_one_cluster_is_exactly_zero_unless_the_sides_are_equal():
    for _, n, left, _ in partitions(26, 200):
        for special in ([frozenset(range(n))], [frozenset({i}) for i in range(n)]):
            if n:
                expected = float(set(left) == set(special))
                for measure in ("ami", "ami_min", "ami_sqrt", "ami_max"):
                    assert cv.score(over(left, n), over(special, n), measure) == expected
                    assert cv.score(over(special, n), over(left, n), measure) == expected


# The registry


def test_the_registry_holds_these_measures_by_name():
    assert {*ALL_MEASURES} == {*MEASURES, "onmi", "onmi_max"}
    for name, measure in ALL_MEASURES.items():
        assert measure.name == name
        assert measure.title
        assert measure.reference


@pytest.mark.parametrize("name", MEASURES)
def test_the_registry_says_what_the_definition_says(name):
    measure = cv.MEASURES[name]
    assert measure.symmetric is (name not in naive_measures.ASYMMETRIC)
    assert (measure.overlaps == "native") is (name in naive_measures.OVERLAPS)
    assert measure.overlaps in {"native", "undefined"}
    assert measure.outliers == naive_measures.OUTLIERS[name]
    assert measure.identical == naive_measures.IDENTICAL[name]
    low, high = measure.range
    assert low < high


def facts(seed):
    yield from covers(seed, 200)
    yield from partitions(seed, 200, outliers=True)


@pytest.mark.slow
def test_symmetric_measures_give_the_same_float_with_the_sides_exchanged():
    for i, (_, n, left, right) in enumerate(facts(30)):
        one, other, options = over(left, n), over(right, n), WAYS[i % 4]
        for name, measure in ALL_MEASURES.items():
            if measure.symmetric:
                there, back = (
                    attempt(one, other, name, **options),
                    attempt(other, one, name, **options),
                )
                assert there == back, (name, n, left, right, options)
        for name, mirrored in naive_measures.MIRRORED.items():
            there, back = (
                attempt(one, other, name, **options),
                attempt(other, one, mirrored, **options),
            )
            assert there == back, (name, n, left, right, options)


@pytest.mark.slow
def test_scores_lie_in_the_range_of_the_measure():
    for i, (_, n, left, right) in enumerate(facts(31)):
        one, other = over(left, n), over(right, n)
        for name, measure in ALL_MEASURES.items():
            found = attempt(one, other, name, **WAYS[i % 4])
            low, high = measure.range
            assert found is None or low <= found <= high, (name, n, left, right)


@pytest.mark.parametrize("name", [name for name in MEASURES if not name.endswith(("_w", "_wo"))])
def test_the_range_is_no_wider_than_the_scores(name):
    low, high = cv.MEASURES[name].range
    asymptotic = {"omega", "ari", "ami", "ami_min", "ami_sqrt", "ami_max", "fstar_adjusted"}
    if name not in asymptotic:
        assert low == 0.0
    assert high == 1.0 or name in {"mi", "vi", "split_join", "onmi_min", "onmi_sqrt"}


@pytest.mark.slow
def test_equal_clusterings_score_exactly_what_the_registry_says():
    for i, (random, n, left, _) in enumerate(facts(32)):
        one, same = over(left, n), over(random.sample(left, len(left)), n)
        for name, measure in ALL_MEASURES.items():
            found = attempt(one, same, name, **WAYS[i % 4])
            if found is not None and measure.identical is not None:
                assert found == measure.identical, (name, n, left)


def test_the_information_of_a_partition_on_itself_is_its_entropy():
    for _, n, left, _ in partitions(36, 100):
        expected = naive_measures.info.entropy(left, n) if n else 0
        assert cv.score(over(left, n), over(left, n), "mi") == near(expected, "mi")


def renamed(random: Random, clusters, n):
    """Return the same clustering with its clusters in another order and under other names."""
    names = ["b", "a", 7, -3, (1, 2), 10**20, "", b"x", *(f"c{i}" for i in range(60))]
    chosen = random.sample(names, len(clusters))
    return over(dict(zip(chosen, random.sample(clusters, len(clusters)), strict=True)), n)


@pytest.mark.slow
def test_another_order_or_naming_of_clusters_gives_the_same_float():
    for i, (random, n, left, right) in enumerate(facts(33)):
        sides, options = (over(left, n), over(right, n)), WAYS[i % 4]
        others = renamed(random, left, n), renamed(random, right, n)
        for name in MEASURES:
            one, two = attempt(*sides, name, **options), attempt(*others, name, **options)
            assert one == two, (name, n, left, right, options)


@pytest.mark.parametrize("threads", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_more_threads_give_the_same_float(threads):
    examples = [*covers(39, 20, max_objects=40), *partitions(39, 20, max_objects=60)]
    for _, n, left, right in examples:
        sides = over(left, n), over(right, n)
        for name in MEASURES:
            one = attempt(*sides, name, threads=1)
            assert attempt(*sides, name, threads=threads) == one, (name, n, left, right)


def test_an_undefined_score_is_a_value_error_that_says_what_is_in_the_way():
    assert issubclass(cv.UndefinedError, ValueError)
    assert issubclass(cv.UndefinedError, cv.CoverlapError)
    with pytest.raises(cv.UndefinedError, match="overlap"):
        cv.score([{0, 1}, {1, 2}], [{0, 1, 2}], "ari")
    with pytest.raises(cv.UndefinedError, match="outlier"):
        cv.score([0, 0, -1], [0, 1, 1], "ari")


def test_overlaps_that_go_with_the_dropped_outliers_are_no_overlaps():
    left, right = over([{0, 1}, {0, 1, 2}, {3}], 4), over([{0, 1}, {3}], 4)
    with pytest.raises(cv.UndefinedError):
        cv.score(left, right, "ari", outliers_as="singletons")
    assert cv.score(left, right, "ari", drop_outliers="either") == 1.0


# Functions for single measures


@pytest.mark.slow
def test_the_functions_of_their_own_are_the_measures_of_that_name():
    normalisations = {
        "max": "onmi_mgh", "min": "onmi_min", "sqrt": "onmi_sqrt", "mean": "onmi_mean",
        "joint": "onmi_joint",
    }  # fmt: skip
    for i, (_, n, left, right) in enumerate(facts(40)):
        sides, options = (over(left, n), over(right, n)), WAYS[i % 4]
        assert cv.omega_score(*sides, **options) == cv.score(*sides, "omega", **options)
        raw = cv.score(*sides, "omega_raw", **options)
        assert cv.omega_score(*sides, adjusted=False, **options) == raw
        assert cv.ecs_score(*sides, **options) == cv.score(*sides, "ecs", **options)
        by_alpha = cv.score(*sides, "ecs", alpha=0.5, **options)
        assert cv.ecs_score(*sides, alpha=0.5, **options) == by_alpha
        assert cv.onmi_score(*sides, **options) == cv.score(*sides, "onmi_mgh", **options)
        for normalization, measure in normalisations.items():
            for variant in ("definition", "mcdaid"):
                found = cv.onmi_score(
                    *sides, normalization=normalization, variant=variant, **options
                )
                assert found == cv.score(*sides, measure, variant=variant, **options)
        ari = attempt(*sides, "ari", **options)
        if ari is None:
            with pytest.raises(cv.UndefinedError):
                cv.ari_score(*sides, **options)
        else:
            assert cv.ari_score(*sides, **options) == ari


def test_the_measure_is_fstar_wo_unless_another_is_named():
    for _, n, left, right in covers(41, 50):
        sides = over(left, n), over(right, n)
        assert cv.score(*sides) == cv.score(*sides, "fstar_wo") == cv.fstar_score(*sides)
        assert cv.score(*sides, "fstar_w") == cv.fstar_score(*sides, outliers=False)
