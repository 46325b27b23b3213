from pathlib import Path

import pytest

from coverlap import Clustering, as_clustering, compare
from coverlap.adapters.files import read_files, read_files_and_ids, token_value
from coverlap.adapters.labels import NEGATIVE
from coverlap.errors import CoverlapError, FileError, InputError, OptionError, UniverseError

BOM = b"\xef\xbb\xbf"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, content: str | bytes) -> str:
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def read(*names: str, **options: object) -> list[Clustering]:
    parts = read_files(names, **{"outlier_label": NEGATIVE, **options})
    return [Clustering._make(part) for part in parts]


def refusal(kind: type[CoverlapError], *names: str, **options: object) -> str:
    with pytest.raises(kind) as caught:
        read(*names, **options)
    return str(caught.value)


# Tokens


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ("0", 0), ("-1", -1), ("42", 42), ("007", "007"), ("-0", "-0"), ("+1", "+1"),
        ("1.0", 1), ("-1.", -1), ("-1.000000000000000000e+00", -1), ("1.5e+01", 15),
        ("1e5", "1e5"), ("1.2.3", "1.2.3"), ("T cell", "T cell"), ("NA", None),
        ("NULL", None), ("Na", "Na"),
        ("9" * 5000, "9" * 5000),
        ("", None), ("nan", None), ("NaN", None), ("None", None), ("<NA>", None), ("NaT", None),
    ],
)  # fmt: skip
def test_a_token_is_an_integer_a_name_or_nothing(token: str, value: object):
    found = token_value(token)
    assert (found, type(found)) == (value, type(value))


# Labels


def test_lines_are_objects_and_negative_integers_are_outliers():
    (c,) = read(write("a.txt", "x\n-1\nx\ny\n"))
    assert c.to_dict() == {"x": {0, 2}, "y": {3}}
    assert c.n_objects == 4


def test_other_labels_can_mean_outliers():
    (c,) = read(write("a.txt", "x\n-1\nx\ny\n"), outlier_label={"y"})
    assert c.to_dict() == {-1: {1}, "x": {0, 2}}


@pytest.mark.parametrize(
    "content",
    [
        b"7\na b\n7", b"7\na b\n7\n", b"7\na b\n7\n\n\n", b"7\r\na b\r\n7\r\n", b"7\ra b\r7\r",
        BOM + b"7\na b\n7\n", BOM + b" 7\t\r\n  a b \r\n7\r\n",
    ],
)  # fmt: skip
def test_byte_order_marks_line_ends_and_outer_spaces_mean_nothing(content: bytes):
    (c,) = read(write("a.txt", content), outlier_label=())
    assert c.to_dict() == {7: {0, 2}, "a b": {1}}


@pytest.mark.parametrize("character", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
def test_only_line_ends_end_a_line(character: str):
    (c,) = read(write("a.txt", f"a{character}b\nc\n"))
    assert c.n_objects == 2


def test_labels_as_numpy_writes_them():
    np = pytest.importorskip("numpy")
    np.savetxt("a.txt", np.array([3, 3, -1, 0]))
    np.savetxt("b.txt", np.array([3, 3, np.nan, 0]))
    for name in ("a.txt", "b.txt"):
        assert read(name)[0].to_dict() == {0: {3}, 3: {0, 1}}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"0\n1\n0.5\n", "a.txt, line 3: labels must name clusters, but this one is 0.5"),
        (b"0\n\n1\n", "a.txt, line 2: no label"),
        (b"0,1\n1,2\n", "a.txt: every line holds a comma"),
        (b"0\t1\n1\t2\n", "a.txt: every line holds a tab"),
        (b"label\n0\n1\n", "a.txt, line 1: 'label' looks like a header"),
        (b"0\n1\n\xff\n", "a.txt, line 3: not UTF-8 text"),
        ("0\n1\n".encode("utf-16"), "a.txt, line 1: not UTF-8 text"),
        (b"", "a.txt, line 1: the file is empty"),
        (BOM + b"\r\n", "a.txt, line 1: the file is empty"),
    ],
)
def test_bad_labels_are_refused_with_file_and_line(content: bytes, message: str):
    write("a.txt", content)
    assert message in refusal(InputError, "a.txt")


def test_a_first_label_is_no_header_if_another_label_is_text():
    (c,) = read(write("a.txt", "label\n0\n1\nlabel\n"))
    assert c.n_objects == 4


# Pairs


PAIRS = "object,cluster\nann,x\nbob,x\nbob,y\ncyd,\ndan,-1\n"


def check_pairs(c: Clustering) -> None:
    assert c.to_dict() == {"x": {"ann", "bob"}, "y": {"bob"}}
    assert set(c.objects) == {"ann", "bob", "cyd", "dan"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", PAIRS),
        ("a.CSV", PAIRS),
        ("a.tsv", PAIRS.replace(",", "\t")),
        ("a.csv", PAIRS.replace("\n", "\r\n")),
        ("a.csv", PAIRS.rstrip("\n")),
        ("a.csv", PAIRS + "\n\n"),
        ("a.csv", BOM + PAIRS.encode()),
        ("a.csv", PAIRS.replace(",", " , ")),
        ("a.csv", PAIRS.replace("ann", '"ann"')),
        ("a.csv", "\n".join(f"{line},more" for line in PAIRS.splitlines())),
    ],
)
def test_pairs_are_objects_and_their_clusters(name: str, content: str | bytes):
    check_pairs(read(write(name, content))[0])


def test_a_quoted_field_may_hold_delimiters_quotes_and_line_ends():
    (c,) = read(write("a.csv", 'object,cluster\n"b, ann","x\ny"\n"say ""hi""",z\n'))
    assert c.to_dict() == {"x\ny": {"b, ann"}, "z": {'say "hi"'}}


def test_a_header_alone_is_no_objects_and_no_clusters():
    (c,) = read(write("a.csv", "object,cluster\n"))
    assert (c.n_objects, c.n_clusters) == (0, 0)


def test_columns_can_have_other_names():
    content = PAIRS.replace("object", "record").replace("cluster", "entity")
    check_pairs(read(write("a.csv", content), object="record", cluster="entity")[0])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"object,cluster\na,x\nb\n",
            "a.csv, line 3: the header has 2 fields, but this line has 1",
        ),
        (b"object,cluster\na,x,y\n", "a.csv, line 2: the header has 2 fields, but this line has 3"),
        (b"object,cluster\na,x\n\nb,x\n", "a.csv, line 3: the header has 2 fields"),
        (b"item,cluster\na,x\n", "a.csv, line 1: no column 'object' among 'item', 'cluster'"),
        (b"object,object,cluster\na,a,x\n", "a.csv, line 1: 2 columns called 'object'"),
        (b"object,cluster\n,x\n", "a.csv, line 2: no object"),
        (b"object,cluster\na,1\nb,1.25\n", "a.csv, line 3: labels must name clusters"),
        (b'object,cluster\n"a,x\nb,y\n', "a.csv, line 3: unexpected end of data"),
        (b"object,cluster\na,\xe9\n", "a.csv, line 2: not UTF-8 text"),
        (b" \n", "a.csv, line 1: the file is empty"),
    ],
)
def test_bad_pairs_are_refused_with_file_and_line(content: bytes, message: str):
    write("a.csv", content)
    assert message in refusal(InputError, "a.csv")


def test_object_and_cluster_are_two_columns():
    write("a.csv", PAIRS)
    assert "two columns" in refusal(OptionError, "a.csv", object="cluster")


# Ids


def test_ids_are_integers_only_if_all_of_both_files_are():
    write("a.csv", "object,cluster\n1,x\n2,x\n")
    write("b.csv", "object,cluster\n1,x\n3,x\n")
    write("c.csv", "object,cluster\n1,x\n007,x\n")
    assert [set(c.objects) for c in read("a.csv", "b.csv")] == [{1, 2}, {1, 3}]
    assert [set(c.objects) for c in read("a.csv", "c.csv")] == [{"1", "2"}, {"1", "007"}]


def test_integers_against_text_share_no_object_and_are_refused():
    write("a.csv", "object,cluster\n7,x\n8,x\n")
    write("b.csv", "object,cluster\n007,x\n008,x\n")
    message = (
        "the ids of a.csv are integers (7, ...) and those of b.csv are strings ('007', ...), so "
        "they share no object; convert one side"
    )
    assert refusal(UniverseError, "a.csv", "b.csv") == message
    assert refusal(UniverseError, "b.csv", "a.csv") == message


def test_ids_of_a_universe_share_the_type_of_the_files():
    write("a.csv", "object,cluster\n1,x\n2,x\n")
    _, ids = read_files_and_ids(["a.csv"], write("ids", "1\r\n2\r\n9\r\n"), outlier_label=NEGATIVE)
    assert ids == [1, 2, 9]
    parts, ids = read_files_and_ids(["a.csv"], write("ids", "1\n2\nz"), outlier_label=NEGATIVE)
    assert ids == ["1", "2", "z"]
    assert parts[0].objects.names().tolist() == ["1", "2"]


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        (b"1\n\n2\n", InputError, "ids, line 2: no id"),
        (b"", InputError, "ids, line 1: the file is empty"),
        (b"1\n\xff\n", InputError, "ids, line 2: not UTF-8 text"),
        (b"object\n1\n", InputError, "ids, line 1: 'object' is the name of a column"),
        (b"x\ny\n", UniverseError, "the ids of a.csv are integers (1, ...) and those of ids are"),
    ],
)
def test_bad_ids_are_refused_with_file_and_line(
    content: bytes, kind: type[CoverlapError], message: str
):
    write("a.csv", "object,cluster\n1,x\n2,x\n")
    write("ids", content)
    with pytest.raises(kind) as caught:
        read_files_and_ids(["a.csv"], "ids", outlier_label=NEGATIVE)
    assert message in str(caught.value)


# Paths


def test_what_is_no_readable_file_is_refused(folder: Path):
    assert refusal(FileError, "none.txt") == "none.txt: No such file or directory"
    assert refusal(FileError, str(folder)) == f"{folder}: Is a directory"
    assert "'a\\x00b' cannot be the path" in refusal(FileError, "a\0b")
    with pytest.raises(OSError, match=r"none\.txt"):
        as_clustering("none.txt")


def test_two_paths_are_compared_as_files():
    write("a.txt", "0\n0\n1\n-1\n")
    write("b.csv", "object,cluster\n0,x\n1,x\n2,y\n3,\n")
    assert compare("a.txt", Path("b.csv")).score == 1.0
