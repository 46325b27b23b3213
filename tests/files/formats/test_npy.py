import io
import struct
import zipfile

import numpy as np
import pytest
from scipy import sparse

from coverlap.core.errors import CoverlapError, OptionError
from tests.files.support import SAMPLES, matrix_bytes, npy_bytes, npz_bytes, read, refusal

MATRIX = [[1, 1, 0, 0, 0], [0, 0, 0, 0, 0], [0, 1, 0, 1, 0], [1, 1, 0, 0, 0]]
FORMATS = ("csr", "csc", "coo", "bsr", "dia")


def header(text: str) -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text) + 1) + text.encode() + b"\n"


def stored(**arrays: object) -> bytes:
    """Return the file that SciPy writes for a sparse matrix with these arrays, valid or not."""
    return npz_bytes(**{key: np.asarray(value) for key, value in arrays.items()})


@pytest.mark.parametrize("name", ["a.npy", "a.NPY", "anything"])
def test_an_array_holds_a_label_for_each_object(name: str):
    c = read(SAMPLES["npy"].content, name)
    SAMPLES["npy"].check(c)
    assert c.describe().startswith("read as: an array of labels\n")


@pytest.mark.parametrize(
    "dtype", ["i1", "<i4", ">i4", "<i8", "u1", ">u8", "f2", "<f4", ">f8", "g", "b", "<U3", ">U3"]
)
def test_labels_may_be_of_any_type_of_number_or_text(dtype: str):
    labels = np.array([1, 0, 1]).astype(dtype)
    kind = str if "U" in dtype else int
    assert read(npy_bytes(labels), "a.npy").to_dict() == {kind(0): {1}, kind(1): {0, 2}}


@pytest.mark.parametrize(
    ("labels", "clusters"),
    [
        (["x", "yé", "x", ""], {"x": {0, 2}, "yé": {1}}),
        ([1.0, np.nan, -1.0], {1: {0}}),
        (
            [2**62, 2**62 + 1, -(2**63), 2**63 - 1],
            {2**62: {0}, 2**62 + 1: {1}, 2**63 - 1: {3}},
        ),
        (np.array([], int), {}),
    ],
)  # fmt: skip
def test_labels_name_clusters_or_mean_outliers(labels: object, clusters: dict):
    c = read(npy_bytes(labels), "a.npy")
    assert (c.to_dict(), c.n_objects) == (clusters, len(labels))


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("make", [sparse.coo_array, sparse.coo_matrix])
def test_a_sparse_matrix_is_clusters_by_objects(kind: str, make):
    c = read(matrix_bytes(make(MATRIX).asformat(kind)), "m.npz")
    assert c.to_dict() == {0: {0, 1}, 2: {1, 3}}
    assert c.objects == [0, 1, 2, 3, 4]
    assert (c.n_dropped, c.n_merged) == (1, 1)
    assert c.describe().startswith("read as: a sparse matrix, clusters x objects\n")


@pytest.mark.parametrize("kind", FORMATS)
def test_a_matrix_with_weights_needs_a_threshold(kind: str):
    content = matrix_bytes(sparse.coo_array([[0.9, 0.2], [0.1, 0.8]]).asformat(kind))
    assert "threshold=0.5 (--threshold 0.5)" in refusal(content, "m.npz")
    c = read(content, "m.npz", threshold=0.2)
    assert c.to_dict() == {0: {0, 1}, 1: {1}}


def test_a_membership_stored_twice_counts_once():
    twice = sparse.coo_array(([1, 1, 1], ([0, 0, 1], [0, 0, 1])))
    assert read(matrix_bytes(twice), "m.npz").to_dict() == {0: {0}, 1: {1}}


def test_labels_have_no_threshold():
    with pytest.raises(OptionError, match="threshold means nothing"):
        read(SAMPLES["npy"].content, "a.npy", threshold=0.5)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_one_array_in_an_npz_file_holds_labels(save):
    content = npz_bytes(save, leiden=np.array([1, 1, 2]))
    c = read(content, "a.npz")
    assert c.to_dict() == {1: {0, 1}, 2: {2}}
    assert c.describe().startswith("read as: labels, array 'leiden'\n")


def test_several_arrays_in_an_npz_file_are_refused_with_their_names():
    content = npz_bytes(a=np.arange(3), b=np.arange(3))
    assert "holds 2 arrays ('a', 'b')" in refusal(content, "a.npz")
    assert "holds 0 arrays" in refusal(npz_bytes(), "a.npz")


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.ones((2, 3), int), "of shape (2, 3)"), (np.array(5), "of shape ()"),
        (np.array([0.5, 1]), "continuous"), (np.array([1j]), "complex128"),
        (np.zeros(2, "i4,i4"), "must be labels"), (np.array([np.inf]), "continuous"),
    ],
)  # fmt: skip
def test_arrays_that_are_no_labels_are_refused(array: np.ndarray, message: str):
    for content in (npy_bytes(array), npz_bytes(x=array)):
        assert message in refusal(content, "a.npy")


HEADER = "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }"


MANY = "(1000000000000,)"


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\x93NUMPY", b"\x93NUMPY\x01", b"\x93NUMPY\x09\x00\x00\x00", b"1\n2\n",
        header(HEADER), header(HEADER) + b"\0" * 15, header("{}") + b"\0" * 16,
        header(HEADER.replace("'<i8'", "'O'")) + b"\x80\x04N.",
        header(HEADER.replace("<i8", "<U0").replace("(2,)", MANY)),
        *map(header, (HEADER[:-6], "'''", "(" * 5000, "__import__('os')", "{'descr': 1}")),
        *(
            header(HEADER.replace(old, new))
            for old, new in [
                ("2", "-1"), ("(2,)", "(10**18,)"), ("2", "9" * 30), ("(2,)", MANY),
                ("'<i8'", "[('a', '<i8', (1000000,))]"),
            ]
        ),
        b"\x93NUMPY\x01\x00\xff\xff" + b"{" * 70,
        b"PK\x03\x04", b"PK\x03\x04" + b"\0" * 100,
    ],
    ids=lambda content: repr(content[:90]),
)  # fmt: skip
@pytest.mark.parametrize("name", ["a.npy", "a.npz"])
def test_damaged_arrays_are_refused(content: bytes, name: str):
    assert "no array that can be read" in refusal(content, name)


def test_files_that_break_off_anywhere_are_refused():
    compressed = npz_bytes(np.savez_compressed, labels=np.arange(100) % 7)
    for content in (npy_bytes(np.arange(9)), SAMPLES["npz"].content, compressed):
        for size in range(0, len(content), 7):
            refusal(content[:size], "a.npz")


def test_a_compressed_array_with_any_byte_changed_is_refused_or_right():
    labels = np.arange(100) % 7
    content = npz_bytes(np.savez_compressed, labels=labels)
    right = read(content, "a.npz")
    assert right.to_dict() == {label: set(range(label, 100, 7)) for label in range(7)}
    n_refused = 0
    for at in range(len(content)):
        damaged = bytearray(content)
        damaged[at] ^= 0x55
        try:
            assert read(bytes(damaged), "a.npz") == right, at
        except CoverlapError:
            n_refused += 1
    assert n_refused > len(content) // 2


GOOD = {"shape": [3, 4], "data": np.ones(3), "indices": [0, 1, 2], "indptr": [0, 1, 2, 3]}
MATRICES = {
    "csr": {**GOOD, "format": b"csr"},
    "csc": {**GOOD, "format": b"csc", "shape": [4, 3]},
    "bsr": {**GOOD, "format": b"bsr", "data": np.ones((3, 1, 1))},
}


@pytest.mark.parametrize(
    "changes",
    [
        {"indices": [0, -1, 2]}, {"indices": [0, 4, 2]}, {"indptr": [0, 2, 1, 3]},
        {"indptr": [1, 2, 3, 3]}, {"indptr": [0, 1, 2, 10**8]}, {"indptr": [0, -5, 2, 3]},
        {"indptr": [0, 1, 3]}, {"indices": [0, 1]}, {"data": np.ones(2)}, {"shape": [3, 2]},
        {"shape": [2, 4]}, {"shape": [3]}, {"shape": [3, -4]}, {"shape": [[3, 4]]}, {"shape": b"x"},
        {"format": b"xxx"}, {"format": b"lil"}, {"format": [b"csr", b"csr"]}, {"format": b"\xff"},
        {"indptr": ["a", "b", "c", "d"]}, {"indices": [[0, 1, 2]]}, {"indptr": []},
        {"data": ["a", "b", "c"]},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("kind", MATRICES)
@pytest.mark.filterwarnings("ignore")
def test_broken_sparse_matrices_are_refused(kind: str, changes: dict[str, object]):
    if kind == "csc" and changes.get("shape") in ([3, 2], [2, 4]):
        changes = {"shape": changes["shape"][::-1]}
    read(stored(**MATRICES[kind]), "m.npz")
    refusal(stored(**{**MATRICES[kind], **changes}), "m.npz")


@pytest.mark.parametrize(
    "arrays",
    [
        {"format": b"coo", "data": [1, 1], "row": [0, 10**8], "col": [0, 1]},
        {"format": b"coo", "data": [1, 1], "row": [0, -1], "col": [0, 1]},
        {"format": b"coo", "data": [1, 1], "row": [0], "col": [0, 1]},
        {"format": b"dia", "data": [[1, 1]], "offsets": [0, 1]},
        {"format": b"dia", "data": [[1, 1], [1, 1]], "offsets": [0, 0]},
        {"format": b"csr"}, {"format": b"coo"}, {"format": b"bsr"},
    ],
    ids=str,
)  # fmt: skip
def test_other_broken_matrices_are_refused(arrays: dict[str, object]):
    refusal(stored(shape=[3, 4], **arrays), "m.npz")


def test_a_diagonal_far_outside_holds_nothing():
    far = np.array([2**31 - 1, -(2**31)], np.int32)
    content = stored(format=b"dia", shape=[3, 4], data=np.ones((2, 4)), offsets=far)
    c = read(content, "m.npz")
    assert (c.n_clusters, c.n_objects) == (0, 4)


def test_an_archive_of_other_things_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("notes.txt", "1\n2\n")
    for name in ("a.npz", "a.zip"):
        assert "is an archive, but not of arrays" in refusal(file.getvalue(), name)


@pytest.mark.parametrize("format", [5, 1.5, True, np.datetime64("2020"), [[1]]], ids=str)
def test_a_format_that_is_no_text_is_refused(format: object):
    content = stored(**GOOD, format=format)
    assert "format must be text, not" in refusal(content, "m.npz")


@pytest.mark.parametrize("shape", [[3, 2 * 10**9], [10**9, 4], np.array([3, 2**64 - 1], np.uint64)])
@pytest.mark.parametrize(
    "arrays",
    [
        MATRICES["csr"], {"format": b"coo", "data": [1], "row": [3], "col": [1]},
        {"format": b"dia", "data": [[1]], "offsets": [0]},
    ],
    ids=lambda arrays: str(arrays["format"]),
)  # fmt: skip
def test_a_small_file_cannot_declare_a_vast_matrix(arrays: dict[str, object], shape: object):
    message = refusal(stored(**{**arrays, "shape": shape}), "m.npz")
    assert "at most 100,000,000 rows and columns in a file of this size" in message


def test_an_archive_that_expands_beyond_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch):
    content = npz_bytes(np.savez_compressed, labels=np.zeros(10**6, np.int64))
    assert len(content) < 10_000
    assert read(content, "a.npz").n_objects == 10**6
    monkeypatch.setenv("COVERLAP_MAX_BYTES", "1000000")
    message = refusal(content, "a.npz")
    assert "at most 1,000,000 bytes, since they are held in memory, but have 8,000,1" in message


def test_labels_in_fortran_order_are_read():
    content = header(HEADER.replace("False", "True")) + np.array([3, 4]).tobytes()
    assert read(content, "a.npy").to_dict() == {3: {0}, 4: {1}}


def test_labels_without_bytes_are_refused():
    content = header(HEADER.replace("<i8", "|S0").replace("(2,)", "(500000000,)"))
    assert "500,000,000 labels of no bytes" in refusal(content, "a.npy")
