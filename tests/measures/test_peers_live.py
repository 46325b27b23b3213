"""Scores of other libraries on the same random clusterings.

`tests.peers` has the functions whose names and options coverlap shares, and predicts each
difference. Here are the options and combinations of functions that it does not have.
"""

from functools import partial
from itertools import product
from math import log2

import networkit
import pytest
from cdlib import NodeClustering, evaluation
from clusim import sim
from clusim.clustering import Clustering as ClusimClustering
from scipy import sparse
from sklearn import metrics

import coverlap as cv
from tests import naive, naive_information, naive_measures
from tests.measures.examples import covers, lopsided, over, partitions
from tests.peers.__main__ import PEERS
from tests.peers.inputs import labels_of
from tests.peers.recording import run_peer

pytestmark = pytest.mark.slow


def near(value):
    return pytest.approx(float(value), rel=0, abs=1e-10)


def score(left, right, n, measure, **options):
    return cv.score(over(left, n), over(right, n), measure, **options)


@pytest.mark.parametrize("name", ["scikit-learn", "igraph", "clusim", "NetworKit", "cdlib"])
def test_other_libraries_give_the_same_scores_or_the_predicted_ones(name):
    peer = PEERS[name](200)
    peer.suites, peer.examples = (), False
    for tally in run_peer(peer).values():
        assert tally.unexplained == []
        assert tally.equal > 100


# Partitions


def many_partitions():
    """Yield partitions of up to twelve objects, and some of more, with their labels."""
    for _, n, left, right in (*partitions(1, 250), *partitions(2, 30, max_objects=60)):
        yield n, left, right, (labels_of(left, n), labels_of(right, n))


MEANS = {"min": "min", "sqrt": "geometric", "max": "max"}


@pytest.mark.parametrize("mean", MEANS)
def test_scikit_learn_gives_the_same_normalised_scores_for_every_mean(mean):
    for n, left, right, labels in many_partitions():
        nmi = metrics.normalized_mutual_info_score(*labels, average_method=MEANS[mean])
        assert score(left, right, n, f"nmi_{mean}") == near(nmi), (n, left, right)
        singletons = n in {len(left), len(right)} and set(left) != set(right)
        if mean != "min" or not singletons:  # 0/0: scikit-learn depends on rounding
            ami = metrics.adjusted_mutual_info_score(*labels, average_method=MEANS[mean])
            assert score(left, right, n, f"ami_{mean}") == near(ami), (n, left, right)


def test_the_tables_of_scikit_learn_give_the_same_scores():
    for n, left, right, labels in many_partitions():
        counted = metrics.pair_confusion_matrix(*labels)
        _, right_only, left_only, both = (int(count) for count in counted.ravel())
        ratios = {"pair_precision": (both, both + right_only),
                  "pair_recall": (both, both + left_only)}  # fmt: skip
        if n:
            table = metrics.cluster.contingency_matrix(*labels)
            by_right, by_left = int(table.max(axis=0).sum()), int(table.max(axis=1).sum())
            ratios |= {"purity": (by_right, n), "split_join": (2 * n - by_left - by_right, 1)}
        if len(left) > 1 or len(right) > 1:
            pairs = [f"{one} {other}" for one, other in zip(*labels, strict=True)]
            joint = metrics.mutual_info_score(pairs, pairs)
            ratios["nmi_joint"] = metrics.mutual_info_score(*labels), joint
        for measure, (top, bottom) in ratios.items():
            expected = top / bottom if bottom else float(set(left) == set(right))
            assert score(left, right, n, measure) == near(expected), (measure, n, left, right)


def test_networkit_gives_the_same_adjusted_rand_index():
    for n, left, right, labels in many_partitions():
        sides = []
        for side in labels:
            sides.append(networkit.Partition(n))
            sides[-1].setUpperBound(n)
            for item, label in enumerate(side):
                sides[-1].addToSubset(label, item)
        measure = networkit.community.AdjustedRandMeasure()
        expected = 1 - measure.getDissimilarity(networkit.Graph(n), *sides)
        assert score(left, right, n, "ari") == near(expected), (n, left, right)


# Covers


def many_covers():
    """Yield clusterings without repeated clusters, which other libraries count repeatedly."""
    for _, n, left, right in (*covers(3, 400), *covers(4, 40, max_objects=30), *lopsided(4, 40)):
        if n:
            yield n, naive.normalise(left), naive.normalise(right)


def as_cover(clusters, n):
    cover = networkit.Cover(n)
    cover.setUpperBound(len(clusters))
    for number, cluster in enumerate(clusters):
        for item in cluster:
            cover.addToSubset(number, item)
    return cover


def networkit_onmi(left, right, n, kind):
    kind = getattr(networkit.community.Normalization, kind)
    distance = networkit.community.OverlappingNMIDistance(kind)
    sides = as_cover(left, n), as_cover(right, n)
    return 1 - distance.getDissimilarity(networkit.Graph(n), *sides)


def differs_in_networkit(left, right, n):
    """Return whether disjoint clusters inform on each other, or h(a) + h(d) = h(b) + h(c).

    NetworKit ignores the former and counts the latter as satisfied, where the definition has >.
    Independent clusters, for which both sides are equal too, do not change the score.
    """
    for x, y in product(left, right):
        a, b, c, d = naive_information.counts_of(x, y, n)
        agreeing, differing = (
            naive_information.informative(counts, n) for counts in ((a, b, c, d), (b, a, d, c))
        )
        tied = not agreeing and not differing and n * d != (b + d) * (c + d)
        if tied or (agreeing and not d):
            return True
    return False


NETWORKIT = {
    "onmi_min": "MIN", "onmi_sqrt": "GEOMETRIC_MEAN", "onmi_mean": "ARITHMETIC_MEAN",
    "onmi_mgh": "MAX", "onmi_joint": "JOINT_ENTROPY",
}  # fmt: skip


def test_networkit_gives_the_same_onmi_where_disjoint_clusters_do_not_inform():
    compared = 0
    for n, left, right in many_covers():
        if differs_in_networkit(left, right, n):
            continue
        for measure, kind in NETWORKIT.items():
            found = min(score(left, right, n, measure), 1.0)  # NetworKit returns 1 for more
            assert found == near(networkit_onmi(left, right, n, kind)), (measure, n, left, right)
        compared += 1
    assert compared > 200


def test_the_smaller_entropy_can_be_less_than_the_information_which_networkit_hides():
    n, left = 4, [frozenset({0})]
    right = [frozenset({0}), frozenset({0, 1}), frozenset({0, 2}), frozenset({0, 3})]
    # {0} has H = 2 - 3/4 log2(3) bits, all of it found; each pair has 1 bit, of which H - 1/2 is.
    single = 2 - 0.75 * log2(3)
    told = (single + single + 3 * (single - 0.5)) / 2
    assert networkit_onmi(left, right, n, "MIN") == 1.0
    assert score(left, right, n, "onmi_min") == near(told / single)
    assert score(left, right, n, "onmi_sqrt") == near(told / (single * (single + 3)) ** 0.5)


def test_the_best_f1_of_every_cluster_is_that_of_networkit():
    compared = 0
    for n, left, right in many_covers():
        if not left or not right:
            continue
        sides = as_cover(left, n), as_cover(right, n)
        theirs = networkit.community.CoverF1Similarity(networkit.Graph(n), *sides)
        theirs.run()
        result = cv.compare(over(left, n), over(right, n), similarity="f1", outliers=False)
        ours = result.columns()["similarity"][: len(left)]
        assert ours == [near(value) for value in theirs.getValues()]
        assert result.left.clusters == near(theirs.getWeightedAverage())
        compared += len(left)
    assert compared > 500


def placed(clusters, n):
    """Return clusters for clusim, which rejects objects in no cluster."""
    rest = sorted(naive.outliers(clusters, range(n)))
    return ClusimClustering().from_cluster_list([*map(sorted, clusters), *([o] for o in rest)])


@pytest.mark.parametrize("alpha", [0.1, 0.9])
def test_clusim_gives_the_same_omega_index_and_element_centric_similarity(monkeypatch, alpha):
    # clusim 0.4 expects a dense matrix, which older versions of SciPy returned.
    to_list = lambda self: self.toarray().tolist()  # noqa: E731
    monkeypatch.setattr(sparse.csr_matrix, "tolist", to_list, raising=False)
    for n, left, right in many_covers():
        sides = placed(left, n), placed(right, n)
        ecs = sim.element_sim(*sides, alpha=alpha)
        assert score(left, right, n, "ecs", alpha=alpha) == near(ecs), (n, left, right)
        if naive_measures.score(left, right, n, "omega") != 1:  # else 0/0 and NaN in clusim
            omega = sim.omega_index(*sides)
            assert score(left, right, n, "omega") == near(omega), (n, left, right)


def test_cdlib_gives_the_same_onmi_lfk_of_totals():
    mgh = partial(evaluation.overlapping_normalized_mutual_information_MGH, normalization="LFK")
    compared = 0
    for _, drawn_left, drawn_right in many_covers():
        # cdlib ignores the objects that are in no cluster.
        place = {o: i for i, o in enumerate(sorted(frozenset().union(*drawn_left, *drawn_right)))}
        left, right = (
            [frozenset(place[o] for o in cluster) for cluster in side]
            for side in (drawn_left, drawn_right)
        )
        n = len(place)
        if len({{*map(len, side)} == {n} for side in (left, right)}) > 1:
            continue  # 0/0: an exception in cdlib
        sides = (
            NodeClustering([sorted(cluster) for cluster in side], None, overlap=True)
            for side in (left, right)
        )
        assert score(left, right, n, "onmi_lfk_total") == near(mgh(*sides).score), (n, left, right)
        compared += 1
    assert compared > 80
