import numpy as np
import pytest

from coverlap import Clustering, InputError, read_clustering, write_clustering
from coverlap.core.errors import OptionError
from coverlap.core.spelling import token_value
from tests.files.support import BOM, read, refusal


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ("0", 0), ("-1", -1), ("42", 42), ("007", "007"), ("-0", "-0"), ("+1", "+1"),
        ("1.0", 1), ("-1.", -1), ("-1.000000000000000000e+00", -1), ("1.5e+01", 15),
        ("1e5", "1e5"), ("1.2.3", "1.2.3"), ("T cell", "T cell"), ("NA", None),
        ("NULL", None), ("Na", "Na"), ("9" * 5000, "9" * 5000), ("٣", "٣"), ("1_0", "1_0"),
        ("", None), ("nan", None), ("NaN", None), ("None", None), ("<NA>", None), ("NaT", None),
        ("null", None), ("-", "-"), ("--1", "--1"), ("0x1", "0x1"), ("inf", "inf"),
    ],
)  # fmt: skip
def test_a_token_is_an_integer_a_name_or_nothing(token: str, value: object):
    found = token_value(token)
    assert (found, type(found)) == (value, type(value))


def test_lines_are_objects_and_negative_integers_are_outliers():
    c = read("x\n-1\nx\ny\n-7\n", "a.txt")
    assert c.to_dict() == {"x": {0, 2}, "y": {3}}
    assert c.objects == [0, 1, 2, 3, 4]
    assert c.describe().startswith("read as: one label per line\n")


def test_other_labels_can_mean_outliers():
    content = "x\n-1\nx\ny\nNA\n"
    assert read(content, "a.txt", outlier_label={"y"}).to_dict() == {-1: {1}, "x": {0, 2}}
    assert read(content, "a.txt", outlier_label=()).to_dict() == {
        -1: {1}, "x": {0, 2}, "y": {3},
    }  # fmt: skip
    c = read(content, "a.txt", outlier_cluster="x")
    assert (c.to_dict(), c.n_objects) == ({"y": {3}}, 5)


@pytest.mark.parametrize(
    "content",
    [
        b"7\na b\n7", b"7\na b\n7\n", b"7\na b\n7\n\n\n", b"7\r\na b\r\n7\r\n", b"7\ra b\r7\r",
        BOM + b"7\na b\n7\n", BOM + b" 7\t\r\n  a b \r\n7\r\n", b"7\na b\r7\n \n\t\n",
    ],
)  # fmt: skip
def test_byte_order_marks_line_ends_and_outer_spaces_mean_nothing(content: bytes):
    c = read(content, "a.txt", "labels", outlier_label=())
    assert c.to_dict() == {7: {0, 2}, "a b": {1}}


@pytest.mark.parametrize("character", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\ufeff"])
def test_only_line_ends_end_a_line(character: str):
    c = read(f"a{character}b\nc\n", "a.txt", "labels")
    assert c.to_dict() == {f"a{character}b": {0}, "c": {1}}


@pytest.mark.parametrize("label", ["a,b", "#1", '"a"', '"', "[1, 2]", "{", "a\tb", "é", "x>", ":"])
def test_signs_mean_nothing_in_a_label(label: str):
    assert read(f"{label}\n0\n{label}\n", "a.txt", "labels").to_dict() == {0: {1}, label: {0, 2}}


def test_labels_as_numpy_writes_them(tmp_path):
    np.savetxt(tmp_path / "a.txt", np.array([3, 3, -1, 0]))
    np.savetxt(tmp_path / "b.txt", np.array([3, 3, np.nan, 0]))
    for name in ("a.txt", "b.txt"):
        content = (tmp_path / name).read_bytes()
        assert read(content, name).to_dict() == {0: {3}, 3: {0, 1}}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"0\n1\n0.5\n", "line 3: labels must name clusters, but this one is 0.5"),
        (b"0\n\n1\n", "line 2: a blank line"),
        (b"0\n1\n\n\n\n1\n", "line 3: a blank line"),
        (b"label\n0\n1\n", "line 1: 'label' looks like a header"),
        (b"label\n0\n1.0\n", "line 1: 'label' looks like a header"),
        (b"0\n1\n\xff\n", "line 3: not UTF-8 text"),
        (b"0\n1\n\xc3", "line 3: not UTF-8 text"),
        (b"0\n\0\n", "line 2: a null character"),
        ("0\n1\n".encode("utf-16"), "line 1: "),
        (b"", "line 1: the file is empty"),
        (BOM + b"\r\n", "line 1: the file is empty"),
    ],
)
def test_bad_labels_are_refused_with_file_and_line(content: bytes, message: str):
    assert f"a.labels, {message}" in refusal(content, "a.labels")


def test_a_first_label_is_no_header_if_another_label_is_text():
    assert read("label\n0\n1\nlabel\n", "a.txt").n_objects == 4
    assert read("kind\n0\n1\nother\n", "a.txt").n_objects == 4


@pytest.mark.parametrize("name", ["label", "Label", "labels", "cluster", "community"])
def test_the_usual_name_of_a_column_is_a_header_whatever_follows(name: str):
    content = f"{name}\nT cell\nB cell\nT cell\n"
    message = refusal(content, "a.labels")
    assert f"a.labels, line 1: '{name}' looks like a header" in message
    assert message.endswith("say format='labels' (--format labels)")


def test_whoever_says_labels_may_begin_with_text():
    c = read("label\n0\n1\n", "a.txt", "labels")
    assert c.to_dict() == {0: {1}, 1: {2}, "label": {0}}
    assert c.describe().startswith(
        "read as: one label per line; line 1, 'label', was read as a label but looks like a header"
    )
    assert "header" not in read("x\n0\nx\n", "a.txt", "labels").describe()
    assert "header" not in read("x\n0\ny\n", "a.txt", "labels").describe()


@pytest.mark.parametrize("names", [["label", "x", "x"], ["x", 0, 1]])
def test_labels_that_would_look_like_a_header_are_not_written(names: list, tmp_path):
    c = Clustering.from_labels(names)
    with pytest.raises(InputError, match="would look like a header in labels"):
        write_clustering(c, tmp_path / "a.labels")
    write_clustering(c, tmp_path / "a.json")
    assert read_clustering(tmp_path / "a.json") == c


def test_labels_of_several_words_are_labels_if_the_name_says_so():
    content = "T cell\nB cell\nT cell\n"
    assert read(content, "a.labels").to_dict() == {"B cell": {1}, "T cell": {0, 2}}
    words = "".join(f"w{i}\n" for i in range(20_000))  # detection uses only these lines
    message = refusal(f"{words}a b\n", "a.txt")
    assert "line 20001: this could be one label or several fields" in message


def test_one_label_is_one_object():
    assert read("5", "a.txt").to_dict() == {5: {0}}
    c = read("-1", "a.txt")
    assert (c.n_objects, c.n_clusters) == (1, 0)


def test_many_labels_are_read_across_blocks():
    labels = [f"label {i % 1000}" for i in range(200_000)]
    c = read("\n".join(labels), "a.labels")
    assert c.sizes.tolist() == [200] * 1000
    assert c.to_dict()["label 7"] == set(range(7, 200_000, 1000))


@pytest.mark.parametrize("option", ["object", "cluster", "keys", "delimiter"])
def test_options_of_other_formats_are_refused(option: str):
    value = "," if option == "delimiter" else "objects"
    with pytest.raises(OptionError, match=f"^{option} means nothing in the format 'labels'"):
        read("1\n", "a.labels", **{option: value})


@pytest.mark.parametrize("name", ["a.txt", "a.labels"])
def test_a_comment_in_front_is_refused_unless_labels_are_asked_for(name: str):
    content = "# my labels\nA\nB\nA\nB\nA\nB\nA\n"
    assert "line 1: '# my labels' may be a comment" in refusal(content, name)
    assert read(content, name, "labels").n_objects == 8


@pytest.mark.parametrize(
    "labels", [["9007199254740993.0", "9007199254740992.0"], ["1.5e300", "1.4e300"]]
)
def test_labels_that_floats_cannot_tell_apart_are_refused(labels: list[str]):
    message = refusal("\n".join(labels), "a.labels")
    assert message.endswith(f"line 1: labels must name clusters, but this one is {labels[0]}, a "
                            "continuous number")  # fmt: skip
