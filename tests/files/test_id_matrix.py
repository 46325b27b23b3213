"""The same clustering in two formats scores exactly 1.0, or is rejected with a clear error."""

import io
import json
import sys
from datetime import date, datetime, time
from decimal import Decimal
from functools import partial
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import h5py
import pyarrow as pa
import pytest

from coverlap import CoverlapError, compare, fstar_score
from coverlap.clustering.read import File
from coverlap.files.options import ReadOptions
from tests.files.support import arrow_bytes, arrow_table, as_bytes, parquet_bytes, read_together

VALUES: dict[str, list[Any]] = {
    "int": [1, 2, 3, 40],
    "negative int": [-1, -2, 3, 40],
    "large int": [2**63, 2**70, 10**30, 5],
    "float": [1.5, 2.25, -0.125, 1e-7],
    "float or integer": [1.5, 2.0, -3.0, 1e22],
    "short decimals": [0.1, 0.2, 0.3, 2.5],
    "integral float": [1.0, 2.0, 3.0, 40.0],
    "decimal": [Decimal("0.1"), Decimal("2.50"), Decimal("3.00"), Decimal("1.25")],
    "date": [date(2020, 1, 2), date(2021, 1, 2), date(2022, 3, 4), date(1999, 12, 31)],
    "datetime": [
        *map(datetime.fromisoformat, ("2020-01-02 03:04:05", "2020-01-02", "1999-01-01 12")),
    ],
    "datetime with microseconds": [
        *map(datetime.fromisoformat, ("2020-01-02 03:04:05.600000", "2020-01-02")),
    ],
    "time": [time(1, 2, 3), time(1, 2), time(0)],
    "time with microseconds": [time(23, 59, 59, 250_000), time(23, 59, 59), time(0)],
    "str": ["ann", "bob", "cyd", "dan"],
    "str like a number": ["1", "2", "3", "40"],
    "str like a float": ["1.0", "2.0", "3.50", "4.25"],
    "str with leading zeros": ["01", "2", "003", "40"],
    "str or integer": [1, 2, "x", "y"],
    "float or str": [1.0, 2.0, "x", "y"],
    "bool": [True, False],
}  # fmt: skip


def halves(values):
    return [half for half in (values[:2], values[2:]) if half]


def token(value):
    """Return a value as JSON or pandas write it."""
    return json.dumps(value) if isinstance(value, float) else str(value)


def pairs_of(values):
    return [(item, "xy"[i]) for i, half in enumerate(halves(values)) for item in half]


def rows(pattern, values):
    """Format the number, the id and the cluster of each object."""
    return "".join(pattern.format(i, token(o), c) for i, (o, c) in enumerate(pairs_of(values)))


def table_of(values):
    objects, clusters = zip(*pairs_of(values), strict=True)
    return arrow_table(object=objects, cluster=clusters)


def as_h5ad(values):
    buffer = io.BytesIO()
    with h5py.File(buffer, "w") as file:
        obs = file.create_group("obs")
        obs.attrs["_index"] = "_index"
        pairs = pairs_of(values)
        obs["_index"] = [token(item).encode() for item, _ in pairs]
        obs["cluster"] = [name.encode() for _, name in pairs]
    return buffer.getvalue()


WRITERS = {
    "a.csv": lambda values: "object,cluster\n" + rows("{1},{2}\n", values),
    "com.dat": partial(rows, "{1}|{2}\n"),
    "a.cnl": lambda values: "\n".join("|".join(map(token, half)) for half in halves(values)),
    "a.json": lambda values: json.dumps(halves(values), default=str),
    "keys.json": lambda values: json.dumps({token(o): c for o, c in pairs_of(values)}),
    "a.arrow": lambda values: arrow_bytes(table_of(values)),
    "a.parquet": lambda values: parquet_bytes(table_of(values)),
    "a.gml": lambda values: (
        "graph [" + rows('node [ id {0} label "{1}" cluster "{2}" ] ', values) + "]"
    ),
    "a.graphml": lambda values: (
        '<graphml><key id="c" for="node" attr.name="cluster"/><graph>'
        + rows('<node id="{1}"><data key="c">{2}</data></node>', values)
        + "</graph></graphml>"
    ),
    "a.h5ad": as_h5ad,
}
TYPED = ("a.csv", "a.json", "a.arrow", "a.parquet")


def file_of(path: Path) -> File:
    by_bars = ReadOptions(delimiter="|" if path.name in {"a.cnl", "com.dat"} else None)
    return File(path, options=by_bars)


def write(name: str, kind: str, folder: Path) -> Path | None:
    """Write the clustering of a kind; None if the library cannot write such values."""
    try:
        content = as_bytes(WRITERS[name](VALUES[kind]))
    except (pa.ArrowException, OverflowError, TypeError):
        return None
    path = folder / name
    path.write_bytes(content)
    return path


AGREEING = {"int", "negative int", "str", "str like a number", "str with leading zeros", "date"}
"""Kinds of ids that are the same in every format."""


def outcome(call):
    """Return the result of a function and '', or None and the message of our error."""
    try:
        return call(), ""
    except CoverlapError as error:
        message = str(error)
    assert "\n" not in message
    return None, message


@pytest.mark.slow
@pytest.mark.parametrize("kind", VALUES)
def test_two_formats_of_one_clustering_agree_or_are_refused(kind: str, tmp_path: Path):
    paths = [path for name in WRITERS if (path := write(name, kind, tmp_path))]
    assert len(paths) >= 7
    for left, right in combinations_with_replacement(paths, 2):
        pair, message = outcome(partial(read_together, [file_of(left), file_of(right)]))
        names = left.name, right.name
        if pair is None:
            assert kind not in AGREEING, (*names, message)
            assert left != right or message.endswith(("names nothing", "use text")), message
        else:
            assert fstar_score(*pair) == 1.0, names


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("float", ["a.json", "a.csv", "a.cnl", "keys.json", "a.gml", "a.h5ad"]),
        ("float or integer", ["a.json", "a.csv", "com.dat", "a.graphml"]),
        ("datetime with microseconds", ["a.arrow", "a.csv", "a.cnl", "a.json", "a.gml"]),
        ("time with microseconds", ["a.arrow", "a.csv", "a.cnl", "a.json", "a.gml"]),
    ],
)
def test_other_ids_agree_where_they_are_written_in_full(kind: str, names, tmp_path: Path):
    for left, right in product(names, repeat=2):
        paths = [write(name, kind, tmp_path) for name in (left, right)]
        one, other = read_together([file_of(path) for path in paths if path])
        assert fstar_score(one, other) == 1.0, (left, right)


@pytest.mark.parametrize("kind", VALUES)
def test_standard_input_agrees_with_files_or_is_refused(kind, tmp_path, monkeypatch):
    for name in TYPED:
        path = write(name, kind, tmp_path)
        text = io.BytesIO(as_bytes(WRITERS["a.csv"](VALUES[kind])))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(text))
        pair, message = outcome(partial(read_together, [File("-", "pairs"), File(path or "-")]))
        assert pair is None or fstar_score(*pair) == 1.0, name
        assert pair is not None or kind not in AGREEING, message


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("option", ["universe", "graph"])
def test_a_universe_or_graph_of_the_same_ids_fits_or_is_refused(kind, option, tmp_path: Path):
    tokens = list(map(token, VALUES[kind]))
    ids = tmp_path / "ids.csv"
    ids.write_text("".join(f"{one},{other}\n" for one, other in product(tokens, repeat=2)))
    paths = [path for name in TYPED if (path := write(name, kind, tmp_path))]
    results = [outcome(partial(compare, path, path, **{option: ids}))[0] for path in paths]
    found = {(result.score, result.universe.n_objects) for result in results if result}
    assert found == {(1.0, len(tokens))}
