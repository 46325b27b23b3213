"""F* of thousands of random pairs equals exact fractions, and numbers of other tools."""

import json
from pathlib import Path
from random import Random

import pytest

from coverlap import Clustering, compare, fstar_score
from tests import naive

CASES = json.loads((Path(__file__).parents[1] / "golden" / "fstar_cases.json").read_text("utf-8"))


def near(value):
    return pytest.approx(float(value), rel=0, abs=1e-12)


def over(clusters, n):
    return Clustering.from_clusters(clusters, universe=n)


def random_clusters(random, n):
    """Draw clusters with overlaps, outliers, and repeated and empty clusters."""
    part = random.sample(range(n), random.randint((n + 1) // 2, n))
    clusters = [
        set(random.sample(part, random.randint(0, len(part)))) for _ in range(random.randint(0, 5))
    ]
    if clusters and random.random() < 0.3:
        clusters.append(random.choice(clusters))
    return clusters


def random_labels(random, n):
    """Draw disjoint clusters and outliers."""
    drawn = [random.randint(-1, max(n // 2, 1)) for _ in range(n)]
    return [{i for i in range(n) if drawn[i] == label} for label in set(drawn) if label >= 0]


def random_pairs(seed, number):
    random = Random(seed)
    for _ in range(number):
        n = random.randint(0, 12)
        left = random.choice((random_clusters, random_labels))(random, n)
        right = random.choice((random_clusters, random_labels))(random, n)
        if left and random.random() < 0.4:
            right += random.sample(left, random.randint(1, len(left)))
        yield random, n, left, right


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(s, marks=pytest.mark.slow) for s in range(1, 10))]
)
def test_random_pairs_equal_exact_fractions_and_do_not_depend_on_order_or_names(seed):
    for random, n, left, right in random_pairs(seed, 2000):
        one, other = over(left, n), over(right, n)
        score = fstar_score(one, other)
        assert score == near(naive.fstar(left, right, range(n))), (n, left, right)
        assert fstar_score(other, one) == score, (n, left, right)
        assert fstar_score(one, one) == 1.0, (n, left)
        random.shuffle(left)
        names = random.sample(range(-9, 9), len(right))
        renamed = over(dict(zip(names, right, strict=True)), n)
        assert fstar_score(over(left, n), renamed) == score, (n, left, right)


@pytest.mark.parametrize("average", ["size", "equal"])
@pytest.mark.parametrize("outliers", [True, False])
@pytest.mark.parametrize("similarity", naive.SIMILARITIES)
def test_random_pairs_equal_exact_fractions_for_every_option(similarity, outliers, average):
    for random, n, left, right in random_pairs(similarity, 150):
        options = {
            "similarity": similarity,
            "outliers": outliers,
            "average": average,
            "balance": random.choice([0.0, 0.1, 0.5, 0.8, 1.0]),
            "drop_outliers": random.choice([None, "left", "right", "either", "both"]),
        }
        score = fstar_score(over(left, n), over(right, n), **options)
        expected = naive.fstar(left, right, range(n), **options)
        assert score == near(expected), (n, left, right, options)


@pytest.mark.slow
def test_f1_and_jaccard_choose_the_same_matches():
    for _, n, left, right in random_pairs(99, 1000):
        by_jaccard = compare(over(left, n), over(right, n)).columns()
        by_f1 = compare(over(left, n), over(right, n), similarity="f1").columns()
        assert by_jaccard["match"] == by_f1["match"], (n, left, right)
        for one, two in zip(by_jaccard["similarity"], by_f1["similarity"], strict=True):
            assert one == near(two / (2 - two))


def test_the_best_f1_of_every_cluster_is_that_of_networkit():
    import networkit

    def as_cover(clusters, n):
        cover = networkit.Cover(n)
        cover.setUpperBound(len(clusters))
        for number, cluster in enumerate(clusters):
            for item in cluster:
                cover.addToSubset(number, item)
        return cover

    compared = 0
    for _, n, left, right in random_pairs(5, 400):
        left, right = naive.normalise(left), naive.normalise(right)  # noqa: PLW2901
        if not left or not right:
            continue
        theirs = networkit.community.CoverF1Similarity(
            networkit.Graph(n), as_cover(left, n), as_cover(right, n)
        )
        theirs.run()
        result = compare(over(left, n), over(right, n), similarity="f1", outliers=False)
        ours = result.columns()["similarity"][: len(left)]
        assert ours == [near(value) for value in theirs.getValues()]
        assert result.left.clusters == near(theirs.getWeightedAverage())
        compared += len(left)
    assert compared > 500


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case["measure"].startswith("fstar_wo")],
    ids=lambda case: case["source"],
)
def test_the_numbers_of_the_paper_and_of_the_authors_code_are_met(case):
    left, right = (over(case[side], case["n_objects"]) for side in ("clusters_a", "clusters_b"))
    assert fstar_score(left, right) == near(case["expected"])
    assert fstar_score(right, left) == near(case["expected"])


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["measure"].startswith("best_fstar_per_cluster")]
)
def test_the_best_similarity_of_every_cluster_is_met(case):
    left, right = (over(case[side], case["n_objects"]) for side in ("clusters_a", "clusters_b"))
    found = compare(left, right).columns()["similarity"][: len(case["expected"])]
    assert found == [near(value) for value in case["expected"]]


def test_the_golden_file_holds_all_cases():
    assert len(CASES) == 26
