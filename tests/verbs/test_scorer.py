"""The score in searches of scikit-learn, and as an objective of Optuna."""

import pickle
import sys
from functools import partial

import numpy as np
import optuna
import pandas as pd
import pytest
from sklearn import metrics
from sklearn.base import clone
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import make_blobs
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import coverlap as cv
from tests import naive
from tests.marks import slow_after

FOLDS = KFold(3, shuffle=True, random_state=0)
HALVES = KFold(2, shuffle=True, random_state=0)


def blobs():
    """Return points and their classes, as a frame and a Series with a shuffled index."""
    points, truth = make_blobs(120, centers=4, cluster_std=0.4, random_state=0)
    index = np.random.default_rng(0).permutation(range(1000, 1120))
    return pd.DataFrame(points, index=index, columns=["x", "y"]), pd.Series(truth, index=index)


X, Y = blobs()


def by_definition(truth, found):
    """Return the score of two arrays of labels by the definition, in fractions."""

    def clusters(labels):
        labels = list(labels)
        return [
            {i for i, label in enumerate(labels) if label == name}
            for name in set(labels)
            if name >= 0
        ]

    return float(naive.fstar(clusters(truth), clusters(found), range(len(truth))))


def near(value):
    return pytest.approx(value, rel=0, abs=1e-12)


# make_scorer


@pytest.mark.parametrize("dtype", ["int64", "Int64", "category", "string", "float32"])
def test_make_scorer_scores_predictions_on_sliced_series(dtype):
    y = Y.astype("Int64").astype("string") if dtype == "string" else Y.astype(dtype)
    model = KMeans(4, n_init=2, random_state=0)
    scores = cross_validate(model, X, y, scoring=make_scorer(cv.fstar_score), cv=FOLDS)
    expected = [
        by_definition(Y.iloc[test], clone(model).fit(X.iloc[train]).predict(X.iloc[test]))
        for train, test in FOLDS.split(X)
    ]
    assert scores["test_score"].tolist() == near(expected)


def test_a_classifier_is_scored_by_its_predictions_either_way():
    model = RandomForestClassifier(20, random_state=0)
    expected = [
        by_definition(
            Y.iloc[test], clone(model).fit(X.iloc[train], Y.iloc[train]).predict(X.iloc[test])
        )
        for train, test in FOLDS.split(X)
    ]
    for scoring in (make_scorer(cv.fstar_score), cv.fstar_scorer):
        scores = cross_val_score(model, X, Y, scoring=scoring, cv=FOLDS)
        assert scores.tolist() == near(expected)


# fstar_scorer


@pytest.mark.parametrize("n_jobs", slow_after(1, [1, 2]))
def test_a_grid_search_over_hdbscan_finds_the_best_setting_on_any_number_of_processes(n_jobs):
    grid = {"min_cluster_size": [3, 5, 40]}
    everything = [(np.arange(120), np.arange(120))]
    for scoring in (cv.fstar_scorer, partial(cv.fstar_scorer, outliers=False)):
        search = GridSearchCV(
            HDBSCAN(copy=True), grid, scoring=scoring, cv=everything, n_jobs=n_jobs,
            error_score="raise",
        ).fit(X, Y)  # fmt: skip
        found = [HDBSCAN(size, copy=True).fit_predict(X) for size in grid["min_cluster_size"]]
        if scoring is cv.fstar_scorer:
            expected = [by_definition(Y, labels) for labels in found]
            assert search.cv_results_["mean_test_score"].tolist() == near(expected)
        assert search.best_params_["min_cluster_size"] != 40
        assert not np.isnan(search.cv_results_["mean_test_score"]).any()


@pytest.mark.parametrize("installed", [True, False])
def test_an_estimator_of_another_library_is_copied_not_changed(monkeypatch, installed):
    if not installed:
        monkeypatch.setitem(sys.modules, "sklearn.base", None)

    class Halves:
        def __init__(self):
            self.fitted = 0

        def fit_predict(self, data):
            self.fitted += 1
            return [i * 2 // len(data) for i in range(len(data))]

    model = Halves()
    assert cv.fstar_scorer(model, [0, 0, 0, 0], [1, 1, 0, 0]) == 1.0
    assert model.fitted == 0


# Optuna


def test_optuna_maximises_the_score():
    def objective(trial):
        size = trial.suggest_int("min_cluster_size", 2, 60)
        return cv.fstar_score(Y, HDBSCAN(size, copy=True).fit_predict(X))

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = optuna.samplers.TPESampler(seed=0)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    study.optimize(objective, n_trials=12)
    labels = HDBSCAN(**study.best_params, copy=True).fit_predict(X)
    assert study.best_value == near(by_definition(Y, labels))
    assert study.best_value == max(trial.value for trial in study.trials) > 0.9


# scorer


@pytest.mark.parametrize("measure", cv.MEASURES)
def test_a_scorer_of_any_measure_scores_predictions_and_more_is_better(measure):
    model = KMeans(3, n_init=2, random_state=0).fit(X)
    expected = cv.score(Y.to_numpy(), model.predict(X), measure)
    sign = -1 if cv.score(Y, Y, measure) == 0 else 1
    assert cv.scorer(measure)(model, X, Y) == sign * expected


@pytest.mark.parametrize(
    ("scoring", "theirs"),
    [
        (cv.scorer("ami", mean="max"), partial(metrics.adjusted_mutual_info_score,
                                               average_method="max")),
        (cv.scorer("v", beta=0.5), partial(metrics.v_measure_score, beta=0.5)),
        (cv.scorer("vi"), lambda y, labels: metrics.mutual_info_score(y, labels) * 2
         - metrics.mutual_info_score(y, y) - metrics.mutual_info_score(labels, labels)),
    ],
    ids=["ami", "v", "vi"],
)  # fmt: skip
def test_a_grid_search_finds_the_same_with_a_scorer_as_with_scikit_learn(scoring, theirs):
    grid = {"n_clusters": [2, 4, 7]}
    searches = [
        clone(GridSearchCV(KMeans(n_init=2, random_state=0), grid, scoring=each, cv=FOLDS)).fit(
            X, Y
        )
        for each in (scoring, make_scorer(theirs))
    ]
    ours, other = (search.cv_results_["mean_test_score"].tolist() for search in searches)
    assert ours == near(other)
    assert searches[0].best_params_ == {"n_clusters": 4}


@pytest.mark.parametrize(
    ("measure", "options", "message"),
    [
        ("amy", {}, "did you mean 'ami'"),
        ("ami", {"mena": "max"}, "ami has no option 'mena'; its options are 'mean'"),
        ("ami", {"mean": "most"}, "mean must be one of"),
        ("ami", {"outliers_as": "noise"}, "outliers_as must be one of"),
        ("ami", {"threads": 0}, "threads must be"),
        (None, {}, "measure must be one of"),
    ],
)
def test_mistakes_are_found_when_a_scorer_is_made(measure, options, message):
    with pytest.raises(cv.OptionError, match=message):
        cv.scorer(measure, **options)


@pytest.mark.parametrize(
    "model",
    [
        HDBSCAN(min_cluster_size=4, copy=True),
        DBSCAN(0.4, min_samples=3),
        AgglomerativeClustering(3),
        make_pipeline(StandardScaler(), HDBSCAN(min_cluster_size=4, copy=True)),
    ],
    ids=lambda model: type(model).__name__,
)
def test_scorers_cluster_the_test_objects_anew_if_an_estimator_cannot_predict(model):
    scoring = {
        "wo": cv.fstar_scorer,
        "w": partial(cv.fstar_scorer, outliers=False),
        "fstar": cv.scorer(),
        "ami": cv.scorer("ami", drop_outliers="either"),
    }
    scoring = pickle.loads(pickle.dumps(scoring))  # noqa: S301
    scores = cross_validate(model, X, Y, scoring=scoring, cv=HALVES)
    for fold, (train, test) in enumerate(HALVES.split(X)):
        found, truth = clone(model).fit_predict(X.iloc[test]), Y.iloc[test].to_numpy()
        kept = found >= 0
        assert scores["test_wo"][fold] == near(by_definition(truth, found))
        assert scores["test_fstar"][fold] == scores["test_wo"][fold]
        assert scores["test_w"][fold] == cv.fstar_score(truth, found, outliers=False)
        theirs = metrics.adjusted_mutual_info_score(truth[kept], found[kept])
        assert scores["test_ami"][fold] == near(theirs)
        fitted = clone(model).fit(X.iloc[train])
        before = fitted[-1].labels_ if hasattr(fitted, "steps") else fitted.labels_
        labels = before.copy()
        assert by_definition(truth, labels) < 0.5  # those of the training objects
        assert cv.fstar_scorer(fitted, X.iloc[test], Y.iloc[test]) == scores["test_wo"][fold]
        np.testing.assert_array_equal(before, labels)


def test_scorers_can_be_compared_and_printed():
    ami = cv.scorer("ami", drop_outliers="either")
    assert pickle.loads(pickle.dumps(ami)) == ami  # noqa: S301
    assert hash(cv.scorer("ami")) == hash(cv.scorer("ami"))
    assert cv.scorer("ami") != cv.scorer("ami", mean="max")
    assert repr(ami) == "scorer('ami', drop_outliers='either')"


def test_a_scorer_without_a_clustering_to_compare_with_says_so():
    model = HDBSCAN(copy=True).fit(X)
    search = GridSearchCV(model, {"min_samples": [3]}, scoring=cv.fstar_scorer, error_score="raise")
    for call in (
        lambda: cv.fstar_scorer(model, X), lambda: cv.fstar_scorer(model, X, None),
        lambda: cv.scorer("ami")(model, X), lambda: search.fit(X),
    ):  # fmt: skip
        with pytest.raises(cv.InputError, match=r"y must be .* not None; .*search\.fit\(X, y\)"):
            call()


def test_what_clusters_nothing_is_no_estimator_to_score():
    with pytest.raises(cv.InputTypeError, match="estimator must have predict or fit_predict"):
        cv.fstar_scorer(StandardScaler(), X, Y)
    with pytest.raises(cv.OptionError, match="balance"):
        cv.fstar_scorer(KMeans(2, n_init=1, random_state=0).fit(X), X, Y, balance=2)
