"""The work of reading grows in proportion to the size of a file, counted and not timed."""

import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import XMLParser
from xml.parsers import expat

import pytest

from coverlap import read_clustering
from coverlap.files import source
from coverlap.files.formats import gml, graphml
from coverlap.files.text import tokens
from tests.files.support import read, refusal


def test_a_long_first_line_is_not_examined_as_a_header(monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []
    value = tokens.token_value
    monkeypatch.setattr(tokens, "token_value", lambda token: (asked.append(token), value(token))[1])
    words = " ".join(f"n{i}" for i in range(5000))
    assert read(f"{words}\n", "a.txt", "cluster-lines").n_objects == 5000
    assert read(f"{words}\nx\ny\nz\n", "a.txt", "cluster-lines").n_objects == 5003
    assert asked == []
    assert "looks like a header" in refusal("a b\n1 2\n3\n", "a.txt", "cluster-lines")


def run(code: str, *arguments: str) -> str:
    """Run code in another process that may take 30 s, where quadratic time would be minutes."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=30,
        check=True,
    )  # fmt: skip
    return done.stdout


READ = """
import sys
import coverlap
try:
    print(coverlap.read_clustering(sys.argv[1], *sys.argv[2:]))
except coverlap.CoverlapError as error:
    print(f"{type(error).__name__}: {str(error)[-60:]}")
"""


def test_numbers_of_gml_are_those_of_the_plain_pattern():
    plain = re.compile(r"[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|inf|nan)", re.IGNORECASE)
    for length in range(1, 5):
        for signs in product("1.e-n", repeat=length):
            text = "".join(signs)
            assert bool(gml.NUMBER.fullmatch(text)) is bool(plain.fullmatch(text))
    assert gml.NUMBER.fullmatch("-NaN")
    assert gml.NUMBER.fullmatch("+inf")


def test_numbers_of_gml_are_matched_without_backtracking():
    run("""
from coverlap.files.formats.gml import NUMBER
ones = "1" * 200_000
for text in (f"{ones}x", f"{ones}.x", f"1.{ones}x", f"1.0e{ones}x", f".{ones}e", f"{ones}.{ones}x"):
    assert not NUMBER.fullmatch(text)
assert NUMBER.fullmatch(f"{ones}.{ones}e{ones}")
""")


@pytest.mark.parametrize(
    "content",
    ["graph [" + "a[" * 50_000 + "]" * 50_000 + "]", "graph [" + "edge [ a 1 " * 20_000],
    ids=["lists", "edges"],
)
def test_deep_nesting_in_gml_takes_a_moment(content: str, tmp_path: Path):
    path = tmp_path / "a.gml"
    path.write_text(content)
    assert run(READ, str(path)).startswith(("Clustering(0 objects", "InputError: "))


class CountingParser(XMLParser):
    """An XML parser that counts how much of a document it may have to look at."""

    n_bytes = 0

    def __init__(self, target: Any) -> None:
        super().__init__(target=target)
        self.n_parsed = 0
        self.twin = expat.ParserCreate()  # tells how far it got

    def feed(self, data: bytes | bytearray) -> None:
        pending = self.n_parsed - max(self.twin.CurrentByteIndex, 0)
        CountingParser.n_bytes += pending + len(data)
        self.n_parsed += len(data)
        self.twin.Parse(bytes(data), False)  # noqa: FBT003 - not the last block
        super().feed(data)


@pytest.mark.parametrize("size", [1 << 16, 1 << 18])
def test_long_tokens_of_xml_are_parsed_a_few_times(size: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(source, "READ", 1 << 10)
    monkeypatch.setattr(graphml, "XMLParser", CountingParser)
    CountingParser.n_bytes = 0
    text = f'<graphml><key id="c" for="node" attr.name="cluster"/><graph><node id="{"x" * size}">'
    text += '<data key="c">1</data></node></graph></graphml>'
    assert read(text, "a.graphml").n_clusters == 1
    assert CountingParser.n_bytes < 6 * len(text)


def test_zeros_without_end_are_refused_at_once():
    if not Path("/dev/zero").exists():
        pytest.skip("there is no /dev/zero here")
    run("""
import resource
import coverlap
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
for format in ("labels", "cluster-lines", "object-lines", "pairs", "json", "gml", "clu", "tree"):
    try:
        coverlap.read_clustering("/dev/zero", format)
    except coverlap.InputError as error:
        assert "line 1: " in str(error)
    else:
        raise AssertionError
""")


def test_files_of_the_kernel_have_no_size_but_a_content():
    path = Path("/proc/self/status")
    if not path.exists():
        pytest.skip("there is no /proc here")
    assert path.stat().st_size == 0
    clustering = read_clustering(path, "labels")
    assert "Name" in " ".join(map(str, clustering.names))
