"""Align labels: rename the clusters of one clustering after those of another."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from coverlap.clustering.recognise import recognise, recognise_pair
from coverlap.core.align import Pair, align, identified_by_position
from coverlap.core.checks import check_option
from coverlap.core.errors import InputError, InputTypeError, UniverseError
from coverlap.core.incidence import Codes
from coverlap.core.memberships import Memberships
from coverlap.core.values import NEGATIVE, object_array, outlier_test
from coverlap.core.wording import shown
from coverlap.counting.assignment import match_one_to_one
from coverlap.counting.counts import Counts
from coverlap.counting.matching import SIMILARITIES
from coverlap.inputs.columns import library_of

Make = Callable[[Any, Any], Any]
"""A function that makes a container of values and a dtype."""


def align_labels(
    labels: Any,
    reference: Any,
    *,
    match: Literal["one_to_one", "best"] = "one_to_one",
    outlier_label: Any = NEGATIVE,
) -> Any:
    """Rename clusters after their matches in a reference, so that two plots have the same colours.

    Parameters
    ----------
    labels : list, tuple, array, pandas or polars Series, or dict of object to label
        The labels to rename.
    reference : labels, clusters or Clustering
        The clustering with the names to use, in any form that `as_clustering` reads. Objects are
        aligned as in `compare`; one that only one side contains is an outlier on the other.
    match : {"one_to_one", "best"}
        By default clusters are matched one-to-one, such that matched clusters share as many
        objects as possible in all, however few a single pair shares. With ``"best"``, each
        cluster gets the name of its best match, the most similar cluster by Jaccard as in
        `compare`, so clusters may be merged.
    outlier_label : label or collection of labels, optional
        The labels of outliers on both sides, as in `Clustering.from_labels`.

    Returns
    -------
    list, tuple, array, Series or dict
        The new labels, in a container of the same type, with the same objects in the same order;
        a Series keeps its name and index. Outliers keep their own labels. A cluster without a
        match gets a label that occurs on neither side: an integer above those of the reference
        if these are integers, and ``"new 1"``, ``"new 2"``, ... otherwise. The dtype stays the
        same if it can hold the new labels. New categories are those of the reference, in its
        order, and then other labels.

    Examples
    --------
    >>> import coverlap as cv
    >>> cv.align_labels([1, 1, 2, 2, 0, -1], [0, 0, 1, 1, 1, 1])
    [0, 0, 1, 1, 3, -1]
    >>> cv.align_labels([1, 1, 2, 2, 0, -1], [0, 0, 1, 1, 1, 1], match="best")
    [0, 0, 1, 1, 1, -1]
    >>> cv.align_labels({"x": 7, "y": 7, "z": 8}, {"x": "B cell", "y": "B cell"})
    {'x': 'B cell', 'y': 'B cell', 'z': 'new 1'}
    """
    check_option("match", match, ("one_to_one", "best"))
    write = _writer(labels)
    own = recognise(labels, "labels", outlier_label=outlier_label, borrow=True)
    if len(labels) > 0 and (own.listed or not isinstance(own.incidence, Codes)):
        raise _not_labels(f"a {type(labels).__name__} of clusters")
    pair = _align(own, recognise(reference, "reference", outlier_label=outlier_label, borrow=True))
    names = _new_names(pair, match, outlier_test(outlier_label))
    is_outlier = own.outlier_mask()
    values = object_array([None, *names])[own.numbers]
    values[is_outlier] = _items(labels)[is_outlier]
    return write(values, names, [*_categories(reference), *pair.right.names, *names])


def _align(labels: Memberships, reference: Memberships) -> Pair:
    one, other = recognise_pair(labels, reference)
    if identified_by_position(one.objects, other.objects) and one.n_objects != other.n_objects:
        raise UniverseError(
            f"labels has {one.n_objects:,} objects and reference has {other.n_objects:,}, but "
            "without ids they must be the same ones; pass dicts or Series to align different ones"
        )
    return align(one, other)


def _new_names(pair: Pair, match: str, is_outlier: Callable[[Any], bool]) -> list[Any]:
    """Return the new name of each cluster of the labels, in cluster order."""
    counts, known, own = Counts(pair), pair.right.names, pair.left.names
    if match == "best":
        matched = counts.matching(SIMILARITIES["jaccard"]).left.match
    else:
        matched = match_one_to_one(counts.contingency, own, known)
    fresh = (name for name in _fresh(known, own) if not is_outlier(name))
    names = [known[at] if at >= 0 else next(fresh) for at in matched.tolist()]
    for name in names:
        if is_outlier(name):
            raise InputError(
                f"reference: the name {shown(name)} of a cluster would mean outlier among labels"
            )
    return names


def _fresh(known: list[Any], own: list[Any]) -> Iterator[Any]:
    """Return labels that occur on neither side, of the type of the known ones."""
    taken = {*known, *own}
    numbers = all(isinstance(name, int) for name in known or own)
    some = count(max(known, default=-1) + 1) if numbers else (f"new {i}" for i in count(1))
    return (name for name in some if name not in taken)


def _categories(x: Any) -> list[Any]:
    """Return the categories of a Series, used or not; none for other values."""
    found = getattr(getattr(x, "dtype", None), "categories", ())
    return list(found) if isinstance(found, Iterable) else []


def _all_categories(labels: Any, values: NDArray[Any], first: list[Any]) -> list[Any]:
    """Return some categories, each once, and then those of the labels that outliers still have."""
    there = set(values)
    return list(dict.fromkeys([*first, *(item for item in _categories(labels) if item in there)]))


def _writer(labels: Any) -> Callable[[NDArray[Any], list[Any], list[Any]], Any]:
    """Return the function that makes a container of new labels; reject other containers."""
    if isinstance(labels, (list, tuple)):
        kind = list if isinstance(labels, list) else tuple
        return lambda values, *_: kind(values.tolist())
    if isinstance(labels, Mapping):
        return lambda values, *_: dict(zip(labels, values.tolist(), strict=True))
    if isinstance(labels, np.ndarray):
        return lambda values, names, _: _write_array(labels, values, names)
    library = library_of(labels)
    if type(labels).__name__ == "Series" and library in ("pandas", "polars"):
        write = _write_pandas if library == "pandas" else _write_polars
        return lambda *new: write(labels, *new)
    raise _not_labels(type(labels).__name__)


def _not_labels(what: str) -> InputTypeError:
    return InputTypeError(
        "labels must be one label per object, in a list, tuple, array, pandas or polars Series or "
        f"dict, not {what}; of a Clustering without overlaps pass to_labels(), of an estimator "
        "labels_, and of a frame a column"
    )


def _items(labels: Any) -> NDArray[Any]:
    """Return the labels as they are, as an array."""
    if isinstance(labels, np.ndarray):
        return np.ma.getdata(labels)
    if isinstance(labels, Mapping):
        return object_array(list(labels.values()))
    return object_array(labels.to_list() if hasattr(labels, "to_list") else labels)


def _write_array(labels: NDArray[Any], values: NDArray[Any], names: list[Any]) -> NDArray[Any]:
    kinds = {int: np.int64, str: np.str_, bytes: np.bytes_}
    made: NDArray[Any] = _typed(np.array, values, names, [labels.dtype, _kind(values, kinds)])
    if isinstance(labels, np.ma.MaskedArray):
        return np.ma.MaskedArray(made, np.ma.getmaskarray(labels))
    return made


def _write_pandas(labels: Any, values: NDArray[Any], names: list[Any], categories: Any) -> Any:
    import pandas as pd

    own = labels.dtype
    if isinstance(own, pd.CategoricalDtype):
        own = pd.CategoricalDtype(_all_categories(labels, values, categories))

    def make(new: Any, dtype: Any) -> Any:
        return pd.Series(new, dtype=dtype)

    made = _typed(make, values, names, [own, _kind(values, {int: "int64", str: "str"})])
    made.index, made.name = labels.index, labels.name
    return made


def _write_polars(labels: Any, values: NDArray[Any], names: list[Any], categories: Any) -> Any:
    import polars as pl

    own = labels.dtype
    if own == pl.Enum and _kind(categories, {str: str}) is str:
        own = pl.Enum(_all_categories(labels, values, categories))

    def make(new: Any, dtype: Any) -> Any:
        try:
            return pl.Series(labels.name, list(new), dtype=pl.Object if dtype is object else dtype)
        except pl.exceptions.PolarsError as error:
            raise ValueError from error

    known = [value for value in values if value is not None]  # a column of any type has nulls
    return _typed(make, values, names, [own, _kind(known, {int: pl.Int64, str: pl.String})])


def _kind(values: Iterable[Any], kinds: dict[type, Any]) -> Any:
    """Return the dtype of values of one type, and that of Python objects for others."""
    found = {type(value) for value in values}
    return kinds.get(found.pop(), object) if len(found) == 1 else object


def _typed(make: Make, values: NDArray[Any], names: list[Any], dtypes: list[Any]) -> Any:
    """Make a container with the first dtype that holds the new names, or one of Python objects.

    Floats hold integers, too. That a dtype holds the labels of outliers, callers know.
    """
    for dtype in dtypes:
        try:
            made = make(names, dtype)
        except (TypeError, ValueError, OverflowError):
            continue
        kept = made.to_list() if hasattr(made, "to_list") else made.tolist()
        types = [type(name) for name in names]
        if kept == names and (types == [*map(type, kept)] or {*map(type, kept)} == {float}):
            return make(values, dtype)
    return make(values, object)
