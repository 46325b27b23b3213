"""Files in, clusterings out."""

from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

from coverlap.clustering.clustering import Clustering
from coverlap.core.errors import OptionError
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.values import NEGATIVE
from coverlap.core.wording import shown, some
from coverlap.files.detect import detect
from coverlap.files.id_types import Ids, share_type
from coverlap.files.options import Content, Reading, check_reading
from coverlap.files.registry import Format, format_named
from coverlap.files.source import Progress, Source
from coverlap.files.text.tokens import token_value
from coverlap.files.universe import read_universe

AUTO = "auto"
UNNAMED = "cluster-lines"
"""The format whose clusters mostly have no names."""


class File(NamedTuple):
    """A file to be read: where it is, its format, how to read it, the argument it came from.

    ``shared`` names the options that hold for several files, and may mean nothing to this one.
    """

    path: str | Path
    format: str = AUTO
    reading: Reading = Reading()
    side: str = ""
    shared: frozenset[str] = frozenset()


def read_clustering(
    path: str | Path,
    format: str = AUTO,
    *,
    object: str | int | None = None,
    cluster: str | int | None = None,
    outlier_cluster: Any = None,
    outlier_label: Any = NEGATIVE,
    delimiter: str | None = None,
    keys: str | None = None,
    progress: Progress | None = None,
) -> Clustering:
    r"""Read a clustering from a file.

    Parameters
    ----------
    path : str or Path
        A file, or ``"-"`` for standard input; compressed by gzip, bzip2 or zstandard, or not.
    format : str
        One of ``cluster-lines`` (one cluster per line), ``object-lines`` (one object per line
        with its clusters), ``pairs`` (object and cluster in two columns), ``labels`` (one label
        per line), ``json``, ``parquet``, ``arrow``, ``npy``, ``graphml``, ``gml``, ``clu``,
        ``tree``, ``h5ad``. By default the file's name or its content tells; if it could have two
        formats, it is refused with their names. `Clustering.describe` says what was understood.
    object, cluster : str or int, optional
        The columns of objects and clusters: names (by default ``object`` and ``cluster``), or
        positions from 0 on in a file without a header.
    outlier_cluster : name, optional
        The cluster whose members are outliers, such as 1 in the files of ABCD with outliers. It
        need not be there.
    outlier_label : label or collection of labels, optional
        The labels that mean *in no cluster*, in place of the negative integers.
    delimiter : str, optional
        The character between fields; ``" "`` for any spaces and tabs.
    keys : {"clusters", "objects"}, optional
        What the keys of a JSON object of lists are.
    progress : callable, optional
        Called again and again with the bytes read and their number in all (None: unknown).

    Returns
    -------
    Clustering

    Examples
    --------
    >>> from pathlib import Path
    >>> import coverlap as cv
    >>> _ = Path("found.cmty.txt").write_text("1 2 3\n3 4\n")
    >>> print(cv.read_clustering("found.cmty.txt").describe())
    read as: one cluster per line
    4 objects, 2 clusters, 5 memberships
    0 outliers; 1 object in several clusters (2 at most)
    cluster sizes: 2 to 3, median 2.5
    """
    reading = Reading(object, cluster, outlier_cluster, outlier_label, delimiter, keys)
    return Clustering(read_files([File(path, format, reading)], progress=progress)[0])


def read_files(
    files: Sequence[File],
    *,
    strict: bool = False,
    progress: Progress | None = None,
) -> list[Memberships]:
    """Read files whose ids share one type: integers only if every id of every file is one.

    With ``strict`` an outlier label that no file has is refused.
    """
    contents = _contents(files, progress)
    if strict:
        _refuse_unmet_labels(files, contents)
    return _with_ids(contents, share_type(_ids(files, contents)))


def read_files_and_universe(
    files: Sequence[File],
    universe: str | Path,
    *,
    strict: bool = False,
    progress: Progress | None = None,
) -> tuple[list[Memberships], NDArray[Any]]:
    """Read files as `read_files` does, and the ids of their universe, of the same type."""
    _refuse_two_inputs([*files, File(universe)])
    contents = _contents(files, progress)
    if strict:
        _refuse_unmet_labels(files, contents)
    with Source(universe, progress=progress) as source:
        known = Ids(str(source), read_universe(source))
    *shared, chosen = share_type([*_ids(files, contents), known])
    return _with_ids(contents, shared), chosen


def _contents(files: Sequence[File], progress: Progress | None) -> list[Content]:
    _refuse_two_inputs(files)
    with ExitStack() as stack:
        sources = [stack.enter_context(Source(file.path, file.side, progress)) for file in files]
        forms = [_format(source, file) for source, file in zip(sources, files, strict=True)]
        readings = _fitting(files, forms)
        return [
            form.read(source, reading)
            for source, form, reading in zip(sources, forms, readings, strict=True)
        ]


def _format(source: Source, file: File) -> Format:
    check_reading(file.reading)
    if not isinstance(file.format, str):
        raise OptionError(f"format must be a str, not {shown(file.format)}")
    return detect(source, file.reading) if file.format == AUTO else format_named(file.format)


def _fitting(files: Sequence[File], forms: list[Format]) -> list[Reading]:
    """Leave out shared options where they mean nothing, if they mean something elsewhere."""
    heeded = {name for form in forms for name in form.options}
    readings = []
    for file, form in zip(files, forms, strict=True):
        idle = (file.shared & heeded) - {*form.options}
        if form.name == UNNAMED and any(other.name != UNNAMED for other in forms):
            idle |= file.shared & {"outlier_cluster"}  # its clusters are only called by their lines
        defaults = {name: Reading._field_defaults[name] for name in idle}
        reading = file.reading._replace(guessed=file.format == AUTO, **defaults)
        form.check(reading)
        readings.append(reading._replace(outlier_label=_as_number_and_text(reading.outlier_label)))
    return readings


def _as_number_and_text(outlier_label: Any) -> Any:
    """Let a label mean a number as well as its text: some files have the one, some the other."""
    if outlier_label is NEGATIVE:
        return NEGATIVE
    several = isinstance(outlier_label, Collection) and not isinstance(outlier_label, str | bytes)
    labels = list(outlier_label) if several else [outlier_label]
    return [*labels, *(token_value(label) for label in labels if isinstance(label, str))]


def _refuse_two_inputs(files: Sequence[File]) -> None:
    if sum(str(file.path) == "-" for file in files) > 1:
        raise OptionError("standard input (-) can be read only once")


def _ids(files: Sequence[File], contents: list[Content]) -> list[Ids]:
    """Return the ids of the files that have any: in a file of labels the lines are the objects."""
    return [
        Ids(str(Source(file.path, file.side)), content.parts.objects.id_array())
        for file, content in zip(files, contents, strict=True)
        if _has_ids(content)
    ]


def _has_ids(content: Content) -> bool:
    """Tell ids from places, and from pairs of vertices, which are told by a graph."""
    ids = content.parts.objects.ids
    return ids is not None and not any(isinstance(item, tuple) for item in ids[:1])


def _with_ids(contents: list[Content], ids: list[NDArray[Any]]) -> list[Memberships]:
    """Return the memberships of files with ids that share one type."""
    shared = iter(ids)
    read = []
    for content in contents:
        objects = content.parts.objects
        if _has_ids(content):
            objects = Objects(objects.n, next(shared), objects.identified_by)
        origin = "; ".join([content.title, *content.notes])
        read.append(replace(content.parts, objects=objects, origin=origin).distinct())
    return read


def _refuse_unmet_labels(files: Sequence[File], contents: list[Content]) -> None:
    """Refuse outlier labels that no file has: most likely a slip of the keyboard."""
    wanted: set[Any] = set()
    met: set[Any] = {None}
    for file, content in zip(files, contents, strict=True):
        if content.outlier_labels is None:
            return
        if isinstance(file.reading.outlier_label, frozenset):
            wanted |= file.reading.outlier_label
        met |= content.outlier_labels
    unmet = sorted({str(token_value(label)) for label in wanted} - set(map(str, met)))
    if unmet:
        paths = " and ".join(str(file.path) for file in files)
        raise OptionError(f"outlier label {some(list(unmet))} is not a label of {paths}")
