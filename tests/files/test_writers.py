"""Files have exactly the bytes that simple writers give, wherever blocks of bytes end."""

import io
import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from threading import get_ident
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from coverlap import Clustering, write_clustering
from coverlap.core import incidence, threads
from coverlap.core.errors import CoverlapError, InputError
from coverlap.core.incidence import Runs, frozen
from coverlap.core.token_table import TokenTable
from coverlap.files import content, source
from coverlap.files.read_ahead import map_ahead
from coverlap.files.text import split, writing
from tests.files import naive
from tests.files.support import assert_sound, read, refusal, shape
from tests.files.test_round_trip import clusterings

SPACES = " \t\v\f"


def members(c: Clustering) -> list[list[Any]]:
    """Return the members of each cluster in the order of the objects."""
    return [[item for item in c.objects if item in cluster] for cluster in c.to_clusters()]


def quoted(value: Any, delimiter: str) -> str:
    text = str(value)
    is_plain = text == text.strip(SPACES) and not text.startswith("\ufeff")
    if delimiter == " " or (is_plain and not any(sign in text for sign in (delimiter, '"', "\n"))):
        return text
    return '"' + text.replace('"', '""') + '"'


def pairs(c: Clustering, delimiter: str | None) -> str:
    parting = delimiter or ","
    rows = [(item, name) for name, own in zip(c.names, members(c), strict=True) for item in own]
    inside = {item for item, _ in rows}
    rows += [(item, "NA" if parting == " " else "") for item in c.objects if item not in inside]
    lines = [("object", "cluster"), *rows]
    return "".join(f"{quoted(a, parting)}{parting}{quoted(b, parting)}\n" for a, b in lines)


def object_lines(c: Clustering, delimiter: str | None) -> str:
    lines = []
    for item in c.objects:
        names = [str(name) for name, own in zip(c.names, members(c), strict=True) if item in own]
        after = (delimiter or "\t") + (delimiter or " ").join(names) if names else ""
        lines.append(f"{item}{after}\n")
    return "".join(lines)


def cluster_lines(c: Clustering, delimiter: str | None) -> str:
    return "".join((delimiter or "\t").join(map(str, own)) + "\n" for own in members(c))


def labels(c: Clustering, _: str | None) -> str:
    label = {item: name for name, own in c.to_dict().items() for item in own}
    return "".join(f"{label.get(i, -1)}\n" for i in range(c.n_objects))


def json_text(c: Clustering, _: str | None) -> str:
    document = {"objects": c.objects, "clusters": members(c), "names": c.names}
    return json.dumps(document, ensure_ascii=False) + "\n"


WRITERS: dict[str, Callable[[Clustering, str | None], str]] = {
    "pairs": pairs, "object-lines": object_lines, "cluster-lines": cluster_lines, "labels": labels,
    "json": json_text,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("block", [1, pytest.param(1 << 20, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("format", "delimiter"),
    [
        ("pairs", None), ("pairs", "\t"), ("pairs", " "), ("pairs", "x"), ("object-lines", None),
        ("object-lines", ","), ("cluster-lines", None), ("cluster-lines", ";"), ("labels", None),
        ("json", None),
    ],
)  # fmt: skip
def test_files_have_the_bytes_of_a_simple_writer(
    format: str, delimiter: str | None, block: int, tmp_path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(writing, "BLOCK", block)
    path = tmp_path / "a.txt"
    n_written = 0

    @settings(
        max_examples=40, derandomize=True, database=None, deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(clusterings())
    def check(clustering: Clustering) -> None:
        nonlocal n_written
        try:
            write_clustering(clustering, path, format, delimiter=delimiter)
        except CoverlapError:
            return
        n_written += 1
        assert path.read_bytes() == WRITERS[format](clustering, delimiter).encode()

    check()
    assert n_written > 0


def test_integers_are_written_as_python_writes_them():
    powers = [10**i + d for i in range(19) for d in (-1, 0, 1)]
    values = sorted({*powers, *(-p for p in powers), 2**63 - 1, -(2**63)})
    data, spans = writing.integer_tokens(np.array(values))
    tokens = [data[a : b - 1].tobytes().decode() for a, b in pairwise(spans)]
    assert tokens == list(map(str, values))


def test_blocks_are_bounded_and_hold_long_tokens_as_a_whole():
    sizes: list[int] = []

    class File(io.BytesIO):
        def write(self, data: Any) -> int:
            sizes.append(len(data))
            return super().write(data)

    long = "x" * 3_000_000
    members = np.zeros(2_000_000, np.int32)
    members[[5, 400_000, 400_001]] = 1
    runs = Runs(frozen(np.array([0, 0, len(members)])), frozen(members))
    file = File()
    writing.write_runs(file, runs, writing.tokens_of(f"ab\0{long}\0"), marks=("<", ",", "", ">"))
    words = [long if member else "ab" for member in members.tolist()]
    assert file.getvalue().decode() == f"><{','.join(words)}>"
    assert max(sizes) < writing.BLOCK + len(long) + 100
    assert len(sizes) > 5


FIELDS = ["", "0", "-0", "-", "7", "-7", "07", "123456789", "-987654321", "1234567890", "x"]


def test_tables_of_integers_are_read_as_other_tables_are(monkeypatch: pytest.MonkeyPatch):
    """Other fields may begin at any line, in the first block or a later one."""
    random = Random(3)
    for _ in range(150):
        n_plain = random.choice((0, 1, 5, 30))
        rows = [(str(random.randint(-9, 40)), str(random.randint(-2, 5))) for _ in range(n_plain)]
        rows += [(random.choice(FIELDS[1:]), random.choice(FIELDS)) for _ in range(3)]
        if random.random() < 0.5:
            rows = [row for row in rows if row[0].strip("-").isdigit()]
        middle = random.choice(("", "z,"))
        text = f"object,{'m,' if middle else ''}cluster\n"
        text += "".join(f"{item},{middle}{label}\n" for item, label in rows)
        monkeypatch.setattr(source, "READ", random.choice((10, 50, 1 << 18)))
        plain = "object,cluster\n" + "".join(f"{item},{label}\n" for item, label in rows)
        expected = naive.pairs(plain, ",")
        assert shape(read(text, "a.csv")) == (expected.clusters, expected.objects)


@pytest.mark.parametrize("n_fields", [2, 3, 6])
def test_the_shortest_lines_are_all_read(n_fields: int):
    """Lines of an object of one digit, and of empty fields."""
    header = ",".join(["object", "cluster", *"abcd"][:n_fields])
    lines = [f"{i % 10}{',' * (n_fields - 1)}" for i in range(5000)]
    assert shape(read("\n".join([header, *lines]), "a.csv")) == (set(), set(range(10)))


@pytest.mark.parametrize("n_threads", [1, 3])
def test_sorted_tables_are_grouped_as_shuffled_ones(
    n_threads: int, monkeypatch: pytest.MonkeyPatch
):
    """Repeated lines count once, also where lines are sorted by object or by cluster."""
    monkeypatch.setattr(content, "SMALL", 1)
    monkeypatch.setattr(incidence, "SORTED_TOGETHER", 64)
    monkeypatch.setattr(threads, "number_of_threads", lambda *_: n_threads)
    rng = np.random.default_rng(5)
    rows = np.column_stack((rng.integers(0, 400, 3000), rng.integers(-1, 50, 3000)))
    rows = np.concatenate((rows, rows[:200]))
    for order in (rng.permutation(len(rows)), np.argsort(rows[:, 0]), np.argsort(rows[:, 1])):
        lines = "".join(f"{a},{b}\n" for a, b in rows[order].tolist())
        expected = naive.pairs(f"object,cluster\n{lines}", ",")
        found = read(f"object,cluster\n{lines}", "a.csv")
        assert shape(found) == (expected.clusters, expected.objects)
        assert_sound(found)


def test_the_first_error_is_reported_although_threads_read_ahead(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(source, "READ", 1 << 12)
    rows = "0,0\n" * 50_000  # several blocks, of which the first is larger
    for text, message in (
        (f"{rows}1\n{rows}\0", "line 50002: 2 fields were expected"),
        (f"{rows}{rows}\0", "line 100002: a null character"),
        (f"{rows}x,1\n{rows},1\n{rows}\0", "line 100003: no object"),
    ):
        assert message in refusal(f"object,cluster\n{text}", "a.csv")


@pytest.mark.parametrize("n_threads", [1, 2, 64])
def test_results_come_in_order_and_errors_after_them(n_threads):
    taken = []

    def items() -> Iterator[int]:
        for i in range(100):
            taken.append(i)
            yield i
        raise InputError("the end")

    with threads.all_threads(n_threads):
        results = map_ahead(lambda i: i * i, items())
        assert next(results) == (0, 0)
        assert len(taken) <= 10  # as blocks and what is made of them take memory
        assert [next(results) for _ in range(99)] == [(i, i * i) for i in range(1, 100)]
        with pytest.raises(InputError, match="the end"):
            next(results)


@pytest.mark.parametrize("delimiter", [",", " "])
def test_one_thread_hashes_and_numbers_if_a_call_may_use_one(monkeypatch, delimiter):
    rows = "".join(f"v{i % 999}{delimiter}c{i % 5}\n" for i in range(200_000))  # several blocks
    used = set()

    def spy(owner: Any, name: str) -> None:
        function = getattr(owner, name)

        def call(*arguments: Any) -> Any:
            used.add(get_ident())
            return function(*arguments)

        monkeypatch.setattr(owner, name, call)

    spy(split, "hash_tokens")
    spy(TokenTable, "number_hashed")
    found = []
    for n_threads in (2, 1):
        used.clear()
        with threads.all_threads(n_threads):
            c = read(f"object{delimiter}cluster\n{rows}", "a.txt", "pairs")
        assert (used == {get_ident()}) == (n_threads == 1)
        found.append((list(c.objects), c.to_dict()))
    assert found[0] == found[1]
