"""JSON: a list of clusters, a list of labels, or an object that maps one to the other."""

import json
from collections import Counter
from itertools import pairwise
from typing import Any, BinaryIO

from coverlap.core.errors import InputError
from coverlap.core.memberships import Memberships
from coverlap.core.wording import shown, some
from coverlap.files.options import Content, Reading, drop_outlier_cluster, drop_outlier_labels
from coverlap.files.source import Source
from coverlap.files.text.lines import BYTE_ORDER_MARK
from coverlap.files.text.tokens import INTEGER
from coverlap.files.writing import Writing, check_values
from coverlap.inputs.labels import read_labels
from coverlap.inputs.sets import read_clusters, read_memberships

OBJECTS, NAMES = "objects", "names"
CLUSTERS = ("clusters", "communities")
"""Keys of a list of clusters: ours, and cdlib's."""


def read(source: Source, reading: Reading) -> Content:
    """Read a clustering from JSON of any of these shapes.

    A list of lists holds clusters, a list of scalars labels. An object of scalars maps objects to
    labels; of an object of lists ``keys`` must say what its keys are. An object with the key
    ``clusters`` (or ``communities``) has a list of lists there, and may have all ``objects`` and
    the ``names`` of the clusters.
    """
    document = _parse(source)
    parts, title = _read(document, source, reading)
    return Content(drop_outlier_cluster(parts, reading.outlier_cluster), f"JSON, {title}")


def write(clustering: Memberships, file: BinaryIO, writing: Writing) -> None:  # noqa: ARG001
    """Write all objects, the clusters as lists of them, and the clusters' names."""
    objects, names = clustering.ids().tolist(), clustering.names
    for what, values in (("object", objects), ("cluster", names)):
        check_values(values, what, "json")
    pointers, members = clustering.runs
    ids = clustering.ids()[members].tolist()
    document = {
        OBJECTS: objects,
        CLUSTERS[0]: [ids[a:b] for a, b in pairwise(pointers.tolist())],
        NAMES: names,
    }
    file.write(json.dumps(document, ensure_ascii=False).encode())
    file.write(b"\n")


def _parse(source: Source) -> Any:
    data = source.read().removeprefix(BYTE_ORDER_MARK)
    if not data.strip():
        raise InputError(f"{source}, line 1: the file is empty")
    try:
        return json.loads(data.decode(), object_pairs_hook=_distinct, parse_constant=_constant)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{source}, line {line}: not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{source}, line {error.lineno}: no JSON: {error.msg}") from None
    except RecursionError:
        raise InputError(f"{source}: lists are nested too deeply for a clustering") from None
    except ValueError as error:
        raise InputError(f"{source}: {error}") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    repeated = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
    if repeated:
        raise ValueError(f"the key {shown(repeated[0])} is there twice")
    return dict(pairs)


def _constant(name: str) -> None:
    if name != "NaN":
        raise ValueError(f"{name} is no label and no id")


def _read(document: Any, source: Source, reading: Reading) -> tuple[Memberships, str]:
    where = str(source)
    if isinstance(document, list):
        return _read_list(document, reading, where)
    if not isinstance(document, dict):
        raise InputError(f"{where}: {shown(document)} is no list and no object of clusters")
    key = next((key for key in CLUSTERS if _is_nested(document.get(key))), None)
    if key is not None and reading.keys is None:
        return _read_document(document, key, where), f"lists under {key!r}"
    if not any(isinstance(value, list | dict) for value in document.values()):
        _refuse_keys(reading, where, "an object of scalars")
        parts = read_memberships(
            _with_ids(document), outlier_label=reading.outlier_label, where=where
        )
        return drop_outlier_labels(parts, reading), "labels by object"
    if reading.keys == "clusters":
        return read_clusters(document, where=where), "members by cluster"
    if reading.keys == "objects":
        if any(isinstance(clusters, dict) for clusters in document.values()):
            raise InputError(f"{where}: the clusters of an object must be in a list, not by key")
        members = read_memberships(
            _with_ids(document), outlier_label=reading.outlier_label, where=where
        )
        return drop_outlier_labels(members, reading), "clusters by object"
    raise InputError(
        f"{where} holds lists by key, which could be the members of clusters or the clusters of "
        "objects; say which by keys='clusters' or keys='objects' (--keys)"
    )


def _read_list(document: list[Any], reading: Reading, where: str) -> tuple[Memberships, str]:
    _refuse_keys(reading, where, "a list")
    if _is_nested(document):
        return read_clusters(document, where=where), "a list of clusters"
    if any(isinstance(value, list | dict) for value in document):
        raise InputError(f"{where}: a list must hold labels only, or lists of members only")
    parts = read_labels(document, outlier_label=reading.outlier_label, where=where)
    return drop_outlier_labels(parts, reading), "labels"


def _read_document(document: dict[str, Any], key: str, where: str) -> Memberships:
    clusters = document[key]
    others = [other for other in document if other not in (key, OBJECTS, NAMES)]
    if key == CLUSTERS[0] and any(isinstance(document[other], list | dict) for other in others):
        raise InputError(
            f"{where}: beside 'clusters' there may be 'objects' and 'names', but not "
            f"{some(list(others))}; say keys='clusters' (--keys) if all keys are clusters"
        )
    names = document.get(NAMES)
    universe = document.get(OBJECTS)
    for field in (names, universe):
        if field is not None and not isinstance(field, list):
            raise InputError(f"{where}: objects and names must be lists, not {shown(field)}")
    if any(item is None or isinstance(item, list | dict) for item in universe or ()):
        raise InputError(f"{where}: objects must be scalars, and none of them missing")
    if names is None:
        return read_clusters(clusters, universe=universe, where=where)
    if any(isinstance(name, list | dict) for name in names) or len(set(names)) < len(names):
        raise InputError(f"{where}: names must be scalars, and each there once")
    if len(names) != len(clusters):
        raise InputError(f"{where}: {len(names)} names for {len(clusters)} clusters")
    named = dict(zip(names, clusters, strict=True))
    return read_clusters(named, universe=universe, where=where)


def _is_nested(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, list) for item in value)


def _with_ids(document: dict[str, Any]) -> dict[Any, Any]:
    """Take keys for integers if all are written as such: JSON has no other keys than text."""
    if all(map(INTEGER.fullmatch, document)):
        return {int(key): value for key, value in document.items()}
    return document


def _refuse_keys(reading: Reading, where: str, what: str) -> None:
    if reading.keys is not None:
        raise InputError(f"{where} is {what}, of which keys= has nothing to say")
