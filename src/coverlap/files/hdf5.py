"""Read columns of the obs of an AnnData file; run in a process of its own.

A damaged HDF5 file can make the HDF5 library loop forever, crash or fill the memory, and a link in
it can lead to another file or to a pipe.
"""

import json
import sys
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.column_names import USUAL_CLUSTER, find_column
from coverlap.core.errors import InputError
from coverlap.core.wording import some
from coverlap.files.child import send_arrays

OLD_CATEGORIES = "__categories"
"""The group of the categories of all columns in versions before 0.8."""

MAX_EXPANSION = 1032
"""The largest factor by which HDF5's own compression makes data smaller."""

ERRORS = (
    OSError, LookupError, RuntimeError, TypeError, ValueError, AttributeError, OverflowError,
)  # fmt: skip
"""The errors that h5py raises for files that are broken or have an unexpected structure."""


class ColumnError(ValueError):
    """A column cannot be read; the message completes 'column ... of obs has'."""


class Column(NamedTuple):
    """Some values, and for each row the index of its value, -1 where the value is missing."""

    values: NDArray[Any]
    places: NDArray[np.int64]


def main() -> None:
    """Read the columns that the command line names from standard input, and send their arrays."""
    import h5py  # noqa: F401 - before the limit of memory, which its import would exhaust

    named, cluster, flags = json.loads(sys.argv[1])
    file = sys.stdin.buffer  # HDF5 cannot open the path of a file that has no name

    def read() -> list[NDArray[Any]]:
        objects, labels, name = read_file(file, named, cluster, flags)
        return [*objects, *labels, np.array([name], object)]

    send_arrays(read)


def read_file(
    file: Any, named: str | None, cluster: str | None, flags: str = "--{}"
) -> tuple[Column, Column, str]:
    """Return the column of objects (by default the index of obs), that of clusters, and its name.

    ``flags`` is the pattern of the options that the hints of error messages name.
    """
    import h5py

    try:
        with h5py.File(file, "r") as opened:
            table = _Obs(opened)
            objects = table.index if named is None else table.find("object", named, named, flags)
            name = table.find(
                "cluster", USUAL_CLUSTER if cluster is None else cluster, objects, flags
            )
            return table.column(objects), table.column(name), name
    except InputError:
        raise
    except ERRORS as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        if "allocation failed" in reason:
            raise MemoryError from None
        raise InputError(f"cannot be read as HDF5 ({reason})") from None


class _Obs:
    """The table of observations: a group of columns, or records in versions before 0.7."""

    def __init__(self, file: Any) -> None:
        self._file = file
        if "obs" not in list(file):
            raise InputError("no obs, so this is no AnnData file")
        self._table = _item(file, "obs")
        self._has_records = hasattr(self._table, "dtype")
        if self._has_records:
            self._names = list(self._table.dtype.names or ())
            self.index = next(iter(self._names), "")
        else:
            self._names = [name for name in self._table if name != OLD_CATEGORIES]
            self.index = _text(self._table.attrs.get("_index", "_index"))
        if self.index not in self._names:
            raise InputError(f"obs has no index {self.index!r}, as AnnData gives it")

    def find(self, role: str, given: str, other: str, flags: str) -> str:
        """Return the name of the column of a role; the index can be requested by its name."""
        if given == self.index:
            return given
        names = [name for name in self._names if name != self.index]
        hint = f"say which by {role}= ({flags.format(role)})"
        return str(find_column(names, role, given, other=other, where="obs", hint=hint))

    def column(self, name: str) -> Column:
        """Return the column of this name."""
        try:
            if not self._has_records:
                return self._column(_item(self._table, name))
            column = self._array(self._table, field=name)
            uns = _item(self._file, "uns") if "uns" in list(self._file) else ()
            stored = f"{name}_categories"
            return self._categorical(_item(uns, stored), column) if stored in list(uns) else column
        except ColumnError as error:
            raise InputError(f"column {name!r} of obs has {error}") from None

    def _column(self, item: Any) -> Column:
        """Read a column or the categories of one, from a dataset or a group of two."""
        if hasattr(item, "dtype"):
            column = self._array(item)
            if "categories" not in item.attrs:
                return column
            return self._categorical(self._file[item.attrs["categories"]], column)
        parts = set(item)
        if {"categories", "codes"} <= parts:
            return self._categorical(_item(item, "categories"), self._array(_item(item, "codes")))
        if not {"values", "mask"} <= parts:
            raise ColumnError(f"a group of {some(list(item))}, of a kind that is not known")
        values, places = self._array(_item(item, "values"))
        mask = self._array(_item(item, "mask")).values
        if mask.dtype.kind != "b" or len(mask) != len(places):
            raise ColumnError("a mask that does not fit its values")
        return Column(values, np.where(mask, -1, places))

    def _categorical(self, categories: Any, codes: Column) -> Column:
        values, places = self._column(categories)
        wanted = codes.values
        if wanted.dtype.kind not in "iu" or not np.all((wanted >= -1) & (wanted < len(places))):
            raise ColumnError(f"codes that are no places among {len(places)} categories")
        return Column(values, np.append(places, -1)[wanted.astype(np.int64)])

    def _array(self, item: Any, field: str | None = None) -> Column:
        """Read a one-dimensional dataset that is stored in this file itself."""
        if item.file.filename != self._file.filename or item.external or item.is_virtual:
            raise ColumnError("values that are kept in another file")
        if item.ndim != 1:
            raise ColumnError(f"{item.ndim} dimensions in place of one")
        if item.size * item.dtype.itemsize > MAX_EXPANSION * self._file.id.get_filesize():
            raise ColumnError(f"{item.size:,} values, more than the file can hold")
        values = item[()] if field is None else item[field]
        if values.dtype.kind == "f":
            return _integers(values)
        if values.dtype.kind in "SO":
            values = np.fromiter(map(_text, values.tolist()), object, count=len(values))
        elif values.dtype.kind not in "iub":
            raise ColumnError(f"values of type {values.dtype}, which are no labels")
        return Column(values, np.arange(len(values)))


def _item(group: Any, name: str) -> Any:
    """Return an item of a group, unless it is a link, which can lead to another file or a pipe."""
    link = group.get(name, getlink=True)
    if link is not None and type(link).__name__ != "HardLink":
        raise InputError(f"{group.name.rstrip('/')}/{name} is a link, and links are not followed")
    return group[name]


def _integers(values: NDArray[Any]) -> Column:
    """Convert floats that are integers, or NaN for a missing value."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        integers = values[known].astype(np.int64)
    is_continuous = integers != values[known]
    if is_continuous.any():
        value = values[known][np.argmax(is_continuous)]
        raise ColumnError(f"{value} among the values: continuous numbers are no labels")
    return Column(integers, np.where(known, np.cumsum(known) - 1, -1))


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise ColumnError("text that is not UTF-8") from None
    if isinstance(value, str):
        return value
    raise ColumnError("values that are neither text nor a number")
