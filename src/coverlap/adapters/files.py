"""Files of labels (one a line), of pairs (CSV or TSV with a header), and of ids (one a line)."""

import csv
import re
from collections.abc import Callable, Sequence
from io import StringIO
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from coverlap.adapters.labels import read_labels
from coverlap.adapters.parts import Parts
from coverlap.adapters.sets import pair_columns
from coverlap.errors import FileError, InputError, OptionError, UniverseError, some

INTEGER = re.compile(r"(0|-?[1-9][0-9]{0,4000})")  # Python reads no more than 4300 digits
DECIMAL = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
MISSING = frozenset({"", "nan", "NaN", "NaT", "None", "<NA>", "NA", "NULL", "null"})
"""How Python, NumPy, pandas, R and databases write a missing value."""

DELIMITERS = {".csv": ",", ".tsv": "\t"}


class Source(NamedTuple):
    """A file, and which argument it came from; written as messages name it."""

    path: Path
    side: str = ""

    def __str__(self) -> str:
        name = str(self.path) if str(self.path).isprintable() else repr(str(self.path))
        return f"{self.side}: {name}" if self.side else name


class Text(NamedTuple):
    """What a file says, before anything is taken for a number. Objects None: lines are objects."""

    path: str
    objects: list[str] | None
    labels: list[str]


def read_files(
    paths: Sequence[str | Path],
    sides: Sequence[str] = (),
    *,
    object: str = "object",
    cluster: str = "cluster",
    outlier_label: Any,
) -> list[Parts]:
    """Read files whose ids share one type: integers only if every id of every file is one.

    ``sides`` says which argument each path came from, for messages.
    """
    texts = [
        _read_text(Source(Path(path), side), object, cluster)
        for path, side in zip_longest(paths, sides, fillvalue="")
    ]
    id_of = _id_type([(text.path, text.objects) for text in texts if text.objects])
    _check_outlier_label(texts, outlier_label)
    return [_parts(text, id_of, outlier_label) for text in texts]


def read_files_and_ids(
    paths: Sequence[str | Path],
    ids_path: str | Path,
    *,
    object: str = "object",
    cluster: str = "cluster",
    outlier_label: Any,
) -> tuple[list[Parts], list[Any]]:
    """Read files as `read_files` does, and a file of one id a line; all ids share one type."""
    texts = [_read_text(Source(Path(path)), object, cluster) for path in paths]
    tokens = _read_ids(Source(Path(ids_path)), object)
    sources = [(text.path, text.objects) for text in texts if text.objects]
    id_of = _id_type([*sources, (str(ids_path), tokens)])
    _check_outlier_label(texts, outlier_label)
    return [_parts(text, id_of, outlier_label) for text in texts], list(map(id_of, tokens))


def token_value(token: str) -> int | str | None:
    """Read a label: an integer where it is written as one, nothing where it is missing.

    Examples
    --------
    >>> [token_value(token) for token in ("-1", "7", "007", "T cell", "")]
    [-1, 7, '007', 'T cell', None]
    >>> [token_value(token) for token in ("-1.0", "2.000e+00", "nan")]
    [-1, 2, None]
    """
    if INTEGER.fullmatch(token):
        return int(token)
    if DECIMAL.fullmatch(token) and float(token).is_integer():
        return int(float(token))
    return None if token in MISSING else token


def _check_outlier_label(texts: list[Text], outlier_label: Any) -> None:
    """Refuse outlier labels that no file has: most likely a slip of the keyboard."""
    if not isinstance(outlier_label, (set, frozenset)):
        return
    seen = {token_value(token) for text in texts for token in set(text.labels)}
    unseen = sorted(map(str, outlier_label - seen - {None}))
    if unseen:
        paths = " and ".join(text.path for text in texts)
        raise OptionError(f"outlier label {some(list(unseen))} is not a label of {paths}")


def _parts(text: Text, id_of: Callable[[str], Any], outlier_label: Any) -> Parts:
    value = {token: token_value(token) for token in set(text.labels)}
    labels = [value[token] for token in text.labels]
    if text.objects is None:
        return read_labels(labels, outlier_label=outlier_label, where=text.path)
    objects = [id_of(token) for token in text.objects]
    return pair_columns(objects, labels, outlier_label=outlier_label, where=text.path)


def _id_type(sources: list[tuple[str, list[str]]]) -> Callable[[str], Any]:
    """Choose the type of all ids, and refuse files that could share none."""
    n_integers = [sum(map(bool, map(INTEGER.fullmatch, tokens))) for _, tokens in sources]
    counted = list(zip(n_integers, sources, strict=True))
    if all(n == len(tokens) for n, (_, tokens) in counted):
        return int
    whole = next((source for n, source in counted if n == len(source[1])), None)
    other = next((source for n, source in counted if n == 0), None)
    if whole and other:
        raise UniverseError(
            f"the ids of {whole[0]} are integers ({whole[1][0]}, ...) and those of {other[0]} are "
            f"strings ({other[1][0]!r}, ...), so they share no object; convert one side"
        )
    return str


def _read_text(source: Source, object: str, cluster: str) -> Text:
    content = _content(source)
    if source.path.suffix.lower() in DELIMITERS:
        return _read_pairs(source, content, object, cluster)
    return _read_label_lines(source, content)


def _content(source: Source) -> str:
    """Read a file that is not empty, with every line end as a newline and none at the end."""
    try:
        data = source.path.read_bytes()
    except OSError as error:
        raise FileError(f"{source}: {error.strerror or error}") from None
    except ValueError:  # a null character
        raise FileError(f"{source} cannot be the path of a file") from None
    try:
        content = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(f"{source}, line {line}: not UTF-8 text") from None
    if not content.strip():
        raise InputError(f"{source}, line 1: the file is empty")
    return content.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")


def _read_label_lines(source: Source, content: str) -> Text:
    labels = _tokens(source, content, "label")
    for name, delimiter in (("comma", ","), ("tab", "\t")):
        if all(delimiter in label for label in labels):
            raise InputError(
                f"{source}: every line holds a {name}, so these are no labels; "
                "name a file of (object, cluster) pairs .csv or .tsv"
            )
    if isinstance(token_value(labels[0]), str) and _are_integers(labels[1:]):
        raise InputError(
            f"{source}, line 1: {labels[0]!r} looks like a header, since only integers follow; "
            "a file of labels has none"
        )
    for line, label in enumerate(labels, 1):
        _check_label(source, line, label)
    return Text(str(source), None, labels)


def _are_integers(tokens: list[str]) -> bool:
    return len(tokens) > 1 and all(isinstance(token_value(token), int) for token in tokens)


def _read_ids(source: Source, object: str) -> list[str]:
    ids = _tokens(source, _content(source), "id")
    if ids[0] == object:
        raise InputError(
            f"{source}, line 1: {object!r} is the name of a column; a file of ids has no header"
        )
    return ids


def _tokens(source: Source, content: str, what: str) -> list[str]:
    tokens = [line.strip() for line in content.split("\n")]
    if "" in tokens:
        raise InputError(f"{source}, line {tokens.index('') + 1}: no {what}")
    return tokens


def _check_label(source: Source, line: int, label: str) -> None:
    if DECIMAL.fullmatch(label) and not float(label).is_integer():
        raise InputError(
            f"{source}, line {line}: labels must name clusters, but this one is {label}: "
            "continuous numbers are no labels"
        )


def _read_pairs(source: Source, content: str, object: str, cluster: str) -> Text:
    delimiter = DELIMITERS[source.path.suffix.lower()]
    rows = csv.reader(StringIO(content), delimiter=delimiter, strict=True)
    objects, labels = [], []
    try:
        header = [name.strip() for name in next(rows)]
        at_object, at_cluster = _find_columns(source, header, object, cluster)
        for row in rows:
            if len(row) != len(header):
                raise InputError(
                    f"{source}, line {rows.line_num}: the header has {len(header)} fields, but "
                    f"this line has {len(row)}"
                )
            item, label = row[at_object].strip(), row[at_cluster].strip()
            if not item:
                raise InputError(f"{source}, line {rows.line_num}: no object")
            _check_label(source, rows.line_num, label)
            objects.append(item)
            labels.append(label)
    except csv.Error as error:
        raise InputError(f"{source}, line {rows.line_num}: {error}") from None
    return Text(str(source), objects, labels)


def _find_columns(source: Source, header: list[str], object: str, cluster: str) -> tuple[int, int]:
    if object == cluster:
        raise OptionError(f"object and cluster must be two columns, not {object!r} twice")
    for column in (object, cluster):
        if header.count(column) > 1:
            raise InputError(f"{source}, line 1: {header.count(column)} columns called {column!r}")
        if column not in header:
            raise InputError(
                f"{source}, line 1: no column {column!r} among {some(list(header))}; "
                "call them object and cluster, or say which (--object, --cluster)"
            )
    return header.index(object), header.index(cluster)
