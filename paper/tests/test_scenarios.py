"""The five scenarios against closed forms, definitions and the authors' means."""

from fractions import Fraction
from math import log2

import numpy as np
import pytest

import coverlap as cv
from paper.experiments.experiment import SCALES, Scale, Values
from paper.experiments.runner import run_experiments
from paper.experiments.scenarios import FIVE_MEASURES, SCENARIOS, five_scores, size_entropy
from paper.results.curves import BIN_EDGES, Curves, average
from paper.results.stored import agreements, stored_curves
from tests import naive, naive_measures

BY_NAME = {experiment.name: experiment for experiment in SCENARIOS}
KEPT = [
    32, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 9, 8, 7, 6,
    5, 4, 3, 2, 1,
]  # fmt: skip
"""Objects that each cluster of scenario 5 keeps at each point."""


def sampled(name: str, seed: int = 0, scale: Scale = SCALES["paper"]):
    return BY_NAME[name].sample(np.random.default_rng(seed), scale)


def column(values, measure: str):
    return values[:, FIVE_MEASURES.index(measure)]


def test_with_nothing_shuffled_both_are_equal_and_then_all_measures_fall():
    x, values = sampled("shuffle")
    assert x.tolist() == np.linspace(0, 1, 40).tolist()
    assert (values[0] == 1.0).all()
    assert (values[1:] < 1.0).all()
    assert np.allclose(column(values, "onmi_lfk"), column(values, "onmi_mgh"), rtol=0, atol=1e-12)
    for measure in ("omega", "ecs", "fstar_wo"):
        assert np.corrcoef(x, column(values, measure))[0, 1] < -0.9


def test_the_end_of_many_clusters_is_exactly_one_in_128():
    x, values = sampled("number")
    assert x[0] == 8
    assert x[-1] == 1024
    # Singletons against 8 clusters of 128: the best match of each has 1 of 128 in common.
    assert column(values, "fstar_wo")[-1] == 1 / 128
    assert column(values, "ecs")[-1] == pytest.approx(1 / 128, abs=1e-15)
    assert column(values, "onmi_mgh")[-1] == pytest.approx(0, abs=1e-15)


def test_overlap_scores_the_ratio_of_sizes():
    x, values = sampled("overlap")
    assert x.tolist() == [1 + i / 2 for i in range(17)]
    expected = np.minimum(x, 3) / np.maximum(x, 3)
    assert np.abs(column(values, "fstar_wo") - expected).max() < 1e-12
    assert (values[4] == 1.0).all()


def test_outliers_score_the_closed_forms():
    _, values = sampled("outliers")
    for k, fstar, ecs in zip(KEPT, column(values, "fstar_wo"), column(values, "ecs"), strict=True):
        low, high = min(k, 16), max(k, 16)
        alike = Fraction(min(32 - k, 16), max(32 - k, 16))
        inside = Fraction(low, high)
        half = Fraction(1, 2)
        exact = half * (
            half * alike + half * inside + Fraction(32 - k, 32) * alike + Fraction(k, 32) * inside
        )
        assert abs(fstar - exact) < 1e-12
        if k <= 16:
            of_objects = Fraction(k * k, 16) + Fraction(16 - k, 16) + 16
        else:
            of_objects = Fraction(256, k) + Fraction(k - 16, k) + 32 - k
        assert abs(ecs - of_objects / 32) < 1e-12


def test_the_walk_keeps_its_clusters_and_its_entropy_falls():
    scale = SCALES["paper"]._replace(n_walk_points=300)
    x, values = sampled("skew", 1, scale)
    assert len(x) == len(values) == 300
    assert x[0] == 5.0
    assert 3 < x[200:].mean() < 4.2
    assert np.abs(column(values, "omega")).max() < 0.02
    assert 0.03 < column(values, "fstar_wo").min() < column(values, "fstar_wo").max() < 0.07


def test_entropy_is_in_bits():
    sizes = [1, 3, 4]
    labels = np.repeat([0, 1, 2], sizes)
    expected = -sum(size / 8 * log2(size / 8) for size in sizes)
    assert size_entropy(cv.Clustering.from_labels(labels)) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("name", ["shuffle", "number"])
def test_the_values_are_those_of_the_definitions(name):
    """The last point of a smaller version of the scenario, against the oracles."""
    rng = np.random.default_rng(5)
    given = cv.generate.equal_partition(48, 6)
    other = cv.generate.shuffled(cv.generate.equal_partition(48, 6 if name == "shuffle" else 12),
                                 seed=rng)  # fmt: skip
    values = dict(zip(FIVE_MEASURES, five_scores(given, other), strict=True))
    sides = [[frozenset(c) for c in side.to_clusters()] for side in (given, other)]
    assert values["fstar_wo"] == pytest.approx(float(naive.fstar(*sides, range(48))), abs=1e-12)
    for measure in ("omega", "onmi_lfk", "onmi_mgh", "ecs"):
        exact = float(naive_measures.score(*sides, 48, measure))
        assert values[measure] == pytest.approx(exact, abs=1e-10)


# Agreement with the stored curves


@pytest.mark.slow
def test_curves_agree_with_those_that_the_authors_stored():
    chosen = [BY_NAME[name] for name in ("shuffle", "number", "overlap", "outliers")]
    for values in run_experiments(chosen, SCALES["paper"], stated=False, n_workers=1):
        found = {agreement.measure: agreement for agreement in agreements(average(values))}
        wanted = {"outliers": {"ecs", "fstar_wo", "onmi_mgh"}}.get(
            values.experiment.name, set(FIVE_MEASURES)
        )
        assert set(found) == wanted
        for agreement in found.values():
            assert (agreement.rms or 0) <= 1.4
            assert (agreement.largest or 0) <= 4.5
            assert (agreement.difference or 0) <= 1e-5
            assert agreement.n_varying + agreement.n_fixed == values.x.shape[1]


def test_a_curve_that_is_off_does_not_agree():
    experiment = BY_NAME["shuffle"]
    theirs = stored_curves()["shuffle", "fstar_wo"]
    means = np.column_stack([stored_curves()["shuffle", name].means for name in FIVE_MEASURES])
    sds = np.column_stack([stored_curves()["shuffle", name].sds for name in FIVE_MEASURES])
    errors = sds / np.sqrt(24)
    same = Curves(experiment, theirs.x, means, sds, errors, np.full(40, 25.0), 25)
    assert max(agreement.largest for agreement in agreements(same)) == 0
    off = same._replace(means=means + sds)
    # One standard deviation is sqrt(24 / 2) standard errors of two means of 25 samples.
    for agreement in agreements(off):
        assert agreement.rms == pytest.approx(np.sqrt(12), rel=1e-6)


def test_the_walk_is_averaged_by_the_stored_bins():
    experiment = BY_NAME["skew"]
    x = np.array([[5.0, BIN_EDGES[3], BIN_EDGES[3] + 0.01], [BIN_EDGES[7] + 0.02, 4.99, 1.0]])
    values = np.arange(30.0).reshape(2, 3, 5)
    found = average(Values(experiment, x, values))
    # 5.0 is at the upper end of all bins, and 1.0 below the first: both are in none.
    assert found.x.tolist() == [BIN_EDGES[3], BIN_EDGES[7], BIN_EDGES[39]]
    assert found.counts.tolist() == [2, 1, 1]
    assert found.means[0].tolist() == ((values[0, 1] + values[0, 2]) / 2).tolist()
    assert found.sds[0].tolist() == [2.5] * 5
    assert found.means[2].tolist() == values[1, 1].tolist()


def test_errors_of_the_walk_come_from_the_variation_between_samples():
    experiment = BY_NAME["skew"]
    inside = BIN_EDGES[3] + 0.01
    x = np.array([[inside, inside], [inside, BIN_EDGES[9] + 0.01], [inside, inside]])
    values = np.repeat(np.array([[1.0, 3.0], [4.0, 9.0], [6.0, 6.0]])[:, :, None], 5, axis=2)
    found = average(Values(experiment, x, values))
    # Five points with the mean 4; the deviations of the three samples add up to -4, 0 and 4.
    assert found.means[0].tolist() == [4.0] * 5
    assert found.errors[0] == pytest.approx([np.sqrt(3 / 2 * 32) / 5] * 5)
    assert found.n_samples == 3


def test_without_points_that_vary_there_is_no_rms():
    experiment = BY_NAME["outliers"]
    theirs = [stored_curves()["outliers", name] for name in ("onmi_mgh", "ecs", "fstar_wo")]
    means = np.zeros((30, 5))
    means[:, 2:] = np.column_stack([one.means for one in theirs])
    nothing = np.zeros((30, 5))
    same = Curves(experiment, theirs[0].x, means, nothing, nothing, np.full(30, 10.0), 10)
    for one in agreements(same):
        assert one[1:] == (0, 30, None, None, 0)
