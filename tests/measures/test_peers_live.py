"""Scores of other libraries on the same clusterings, where their definitions are the same.

Every score is compared with coverlap and with the oracle, which shows which of the three differs.
If a library defines an input differently, a condition in the test skips it; no tolerance is
widened.
"""

from functools import partial
from math import log, log2

import networkit
import pytest
from cdlib import NodeClustering, evaluation
from clusim import sim
from clusim.clustering import Clustering as ClusimClustering
from igraph import compare_communities
from sklearn import metrics

import coverlap as cv
from tests import naive, naive_information, naive_measures
from tests.measures.examples import covers, lopsided, partitions

pytestmark = pytest.mark.slow  # tests/peers compares the same libraries on fewer inputs


def near(value):
    return pytest.approx(float(value), rel=0, abs=1e-10)


def over(clusters, n):
    return cv.Clustering.from_clusters(clusters, universe=n)


def by_package(left, right, n, measure, **options):
    return cv.score(over(left, n), over(right, n), measure, **options)


def by_oracle(left, right, n, measure, **options):
    return float(naive_measures.score(left, right, n, measure, **options))


@pytest.fixture(
    params=[by_package, pytest.param(by_oracle, marks=pytest.mark.slow)], ids=["coverlap", "oracle"]
)
def score(request):
    return request.param


def labels_of(clusters, n):
    labels = [0] * n
    for number, cluster in enumerate(clusters):
        for item in cluster:
            labels[item] = number
    return labels


# scikit-learn

SKLEARN = {
    "rand": metrics.rand_score,
    "ari": metrics.adjusted_rand_score,
    "mi": metrics.mutual_info_score,
    "nmi": metrics.normalized_mutual_info_score,
    "homogeneity": metrics.homogeneity_score,
    "completeness": metrics.completeness_score,
    "v": metrics.v_measure_score,
    "ami": metrics.adjusted_mutual_info_score,
}
MEANS = {"min": "min", "sqrt": "geometric", "max": "max"}


def many_partitions():
    """Yield partitions of up to twelve objects, and some of more."""
    yield from partitions(1, 250)
    yield from partitions(2, 30, max_objects=60)


@pytest.mark.parametrize("measure", SKLEARN)
def test_scikit_learn_gives_the_same_scores_of_partitions(score, measure):
    for _, n, left, right in many_partitions():
        if n == 0 and measure == "mi":
            continue  # an error in scikit-learn, 0.0 in coverlap
        labels = labels_of(left, n), labels_of(right, n)
        expected = SKLEARN[measure](*labels)
        assert score(left, right, n, measure) == near(expected), (n, left, right)


@pytest.mark.parametrize("mean", MEANS)
def test_scikit_learn_gives_the_same_normalised_scores_for_every_mean(score, mean):
    for _, n, left, right in many_partitions():
        labels = labels_of(left, n), labels_of(right, n)
        nmi = metrics.normalized_mutual_info_score(*labels, average_method=MEANS[mean])
        assert score(left, right, n, f"nmi_{mean}") == near(nmi), (n, left, right)
        singletons = n in {len(left), len(right)} and set(left) != set(right)
        if mean != "min" or not singletons:  # 0/0: scikit-learn depends on rounding
            ami = metrics.adjusted_mutual_info_score(*labels, average_method=MEANS[mean])
            assert score(left, right, n, f"ami_{mean}") == near(ami), (n, left, right)


def test_scikit_learn_counts_the_same_pairs(score):
    for _, n, left, right in many_partitions():
        counted = metrics.pair_confusion_matrix(labels_of(left, n), labels_of(right, n))
        neither, right_only, left_only, both = (int(count) for count in counted.ravel())
        values = {
            "pair_precision": (both, both + right_only),
            "pair_recall": (both, both + left_only),
            "pair_f1": (2 * both, 2 * both + left_only + right_only),
            "pair_jaccard": (both, both + left_only + right_only),
            "rogers_tanimoto": (neither + both, neither + both + 2 * (left_only + right_only)),
        }
        for measure, (top, bottom) in values.items():
            same = set(left) == set(right)
            expected = top / bottom if bottom else float(same)
            assert score(left, right, n, measure) == near(expected), (measure, n, left, right)


def test_scikit_learn_gives_the_same_fowlkes_mallows_index_where_pairs_are_joined(score):
    for _, n, left, right in many_partitions():
        if max(map(len, left + right), default=0) < 2:
            continue  # no pair is joined on either side: 0.0 in scikit-learn, 1.0 in coverlap
        expected = metrics.fowlkes_mallows_score(labels_of(left, n), labels_of(right, n))
        assert score(left, right, n, "fowlkes_mallows") == near(expected), (n, left, right)


def test_purity_and_split_join_are_sums_of_maxima_of_the_contingency_table(score):
    for _, n, left, right in many_partitions():
        if n:
            labels = labels_of(left, n), labels_of(right, n)
            table = metrics.cluster.contingency_matrix(*labels)
            by_right, by_left = int(table.max(axis=0).sum()), int(table.max(axis=1).sum())
            assert score(left, right, n, "purity") == near(by_right / n)
            assert score(left, right, n, "split_join") == 2 * n - by_left - by_right


def test_the_joint_entropy_divides_the_mutual_information_of_scikit_learn(score):
    for _, n, left, right in many_partitions():
        if len(left) > 1 or len(right) > 1:
            labels = labels_of(left, n), labels_of(right, n)
            pairs = [f"{one} {other}" for one, other in zip(*labels, strict=True)]
            joint = metrics.mutual_info_score(pairs, pairs)
            expected = metrics.mutual_info_score(*labels) / joint
            assert score(left, right, n, "nmi_joint") == near(expected), (n, left, right)


# igraph

IGRAPH = {"vi": "vi", "nmi": "nmi", "rand": "rand", "adjusted_rand": "ari"}


@pytest.mark.parametrize("method", IGRAPH)
def test_igraph_gives_the_same_scores_of_partitions(score, method):
    for _, n, left, right in many_partitions():
        if n < 2 and method in {"rand", "adjusted_rand"}:
            continue  # no pairs: an error in igraph, 1.0 in coverlap
        if method == "adjusted_rand" and len(left) == len(right) and len(left) in {1, n}:
            continue  # 0/0: NaN in igraph, 1.0 in coverlap
        expected = compare_communities(labels_of(left, n), labels_of(right, n), method=method)
        assert score(left, right, n, IGRAPH[method]) == near(expected), (n, left, right)


def test_igraph_gives_the_same_split_join_distance(score):
    for _, n, left, right in many_partitions():
        labels = labels_of(left, n), labels_of(right, n)
        expected = compare_communities(*labels, method="split-join")
        assert score(left, right, n, "split_join") == expected, (n, left, right)


# NetworKit

NETWORKIT = {
    "onmi_min": networkit.community.Normalization.MIN,
    "onmi_sqrt": networkit.community.Normalization.GEOMETRIC_MEAN,
    "onmi_mean": networkit.community.Normalization.ARITHMETIC_MEAN,
    "onmi_mgh": networkit.community.Normalization.MAX,
    "onmi_joint": networkit.community.Normalization.JOINT_ENTROPY,
}


def as_cover(clusters, n):
    cover = networkit.Cover(n)
    cover.setUpperBound(len(clusters))
    for number, cluster in enumerate(clusters):
        for item in cluster:
            cover.addToSubset(number, item)
    return cover


def networkit_onmi(left, right, n, measure):
    distance = networkit.community.OverlappingNMIDistance(NETWORKIT[measure])
    graph = networkit.Graph(n)
    return 1 - distance.getDissimilarity(graph, as_cover(left, n), as_cover(right, n))


def many_covers():
    """Yield clusterings without repeated clusters, which other libraries count repeatedly."""
    for _, n, left, right in (*covers(3, 400), *covers(4, 40, max_objects=30), *lopsided(4, 40)):
        if n:
            yield n, naive.normalise(left), naive.normalise(right)


def untied_covers():
    return (example for example in many_covers() if not tied(*example[1:], example[0]))


def only_full(clusters, n):
    return bool(clusters) and all(len(cluster) == n for cluster in clusters)


# Over the smaller entropy or the geometric mean, scores may exceed 1; NetworKit returns 1 then.


@pytest.mark.parametrize("measure", NETWORKIT)
def test_networkit_gives_the_same_onmi_of_clusters_that_share_objects(score, measure):
    for n, left, right in untied_covers():
        expected = networkit_onmi(left, right, n, measure)
        found = score(left, right, n, measure, variant="mcdaid")
        assert min(found, 1.0) == near(expected), (n, left, right)


def tied(left, right, n):
    """Return whether h(a) + h(d) = h(b) + h(c), as for {0, 5} and {0, 4, 7} of 8 objects.

    NetworKit counts this as satisfied; the definition has > instead. Independent clusters, for
    which both sides are equal too, do not count, because they do not change the score.
    """
    for a, b, c, d in (naive_information.counts_of(x, y, n) for x in left for y in right):
        agreeing, differing = (a, b, c, d), (b, a, d, c)
        informs = any(naive_information.informative(counts, n) for counts in (agreeing, differing))
        if not informs and n * d != (b + d) * (c + d):
            return True
    return False


def disjoint_clusters_inform(left, right, n):
    """Return whether some clusters that share no object are informative about each other."""
    pairs = (naive_information.counts_of(x, y, n) for x in left for y in right if not x & y)
    return any(naive_information.informative(counts, n) for counts in pairs)


@pytest.mark.parametrize("measure", NETWORKIT)
def test_networkit_gives_the_same_onmi_where_disjoint_clusters_do_not_inform(score, measure):
    compared = 0
    for n, left, right in untied_covers():
        if not disjoint_clusters_inform(left, right, n):
            expected = networkit_onmi(left, right, n, measure)
            found = min(score(left, right, n, measure), 1.0)
            assert found == near(expected), (n, left, right)
            compared += 1
    assert compared > 200


def test_the_smaller_entropy_can_be_less_than_the_information_which_networkit_hides(score):
    n, left = 4, [frozenset({0})]
    right = [frozenset({0}), frozenset({0, 1}), frozenset({0, 2}), frozenset({0, 3})]
    # {0} has H = 2 - 3/4 log2(3) bits, all of it found; each pair has 1 bit, of which H - 1/2 is.
    single = 2 - 0.75 * log2(3)
    told = (single + single + 3 * (single - 0.5)) / 2
    assert networkit_onmi(left, right, n, "onmi_min") == 1.0
    assert score(left, right, n, "onmi_min") == near(told / single)
    assert score(left, right, n, "onmi_sqrt") == near(told / (single * (single + 3)) ** 0.5)


def test_networkit_gives_the_same_adjusted_rand_index(score):
    for _, n, left, right in many_partitions():
        sides = []
        for clusters in (left, right):
            side = networkit.Partition(n)
            side.setUpperBound(n)
            for item, label in enumerate(labels_of(clusters, n)):
                side.addToSubset(label, item)
            sides.append(side)
        measure = networkit.community.AdjustedRandMeasure()
        expected = 1 - measure.getDissimilarity(networkit.Graph(n), *sides)
        assert score(left, right, n, "ari") == near(expected), (n, left, right)


# clusim


def as_clusim(clusters):
    return ClusimClustering(clu2elm_dict={i: sorted(c) for i, c in enumerate(clusters)})


def test_clusim_gives_the_same_omega_index_of_covers(score):
    compared = 0
    for n, left, right in many_covers():
        counts = naive_measures.shared_clusters(left, right, frozenset(range(n)))
        if len({count for pair in counts for count in pair}) <= 1:
            continue  # the expected agreement is 1: NaN in clusim, 1.0 in coverlap
        # clusim rejects objects in no cluster.
        sides = (naive_measures._placed(side, range(n), "singletons") for side in (left, right))
        expected = sim.omega_index(*map(as_clusim, sides))
        assert score(left, right, n, "omega") == near(expected), (n, left, right)
        compared += 1
    assert compared > 250


CLUSIM = {
    "ecs": sim.element_sim,
    "pair_f1": sim.fmeasure,
    "pair_jaccard": sim.jaccard_index,
    "rogers_tanimoto": sim.rogers_tanimoto_index,
}


@pytest.mark.parametrize("measure", CLUSIM)
def test_clusim_gives_the_same_scores_of_partitions(score, measure):
    for _, n, left, right in partitions(5, 300):
        joined = max(map(len, left + right), default=0) > 1
        if not n or (measure != "ecs" and not joined):
            continue  # an error in clusim without objects, 0.0 or NaN without joined pairs
        expected = CLUSIM[measure](as_clusim(left), as_clusim(right))
        assert score(left, right, n, measure) == near(expected), (n, left, right)


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.99])
def test_clusim_gives_the_same_element_centric_similarity_for_other_alphas(score, alpha):
    for _, n, left, right in partitions(6, 100):
        if n:
            expected = sim.element_sim(as_clusim(left), as_clusim(right), alpha=alpha)
            assert score(left, right, n, "ecs", alpha=alpha) == near(expected), (n, left, right)


def test_clusim_gives_the_variation_of_information_in_bits(score):
    for _, n, left, right in partitions(7, 200):
        if n:
            expected = sim.vi(as_clusim(left), as_clusim(right), norm_type="none") * log(2)
            assert score(left, right, n, "vi") == near(expected), (n, left, right)


# cdlib


CDLIB = {
    "onmi_lfk": evaluation.overlapping_normalized_mutual_information_LFK,
    "onmi_mgh": evaluation.overlapping_normalized_mutual_information_MGH,
    "onmi_lfk_total": partial(
        evaluation.overlapping_normalized_mutual_information_MGH, normalization="LFK"
    ),
}


def clustered_anywhere(left, right):
    """Renumber the objects that are in a cluster, because cdlib ignores all others."""
    place = {item: i for i, item in enumerate(sorted(frozenset().union(*left, *right)))}
    sides = [[frozenset(place[i] for i in cluster) for cluster in side] for side in (left, right)]
    return *sides, len(place)


@pytest.mark.parametrize("measure", CDLIB)
def test_cdlib_gives_the_same_onmi_over_all_pairs_of_clusters(score, measure):
    compared = 0
    for _, _, drawn_left, drawn_right in (*covers(8, 150), *lopsided(8, 20)):
        left, right, n = clustered_anywhere(
            naive.normalise(drawn_left), naive.normalise(drawn_right)
        )
        full = frozenset(range(n))
        if measure == "onmi_lfk" and full in left and full in right:
            continue  # coverlap counts this cluster as found, and cdlib does not
        if measure == "onmi_lfk_total" and only_full(left, n) != only_full(right, n):
            continue  # 0/0: an exception in cdlib
        sides = (
            NodeClustering([sorted(cluster) for cluster in side], None, overlap=True)
            for side in (left, right)
        )
        expected = CDLIB[measure](*sides).score
        assert score(left, right, n, measure) == near(expected), (n, left, right)
        compared += 1
    assert compared > 80
