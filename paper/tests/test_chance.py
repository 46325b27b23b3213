"""The expected score agrees with the experiments in which clusterings are unrelated."""

import numpy as np

import coverlap as cv
from paper.experiments.scenarios import N_OBJECTS
from paper.results.stored import stored_curves


def z_scores(name: str, places: slice, expected: list[float]):
    """Return the differences from the authors' means, in standard errors."""
    curve = stored_curves()[name, "fstar_wo"]
    errors = curve.sds[places] / np.sqrt(curve.counts[places] - 1)  # stored sds are of populations
    vary = errors > 1e-12
    differences = curve.means[places] - np.array(expected)
    assert np.abs(differences[~vary]).max(initial=0) < 1e-9
    return differences[vary] / errors[vary]


def test_the_numbers_of_clusters_of_scenario_3():
    given = cv.generate.equal_partition(N_OBJECTS, 8)
    x = stored_curves()["number", "fstar_wo"].x
    expected = [
        cv.expected_fstar(given, cv.generate.equal_partition(N_OBJECTS, int(k))).value for k in x
    ]
    scores = z_scores("number", slice(None), expected)
    assert len(x) == 40
    assert np.sqrt(np.mean(scores**2)) < 1.3
    assert np.abs(scores).max() < 4


def test_all_objects_shuffled_in_scenario_1():
    given = cv.generate.equal_partition(N_OBJECTS, 32)
    (score,) = z_scores("shuffle", slice(-1, None), [cv.expected_fstar(given, given).value])
    assert abs(score) < 3
