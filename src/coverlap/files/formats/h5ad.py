"""AnnData files: a column of obs names the clusters of the observations."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import CoverlapError, InputError, MissingDependencyError
from coverlap.core.incidence import Codes, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects, check_distinct
from coverlap.core.values import value_array
from coverlap.core.wording import some
from coverlap.files.content import Content, number_labels
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.tokens import text_ids

OLD_CATEGORIES = "__categories"
"""Where versions before 0.8 kept the categories of all columns."""

MOST = 1000
"""Values that a byte of a file may stand for; compression does not do better."""

ERRORS = (
    OSError, LookupError, RuntimeError, TypeError, ValueError, AttributeError, MemoryError,
)  # fmt: skip
"""What h5py raises when a file is broken or its parts are not what they should be."""


class Column(NamedTuple):
    """Some values, and for each row the place of its value among them, -1 where it is missing."""

    values: NDArray[Any]
    places: NDArray[np.int64]


def read(source: Source, options: ReadOptions) -> Content:
    """Read the column of obs that ``cluster`` names; a missing value makes an outlier.

    Objects are the index of obs, unless ``object`` names a column. AnnData keeps any index as
    text, so it is read as integers if every item is written as one. Nothing but the two columns
    is read.
    """
    named, cluster = options.attributes()
    with source.as_path() as path, _only_our_errors(source), _hdf5().File(path, "r") as file:
        table = _Obs(source, file)
        objects = table.column(table.index if named is None else named)
        labels = table.column(cluster)
    where = f"{source}, obs"
    if len(objects.places) != len(labels.places):
        raise InputError(
            f"{where}: {len(labels.places):,} values in column {cluster!r} for "
            f"{len(objects.places):,} objects"
        )
    ids = _ids(objects, f"{where}[{named or 'index'}]")
    rank, names, met = number_labels(labels.values, options, f"{where}[{cluster}]")
    codes = np.append(rank, np.int32(-1))[labels.places]
    parts = Memberships(Codes(frozen(codes), len(names)), Objects(len(ids), ids, "id"), names)
    held = "the index" if named is None else f"column {named!r}"
    title = f"AnnData's obs, object in {held} and cluster in column {cluster!r}"
    return Content(parts, title, outlier_labels=met)


def _hdf5() -> Any:
    try:
        import h5py
    except ImportError:
        raise MissingDependencyError(
            "an .h5ad file needs h5py, which is not installed: pip install 'coverlap[h5ad]'"
        ) from None
    return h5py


@contextmanager
def _only_our_errors(source: Source) -> Iterator[None]:
    """Say in one line what HDF5 says of a broken file."""
    try:
        yield
    except CoverlapError:
        raise
    except ERRORS as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{source}: cannot be read as HDF5 ({reason})") from None


class _Obs:
    """The table of observations: a group of columns, or the records of versions before 0.7."""

    def __init__(self, source: Source, file: Any) -> None:
        self._source = source
        self._file = file
        if "obs" not in file:
            raise InputError(f"{source}: no obs, so this is no AnnData file")
        self._table = file["obs"]
        self._is_old = hasattr(self._table, "dtype")
        if self._is_old:
            self._names = list(self._table.dtype.names or ())
            self.index = next(iter(self._names), "")
        else:
            self._names = [name for name in self._table if name != OLD_CATEGORIES]
            self.index = _text(self._table.attrs.get("_index", "_index"))
        if self.index not in self._names:
            raise InputError(f"{source}: obs has no index {self.index!r}, as AnnData gives it")

    def column(self, name: str) -> Column:
        """Read a column."""
        if name not in self._names:
            columns = [column for column in self._names if column != self.index]
            raise InputError(
                f"{self._source}: no column {name!r} in obs, but {some(columns) or 'none at all'};"
                " say which by cluster= and object= (--cluster, --object)"
            )
        if not self._is_old:
            return self._column(self._table[name], name)
        column = self._array(self._table, name, field=name)
        categories = self._file.get(f"uns/{name}_categories")
        return column if categories is None else self._categorical(categories, column, name)

    def _column(self, item: Any, name: str) -> Column:
        """Read a column, or the categories of one: a dataset, or a group of two."""
        if hasattr(item, "dtype"):
            column = self._array(item, name)
            if "categories" not in item.attrs:
                return column
            return self._categorical(self._file[item.attrs["categories"]], column, name)
        if "categories" in item and "codes" in item:
            codes = self._array(item["codes"], name)
            return self._categorical(item["categories"], codes, name)
        if "values" in item and "mask" in item:
            return self._masked(item, name)
        raise self._error(name, f"a group of {some(list(item))}, of a kind that is not known")

    def _categorical(self, categories: Any, codes: Column, name: str) -> Column:
        values, places = self._column(categories, name)
        wanted = codes.values
        if wanted.dtype.kind not in "iu" or not np.all((wanted >= -1) & (wanted < len(places))):
            raise self._error(name, f"codes that are no places among {len(places)} categories")
        return Column(values, np.append(places, -1)[wanted.astype(np.int64)])

    def _masked(self, group: Any, name: str) -> Column:
        values, places = self._array(group["values"], name)
        mask = self._array(group["mask"], name).values
        if mask.dtype.kind != "b" or len(mask) != len(places):
            raise self._error(name, "a mask that does not fit its values")
        return Column(values, np.where(mask, -1, places))

    def _array(self, item: Any, name: str, field: str | None = None) -> Column:
        """Read a dataset of one dimension that is in this file itself."""
        if item.file.filename != self._file.filename or item.external or item.is_virtual:
            raise self._error(name, "it is kept in another file")
        if item.ndim != 1:
            raise self._error(name, f"{item.ndim} dimensions in place of one")
        if item.size > MOST * self._file.id.get_filesize():
            raise self._error(name, f"{item.size:,} values, more than the file can hold")
        values = item[()] if field is None else item[field]
        if values.dtype.kind in "SO":
            values = self._texts(values.tolist(), name)
        elif values.dtype.kind == "f":
            return self._whole(values, name)
        elif values.dtype.kind not in "iub":
            raise self._error(name, f"values of type {values.dtype}, which are no labels")
        return Column(values, np.arange(len(values)))

    def _texts(self, values: list[Any], name: str) -> NDArray[Any]:
        try:
            texts = np.fromiter(map(_text, values), object, count=len(values))
        except UnicodeDecodeError:
            raise self._error(name, "text that is not UTF-8") from None
        except TypeError as error:
            raise self._error(name, f"values that are {error}") from None
        return texts

    def _whole(self, values: NDArray[Any], name: str) -> Column:
        known = ~np.isnan(values)
        with np.errstate(invalid="ignore"):
            whole = values[known].astype(np.int64)
        wrong = whole != values[known]
        if wrong.any():
            value = values[known][np.argmax(wrong)]
            raise self._error(name, f"{value} among the values: continuous numbers are no labels")
        return Column(whole, np.where(known, np.cumsum(known) - 1, -1))

    def _error(self, name: str, what: str) -> InputError:
        return InputError(f"{self._source}: column {name!r} of obs has {what}")


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, str):
        return value
    raise TypeError("neither text nor a number")


def _ids(column: Column, where: str) -> NDArray[Any]:
    values, places = column
    if np.any(places < 0):
        raise InputError(f"{where} must name every object, but row {np.argmin(places)} is missing")
    if values.dtype.kind == "b":
        raise InputError(f"{where} must be text or integers, not true and false")
    found = values[places].tolist()
    ids = text_ids(found) if values.dtype == object else value_array(found)
    check_distinct(ids, where)
    return ids
