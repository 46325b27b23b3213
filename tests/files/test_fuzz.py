"""Random files: plain ones are read as Python's parsers read them, and damaged ones are refused."""

import csv
import io
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from coverlap import read_clustering
from coverlap.core import token_table
from coverlap.core.errors import CoverlapError, InputError
from coverlap.core.incidence import frozen
from coverlap.files import source
from coverlap.files.text import tokens
from tests.files import naive
from tests.files.mutants import BASES, mutated
from tests.files.support import TEXT_FORMATS, assert_sound, read, shape
from tests.fuzz import files
from tests.marks import seeds, slow_after

# Files without unusual features, read in blocks of every size

WORDS = [
    "a", "b", "ab", "abc", "B-cell", "x" * 7, "x" * 8, "x" * 9, "y" * 40, "é", "日本", "🎈", "a'",
    "0", "1", "2", "3", "10", "11", "-1", "-7", "007", "-0", "+1", "1e5", "NA", "None", "a:1", "a>",
    "9" * 17, "9" * 18, "9" * 19, "1" + "0" * 17, "-" + "9" * 18, "a\xa0b", "\x85", "\u2028",
    "e\u0301",
]  # fmt: skip
NUMBERS = [str(n) for n in range(-2, 40)] + ["9" * 17, "9" * 18, "9" * 19, "-" + "9" * 18]
VOCABULARIES = st.sampled_from([WORDS, NUMBERS, [f"w{i}" for i in range(60)], WORDS[:4]])
BLANKS = st.sampled_from(["", "", " ", "\t\v", " \f"])


@st.composite
def texts(draw, line):
    """Draw some lines, which are not all blank, with the line ends of one system."""
    lines = draw(
        st.lists(line, min_size=1, max_size=12).filter(lambda drawn: "".join(drawn).strip())
    )
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return end.join(lines) + end * draw(st.integers(0, 2))


@st.composite
def files_of_lines(draw, parse):
    delimiter = draw(st.sampled_from([None, ",", ";", "\t", "|"]))
    words = st.sampled_from(draw(VOCABULARIES))
    blanks = BLANKS.map(lambda blank: blank.replace(delimiter or "\n", ""))
    gaps = (
        BLANKS.filter(bool)
        if delimiter is None
        else st.builds(f"{{}}{delimiter}{{}}".format, blanks, blanks)
    )
    row = st.lists(st.builds(str.__add__, words, gaps), max_size=9).map("".join)
    line = (
        row | row.map(lambda text: text.strip(f"{naive.SPACES}{delimiter}")) | row.map("#{}".format)
    )
    text = draw(texts(line))
    return text, delimiter, parse(text, delimiter)


@st.composite
def tables(draw):
    delimiter = draw(st.sampled_from(",;\t|"))
    some = [*draw(VOCABULARIES), 'a"b', '"', "a,b", "a;b", "a\nb", "\n", "a\tb", "|", "\n\n,"]
    words = st.sampled_from(some)
    rows = draw(st.lists(st.tuples(words, words | st.just(""), words), max_size=12))
    file = io.StringIO()
    writer = csv.writer(
        file, delimiter=delimiter, lineterminator=draw(st.sampled_from(["\n", "\r\n"])),
        quoting=draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
    )  # fmt: skip
    writer.writerows([["object", "cluster", "other"], *rows])
    text = file.getvalue()
    if draw(st.booleans()):
        text = text.removesuffix("\n").removesuffix("\r")
    return text, delimiter, naive.pairs(text, delimiter)


LABELS = VOCABULARIES.flatmap(
    lambda words: st.sampled_from([*words, "T cell", "a, b", "#1", '"x"', "[1]"])
)
FILES = {
    "cluster-lines": files_of_lines(naive.cluster_lines),
    "object-lines": files_of_lines(naive.object_lines),
    "pairs": tables(),
    "labels": texts(st.builds("{}{}{}".format, BLANKS, LABELS, BLANKS)).map(
        lambda text: (text, None, naive.labels(text))
    ),
}


@pytest.mark.parametrize("n_files", slow_after(1, (60, 300)))
@pytest.mark.parametrize("format", TEXT_FORMATS)
def test_plain_files_are_read_as_python_reads_them(format, n_files):
    """This must not depend on the size of blocks and on how often the token table grows."""

    @settings(max_examples=n_files)
    @given(
        FILES[format], st.sampled_from([1, 2, 7, 64, source.READ]), st.sampled_from([1, 2, 4, 1024])
    )
    def check(file, size, start):
        text, delimiter, expected = file
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(source, "READ", size)
            patch.setattr(token_table, "START", start)
            try:
                c = read(text, "a.txt", format, delimiter=delimiter)
            except InputError as error:
                assume("looks like a header" not in str(error))
                raise
        assert shape(c) == expected
        assert_sound(c)

    check()


def test_large_plain_files_are_read_as_python_reads_them():
    """There are more tokens than the first size of the token table, and more than one block."""
    random = Random(0)
    words = [random.choice(("w", "", "é", "-", "longer_than_eight_")) + str(i) for i in range(9000)]
    rows = [random.choices(words, k=random.randint(0, 40)) for _ in range(5000)]
    text = "\n".join(" ".join(row) for row in rows) + "\nx\n"
    assert shape(read(text, "a.txt", "cluster-lines")) == naive.cluster_lines(text, None)
    assert shape(read(text, "a.txt", "object-lines")) == naive.object_lines(text, None)
    labels = "\n".join(random.choices(words, k=60_000))
    assert shape(read(labels, "a.txt", "labels")) == naive.labels(labels)


def test_words_whose_hashes_are_equal_stay_apart(monkeypatch):
    monkeypatch.setattr(token_table, "KEY", frozen(np.array([0, 1, 1], np.uint64)))
    # The low four bytes of the first half are added to the second one, after ^ with the high ones.
    words = [f"aaaaaaa{chr(c)}whateve{chr(122 - (c + 16 ^ 97))}" for c in range(97, 112)]
    known = tokens.FileTokens()
    data = np.frombuffer("".join(words).encode(), np.uint8)
    begins = np.arange(len(words)) * 16
    assert known.number(frozen(data), begins, begins + 16).tolist() == [*range(len(words))]
    assert len({*known._entries.keys[: len(known)].tolist()}) == 1  # they do collide
    expected = {frozenset({word}) for word in words}, set(words)
    assert shape(read("\n".join(words * 2), "a.cnl", delimiter=" ")) == expected


# Damaged files: either an error of coverlap or a valid clustering


@pytest.mark.parametrize(
    ("seed", "n_files"), slow_after(1, [(0, 300), *product(seeds(2)[1:], [3000])])
)
@pytest.mark.filterwarnings("ignore")
def test_damaged_files_are_refused_or_read_and_nothing_else(seed, n_files, tmp_path: Path):
    outcomes = Counter(files.run(Random(f"{seed}-{number}"), tmp_path) for number in range(n_files))
    assert min(outcomes["rejected"], outcomes["answered"]) > n_files / 20


@pytest.mark.slow
def test_damaged_files_are_the_same_in_blocks_of_any_size(tmp_path: Path, monkeypatch):
    """The clustering, or whether the file is rejected, does not depend on where blocks end."""
    random = Random(1)
    path = tmp_path / "a.txt"
    for _ in range(300):
        for form in TEXT_FORMATS:
            data = mutated(random, random.choice(BASES[form]))
            if data.startswith((b"\x1f\x8b", b"BZh", b"\x28\xb5\x2f\xfd")):
                continue  # a single byte does not show the compression
            path.write_bytes(data)
            whole = outcome(path, form)
            with monkeypatch.context() as patch:
                patch.setattr(source, "READ", random.choice((1, 3, 11)))
                patch.setattr(token_table, "START", 1)
                assert outcome(path, form) == whole, data


def outcome(path: Path, format: str) -> object:
    try:
        c = read_clustering(path, format)
    except CoverlapError:
        return "refused"  # not the message: if there are two errors, either may be reported
    return c.to_dict(), c.objects, c.describe()
