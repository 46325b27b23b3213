"""Every measure equals its definition, and has the properties that the registry states."""

from functools import partial

import pytest

import coverlap as cv
from tests import naive_measures
from tests.marks import slow_after
from tests.measures.examples import (
    attempt,
    check,
    covers,
    lopsided,
    near,
    over,
    partitions,
    random_options,
    some_twice,
)
from tests.naive_measures import MEASURES, MIRRORED
from tests.treatments import TREATMENTS

ALL_MEASURES = {**cv.MEASURES, **cv.MEASURES.aliases}
WAYS = list(TREATMENTS.values())
ONMI = [name for name in MEASURES if name.startswith("onmi")]

with_outliers = partial(partitions, outliers=True)

# Values


@pytest.mark.parametrize(
    "examples",
    slow_after(
        3,
        [
            covers(0, 30),
            with_outliers(0, 30),
            lopsided(0, 10),
            covers(1, 600),
            with_outliers(1, 600),
            lopsided(1, 60),
            covers(20, 40, max_objects=40),
            with_outliers(20, 40, max_objects=60),
        ],
    ),
)
def test_scores_are_those_of_the_definitions(examples):
    for random, n, left, right in examples:
        if random.random() < 0.2:  # clusters that determine others without being like them
            left += [frozenset(range(n)) - cluster for cluster in left[:2]]
        for measure in MEASURES:
            options = random_options(random, measure)
            sides = left, right
            if options["duplicates"] == "keep":
                sides = [some_twice(random, side) for side in sides]
            check(n, *sides, measure, **options)


def test_disjoint_clusters_inform_on_each_other_only_by_the_definition():
    for measure in ONMI:
        differing = 0
        for _, n, left, right in lopsided(0, 60):
            sides = over(left, n), over(right, n)
            by_program = cv.score(*sides, measure, variant="mcdaid")
            differing += cv.score(*sides, measure) > by_program
        assert differing > 20


def test_onmi_over_the_smaller_entropy_or_the_geometric_mean_may_exceed_one():
    half = frozenset(range(50))
    left, right = [half], [half | {item} for item in range(50, 60)]
    for measure in ("onmi_min", "onmi_sqrt"):
        check(100, left, right, measure)
        found = cv.score(over(left, 100), over(right, 100), measure)
        assert 1.5 < found <= cv.MEASURES[measure].range[1]


def test_information_of_independent_partitions_is_exactly_zero():
    for rows, columns in ((2, 2), (2, 3), (3, 5), (7, 11), (22, 35)):
        n = rows * columns
        left, right = [i // columns for i in range(n)], [i % columns for i in range(n)]
        for measure in MEASURES:
            if measure.startswith(("mi", "nmi", "homogeneity", "completeness")) or measure == "v":
                assert cv.score(left, right, measure) == 0.0, (measure, rows, columns)


def test_the_information_of_a_partition_on_itself_is_its_entropy():
    for _, n, left, _ in partitions(36, 100):
        expected = naive_measures.info.entropy(left, n) if n else 0
        assert cv.score(over(left, n), over(left, n), "mi") == near(expected, "mi")


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
    assert measure.overlaps == ("native" if name in naive_measures.OVERLAPS else "undefined")
    assert measure.outliers == naive_measures.OUTLIERS[name]
    assert (measure.duplicates == "counted") is (name in naive_measures.COUNTING_DUPLICATES)
    assert measure.identical == naive_measures.IDENTICAL[name]
    low, high = measure.range
    if not name.startswith(("omega", "ari", "ami", "fstar_adjusted")) or name == "omega_raw":
        assert low == 0.0
    assert low < high
    assert high == 1.0 or name in {"mi", "vi", "split_join", "onmi_min", "onmi_sqrt"}


def facts(seed, number):
    yield from covers(seed, number)
    yield from with_outliers(seed, number)


@pytest.mark.parametrize(("seed", "number"), slow_after(1, [(30, 15), (33, 200)]))
def test_scores_lie_in_their_range_and_equal_clusterings_score_as_stated(seed, number):
    for i, (random, n, left, right) in enumerate(facts(seed, number)):
        shuffled = random.sample(left, len(left))
        twice = some_twice(random, left)
        same = [(over(left, n), over(shuffled, n))]
        same.append([over(side, n, duplicates="keep") for side in (twice, twice[::-1])])
        for name, measure in ALL_MEASURES.items():
            found = attempt(over(left, n), over(right, n), name, **WAYS[i % 4])
            low, high = measure.range
            assert found is None or low <= found <= high, (name, n, left, right)
            if measure.identical is None:
                continue
            # With repeated clusters, equal clusterings can exceed 1 by these two.
            for sides in same[: 1 if name in {"onmi_min", "onmi_sqrt"} else 2]:
                found = attempt(*sides, name, **WAYS[i % 4])
                assert found in {None, measure.identical}, (name, n, left)
                if name in ONMI and name != "onmi_lfk":
                    assert cv.score(*sides, name, variant="mcdaid") == 1.0, (name, n, left)


NAMES = ["b", "a", 7, -3, (1, 2), 10**20, "", b"x", *(f"c{i}" for i in range(60))]


def renamed(random, clusters, n):
    """Return the same clustering with its clusters in another order and under other names."""
    names = random.sample(NAMES, len(clusters))
    return over(dict(zip(names, random.sample(clusters, len(clusters)), strict=True)), n)


@pytest.mark.parametrize(("seed", "number"), slow_after(1, [(31, 15), (32, 200)]))
def test_swapped_sides_another_order_other_names_and_threads_give_the_same_float(seed, number):
    swapped = MIRRORED | {back: there for there, back in MIRRORED.items()} | {"purity": None}
    for i, (random, n, left, right) in enumerate(facts(seed, number)):
        sides, options = (over(left, n), over(right, n)), WAYS[i % 4]
        others = renamed(random, left, n), renamed(random, right, n)
        for name in ALL_MEASURES:
            found = attempt(*sides, name, threads=1, **options)
            threads = random.choice([2, 3])
            again = attempt(*others, name, threads=threads, **options)
            assert again == found, (name, threads, n, left, right, options)
            other_way = swapped.get(name, name)
            if other_way:
                back = attempt(*sides[::-1], other_way, **options)
                assert back == found, (name, n, left, right, options)


def test_an_undefined_score_is_a_value_error_that_says_what_is_in_the_way():
    for sides, reason in (([{0, 1}, {1, 2}], [{0, 1, 2}]), "overlap"), (
        ([0, 0, -1], [0, 1, 1]), "outlier",
    ):  # fmt: skip
        with pytest.raises(ValueError, match=reason) as error:
            cv.score(*sides, "ari")
        assert error.type is cv.UndefinedError


def test_overlaps_that_go_with_the_dropped_outliers_are_no_overlaps():
    left, right = over([{0, 1}, {0, 1, 2}, {3}], 4), over([{0, 1}, {3}], 4)
    with pytest.raises(cv.UndefinedError):
        cv.score(left, right, "ari", outliers_as="singletons")
    assert cv.score(left, right, "ari", drop_outliers="either") == 1.0


# Functions for single measures


@pytest.mark.parametrize(
    ("function", "options", "measure"),
    [
        (cv.omega_score, {}, "omega"),
        (cv.omega_score, {"adjusted": False}, "omega_raw"),
        (cv.ecs_score, {}, "ecs"),
        (cv.ari_score, {}, "ari"),
        (cv.onmi_score, {}, "onmi_mgh"),
        *((cv.onmi_score, {"normalization": name[5:]}, name) for name in ONMI),
    ],
)
@pytest.mark.parametrize("treatment", WAYS)
def test_a_function_of_its_own_is_the_measure_of_that_name(function, options, measure, treatment):
    sides = [0, 0, 0, 1, 1, 2, -1, -1, 2], [0, 0, 1, 1, 1, -1, -1, 2, 2]
    for left, right in (sides, sides[::-1], ([{0, 1, 2}, {2, 3}], [{0, 1}, {2, 3}, {1, 4}])):
        expected = attempt(left, right, measure, **treatment)
        if expected is None:
            with pytest.raises(cv.UndefinedError):
                function(left, right, **options, **treatment)
        else:
            assert function(left, right, **options, **treatment) == expected


def test_functions_pass_on_alpha_and_the_variant():
    left, right = over([set(range(80)), {0, 1}, {1, 2}], 100), over([{80, 81}, {2, 3}], 100)
    for function, option, measure in (
        (cv.ecs_score, {"alpha": 0.5}, "ecs"), (cv.onmi_score, {"variant": "mcdaid"}, "onmi"),
    ):  # fmt: skip
        found = function(left, right, **option)
        assert found == cv.score(left, right, measure, **option) != function(left, right)


def test_the_measure_is_fstar_wo_unless_another_is_named():
    sides = [{0, 1, 2}, {2, 3}], [{0, 1}, {2, 3}, {1, 4}]
    assert cv.score(*sides) == cv.score(*sides, "fstar_wo") == cv.fstar_score(*sides)
    assert cv.score(*sides, "fstar_w") == cv.fstar_score(*sides, outliers=False)
