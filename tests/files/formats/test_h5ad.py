import gzip
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

from coverlap import Clustering, read_clustering
from coverlap.core.errors import CoverlapError, MissingDependencyError, OptionError
from coverlap.files import hdf5
from tests.files.damage import broken_off, read, refusal, unmet
from tests.marks import slow_after

NAME = "a.h5ad"

OBS = pd.DataFrame(
    {
        "cluster": pd.Categorical(["b", "a", None, "b"], categories=["b", "unused", "a"]),
        "leiden": pd.Categorical(["0", "-1", "0", "1"]),
        "numbers": pd.Categorical([3, -1, 3, 2]),
        "integer": np.array([3, -1, 3, 2], np.int16),
        "unsigned": np.array([3, 3, 2**64 - 1, 2], np.uint64),
        "truth": [True, False, True, True],
        "nullable": pd.array([3, None, 3, 2], dtype="Int64"),
        "nullable truth": pd.array([True, None, False, True], dtype="boolean"),
        "float": [3.0, np.nan, 3.0, -2.0],
        "score": [0.5, 1.5, np.nan, 2.5],
        "id": [40, 10, 30, 20],
    },
    index=["w", "x", "y", "z"],
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("h5ad") / NAME
    write(path, OBS)
    return path


def write(path: Path, obs: pd.DataFrame) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ad.AnnData(np.ones((len(obs), 2)), obs=obs).write_h5ad(path)


@pytest.mark.parametrize(
    ("cluster", "clusters"),
    slow_after(
        3,
        [
            ("cluster", {"a": {"x"}, "b": {"w", "z"}}),
            ("leiden", {"0": {"w", "y"}, "1": {"z"}}),
            ("numbers", {2: {"z"}, 3: {"w", "y"}}),
            ("integer", {2: {"z"}, 3: {"w", "y"}}),
            ("unsigned", {2: {"z"}, 3: {"w", "x"}, 2**64 - 1: {"y"}}),
            ("truth", {0: {"x"}, 1: {"w", "y", "z"}}),
            ("nullable", {2: {"z"}, 3: {"w", "y"}}),
            ("nullable truth", {0: {"y"}, 1: {"w", "z"}}),
            ("float", {3: {"w", "y"}}),
        ],
    ),
)
def test_a_column_of_obs_names_the_clusters(
    path: Path, cluster: str, clusters: dict[int | str, set[str]]
):
    c = read_clustering(path, cluster=cluster)
    assert c.to_dict() == clusters
    assert c.n_objects == 4
    assert c.n_dropped == 0


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


def test_outlier_labels_and_outlier_clusters(path: Path):
    c = read_clustering(path, cluster="leiden", outlier_label=["-1", "1"])
    assert (c.to_dict(), c.n_objects) == ({"0": {"w", "y"}}, 4)
    c = read_clustering(path, cluster="integer", outlier_cluster=3)
    assert (c.to_dict(), c.n_objects) == ({2: {"z"}}, 4)
    c = read_clustering(path, cluster="integer", outlier_label=())
    assert c.to_dict() == {-1: {"x"}, 2: {"z"}, 3: {"w", "y"}}
    assert unmet(path.read_bytes(), NAME)


def test_compressed_files_and_files_of_any_name_are_read(path: Path):
    data = path.read_bytes()
    assert read(gzip.compress(data), NAME + ".gz").to_dict() == {"a": {"x"}, "b": {"w", "z"}}
    assert read(data, "file").n_objects == 4


def test_the_matrix_is_never_read(path: Path, tmp_path: Path):
    copy = tmp_path / NAME
    copy.write_bytes(path.read_bytes())
    with h5py.File(copy, "r+") as file:
        del file["X"]
    assert read_clustering(copy).n_objects == 4


def test_columns_of_older_versions_are_read(tmp_path: Path):
    with h5py.File(tmp_path / NAME, "w") as file:
        obs = file.create_group("obs")
        obs.attrs["_index"] = "cell"
        obs["cell"] = ["x", "y", "z"]
        obs["cluster"] = np.array([1, -1, 1], np.int8)
        obs["plain"] = ["p", "q", "p"]
        obs["__categories/cluster"] = ["a", "b"]
        obs["cluster"].attrs["categories"] = obs["__categories/cluster"].ref
    c = read_clustering(tmp_path / NAME)
    assert (c.to_dict(), c.n_objects) == ({"b": {"x", "z"}}, 3)
    c = read_clustering(tmp_path / NAME, cluster="plain")
    assert c.to_dict() == {"p": {"x", "z"}, "q": {"y"}}


def test_tables_of_the_oldest_versions_are_read(tmp_path: Path):
    kinds = [("index", "S3"), ("louvain", "i1"), ("kind", "S4"), ("n", "i4")]
    with h5py.File(tmp_path / NAME, "w") as file:
        rows = [(b"x", 1, b"p", 7), (b"y", -1, b"\xc3\xa9", 7), (b"z", 0, b"p", 8)]
        file["obs"] = np.array(rows, kinds)
        file["uns/louvain_categories"] = np.array([b"a", b"b"])
    assert read_clustering(tmp_path / NAME, cluster="louvain").to_dict() == {"a": {"z"}, "b": {"x"}}
    c = read_clustering(tmp_path / NAME, cluster="kind")
    assert c.to_dict() == {"p": {"x", "z"}, "é": {"y"}}
    assert read_clustering(tmp_path / NAME, cluster="n").to_dict() == {7: {"x", "y"}, 8: {"z"}}


@pytest.mark.parametrize(
    ("change", "what"),
    slow_after(
        6,
        [
            ({"obs": None}, "no obs, so this is no AnnData file"),
            ({"obs/_index": None}, "obs has no index '_index'"),
            ({"obs/cluster": None}, "obs: no column 'cluster' among 'float', 'id'"),
            ({"obs/cluster/codes": None}, "a group of 'categories'"),
            ({"obs/cluster/codes": [0, 1, 7, 0]}, "no places among 3 categories"),
            ({"obs/cluster/codes": [0, 1, -2, 0]}, "no places among 3 categories"),
            ({"obs/cluster/codes": ["a", "b", "a", "b"]}, "no places among 3 categories"),
            ({"obs/cluster/codes": [0, 1, 1]}, "3 values in column 'cluster' for 4 objects"),
            ({"obs/cluster": [0, 1, 1]}, "3 values in column 'cluster' for 4 objects"),
            ({"obs/cluster": []}, "0 values in column 'cluster' for 4 objects"),
            ({"obs/cluster": [[0, 1], [1, 1]]}, "2 dimensions in place of one"),
            ({"obs/cluster": 7}, "0 dimensions in place of one"),
            ({"obs/cluster": [0.5, 1, 1, np.nan]}, "0.5 among the values: continuous numbers"),
            ({"obs/cluster": [np.inf, 1, 1, 1]}, "continuous numbers"),
            ({"obs/cluster": [1j, 1, 1, 1]}, "values of type complex128"),
            ({"obs/cluster": [b"\xe9", b"b", b"c", b"d"]}, "text that is not UTF-8"),
            ({"obs/_index": ["a", "b", "a", "c"]}, "must name each object once; repeated: 'a'"),
            ({"obs/_index": [0.5, 1, 1, 1]}, "continuous numbers"),
            ({"obs/nullable/mask": [True]}, "a mask that does not fit"),
            ({"obs/nullable/mask": [1, 0, 0, 0]}, "a mask that does not fit"),
        ],
    ),
)
def test_what_is_wrong_is_said(path: Path, tmp_path: Path, change: dict[str, object], what: str):
    copy = tmp_path / NAME
    copy.write_bytes(path.read_bytes())
    ((name, value),) = change.items()
    with h5py.File(copy, "r+") as file:
        del file[name]
        if value is not None:
            file[name] = value
    cluster = "nullable" if "nullable" in name else "cluster"
    assert what in refusal(copy.read_bytes(), NAME, cluster=cluster)


def test_references_and_lists_are_no_labels(tmp_path: Path):
    with h5py.File(tmp_path / NAME, "w") as file:
        obs = file.create_group("obs")
        obs["_index"] = ["x", "y"]
        obs.create_dataset("cluster", (2,), h5py.ref_dtype)
        lists = obs.create_dataset("list", (2,), h5py.vlen_dtype(np.int64))
        lists[0], lists[1] = [1, 2], [3]
        obs["lost"] = h5py.SoftLink("/nowhere")
        obs["elsewhere"] = h5py.ExternalLink("other.h5ad", "/obs/cluster")
    with h5py.File(tmp_path / "other.h5ad", "w") as file:
        file["obs/cluster"] = [1, 2]
    for cluster in ("cluster", "list", "lost", "elsewhere"):
        with pytest.raises(CoverlapError, match=NAME):
            read_clustering(tmp_path / NAME, cluster=cluster)


def test_no_other_file_is_read(tmp_path: Path):
    (tmp_path / "secret").write_bytes(bytes(16))
    with h5py.File(tmp_path / NAME, "w") as file:
        file["obs/_index"] = ["x", "y"]
        place = [(str(tmp_path / "secret"), 0, 16)]
        file.create_dataset("obs/cluster", (2,), np.int64, external=place)
    with pytest.raises(CoverlapError, match="kept in another file"):
        read_clustering(tmp_path / NAME)


def test_a_column_that_claims_more_values_than_a_file_can_hold_is_refused(tmp_path: Path):
    with h5py.File(tmp_path / NAME, "w") as file:
        file["obs/_index"] = ["x", "y"]
        file.create_dataset("obs/cluster", (10**12,), np.int8, chunks=(1000,))
    with pytest.raises(CoverlapError, match="more than the file can hold"):
        read_clustering(tmp_path / NAME)


def test_positions_are_refused(path: Path):
    for options in ({"object": 0}, {"cluster": 1}, {"object": "cluster"}):
        with pytest.raises(OptionError):
            read_clustering(path, **options)


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
    st.lists(st.integers(-3, 3), max_size=4),
    st.lists(st.sampled_from(["", "a", "b", "1", "é"]), max_size=4),
    st.lists(st.sampled_from([b"a", b"\xe9", b"\xff" * 9]), min_size=1, max_size=4),
    st.lists(st.floats(width=32), max_size=4),
    st.lists(st.booleans(), max_size=4),
    st.just([[1, 2], [3, 4]]),
    st.integers(-9, 9),
    st.just(h5py.Empty("f8")),
)

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


def put(group: h5py.Group, name: str, item: object) -> None:
    if not isinstance(item, dict):
        group[name] = item
        return
    inner = group.create_group(name)
    for part, value in item.items():
        put(inner, part, value)


@pytest.mark.slow
@given(TABLES, st.sampled_from([None, "_index", "x", 7, b"\xff"]), st.booleans())
@settings(max_examples=300, deadline=None)
def test_whatever_the_table_only_our_errors_escape(
    tmp_path_factory: pytest.TempPathFactory, table: object, index: object, refers: bool
):
    path = tmp_path_factory.getbasetemp() / "fuzz.h5ad"
    with h5py.File(path, "w") as file:
        put(file, "obs", table)
        if index is not None:
            file["obs"].attrs["_index"] = index
        if refers and isinstance(table, dict) and "cluster" in table:
            file["obs/cluster"].attrs["categories"] = file["obs/cluster"].ref
    with suppress(CoverlapError):
        hdf5.read_file(path, None, "cluster")  # as the child process does


FUZZ = """
import random, sys
from pathlib import Path
from coverlap import CoverlapError
from coverlap.files.hdf5 import read_file

data = Path(sys.argv[1]).read_bytes()
path = Path(sys.argv[2])
random.seed(1)
for _ in range(400):
    broken = bytearray(data)
    for _ in range(random.randint(1, 8)):
        broken[random.randrange(len(data))] = random.randrange(256)
    path.write_bytes(broken)
    try:
        read_file(path, None, "cluster")
    except CoverlapError:
        pass
print("survived")
"""


def test_whatever_the_bytes_only_our_errors_escape(tmp_path: Path):
    # No text of variable length, because HDF5 itself can loop forever if its heap is broken.
    with h5py.File(tmp_path / NAME, "w") as file:
        file["obs/_index"] = np.array([b"w", b"x", b"y", b"z"])
        file["obs/cluster/categories"] = np.array([b"a", b"b"])
        file["obs/cluster/codes"] = np.array([0, 1, -1, 0], np.int8)
    command = [sys.executable, "-c", FUZZ, str(tmp_path / NAME), str(tmp_path / "broken.h5ad")]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert run.stdout == "survived\n", run.stderr


def test_the_clustering_is_that_of_the_frame(path: Path):
    frame = OBS.reset_index(names="object")
    columns = {"object": "object", "cluster": "leiden"}
    expected = Clustering.from_frame(frame, **columns, outlier_label="-1")
    assert read_clustering(path, cluster="leiden").to_dict() == expected.to_dict()


# What a child process reads, because it could hang, crash or take all the memory


def small(path: Path, **items: object) -> None:
    """Write a table of two objects."""
    with h5py.File(path, "w") as file:
        file["obs/_index"] = ["x", "y"]
        for name, item in items.items():
            file[f"obs/{name.replace('_', '/')}"] = item


def limited(path: Path, seconds: int = 60, **environment: str) -> subprocess.CompletedProcess[str]:
    """Describe a file in a child process."""
    return subprocess.run(
        [sys.executable, "-m", "coverlap", "describe", str(path)], text=True, check=False,
        capture_output=True, timeout=seconds, env={**os.environ, **environment},
    )  # fmt: skip


@pytest.mark.parametrize(
    "item", slow_after(1, ["cluster", "cluster_codes", "cluster_values", "table"])
)
def test_a_link_to_a_pipe_is_not_followed(tmp_path: Path, item: str):
    os.mkfifo(tmp_path / "pipe")
    link = h5py.ExternalLink(str(tmp_path / "pipe"), "/x")
    path = tmp_path / NAME
    if item == "table":
        with h5py.File(path, "w") as file:
            file["obs"] = link
    else:
        other = {"cluster_codes": {"cluster_categories": ["a"]}, "cluster_values": {
            "cluster_mask": [True, False]}}  # fmt: skip
        small(path, **{item: link}, **other.get(item, {}))
    done = limited(path)
    assert done.returncode == 2
    assert "is a link, and links are not followed" in done.stderr


def test_soft_links_and_virtual_tables_are_refused(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    small(tmp_path / NAME, cluster=h5py.SoftLink("/obs/_index"))
    with pytest.raises(CoverlapError, match=r"/obs/cluster is a link"):
        read_clustering(tmp_path / NAME)
    layout = h5py.VirtualLayout((2,), np.int64)
    layout[:] = h5py.VirtualSource(str(tmp_path / "pipe"), "x", (2,))
    small(tmp_path / NAME)
    with h5py.File(tmp_path / NAME, "r+") as file:
        file.create_virtual_dataset("obs/cluster", layout)
    done = limited(tmp_path / NAME)
    assert (done.returncode, "kept in another file" in done.stderr) == (2, True)


def test_values_that_are_wider_than_the_file_are_refused(tmp_path: Path):
    small(tmp_path / NAME)
    with h5py.File(tmp_path / NAME, "r+") as file:
        file.create_dataset("obs/cluster", (20_000,), "S1000000", chunks=(1,), compression="gzip")
    with pytest.raises(CoverlapError, match="more than the file can hold"):
        read_clustering(tmp_path / NAME)


def test_a_small_file_does_not_take_much_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    small(tmp_path / NAME)
    with h5py.File(tmp_path / NAME, "r+") as file:
        file.create_dataset(
            "obs/cluster", (10**6,), h5py.string_dtype(), fillvalue="x" * 15_000, chunks=(10**4,)
        )
    monkeypatch.setenv("COVERLAP_MAX_BYTES", str(500 << 20))
    with pytest.raises(
        CoverlapError, match=r"must take at most 524,288,000 bytes of memory.*COVERLAP_MAX_BYTES"
    ):
        read_clustering(tmp_path / NAME)


def test_the_limit_of_memory_does_not_count_python_and_its_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    small(tmp_path / NAME, cluster=["a", "b"])
    monkeypatch.setenv("COVERLAP_MAX_BYTES", str(50 << 20))
    assert read_clustering(tmp_path / NAME).n_clusters == 2


def test_a_file_that_makes_hdf5_loop_is_given_up(tmp_path: Path):
    path = tmp_path / NAME
    small(path, cluster=["a", "b"])
    data = bytearray(path.read_bytes())
    data[data.index(b"GCOL") + 24] = 0  # the size of the first text
    path.write_bytes(data)
    done = limited(path, COVERLAP_MAX_SECONDS="1")
    assert done.returncode == 2
    assert "reading must take at most 1 second, but took more" in done.stderr
    assert "COVERLAP_MAX_SECONDS sets this limit" in done.stderr


@pytest.mark.parametrize("value", ["0", "-1", "x", "1.5", "9" * 30])
def test_limits_must_be_positive_integers(path: Path, value: str, monkeypatch: pytest.MonkeyPatch):
    for variable in ("COVERLAP_MAX_BYTES", "COVERLAP_MAX_SECONDS"):
        with monkeypatch.context() as context:
            context.setenv(variable, value)
            with pytest.raises(OptionError, match=f"^{variable} must be a positive integer"):
                read_clustering(path)
