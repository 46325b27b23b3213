"""Scorers for the searches of scikit-learn: the score of an estimator on data."""

import copy
from dataclasses import dataclass, field
from typing import Any

from coverlap.core.align import Rules
from coverlap.core.errors import InputError, InputTypeError
from coverlap.core.threads import check_threads
from coverlap.measures.registry import MEASURES, find_measure
from coverlap.verbs.compare import fstar_score
from coverlap.verbs.score import score


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
    return fstar_score(*_sides(estimator, X, y), **options)


@dataclass(frozen=True)
class Scorer:
    """A scorer for scikit-learn; `coverlap.scorer` makes it."""

    measure: str
    options: dict[str, Any] = field(default_factory=dict, hash=False)

    def __call__(self, estimator: Any, X: Any, y: Any = None) -> float:  # noqa: N803
        """Return the score of an estimator; see `coverlap.fstar_scorer` for the parameters."""
        value = score(*_sides(estimator, X, y), self.measure, **self.options)
        return -value if MEASURES[self.measure].identical == 0 else value

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"scorer({self.measure!r}{options})"


def scorer(measure: str = "fstar_wo", **options: Any) -> Scorer:
    """Return a scorer by any measure, to pass as ``scoring=`` to `GridSearchCV` and the like.

    It scores an estimator as `fstar_scorer` does; y is left and the estimator's clustering is
    right. A greater value is always better: distances, such as ``vi``, are negated.

    Parameters
    ----------
    measure : str
        A name in `MEASURES`.
    **options
        Options of `score`, and of the measure. A measure that is not defined for outliers needs
        ``outliers_as=`` or ``drop_outliers=`` for estimators or classes with outliers.

    Examples
    --------
    >>> import coverlap as cv
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.model_selection import cross_val_score
    >>> X = [[0.0], [5.0], [0.1], [5.1], [0.2], [5.2]]
    >>> y = [0, 1, 0, 1, 0, 1]
    >>> by_ami, by_vi = cv.scorer("ami", mean="max"), cv.scorer("vi")
    >>> cross_val_score(KMeans(2, n_init=1, random_state=0), X, y, scoring=by_ami, cv=2).tolist()
    [1.0, 1.0]
    >>> round(by_vi(KMeans(1).fit(X), X, y), 6)
    -0.693147
    """
    rules = {name: options[name] for name in Rules._fields if name in options}
    own = {name: options[name] for name in options if name not in {*rules, "threads"}}
    find_measure(measure).check_options(own)
    Rules(**rules).check()
    check_threads(options.get("threads"))
    return Scorer(measure, options)


def _sides(estimator: Any, X: Any, y: Any) -> tuple[Any, Any]:  # noqa: N803
    """Return the known clustering of data, and that of an estimator."""
    if y is None:
        raise InputError(
            "y must be a clustering to compare with, such as known classes, not None; "
            "give it to the search, as in search.fit(X, y)"
        )
    if hasattr(estimator, "predict"):
        return y, estimator.predict(X)
    if hasattr(estimator, "fit_predict"):
        return y, _unfitted(estimator).fit_predict(X)
    kind = type(estimator).__name__
    raise InputTypeError(f"estimator must have predict or fit_predict, and {kind} has neither")


def _unfitted(estimator: Any) -> Any:
    try:
        from sklearn.base import clone
    except ImportError:
        return copy.deepcopy(estimator)
    return clone(estimator, safe=False)
