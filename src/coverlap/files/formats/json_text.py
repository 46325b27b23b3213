"""JSON: a list of clusters, a list of labels, or an object that maps one to the other."""

import json
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from itertools import chain
from typing import Any, BinaryIO

import numpy as np

from coverlap.core.errors import InputError
from coverlap.core.memberships import Memberships
from coverlap.core.spelling import INTEGER
from coverlap.core.wording import shown, some
from coverlap.files.content import Content, drop_outliers
from coverlap.files.options import ReadOptions, WriteOptions
from coverlap.files.output import check_values, name_array
from coverlap.files.source import Source
from coverlap.files.text.lines import BYTE_ORDER_MARK
from coverlap.files.text.writing import json_tokens, one_run, tokens_of, write_runs
from coverlap.inputs.labels import read_labels
from coverlap.inputs.sets import read_clusters, read_memberships

START = 1 << 12
"""Number of bytes to search for null characters before the whole file is read."""

OBJECTS, NAMES = "objects", "names"
CLUSTERS = ("clusters", "communities")
"""Keys of a list of clusters: the one that `write` uses, and the one of cdlib."""


def read(source: Source, options: ReadOptions) -> Content:
    """Read a clustering from JSON of any of these shapes.

    A list of lists holds clusters, a list of scalars labels. An object of scalars maps objects to
    labels; for an object of lists, the option ``keys`` says what its keys are. An object with the
    key ``clusters`` (or ``communities``) has a list of lists there, and may have all ``objects``
    and the ``names`` of the clusters.
    """
    document, where = _parse(source), str(source)
    if isinstance(document, list):
        return _read_list(document, options, where)
    if isinstance(document, dict):
        return _read_object(document, options, where)
    raise InputError(f"{where}: {shown(document)} is no list and no object of clusters")


def write(memberships: Memberships, file: BinaryIO, options: WriteOptions) -> None:  # noqa: ARG001
    """Write all objects, the clusters as lists of them, and the clusters' names."""
    ids, names = memberships.ids(), name_array(memberships.names)
    for what, values in (("object", ids), ("cluster", names)):
        if values.dtype == object:
            check_values(values.tolist(), what, "json")
    objects, marks = json_tokens(ids), ("", ", ", "", "]")
    head, heads = tokens_of("[\0"), tokens_of("[\0, [\0")
    file.write(f'{{"{OBJECTS}": '.encode())
    write_runs(file, one_run(np.arange(len(ids))), objects, heads=head, marks=marks)
    file.write(f', "{CLUSTERS[0]}": ['.encode())
    write_runs(file, memberships.runs, objects, heads=heads, marks=marks)
    file.write(f'], "{NAMES}": '.encode())
    write_runs(file, one_run(np.arange(len(names))), json_tokens(names), heads=head, marks=marks)
    file.write(b"}\n")


def _parse(source: Source) -> Any:
    before, null, _ = source.peek(START).partition(b"\0")
    if null:  # a device may return zeros without end
        line = before.count(b"\n") + 1
        raise InputError(f"{source}, line {line}: a null character, so this is no JSON")
    data = source.read().removeprefix(BYTE_ORDER_MARK)
    if not data.strip():
        raise InputError(f"{source}, line 1: the file is empty")
    try:
        return json.loads(
            data.decode(), object_pairs_hook=_distinct, parse_constant=_parse_constant,
            parse_float=_parse_float,
        )  # fmt: skip
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{source}, line {line}: not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{source}, line {error.lineno}: no JSON: {error.msg}") from None
    except RecursionError:
        raise InputError(f"{source}: lists are nested too deeply for a clustering") from None
    except ValueError as error:
        is_long = "set_int_max_str_digits" in str(error)
        reason = "an integer has more than 4,300 digits; put it in quotes" if is_long else error
        raise InputError(f"{source}: {reason}") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    repeated = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
    if repeated:
        raise ValueError(f"the key {shown(repeated[0])} is there twice")
    return dict(pairs)


def _parse_constant(name: str) -> None:
    if name != "NaN":
        raise ValueError(f"{name} is no label and no id")


def _parse_float(text: str) -> float:
    """Return a number, and raise ValueError if a float cannot hold all of its digits."""
    number = float(text)
    try:
        is_exact = repr(number) == text or Decimal(repr(number)) == Decimal(text)
    except InvalidOperation:  # the exponent has too many digits
        is_exact = False
    if not is_exact:
        raise ValueError(f"{text:.60} is beyond the precision of numbers here; put it in quotes")
    return number


def _reject_booleans(values: Iterable[Any], where: str, *, alone: bool = False) -> None:
    """Reject true and false beside numbers, since Python takes them for 1 and 0.

    With ``alone``, reject them even without numbers.
    """
    types = set(map(type, values))
    if bool in types and (alone or types & {int, float}):
        raise InputError(f"{where}: true or false where it could be taken for 1 or 0; use text")


def _read_list(document: list[Any], options: ReadOptions, where: str) -> Content:
    _reject_keys(options, where, "a list")
    if _is_list_of_lists(document):
        _reject_booleans(chain.from_iterable(document), where, alone=True)
        memberships = read_clusters(document, where=where)
        return Content(drop_outliers(memberships, options), "JSON, a list of clusters")
    if any(map(_is_nested, document)):
        raise InputError(f"{where}: a list must hold labels only, or lists of members only")
    _reject_booleans(document, where)
    memberships = read_labels(document, outlier_label=options.outlier_label, where=where)
    return Content(drop_outliers(memberships, options), "JSON, labels")


def _read_object(document: dict[str, Any], options: ReadOptions, where: str) -> Content:
    key = next((key for key in CLUSTERS if _is_list_of_lists(document.get(key))), None)
    if key is not None and options.keys is None:
        memberships = _read_clusters(document, key, where)
        return Content(drop_outliers(memberships, options), f"JSON, lists under {key!r}")
    has_lists = any(map(_is_nested, document.values()))
    if not has_lists:
        _reject_keys(options, where, "an object of scalars")
    elif options.keys is None:
        raise InputError(
            f"{where} holds lists by key, which could be the members of clusters or the clusters "
            "of objects; say which by keys='clusters' or keys='objects' (--keys)"
        )
    values = [value if isinstance(value, list) else [value] for value in document.values()]
    _reject_booleans(chain.from_iterable(values), where, alone=options.keys == "clusters")
    if options.keys == "clusters":
        memberships = read_clusters(document, where=where)
        return Content(drop_outliers(memberships, options), "JSON, members by cluster")
    if any(isinstance(clusters, dict) for clusters in document.values()):
        raise InputError(f"{where}: the clusters of an object must be in a list, not by key")
    memberships = read_memberships(
        _with_integer_keys(document), outlier_label=options.outlier_label, where=where
    )
    title = "JSON, clusters by object" if has_lists else "JSON, labels by object"
    return Content(drop_outliers(memberships, options), title)


def _read_clusters(document: dict[str, Any], key: str, where: str) -> Memberships:
    clusters, names, universe = document[key], document.get(NAMES), document.get(OBJECTS)
    others = [other for other in document if other not in (key, OBJECTS, NAMES)]
    if key == CLUSTERS[0] and any(_is_nested(document[other]) for other in others):
        raise InputError(
            f"{where}: beside 'clusters' there may be 'objects' and 'names', but not "
            f"{some(list(others))}; say keys='clusters' (--keys) if all keys are clusters"
        )
    for field in (names, universe):
        if field is not None and not isinstance(field, list):
            raise InputError(f"{where}: objects and names must be lists, not {shown(field)}")
    if any(item is None or _is_nested(item) for item in universe or ()):
        raise InputError(f"{where}: objects must be scalars, and none of them missing")
    _reject_booleans(chain(universe or (), chain.from_iterable(clusters)), where, alone=True)
    if names is None:
        return read_clusters(clusters, universe=universe, where=where)
    if any(map(_is_nested, names)) or len(set(names)) < len(names):
        raise InputError(f"{where}: names must be scalars, and each there once")
    if len(names) != len(clusters):
        raise InputError(f"{where}: {len(names)} names for {len(clusters)} clusters")
    named = dict(zip(names, clusters, strict=True))
    return read_clusters(named, universe=universe, where=where)


def _is_nested(value: Any) -> bool:
    return isinstance(value, list | dict)


def _is_list_of_lists(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, list) for item in value)


def _with_integer_keys(document: dict[str, Any]) -> dict[Any, Any]:
    """Convert keys to integers if all are written as such, since keys of JSON are always text."""
    if all(map(INTEGER.fullmatch, document)):
        return {int(key): value for key, value in document.items()}
    return document


def _reject_keys(options: ReadOptions, where: str, what: str) -> None:
    if options.keys is not None:
        raise InputError(f"{where} is {what}, of which keys= has nothing to say")
