"""Tune HDBSCAN with known classes if some points do not belong to any class.

Run it with ``python examples/tune_hdbscan.py``. It needs scikit-learn, and uses Optuna if that is
installed.
"""

from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import HDBSCAN
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier

import coverlap as cv

Array = NDArray[Any]


class Row(NamedTuple):
    """The share of outliers of one clustering, and three scores of it."""

    name: str
    outliers: float
    fstar_wo: float
    ari_clustered: float  # of the points that are in a cluster
    ari_classified: float  # of the points that have a true class


def make_points(seed: int = 1) -> tuple[Array, Array]:
    """Draw six round classes of 150 points, and 300 uniform points without a class (-1)."""
    centers = np.array([[x, y] for x in (-6.0, 0.0, 6.0) for y in (-3.0, 3.0)])
    members, classes = make_blobs(900, centers=centers, cluster_std=0.95, random_state=seed)
    outliers = np.random.default_rng(seed).uniform(-12, 12, (300, 2))
    return np.vstack([members, outliers]), np.append(classes, np.full(300, -1))


def tune_by_grid(points: Array, truth: Array) -> GridSearchCV:
    """Search a grid of settings.

    HDBSCAN has no ``predict``, so all points are both clustered and scored for each setting.
    """
    grid = {"min_cluster_size": [5, 10, 20, 40, 80], "min_samples": [2, 5, 10, 20, 40]}
    everything = np.arange(len(points))
    search = GridSearchCV(
        HDBSCAN(copy=True), grid, scoring=cv.fstar_scorer, cv=[(everything, everything)]
    )
    return search.fit(points, truth)


def tune_by_optuna(points: Array, truth: Array, n_trials: int = 40) -> Any:
    """Search the same ranges with Optuna."""
    import optuna

    def objective(trial: optuna.Trial) -> float:
        model = HDBSCAN(
            min_cluster_size=trial.suggest_int("min_cluster_size", 5, 80, log=True),
            min_samples=trial.suggest_int("min_samples", 2, 40, log=True),
            copy=True,
        )
        return cv.fstar_score(truth, model.fit_predict(points))

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = optuna.samplers.TPESampler(seed=0)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    study.optimize(objective, n_trials=n_trials)
    return study


def score_clustering(name: str, truth: Array, found: Array) -> Row:
    """Return the row of one clustering."""
    clustered, classified = found >= 0, truth >= 0
    return Row(
        name,
        float(np.mean(~clustered)),
        cv.fstar_score(truth, found),
        adjusted_rand_score(truth[clustered], found[clustered]),
        adjusted_rand_score(truth[classified], found[classified]),
    )


def score_all(points: Array, truth: Array, tuned: HDBSCAN) -> list[Row]:
    """Return the rows of the tuned clustering, and of others with more or with fewer outliers."""
    found, inside = tuned.labels_, tuned.labels_ >= 0
    surest = np.where(tuned.probabilities_ == 1.0, found, -1)
    nearest = KNeighborsClassifier(1).fit(points[inside], found[inside]).predict(points)
    no_clusters = np.full(len(points), -1)
    return [
        score_clustering("every point an outlier", truth, no_clusters),
        score_clustering("only the surest members", truth, surest),
        score_clustering("tuned by F*_wo", truth, found),
        score_clustering("every point in its nearest cluster", truth, nearest),
        score_clustering("every point in one cluster", truth, no_clusters + 1),
    ]


def main() -> None:
    """Print the best settings and the table of scores."""
    points, truth = make_points()
    search = tune_by_grid(points, truth)
    print(f"GridSearchCV: {search.best_params_}, F*_wo {search.best_score_:.3f}")
    if find_spec("optuna"):
        study = tune_by_optuna(points, truth)
        print(f"Optuna:       {study.best_params}, F*_wo {study.best_value:.3f}")
    print(
        f"\n{np.mean(truth < 0):.0%} of the points have no class. ARI is not defined for outliers,"
    )
    print(
        "so it is computed without the points in no cluster, or without those that have no class."
    )
    print(f"\n{'':34}  outliers  F*_wo  ARI, in a cluster  ARI, with class")
    for row in score_all(points, truth, search.best_estimator_):
        print(
            f"{row.name:34}  {row.outliers:8.0%}  {row.fstar_wo:5.3f}  {row.ari_clustered:17.3f}  "
            f"{row.ari_classified:15.3f}"
        )
    print(
        "\nThe first ARI is highest if almost all points are outliers, and the second if none is."
    )
    print("F*_wo is highest for the tuned clustering.")


if __name__ == "__main__":
    main()
