import pytest

from coverlap.core.errors import OptionError
from tests.files.support import line_of, read, refusal, shape


def clusters(content: str | bytes, **options: object) -> dict[object, set[object]]:
    return read(content, "a.txt", "cluster-lines", **options).to_dict()


def test_a_snap_file_has_a_cluster_on_each_line_and_ids_with_gaps():
    c = read("4\t900\t17\t\n17\t5\t\n1234567\t\n", "com-youtube.top5000.cmty.txt")
    assert c.to_dict() == {0: {4, 17, 900}, 1: {5, 17}, 2: {1234567}}
    assert c.objects == [4, 5, 17, 900, 1234567]
    assert c.describe().startswith("read as: one cluster per line\n")


def test_a_cluster_node_list_has_a_header_comments_numbers_and_shares():
    content = (
        "# Clusters: 3, Nodes: 6, Fuzzy: 1, Numbered: 1\n"
        "# another comment > with : signs\n"
        "0> 1 3:0.5\n"
        "5>  3:0.5 4\t8:.25\n"
        "#2> 6\n"
        "7> 9\n"
    )
    c = read(content, "a.cnl")
    assert c.to_dict() == {0: {1, 3}, 5: {3, 4, 8}, 7: {9}}
    assert "read as: one cluster per line; 3 comment lines skipped\n" in c.describe()


def test_a_header_tells_a_cluster_node_list_whatever_its_name():
    assert read("#clusters: 1 nodes: 2\na b\n", "a.txt").to_dict() == {0: {"a", "b"}}


@pytest.mark.parametrize(
    "header", ["", "# Clusters: 1, Fuzzy: 0\n", "# Fuzzy: 1\n", "# a\n# Clusters: 1, Fuzzy: 1\n"]
)
def test_a_colon_is_part_of_an_id_unless_the_header_says_fuzzy(header: str):
    assert clusters(f"{header}urn:1 urn:2\n") == {0: {"urn:1", "urn:2"}}


def test_only_what_follows_the_last_colon_is_a_share():
    assert clusters("# Clusters: 1, Fuzzy: 1\nurn:1:0.5 :0.5 x: y\n") == {
        0: {"urn:1", ":0.5", "x", "y"}
    }


def test_names_come_in_order_of_their_numbers_and_keep_their_members():
    assert list(clusters("12> a b\n3> b c\n").items()) == [(3, {"b", "c"}), (12, {"a", "b"})]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("1> 2 3\n4 5\n", 2), ("4 5\n1> 2 3\n", 2), ("# c\n\n1> 2\n\n3\n", 5),
        ("1> 2\n1234567890123456789> 3\n", 2), ("1> 2\n> 3\n", 2), ("1> 2\nx> 3\n", 2),
    ],
)  # fmt: skip
def test_numbers_in_front_of_some_lines_only_are_refused(content: str, line: int):
    assert line_of(refusal(content, "a.cnl")) == line


def test_a_sign_of_a_number_inside_a_line_is_part_of_an_id():
    assert clusters("a 1> b>\nx> >\n") == {0: {"a", "1>", "b>"}, 1: {"x>", ">"}}


def test_the_share_is_cut_from_members_and_not_from_the_numbers():
    content = "# Clusters: 2, Fuzzy: 1\n1> a:1\n2> b:1\n"
    assert clusters(content) == {1: {"a"}, 2: {"b"}}


def test_repeated_members_empty_lines_and_equal_clusters_are_counted():
    c = read("1 2 1\n\n2 1\n3\n\n\n", "a.cnl")
    assert c.to_dict() == {0: {1, 2}, 3: {3}}
    assert (c.n_dropped, c.n_merged) == (1, 1)


@pytest.mark.parametrize(
    ("content", "members"),
    [
        ("7 x\n", {"7", "x"}), ("7 07\n", {"7", "07"}), ("7 +7\n", {"7", "+7"}),
        ("7 -7 0\n", {7, -7, 0}), ("7 -0\n", {"7", "-0"}), ("7 1.0\n", {"7", "1.0"}),
        ("7 1234567890123456789012\n", {7, 1234567890123456789012}),
        ("-9223372036854775808 9223372036854775807\n", {-(2**63), 2**63 - 1}),
        ("999999999999999999 1000000000000000000\n", {10**18 - 1, 10**18}),
        ("-1 -2\n", {-1, -2}), ("NA nan\n", {"NA", "nan"}), ("٣ 3\n", {"٣", "3"}),
        ("é e\u0301\n", {"é", "e\u0301"}), ("a\xa0b c\u2003d\n", {"a\xa0b", "c\u2003d"}),
        ('"a b"\n', {'"a', 'b"'}), ("[1 2]\n", {"[1", "2]"}),
    ],
)  # fmt: skip
def test_ids_are_integers_only_if_all_are_written_as_such(content: str, members: set[object]):
    found = clusters(content)[0]
    assert found == members
    assert set(map(type, found)) == set(map(type, members))


@pytest.mark.parametrize(
    ("delimiter", "content"),
    [
        (",", "a b, c,d \n,, ,x\n"), ("\t", "a b\tc\t\td\n\tx\t\n"), (";", " a b;c ;d;\nx\n"),
        ("|", "a b|c|d|\nx"), ("#", "a b#c#d\nx"), ("x", "a bxcxd\nx x\n"),
    ],
)  # fmt: skip
def test_a_delimiter_parts_members_and_spaces_only_surround_them(delimiter: str, content: str):
    found = clusters(content, delimiter=delimiter)
    expected = {0: {"a b", "c", "d"}} | ({} if delimiter == "x" else {1: {"x"}})
    assert found == expected


def test_a_blank_delimiter_stands_for_any_spaces_and_tabs():
    assert clusters("a\t b \v\fc\n", delimiter=" ") == {0: {"a", "b", "c"}}


def test_cdlib_writes_members_with_commas_between():
    assert clusters("1,2,3\n3,4\n", delimiter=",") == {0: {1, 2, 3}, 1: {3, 4}}


def test_the_outlier_cluster_is_a_position_or_a_number_in_front():
    c = read("1 2\n2 3\n", "a.cnl", outlier_cluster=1)
    assert (c.to_dict(), c.objects) == ({0: {1, 2}}, [1, 2, 3])
    c = read("7> 1 2\n8> 2 3\n", "a.cnl", outlier_cluster=7)
    assert (c.to_dict(), c.objects) == ({8: {2, 3}}, [1, 2, 3])
    c = read("7> 1 2\n8> 2 3\n", "a.cnl", outlier_cluster=9)
    assert c.to_dict() == {7: {1, 2}, 8: {2, 3}}


def test_comments_alone_are_no_clusters_and_no_objects():
    assert shape(read("# nothing\n#\n", "a.cnl")) == (set(), set())


@pytest.mark.parametrize("content", ["7\n", "7", " 7 ", "7\r\n", "\n\n7\n\n", "# c\n7"], ids=repr)
def test_one_line_is_one_cluster(content: str):
    c = read(content, "a.cnl")
    assert c.to_clusters() == [{7}]


def test_lines_and_members_may_be_many():
    lines = [" ".join(map(str, range(i % 50, i % 50 + 20))) for i in range(20_000)]
    c = read("\n".join(lines), "a.cnl")
    assert (c.n_clusters, c.n_merged, c.n_objects) == (50, 19_950, 69)
    one = read(" ".join(map(str, range(300_000))), "a.cnl")
    assert one.sizes.tolist() == [300_000]


@pytest.mark.parametrize("option", ["object", "cluster", "keys", "outlier_label"])
def test_options_of_other_formats_are_refused(option: str):
    with pytest.raises(OptionError, match=f"^{option} means nothing in the format 'cluster-lines'"):
        read("1 2\n", "a.cnl", **{option: "objects"})


def test_a_number_in_front_of_two_lines_is_refused():
    message = refusal("# c\n3> 1 2\n4> 5\n3> 9\n4> 6\n", "a.cnl")
    assert message.endswith("a.cnl, line 4: cluster 3 is there twice")
