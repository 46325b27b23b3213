"""Read AnnData files: a column of obs names the clusters of the observations."""

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
"""The group of the categories of all columns in versions before 0.8."""

MAX_VALUES_PER_BYTE = 1000
"""More values per byte of the file than any compression can store."""

ERRORS = (
    OSError, LookupError, RuntimeError, TypeError, ValueError, AttributeError, MemoryError,
)  # fmt: skip
"""The errors that h5py raises for files that are broken or have an unexpected structure."""


class _ColumnError(ValueError):
    """A column cannot be read; the message completes 'column ... of obs has'."""


class Column(NamedTuple):
    """Some values, and for each row the index of its value, -1 where the value is missing."""

    values: NDArray[Any]
    places: NDArray[np.int64]


def read(source: Source, options: ReadOptions) -> Content:
    """Read the column of obs that ``cluster`` names; a missing value makes an outlier.

    Objects are the index of obs, unless ``object`` names a column. AnnData stores every index as
    text, so it is read as integers if every item is written as one. Only these two columns are
    read.
    """
    named, cluster = options.attributes()
    with source.as_path() as path, _hdf5_errors_reported(source), _h5py().File(path, "r") as file:
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


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        raise MissingDependencyError(
            "an .h5ad file needs h5py, which is not installed: pip install 'coverlap[h5ad]'"
        ) from None
    return h5py


@contextmanager
def _hdf5_errors_reported(source: Source) -> Iterator[None]:
    """Convert errors of h5py to an `InputError` of one line."""
    try:
        yield
    except CoverlapError:
        raise
    except ERRORS as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{source}: cannot be read as HDF5 ({reason})") from None


class _Obs:
    """The table of observations: a group of columns, or records in versions before 0.7."""

    def __init__(self, source: Source, file: Any) -> None:
        self._source = source
        self._file = file
        if "obs" not in file:
            raise InputError(f"{source}: no obs, so this is no AnnData file")
        self._table = file["obs"]
        self._has_records = hasattr(self._table, "dtype")
        if self._has_records:
            self._names = list(self._table.dtype.names or ())
            self.index = next(iter(self._names), "")
        else:
            self._names = [name for name in self._table if name != OLD_CATEGORIES]
            self.index = _text(self._table.attrs.get("_index", "_index"))
        if self.index not in self._names:
            raise InputError(f"{source}: obs has no index {self.index!r}, as AnnData gives it")

    def column(self, name: str) -> Column:
        """Return the column of this name."""
        if name not in self._names:
            columns = [column for column in self._names if column != self.index]
            raise InputError(
                f"{self._source}: no column {name!r} in obs, but {some(columns) or 'none at all'};"
                " say which by cluster= and object= (--cluster, --object)"
            )
        try:
            if not self._has_records:
                return self._column(self._table[name])
            column = self._array(self._table, field=name)
            categories = self._file.get(f"uns/{name}_categories")
            return column if categories is None else self._categorical(categories, column)
        except _ColumnError as error:
            raise InputError(f"{self._source}: column {name!r} of obs has {error}") from None

    def _column(self, item: Any) -> Column:
        """Read a column or the categories of one, from a dataset or a group of two."""
        if hasattr(item, "dtype"):
            column = self._array(item)
            if "categories" not in item.attrs:
                return column
            return self._categorical(self._file[item.attrs["categories"]], column)
        if "categories" in item and "codes" in item:
            return self._categorical(item["categories"], self._array(item["codes"]))
        if "values" not in item or "mask" not in item:
            raise _ColumnError(f"a group of {some(list(item))}, of a kind that is not known")
        values, places = self._array(item["values"])
        mask = self._array(item["mask"]).values
        if mask.dtype.kind != "b" or len(mask) != len(places):
            raise _ColumnError("a mask that does not fit its values")
        return Column(values, np.where(mask, -1, places))

    def _categorical(self, categories: Any, codes: Column) -> Column:
        values, places = self._column(categories)
        wanted = codes.values
        if wanted.dtype.kind not in "iu" or not np.all((wanted >= -1) & (wanted < len(places))):
            raise _ColumnError(f"codes that are no places among {len(places)} categories")
        return Column(values, np.append(places, -1)[wanted.astype(np.int64)])

    def _array(self, item: Any, field: str | None = None) -> Column:
        """Read a one-dimensional dataset that is stored in this file itself."""
        if item.file.filename != self._file.filename or item.external or item.is_virtual:
            raise _ColumnError("values that are kept in another file")
        if item.ndim != 1:
            raise _ColumnError(f"{item.ndim} dimensions in place of one")
        if item.size > MAX_VALUES_PER_BYTE * self._file.id.get_filesize():
            raise _ColumnError(f"{item.size:,} values, more than the file can hold")
        values = item[()] if field is None else item[field]
        if values.dtype.kind == "f":
            return _integers(values)
        if values.dtype.kind in "SO":
            values = np.fromiter(map(_text, values.tolist()), object, count=len(values))
        elif values.dtype.kind not in "iub":
            raise _ColumnError(f"values of type {values.dtype}, which are no labels")
        return Column(values, np.arange(len(values)))


def _integers(values: NDArray[Any]) -> Column:
    """Convert floats that are integers, or NaN for a missing value."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        integers = values[known].astype(np.int64)
    is_continuous = integers != values[known]
    if is_continuous.any():
        value = values[known][np.argmax(is_continuous)]
        raise _ColumnError(f"{value} among the values: continuous numbers are no labels")
    return Column(integers, np.where(known, np.cumsum(known) - 1, -1))


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise _ColumnError("text that is not UTF-8") from None
    if isinstance(value, str):
        return value
    raise _ColumnError("values that are neither text nor a number")


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
