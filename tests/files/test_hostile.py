"""Names and contents of files that could be taken for code, patterns or addresses."""

import os
import pickle
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import duckdb
import numpy as np
import pytest

from coverlap import Clustering, read_clustering, write_clustering
from coverlap.core.errors import CoverlapError, FileError, InputError
from coverlap.files import source
from coverlap.files.formats import parquet
from coverlap.files.text import lines
from tests.files.support import (
    SAMPLES,
    arrow_table,
    format_of,
    npy_bytes,
    npz_bytes,
    parquet_bytes,
    refusal,
)
from tests.marks import seeds


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


STEMS = [
    "a b", " a", "a ", "'", "''", '"', "a'b", "*", "a*", "**", "?", "a?c", "[", "]", "[a]", "x[1]",
    "[!a]", "[^a]", "a[-]b", "[]", "{a,b}", "{", "}", "\\", "\\\\", "a\\*", "\\n", "\n", "a\nb",
    "\t", ";", "a;b", "'); DROP TABLE pairs; --", "' OR 1=1 --", "--", "-", "-rf", "--help", "~",
    "$HOME", "${HOME}", "`id`", "$(id)", "%s", "%00", "%2e%2e", "~root", "#", "&", "|", "<", ">",
    "é", "e\u0301", "🎈", "\u202e", "\ufeff", "a\u2028b", "日本", "object=5", "a=b", ":", "C:",
    "http:", ":memory:", "pairs", "known_o", "a,b", "...", ".hidden", "\x7f", "\x1b[31m",
    os.fsdecode(b"a\xff"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_a_file_may_have_any_name(sample: str):
    c = Clustering.from_labels([0, 1, 0])
    for stem in STEMS:
        name = stem + suffix_of(sample)
        write_clustering(c, f"./{name}", format_of(sample))
        assert [path.name for path in Path().iterdir()] == [name]
        for path in (Path(name), f"./{name}"):
            assert read_clustering(path, format_of(sample)) == c
        Path(name).unlink()


def suffix_of(sample: str) -> str:
    return Path(SAMPLES[sample].name).suffix


PATTERNS = [
    ("a*", "ab"), ("a?", "ab"), ("x[1]", "x1"), ("[ab]", "a"), ("[a-z]", "b"), ("{a,b}", "a"),
    ("**", "a"), ("[!a]", "b"), ("[^a]", "b"), ("a\\*", "a*"), ("a\\b", "ab"), ("%61", "a"),
    ("[[]", "["), ("[]]", "]"), ("[?]", "?"), ("a[*]", "a*"),
]  # fmt: skip


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize(("pattern", "decoy"), PATTERNS)
def test_a_pattern_names_one_file_and_not_those_that_it_matches(sample: str, pattern, decoy: str):
    write_clustering(Clustering.from_labels([0, 1]), decoy + suffix_of(sample), format_of(sample))
    pattern += suffix_of(sample)
    with pytest.raises(FileError, match="No such file or directory"):
        read_clustering(pattern, format_of(sample))
    Path(pattern).write_bytes(SAMPLES[sample].content)
    SAMPLES[sample].check(read_clustering(pattern, format_of(sample)))


@pytest.mark.parametrize(
    "folder", ["*", "a*", "[x]", "{a,b}", "a'b", "object=5", "cluster=7", "**"]
)
def test_folders_are_no_patterns_and_no_columns(folder: str):
    for decoy in ("ab", "x", "a", "b"):
        Path(decoy).mkdir()
        write_clustering(Clustering.from_labels([0, 1]), f"{decoy}/x.parquet")
    Path(folder).mkdir(exist_ok=True)
    path = Path(folder, "x.parquet")
    path.write_bytes(SAMPLES["parquet"].content)
    for named in (path, path.absolute()):
        SAMPLES["parquet"].check(read_clustering(named))


def test_a_column_that_only_a_folder_names_is_not_there():
    path = Path("object=5", "x.parquet")
    path.parent.mkdir()
    path.write_bytes(parquet_bytes(arrow_table(key=[1], cluster=[1])))
    with pytest.raises(CoverlapError, match="no column 'object' among 'key', 'cluster'"):
        read_clustering(path)


COLUMNS = [
    *(stem for stem in STEMS if stem.isprintable() and stem != "#"),
    "a\nb", "\t", "o", "c", "v", "n", "SELECT",
    "1",
    "select 1", "-1", "0.5", "(SELECT 1)", '" FROM pairs; SELECT 1 AS "o', "/*", "$1", "?1", "@a",
    "{0}", "object.cluster", "rowid", "file_row_number", "filename", "NULL",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".csv", ".tsv"])
def test_columns_may_have_any_name(suffix: str):
    c = Clustering.from_clusters({"x": ["a", "b"], "y": ["b"]}, universe=["a", "b", "c"])
    for i, name in enumerate(COLUMNS):
        if "\n" in name and suffix in {".csv", ".tsv"}:
            continue
        other = COLUMNS[i - 1] if "\n" not in COLUMNS[i - 1] else "other"
        columns = {"object": name, "cluster": other}
        write_clustering(c, f"a{suffix}", **columns)
        assert read_clustering(f"a{suffix}", **columns) == c
        with pytest.raises(CoverlapError, match="no column"):
            read_clustering(f"a{suffix}", object=name, cluster=other + "x")


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize(
    "path",
    [
        "http://localhost:9/a", "https://example.com/a", "s3://bucket/a", "gs://bucket/a",
        "hf://datasets/a", "ftp://localhost/a", "file:///etc/passwd", "r2://a/b", "az://a/b",
        "md:a", "postgres://localhost/a", "sqlite:a.db", "data:text/csv,object", "http://",
    ],
)  # fmt: skip
def test_an_address_is_only_a_file_that_is_not_there(sample: str, path: str, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("DuckDB was asked")

    monkeypatch.setattr(duckdb, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    path += suffix_of(sample)
    with pytest.raises(FileError, match="No such file or directory"):
        read_clustering(path, format_of(sample))
    with pytest.raises(FileError, match="No such file or directory"):
        write_clustering(Clustering.from_labels([0, 1]), f"{path}/x", format_of(sample))


# DuckDB


def test_duckdb_installs_and_loads_nothing_and_sees_no_variables():
    with parquet.connected() as connection:

        def setting(name: str) -> str:
            return connection.execute(f"SELECT current_setting('{name}')").fetchone()[0]

        for name in (
            "autoinstall_known_extensions",
            "autoload_known_extensions",
            "allow_community_extensions",
            "allow_unsigned_extensions",
            "python_enable_replacements",
        ):
            assert str(setting(name)).lower() == "false", name
        loaded = "SELECT extension_name FROM duckdb_extensions() WHERE loaded ORDER BY ALL"
        before = connection.execute(loaded).fetchall()
        for path in ("http://localhost:9/a.parquet", "https://localhost:9/*.parquet", "s3://a/b"):
            with pytest.raises(duckdb.Error):
                connection.execute("SELECT * FROM read_parquet(?)", [path])
        assert connection.execute(loaded).fetchall() == before
        assert ("httpfs",) not in before
        pairs = {"o": [1], "c": [1]}
        with pytest.raises(duckdb.Error):
            connection.execute("SELECT * FROM pairs")
        assert pairs


def test_connections_are_closed_and_share_nothing():
    with parquet.connected() as connection:
        connection.execute("CREATE TABLE t AS SELECT 1")
    with pytest.raises(duckdb.Error):
        connection.execute("SELECT 1")
    with parquet.connected() as connection, pytest.raises(duckdb.Error):
        connection.execute("SELECT * FROM t")


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells sockets so")
def test_reading_and_writing_parquet_leaves_no_socket_and_no_extension(tmp_path: Path):
    Path("a.parquet").write_bytes(SAMPLES["parquet"].content)
    program = textwrap.dedent("""
        import os, coverlap as cv
        c = cv.read_clustering("a.parquet")
        cv.write_clustering(c, "b.parquet")
        assert cv.read_clustering("b.parquet") == c
        kinds = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")
                 if os.path.islink(f"/proc/self/fd/{fd}")]
        print([kind for kind in kinds if kind.startswith("socket:")])
    """)
    home = tmp_path / "home"
    home.mkdir()
    environment = {**os.environ, "HOME": str(home), "NUMBA_CACHE_DIR": str(tmp_path / "numba")}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True, env=environment
    )
    assert done.stdout.strip() == "[]"
    assert list(home.rglob("*duckdb*")) == []  # no extension was installed


# Pickles and sparse matrices


class Trap:
    """An object whose pickle creates a file when it is loaded."""

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Path.touch, (Path("trapped"),)


def test_nothing_is_unpickled():
    trap = pickle.dumps(Trap())
    pickle.loads(trap)  # noqa: S301
    assert Path("trapped").exists()
    Path("trapped").unlink()
    objects = np.array([Trap(), 1], object)
    arrays = {"format": np.array(b"csr"), "shape": np.array([1, 2]), "indices": np.array([0, 1]),
              "indptr": np.array([0, 2]), "data": np.ones(2)}  # fmt: skip
    contents = [trap, npy_bytes(objects, allow_pickle=True), npz_bytes(x=objects)]
    contents += [npz_bytes(**arrays | {name: objects}) for name in ("data", "format", "shape")]
    Path("trapped").unlink(missing_ok=True)
    for content in contents:
        for name in ("a.npy", "a.npz", "a.txt"):
            refusal(content, name, "npy")
    assert not Path("trapped").exists()


BROKEN = """
import sys, numpy as np, coverlap as cv
from coverlap import CoverlapError
rng = np.random.default_rng(int(sys.argv[1]))
n_read = n_refused = 0
for _ in range(400):
    kind = rng.choice(["csr", "csc", "bsr", "coo", "dia"])
    rows, columns, size = rng.integers(1, 6, 3)
    def numbers(n):
        values = rng.integers(0, 6, n)
        if n and rng.random() < 0.5:
            values[rng.integers(n)] = rng.choice([-1, 2**31 - 1, 10**8, -(10**8), 7])
        return values.astype(rng.choice([np.int32, np.int64]))
    n_pointers = (rows if kind != "csc" else columns) + 1
    n_pointers += rng.integers(-1, 2) * (rng.random() < 0.2)
    pointers = np.sort(rng.integers(0, size + 1, n_pointers))
    if rng.random() < 0.7 and n_pointers:
        pointers[0], pointers[-1] = 0, size
    if rng.random() < 0.3 and n_pointers:
        pointers[rng.integers(n_pointers)] = rng.choice([-1, 10**8, 2**31 - 1])
    data = np.ones(size)
    if kind == "bsr":
        data = np.ones((size, *rng.integers(1, 3, 2)))
    arrays = dict(format=np.array(kind.encode()), shape=np.array([rows, columns]), data=data)
    if kind == "coo":
        arrays |= dict(row=numbers(size), col=numbers(size))
    elif kind == "dia":
        arrays |= dict(data=np.ones((size, columns)), offsets=numbers(size))
    else:
        arrays |= dict(indices=numbers(size), indptr=pointers.astype(np.int32))
    np.savez("m.npz", **arrays)
    try:
        c = cv.read_clustering("m.npz")
    except CoverlapError:
        n_refused += 1
        continue
    n_read += 1
    members = [item for cluster in c.to_clusters() for item in cluster]
    assert c.n_objects == columns and all(0 <= item < columns for item in members)
print(n_read, n_refused)
"""


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(3))
def test_no_sparse_matrix_crashes_the_process(seed: int):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", BROKEN, str(seed)], capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    n_read, n_refused = map(int, done.stdout.split())
    assert n_read > 40
    assert n_refused > 40


def test_a_line_that_is_too_long_is_rejected(tmp_path: Path, monkeypatch):
    """The limit is 2 GiB, which is patched here; blocks of a pipe may be small."""
    monkeypatch.setattr(lines, "LONGEST_LINE", 1000)
    monkeypatch.setattr(source, "READ", 64)
    path = tmp_path / "a.cnl"
    path.write_text("1 2\n" + "3 " * 450 + "\n")
    assert read_clustering(path).sizes.tolist() == [2, 1]
    path.write_text("1 2\n" + "3 " * 100_000)  # more than what is read to detect the format
    with pytest.raises(InputError, match=r"a\.cnl, line 2: a line must have at most 1,000 bytes"):
        read_clustering(path)
