"""Thousands of random files: valid ones, compared with Python's parsers, and broken ones."""

import csv
import io
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from coverlap import Clustering, read_clustering
from coverlap.clustering.read import File, read_files_and_universe
from coverlap.core import token_table
from coverlap.core.errors import CoverlapError, InputError
from coverlap.core.incidence import frozen
from coverlap.files import source
from coverlap.files.text import tokens
from tests.files import naive
from tests.files.mutants import BASES, OPTIONS, mutated, with_a_byte_changed
from tests.files.support import (
    COMPRESSED,
    TEXT_FORMATS,
    assert_sound,
    shape,
)
from tests.marks import slow_after

# Files without unusual features, read in blocks of every size

WORDS = [
    "a", "b", "ab", "abc", "B-cell", "x" * 7, "x" * 8, "x" * 9, "y" * 40, "é", "日本", "🎈", "a'",
    "0", "1", "2", "3", "10", "11", "-1", "-7", "007", "-0", "+1", "1e5", "NA", "None", "a:1", "a>",
    "9" * 17, "9" * 18, "9" * 19, "1" + "0" * 17, "-" + "9" * 18, "a\xa0b", "\x85", "\u2028",
    "e\u0301",
]  # fmt: skip
NUMBERS = [str(n) for n in range(-2, 40)] + ["9" * 17, "9" * 18, "9" * 19, "-" + "9" * 18]

Generator = Callable[[Random], tuple[str, str | None, naive.Found]]


def some_words(random: Random) -> list[str]:
    return random.choice((WORDS, NUMBERS, [f"w{i}" for i in range(60)], WORDS[:4]))


def spaced(random: Random, row: list[str], delimiter: str | None) -> str:
    def gap() -> str:
        blank = "".join(random.choices(" \t\v\f", k=random.randint(0, 2)))
        if delimiter is None:
            return blank or random.choice(" \t")
        return blank.replace(delimiter, "") + delimiter + random.choice(("", " "))

    text = "".join(word + gap() for word in row)
    if row and random.random() < 0.7:
        text = text.rstrip(" \t\v\f" + (delimiter or ""))
    return random.choice(("", "", " ")) + text


def finished(random: Random, lines: list[str]) -> str:
    end = random.choice(("\n", "\n", "\r\n"))
    return end.join(lines) + random.choice((end, end, "", end * 2))


def a_file_of_lines(random: Random) -> tuple[str, str | None]:
    delimiter = random.choice((None, None, ",", ";", "\t", "|"))
    words = some_words(random)
    lines = []
    for _ in range(random.randint(1, 12)):
        row = random.choices(words, k=random.choice((0, 1, 1, 2, 3, 9)))
        comment = random.random() < 0.1
        lines.append("#" + spaced(random, row, None) if comment else spaced(random, row, delimiter))
    if not any(line.strip() for line in lines):
        lines.append("x")
    return finished(random, lines), delimiter


def a_file_of_clusters(random: Random) -> tuple[str, str | None, naive.Found]:
    text, delimiter = a_file_of_lines(random)
    return text, delimiter, naive.cluster_lines(text, delimiter)


def a_file_of_objects(random: Random) -> tuple[str, str | None, naive.Found]:
    text, delimiter = a_file_of_lines(random)
    return text, delimiter, naive.object_lines(text, delimiter)


def a_table(random: Random) -> tuple[str, str | None, naive.Found]:
    delimiter = random.choice(",;\t|")
    words = [*some_words(random), 'a"b', '"', "a,b", "a;b", "a\nb", "\n", "a\tb", "|", "\n\n,"]
    rows = [
        [random.choice(words), random.choice((*words, "")), random.choice(words)]
        for _ in range(random.randint(0, 12))
    ]
    file = io.StringIO()
    writer = csv.writer(
        file, delimiter=delimiter, lineterminator=random.choice(("\n", "\r\n")),
        quoting=random.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)),
    )  # fmt: skip
    writer.writerows([["object", "cluster", "other"], *rows])
    text = file.getvalue()
    if random.random() < 0.3:
        text = text.removesuffix("\n").removesuffix("\r")
    return text, delimiter, naive.pairs(text, delimiter)


def a_file_of_labels(random: Random) -> tuple[str, str | None, naive.Found]:
    words = [*some_words(random), "T cell", "a, b", "#1", '"x"', "[1]"]
    lines = [
        random.choice(("", " ", "\t")) + random.choice(words) + random.choice(("", " \f"))
        for _ in range(random.randint(1, 30))
    ]
    text = finished(random, lines)
    return text, None, naive.labels(text)


GENERATORS: dict[str, Generator] = {
    "cluster-lines": a_file_of_clusters,
    "object-lines": a_file_of_objects,
    "pairs": a_table,
    "labels": a_file_of_labels,
}


def read_unless_header(path: Path, format: str, delimiter: str | None) -> Clustering | None:
    """Read a file; return None if its first line happens to look like a header."""
    try:
        return read_clustering(path, format, delimiter=delimiter)
    except InputError as error:
        if "looks like a header" in str(error):
            return None
        raise


@pytest.mark.slow
@pytest.mark.parametrize(
    "read", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 7, 64)), None]
)
@pytest.mark.parametrize("format", TEXT_FORMATS)
def test_plain_files_are_read_as_python_reads_them(format, read, tmp_path: Path, monkeypatch):
    """This must not depend on the size of blocks and on how often the token table grows."""
    random = Random(f"{format}-{read}")
    path = tmp_path / "a.txt"
    clusters = 0
    for _ in range(400):
        text, delimiter, expected = GENERATORS[format](random)
        monkeypatch.setattr(token_table, "START", random.choice((1, 2, 4, 1024)))
        if read is not None:
            monkeypatch.setattr(source, "READ", read)
        path.write_bytes(text.encode())
        c = read_unless_header(path, format, delimiter)
        if c is None:
            continue
        assert shape(c) == expected, (text, delimiter)
        assert_sound(c)
        clusters += len(expected.clusters)
    assert clusters > 400


@pytest.mark.parametrize("suffix", slow_after(1, COMPRESSED))
@pytest.mark.parametrize("format", TEXT_FORMATS)
def test_compressed_files_are_read_as_python_reads_them(format, suffix, tmp_path, monkeypatch):
    random = Random(f"{format}-{suffix}")
    path = tmp_path / f"a.txt{suffix}"
    for _ in range(60):
        text, delimiter, expected = GENERATORS[format](random)
        data = text.encode()
        cut = random.randint(0, len(data))
        monkeypatch.setattr(source, "READ", random.choice((10, 11, 100)))
        monkeypatch.setattr(source, "BLOCK", random.choice((1, 2, 7, 1000)))
        path.write_bytes(COMPRESSED[suffix](data[:cut]) + COMPRESSED[suffix](data[cut:]))
        c = read_unless_header(path, format, delimiter)
        assert c is None or shape(c) == expected, (text, delimiter)


@pytest.mark.parametrize("seed", slow_after(1, range(3)))
def test_large_plain_files_are_read_as_python_reads_them(seed: int, tmp_path: Path):
    """There are more tokens than the first size of the token table, and more than one block."""
    random = Random(seed)
    words = [random.choice(("w", "", "é", "-", "longer than eight ")) + str(i) for i in range(9000)]
    words = [word.replace(" ", "_") for word in words]
    rows = [random.choices(words, k=random.randint(0, 40)) for _ in range(5000)]
    text = "\n".join(" ".join(row) for row in rows) + "\nx\n"
    path = tmp_path / "a.txt"
    path.write_bytes(text.encode())
    assert shape(read_clustering(path, "cluster-lines")) == naive.cluster_lines(text, None)
    assert shape(read_clustering(path, "object-lines")) == naive.object_lines(text, None)
    labels = "\n".join(random.choices(words, k=60_000))
    path.write_bytes(labels.encode())
    assert shape(read_clustering(path, "labels")) == naive.labels(labels)


def colliding_words(key: list[int], n: int) -> list[str]:
    """Return pairs of words of 16 characters whose keys in the token table are equal."""
    random = Random(0)
    start, one, two = key
    size = 1 << 64

    def mix(mixed: int, word: bytes) -> int:
        return ((mixed ^ (mixed >> 32)) * one + int.from_bytes(word, "big") * two) % size

    def first_half() -> tuple[bytes, int]:
        half = bytes(random.choices(b"abcdefghijklmnopqrstuvwxyz", k=8))
        mixed = mix(start + 16, half)
        return half, mixed ^ (mixed >> 32)

    words: list[str] = []
    while len(words) < 2 * n:
        (half, mixed), (other, mixed_too) = first_half(), first_half()
        difference = (mixed - mixed_too) * one * pow(two, -1, size)
        end = ((int.from_bytes(b"whatever", "big") + difference) % size).to_bytes(8, "big")
        if all(33 <= byte < 127 for byte in end):
            words += [(half + b"whatever").decode(), (other + end).decode()]
    return words


def test_words_whose_hashes_are_equal_stay_apart(tmp_path: Path, monkeypatch):
    key = [0x9E3779B97F4A7C15, 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53]
    monkeypatch.setattr(token_table, "KEY", frozen(np.array(key, np.uint64)))
    words = colliding_words(key, 20)
    known = tokens.FileTokens()
    data = np.frombuffer("".join(words).encode(), np.uint8)
    begins = np.arange(len(words)) * 16
    numbers = known.number(frozen(data), begins, begins + 16)
    assert (
        len(set(known._entries.keys[: len(known)].tolist())) == len(words) // 2
    )  # they do collide
    assert numbers.tolist() == list(range(len(words)))
    path = tmp_path / "a.cnl"
    path.write_text("\n".join(words * 2))
    expected = {frozenset({word}) for word in words}, set(words)
    assert shape(read_clustering(path, delimiter=" ")) == expected


# Broken files: either an error of coverlap or a valid clustering

TIMES = {"npy": 2500, "arrow": 2000, "parquet": 250}


def survive(path: Path, format: str, options: dict[str, object]) -> str:
    """Read a file that may be broken; return "read" or "refused"."""
    try:
        c = read_clustering(path, format, **options)
    except CoverlapError as error:
        message = str(error)
    else:
        assert isinstance(c, Clustering)
        assert_sound(c)
        c.describe()
        return "read"
    assert path.name in message
    assert "\n" not in message
    if format in TEXT_FORMATS:
        assert ", line " in message or "but the data is not" in message, message
    return "refused"


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("format", BASES)
@pytest.mark.filterwarnings("ignore:Data type alias:DeprecationWarning")  # both are from NumPy
@pytest.mark.filterwarnings("ignore:Reading `:UserWarning")
def test_broken_files_are_refused_or_read_and_nothing_else(format: str, part: int, tmp_path: Path):
    random = Random(f"{format}-{part}")
    path = tmp_path / "a.txt"
    outcomes: Counter[str] = Counter()
    for _ in range(TIMES.get(format, 3000) * (2 if part else 1) // 3):
        data = random.choice(BASES[format])
        in_place = format not in TEXT_FORMATS and random.random() < 0.5
        data = with_a_byte_changed(random, data) if in_place else mutated(random, data)
        if random.random() < 0.04:
            data = random.randbytes(random.choice((1, 3, 10, 100)))
        if random.random() < 0.1:
            data = random.choice(list(COMPRESSED.values()))(data)
            data = mutated(random, data) if random.random() < 0.5 else data
        path.write_bytes(data)
        try:
            outcomes[survive(path, format, random.choice(OPTIONS[format]))] += 1
            outcomes["auto " + survive(path, "auto", {})] += 1
        except BaseException:
            print(repr(data))  # noqa: T201 - pytest shows it with the failure
            raise
    assert min(outcomes["refused"], outcomes["read"], outcomes["auto refused"]) > 5


def test_random_bytes_are_refused_or_read_by_every_reader(tmp_path: Path):
    random = Random(1)
    path = tmp_path / "a.txt"
    for _ in range(250):
        path.write_bytes(random.randbytes(random.choice((0, 1, 2, 5, 20, 200, 3000))))
        for form in BASES:
            if form != "parquet" or random.random() < 0.1:
                survive(path, form, {})
        survive(path, "auto", {})


@pytest.mark.slow
def test_short_files_of_signs_are_refused_or_read_by_every_reader(tmp_path: Path):
    random = Random(2)
    path = tmp_path / "a.txt"
    signs = [b" ", b"\n", b"\r", b",", b'"', b"[", b"]", b"#", b"1", b"a", b">", b":", b"-", b"\t"]
    for _ in range(1200):
        path.write_bytes(b"".join(random.choices(signs, k=random.randint(1, 9))))
        for form in TEXT_FORMATS:
            survive(path, form, random.choice(OPTIONS[form]))
        survive(path, "auto", {})


@pytest.mark.slow
@pytest.mark.parametrize("read", [1, 3, 11])
def test_broken_files_are_the_same_in_blocks_of_any_size(read: int, tmp_path: Path, monkeypatch):
    """The clustering, or whether the file is rejected, does not depend on where blocks end."""
    random = Random(read)
    path = tmp_path / "a.txt"
    for _ in range(150):
        for form in TEXT_FORMATS:
            data = mutated(random, random.choice(BASES[form]))
            if data.startswith((b"\x1f\x8b", b"BZh", b"\x28\xb5\x2f\xfd")):
                continue  # a single byte does not show the compression
            path.write_bytes(data)
            whole = outcome(path, form)
            with monkeypatch.context() as patch:
                patch.setattr(source, "READ", read)
                patch.setattr(token_table, "START", 1)
                assert outcome(path, form) == whole, data


def outcome(path: Path, format: str) -> object:
    try:
        c = read_clustering(path, format)
    except CoverlapError:
        return "refused"  # not the message: if there are two errors, either may be reported
    return c.to_dict(), c.objects, c.describe()


@pytest.mark.slow
def test_broken_universes_are_refused_or_read(tmp_path: Path):
    random = Random(3)
    path, clusters = tmp_path / "ids.txt", tmp_path / "a.cnl"
    clusters.write_text("1 2\nx\n")
    outcomes: Counter[str] = Counter()
    for _ in range(1000):
        base = random.choice((b"1\n2\n9\n", b"# c\n1\t2\n2\t3\n", b"% c\na b 1\nb c 2\n"))
        path.write_bytes(mutated(random, base))
        try:
            (c,), ids = read_files_and_universe([File(clusters)], path)
        except CoverlapError as error:
            outcomes["refused"] += 1
            message = str(error)
        else:
            outcomes["read"] += 1
            assert len(set(ids.tolist())) == len(ids) > 0
            assert_sound(Clustering(c))
            continue
        assert "ids.txt" in message
    assert outcomes["read"] > 100
    assert outcomes["refused"] > 100
