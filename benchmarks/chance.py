"""Time the expected F* beside the permutations that would estimate it, in one run.

Run it with ``make bench``, or name sections: ``python benchmarks/chance.py small``; add ``--tiny``
for small data. Both sides have clusters of heavy-tailed sizes. The time for 1,000 permutations is
computed from that of fewer ones by `baseline`, and the error printed for them is the standard error
of their mean.
"""

import numpy as np
from data import Labels, size
from timing import best, console, once, report, run

import coverlap as cv


def small() -> None:
    _time(size(10_000, 500), size(100, 10), n_draws=size(1_000, 10))


def medium() -> None:
    _time(size(100_000, 1_000), size(1_000, 20), n_draws=size(200, 10))


def large() -> None:
    _time(size(10_000_000, 2_000), size(10_000, 30), n_draws=size(10, 5))


def _time(n_objects: int, n_clusters: int, n_draws: int) -> None:
    left, right = (
        cv.Clustering.from_labels(_heavy_tailed(n_objects, n_clusters, seed)) for seed in (1, 2)
    )
    expected = cv.expected_fstar(left, right)
    drawn: list[cv.Baseline] = []
    _, short, long = (
        once(lambda n=n: drawn.append(cv.baseline(left, right, n_draws=n))) for n in (2, 2, n_draws)
    )
    draws = drawn[-1].draws
    deviation = draws.std(ddof=1)
    sizes = [len(np.unique(side.sizes)) for side in (left, right)]
    report(
        f"Chance level: {n_objects:,} objects, {n_clusters:,} clusters, {sizes[0]:,} and "
        f"{sizes[1]:,} different sizes on the two sides",
        f"expected_fstar, error {expected.error:.0e}",
        best(lambda: cv.expected_fstar(left, right), 2),
        {
            f"1,000 permutations, error {deviation / 1000**0.5:.0e}": (long - short)
            * 1000
            / (n_draws - 2)
        },
    )
    distance = (draws.mean() - expected.value) / (deviation / n_draws**0.5)
    console.print(
        f"expected {expected.value:.12f}; the mean drawn is {distance:.2f} s.e. from it\n"
    )


def _heavy_tailed(n_objects: int, n_clusters: int, seed: int) -> Labels:
    """Draw labels of clusters with Pareto distributed sizes."""
    rng = np.random.default_rng(seed)
    weights = rng.pareto(1.5, n_clusters) + 1
    return rng.choice(n_clusters, n_objects, p=weights / weights.sum())


if __name__ == "__main__":
    run(small, medium, large)
