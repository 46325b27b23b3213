"""Samples in parallel processes."""

import numpy as np
import pytest

from paper.experiments.experiment import SCALES, Values
from paper.experiments.runner import run_experiments
from paper.experiments.scenarios import SCENARIOS

SMALL = SCALES["quick"]._replace(n_samples=3, n_walk_points=20)


@pytest.fixture(scope="module")
def results() -> list[Values]:
    """A small run in one process."""
    return run_experiments(SCENARIOS, SMALL, n_workers=1)


@pytest.mark.slow
def test_the_number_of_workers_changes_no_result(results: list[Values]):
    two = run_experiments(SCENARIOS, SMALL, n_workers=2)
    for ours, others in zip(results, two, strict=True):
        assert ours.experiment == others.experiment
        assert (ours.x == others.x).all()
        assert (ours.values == others.values).all()


def test_a_sample_does_not_depend_on_how_many_there_are_or_what_runs_beside_it():
    shuffle, _, number, *_ = SCENARIOS
    few = run_experiments([shuffle], SMALL._replace(n_samples=2), n_workers=1)[0]
    many = run_experiments([number, shuffle], SMALL, n_workers=1)[1]
    assert (few.values == many.values[:2]).all()
    assert not (many.values[0] == many.values[1]).all()


def test_progress_is_reported_for_each_sample():
    steps = []
    run_experiments(SCENARIOS[:1], SMALL, n_workers=1, progress=lambda *step: steps.append(step))
    assert steps == [("shuffle", done, 3) for done in range(4)]


@pytest.mark.parametrize(("stated", "expected"), [(True, (100, 100, 100, 25, 25)),
                                                  (False, (25, 25, 25, 10, 10))])  # fmt: skip
def test_the_numbers_of_samples_are_those_of_the_paper(stated, expected):
    scale = SCALES["paper"]
    assert tuple(e.n_samples(scale, stated=stated) for e in SCENARIOS) == expected
    assert SCENARIOS[0].n_samples(SMALL, stated=stated) == 3


def test_a_quick_run_has_a_score_of_every_measure_at_every_point(results: list[Values]):
    for values in results:
        assert np.isfinite(values.values).all()
        assert values.values.shape[0] == 3
