import pytest

from coverlap import Clustering, InputError, read_clustering, write_clustering
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


def test_without_outlier_labels_only_missing_ones_mean_outliers():
    c = read("x\n-1\nx\ny\nNA\n", "a.txt", outlier_label=())
    assert (c.to_dict(), c.n_objects) == ({-1: {1}, "x": {0, 2}, "y": {3}}, 5)


def test_byte_order_marks_line_ends_and_outer_spaces_mean_nothing():
    c = read(BOM + b" 7\t\r\n  a b \r7\r\n \n\t\n", "a.txt", "labels", outlier_label=())
    assert c.to_dict() == {7: {0, 2}, "a b": {1}}


@pytest.mark.parametrize(
    "label",
    [
        "a,b", "#1", '"a"', '"', "[1, 2]", "{", "a\tb", "é", "x>", ":", "a\x0bb", "a\x0cb",
        "a\x1cb", "a\x85b", "a\u2028b", "a\ufeffb",
    ],
)  # fmt: skip
def test_only_line_ends_mean_something_in_a_label(label: str):
    assert read(f"{label}\n0\n{label}\n", "a.txt", "labels").to_dict() == {0: {1}, label: {0, 2}}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0\n1\n0.5\n", "line 3: labels must name clusters, but this one is 0.5"),
        ("0\n1\n\n\n\n1\n", "line 3: a blank line"),
        ("label\n0\n1\n", "line 1: 'label' looks like a header"),
        ("label\n0\n1.0\n", "line 1: 'label' looks like a header"),
    ],
)
def test_bad_labels_are_refused_with_file_and_line(content: str, message: str):
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
    for last in "xy":
        assert "header" not in read(f"x\n0\n{last}\n", "a.txt", "labels").describe()


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
