"""Columns and frames of pandas, polars, Arrow and DuckDB, read through narwhals."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coverlap.core.column_names import USUAL_OBJECT, find_column
from coverlap.core.errors import (
    CoverlapError,
    InputError,
    InputTypeError,
    MissingDependencyError,
    OptionError,
)
from coverlap.core.memberships import Memberships
from coverlap.core.objects import NO_OBJECTS, Objects, check_distinct
from coverlap.core.texts import Texts
from coverlap.core.values import object_array, plain_value, reject_missing, value_array
from coverlap.core.wording import shown, some
from coverlap.inputs.arrow import read_text_column
from coverlap.inputs.columns import (
    as_narwhals_column,
    failure,
    library_of,
    origins,
    plain_values,
)
from coverlap.inputs.labels import CodedLabels, code_categories, code_labels
from coverlap.inputs.sets import pair_codes


class DefaultObject:
    """The type of `OBJECT`."""

    def __repr__(self) -> str:
        return "'object'"


NUMPY_TYPES = frozenset({
    "boolean", "tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger",
    "ubigint", "float", "double", "varchar", "enum", "uuid",
})  # fmt: skip
"""The types of DuckDB that NumPy can hold; the others are read by pyarrow."""

OBJECT: Final = DefaultObject()
"""The default: the column "object", or the rows of an AnnData and of frames with named rows."""


def is_frame(value: object) -> bool:
    """Return whether a value is a data frame, table or relation.

    Only its type is inspected, because reading an attribute of a lazy frame could run a query.
    """
    return library_of(value) is not None and hasattr(type(value), "columns")


def read_series(series: Any, *, outlier_label: Any, where: str) -> Memberships:
    """Read a column of labels; the index of a pandas Series identifies the objects."""
    column = as_narwhals_column(series, where)
    coded = _code_column(column, outlier_label, where)
    is_array = library_of(series) == "pandas" and not hasattr(series, "index")
    return coded.memberships(None if is_array else row_objects(column))


def read_frame(
    frame: Any,
    *,
    object: Any,
    cluster: Any,
    outlier_label: Any,
    universe: Any,
    where: str,
) -> Memberships:
    """Read a frame of (object, cluster) rows; without a column of objects, each row is one."""
    called = "index"
    if ("anndata", "AnnData") in origins(frame):
        called, frame = "obs_names", frame.obs
        ids = None if isinstance(object, DefaultObject) else object
    elif isinstance(object, DefaultObject):
        ids = None if _has_named_rows(frame) else USUAL_OBJECT
    else:
        ids = object
    columns = _select(frame, ids, cluster, where)
    made = _read_columns([*columns.values()], outlier_label, universe, where, called)
    found = [*columns]
    if found == [cluster, ids][: len(found)]:
        return made
    held = "the rows" if ids is None else f"column {found[1]!r}"
    return replace(made, origin=f"a frame, object in {held} and cluster in column {found[0]!r}")


def _read_columns(
    columns: list[Any], outlier_label: Any, universe: Any, where: str, called: str
) -> Memberships:
    """Read a column of clusters and, if there is one, a column of objects."""
    column, *id_column = columns
    coded = _code_column(column, outlier_label, f"{where}: clusters")
    if id_column:
        ids = id_column[0]
        if hasattr(ids, "to_native"):
            ids = _column_texts(ids.to_native()) or plain_values(ids)
        return pair_codes(ids, coded, universe=universe, where=where)
    objects = row_objects(column)
    if objects.ids is not None:
        reject_missing(objects.ids, f"the {called} of {where}")
        check_distinct(objects.ids, f"the {called} of {where}")
    if universe is not None:
        return pair_codes(objects.id_array(), coded, universe=universe, where=where)
    return coded.memberships(objects)


def frame_columns(
    frame: Any, where: str, choose: Callable[[list[Any]], list[Any]] | None = None
) -> dict[Any, Any]:
    """Return the columns of a frame by name; of a lazy one only those that ``choose`` returns."""
    table = _as_narwhals(frame, where)
    lazy = choose is not None and hasattr(table, "collect")
    chosen = choose(_names(table, where)) if choose is not None and lazy else []
    columns = _computed(table, where, *chosen)
    return {
        plain_value(name): column.to_native() if hasattr(column, "to_native") else column
        for name, column in columns.items()
    }


def _as_narwhals(frame: Any, where: str) -> Any:
    """Return a narwhals frame, which may be lazy, or a narwhals column."""
    import narwhals as nw

    if type(frame).__name__ == "RecordBatch":
        import pyarrow as pa

        frame = pa.Table.from_batches([frame])
    _reject_repeated_columns(frame, where)
    try:
        return nw.from_native(frame)
    except TypeError:
        raise InputTypeError(
            f"{where} must be a pandas, polars, Arrow or DuckDB frame or an AnnData, not "
            f"{type(frame).__name__}"
        ) from None


def _names(table: Any, where: str) -> list[str]:
    try:
        return list(table.collect_schema().names())
    except Exception as error:
        raise failure(where, error) from error


def _computed(table: Any, where: str, *columns: str) -> dict[str, Any]:
    """Return the columns of a frame, or some of them, by name; raise an error if it fails.

    They are narwhals columns or, of a DuckDB relation, values.
    """
    try:
        chosen = table.select(*columns) if columns else table
        if library_of(chosen.to_native()) == "duckdb":
            return _fetch(chosen, where)
        found = chosen.collect() if hasattr(chosen, "collect") else chosen
    except CoverlapError:
        raise
    except Exception as error:
        raise failure(where, error) from error
    return {column.name: column for column in found.iter_columns()}


def _fetch(table: Any, where: str) -> dict[str, Any]:
    """Return the columns of a DuckDB relation, by pyarrow only if NumPy cannot hold them."""
    relation = table.to_native()
    if {kind.id for kind in relation.types} <= NUMPY_TYPES:
        return {
            name: values if values.dtype.kind in "iuf" else values.tolist()
            for name, values in relation.fetchnumpy().items()
        }
    try:
        return {column.name: plain_values(column) for column in table.collect().iter_columns()}
    except ImportError:
        types = ", ".join(sorted({str(kind) for kind in relation.types}))
        raise MissingDependencyError(
            f"{where} has columns of the types {types}, which cannot all be read without pyarrow: "
            "pip install 'coverlap[arrow]', or cast them to VARCHAR"
        ) from None


def _has_named_rows(frame: Any) -> bool:
    """Return whether a pandas frame has text for an index, and no column ``object``."""
    return (
        library_of(frame) == "pandas"
        and is_frame(frame)
        and "object" not in frame.columns
        and frame.index.inferred_type == "string"
    )


def _select(frame: Any, object: Any, cluster: Any, where: str) -> dict[Any, Any]:
    """Return the column of clusters and that of objects, if there is one, by name."""
    import narwhals as nw

    table = _as_narwhals(frame, where)
    if not hasattr(table, "collect_schema"):
        raise InputTypeError(f"{where} must be a frame of two columns, not one column")
    if library_of(frame) == "pandas":  # whose columns may have names of any type
        names = frame.columns.tolist()
        chosen = _find_columns(names, object, cluster, where)
        native = {name: frame.iloc[:, names.index(name)] for name in chosen}
        return {name: nw.from_native(column, series_only=True) for name, column in native.items()}
    chosen = _find_columns(_names(table, where), object, cluster, where)
    found = _computed(table, where, *chosen)
    return {name: found[name] for name in chosen}


def _reject_repeated_columns(frame: Any, where: str) -> None:
    names = getattr(frame, "column_names", None) if library_of(frame) == "pyarrow" else None
    if library_of(frame) in ("pandas", "duckdb"):
        names = getattr(frame, "columns", None)
    repeated = [
        name for name, times in Counter([] if names is None else names).items() if times > 1
    ]
    if repeated:
        raise InputError(f"{where} has several columns of one name: {some(repeated)}")


def _find_columns(names: list[Any], object: Any, cluster: Any, where: str) -> list[Any]:
    """Return the names of the columns of clusters and of objects, the latter if there is one."""
    for option, value in (("object", object), ("cluster", cluster)):
        if not isinstance(value, (str, int, tuple)) and (option == "cluster" or value is not None):
            raise OptionError(f"{option} must be the name of a column, not {shown(value)}")
    if object == cluster:
        raise OptionError(f"object and cluster must be two columns, not {object!r} twice")
    say = "say Clustering.from_frame(frame, "
    hint = f"{say}cluster=...)"
    found = [find_column(names, "cluster", cluster, other=object, where=where, hint=hint)]
    if object is not None:
        hint = f"{say}object=...), or object=None if each row is an object"
        found += [find_column(names, "object", object, other=cluster, where=where, hint=hint)]
    return found


def _code_column(column: Any, outlier_label: Any, where: str) -> CodedLabels:
    if not hasattr(column, "to_native"):
        return code_labels(column, outlier_label, where)
    series = column.to_native()
    if library_of(series) == "pandas" and hasattr(series.dtype, "categories"):
        numbers, categories = series.cat.codes.to_numpy(), series.dtype.categories
        return code_categories(numbers, object_array(categories.tolist()), outlier_label, where)
    if library_of(series) == "pandas" and series.dtype == object:
        return _code_objects(series, outlier_label, where)
    text = read_text_column(series)
    if text is None:
        return code_labels(plain_values(column), outlier_label, where)
    if text.places is None:
        return code_labels(text.texts, outlier_label, where)
    return code_categories(text.places, text.texts, outlier_label, where)


def _code_objects(series: Any, outlier_label: Any, where: str) -> CodedLabels:
    """Code the labels of a pandas column of Python objects, which pandas numbers."""
    import pandas as pd

    labels = series.to_numpy()
    try:
        if not _has_c_strings(labels):
            return code_labels(labels.tolist(), outlier_label, where)
        numbers, found = pd.factorize(labels)
    except TypeError:  # a value is not hashable
        return code_labels(labels.tolist(), outlier_label, where)
    return code_categories(numbers, found, outlier_label, where)


def _has_c_strings(labels: NDArray[Any]) -> bool:
    """Return whether pandas tells labels apart: it compares strings up to a NUL, and as UTF-8."""
    try:
        joined = "".join(labels.tolist())
        joined.encode()
    except TypeError:  # pandas compares other values as Python does
        return True
    except UnicodeEncodeError:
        return False
    return "\0" not in joined


def row_objects(column: Any) -> Objects:
    """Return the objects of a column: those of a pandas index, positions otherwise."""
    n = len(column)
    if n == 0:
        return NO_OBJECTS
    if not hasattr(column, "to_native") or library_of(column.to_native()) != "pandas":
        return Objects(n)
    index = column.to_native().index
    if type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1:
        return Objects(n, None, "index")
    if index.dtype.kind != "i":
        return Objects(n, _column_texts(index) or value_array(index.tolist()), "index")
    values = index.to_numpy()
    if np.array_equal(values, np.arange(n)):
        return Objects(n, None, "index")
    return Objects(n, values.astype(np.int64), "index")


def _column_texts(column: Any) -> Texts | None:
    """Return the values of a column as texts, if it is known to hold nothing else."""
    text = read_text_column(column)
    return text.texts if text is not None and text.places is None else None
