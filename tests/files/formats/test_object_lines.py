import gzip

import pytest

from tests.files.support import line_of, read, refusal

ABCDOO = b"7\t[2, 5]\n8\t[1]\n9\t[5]\n10\t[2]\n"
OUTLIERS = "1 -1\n2 -2 5\n3 NA\n4 None 5\n5 Unassigned\n"


def found(content: str | bytes, name: str = "a.txt", **options: object):
    c = read(content, name, "object-lines", **options)
    return c.to_dict(), c.objects


def test_lfr_writes_an_object_and_its_clusters():
    c = read("1\t1 2 \n2\t2\n3\t1\n4\t2 1 3 \n", "found.txt")
    assert c.to_dict() == {1: {1, 3, 4}, 2: {1, 2, 4}, 3: {4}}
    assert c.describe().startswith("read as: one object per line with its clusters\n")


@pytest.mark.parametrize("name", ["com.dat", "whatever"])
def test_abcdoo_writes_a_list_in_brackets_and_calls_the_cluster_of_outliers_1(name: str):
    c = read(ABCDOO, name, outlier_cluster=1)
    assert (c.to_dict(), c.objects) == ({2: {7, 10}, 5: {7, 9}}, [7, 8, 9, 10])
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
    c = read(content, "com.dat", duplicates="keep")
    assert (c.to_dict(), c.objects) == ({2: {7}, 5: {7}}, [7, 8])


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("7 [2, 5]\n8 [2, 5", 2), ("7 [2, 5]\n8 [", 2), ("7 [2, 5]\n8 2\n", 2),
        ("7 [2]\n\n# [\n8 2]\n", 4), ("7 [2] [3]\n", 1), ("7 [[2]]\n", 1), ("7 [2] 3\n", 1),
        ("7 ]2[\n8 [2]\n", 1), ("7 [2]\n8 ]2[\n", 2), ("7 [2]\n[3] 8\n", 2),
        ("7 [2]\n[3]\n", 2), ("7 [2\n]\n", 1), ("7 [2]\n8\n", 2), ("7 [2]\n8 9 [5]\n", 2),
        ("7 []\n8 9 []\n", 2), ("7 [2]\n]\n", 2),
    ],
)  # fmt: skip
def test_a_list_that_is_broken_off_or_doubled_is_refused(content: str, line: int):
    assert line_of(refusal(content, "com.dat")) == line


def test_the_first_line_that_is_no_comment_tells_whether_there_are_lists():
    blocks = b"# c\n" * 100_000 + ABCDOO
    for content in (blocks, gzip.compress(b"# c\n\n") + gzip.compress(ABCDOO)):
        assert found(content)[0] == {1: {8}, 2: {7, 10}, 5: {7, 9}}


@pytest.mark.parametrize(
    ("content", "delimiter", "clusters", "objects"),
    [
        ("a [b],c\nd [e]\n", ",", {"c": {"a [b]"}}, ["a [b]", "d [e]"]),
        ("7, [2, 5]\n8,[5]\n", ",", {2: {7}, 5: {7, 8}}, [7, 8]),
        ("7 a\n8 [b]\n", " ", {"[b]": {8}, "a": {7}}, [7, 8]),
        ("ann lee, T cell ,B\nbob,\ncyd,B\n", ",", {"B": {"ann lee", "cyd"}, "T cell": {"ann lee"}},
         ["ann lee", "bob", "cyd"]),
    ],
)  # fmt: skip
def test_a_delimiter_that_is_said_leaves_spaces_and_brackets_in_names_unless_a_list_comes_first(
    content: str, delimiter: str, clusters: dict[object, set[object]], objects: list[object]
):
    assert found(content, delimiter=delimiter) == (clusters, objects)


@pytest.mark.parametrize(
    ("options", "clusters"),
    [
        ({}, {5: {2, 4}, "Unassigned": {5}}),
        ({"outlier_label": ()}, {-2: {2}, -1: {1}, 5: {2, 4}, "Unassigned": {5}}),
    ],
)
def test_labels_that_mean_no_cluster_are_left_out(options, clusters):
    assert found(OUTLIERS, **options) == (clusters, [1, 2, 3, 4, 5])


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("1.0", 1), ("2.5e1", 25), ("007", "007"), ("1e5", "1e5"), ("+3", "+3"), ("x>", "x>"),
        ("a:0.5", "a:0.5"), ("1234567890123456789012", 1234567890123456789012),
    ],
)  # fmt: skip
def test_clusters_are_called_as_labels_are(label: str, name: object):
    (called,) = found(f"7 {label}\n")[0]
    assert (called, type(called)) == (name, type(name))


def test_a_continuous_label_is_refused_with_its_line():
    message = refusal("1 2\n\n3 4 0.25\n", "community.dat")
    assert message.endswith("line 3: labels must name clusters, but this one is 0.25, a "
                            "continuous number")  # fmt: skip


@pytest.mark.parametrize(
    ("content", "clusters", "n"),
    [("# a\n1 2\n#b\n3 2\n", {2: {1, 3}}, "2 comment lines"), ("# a\n", {}, "1 comment line")],
)
def test_comments_are_counted_and_skipped(content: str, clusters: dict[int, set[int]], n: str):
    c = read(content, "community.dat")
    assert (c.to_dict(), c.n_objects) == (clusters, 2 * len(clusters))
    assert f"; {n} skipped\n" in c.describe()
