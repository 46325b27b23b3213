"""Tune HDBSCAN against known classes when some points belong to none of them.

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
    """One clustering: what it does with outliers, and three scores of it."""

    name: str
    outliers: float  # share of the points
    fstar_wo: float
    ari_clustered: float  # on the points that this clustering puts into clusters
    ari_classified: float  # on the points that have a true class


def make_points(seed: int = 1) -> tuple[Array, Array]:
    """Scatter six round classes of 150 points, and 300 points of no class (-1) all over."""
    centers = np.array([[x, y] for x in (-6.0, 0.0, 6.0) for y in (-3.0, 3.0)])
    members, classes = make_blobs(900, centers=centers, cluster_std=0.95, random_state=seed)
    strays = np.random.default_rng(seed).uniform(-12, 12, (300, 2))
    return np.vstack([members, strays]), np.append(classes, np.full(300, -1))


def tune_by_grid(points: Array, truth: Array) -> GridSearchCV:
    """Search a grid; HDBSCAN cannot predict, so all points are clustered and scored at once."""
    grid = {"min_cluster_size": [5, 10, 20, 40, 80], "min_samples": [2, 5, 10, 20, 40]}
    everything = np.arange(len(points))
    search = GridSearchCV(
        HDBSCAN(copy=True), grid, scoring=cv.fstar_scorer, cv=[(everything, everything)]
    )
    return search.fit(points, truth)


def tune_by_optuna(points: Array, truth: Array, n_trials: int = 40) -> Any:
    """Let Optuna choose among all settings in the same ranges."""
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


def judge(name: str, truth: Array, found: Array) -> Row:
    """Score one clustering in three ways."""
    clustered, classified = found >= 0, truth >= 0
    return Row(
        name,
        float(np.mean(~clustered)),
        cv.fstar_score(truth, found),
        adjusted_rand_score(truth[clustered], found[clustered]),
        adjusted_rand_score(truth[classified], found[classified]),
    )


def judge_all(points: Array, truth: Array, tuned: HDBSCAN) -> list[Row]:
    """Score the tuned clustering, and what dropping and forcing points makes of it."""
    found, inside = tuned.labels_, tuned.labels_ >= 0
    surest = np.where(tuned.probabilities_ == 1.0, found, -1)
    forced = KNeighborsClassifier(1).fit(points[inside], found[inside]).predict(points)
    nothing = np.full(len(points), -1)
    return [
        judge("every point an outlier", truth, nothing),
        judge("only the surest members", truth, surest),
        judge("tuned by F*_wo", truth, found),
        judge("every point in its nearest cluster", truth, forced),
        judge("every point in one cluster", truth, nothing + 1),
    ]


def main() -> None:
    """Print the settings found, and the table."""
    points, truth = make_points()
    search = tune_by_grid(points, truth)
    print(f"GridSearchCV: {search.best_params_}, F*_wo {search.best_score_:.3f}")
    if find_spec("optuna"):
        study = tune_by_optuna(points, truth)
        print(f"Optuna:       {study.best_params}, F*_wo {study.best_value:.3f}")
    print(
        f"\n{np.mean(truth < 0):.0%} of the points are of no class. ARI knows no outliers, so some"
    )
    print("points are left out: those in no cluster, or those of no class.")
    print(f"\n{'':34}  outliers  F*_wo  ARI, in a cluster  ARI, of a class")
    for name, outliers, *scores in judge_all(points, truth, search.best_estimator_):
        print("{:34}  {:8.0%}  {:5.3f}  {:17.3f}  {:15.3f}".format(name, outliers, *scores))
    print("\nThe first ARI is best if nearly every point is dropped, the second if every point is")
    print("forced into a cluster. F*_wo rewards neither.")


if __name__ == "__main__":
    main()
