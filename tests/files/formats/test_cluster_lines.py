import pytest

from tests.files.support import line_of, read, refusal, shape


def clusters(content: str | bytes, **options: object) -> dict[object, set[object]]:
    return read(content, "a.txt", "cluster-lines", **options).to_dict()


def test_a_cluster_node_list_has_a_header_comments_numbers_and_shares():
    content = (
        "# Clusters: 3, Nodes: 6, Fuzzy: 1, Numbered: 1\n"
        "# another comment > with : signs\n"
        "12> 1 3:0.5\n"
        "5>  3:0.5 4\t8:.25\n"
        "#2> 6\n"
        "7> 9\n"
    )
    c = read(content, "a.cnl")
    assert list(c.to_dict().items()) == [(5, {3, 4, 8}), (7, {9}), (12, {1, 3})]
    assert "read as: one cluster per line; 3 comment lines skipped\n" in c.describe()


@pytest.mark.parametrize(
    "header", ["", "# Clusters: 1, Fuzzy: 0\n", "# Fuzzy: 1\n", "# a\n# Clusters: 1, Fuzzy: 1\n"]
)
def test_a_colon_is_part_of_an_id_unless_the_header_says_fuzzy(header: str):
    assert clusters(f"{header}urn:1 urn:2\n") == {0: {"urn:1", "urn:2"}}


def test_only_what_follows_the_last_colon_is_a_share():
    assert clusters("# Clusters: 1, Fuzzy: 1\nurn:1:0.5 :0.5 x: y\n") == {
        0: {"urn:1", ":0.5", "x", "y"}
    }


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("1> 2 3\n4 5\n", 2), ("4 5\n1> 2 3\n", 2), ("# c\n\n1> 2\n\n3\n", 5),
        ("1> 2\n1234567890123456789> 3\n", 2), ("1> 2\n> 3\n", 2), ("1> 2\nx> 3\n", 2),
    ],
)  # fmt: skip
def test_numbers_in_front_of_some_lines_only_are_refused(content: str, line: int):
    assert line_of(refusal(content, "a.cnl")) == line


def test_a_number_in_front_of_two_lines_is_refused():
    message = refusal("# c\n3> 1 2\n4> 5\n3> 9\n4> 6\n", "a.cnl")
    assert message.endswith("a.cnl, line 4: cluster 3 is there twice")


def test_a_sign_of_a_number_inside_a_line_is_part_of_an_id():
    assert clusters("a 1> b>\nx> >\n") == {0: {"a", "1>", "b>"}, 1: {"x>", ">"}}


def test_repeated_members_empty_lines_and_equal_clusters_are_counted():
    c = read("1 2 1\n\n2 1\n3\n\n\n", "a.cnl")
    assert c.to_dict() == {0: {1, 2}, 3: {3}}
    assert (c.n_dropped, c.n_merged) == (1, 1)


@pytest.mark.parametrize(
    ("content", "members"),
    [
        ("7 -7 0", {7, -7, 0}), ("7 1.0", {"7", "1.0"}),
        ("7 1234567890123456789012", {7, 1234567890123456789012}),
        ("-9223372036854775808 9223372036854775807", {-(2**63), 2**63 - 1}),
        ("999999999999999999 1000000000000000000", {10**18 - 1, 10**18}),
        ("-1 -2", {-1, -2}), ("٣ 3", {"٣", "3"}), ("a\xa0b c\u2003d", {"a\xa0b", "c\u2003d"}),
        ('"a b"', {'"a', 'b"'}), ("[1 2]", {"[1", "2]"}),
    ],
)  # fmt: skip
def test_ids_are_integers_only_if_all_are_written_as_such(content: str, members: set[object]):
    found = clusters(content)[0]
    assert found == members
    assert set(map(type, found)) == set(map(type, members))


@pytest.mark.parametrize(
    ("delimiter", "content"),
    [
        (",", "a b, c,d \n,, ,y\n"), ("#", "a b#c#d\ny"), ("x", "a bxcxd\ny x\n"),
    ],
)  # fmt: skip
def test_a_delimiter_parts_members_and_spaces_only_surround_them(delimiter: str, content: str):
    assert clusters(content, delimiter=delimiter) == {0: {"a b", "c", "d"}, 1: {"y"}}


def test_a_blank_delimiter_stands_for_any_spaces_and_tabs():
    assert clusters("a\t b \v\fc\n", delimiter=" ") == {0: {"a", "b", "c"}}


@pytest.mark.parametrize(
    ("content", "outliers", "expected"),
    [
        ("1 2\n2 3\n", 1, {0: {1, 2}}), ("7> 1 2\n8> 2 3\n", 7, {8: {2, 3}}),
        ("7> 1 2\n8> 2 3\n", 9, {7: {1, 2}, 8: {2, 3}}),
    ],
)  # fmt: skip
def test_the_outlier_cluster_is_a_position_or_a_number_in_front(content, outliers, expected):
    c = read(content, "a.cnl", outlier_cluster=outliers)
    assert (c.to_dict(), c.objects) == (expected, [1, 2, 3])


def test_comments_alone_are_no_clusters_and_no_objects():
    assert shape(read("# nothing\n#\n", "a.cnl")) == (set(), set())
