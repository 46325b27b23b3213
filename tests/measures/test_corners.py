"""Cases in which a formula is 0/0 or undefined, with values computed by hand."""

from math import log

import pytest

import coverlap as cv
from tests import naive_measures
from tests.naive_measures import MEASURES
from tests.treatments import TREATMENTS

DISTANCES = {"mi", "vi", "split_join"}
ONMI = [name for name in MEASURES if name.startswith("onmi")]
EXACTLY = [name for name in MEASURES if name.startswith("exact")]
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
        ("mi", WHOLE, WHOLE, 0.0),
        # No pair is joined on the right: precision is 0/0, and the sides differ.
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
        # The entropy of a single cluster is 0, so the mutual information is 0.
        *((name, WHOLE, HALVES, 0.0) for name in MEASURES if name.startswith(("nmi", "ami"))),
        *((name, HALVES, WHOLE, 0.0) for name in MEASURES if name.startswith(("nmi", "ami"))),
        *((name, HALVES, SINGLETONS, 0.0) for name in MEASURES if name.startswith("ami")),
        ("homogeneity", WHOLE, HALVES, 1.0),
        ("completeness", WHOLE, HALVES, 0.0),
        ("homogeneity", HALVES, WHOLE, 0.0),
        ("completeness", HALVES, WHOLE, 1.0),
        ("v", WHOLE, HALVES, 0.0),
        ("v", HALVES, [{0, 2}, {1, 3}], 0.0),
        # Singletons determine the halves; their entropies are two bits and one bit.
        ("mi", HALVES, SINGLETONS, L2),
        ("vi", HALVES, SINGLETONS, L2),
        ("nmi_min", HALVES, SINGLETONS, 1.0),
        ("nmi", HALVES, SINGLETONS, 2 / 3),
        ("nmi_max", HALVES, SINGLETONS, 1 / 2),
        ("nmi_joint", HALVES, SINGLETONS, 1 / 2),
        ("nmi_sqrt", HALVES, SINGLETONS, 2**-0.5),
        ("homogeneity", HALVES, SINGLETONS, 1.0),
        ("completeness", HALVES, SINGLETONS, 1 / 2),
        # Left is the truth.
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
        # No clusters on both sides, and on one.
        *((name, [], [], 1.0) for name in (*ONMI, *EXACTLY, "fstar_wo", "fstar_w", "ecs", "omega")),
        *((name, [], [{0, 1}], 0.0) for name in (*ONMI, *EXACTLY, "fstar_w")),
        *((name, [{0, 1}], [], 0.0) for name in (*ONMI, *EXACTLY, "fstar_w")),
        # The entropy of a cluster of all objects is 0.
        *((name, [FULL], [{0, 1}], 0.0) for name in ONMI),
        *((name, [FULL], [{0}, {1}, {2}, {3}], 0.0) for name in ONMI),
        *((f"onmi_{name}", [FULL], [FULL, {0, 1}], 0.0)
          for name in ("mgh", "min", "sqrt", "lfk_total")),
        # One of two clusters is found on one side, and the only cluster on the other: 3/4.
        ("onmi_lfk", [FULL, {0, 1}], [{0, 1}], 3 / 4),
        ("onmi_lfk", [FULL], [FULL, {0, 1}], 3 / 4),
        ("onmi_lfk_total", [FULL, {0, 1}], [{0, 1}], 1.0),
        ("onmi_mgh", [FULL, {0, 1}], [{0, 1}], 1.0),
        # All pairs share one cluster on both sides, so the expected agreement is 1.
        ("omega", [FULL], [FULL, {0}], 1.0),
        ("omega_raw", [FULL], [FULL, {0}], 1.0),
        ("omega", [{0}, {1}], [{3}], 1.0),
        ("omega", [FULL], [{0}], 0.0),
        # Half of the pairs are joined on the left and the others on the right: 0 instead of 1/2.
        ("omega", [{0, 1}, {1, 2}, {2, 3}], [{0, 2}, {0, 3}, {1, 3}], -1.0),
        ("omega_raw", [{0, 1}, {1, 2}, {2, 3}], [{0, 2}, {0, 3}, {1, 3}], 0.0),
        # Omega and ECS treat singletons like outliers, and other measures do not.
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


# The outliers are 4 and 5 on the left, and 5 on the right.
OUTLIERS = [{0, 1, 2}, {3}], [{0, 1}, {2, 3}, {4}]


@pytest.mark.parametrize(
    ("measure", "treatment", "expected"),
    [
        # Of 15 pairs, 3 are joined on the left, 2 on the right and 1 on both sides, so 3 differ.
        ("rand", "singletons", 12 / 15),
        ("pair_jaccard", "singletons", 1 / 4),
        ("rogers_tanimoto", "singletons", 12 / 18),
        # {4, 5} is a cluster on the left and {5} on the right: left joins one more pair.
        ("rand", "cluster", 11 / 15),
        ("pair_jaccard", "cluster", 1 / 5),
        ("split_join", "cluster", 12 - (2 + 1 + 1) - (2 + 1 + 1 + 1)),
        # Objects 0 to 3 remain: 6 pairs, of which 3 differ.
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
    # If {0, 1} did not contain object 0, right would determine left. As it does, (2/n) ln 2 of the
    # information is lost. In a random permutation this happens with probability 2/n.
    left = [{0}, set(range(1, n))]
    right = [{0, 1}, *({i} for i in range(2, n))]
    assert score(left, right, n, "ami_min") == pytest.approx(1 - n / 2, rel=0, abs=1e-10)


def test_extended_bcubed_counts_how_often_objects_are_joined(score):
    # On the left, objects 0 and 1 share two clusters, and 2 shares one cluster with each of them.
    left, right = [{0, 1, 2}, {0, 1}], [{0, 1}, {2}]
    assert score(left, right, 3, "bcubed_precision") == 1.0
    # Objects 0 and 1 have (1/2 + 1/2 + 0) / 3 each, and object 2 has (0 + 0 + 1) / 3.
    assert score(left, right, 3, "bcubed_recall") == pytest.approx(1 / 3, rel=0, abs=1e-12)
    assert score(left, right, 3, "bcubed_f1") == pytest.approx(1 / 2, rel=0, abs=1e-12)


FANO = [{0, 1, 2}, {0, 3, 4}, {0, 5, 6}, {1, 3, 5}, {1, 4, 6}, {2, 3, 6}, {2, 4, 5}]
OTHER_FANO = [{0, 1, 3}, {0, 2, 4}, {0, 5, 6}, {1, 2, 5}, {1, 4, 6}, {2, 3, 6}, {3, 4, 5}]


def test_ecs_of_block_designs(score):
    assert score(FANO, OTHER_FANO, 7, "ecs") == pytest.approx(1.0, rel=0, abs=1e-12)
    assert score(FANO, [set(range(7))], 7, "ecs") == pytest.approx(41 / 42, rel=0, abs=1e-12)
    assert score(FANO, OTHER_FANO, 7, "omega") == 1.0
    assert score(FANO, OTHER_FANO, 7, "exact_f1") == pytest.approx(3 / 7, rel=0, abs=1e-12)
