import gzip
import io
import os
import subprocess
import sys
import warnings
from contextlib import suppress
from pathlib import Path

import anndata as ad
import h5py
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coverlap import read_clustering
from coverlap.core.errors import CoverlapError, MissingDependencyError, OptionError
from coverlap.files import hdf5
from tests.files.damage import broken_off, read, refusal, unmet
from tests.marks import slow_after

NAME = "a.h5ad"

COLUMNS = {
    "cluster": (
        pd.Categorical(["b", "a", None, "b"], categories=["b", "unused", "a"]),
        {"a": {"x"}, "b": {"w", "z"}},
    ),
    "leiden": (pd.Categorical(["0", "-1", "0", "1"]), {"0": {"w", "y"}, "1": {"z"}}),
    "numbers": (pd.Categorical([3, -1, 3, 2]), {2: {"z"}, 3: {"w", "y"}}),
    "integer": (np.array([3, -1, 3, 2], np.int16), {2: {"z"}, 3: {"w", "y"}}),
    "unsigned": (
        np.array([3, 3, 2**64 - 1, 2], np.uint64), {2: {"z"}, 3: {"w", "x"}, 2**64 - 1: {"y"}},
    ),
    "truth": ([True, False, True, True], {0: {"x"}, 1: {"w", "y", "z"}}),
    "nullable": (pd.array([3, None, 3, 2], dtype="Int64"), {2: {"z"}, 3: {"w", "y"}}),
    "nullable truth": (
        pd.array([True, None, False, True], dtype="boolean"), {0: {"y"}, 1: {"w", "z"}},
    ),
    "float": ([3.0, np.nan, 3.0, -2.0], {3: {"w", "y"}}),
    "id": ([40, 10, 30, 20], {10: {"x"}, 20: {"z"}, 30: {"y"}, 40: {"w"}}),
}  # fmt: skip
OBS = pd.DataFrame({name: column for name, (column, _) in COLUMNS.items()}, index=list("wxyz"))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("h5ad") / NAME
    write(path, OBS)
    return path


def write(path: Path, obs: pd.DataFrame) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ad.AnnData(np.ones((len(obs), 2)), obs=obs).write_h5ad(path)


@pytest.mark.parametrize("cluster", slow_after(3, COLUMNS))
def test_a_column_of_obs_names_the_clusters(path: Path, cluster: str):
    c = read_clustering(path, cluster=cluster)
    assert c.to_dict() == COLUMNS[cluster][1]
    assert (c.n_objects, c.n_dropped) == (4, 0)


def test_what_was_understood_is_said(path: Path):
    text = read_clustering(path).describe()
    assert "AnnData's obs, object in the index and cluster in column 'cluster'" in text


def test_a_column_can_name_the_objects(path: Path):
    assert read_clustering(path, object="id").to_dict() == {"a": {10}, "b": {20, 40}}
    with pytest.raises(CoverlapError, match=r"obs\[leiden\] must name each object once"):
        read_clustering(path, object="leiden")
    for column, what in (("nullable", "row 1 is missing"), ("truth", "true and false")):
        with pytest.raises(CoverlapError, match=what):
            read_clustering(path, object=column)


def test_an_index_of_integers_is_read_as_integers(tmp_path: Path):
    write(tmp_path / NAME, pd.DataFrame({"cluster": list("abab")}))
    c = read_clustering(tmp_path / NAME)
    assert c.to_dict() == {"a": {0, 2}, "b": {1, 3}}


@pytest.mark.parametrize(
    ("options", "clusters"),
    [
        ({"outlier_cluster": 3}, {2: {"z"}}),
        ({"outlier_label": [3]}, {-1: {"x"}, 2: {"z"}}),
        ({"outlier_label": ()}, {-1: {"x"}, 2: {"z"}, 3: {"w", "y"}}),
    ],
)
def test_outlier_labels_and_outlier_clusters(path: Path, options, clusters):
    c = read_clustering(path, cluster="integer", **options)
    assert (c.to_dict(), c.n_objects) == (clusters, 4)


def test_an_outlier_label_that_is_not_there_is_refused(path: Path):
    assert unmet(path.read_bytes(), NAME)


def test_compressed_files_and_files_of_any_name_are_read(path: Path):
    data = path.read_bytes()
    assert read(gzip.compress(data), NAME + ".gz").to_dict() == {"a": {"x"}, "b": {"w", "z"}}
    assert read(data, "file").n_objects == 4


@pytest.fixture
def copy(path: Path, tmp_path: Path) -> Path:
    (tmp_path / NAME).write_bytes(path.read_bytes())
    return tmp_path / NAME


def test_the_matrix_is_never_read(copy: Path):
    with h5py.File(copy, "r+") as file:
        del file["X"]
    assert read_clustering(copy).n_objects == 4


def test_columns_of_older_versions_are_read(tmp_path: Path):
    path = tmp_path / NAME
    with h5py.File(path, "w") as file:
        obs = file.create_group("obs")
        obs.attrs["_index"] = "cell"
        obs["cell"] = ["x", "y", "z"]
        obs["cluster"] = np.array([1, -1, 1], np.int8)
        obs["plain"] = ["p", "q", "p"]
        obs["__categories/cluster"] = ["a", "b"]
        obs["cluster"].attrs["categories"] = obs["__categories/cluster"].ref
    c = read_clustering(path)
    assert (c.to_dict(), c.n_objects) == ({"b": {"x", "z"}}, 3)
    assert read_clustering(path, cluster="plain").to_dict() == {"p": {"x", "z"}, "q": {"y"}}


def test_tables_of_the_oldest_versions_are_read(tmp_path: Path):
    path = tmp_path / NAME
    with h5py.File(path, "w") as file:
        rows = [(b"x", 1, b"p", 7), (b"y", -1, b"\xc3\xa9", 7), (b"z", 0, b"p", 8)]
        kinds = [("index", "S3"), ("louvain", "i1"), ("kind", "S4"), ("n", "i4")]
        file["obs"] = np.array(rows, kinds)
        file["uns/louvain_categories"] = np.array([b"a", b"b"])
    for cluster, clusters in (
        ("louvain", {"a": {"z"}, "b": {"x"}}),
        ("kind", {"p": {"x", "z"}, "é": {"y"}}),
        ("n", {7: {"x", "y"}, 8: {"z"}}),
    ):
        assert read_clustering(path, cluster=cluster).to_dict() == clusters


@pytest.mark.parametrize(
    ("name", "value", "what"),
    slow_after(
        6,
        [
            ("obs", None, "no obs, so this is no AnnData file"),
            ("obs/_index", None, "obs has no index '_index'"),
            ("obs/cluster", None, "obs: no column 'cluster' among 'float', 'id'"),
            ("obs/cluster/codes", None, "a group of 'categories'"),
            ("obs/cluster/codes", [0, 1, 7, 0], "no places among 3 categories"),
            ("obs/cluster/codes", [0, 1, -2, 0], "no places among 3 categories"),
            ("obs/cluster/codes", ["a", "b", "a", "b"], "no places among 3 categories"),
            ("obs/cluster", [0, 1, 1], "3 values in column 'cluster' for 4 objects"),
            ("obs/cluster", 7, "0 dimensions in place of one"),
            ("obs/cluster", [0.5, 1, 1, np.nan], "0.5 among the values: continuous numbers"),
            ("obs/cluster", [np.inf, 1, 1, 1], "continuous numbers"),
            ("obs/cluster", [1j, 1, 1, 1], "values of type complex128"),
            ("obs/cluster", [b"\xe9", b"b", b"c", b"d"], "text that is not UTF-8"),
            ("obs/_index", ["a", "b", "a", "c"], "must name each object once; repeated: 'a'"),
            ("obs/nullable/mask", [True], "a mask that does not fit"),
            ("obs/nullable/mask", [1, 0, 0, 0], "a mask that does not fit"),
        ],
    ),
)
def test_what_is_wrong_is_said(copy: Path, name: str, value: object, what: str):
    with h5py.File(copy, "r+") as file:
        del file[name]
        if value is not None:
            file[name] = value
    cluster = "nullable" if "nullable" in name else "cluster"
    assert what in refusal(copy.read_bytes(), NAME, cluster=cluster)


def put(group: h5py.Group, name: str, item: object) -> None:
    if not isinstance(item, dict):
        group[name] = item
        return
    inner = group.create_group(name)
    for part, value in item.items():
        put(inner, part, value)


def with_obs(path: Path, **columns: object) -> Path:
    """Write a table of two objects."""
    with h5py.File(path / NAME, "w") as file:
        put(file, "obs", {"_index": ["x", "y"], **columns})
    return path / NAME


def test_a_part_of_a_column_is_no_column(path: Path):
    with pytest.raises(CoverlapError, match="no column 'cluster/codes'"):
        read_clustering(path, cluster="cluster/codes")


@pytest.mark.parametrize("content", [b"", b"1 2\n", b"\x89HDF\r\n\x1a\n", b"x" * 10_000_000])
def test_what_is_no_hdf5_is_refused(content: bytes):
    assert "cannot be read as HDF5" in refusal(content, NAME)


@pytest.mark.parametrize("share", [0.01, 0.3, 0.6, 0.9, 0.99])
def test_a_file_that_breaks_off_is_never_a_clustering(path: Path, share: float):
    data = path.read_bytes()
    assert "cannot be read as HDF5" in refusal(data[: int(share * len(data))], NAME)
    assert "breaks off" in refusal(broken_off(data, share), NAME + ".gz")


def test_without_h5py_the_extra_is_named(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'coverlap\[h5ad\]'"):
        read_clustering(path)


VALUES = st.one_of(
    *(
        st.lists(values, max_size=4)
        for values in (
            st.integers(-3, 3), st.text("ab1é", max_size=1), st.floats(width=32), st.booleans(),
        )
    ),
    st.lists(st.sampled_from([b"a", b"\xe9", b"\xff" * 9]), min_size=1, max_size=4),
    st.sampled_from([[[1, 2], [3, 4]], 7, h5py.Empty("f8")]),
)  # fmt: skip
ITEMS = st.recursive(
    VALUES,
    lambda inner: st.dictionaries(
        st.sampled_from(["categories", "codes", "values", "mask", "x"]), inner, max_size=3
    ),
    max_leaves=4,
)
TABLES = VALUES | st.dictionaries(
    st.sampled_from(["_index", "cluster", "__categories", "x"]), ITEMS, max_size=4
)


@pytest.mark.slow
@given(TABLES, st.sampled_from([None, "_index", "x", 7, b"\xff"]), st.booleans())
@settings(max_examples=300)
def test_whatever_the_table_only_our_errors_escape(table: object, index: object, refers: bool):
    content = io.BytesIO()
    with h5py.File(content, "w") as file:
        put(file, "obs", table)
        if index is not None:
            file["obs"].attrs["_index"] = index
        if refers and isinstance(table, dict) and "cluster" in table:
            file["obs/cluster"].attrs["categories"] = file["obs/cluster"].ref
    with suppress(CoverlapError):
        hdf5.read_file(content, None, "cluster")  # as the child process does


FUZZ = """
import io, random, sys
from coverlap import CoverlapError
from coverlap.files.hdf5 import read_file

data = sys.stdin.buffer.read()
random.seed(1)
for _ in range(400):
    broken = bytearray(data)
    for _ in range(random.randint(1, 8)):
        broken[random.randrange(len(data))] = random.randrange(256)
    try:
        read_file(io.BytesIO(broken), None, "cluster")
    except CoverlapError:
        pass
print("survived")
"""


def test_whatever_the_bytes_only_our_errors_escape(tmp_path: Path):
    # No text of variable length, because HDF5 itself can loop forever if its heap is broken.
    categories, codes = np.array([b"a", b"b"]), np.array([0, 1, -1, 0], np.int8)
    index = np.array([b"w", b"x", b"y", b"z"])
    path = with_obs(tmp_path, _index=index, cluster={"categories": categories, "codes": codes})
    run = subprocess.run(
        [sys.executable, "-c", FUZZ], input=path.read_bytes(), capture_output=True, check=False,
        timeout=120,
    )  # fmt: skip
    assert run.stdout == b"survived\n", run.stderr


# What a child process reads, because it could hang, crash or take all the memory

PIPE = h5py.ExternalLink("pipe", "/x")


@pytest.mark.parametrize(
    "obs",
    slow_after(
        1,
        [
            {"cluster": PIPE}, {"cluster": {"codes": PIPE, "categories": ["a"]}},
            {"cluster": {"values": PIPE, "mask": [True, False]}}, PIPE,
            {"cluster": h5py.SoftLink("/obs/_index")},
        ],
    ),
    ids=str,
)  # fmt: skip
def test_links_are_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, obs: object):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with h5py.File(NAME, "w") as file:
        put(file, "obs", {"_index": ["x", "y"], **obs} if isinstance(obs, dict) else obs)
    with pytest.raises(CoverlapError, match=r"/obs.* is a link, and links are not followed"):
        read_clustering(NAME)


def test_virtual_tables_are_refused(tmp_path: Path):
    layout = h5py.VirtualLayout((2,), np.int64)
    layout[:] = h5py.VirtualSource("pipe", "x", (2,))
    path = with_obs(tmp_path)
    with h5py.File(path, "r+") as file:
        file.create_virtual_dataset("obs/cluster", layout)
    with pytest.raises(CoverlapError, match="kept in another file"):
        read_clustering(path)


@pytest.mark.parametrize(
    ("shape", "dtype", "options", "what"),
    [
        (2, h5py.ref_dtype, {}, "neither text nor a number"),
        (2, h5py.vlen_dtype(np.int64), {}, "neither text nor a number"),
        (2, np.int64, {"external": [("secret", 0, 16)]}, "kept in another file"),
        (10**12, np.int8, {"chunks": (1000,)}, "more than the file can hold"),
        (
            20_000, "S1000000", {"chunks": (1,), "compression": "gzip"},
            "more than the file can hold",
        ),
        (
            10**6, h5py.string_dtype(), {"fillvalue": "x" * 15_000, "chunks": (10**4,)},
            "must take at most 524,288,000 bytes of memory.*COVERLAP_MAX_BYTES",
        ),
    ],
)  # fmt: skip
def test_values_that_are_no_labels_or_not_in_the_file_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: int, dtype, options: dict, what: str
):
    monkeypatch.setenv("COVERLAP_MAX_BYTES", str(500 << 20))
    path = with_obs(tmp_path)
    with h5py.File(path, "r+") as file:
        file.create_dataset("obs/cluster", (shape,), dtype, **options)
    with pytest.raises(CoverlapError, match=what):
        read_clustering(path)


def test_the_limit_of_memory_does_not_count_python_and_its_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = with_obs(tmp_path, cluster=["a", "b"])
    monkeypatch.setenv("COVERLAP_MAX_BYTES", str(50 << 20))
    assert read_clustering(path).n_clusters == 2


def test_a_file_that_makes_hdf5_loop_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = with_obs(tmp_path, cluster=["a", "b"])
    data = bytearray(path.read_bytes())
    data[data.index(b"GCOL") + 24] = 0  # the size of the first text
    path.write_bytes(data)
    monkeypatch.setenv("COVERLAP_MAX_SECONDS", "1")
    with pytest.raises(
        CoverlapError,
        match=r"must take at most 1 second, but took more.*COVERLAP_MAX_SECONDS sets",
    ):
        read_clustering(path)


@pytest.mark.parametrize("value", ["0", "-1", "x", "1.5", "9" * 30])
@pytest.mark.parametrize("variable", ["COVERLAP_MAX_BYTES", "COVERLAP_MAX_SECONDS"])
def test_limits_must_be_positive_integers(
    path: Path, variable: str, value: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(variable, value)
    with pytest.raises(OptionError, match=f"^{variable} must be a positive integer"):
        read_clustering(path)
