"""The two experiments of figure 3: that of the text, and that of the stored curves."""

import pickle
import random

import numpy as np
import pytest

import coverlap as cv
from paper.experiments import graphs
from paper.experiments.experiment import SCALES, Scale, Values
from paper.experiments.graphs import GRAPHS, stored_point, text_point, without_largest
from paper.generate import abcd_graph
from paper.results.curves import average
from paper.results.stored import agreements, stored_curves
from tests import naive, naive_graph

TEXT, STORED = GRAPHS

BOUND = 1.7
"""The expected rms z of 15 points, with 10 samples on both sides, plus 4 standard deviations.

The z are t values with 18 degrees of freedom. Their squares have mean 1.125 and variance 3.1; the
mean of 15 squares has a standard deviation of 0.45, and 1.125 + 4 * 0.45 is the square of 1.7.
"""


def test_measures_are_two_similarities_and_the_number_of_clusters_by_resolution():
    assert TEXT.measures == (
        "vertices 0.5", "vertices 1.0", "vertices 3.75", "edges 0.5", "edges 1.0", "edges 3.75",
        "clusters 0.5", "clusters 1.0", "clusters 3.75", "clusters truth",
    )  # fmt: skip
    known = {measure for name, measure in stored_curves() if name == "graphs_stored"}
    assert set(STORED.measures) == known
    assert STORED.measures[::3] == (
        "vertices 0.67",
        "edges 0.67",
        "clusters 0.67",
        "clusters truth",
    )


@pytest.mark.parametrize(
    ("x_stride", "expected"),
    [
        (1, np.linspace(0.2, 0.8, 15)),
        (SCALES["quick"].x_stride, [0.2, 23 / 70, 0.5, 44 / 70, 0.8]),
        (100, [0.2, 0.5, 0.8]),
    ],
)
def test_fewer_points_keep_both_ends_and_the_middle(x_stride, expected):
    assert graphs.background_shares(Scale("any", x_stride=x_stride)) == pytest.approx(expected)


def test_the_points_are_those_of_the_stored_curves():
    assert np.array_equal(
        stored_curves()["graphs_stored", "edges 4.5"].x, graphs.background_shares(Scale("all"))
    )


def test_scores_and_numbers_are_those_of_the_definitions():
    drawn = abcd_graph(60, xi=0.3, min_degree=2, min_size=10, seed=1)
    truth = without_largest(drawn.clustering)
    found = [cv.graph.leiden(drawn.graph, r) for r in (0.5, 2)]
    edges = drawn.graph.edges.tolist()

    def scores(clustering):
        sides = [dict(enumerate(side.to_clusters())) for side in (truth, clustering)]
        induced = [naive_graph.edge_clusters(edges, side).clusters.values() for side in sides]
        of_vertices = naive.fstar(sides[0].values(), sides[1].values(), range(60))
        return of_vertices, naive.fstar(*induced, range(len(edges)))

    (coarse, coarse_edges), (fine, fine_edges) = map(scores, found)
    numbers = [len(clustering.to_clusters()) for clustering in (*found, truth)]
    assert coarse != fine
    assert coarse != coarse_edges
    assert graphs.compare_with_truth(drawn.graph, truth, found) == pytest.approx(
        [float(coarse), float(fine), float(coarse_edges), float(fine_edges), *numbers], abs=1e-15
    )


def test_without_its_largest_cluster_a_partition_has_outliers():
    given = cv.Clustering.from_labels([0, 1, 1, 1, 2, 2])
    assert without_largest(given).to_clusters() == [{0}, {4, 5}]
    assert without_largest(given).n_outliers == 3


@pytest.mark.parametrize(("point", "n_truth"), [(text_point, 0), (stored_point, 1)])
def test_the_truth_is_whole_in_the_text_and_lacks_a_cluster_in_the_stored_curves(point, n_truth):
    n, least = (5000, 50) if n_truth else (2000, 25)
    values = point(0.3, np.random.default_rng(1))
    drawn = abcd_graph(n, xi=0.3, min_size=least, seed=np.random.default_rng(1))
    assert values[-1] == drawn.clustering.n_clusters - n_truth


@pytest.mark.parametrize("experiment", GRAPHS, ids=lambda experiment: experiment.name)
def test_a_seed_fixes_a_sample_and_other_random_numbers_stay_as_they_are(experiment, monkeypatch):
    monkeypatch.setattr(graphs, "background_shares", lambda _: np.array([0.2, 0.3]))
    sample = pickle.loads(pickle.dumps(experiment.sample))  # noqa: S301
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    x, values = sample(np.random.default_rng(1), SCALES["quick"])
    assert values.shape == (len(x), len(experiment.measures)) == (2, 10)
    assert before == (random.getstate(), np.random.get_state()[1].tolist())  # noqa: NPY002
    again, other = (sample(np.random.default_rng(seed), SCALES["quick"])[1] for seed in (1, 2))
    assert np.array_equal(values, again)
    assert not np.array_equal(values, other)


# What the curves show


def means_at(xi, n_samples):
    values = [text_point(xi, np.random.default_rng((3, i))) for i in range(n_samples)]
    return dict(zip(TEXT.measures, np.mean(values, axis=0).tolist(), strict=True))


@pytest.mark.slow
def test_with_little_background_both_perspectives_rank_resolutions_alike():
    means = means_at(
        0.2, 30
    )  # with fewer, the order of the two lower ones may be exchanged by chance
    assert means["vertices 1.0"] > means["vertices 0.5"] > means["vertices 3.75"]
    assert means["edges 1.0"] > means["edges 0.5"] > means["edges 3.75"]


@pytest.mark.slow
def test_with_much_background_the_two_perspectives_rank_resolutions_the_other_way_round():
    means = means_at(0.8, 6)
    assert means["vertices 0.5"] > means["vertices 1.0"] > means["vertices 3.75"]
    assert means["edges 3.75"] > means["edges 1.0"] > means["edges 0.5"]
    assert means["clusters 0.5"] == 1


def rms_z(n_samples=10):
    drawn = [
        STORED.sample(np.random.default_rng((4, i)), SCALES["paper"]) for i in range(n_samples)
    ]
    x = np.array([sample.x for sample in drawn])
    values = np.array([sample.values for sample in drawn])
    return {one.measure: one.rms for one in agreements(average(Values(STORED, x, values)))}


@pytest.mark.slow
def test_the_stored_curves_come_out_again():
    found = rms_z()
    assert len(found) == 10
    assert max(found.values()) < BOUND, found


@pytest.mark.slow
def test_the_stored_curves_do_not_come_out_with_all_clusters_of_the_truth(monkeypatch):
    monkeypatch.setattr(graphs, "without_largest", lambda clustering: clustering)
    found = rms_z()
    assert min(found["vertices 1.25"], found["edges 1.25"]) > 3 * BOUND, found
    assert min(found[f"edges {r}"] for r in (0.67, 1.25, 4.5)) > BOUND, found
