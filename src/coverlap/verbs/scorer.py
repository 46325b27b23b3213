"""A scorer for the searches of scikit-learn: the score of an estimator on data."""

import copy
from typing import Any

from coverlap.core.errors import InputError, InputTypeError
from coverlap.verbs.compare import fstar_score


def fstar_scorer(estimator: Any, X: Any, y: Any = None, **options: Any) -> float:  # noqa: N803
    r"""Score how an estimator clusters data, compared with a known clustering, by F\*_wo.

    This function can be passed as ``scoring=`` to `GridSearchCV`, `cross_validate` and similar
    functions. It also supports clusterers that cannot predict, such as HDBSCAN and DBSCAN, for
    which ``make_scorer`` fails.

    Parameters
    ----------
    estimator : estimator with the interface of scikit-learn
        If it can predict, its ``predict(X)`` is scored. Otherwise an unfitted copy of it clusters
        X by ``fit_predict(X)``, because its own ``labels_`` belong to the objects that it was
        fitted on. It is not changed.
    X : data
        The objects, in a form that the estimator accepts.
    y : clustering
        The known clustering of the same objects in the same order; negative and missing labels
        are outliers.
    **options
        Options of `fstar_score`; y is left and the estimator's clustering is right.
        ``functools.partial(fstar_scorer, outliers=False)`` is a scorer with options.

    Examples
    --------
    >>> import coverlap as cv
    >>> from sklearn.cluster import DBSCAN
    >>> from sklearn.model_selection import GridSearchCV
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [9.0]]
    >>> y = [0, 0, 0, 1, 1, -1]
    >>> grid = {"eps": [0.01, 0.5, 10.0], "min_samples": [2]}
    >>> all_of_it = [(range(6), range(6))]  # fit and score on all objects at once
    >>> search = GridSearchCV(DBSCAN(), grid, scoring=cv.fstar_scorer, cv=all_of_it).fit(X, y)
    >>> search.best_params_["eps"], float(search.best_score_)
    (0.5, 1.0)
    """
    if y is None:
        raise InputError(
            "y must be a clustering to compare with, such as known classes, not None; "
            "give it to the search, as in search.fit(X, y)"
        )
    if hasattr(estimator, "predict"):
        labels = estimator.predict(X)
    elif hasattr(estimator, "fit_predict"):
        labels = _unfitted(estimator).fit_predict(X)
    else:
        kind = type(estimator).__name__
        raise InputTypeError(f"estimator must have predict or fit_predict, and {kind} has neither")
    return fstar_score(y, labels, **options)


def _unfitted(estimator: Any) -> Any:
    try:
        from sklearn.base import clone
    except ImportError:
        return copy.deepcopy(estimator)
    return clone(estimator, safe=False)
