"""Clusterings in memory, in many forms: the score equals an exact fraction, or one clear error."""

import datetime as dt
import io
from collections import UserDict, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from math import fsum
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse

import coverlap as cv
from coverlap.core import values
from tests import naive

Sets = list[set[int]]

MANY = values.MANY

DAY = dt.datetime(2026, 1, 1)  # noqa: DTZ001
ID_TYPES: dict[str, Callable[[int], Any]] = {
    "int": lambda i: i,
    "large": lambda i: 2**62 + 3 * i,
    "huge": lambda i: 10**30 + i,
    "negative": lambda i: -5 - i,
    "text": lambda i: f"o{i}",
    "number text": lambda i: f"{i:03}",
    "float": lambda i: i + 0.5,
    "tuple": lambda i: (i, str(i)),
    "bytes": lambda i: bytes([i]),
    "decimal": lambda i: Decimal(i) / 10**20 + 1,
    "fraction": lambda i: Fraction(i, 7),
    "datetime": lambda i: DAY + dt.timedelta(microseconds=i),
    "nanoseconds": lambda i: pd.Timestamp(1_700_000_000_000_000_000 + i),
    "frozenset": lambda i: frozenset({i, -1 - i}),
    "mixed": lambda i: i if i % 2 else f"o{i}",
}


class HostileError(Exception):
    """Raised by objects below; an exception of the user's own code may reach the user."""


def random_sides(random: Random) -> tuple[int, list[Sets]]:
    """Return the number of objects and two lists of clusters, which often have some in common."""
    n = random.choice((0, 1, 2, 3, 5, 8, 14, 40))
    sides = [_random_clusters(random, n) for _ in range(2)]
    if random.random() < 0.3:
        sides[1] = random.sample(sides[0], random.randint(0, len(sides[0])))
    return n, sides


def _random_clusters(random: Random, n: int) -> Sets:
    if random.random() < 0.5:
        labels = [random.randint(-1, max(n // 3, 1)) for _ in range(n)]
        return [{i for i in range(n) if labels[i] == label} for label in sorted({*labels} - {-1})]
    part = random.sample(range(n), random.randint(n // 2, n))
    return [
        set(random.sample(part, random.randint(0, len(part)))) for _ in range(random.randint(0, 6))
    ]


def _labels(clusters: Sets, n: int) -> list[int] | None:
    """Return a label for each object, -1 for outliers; None if clusters overlap."""
    labels = [-1] * n
    for number, cluster in enumerate(clusters):
        for item in cluster:
            if labels[item] >= 0:
                return None
            labels[item] = number
    return labels


def _by_position(random: Random, clusters: Sets, n: int) -> Any:
    """Return a clustering of 0..n-1 without ids, in a random form."""
    labels = _labels(clusters, n)
    if labels is not None and random.random() < 0.7:
        return random.choice(LABEL_FORMS)(labels)
    matrix = np.zeros((len(clusters), n), bool)
    for number, cluster in enumerate(clusters):
        matrix[number, list(cluster)] = True
    if random.random() < 0.3:
        return cv.Clustering.from_matrix(matrix.T, rows="objects")
    kind = random.choice(("csr", "csc", "coo", "lil", "dok", "dia", "bsr"))
    make = sparse.csr_array if random.random() < 0.5 else sparse.csr_matrix
    return make(matrix).asformat(kind)


LABEL_FORMS: list[Callable[[list[int]], Any]] = [
    list,
    lambda labels: [None if label < 0 else f"c{label}" for label in labels],
    lambda labels: [np.nan if label < 0 else label + 0.0 for label in labels],
    lambda labels: list(map(str, labels)),
    lambda labels: np.array(list(map(str, labels))) if labels else [],
    lambda labels: pd.Categorical(list(map(str, labels))),
    lambda labels: np.array(labels, np.int8),
    lambda labels: np.array(labels, ">i4"),
    lambda labels: np.array(labels, np.int64)[::-1][::-1],
    lambda labels: np.repeat(np.array(labels, np.int32), 2)[::2],
    lambda labels: np.array(labels, object),
    lambda labels: np.array([np.nan if label < 0 else label for label in labels], np.float32),
    lambda labels: np.ma.masked_array(labels, [label < 0 for label in labels]),
    lambda labels: pl.Series(labels, dtype=pl.Int16),
    lambda labels: pl.Series(
        [None if label < 0 else f"c{label}" for label in labels], dtype=pl.String
    ),
    lambda labels: pa.array(labels, pa.int32()),
    lambda labels: pa.chunked_array(
        [pa.array(labels[:2], pa.int64()), pa.array(labels[2:], pa.int64())]
    ),
    lambda labels: pd.Categorical([None if label < 0 else label for label in labels]),
    lambda labels: pd.array([pd.NA if label < 0 else label for label in labels], dtype="Int32"),
    lambda labels: memoryview(np.array(labels, np.int64)),
    deque,
    cv.Clustering.from_labels,
]


def _by_id(random: Random, clusters: Sets, n: int, ids: list[Any]) -> tuple[Any, set[int]]:
    """Return a clustering of objects with ids, in a random form, and the objects that it knows."""
    named = [{ids[i] for i in cluster} for cluster in clusters]
    members: set[int] = set().union(*clusters)
    labels = _labels(clusters, n)
    form = random.choice(("sets", "dict", "clustering", "frame", "labels", "mapping"))
    if form == "labels" and labels is not None:
        kind = random.choice((dict, UserDict, MappingProxyType))
        given = {ids[i]: None if labels[i] < 0 else labels[i] for i in range(n)}
        return kind(given), set(range(n)) if given else members
    if form == "clustering":
        duplicates = random.choice(("merge", "keep"))
        return cv.Clustering.from_clusters(named, universe=ids, duplicates=duplicates), set(
            range(n)
        )
    if form == "mapping":
        names = {f"c{number}": list(cluster) for number, cluster in enumerate(named)}
        return cv.Clustering.from_clusters(names), members
    if form == "frame":
        return _frame(random, named), members
    if not any(named):
        return cv.Clustering.from_clusters(named), members
    return (list(map(random.choice((set, frozenset)), named)), members)


def _frame(random: Random, named: list[set[Any]]) -> Any:
    rows = [(item, number) for number, cluster in enumerate(named) for item in cluster]
    random.shuffle(rows)
    columns = {"object": [item for item, _ in rows], "cluster": [number for _, number in rows]}
    simple = all(type(item) in (int, str) for item in columns["object"])
    same = len({type(item) for item in columns["object"]}) == 1
    if simple and same and all(isinstance(i, str) or abs(i) < 2**63 for i in columns["object"]):
        library = random.choice(("pandas", "polars", "arrow"))
        if library == "polars":
            return random.choice((pl.DataFrame, pl.LazyFrame))(columns)
        if library == "arrow":
            return pa.table(columns)
    objects = pd.Series(columns["object"], dtype=object)
    return pd.DataFrame({"object": objects, "cluster": columns["cluster"]})


def run(random: Random, _: Path) -> str:
    """Compare a random pair with the definition, or give hostile input."""
    values.MANY = random.choice((1, MANY))  # read short lists as long ones are read
    if random.random() < 0.35:
        return _hostile(random)
    n, (left, right) = random_sides(random)
    options: dict[str, Any] = {
        "similarity": random.choice(list(naive.SIMILARITIES)),
        "outliers": random.random() < 0.7,
        "average": random.choice(("size", "equal")),
        "balance": random.choice((0.0, 0.1, 0.5, 0.5, 0.8, 1.0, 1 - 2**-53, 5e-324)),
        "drop_outliers": random.choice((None, None, "left", "right", "either", "both")),
    }
    threads = random.choice((None, 1, 2))
    kind = random.choice(list(ID_TYPES))
    if random.random() < 0.5:
        one, other = _by_position(random, left, n), _by_position(random, right, n)
        objects = set(range(n))
        universe: Any = "union"
    else:
        ids = [ID_TYPES[kind](i) for i in range(n)]
        one, known = _by_id(random, left, n, ids)
        other, known_too = _by_id(random, right, n, ids)
        universe = random.choice(("union", "intersection", "left", "right", ids))
        objects = {
            "union": known | known_too, "intersection": known & known_too, "left": known,
            "right": known_too,
        }.get(universe if isinstance(universe, str) else "", set(range(n)))  # fmt: skip
    expected = naive.fstar(left, right, objects, **options)
    try:
        score = cv.fstar_score(one, other, universe=universe, threads=threads, **options)
    except cv.UniverseError:
        if kind == "mixed":  # one side may have only the integers and the other only the text
            return "rejected"
        raise
    where = (n, left, right, type(one), type(other), universe, options)
    assert abs(Fraction(score) - expected) <= Fraction(1, 10**12), (score, expected, where)
    assert (score == 1.0) == (expected == 1), (score, expected, where)
    if random.random() < 0.4:
        result = cv.compare(one, other, universe=universe, threads=threads, **options)
        _check_explanations(result, random.choice((0.0, 0.3, 0.5, 1.0)), where)
    return "answered"


def _check_explanations(result: cv.Comparison, threshold: float, where: Any) -> None:
    """Check that every loss adds up, and that every cluster is in one change."""
    changes = result.changes(threshold, same=True)
    tables = result, changes, result.losses(), result.objects(), result.fates()
    for table in tables[:4]:
        losses = table.columns()["loss"]
        assert min(losses, default=0) >= 0, where
        assert abs(fsum(losses) - (1 - result.score)) < 1e-12, (type(table), where)
    n_clusters = tuple(
        sum(map(len, changes.columns()[side])) for side in ("left", "right")
    )  # fmt: skip
    assert n_clusters == result.n_clusters, where
    for table in (*tables, result.contingency(), result.one_to_one()):
        assert str(table), where
        table.to_json()
        table.to_frame("pandas")


class Raising:
    """Raises an error whatever is done with it."""

    def __iter__(self) -> Iterator[Any]:
        raise HostileError

    def __len__(self) -> int:
        raise HostileError

    def __hash__(self) -> int:
        raise HostileError

    def __eq__(self, other: object) -> bool:
        raise HostileError

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise HostileError


class Lying:
    """Has a wrong length."""

    def __init__(self, length: int) -> None:
        self.length = length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> int:
        if index >= 3:
            raise IndexError
        return index


def _failing_generator() -> Iterator[int]:
    yield 1
    raise HostileError


def _recursive_list() -> list[Any]:
    items: list[Any] = [1]
    items.append(items)
    return items


def _broken_matrix(random: Random) -> Any:
    matrix = sparse.csr_array(np.eye(4)).asformat(random.choice(("csr", "csc", "coo", "bsr")))
    for name in random.sample(("indices", "indptr", "row", "col", "data"), 2):
        array = getattr(matrix, name, None)
        if isinstance(array, np.ndarray) and array.size and array.dtype.kind == "i":
            array[random.randrange(len(array))] = random.choice((-1, 4, 10**6, -(2**31)))
        elif isinstance(array, np.ndarray) and random.random() < 0.2:
            matrix.data = array[:1]
    return matrix


VALUES: list[Callable[[], Any]] = [
    lambda: None, lambda: float("nan"), lambda: float("inf"), object, list, dict, set, lambda: b"",
    lambda: "", lambda: 10**5000, lambda: -(10**5000), lambda: Decimal("NaN"),
    lambda: Decimal("sNaN"), lambda: Decimal("1.5"), lambda: np.datetime64("NaT"), lambda: pd.NA,
    lambda: pd.NaT, lambda: pa.scalar(1), lambda: pa.scalar(None), Raising, lambda: 1j,
    lambda: np.float64("nan"), lambda: np.void(b"abc"), lambda: np.str_("x"), lambda: True,
    lambda: Ellipsis, lambda: int, lambda: range(3), _recursive_list, lambda: np.array(5),
    lambda: np.longdouble(1) / 3, lambda: "\ud800", lambda: "\0", lambda: np.int64(-1),
    lambda: 1e19,
]  # fmt: skip

WHOLES: list[Callable[[], Any]] = [
    *VALUES, _failing_generator, lambda: iter([1, 2]), lambda: Lying(-1), lambda: Lying(10**12),
    lambda: Lying(2**70), lambda: np.zeros((2, 2, 2)), lambda: np.zeros(3, "M8[ns]"),
    lambda: np.zeros(2, [("a", int)]), lambda: np.broadcast_to(np.int8(1), (2, 10**7)),
    lambda: np.array([1, "a", None], object), lambda: np.zeros(0, "U0"), lambda: np.zeros(3, "S0"),
    lambda: memoryview(b"abc"), lambda: memoryview(np.zeros((2, 2))), lambda: bytearray(3),
    lambda: "no such file", lambda: Path("/dev/null"), lambda: Path("/"),
    lambda: io.StringIO("1\n"),
    lambda: pd.MultiIndex.from_tuples([(1, 2), (1, 3)]), lambda: pd.DataFrame({"object": [1]}),
    lambda: pd.DataFrame(np.zeros((2, 2)), columns=["cluster", "cluster"]),
    lambda: pl.DataFrame({"object": [[1], [2]], "cluster": [1, 2]}),
    lambda: pl.LazyFrame({"a": [1]}).select(pl.col("b")), lambda: pa.array([[1, 2], [3], None]),
    lambda: pa.array([1.5, None]), lambda: pd.Series([1, 2], index=[1, 1]),
    lambda: pd.interval_range(0, 3), lambda: pd.period_range("2026", periods=3, freq="D"),
    lambda: sparse.coo_array((1, 2 * 10**9)), lambda: sparse.coo_array((2 * 10**9, 1)),
    lambda: [{1}, None], lambda: [[1], 2], lambda: {1: {2}, 3: 4}, lambda: [set(), [], ()],
    lambda: {"a": Raising()}, lambda: [float("nan")] * 3, lambda: range(10**6), lambda: [[]] * 3,
]  # fmt: skip


def _hostile(random: Random) -> str:
    """Give input that is damaged in one place; any answer or error of coverlap is accepted."""
    sides = [_hostile_side(random), random.choice((_hostile_side, _plain_side))(random)]
    options = {
        name: random.choice(VALUES)()
        for name in ("universe", "n_objects", "balance", "drop_outliers", "threads", "average")
        if random.random() < 0.06
    }
    try:
        random.choice((cv.fstar_score, cv.compare, _omega, _read))(*sides, **options)
    except (cv.CoverlapError, HostileError):
        return "rejected"
    return "answered"


def _omega(left: Any, right: Any, **options: Any) -> float:
    options.pop("balance", None)
    options.pop("average", None)
    return float(cv.score(left, right, "omega", **options))


def _read(left: Any, _: Any, **__: Any) -> str:
    """Read one side, and use every way to look at it."""
    read = cv.as_clustering(left)
    if read.n_objects < 10**5:
        for convert in (read.to_frame, read.to_labels, read.to_matrix, read.to_clusters):
            with suppress(cv.CoverlapError):
                convert()
    return f"{read!r}"


def _plain_side(_: Random) -> Any:
    return [0, 0, 1]


def _hostile_side(random: Random) -> Any:
    chance = random.random()
    if chance < 0.4:
        return random.choice(WHOLES)()
    if chance < 0.5:
        return _broken_matrix(random)
    items: list[Any] = [random.choice((0, 1, "a")) for _ in range(random.randint(1, 4))]
    items[random.randrange(len(items))] = random.choice(VALUES)()
    try:
        return random.choice(
            (list, tuple, set, lambda x: [x, [1]], lambda x: dict.fromkeys(x, 1), _object_array,
             lambda x: dict(enumerate(x)), lambda x: [set(x)], pd.Series, iter)
        )(items)  # fmt: skip
    except Exception:  # noqa: BLE001 - not the code under test
        return items


def _object_array(items: list[Any]) -> Any:
    array = np.empty(len(items), object)
    array[:] = items
    return array
