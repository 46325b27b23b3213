import gzip

import pytest

from coverlap.core.errors import OptionError
from tests.files.support import line_of, read, refusal

LFR = "1\t4\n2\t4\n3\t2\n4\t7\n5\t2\n"
OVERLAPPING = "1\t1 2 \n2\t2\n3\t1\n4\t2 1 3 \n"
ABCD = "1\t1\n2\t1\n3\t2\n4\t2\n5\t3\n"
ABCDOO = "7\t[2, 5]\n8\t[1]\n9\t[5]\n10\t[2]\n"


def test_lfr_writes_an_object_and_its_cluster():
    c = read(LFR, "community.dat")
    assert c.to_dict() == {2: {3, 5}, 4: {1, 2}, 7: {4}}
    assert c.describe().startswith("read as: one object per line with its clusters\n")


@pytest.mark.parametrize("name", ["community.dat", "found.txt"])
def test_overlapping_lfr_writes_an_object_and_its_clusters(name: str):
    c = read(OVERLAPPING, name)
    assert c.to_dict() == {1: {1, 3, 4}, 2: {1, 2, 4}, 3: {4}}


def test_abcd_with_outliers_calls_their_cluster_1():
    c = read(ABCD, "com.dat", outlier_cluster=1)
    assert c.to_dict() == {2: {3, 4}, 3: {5}}
    assert c.objects == [1, 2, 3, 4, 5]
    assert read(ABCD, "com.dat").n_clusters == 3


@pytest.mark.parametrize("name", ["com.dat", "whatever"])
def test_abcdoo_writes_a_list_in_brackets(name: str):
    c = read(ABCDOO, name, outlier_cluster=1)
    assert c.to_dict() == {2: {7, 10}, 5: {7, 9}}
    assert c.objects == [7, 8, 9, 10]
    assert c.describe().startswith(
        "read as: one object per line with a bracketed list of its clusters\n"
    )


@pytest.mark.parametrize(
    "content",
    [
        "7 [2,5]\n8 []\n", "7\t[ 2 , 5 ]\n8 [ ]\n", "# c\n\n7  [5, 2, 2]  \n8[]\n",
        "7 [2\t5]\r\n8 []", "7 [2, 5]\n#[\n8 []\n",
    ],
)  # fmt: skip
def test_lists_may_be_empty_and_have_any_spaces(content: str):
    c = read(content, "com.dat")
    assert set(map(frozenset, c.to_clusters())) == {frozenset({7})}
    assert c.objects == [7, 8]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("7 [2, 5]\n8 [2, 5", 2), ("7 [2, 5]\n8 [", 2), ("7 [2, 5]\n8 2\n", 2),
        ("7 [2]\n\n# [\n8 2]\n", 4), ("7 [2] [3]\n", 1), ("7 [[2]]\n", 1), ("7 [2] 3\n", 1),
        ("7 ]2[\n8 [2]\n", 1), ("7 [2]\n8 ]2[\n", 2), ("7 [2]\n[3] 8\n", 2),
        ("7 [2]\n[3]\n", 2), ("7 [2\n]\n", 1), ("7 [2]\n[] 3\n", 2),
        ("7 [2]\n[]\n", 2), ("7 [2]\n8\n", 2), ("7 [2]\n8 9 [5]\n", 2), ("7 [2]\n8 9 []\n", 2),
        ("7 []\n8 9 [5]\n", 2), ("7 [2]\n]\n", 2),
    ],
)  # fmt: skip
def test_a_list_that_is_broken_off_or_doubled_is_refused(content: str, line: int):
    assert line_of(refusal(content, "com.dat")) == line


def test_the_first_line_that_is_no_comment_tells_whether_there_are_lists():
    comments = "# c\n" * 100_000  # longer than one block
    assert read(comments + ABCDOO, "com.dat").to_dict() == {1: {8}, 2: {7, 10}, 5: {7, 9}}
    parts = gzip.compress(b"# c\n\n") + gzip.compress(ABCDOO.encode())
    c = read(parts, "x.txt", "object-lines")
    assert c.to_dict() == {1: {8}, 2: {7, 10}, 5: {7, 9}}


def test_a_bracket_after_a_space_is_no_list_where_another_delimiter_parts_fields():
    c = read("a [b],c\nd [e]\n", "x.txt", "object-lines", delimiter=",")
    assert (c.to_dict(), c.objects) == ({"c": {"a [b]"}}, ["a [b]", "d [e]"])
    c = read("7,[2, 5]\n8, [5]\n", "x.txt", "object-lines", delimiter=",")
    assert c.to_dict() == {2: {7}, 5: {7, 8}}


def test_brackets_are_part_of_a_name_if_the_delimiter_is_said_and_the_first_has_no_list():
    c = read("7 a\n8 [b]\n", "x.txt", "object-lines", delimiter=" ")
    assert c.to_dict() == {"[b]": {8}, "a": {7}}


def test_objects_without_clusters_are_outliers():
    c = read("ann\nbob x\n", "a.txt", "object-lines")
    assert c.to_dict() == {"x": {"bob"}}
    assert c.objects == ["ann", "bob"]


def test_labels_that_mean_no_cluster_are_left_out():
    content = "1 -1\n2 -2 5\n3 NA\n4 None 5\n5 Unassigned\n"
    c = read(content, "a.txt", "object-lines")
    assert (c.to_dict(), c.n_objects) == ({5: {2, 4}, "Unassigned": {5}}, 5)
    c = read(content, "a.txt", "object-lines", outlier_label=("Unassigned", 5))
    assert (c.to_dict(), c.n_objects) == ({-2: {2}, -1: {1}}, 5)
    c = read(content, "a.txt", "object-lines", outlier_label=())
    assert c.to_dict() == {-2: {2}, -1: {1}, 5: {2, 4}, "Unassigned": {5}}


def test_an_object_on_several_lines_is_in_all_their_clusters():
    c = read("1 a\n2 a\n1 b\n1\n1 a\n", "a.txt", "object-lines")
    assert c.to_dict() == {"a": {1, 2}, "b": {1}}


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("1.0", 1), ("2.5e1", 25), ("007", "007"), ("1e5", "1e5"), ("+3", "+3"), ("x>", "x>"),
        ("a:0.5", "a:0.5"), ("1234567890123456789012", 1234567890123456789012),
    ],
)  # fmt: skip
def test_clusters_are_called_as_labels_are(label: str, name: object):
    (found,) = read(f"7 {label}\n", "a.txt", "object-lines").names
    assert (found, type(found)) == (name, type(name))


def test_a_continuous_label_is_refused_with_its_line():
    message = refusal("1 2\n\n3 4 0.25\n", "community.dat")
    assert message.endswith("line 3: labels must name clusters, but this one is 0.25, a "
                            "continuous number")  # fmt: skip


def test_a_delimiter_leaves_spaces_inside_names():
    c = read("ann lee, T cell ,B\nbob,\ncyd,B\n", "a.txt", "object-lines", delimiter=",")
    assert c.to_dict() == {"B": {"ann lee", "cyd"}, "T cell": {"ann lee"}}
    assert c.objects == ["ann lee", "bob", "cyd"]


def test_comments_are_counted_and_skipped():
    c = read("# a\n1 2\n#b\n3 2\n", "community.dat")
    assert c.to_dict() == {2: {1, 3}}
    assert "; 2 comment lines skipped\n" in c.describe()


def test_comments_alone_are_no_objects():
    c = read("# a\n", "community.dat")
    assert (c.n_objects, c.n_clusters) == (0, 0)


@pytest.mark.parametrize("option", ["object", "cluster", "keys"])
def test_options_of_other_formats_are_refused(option: str):
    with pytest.raises(OptionError, match=f"^{option} means nothing in the format 'object-lines'"):
        read(LFR, "community.dat", **{option: "objects"})
