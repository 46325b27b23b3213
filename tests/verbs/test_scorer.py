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


def test_make_scorer_takes_options_and_a_grid_search_finds_the_number_of_clusters():
    for options in ({}, {"outliers": False, "similarity": "f1"}):
        scorer = make_scorer(cv.fstar_score, **options)
        search = GridSearchCV(
            KMeans(n_init=4, random_state=0), {"n_clusters": [2, 3, 4, 7]}, scoring=scorer, cv=FOLDS
        )
        search.fit(X, Y)
        assert search.best_params_ == {"n_clusters": 4}


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


def test_an_estimator_that_can_predict_is_scored_by_its_predictions():
    train, test = next(FOLDS.split(X))
    model = KMeans(3, n_init=2, random_state=0).fit(X.iloc[train])
    found = model.predict(X.iloc[test])
    assert cv.fstar_scorer(model, X.iloc[test], Y.iloc[test]) == near(
        by_definition(Y.iloc[test], found)
    )


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
def test_an_estimator_that_cannot_predict_clusters_the_test_objects_anew(model):
    assert not hasattr(model, "predict")
    scores = cross_validate(model, X, Y, scoring=cv.fstar_scorer, cv=HALVES)["test_score"]
    expected = [
        by_definition(Y.iloc[test], clone(model).fit_predict(X.iloc[test]))
        for _, test in HALVES.split(X)
    ]
    assert scores.tolist() == near(expected)


def test_labels_of_the_training_objects_are_never_scored_and_never_changed():
    train, test = next(HALVES.split(X))
    assert len(train) == len(test)
    model = HDBSCAN(min_cluster_size=4, copy=True).fit(X.iloc[train])
    labels = model.labels_.copy()
    assert by_definition(Y.iloc[test], labels) < 0.5
    score = cv.fstar_scorer(model, X.iloc[test], Y.iloc[test])
    assert score == near(
        by_definition(Y.iloc[test], HDBSCAN(4, copy=True).fit_predict(X.iloc[test]))
    )
    assert score > 0.5
    np.testing.assert_array_equal(model.labels_, labels)


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


def test_scorers_go_into_a_dict_of_metrics_and_into_pickles():
    scoring = {"wo": cv.fstar_scorer, "w": partial(cv.fstar_scorer, outliers=False)}
    scoring = pickle.loads(pickle.dumps(scoring))  # noqa: S301
    model = DBSCAN(0.3, min_samples=3)
    scores = cross_validate(model, X, Y, scoring=scoring, cv=HALVES)
    for name, outliers in (("wo", True), ("w", False)):
        expected = [
            cv.fstar_score(Y.iloc[test], model.fit_predict(X.iloc[test]), outliers=outliers)
            for _, test in HALVES.split(X)
        ]
        assert scores[f"test_{name}"].tolist() == expected
    assert scores["test_w"].tolist() != scores["test_wo"].tolist()


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


def test_a_scorer_without_a_clustering_to_compare_with_says_so():
    model = HDBSCAN(copy=True).fit(X)
    for call in (lambda: cv.fstar_scorer(model, X), lambda: cv.fstar_scorer(model, X, None)):
        with pytest.raises(cv.InputError, match=r"y must be .* not None; .*search\.fit\(X, y\)"):
            call()
    search = GridSearchCV(
        HDBSCAN(copy=True), {"min_samples": [3]}, scoring=cv.fstar_scorer, error_score="raise"
    )
    with pytest.raises(cv.InputError, match="y must be"):
        search.fit(X)


def test_what_clusters_nothing_is_no_estimator_to_score():
    with pytest.raises(cv.InputTypeError, match="estimator must have predict or fit_predict"):
        cv.fstar_scorer(StandardScaler(), X, Y)
    with pytest.raises(cv.OptionError, match="balance"):
        cv.fstar_scorer(KMeans(2, n_init=1, random_state=0).fit(X), X, Y, balance=2)


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


def test_scorers_can_be_pickled_compared_and_used_together_in_parallel():
    scoring = {"ami": cv.scorer("ami", drop_outliers="either"), "fstar": cv.scorer()}
    assert pickle.loads(pickle.dumps(scoring)) == scoring  # noqa: S301
    assert hash(cv.scorer("ami")) == hash(cv.scorer("ami"))
    assert cv.scorer("ami") != cv.scorer("ami", mean="max")
    assert repr(scoring["ami"]) == "scorer('ami', drop_outliers='either')"
    model = DBSCAN(0.4, min_samples=3)
    found = cross_validate(model, X, Y, scoring=scoring, cv=HALVES)
    for (_, test), ami, fstar in zip(
        HALVES.split(X), found["test_ami"], found["test_fstar"], strict=True
    ):
        labels = clone(model).fit_predict(X.iloc[test])
        kept = labels >= 0
        truth = Y.iloc[test].to_numpy()
        assert ami == near(metrics.adjusted_mutual_info_score(truth[kept], labels[kept]))
        assert fstar == near(by_definition(truth, labels))


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


def test_a_scorer_needs_a_known_clustering():
    with pytest.raises(cv.InputError, match="y must be a clustering"):
        cv.scorer("ami")(KMeans(2), X)
