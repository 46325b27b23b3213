"""Blocks of bytes, and of tables that threads read."""

import io
from collections.abc import Iterator
from itertools import pairwise
from threading import get_ident
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coverlap.core import threads
from coverlap.core.errors import InputError
from coverlap.core.incidence import Runs, frozen
from coverlap.core.token_table import TokenTable
from coverlap.files import source
from coverlap.files.read_ahead import map_ahead
from coverlap.files.text import split, writing
from tests.files import naive
from tests.files.support import read, refusal, shape


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


@given(
    st.lists(st.tuples(st.integers(-9, 40).map(str), st.integers(-2, 5).map(str)), max_size=30),
    st.lists(st.tuples(st.sampled_from(FIELDS[1:]), st.sampled_from(FIELDS)), max_size=3),
    st.sampled_from(["", "z,"]), st.sampled_from([10, 50, 1 << 18]),
)  # fmt: skip
def test_tables_of_integers_are_read_as_other_tables_are(rows, others, middle, size):
    """Other fields may begin at any line, in the first block or a later one."""
    lines = [("object", "cluster"), *rows, *others]
    expected = naive.pairs("".join(f"{item},{label}\n" for item, label in lines), ",")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "READ", size)
        text = "".join(f"{item},{middle}{label}\n" for item, label in lines)
        assert shape(read(text, "a.csv")) == expected


@pytest.mark.parametrize("n_fields", [2, 3, 6])
def test_the_shortest_lines_are_all_read(n_fields: int):
    """Lines of an object of one digit, and of empty fields."""
    header = ",".join(["object", "cluster", *"abcd"][:n_fields])
    lines = [f"{i % 10}{',' * (n_fields - 1)}" for i in range(5000)]
    assert shape(read("\n".join([header, *lines]), "a.csv")) == (set(), set(range(10)))


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
