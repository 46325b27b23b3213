"""A clustering that is written is read back equal, or writing it raises an error.

Its bytes, of which `tests/clustering/test_write.py` has examples, do not depend on blocks.
"""

import re
from collections import Counter
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coverlap import Clustering, read_clustering, write_clustering
from coverlap.core.errors import CoverlapError
from coverlap.files.text import writing
from tests import strategies
from tests.files.naive import CANONICAL
from tests.files.support import assert_sound

# Text that a reader could misinterpret.
AWKWARD = [
    *" \t\v\f\n\r\0,;|:#%>[](){}\"'\\/-+.0123456789eENaxé٣²\x85\xa0\u2028\u3000\ufeff\ud800🎈",
    "", "NA", "NaN", "nan", "None", "null", "NULL", "<NA>", "NaT", "-1", "-0", "007", "1.0", "2.5",
    "1e5", "1.5e3", "+1", "7>", "#1", "[2, 5]", '""', 'a"b', "a b", " a", "a ", "a,b", "e\u0301",
    "a\tb", "a\nb", "a\r\nb", "object", "cluster", "T cell", "# Clusters: 1, Fuzzy: 1", "1:0.5",
    "9" * 18, "9" * 19, "9" * 40, "1_0", "true", "=1", "object,cluster", "a [b]", "\u202ea", "01",
    "0.99999999999999999999", "a;b", "a\rb", "a\0b", "a\x0bb", "\ufeffa", "\udcff", "#a", "[1]",
    "PAR1", "ARROW1", "FEA1", "PK\x03\x04", "<graphml>",
    "a" * 5000, "9" * 4001, "9" * 4002, "9" * 5000,
]  # fmt: skip

texts = st.one_of(
    st.sampled_from(AWKWARD),
    st.lists(st.sampled_from(AWKWARD), min_size=1, max_size=4).map("".join),
    st.text(max_size=6),
    st.text("abcXYZ", min_size=1, max_size=4),
)
integers = st.one_of(
    st.integers(-3, 12),
    st.integers(-(10**19), 10**19),
    st.sampled_from([2**63 - 1, 2**63, -(2**63), 10**18, -(10**18), 10**40, 0]),
)


def id_lists(size: int) -> st.SearchStrategy[list[Any]]:
    def several(ids: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
        return st.lists(ids, min_size=size, max_size=size, unique_by=lambda v: (type(v), v))

    return st.one_of(
        st.just(list(range(size))),
        several(integers),
        several(st.text("abcdefghij_", min_size=1, max_size=3)),
        several(texts),
        several(integers.map(str)),
        several(st.one_of(integers, texts)),
    )


@st.composite
def clusterings(draw: st.DrawFn) -> Clustering:
    """Draw clusterings of few objects, with overlaps, outliers, and unusual ids and names."""
    n = draw(st.integers(0, 7))
    ids = draw(id_lists(n))
    clusters = [{ids[i] for i in cluster} for cluster in draw(strategies.clusterings(n, 4))]
    if draw(st.booleans()):
        clusters = [cluster.difference(*clusters[:i]) for i, cluster in enumerate(clusters)]
    names = draw(id_lists(len(clusters)))
    named = dict(zip(names, clusters, strict=True)) if draw(st.booleans()) else clusters
    return Clustering.from_clusters(named, universe=ids)


class Target(NamedTuple):
    """A file to write: its name, format and options, and how often writing must succeed."""

    name: str
    format: str = "auto"
    delimiter: str | None = None
    typed: bool = False
    share: float = 0.05
    examples: int = 80


TARGETS = [
    Target("a.csv", share=0.5, examples=300),
    Target("a.tsv.gz", share=0.5),
    Target("a.txt", "pairs", ";", share=0.5),
    Target("a.txt", "pairs", " ", share=0.2),
    Target("a.txt.bz2", "pairs", "|", share=0.5),
    Target("a.txt", "pairs", "x", share=0.5),
    Target("a.json", typed=True, share=0.8, examples=300),
    Target("a.json.zst", typed=True, share=0.8),
    Target("a.cnl", "cluster-lines", examples=300),
    Target("a.cnl", "cluster-lines", delimiter=","),
    Target("a.cmty.gz", "cluster-lines", delimiter=" "),
    Target("a.cnl", "cluster-lines", delimiter=">"),
    Target("a.cnl", "cluster-lines", delimiter="#"),
    Target("a.cnl", "cluster-lines", delimiter=":"),
    Target("community.dat", "object-lines", share=0.2, examples=300),
    Target("a.txt", "object-lines", ",", share=0.2),
    Target("a.txt", "object-lines", "\t", share=0.2),
    Target("a.txt", "object-lines", "[", share=0.2),
    Target("a.txt", "object-lines", "]", share=0.2),
    Target("a.labels", "labels", examples=300),
    Target("a.npy"),
    Target("a.npz"),
    Target("a.npz.gz"),
    Target("a.arrow", typed=True, share=0.4, examples=150),
    Target("a.feather.zst", typed=True, share=0.4),
    Target("a.parquet", typed=True, share=0.4, examples=60),
    Target("a.parquet.gz", typed=True, share=0.4, examples=20),
]

PLAIN = re.compile("[a-j_]+")


def is_plain(clustering: Clustering) -> bool:
    """Return whether ids and names are letters or numbers, which can always be written."""
    return all(
        all(PLAIN.fullmatch(str(item)) for item in items)
        or all(type(item) is int and 0 <= item < 2**62 for item in items)
        for items in (clustering.objects, clustering.names)
    )


def is_integer(token: str) -> bool:
    """Return whether text is read as an integer; Python parses at most 4300 digits."""
    return bool(CANONICAL.fullmatch(token)) and len(token.removeprefix("-")) <= 4001


def as_text_says(ids: list[Any]) -> list[Any]:
    """Return ids as they are read from a file without types: all integers, or all text."""
    tokens = [str(item) for item in ids]
    if all(map(is_integer, tokens)):
        return [int(token) for token in tokens]
    return tokens


def expected(clustering: Clustering, *, typed: bool) -> tuple[set[frozenset[Any]], set[Any]]:
    ids = clustering.objects
    back = dict(zip(ids, ids if typed else as_text_says(ids), strict=True))
    clusters = {frozenset(back[item] for item in cluster) for cluster in clustering.to_clusters()}
    return clusters, set(back.values())


EACH_TARGET = pytest.mark.parametrize(
    "target", TARGETS, ids=lambda t: f"{t.name}-{t.format}-{t.delimiter!r}"
)


@pytest.mark.slow
@EACH_TARGET
def test_what_is_written_is_read_back_or_was_refused(target: Target, tmp_path, monkeypatch):
    outcomes: Counter[str] = Counter()
    path = tmp_path / target.name

    @settings(max_examples=target.examples, suppress_health_check=list(HealthCheck))
    @given(clusterings())
    def check(clustering: Clustering) -> None:
        contents = set()
        for block in (1, 1 << 20):
            monkeypatch.setattr(writing, "BLOCK", block)
            path.unlink(missing_ok=True)
            try:
                write_clustering(clustering, path, target.format, delimiter=target.delimiter)
            except CoverlapError:
                assert not path.exists()
                assert target.share < 0.4 or target.format != "auto" or not is_plain(clustering)
                outcomes["refused"] += 1
                return
            contents.add(path.read_bytes())
        assert len(contents) == 1
        outcomes["written"] += 1
        back = read_clustering(path, target.format, delimiter=target.delimiter)
        clusters, objects = expected(clustering, typed=target.typed)
        assert set(map(frozenset, back.to_clusters())) == clusters
        assert set(back.objects) == objects
        assert {type(item) for item in back.objects} == {type(item) for item in objects}
        assert back.n_objects == clustering.n_objects
        assert back.n_outliers == clustering.n_outliers
        assert_sound(back)
        if target.typed:
            assert back == clustering
        check_names(clustering, back, target)

    check()
    assert outcomes["written"] >= target.share * target.examples, outcomes
    assert [p.name for p in tmp_path.iterdir()] in ([], [target.name])


def check_names(clustering: Clustering, back: Clustering, target: Target) -> None:
    """Assert that the clusters have the same names, if the format stores names."""
    kind = target.name.removesuffix(".gz").removesuffix(".zst").removesuffix(".bz2")
    if kind.endswith((".cnl", ".cmty", ".npy", ".npz")):
        return
    names = clustering.names
    if kind.endswith(".json"):
        wanted = names
    elif target.typed:
        mixed = len({type(name) for name in names}) > 1
        wanted = [str(name) for name in names] if mixed else names
    else:
        wanted = [as_label(str(name)) for name in names]
    found = {frozenset(map(str, c)): name for name, c in back.to_dict().items()}
    for name, cluster in zip(wanted, clustering.to_clusters(), strict=True):
        got = found[frozenset(map(str, cluster))]
        assert (got, type(got)) == (name, type(name))


def as_label(name: str) -> int | str:
    return int(name) if is_integer(name) else name


@pytest.mark.slow
@EACH_TARGET
@pytest.mark.parametrize("role", ["object", "cluster"])
def test_a_nasty_name_is_read_back_or_was_refused(target: Target, role: str, tmp_path):
    """Only text of an integer may be read back as that integer, from files without types."""
    path = tmp_path / target.name
    has_names = not target.name.startswith(("a.cnl", "a.cmty", "a.np"))
    for name in AWKWARD if role == "object" or has_names else ():
        ids = [name, "zoe"] if role == "object" else [0, 1]
        clusters = {name if role == "cluster" else "x": ids[:1], "y": ids[1:]}
        clustering = Clustering.from_clusters(clusters)
        try:
            write_clustering(clustering, path, target.format, delimiter=target.delimiter)
        except CoverlapError:
            continue
        back = read_clustering(path, target.format, delimiter=target.delimiter)
        assert set(map(frozenset, back.to_clusters())) == {frozenset(ids[:1]), frozenset(ids[1:])}
        if role == "cluster":
            assert set(back.names) == {name if target.typed else as_label(name), "y"}


@pytest.mark.parametrize("first", ["PAR1", "ARROW1 x", "FEA1", "PK\x03\x04", "\x93NUMPY"])
@pytest.mark.parametrize("name", ["a.cmty", "a.cnl", "community.dat"])
def test_an_id_that_begins_like_a_binary_file_is_read_back(first, name, tmp_path):
    given = Clustering.from_clusters([[first.split()[0], "b"], ["c", "d"]])
    write_clustering(given, tmp_path / name)
    assert read_clustering(tmp_path / name) == given
