"""Parquet files whose footers lie; ``python -m tests.files.footers SEED N`` compares such files.

What a footer says of the values is a hint without a checksum. Wrong hints have crashed Python, so
they are tried in a process of their own.
"""

import random
import struct
import sys
import tempfile
from pathlib import Path
from typing import Any

import duckdb

import coverlap as cv

TRUE, FALSE, BYTE, INTEGERS, DOUBLE, BINARY, LISTS, STRUCT = 1, 2, 3, (4, 5, 6), 7, 8, (9, 10), 12
"""The types of Thrift's compact protocol, in which footers are written."""

MAX, MIN, NULLS, MAX_VALUE, MIN_VALUE = 1, 2, 3, 5, 6
"""The fields of the statistics of a column."""

N_ROWS = 5000
IDS = {
    "BIGINT": ["i % 3000", "(i % 3000) * 1099511627776", "-(i % 3000)"],
    "UBIGINT": ["18446744073709551615 - i % 3000"],
    "INTEGER": ["i % 3000 + 7"],
    "DOUBLE": ["i % 3000"],
    "DATE": ["DATE '2020-01-01' + CAST(i % 300 AS INTEGER)"],
    "VARCHAR": ["'x' || i % 3000", "i % 3000", "''"],
}
LABELS = {
    "BIGINT": ["i * 7919 % 40", "i * 7919 % 40 - 3", "(i * 7919 % 40) * 4294967296"],
    "SMALLINT": ["i * 7919 % 40"],
    "BOOLEAN": ["i * 7919 % 2"],
    "DOUBLE": ["i * 7919 % 40"],
    "DATE": ["DATE '2020-01-01' + CAST(i * 7919 % 40 AS INTEGER)"],
    "VARCHAR": ["'c' || i * 7919 % 40", "i * 7919 % 40"],
    "BIGINT[]": ["[i * 7919 % 40, i % 3]"],
}


class _Reader:
    """Reads values of Thrift's compact protocol."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def value(self, kind: int) -> Any:
        """Return the next value: fields by number with their types, lists with that of items."""
        if kind in (TRUE, FALSE):
            return None
        if kind == BYTE:
            return self._take(1)
        if kind in INTEGERS:
            return self._integer()
        if kind in (DOUBLE, BINARY):
            return self._take(8 if kind == DOUBLE else self._natural())
        if kind in LISTS:
            (head,) = self._take(1)
            n_items, inner = head >> 4, head & 15
            n_items = self._natural() if n_items == 15 else n_items
            return inner, [self.value(inner) for _ in range(n_items)]
        fields: dict[int, tuple[int, Any]] = {}
        number = 0
        while (head := self._take(1)[0]) != 0:
            number = number + (head >> 4) if head >> 4 else self._integer()
            fields[number] = head & 15, self.value(head & 15)
        return fields

    def _take(self, n: int) -> bytes:
        self._at += n
        return self._data[self._at - n : self._at]

    def _natural(self) -> int:
        (byte,) = self._take(1)
        return byte if byte < 128 else byte - 128 + (self._natural() << 7)

    def _integer(self) -> int:
        number = self._natural()
        return number >> 1 ^ -(number & 1)


def _written(kind: int, value: Any) -> bytes:
    """Return a value of `_Reader` as it was written."""
    if kind in (TRUE, FALSE):
        return b""
    if kind in (BYTE, DOUBLE):
        return value
    if kind in INTEGERS:
        return _natural(2 * value if value >= 0 else -2 * value - 1)
    if kind == BINARY:
        return _natural(len(value)) + value
    if kind in LISTS:
        inner, items = value
        return bytes([0xF0 | inner]) + _natural(len(items)) + b"".join(
            _written(inner, item) for item in items
        )  # fmt: skip
    found, last = b"", 0
    for number, (inner, item) in sorted(value.items()):
        found += bytes([number - last << 4 | inner]) + _written(inner, item)
        last = number
    return found + b"\0"


def _natural(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + _natural(number >> 7)


def change_footer(path: Path, column: int, changes: dict[int, bytes | int | None]) -> None:
    """Change fields of the statistics of a column in all row groups, or remove them for None."""
    data = path.read_bytes()
    (length,) = struct.unpack("<I", data[-8:-4])
    begin = len(data) - 8 - length
    footer = _Reader(data[begin:-8]).value(STRUCT)
    for group in footer[4][1][1]:
        statistics = group[1][1][1][column][3][1][12][1]
        for field, new in changes.items():
            statistics.pop(field, None)
            if new is not None:
                statistics[field] = BINARY if isinstance(new, bytes) else INTEGERS[-1], new
    written = _written(STRUCT, footer)
    path.write_bytes(data[:begin] + written + struct.pack("<I", len(written)) + b"PAR1")


def write(path: Path, item: str, rng: random.Random) -> None:
    """Write a table with ids of a type and labels of a random one, some of which are null."""
    label = rng.choice([*LABELS])
    share = rng.choice([0, 0, 5, 100])
    sql = (
        f"SELECT CAST({rng.choice(IDS[item])} AS {item}) AS object, CASE WHEN i % 100 >= {share} "
        f"THEN CAST({rng.choice(LABELS[label])} AS {label}) END AS cluster "
        f"FROM range({N_ROWS}) AS t(i)"
    )
    compression = rng.choice(["uncompressed", "snappy"])
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(
            f"COPY ({sql}) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 2048, "
            f"COMPRESSION {compression})"
        )


def lie(path: Path, rng: random.Random) -> dict[int, bytes | int | None]:
    """Change the statistics of a column at random; return what was changed."""
    width = rng.choice([4, 8])
    number = rng.choice([0, 1, 2, 20, 39, 40, 41, 2999, 2**20, 2**31 - 1, -1, -3000])
    low = number.to_bytes(width, "little", signed=True)
    changes: dict[int, bytes | int | None] = rng.choice([
        {NULLS: 0}, {NULLS: 2048}, {NULLS: None}, {NULLS: 10**6},
        {MIN_VALUE: low, MIN: low}, {MAX_VALUE: low, MAX: low},
        {MIN_VALUE: low, MIN: low, NULLS: 0}, {MIN_VALUE: b"x1", MAX_VALUE: b"x2"},
        {MIN_VALUE: low, MIN: low, MAX_VALUE: low, MAX: low},
    ])  # fmt: skip
    change_footer(path, rng.randrange(2), changes)
    return changes


def outcome(paths: list[Path], engine: str) -> tuple[float, int] | str:
    """Return what is found of two files, or the error."""
    try:
        found = cv.compare(*paths, engine=engine)
    except cv.CoverlapError as error:
        return f"{error}"
    return found.score, found.universe.n_objects


def main() -> None:
    seed, n = sys.argv[1:]
    rng = random.Random(seed)
    n_equal = 0
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{side}.parquet") for side in ("left", "right")]
        for _ in range(int(n)):
            item = rng.choice([*IDS])
            for path in paths:
                write(path, item, rng)
            expected = outcome(paths, "memory")
            if isinstance(expected, str):
                continue
            changes = lie(rng.choice(paths), rng)
            for engine in ("memory", "duckdb"):
                found = outcome(paths, engine)
                assert found == expected or isinstance(found, str), (changes, found, expected)
                n_equal += found == expected
    print(n_equal)


if __name__ == "__main__":
    main()
