"""Small files of every format with their contents, and functions that read them."""

import bz2
import gzip
import io
import re
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from coverlap import Clustering, read_clustering
from coverlap.clustering.read import File, read_files
from coverlap.core.errors import CoverlapError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

BOM = b"\xef\xbb\xbf"

COMPRESSED = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".bz2": bz2.compress,
    ".zst": zstd.compress,
}

TEXT_FORMATS = ("cluster-lines", "object-lines", "pairs", "labels")


class Sample(NamedTuple):
    """The name and content of a file, its clusters, and all its objects."""

    name: str
    content: bytes
    clusters: dict[Any, set[Any]]
    objects: set[Any]

    def check(self, clustering: Clustering) -> None:
        """Assert that a clustering has the clusters and objects of this file."""
        assert clustering.to_dict() == self.clusters
        assert set(clustering.objects) == self.objects
        assert clustering.n_objects == len(self.objects)
        assert_sound(clustering)


def as_bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def read(content: str | bytes, name: str, format: str = "auto", **options: Any) -> Clustering:
    """Read a file with the given name and content."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(as_bytes(content))
        return read_clustering(path, format, **options)


def read_together(files: list[File], *, strict: bool = False) -> list[Clustering]:
    """Read several files, whose ids get one type."""
    return [Clustering(memberships) for memberships in read_files(files, strict=strict)]


def refusal(content: str | bytes, name: str, format: str = "auto", **options: Any) -> str:
    """Return the error message of a file that must be rejected: one line that names the file."""
    with pytest.raises(CoverlapError) as caught:
        read(content, name, format, **options)
    message = str(caught.value)
    assert name in message
    assert "\n" not in message
    return message


def line_of(message: str) -> int:
    """Return the line number in a message."""
    found = re.search(r", line ([0-9]+): ", message)
    assert found, message
    return int(found[1])


def shape(clustering: Clustering) -> tuple[set[frozenset[Any]], set[Any]]:
    """Return the clusters without their names, and the objects."""
    return set(map(frozenset, clustering.to_clusters())), set(clustering.objects)


def assert_sound(clustering: Clustering) -> None:
    """Assert that a clustering is valid: distinct clusters of sorted members that are objects."""
    pointers, members = clustering.memberships.runs
    ids, names, n = clustering.objects, clustering.names, clustering.n_objects
    assert len(ids) == len(set(ids)) == n
    assert len(names) == len(set(names)) == len(pointers) - 1 == clustering.n_clusters
    assert pointers[0] == 0
    assert pointers[-1] == len(members)
    runs = [members[a:b].tolist() for a, b in pairwise(pointers)]
    for run in runs:
        assert run
        assert run[0] >= 0
        assert run[-1] < n
        assert all(a < b for a, b in pairwise(run))
    assert len(set(map(tuple, runs))) == len(runs)


def arrow_table(**columns: Any) -> pa.Table:
    return pa.table(columns)


def parquet_bytes(table: pa.Table) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


def arrow_bytes(table: pa.Table, new: Any = pa.ipc.new_file) -> bytes:
    file = io.BytesIO()
    with new(file, table.schema) as writer:
        writer.write_table(table)
    return file.getvalue()


def npy_bytes(values: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, np.asarray(values), **options)
    return file.getvalue()


def npz_bytes(save: Any = np.savez, **arrays: Any) -> bytes:
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


def matrix_bytes(matrix: Any) -> bytes:
    file = io.BytesIO()
    sparse.save_npz(file, matrix)
    return file.getvalue()


PEOPLE = arrow_table(
    object=["ann", "bob", "bob", "cyd", "dan"], cluster=pa.array(["x", "x", "y", "y", None])
)
PEOPLE_CLUSTERS = {"x": {"ann", "bob"}, "y": {"bob", "cyd"}}
PEOPLE_OBJECTS = {"ann", "bob", "cyd", "dan"}

SAMPLES = {
    "cluster-lines": Sample(
        "com-tiny.all.cmty.txt", b"4\t900\t17\t\n17\t5\t\n1234567\t\n",
        {0: {4, 900, 17}, 1: {17, 5}, 2: {1234567}}, {4, 5, 17, 900, 1234567},
    ),
    "object-lines": Sample(
        "community.dat", b"1\t1 3\n2\t3\n3\t1\n4\n5\t2\n",
        {1: {1, 3}, 2: {5}, 3: {1, 2}}, {1, 2, 3, 4, 5},
    ),
    "pairs": Sample(
        "clubs.csv", b"object,cluster\nann,x\nbob,x\nbob,y\ncyd,y\ndan,\n",
        PEOPLE_CLUSTERS, PEOPLE_OBJECTS,
    ),
    "labels": Sample(
        "found.labels", b"x\n-1\nx\ny\n7\n", {7: {4}, "x": {0, 2}, "y": {3}}, {0, 1, 2, 3, 4},
    ),
    "json": Sample(
        "found.json",
        b'{"objects": ["ann", "bob", "cyd", "dan"],\n "clusters": [["ann", "bob"],\n'
        b'  ["bob", "cyd"]],\n "names": ["x", "y"]}\n',
        PEOPLE_CLUSTERS, PEOPLE_OBJECTS,
    ),
    "parquet": Sample("clubs.parquet", parquet_bytes(PEOPLE), PEOPLE_CLUSTERS, PEOPLE_OBJECTS),
    "arrow": Sample("clubs.arrow", arrow_bytes(PEOPLE), PEOPLE_CLUSTERS, PEOPLE_OBJECTS),
    "npy": Sample("labels.npy", npy_bytes([5, 5, -1, 2]), {2: {3}, 5: {0, 1}}, {0, 1, 2, 3}),
    "npz": Sample(
        "m.npz", matrix_bytes(sparse.csr_array([[1, 1, 0, 0], [0, 1, 1, 0]])),
        {0: {0, 1}, 1: {1, 2}}, {0, 1, 2, 3},
    ),
}  # fmt: skip
"""One small file of each format."""


def format_of(sample: str) -> str:
    """Return the format of a sample; NumPy files have two samples."""
    return "npy" if sample == "npz" else sample
