"""Reading clusterings from files."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from coverlap.clustering.clustering import Clustering
from coverlap.core.errors import InputError, OptionError
from coverlap.core.memberships import Duplicates, Memberships, keeps_duplicates
from coverlap.core.spelling import spelled_values, token_value
from coverlap.core.texts import Ids
from coverlap.core.values import NEGATIVE
from coverlap.core.wording import shown, some
from coverlap.files.content import Content
from coverlap.files.detect import AUTO, detect_all
from coverlap.files.id_types import SourceIds, share_type
from coverlap.files.options import ReadOptions, check_read_options
from coverlap.files.parts import name_of
from coverlap.files.registry import Format
from coverlap.files.source import Progress, Source
from coverlap.files.universe import read_universe

UNNAMED = "cluster-lines"
"""The format whose clusters mostly have no names."""


class File(NamedTuple):
    """A file to read: its path, its format, its options, and the argument that it came from.

    ``others`` are read with it as one table.
    ``shared`` names the options that were given for several files; a format without one of them
    ignores it. ``flags`` is the pattern of the options of the command line that apply to this file
    only, such as ``--{}-left``.
    """

    path: str | Path
    format: str = AUTO
    options: ReadOptions = ReadOptions()
    side: str = ""
    shared: frozenset[str] = frozenset()
    keeps_duplicates: bool = False
    flags: str = "--{}"
    others: Sequence[str | Path] = ()

    def paths(self) -> list[str | Path]:
        """Return the paths of all files."""
        return [self.path, *self.others]


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
    threshold: float | None = None,
    duplicates: Duplicates = "merge",
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
        ``tree``, ``h5ad``. By default it is detected from the file's name or content; an error is
        raised if several formats fit. `Clustering.describe` shows how the file was read.
    object, cluster : str or int, optional
        The columns of objects and clusters: names, or positions from 0 on in a file without a
        header. By default ``object`` and ``cluster``, or other usual names where there is only one
        such column; see docs/files.md.
    outlier_cluster : name, optional
        The cluster whose members are outliers, such as 1 in the files of ABCD with outliers. The
        file need not have it.
    outlier_label : label or collection of labels, optional
        The labels that mean *in no cluster*, in place of the negative integers.
    delimiter : str, optional
        The character between fields; ``" "`` for any spaces and tabs.
    keys : {"clusters", "objects"}, optional
        What the keys of a JSON object of lists are.
    threshold : float, optional
        The smallest value of a sparse matrix that is a membership, if the matrix has values other
        than 0 and 1; as in `Clustering.from_matrix`.
    duplicates : {"merge", "keep"}
        As in `Clustering.from_clusters`.
    progress : callable, optional
        Called repeatedly with the number of bytes read and the size of the file (None: unknown).

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
    options = ReadOptions(
        object, cluster, outlier_cluster, outlier_label, delimiter, keys, threshold
    )
    file = File(path, format, options, keeps_duplicates=keeps_duplicates(duplicates))
    return Clustering(read_files([file], progress=progress)[0])


def read_files(
    files: Sequence[File],
    *,
    strict: bool = False,
    progress: Progress | None = None,
) -> list[Memberships]:
    """Read files whose ids get one type: integers only if every id of every file is one.

    With ``strict``, reject an outlier label that is in no file.
    """
    _reject_repeated_input([path for file in files for path in file.paths()])
    contents = _read_contents(files, strict, progress)
    return _memberships(files, contents, share_type(_ids(files, contents)))


def read_files_and_universe(
    files: Sequence[File],
    universe: str | Path,
    *,
    strict: bool = False,
    progress: Progress | None = None,
) -> tuple[list[Memberships], Ids]:
    """Read files as `read_files` does, and the ids of their universe, of the same type."""
    _reject_repeated_input([*(path for file in files for path in file.paths()), universe])
    contents = _read_contents(files, strict, progress)
    with Source(universe, progress=progress) as source:
        known = SourceIds(str(source), read_universe(source))
    *shared, chosen = share_type([*_ids(files, contents), known])
    return _memberships(files, contents, shared), chosen


def _read_contents(files: Sequence[File], strict: bool, progress: Progress | None) -> list[Content]:
    with ExitStack() as stack:
        tables = [_sources(file, progress) for file in files]
        for first, *_ in tables:
            stack.enter_context(first)
        formats = [_format(sources, file) for sources, file in zip(tables, files, strict=True)]
        options = _options(files, formats)
        contents = [
            form.read(sources[0], chosen) if len(sources) == 1 else form.read_files(sources, chosen)
            for sources, form, chosen in zip(tables, formats, options, strict=True)
        ]
    if strict:
        _reject_unknown_labels(files, contents)
    return contents


def _sources(file: File, progress: Progress | None = None) -> list[Source]:
    """Return the files that are one table, which is mostly one."""
    return [Source(path, file.side, progress, file.flags) for path in file.paths()]


def _format(sources: Sequence[Source], file: File) -> Format:
    check_read_options(file.options)
    if not isinstance(file.format, str):
        raise OptionError(f"format must be a str, not {shown(file.format)}")
    form = detect_all(sources, file.options, file.format)
    if len(sources) > 1 and not form.many_files:
        raise InputError(
            f"{name_of(sources)}: files of the format {form.name!r} cannot be read as one table"
        )
    return form


def _options(files: Sequence[File], formats: list[Format]) -> list[ReadOptions]:
    """Return the options of each file, without shared ones that only other formats have."""
    used = {name for form in formats for name in form.options}
    chosen = []
    for file, form in zip(files, formats, strict=True):
        ignored = (file.shared & used) - {*form.options}
        if form.name == UNNAMED and any(other.name != UNNAMED for other in formats):
            ignored |= file.shared & {"outlier_cluster"}  # these clusters have only line numbers
        defaults = {name: ReadOptions._field_defaults[name] for name in ignored}
        options = file.options._replace(guessed=file.format == AUTO, **defaults)
        form.check_options(options)
        chosen.append(options)
    return chosen


def _reject_repeated_input(paths: Sequence[str | Path]) -> None:
    if sum(str(path) == "-" for path in paths) > 1:
        raise OptionError("standard input (-) can be read only once")


def _ids(files: Sequence[File], contents: list[Content]) -> list[SourceIds]:
    """Return the ids of the files that have any; files of labels have none."""
    return [
        SourceIds(name_of(_sources(file)), content.memberships.objects.id_array())
        for file, content in zip(files, contents, strict=True)
        if _has_ids(content)
    ]


def _has_ids(content: Content) -> bool:
    """Return whether objects have ids; the ids of edges are pairs of vertices and do not count."""
    ids = content.memberships.objects.ids
    return ids is not None and not any(isinstance(item, tuple) for item in ids[:1])


def _memberships(
    files: Sequence[File], contents: list[Content], ids: list[Ids]
) -> list[Memberships]:
    """Return the memberships of files, with the ids that got a common type."""
    shared = iter(ids)
    result = []
    for file, content in zip(files, contents, strict=True):
        memberships = content.memberships
        if _has_ids(content):
            memberships = memberships.with_ids(next(shared))
        origin = "; ".join([content.title, *content.notes])
        spelled = spelled_values(content.outlier_labels or ())
        made = replace(
            memberships,
            origin=origin,
            from_file=True,
            outlier_texts=memberships.outlier_texts or spelled,
            keeps_duplicates=file.keeps_duplicates,
        )
        result.append(made.distinct())
    return result


def _reject_unknown_labels(files: Sequence[File], contents: list[Content]) -> None:
    """Reject outlier labels that are in no file, since they are probably misspelt."""
    wanted: set[Any] = set()
    found: set[Any] = {None}
    for file, content in zip(files, contents, strict=True):
        if content.outlier_labels is None:
            return
        if isinstance(file.options.outlier_label, frozenset):
            wanted |= file.options.outlier_label
        found |= content.outlier_labels
    unknown = sorted({str(token_value(label)) for label in wanted} - set(map(str, found)))
    if unknown:
        paths = " and ".join(str(path) for file in files for path in file.paths())
        raise OptionError(f"outlier label {some(list(unknown))} is not a label of {paths}")
