"""Unusual and broken files of all text formats."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.damage import survive
from tests.files.support import (
    BOM,
    COMPRESSED,
    SAMPLES,
    TEXT_FORMATS,
    line_of,
    read,
    refusal,
)

TEXTS = (*TEXT_FORMATS, "json")


HARMLESS: dict[str, Callable[[bytes], bytes]] = {
    "Windows line ends": lambda data: data.replace(b"\n", b"\r\n"),
    "old Mac line ends": lambda data: data.replace(b"\n", b"\r"),
    "both line ends": lambda data: data.replace(b"\n", b"\r\n", 1),
    "byte-order mark": lambda data: BOM + data,
    "no line end at the end": lambda data: data.rstrip(b"\n"),
    "a lone carriage return at the end": lambda data: data.rstrip(b"\n") + b"\r",
    "blank lines at the end": lambda data: data + b"\n \n\t\n\n",
}


@pytest.mark.parametrize("change", HARMLESS)
@pytest.mark.parametrize("sample", TEXTS)
def test_line_ends_and_marks_mean_nothing(sample: str, change: str):
    name, content, *_ = SAMPLES[sample]
    SAMPLES[sample].check(read(HARMLESS[change](content), name))
    SAMPLES[sample].check(read(HARMLESS[change](content), "a.txt", sample))


BROKEN: dict[str, tuple[Callable[[bytes], bytes], int]] = {
    "a null character": (lambda data: data[:-1] + b"\0\n", -1),
    "a null character on line 2": (lambda data: data.replace(b"\n", b"\n\0", 1), 2),
    "Latin-1": (lambda data: data.replace(b"\n", b"\n\xe9", 1), 2),
    "a cut character at the end": (lambda data: data[:-1] + b"\xe2\x82", -1),
    "a surrogate": (lambda data: b"\xed\xa0\x80" + data, 1),
    "a mark of UTF-16": (lambda data: b"\xff\xfe" + data, 1),
    "UTF-16": (lambda data: data.decode().encode("utf-16"), 1),
    "UTF-32": (lambda data: data.decode().encode("utf-32"), 1),
    "nothing": (lambda _: b"", 1),
    "a mark only": (lambda _: BOM, 1),
    "blanks only": (lambda _: b" \n\t\r\n\n", 1),
}


@pytest.mark.parametrize("damage", BROKEN)
@pytest.mark.parametrize("sample", TEXTS)
def test_what_is_no_text_is_refused_with_its_line(sample: str, damage: str):
    name, content, *_ = SAMPLES[sample]
    change, line = BROKEN[damage]
    expected = content.count(b"\n") if line < 0 else line
    for data in (change(content), COMPRESSED[".gz"](change(content))):
        assert line_of(refusal(data, name)) == expected
        assert line_of(refusal(data, "a.txt", sample)) == expected


@pytest.mark.parametrize("sample", TEXTS)
def test_damage_far_behind_is_found_on_its_line(sample: str):
    lines = {
        "cluster-lines": b"1 2 3\n", "object-lines": b"1 2 3\n", "pairs": b"1,2\n",
        "labels": b"1\n", "json": b" \n",
    }  # fmt: skip
    start = {"pairs": b"object,cluster\n", "json": b"["}.get(sample, b"")
    for n in (100_000, 400_000):
        many = start + lines[sample] * n
        line = many.count(b"\n") + 1
        for damage in (b"\xff", b"\0"):
            assert line_of(refusal(many + damage, "a.txt", sample)) == line


LONG = 10_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sample", "content", "n_clusters", "n_objects"),
    [
        ("cluster-lines", b"1 2 " * (LONG // 4) + b"\n3\n", 2, 3),
        ("cluster-lines", b"x" * LONG + b"\n3\n", 2, 2),
        ("cluster-lines", b" " * LONG + b"3\n", 1, 1),
        ("cluster-lines", b"#" * LONG + b"\n3\n", 1, 1),
        ("cluster-lines", b"7" * LONG + b"\n3\n", 2, 2),
        ("object-lines", b"7 " + b"1 2 " * (LONG // 4) + b"\n3 2\n", 2, 2),
        ("object-lines", b"7 [" + b"1, 2, " * (LONG // 6) + b"]\n3 [2]\n", 2, 2),
        ("object-lines", b"x" * LONG + b" 1\n", 1, 1),
        ("pairs", b"object,cluster\n" + b"x" * LONG + b",1\n2,1\n", 1, 2),
        ("pairs", b"object,cluster\n" + b'"' + b'""' * (LONG // 2) + b'",1\n2,1\n', 1, 2),
        ("pairs", b"object,cluster\n1," + b" " * LONG + b"\n2,1\n", 1, 2),
        ("pairs", b"object,cluster," + b"x" * LONG + b"\n1,1,2\n", 1, 1),
        ("pairs", b"object,cluster" + b",x" * 100_000 + b"\n1,1" + b"," * 100_000 + b"\n", 1, 1),
        ("labels", b"x" * LONG + b"\ny\n", 2, 2),
        ("labels", b"1" * LONG + b"\ny\n", 2, 2),
        ("json", b"[" + b"1," * (LONG // 2) + b"2]", 2, LONG // 2 + 1),
        ("json", b'["' + b"x" * LONG + b'"]', 1, 1),
    ],
    ids=lambda value: value[:12].decode() if isinstance(value, bytes) else str(value),
)
def test_a_line_may_be_long(sample: str, content: bytes, n_clusters: int, n_objects: int):
    c = read(content, "a.txt", sample)
    assert (c.n_clusters, c.n_objects) == (n_clusters, n_objects)


CUT = [
    ("pairs", b"object,cluster\nann,x\nbob,y\ncyd", 4),
    ("pairs", b'object,cluster\nann,x\n"bob', 3),
    ("pairs", b"object;cluster;score\nann;x;1\nbob;y", 3),
    ("pairs", b"obj", 1),
    ("object-lines", b"7\t[2, 5]\n8\t[2, ", 2),
    ("object-lines", b"7\t[2, 5]\n8", 2),
    ("json", b'{"clusters": [[1, 2],\n[3', 2),
    ("json", b'["a', 1),
]


@pytest.mark.parametrize(("sample", "content", "line"), CUT, ids=repr)
def test_a_file_cut_in_the_middle_of_a_line_is_refused_where_that_shows(
    sample: str, content: bytes, line: int
):
    assert line_of(refusal(content, "a.txt", sample)) == line


@pytest.mark.parametrize("sample", TEXTS)
def test_a_file_cut_anywhere_is_refused_or_has_the_beginning(sample: str):
    name, content, clusters, _ = SAMPLES[sample]
    full = sum(map(len, clusters.values()))
    for size in range(len(content)):
        c = survive(content[:size], name)
        assert c is None or c.n_memberships <= full


@given(
    st.sampled_from(TEXT_FORMATS), st.text(',;\t"[]#>-:\\\v01 a\n\r', min_size=1, max_size=9)
)  # fmt: skip
def test_a_few_signs_are_a_file(sample, text):
    survive(text.encode(), "a.txt", format=sample)
