"""Recognise the type of an input, and read it as a clustering."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from operator import eq
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.clustering.clustering import Clustering
from coverlap.clustering.read import File, read_files
from coverlap.core.column_names import USUAL_CLUSTER, USUAL_OBJECT
from coverlap.core.errors import InputError, InputTypeError
from coverlap.core.incidence import Codes
from coverlap.core.memberships import Duplicates, Memberships, keeps_duplicates
from coverlap.core.objects import Objects, locate_among
from coverlap.core.texts import Ids
from coverlap.core.threads import number_of_cores, workers
from coverlap.core.values import NEGATIVE, gather, object_array
from coverlap.core.wording import shown
from coverlap.files.content import drop_outliers
from coverlap.files.formats.parquet import quoted
from coverlap.files.id_types import SourceIds, share_type
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.universe import read_universe as read_ids_of_universe
from coverlap.inputs.columns import (
    MOST_IDS,
    column_values,
    is_column,
    is_column_of_lists,
    library_of,
)
from coverlap.inputs.frames import is_frame, read_frame, read_series
from coverlap.inputs.labels import check_flat, read_labels
from coverlap.inputs.libraries import find_reader, fitted_labels, is_estimator
from coverlap.inputs.matrices import is_sparse, read_matrix
from coverlap.inputs.sets import listed, read_clusters, read_keys, read_universe, reject_levels
from coverlap.tables.table import Table, is_relation, is_spark_frame

LARGE = 1 << 18
"""Two arrays or frames of more values than this are read at the same time."""

READ_ALONE = {list, tuple, dict, str, Clustering}
"""Types for which a second thread would not help: Python objects, files, and what is read."""

CLUSTERS = (AbstractSet, list, np.ndarray)
"""The types of clusters in a sequence; other collections, such as tuples, are ambiguous."""

FRAME_OF_SPARK = "is a frame of Spark, and cannot be read into memory here; pass .toArrow()"

CONSTRUCTORS = "Clustering.from_labels, .from_clusters, .from_memberships or .from_links"


def as_clustering(
    x: Any, *, outlier_label: Any = NEGATIVE, duplicates: Duplicates = "merge"
) -> Clustering:
    """Read a clustering from any object whose meaning is unambiguous.

    Parameters
    ----------
    x : labels, clusters, memberships or Clustering
        A sequence of scalars, an array or a Series holds labels; a sequence of sets or lists
        holds clusters; a dict with scalar values maps objects to labels; a SciPy sparse matrix
        is clusters x objects; a frame has the columns ``object`` and ``cluster``; a ``str`` or
        ``Path`` is a file. Results of igraph, leidenalg, networkx, cdlib, clusim, NetworKit,
        Infomap and recordlinkage, and fitted estimators with ``labels_``, are accepted.
        Ambiguous input raises an error that names the constructors to choose from, such as
        `Clustering.from_clusters`.
    outlier_label : label or collection of labels, optional
        As in `Clustering.from_labels`.
    duplicates : {"merge", "keep"}
        As in `Clustering.from_clusters`. A `Clustering` is returned as it is.

    Returns
    -------
    Clustering

    Examples
    --------
    >>> import coverlap as cv
    >>> cv.as_clustering([0, 0, 1, -1])
    Clustering(4 objects, 2 clusters, 1 outlier)
    >>> cv.as_clustering([{0, 1}, {1, 2}])
    Clustering(3 objects, 2 clusters, 4 memberships, overlapping)
    >>> cv.as_clustering([(0, 1), (1, 2)])
    Traceback (most recent call last):
    ...
    coverlap.InputTypeError: x could be labels, clusters or pairs, since item 0 is a tuple: \
(0, 1); say which by Clustering.from_labels, .from_clusters, .from_memberships or .from_links
    """
    keep = keeps_duplicates(duplicates)
    return Clustering(recognise(x, "x", outlier_label=outlier_label, keep_duplicates=keep))


def recognise_pair(
    left: Any, right: Any, threads: int | None = None
) -> tuple[Memberships, Memberships]:
    """Read the two clusterings of one call.

    Two files are read together, because their ids must get the same type. Two large arrays or
    frames are read at the same time, each with half of the threads, since the kernels that read
    them release the GIL. Arrays are not copied, so the result is only valid during the call.
    """
    if type(left) not in READ_ALONE and threads != 1 and _is_large(left) and _is_large(right):
        both = number_of_cores() if threads is None else threads
        with workers(max(1, both // 2)), ThreadPoolExecutor(1) as pool:
            reading = pool.submit(copy_context().run, recognise, right, "right", borrow=True)
            return recognise(left, "left", borrow=True), reading.result()
    files = _as_file(left, "left"), _as_file(right, "right")
    if files[0] is not None and files[1] is not None:
        first, second = _read_paths([files[0], files[1]])
        return first, second
    if type(left) is type(right) is dict and _have_equal_keys(left, right):
        ids = partial(read_keys, left, "left: objects", to_look_up=False)
        one = _read_mapping(left, "left", NEGATIVE, ids)
        return one, _read_mapping(right, "right", NEGATIVE, one.ids)
    sides = recognise(left, "left", borrow=True), recognise(right, "right", borrow=True)
    first, second = _with_common_ids(sides, ("left", "right"))
    return first, second


def _as_file(x: Any, side: str, outlier_label: Any = NEGATIVE) -> File | None:
    """Return the file that a path or a table stands for; None for other inputs."""
    if isinstance(x, (str, Path)):
        x = Table(x, outlier_label=outlier_label)
    if not isinstance(x, Table) or not x.is_files:
        return None
    path, *others = x.paths(side)
    return File(path, x.format, x.options, side, others=others)


def recognise_all(clusterings: Mapping[Any, Any]) -> list[Memberships]:
    """Read clusterings by name; files are read together, since their ids get the same type."""
    files = [file for item in clusterings.values() if (file := _as_file(item, "")) is not None]
    if len(files) == len(clusterings):
        return _read_paths(files)
    names = [f"clustering {shown(name)}" for name in clusterings]
    pairs = zip(clusterings.values(), names, strict=True)
    return _with_common_ids([recognise(item, name, borrow=True) for item, name in pairs], names)


def _read_paths(files: Sequence[File]) -> list[Memberships]:
    """Read files, and say how to give an option if an error asks for one."""
    try:
        return read_files(files)
    except InputError as error:
        if "(--" not in str(error):  # as errors do that an option mends: 'format= (--format)'
            raise
        raise InputError(
            f"{error}; in Python, pass coverlap.read_clustering(path, ...) with such an option, or "
            "coverlap.Table(path, ...)"
        ) from None


def _with_common_ids(sides: Sequence[Memberships], names: Sequence[str]) -> list[Memberships]:
    """Return clusterings, with ids of one type if they come from files, as if read together.

    Integer ids of files become text if those of a side in memory are text.
    """
    typed = list(sides)
    known = [i for i, side in enumerate(sides) if side.from_file and side.objects.ids is not None]
    kinds = {type(item) for i in known for item in sides[i].ids()[:1]}
    if len(kinds) > 1 and tuple not in kinds:  # pairs of vertices are ids of edges
        own = [SourceIds(names[i], sides[i].ids()) for i in known]
        for i, ids in zip(known, share_type(own), strict=True):
            typed[i] = sides[i].with_ids(ids)
    if known and any(_has_text_ids(side) for side in sides if not side.from_file):
        for i in known:
            ids = typed[i].ids()
            if ids.dtype != object:  # text that a file has for numbers was read as numbers
                typed[i] = typed[i].with_ids(object_array([*map(str, ids.tolist())]))
    return typed


def _has_text_ids(side: Memberships) -> bool:
    ids = side.objects.ids
    return ids is not None and any(isinstance(item, str) for item in ids[:1].tolist())


def recognise_universe(
    universe: Any, sides: Sequence[Memberships], names: Sequence[str]
) -> tuple[str | Objects, list[Memberships]]:
    """Read a universe, and return it with the sides whose objects it holds.

    The name of a rule is returned as it is. The ids of a file get the same type as those of the
    sides, so the sides may come back with other ids.
    """
    if isinstance(universe, str):
        return universe, list(sides)
    if not isinstance(universe, (Path, Table)):
        return _given_universe(universe, sides), list(sides)
    own = [
        SourceIds(name, side.objects.id_array()) for side, name in zip(sides, names, strict=True)
    ]
    *ids, given = share_type([*own, _ids_of_universe(universe)])
    typed = [
        side if new is old.values else side.with_ids(new)
        for side, old, new in zip(sides, own, ids, strict=True)
    ]
    return read_universe(given), typed


def _ids_of_universe(universe: Path | Table) -> SourceIds:
    """Read the ids of a universe from a file, or from the column of objects of a table."""
    if not isinstance(universe, Table):
        with Source(universe, "universe") as source:
            return SourceIds(str(source), read_ids_of_universe(source))
    options = universe.options._replace(only_objects=True)
    file = _as_file(universe, "universe")
    if file is None:
        read = _read_relation(universe, "universe", options)
    else:
        (read,) = read_files([file._replace(options=options)])
    return SourceIds("universe", read.objects.id_array())


def _given_universe(universe: Any, sides: Sequence[Memberships]) -> Objects:
    """Read a universe of ids or a number.

    Ids outside 0..n-1 are an error if the universe is the number n. If it is a range, those of
    outliers are left out, so the range has to be written out if there are any.
    """
    known = read_universe(universe)
    if not isinstance(universe, range) or known.ids is not None or known.n > MOST_IDS:
        return known
    inside = all((locate_among(side.objects.id_array(), known) >= 0).all() for side in sides)
    return known if inside else Objects(known.n, known.id_array(), "id")


def recognise(
    x: Any, where: str, *, outlier_label: Any = NEGATIVE, keep_duplicates: bool = False,
    borrow: bool = False,
) -> Memberships:  # fmt: skip
    """Read a clustering; with ``borrow``, arrays that the caller could change are not copied."""
    if isinstance(x, Clustering):
        return x.memberships
    if isinstance(x, Memberships):
        return x
    file = _as_file(x, where, outlier_label)
    if file is not None:
        return _read_paths([file._replace(keeps_duplicates=keep_duplicates)])[0]
    is_table = isinstance(x, Table)
    read = (
        _read_relation(x, where, x.options) if is_table else _read(x, where, outlier_label, borrow)
    )
    if not read.listed and isinstance(read.incidence, Codes):
        return read  # labels have neither empty nor equal clusters
    return (replace(read, keeps_duplicates=True) if keep_duplicates else read).distinct()


def _read(x: Any, where: str, outlier_label: Any, borrow: bool) -> Memberships:
    if isinstance(x, (list, tuple)):
        return _read_sequence(x, where, outlier_label)
    if isinstance(x, np.ndarray):
        return _read_array(x, where, outlier_label, borrow)
    if is_sparse(x):
        return read_matrix(x, where=where, borrow=borrow)
    reader = find_reader(x)
    if reader is not None:
        return reader(x, where, outlier_label)
    if is_frame(x):
        return read_frame(
            x, object=USUAL_OBJECT, cluster=USUAL_CLUSTER, outlier_label=outlier_label,
            universe=None, where=where,
        )  # fmt: skip
    if is_column(x):
        return _read_column(x, where, outlier_label)
    if isinstance(x, Mapping):
        ids = partial(read_keys, x, f"{where}: objects")
        return _read_mapping(x, where, outlier_label, ids)
    if is_estimator(x):
        return _read(fitted_labels(x, where), where, outlier_label, borrow)
    if isinstance(x, memoryview) or (hasattr(x, "__array__") and not isinstance(x, np.generic)):
        return _read(np.asarray(x), where, outlier_label, borrow)
    return _read_iterable(x, where, outlier_label)


def _read_relation(table: Table, where: str, options: ReadOptions) -> Memberships:
    """Read the relation of a table into memory."""
    relation = table.source
    if not is_relation(relation):
        raise InputTypeError(f"{where} {FRAME_OF_SPARK}")
    item, cluster = options.find_columns(list(relation.columns), Source("relation", where))
    if options.only_objects:
        cluster = f"no {item}"
        relation = relation.project(f"{quoted(item)}, 0 AS {quoted(cluster)}")
    memberships = read_frame(
        relation, object=item, cluster=cluster, outlier_label=options.outlier_label,
        universe=None, where=where,
    )  # fmt: skip
    return drop_outliers(memberships, options)


def _read_column(x: Any, where: str, outlier_label: Any) -> Memberships:
    if is_column_of_lists(x):
        return read_clusters(column_values(x), where=where)
    return read_series(x, outlier_label=outlier_label, where=where)


def _read_array(x: NDArray[Any], where: str, outlier_label: Any, borrow: bool) -> Memberships:
    check_flat(x, where)
    if len(x) == 0:
        return read_clusters([])
    if x.dtype == object:
        return _read_sequence(x.tolist(), where, outlier_label)
    return read_labels(x, outlier_label=outlier_label, where=where, borrow=borrow)


def _read_iterable(x: Any, where: str, outlier_label: Any) -> Memberships:
    if isinstance(x, bytes) or not isinstance(x, Iterable):
        if is_spark_frame(x):
            raise InputTypeError(f"{where} {FRAME_OF_SPARK}")
        raise InputTypeError(f"{where} must be a clustering, not {type(x).__name__}: {shown(x)}")
    values = listed(x, where)
    if (
        isinstance(x, AbstractSet)
        and values
        and not all(isinstance(value, (*CLUSTERS, tuple)) for value in values)
    ):
        raise InputTypeError(
            f"{where} is one set, and not of sets; a single cluster is written as [{{...}}]"
        )
    return _read_sequence(values, where, outlier_label)


def _read_sequence(values: Sequence[Any], where: str, outlier_label: Any) -> Memberships:
    if (gathered := gather(values)) is not None:
        return read_labels(gathered, outlier_label=outlier_label, where=where, borrow=True)
    kinds = set(map(type, values)) - {type(np.ma.masked)}
    for kind in kinds:
        if issubclass(kind, Collection) and not issubclass(kind, (*CLUSTERS, str, bytes)):
            reject_levels(values, where)
            at = next(i for i, value in enumerate(values) if type(value) is kind)
            raise InputTypeError(
                f"{where} could be labels, clusters or pairs, since item {at} is a "
                f"{kind.__name__}: {shown(values[at])}; say which by {CONSTRUCTORS}"
            )
    if all(issubclass(kind, CLUSTERS) for kind in kinds):
        return read_clusters(values, where=where)
    if any(issubclass(kind, CLUSTERS) for kind in kinds):
        at = next(i for i, value in enumerate(values) if isinstance(value, CLUSTERS))
        raise InputTypeError(
            f"{where} mixes labels and clusters: item {at} is a {type(values[at]).__name__}; "
            f"say which by {CONSTRUCTORS}"
        )
    return read_labels(values, outlier_label=outlier_label, where=where)


def _read_mapping(
    x: Mapping[Any, Any], where: str, outlier_label: Any, read_ids: Callable[[], Ids]
) -> Memberships:
    """Read a dict of objects and labels."""
    labels = list(x.values())
    gathered = gather(labels)
    if gathered is None:
        _reject_collections(x, where)
    if not x:
        return read_clusters([])
    ids = read_ids()
    objects = Objects(len(ids), ids, "id")
    return read_labels(
        labels if gathered is None else gathered,
        objects=objects, outlier_label=outlier_label, where=where, borrow=True,
    )  # fmt: skip


def _have_equal_keys(left: dict[Any, Any], right: dict[Any, Any]) -> bool:
    """Return whether two dicts are seen to have the same keys, in the same order."""
    try:
        return len(left) == len(right) and all(map(eq, left, right))
    except (TypeError, ValueError, ArithmeticError):  # for pandas' NA, neither true nor false
        return False


def _reject_collections(x: Mapping[Any, Any], where: str) -> None:
    kinds = {
        kind
        for kind in set(map(type, x.values()))
        if issubclass(kind, Iterable) and not issubclass(kind, (str, bytes))
    }
    if kinds:
        collections = [key for key, value in x.items() if type(value) in kinds]
        raise InputTypeError(
            f"{where} is a dict of collections (at {shown(collections[0])}), which could map "
            "clusters to members or objects to clusters; say which by "
            "Clustering.from_clusters(d) or Clustering.from_memberships(d)"
        )


def _is_large(x: Any) -> bool:
    """Return whether x is an array, a sparse matrix, a column or a frame of many values."""
    if hasattr(x, "tocsr") and is_sparse(x):
        x = getattr(x, "data", None)
    if isinstance(x, np.ndarray):
        return x.size > LARGE
    in_memory = library_of(x) in ("pandas", "polars", "pyarrow") and hasattr(type(x), "__len__")
    return in_memory and len(x) > LARGE
