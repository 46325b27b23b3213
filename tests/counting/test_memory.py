"""The memory engine: all ways to count and all numbers of threads give the same bits."""

import sys
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import sparse

from coverlap import Clustering, compare, fstar_score, generate
from coverlap.core import incidence
from coverlap.core.threads import number_of_threads
from coverlap.counting.memory import covers, workspace
from tests import naive
from tests.marks import seeds
from tests.strategies import labels, pairs

EXACT = settings(derandomize=True, deadline=None, max_examples=30)
FEW = settings(EXACT, max_examples=10)  # each example is compared in nine combinations of types
THREADS = (None, 1, 2, 3, 7)
ASYMMETRIC_TOO = tuple(naive.SIMILARITIES)
EVERY_SIMILARITY = pytest.mark.parametrize(
    "similarity",
    [
        pytest.param(name, marks=pytest.mark.slow if name in {"f1", "precision"} else ())
        for name in ASYMMETRIC_TOO
    ],
)


def near(value):
    return pytest.approx(float(value), rel=0, abs=1e-12)


def over(clusters, n):
    return Clustering.from_clusters(clusters, universe=n)


def sets_of(drawn):
    """Return the clusters of labels in cluster order."""
    return [
        frozenset(i for i, label in enumerate(drawn) if label == name)
        for name in sorted({label for label in drawn if label >= 0})
    ]


def forms(drawn):
    """Return labels in the types that the engine counts by codes and by members."""
    n = len(drawn)
    return np.array(drawn, int), Clustering.from_labels(drawn), over(sets_of(drawn), n)


FUNCTIONS = {
    "jaccard": lambda shared, own, other: shared / (own + other - shared),
    "f1": lambda shared, own, other: 2 * shared / (own + other),
    "precision": lambda shared, own, _: shared / own,
    "recall": lambda shared, _, other: shared / other,
}
"""The similarities as functions of arrays, as a user could pass them."""
jaccard = FUNCTIONS["jaccard"]


def check(left, right, sets, n, similarity="jaccard"):
    """Assert that all numbers of threads give the same bits, and the values of the definitions."""
    results = [compare(left, right, similarity=similarity, threads=t) for t in THREADS]
    for result in results[1:]:
        assert result.columns() == results[0].columns()
        assert result.score == results[0].score
        assert result.outliers == results[0].outliers
    for threads in (None, 7):
        assert fstar_score(left, right, similarity=similarity, threads=threads) == results[0].score
    assert results[0].score == near(naive.fstar(*sets, range(n), similarity=similarity))
    names = [as_given(side).names for side in (left, right)]
    expected = [
        row
        for side, own, other in (("left", 0, 1), ("right", 1, 0))
        for row in rows_of_side(
            side, sets[own], sets[other], names[own], names[other], n, similarity
        )
    ]
    for result in (results[0], compare(left, right, similarity=FUNCTIONS[similarity])):
        rows = zip(*[*result.columns().values()][:11], strict=True)
        assert [row for row in rows if row[1] != "none"] == expected


def rows_of_side(side, own, other, names, other_names, n, similarity):
    """Yield the first columns of the table of clusters and outliers, by the definition."""
    back = naive.best_matches(other, own, similarity)
    for i, (match, shared, value) in enumerate(naive.best_matches(own, other, similarity)):
        is_found = match is not None
        size = len(other[match]) if is_found else 0
        yield (
            side, "cluster", names[i], len(own[i]), other_names[match] if is_found else None, size,
            shared, near(value), near(shared / len(own[i])), near(shared / (size or 1)),
            is_found and back[match][0] == i,
        )  # fmt: skip
    alone, others = naive.outliers(own, range(n)), naive.outliers(other, range(n))
    if alone:
        shared = len(alone & others)
        yield (
            side, "outliers", None, len(alone), None, len(others), shared,
            near(naive.compare_sets(alone, others, similarity)), near(shared / len(alone)),
            near(shared / (len(others) or 1)), shared > 0,
        )  # fmt: skip


def as_given(side):
    return side if isinstance(side, Clustering) else Clustering.from_labels(side)


def set_constant(monkeypatch, name, value):
    """Change a constant in all modules of the engine that have it."""
    modules = [
        module
        for path, module in sys.modules.items()
        if path.startswith("coverlap.counting.memory") and hasattr(module, name)
    ]
    assert modules, name
    for module in modules:
        monkeypatch.setattr(module, name, value)


@pytest.fixture(params=["small inputs as such", "small inputs like large ones"])
def any_size(request, monkeypatch):
    """Count small inputs with the code for small inputs and with the code for large ones."""
    if request.param != "small inputs as such":
        set_constant(monkeypatch, "SMALL", 0)
        monkeypatch.setattr("coverlap.core.threads.SMALL", 0)


# Equal to the definitions, and the same bits with any number of threads


@pytest.mark.usefixtures("any_size")
@EVERY_SIMILARITY
def test_partitions_equal_the_definition_by_codes_and_by_members(similarity):
    @FEW
    @given(left=labels(9), right=labels(9))
    def run(left, right):
        for one in forms(left):
            for other in forms(right):
                check(one, other, (sets_of(left), sets_of(right)), 9, similarity)

    run()


@EVERY_SIMILARITY
@EXACT
@given(pair=pairs())
def test_covers_equal_the_definition(similarity, pair):
    n, left, right = pair
    sets = naive.normalise(left), naive.normalise(right)
    check(over(left, n), over(right, n), sets, n, similarity)


@EVERY_SIMILARITY
@EXACT
@given(drawn=labels(12), pair=pairs(max_objects=12))
def test_a_partition_and_a_cover_equal_the_definition_either_way_round(similarity, drawn, pair):
    _, cover, _ = pair
    sets = sets_of(drawn), naive.normalise(cover)
    check(np.array(drawn), over(cover, 12), sets, 12, similarity)
    check(over(cover, 12), np.array(drawn), sets[::-1], 12, similarity)


def test_random_covers_of_many_clusters_equal_the_definition():
    sides = [generate.random_clustering(150, k, memberships=3, outliers=0.1, seed=k)
             for k in (60, 80)]  # fmt: skip
    check(*sides, [[frozenset(members) for members in side.to_clusters()] for side in sides], 150)


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("seed", seeds(3))
def test_random_partitions_with_gaps_and_outliers_equal_the_definition(seed):
    rng = np.random.default_rng(seed)
    left, right = rng.integers(-20, 60, 150), rng.integers(-5, 900, 150)
    sets = sets_of(left.tolist()), sets_of(right.tolist())
    check(left, right, sets, 150)
    check(right, left, sets[::-1], 150)
    check(Clustering.from_labels(left), over(sets[1], 150), sets, 150)


@pytest.mark.slow
@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("threads", [2, 16, 50])
@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_more_threads_than_objects_or_clusters_do_no_harm(n, threads):
    for one, other in product(([0] * n, [-1] * n, list(range(n))), repeat=2):
        expected = near(naive.fstar(sets_of(one), sets_of(other), range(n)))
        for sides in product(forms(one), forms(other)):
            assert fstar_score(*sides, threads=threads) == expected


# Ties


def matches(left, right, threads, **options):
    result = compare(left, right, threads=threads, **options).columns()
    return {
        (side, name): match
        for side, kind, name, match in zip(
            result["side"], result["kind"], result["cluster"], result["match"], strict=True
        )
        if kind == "cluster"
    }


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("function", [False, True])
def test_ties_of_covers_go_to_the_first_cluster_whatever_its_size(threads, order, function):
    how = {"similarity": jaccard} if function else {}
    whole = {"whole": range(6)}
    # A cluster with half of its objects and one with twice as many are equally similar.
    names = ["a", "b"][::order]
    tied = {names[0]: range(3), names[1]: range(12), "c": range(3, 6), "d": [0, 1]}
    one, other = over(whole, 12), over(tied, 12)
    assert matches(one, other, threads, **how)["left", "whole"] == "a"
    assert matches(other, one, threads, **how)["right", "whole"] == "a"


@pytest.mark.parametrize("threads", THREADS)
def test_ties_go_by_name_not_by_the_order_of_the_input(threads):
    right = Clustering.from_clusters({"z": {3}, 10: {2}, 9: {0}, "a": {1}})
    left = Clustering.from_clusters([{0, 1, 2, 3}])
    assert matches(left, right, threads)["left", 0] == 9
    assert matches(right, left, threads)["right", 0] == 9
    text = Clustering.from_labels(["b", "10", "9", "a"])
    assert matches([0, 0, 0, 0], text, threads)["left", 0] == "10"


# Sizes at which the engine switches to other code


@pytest.mark.slow
@pytest.mark.parametrize("k", [65_534, 65_535, 65_536, 65_537, 70_000])
@pytest.mark.parametrize("threads", [None, 1, 2])
def test_more_than_65536_right_clusters_are_told_apart(k, threads):
    order = np.random.default_rng(k).permutation(k)
    matrix = sparse.csr_array((np.ones(k, bool), order, np.arange(k + 1)), shape=(k, k))
    alone, labels_ = np.arange(k), np.argsort(order)  # cluster i of the matrix is {order[i]}
    for left, right, same in (
        (alone, labels_, labels_), (alone, matrix, labels_), (labels_, alone, order),
        (matrix, alone, order), (matrix, labels_, alone),
    ):  # fmt: skip
        result = compare(left, right, threads=threads)
        assert result.score == fstar_score(left, right, threads=threads) == 1.0
        assert result.columns()["match"][:k] == same.tolist()
    # Every cluster of two objects has two equally good matches, and the first is chosen.
    result = compare(alone // 2, alone, threads=threads)
    assert result.score == near(0.5 if k % 2 == 0 else (0.5 * (k - 1) + 1) / k)
    assert result.columns()["match"][: k // 2] == list(range(0, k - 1, 2))


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("k", [4095, 4096, 4097, 5000])
def test_an_object_may_be_in_more_than_4096_clusters(k, threads):
    star = over([{0, i} for i in range(1, k + 1)], k + 2)
    left = over([{0}, {0, 17}, {1, 2, 3}, {0, k}, {k + 1}], k + 2)
    found = matches(left, star, threads)
    assert [found["left", i] for i in range(5)] == [0, 16, 0, k - 1, None]
    # Every {0, i} is best matched by {0} (1/2), except {0, 17} and {0, k} (1).
    back = [found["right", i] for i in range(k)]
    assert back == [1 if i == 16 else 3 if i == k - 1 else 0 for i in range(k)]
    assert compare(left, star, threads=threads).columns()["similarity"][:5] == [
        0.5,
        1.0,
        0.25,
        1.0,
        0,
    ]
    swapped = matches(star, left, threads)
    assert [swapped["right", i] for i in range(5)] == [0, 16, 0, k - 1, None]


@pytest.mark.slow
def test_two_clusterings_may_both_have_an_object_in_more_than_4096_clusters():
    star = [{0, i} for i in range(1, 5001)]
    assert fstar_score(over(star, 5001), over(star[::-1], 5001)) == 1.0


@pytest.mark.parametrize("top", [2**31 - 1, 2**31, 2**32, 2**53 + 1, 2**62, 2**63 - 1])
@pytest.mark.parametrize("threads", [None, 1, 2])
def test_labels_up_to_the_largest_integer_are_labels(top, threads):
    left, right = np.array([top, 0, 0, -(2**63)]), np.array([0, top - 1, top, -1])
    expected = naive.fstar([{0}, {1, 2}], [{0}, {1}, {2}], range(4))
    assert fstar_score(left, right, threads=threads) == near(expected)
    assert fstar_score(right, left, threads=threads) == near(expected)
    assert fstar_score(left, left.copy(), threads=threads) == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("threads", [None, 1, 2])
def test_inputs_large_enough_for_threads_equal_small_ones_put_together(threads):
    rng = np.random.default_rng(0)
    left, right = rng.integers(-1, 6, 30), rng.integers(-1, 9, 30)
    copies = 10_000
    shift = np.repeat(np.arange(copies), 30)
    many = [
        np.where(np.tile(x, copies) < 0, -1, np.tile(x, copies) + 9 * shift) for x in (left, right)
    ]
    expected = naive.fstar(
        sets_of(left.tolist()), sets_of(right.tolist()), range(30), outliers=False
    )
    assert fstar_score(*many, outliers=False, threads=threads) == near(expected)
    alike = fstar_score(left, right)
    assert fstar_score(*many, threads=threads) == near(alike)
    assert fstar_score(*many[::-1], threads=threads) == fstar_score(*many, threads=threads)


# User-defined similarities


@pytest.mark.slow
@pytest.mark.parametrize("n_cells", [1, 2, 5, 1 << 20])
@pytest.mark.parametrize("threads", [None, 1, 3])
def test_a_function_gives_the_same_matches_as_the_built_in_however_the_pairs_are_cut(
    n_cells, threads, monkeypatch
):
    monkeypatch.setattr(covers, "CELLS", n_cells)

    @EXACT
    @given(pair=pairs())
    def run(pair):
        n, left, right = pair
        own = compare(over(left, n), over(right, n), similarity=jaccard, threads=threads)
        built_in = compare(over(left, n), over(right, n))
        assert own.columns() == built_in.columns()
        assert own.score == near(built_in.score)

    run()


# Order


@pytest.mark.slow
@EXACT
@given(pair=pairs())
def test_renaming_objects_and_clusters_does_not_change_a_bit(pair):
    n, left, right = pair
    random = Random(7)
    names = random.sample(range(10**6), n)
    there = [{names[i] for i in cluster} for cluster in left]
    here = [{names[i] for i in cluster} for cluster in right]
    random.shuffle(there)
    random.shuffle(here)
    for threads in THREADS:
        for similarity in ASYMMETRIC_TOO:
            options = {"similarity": similarity, "threads": threads}
            assert fstar_score(over(left, n), over(right, n), **options) == fstar_score(
                over(there, names), over(here, names), **options
            )


@pytest.mark.parametrize(
    ("left", "right"),
    [([{1, 2, 3}, {4, 5}], [{1, 2}, {3, 4, 5}]), ([0, 0, 1, -1, -1, 1], [0, 1, 1, 1, -1, -1])],
)
def test_a_function_may_change_the_arrays_it_is_given(left, right):
    def similarity(shared, own, other):
        own += other
        own -= shared
        return shared / own

    assert fstar_score(left, right, similarity=similarity) == fstar_score(left, right)


def test_many_small_clusters_are_not_given_to_many_threads_unasked():
    assert number_of_threads(None, 10**9, 10**9) == 1
    assert number_of_threads(None, 1000, 10) == 1
    assert number_of_threads(7, 10**9, 10**9) == 7


def test_types_hold_the_numbers_of_more_than_2_to_the_31_memberships():
    assert workspace.count_type(2**32 - 1) is np.uint32
    assert workspace.count_type(2**32) is np.uint64
    assert [incidence.code_type(bound) for bound in (2**16, 2**16 + 1, 2**32, 2**32 + 1)] == [
        np.uint16, np.uint32, np.uint32, np.uint64,
    ]  # fmt: skip
    assert [incidence.narrowest(bound) for bound in (2**31, 2**31 + 1)] == [np.int32, np.int64]
