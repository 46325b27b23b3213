"""Where a formula says 0/0, or nothing at all: every rule, worked by hand."""

from math import log

import pytest

import coverlap as cv
from tests import naive_measures
from tests.naive_measures import MEASURES
from tests.treatments import TREATMENTS

DISTANCES = {"mi", "vi", "split_join"}
ONMI = [name for name in MEASURES if name.startswith("onmi")]
EXACTLY = [name for name in MEASURES if name.startswith("exact")]
PAIRS = ("rand", "ari", "fowlkes_mallows", "pair_jaccard", "rogers_tanimoto", "pair_precision",
         "pair_recall", "pair_f1")  # fmt: skip
PARTITION_MEASURES = [name for name in MEASURES if name not in naive_measures.OVERLAPS]
WITHOUT_OUTLIERS = [name for name in MEASURES if naive_measures.OUTLIERS[name] == "undefined"]


def by_package(left, right, n, measure, **options):
    sides = (cv.Clustering.from_clusters(side, universe=n) for side in (left, right))
    return cv.score(*sides, measure, **options)


def by_oracle(left, right, n, measure, **options):
    sets = ([frozenset(cluster) for cluster in side] for side in (left, right))
    try:
        return float(naive_measures.score(*sets, n, measure, **options))
    except naive_measures.NotDefinedError as error:
        raise cv.UndefinedError(str(error)) from error


@pytest.fixture(params=[by_package, by_oracle], ids=["coverlap", "oracle"])
def score(request):
    return request.param


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("treatment", TREATMENTS)
def test_of_no_objects_similarities_are_one_and_distances_zero(score, measure, treatment):
    expected = 0.0 if measure in DISTANCES else 1.0
    assert score([], [], 0, measure, **TREATMENTS[treatment]) == expected


@pytest.mark.parametrize("measure", MEASURES)
def test_where_every_object_is_dropped_there_are_no_objects(score, measure):
    expected = 0.0 if measure in DISTANCES else 1.0
    assert score([{0, 1}], [{2}], 4, measure, drop_outliers="either") == expected


@pytest.mark.parametrize("measure", MEASURES)
def test_of_one_object_in_a_cluster_equal_sides_score_as_equal(score, measure):
    assert score([{0}], [{0}], 1, measure) == (0.0 if measure in DISTANCES else 1.0)


@pytest.mark.parametrize("measure", WITHOUT_OUTLIERS)
@pytest.mark.parametrize("sides", [([{0, 1}], [{0, 1, 2}]), ([{0, 1, 2}], [{0}]), ([], [])])
def test_an_outlier_on_either_side_leaves_a_measure_undefined(score, measure, sides):
    with pytest.raises(cv.UndefinedError):
        score(*sides, 3, measure)
    for treatment in ("singletons", "cluster", "drop"):
        score(*sides, 3, measure, **TREATMENTS[treatment])


@pytest.mark.parametrize("measure", PARTITION_MEASURES)
def test_an_overlap_on_either_side_leaves_a_measure_undefined(score, measure):
    overlapping, whole = [{0, 1}, {1, 2}], [{0, 1, 2}]
    for sides in ((overlapping, whole), (whole, overlapping), (overlapping, overlapping)):
        for treatment in TREATMENTS.values():
            with pytest.raises(cv.UndefinedError):
                score(*sides, 3, measure, **treatment)


SINGLETONS, WHOLE, HALVES = [{0}, {1}, {2}, {3}], [{0, 1, 2, 3}], [{0, 1}, {2, 3}]
L2 = log(2)


@pytest.mark.parametrize(
    ("measure", "left", "right", "expected"),
    [
        # Two times the same: nothing is joined, or everything.
        *((name, SINGLETONS, SINGLETONS, 1.0) for name in PAIRS),
        *((name, WHOLE, WHOLE, 1.0) for name in PAIRS),
        *((name, WHOLE, WHOLE, 1.0) for name in MEASURES if name.startswith(("nmi", "ami"))),
        *((name, SINGLETONS, SINGLETONS, 1.0) for name in MEASURES if name.startswith("ami")),
        *((name, WHOLE, WHOLE, 1.0) for name in ("homogeneity", "completeness", "v")),
        ("mi", WHOLE, WHOLE, 0.0),
        # No pair is joined on the right: 0/0 of precision, and the sides differ.
        ("pair_precision", HALVES, SINGLETONS, 0.0),
        ("pair_recall", HALVES, SINGLETONS, 0.0),
        ("pair_f1", HALVES, SINGLETONS, 0.0),
        ("pair_recall", SINGLETONS, HALVES, 0.0),
        ("fowlkes_mallows", HALVES, SINGLETONS, 0.0),
        ("pair_jaccard", HALVES, SINGLETONS, 0.0),
        # All six pairs are joined on one side only.
        ("rand", WHOLE, SINGLETONS, 0.0),
        ("rogers_tanimoto", WHOLE, SINGLETONS, 0.0),
        ("ari", WHOLE, SINGLETONS, 0.0),
        # One cluster has no entropy, so there is no mutual information.
        *((name, WHOLE, HALVES, 0.0) for name in MEASURES if name.startswith(("nmi", "ami"))),
        *((name, HALVES, WHOLE, 0.0) for name in MEASURES if name.startswith(("nmi", "ami"))),
        *((name, HALVES, SINGLETONS, 0.0) for name in MEASURES if name.startswith("ami")),
        ("homogeneity", WHOLE, HALVES, 1.0),
        ("completeness", WHOLE, HALVES, 0.0),
        ("homogeneity", HALVES, WHOLE, 0.0),
        ("completeness", HALVES, WHOLE, 1.0),
        ("v", WHOLE, HALVES, 0.0),
        ("v", HALVES, [{0, 2}, {1, 3}], 0.0),
        # Singletons determine the halves: one bit of two.
        ("mi", HALVES, SINGLETONS, L2),
        ("vi", HALVES, SINGLETONS, L2),
        ("nmi_min", HALVES, SINGLETONS, 1.0),
        ("nmi", HALVES, SINGLETONS, 2 / 3),
        ("nmi_max", HALVES, SINGLETONS, 1 / 2),
        ("nmi_joint", HALVES, SINGLETONS, 1 / 2),
        ("nmi_sqrt", HALVES, SINGLETONS, 2**-0.5),
        ("homogeneity", HALVES, SINGLETONS, 1.0),
        ("completeness", HALVES, SINGLETONS, 1 / 2),
        # Left is the truth: singletons are pure, and one cluster holds all of each.
        ("purity", HALVES, SINGLETONS, 1.0),
        ("purity", SINGLETONS, HALVES, 1 / 2),
        ("bcubed_precision", HALVES, SINGLETONS, 1.0),
        ("bcubed_recall", HALVES, SINGLETONS, 1 / 2),
        ("bcubed_f1", HALVES, SINGLETONS, 2 / 3),
        ("pair_precision", HALVES, WHOLE, 1 / 3),
        ("pair_recall", HALVES, WHOLE, 1.0),
        ("split_join", HALVES, SINGLETONS, 2.0),
        ("split_join", WHOLE, SINGLETONS, 3.0),
    ],
)  # fmt: skip
def test_partitions_at_the_ends(score, measure, left, right, expected):
    found = score(left, right, 4, measure)
    assert found == (expected if expected in {0.0, 1.0} else pytest.approx(expected, abs=1e-12))


FULL = {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("measure", "left", "right", "expected"),
    [
        # Nothing on both sides, and on one.
        *((name, [], [], 1.0) for name in (*ONMI, *EXACTLY, "fstar_wo", "fstar_w", "ecs", "omega")),
        *((name, [], [{0, 1}], 0.0) for name in (*ONMI, *EXACTLY, "fstar_w")),
        *((name, [{0, 1}], [], 0.0) for name in (*ONMI, *EXACTLY, "fstar_w")),
        # A cluster of all objects has no entropy.
        *((name, [FULL], [FULL], 1.0) for name in ONMI),
        *((name, [FULL], [{0, 1}], 0.0) for name in ONMI),
        *((name, [FULL], [{0}, {1}, {2}, {3}], 0.0) for name in ONMI),
        *((name, [FULL, {0, 1}], [{0, 1}, FULL], 1.0) for name in ONMI),
        # It is found or not: a half of two clusters on the left, nothing to seek on the right.
        ("onmi_lfk", [FULL, {0, 1}], [{0, 1}], 3 / 4),
        ("onmi_lfk", [FULL], [FULL, {0, 1}], 3 / 4),
        ("onmi_lfk_total", [FULL, {0, 1}], [{0, 1}], 1.0),
        ("onmi_mgh", [FULL, {0, 1}], [{0, 1}], 1.0),
        ("onmi_mgh", [FULL], [FULL, {0, 1}], 0.0),
        # All pairs share one cluster on either side: agreement is expected to be complete.
        ("omega", [FULL], [FULL, {0}], 1.0),
        ("omega_raw", [FULL], [FULL, {0}], 1.0),
        ("omega", [{0}, {1}], [{3}], 1.0),
        ("omega", [FULL], [{0}], 0.0),
        # Half of the pairs are joined on the left, the others on the right: 0 of an expected 1/2.
        ("omega", [{0, 1}, {1, 2}, {2, 3}], [{0, 2}, {0, 3}, {1, 3}], -1.0),
        ("omega_raw", [{0, 1}, {1, 2}, {2, 3}], [{0, 2}, {0, 3}, {1, 3}], 0.0),
        # Singletons are outliers to Omega and ECS, not to others.
        ("ecs", [FULL - {3}, {3}], [FULL - {3}], 1.0),
        ("omega", [FULL - {3}, {3}], [FULL - {3}], 1.0),
        ("exact_precision", [FULL - {3}, {3}], [FULL - {3}], 1.0),
        ("exact_recall", [FULL - {3}, {3}], [FULL - {3}], 1 / 2),
        ("exact_f1", [FULL - {3}, {3}], [FULL - {3}], 2 / 3),
        ("exact_precision", [{0}], [{1}], 0.0),
        ("exact_f1", [{0}], [{1}], 0.0),
    ],
)  # fmt: skip
def test_covers_at_the_ends(score, measure, left, right, expected):
    found = score(left, right, 4, measure)
    assert found == (expected if expected in {0.0, 1.0} else pytest.approx(expected, abs=1e-12))


@pytest.mark.parametrize("measure", ["omega", "omega_raw", "ecs"])
def test_one_object_that_is_an_outlier_on_one_side_is_no_difference_to_those_who_see_pairs(
    score, measure
):
    assert score([{0}], [], 1, measure) == 1.0


# {0, 1, 2} and {3}, with 4 and 5 left out, against {0, 1}, {2, 3}, with 4 in {4} and 5 left out.
OUTLIERS = [{0, 1, 2}, {3}], [{0, 1}, {2, 3}, {4}]


@pytest.mark.parametrize(
    ("measure", "treatment", "expected"),
    [
        # 15 pairs: joined 3 on the left, 2 on the right, 1 on both; so 3 differ.
        ("rand", "singletons", 12 / 15),
        ("pair_jaccard", "singletons", 1 / 4),
        ("rogers_tanimoto", "singletons", 12 / 18),
        # {4, 5} is a cluster on the left, {5} on the right: one more pair is joined on the left.
        ("rand", "cluster", 11 / 15),
        ("pair_jaccard", "cluster", 1 / 5),
        ("split_join", "cluster", 12 - (2 + 1 + 1) - (2 + 1 + 1 + 1)),
        # Objects 0 to 3 stay: 6 pairs, of which 3 differ.
        ("rand", "drop", 3 / 6),
        ("purity", "drop", 3 / 4),
        ("exact_f1", "drop", 0.0),
        ("exact_f1", "singletons", 2 * 2 / (4 + 4)),
        ("exact_f1", None, 0.0),
    ],
)
def test_outliers_are_placed_as_asked(score, measure, treatment, expected):
    found = score(*OUTLIERS, 6, measure, **TREATMENTS[treatment])
    assert found == pytest.approx(expected, rel=0, abs=1e-12)


@pytest.mark.parametrize("n", [4, 6, 20])
def test_ami_over_the_smaller_entropy_has_no_lower_end(score, n):
    # One object against all others; a pair with that object, and singletons. Had the pair been
    # another, left would be known. It falls so with chance 2/n, and takes (2/n) ln 2 away.
    left = [{0}, set(range(1, n))]
    right = [{0, 1}, *({i} for i in range(2, n))]
    assert score(left, right, n, "ami_min") == pytest.approx(1 - n / 2, rel=0, abs=1e-10)


def test_extended_bcubed_counts_how_often_objects_are_joined(score):
    # Objects 0 and 1 share two clusters on the left and one on the right; 2 shares one with each
    # on the left. On the right: {0, 1} and {2}.
    left, right = [{0, 1, 2}, {0, 1}], [{0, 1}, {2}]
    assert score(left, right, 3, "bcubed_precision") == 1.0
    # Of 0: itself 1/2, 1 by 1/2, 2 by 0: 1/3. Of 1 the same. Of 2: itself 1, 0 and 1 by 0: 1/3.
    assert score(left, right, 3, "bcubed_recall") == pytest.approx(1 / 3, rel=0, abs=1e-12)
    assert score(left, right, 3, "bcubed_f1") == pytest.approx(1 / 2, rel=0, abs=1e-12)


FANO = [{0, 1, 2}, {0, 3, 4}, {0, 5, 6}, {1, 3, 5}, {1, 4, 6}, {2, 3, 6}, {2, 4, 5}]
OTHER_FANO = [{0, 1, 3}, {0, 2, 4}, {0, 5, 6}, {1, 2, 5}, {1, 4, 6}, {2, 3, 6}, {3, 4, 5}]


def test_ecs_of_block_designs(score):
    assert score(FANO, OTHER_FANO, 7, "ecs") == pytest.approx(1.0, rel=0, abs=1e-12)
    assert score(FANO, [set(range(7))], 7, "ecs") == pytest.approx(41 / 42, rel=0, abs=1e-12)
    assert score(FANO, OTHER_FANO, 7, "omega") == 1.0
    assert score(FANO, OTHER_FANO, 7, "exact_f1") == pytest.approx(3 / 7, rel=0, abs=1e-12)
