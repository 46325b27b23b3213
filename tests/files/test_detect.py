import pytest

from coverlap.core.errors import InputError
from tests.files.support import COMPRESSED, SAMPLES, read, refusal

CLUSTERS, OBJECTS, PAIRS, LABELS = "cluster-lines", "object-lines", "pairs", "labels"

TITLES = {
    CLUSTERS: "one cluster per line",
    OBJECTS: "one object per line",
    PAIRS: "separated pairs, object in column ",
    LABELS: "one label per line",
    "json": "JSON, ",
    "parquet": "Parquet, ",
    "arrow": "Arrow, ",
    "npy": "an array of labels",
    "npz": "a sparse matrix, ",
}


def understood(content: str | bytes, name: str, **options: object) -> str:
    """Return the format that a description names."""
    first = read(content, name, **options).describe().splitlines()[0]
    assert first.startswith("read as: ")
    (form,) = [form for form, title in TITLES.items() if title in first]
    return form


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_sample_is_recognised_and_says_so(sample: str):
    assert understood(SAMPLES[sample].content, SAMPLES[sample].name) == sample


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.cnl", CLUSTERS), ("a.CNL", CLUSTERS), ("a.cmty", CLUSTERS), ("a.cnl.gz", CLUSTERS),
        ("com-youtube.all.cmty.txt", CLUSTERS), ("com-amazon.all.dedup.cmty.txt.gz", CLUSTERS),
        ("community.dat", OBJECTS), ("communities.dat", OBJECTS), ("com.dat", OBJECTS),
        ("community-1.dat", OBJECTS), ("community_1.dat", OBJECTS), ("com1.dat", OBJECTS),
        ("COM.DAT.bz2", OBJECTS), ("a.labels", LABELS),
        ("a.labels.zst", LABELS),
    ],
)  # fmt: skip
def test_a_name_tells_the_format(name: str, form: str):
    suffix = name[name.rindex(".") :]
    content = COMPRESSED.get(suffix, bytes)(b"1\n2\n3\n")
    assert understood(content, name) == form


@pytest.mark.parametrize("name", ["x.dat", "commute.dat", "a.cmtyx", "a.txt", "a", "a.gz"])
def test_other_names_tell_nothing(name: str):
    content = COMPRESSED[".gz"](b"1 2\n3 4\n") if name.endswith(".gz") else b"1 2\n3 4\n"
    assert "can be read in" in refusal(content, name)


@pytest.mark.parametrize(
    ("content", "form"),
    [
        ("# Clusters: 2, Nodes: 3\n1 2\n3\n", CLUSTERS), ("#clusters:1\n1\n", CLUSTERS),
        ("object,cluster\n1,2\n", PAIRS), ("cluster;object\n1;2\n", PAIRS),
        ("x\tobject\tcluster\n1\t2\t3\n", PAIRS), ("object cluster\n1 2\n", PAIRS),
        ('"object","cluster"\n1,2\n', PAIRS),
        ("7\t[2, 5]\n8\t[1]\n", OBJECTS), ("7 []\n", OBJECTS), ("# c\n7 [1]\n", OBJECTS),
        ("1\t1 2\n2\t1\n", OBJECTS), ("1\t1 2 \n2\t1 \n", OBJECTS),
        ("1\n1\n2\n", LABELS), ("a\nb\nc\n", LABELS), ("5", LABELS), ("-1\n", LABELS),
        ("T cell\nB cell\nT cell\nB cell\n", LABELS), ("1.0\nnan\n", LABELS),
        ("T cell\n" * 4, LABELS), ("a, b\n" * 4, LABELS),
        ("[[1, 2]]", "json"), (' \n{"a": 1}', "json"), ("[1, 2]", "json"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("prefix", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
def test_content_that_can_be_one_thing_is_that(content: str, form: str, prefix: bytes):
    assert understood(prefix + content.encode(), "a.txt") == form
    windows = content.replace("\n", "\r\n").encode()
    assert understood(prefix + windows, "a.txt") == form


@pytest.mark.parametrize(
    ("content", "candidates"),
    [
        ("1 2\n3 4\n", [CLUSTERS, OBJECTS, PAIRS, LABELS]),
        ("1 2 3\n3 4\n", [CLUSTERS, OBJECTS, LABELS]),
        ("1\t2\n3\t4\n", [CLUSTERS, OBJECTS, PAIRS]),
        ("1\t2\t3\n3\t4\n", [CLUSTERS, OBJECTS]),
        ("1,2\n3,4\n", [CLUSTERS, OBJECTS, PAIRS]),
        ("1,2,3\n3,4\n", [CLUSTERS, OBJECTS]),
        ("a b\n", [CLUSTERS, OBJECTS, PAIRS, LABELS]),
        ("# c\n1 2\n1 3\n", [CLUSTERS, OBJECTS, PAIRS, LABELS]),
        ("id,group\n1,2\n", [CLUSTERS, OBJECTS, PAIRS]),
        ("ann\tT cell\nbob\tB cell\n", [CLUSTERS, OBJECTS, PAIRS]),
        ("ann\tT cell\nbob\tB\n", [CLUSTERS, OBJECTS]),
        ("1\t1\n2\t1\n1\t1\n2\t1\n", [CLUSTERS, OBJECTS, PAIRS]),
        ("1 2\n1 2\n3 4\n3 4\n", [CLUSTERS, OBJECTS, PAIRS, LABELS]),
        ("1,2\n1,2\n", [CLUSTERS, OBJECTS, PAIRS]),
    ],
)
def test_content_that_can_be_several_things_is_refused_with_their_names(
    content: str, candidates: list[str]
):
    message = refusal(content, "a.txt")
    assert f"can be read in {len(candidates)} ways; say which by format= (--format): " in message
    named = [form for form in (CLUSTERS, OBJECTS, PAIRS, LABELS) if f"'{form}'" in message]
    assert named == candidates


@pytest.mark.parametrize(
    ("content", "form"),
    [("1\n2\n3\n", CLUSTERS), ("1\t1 2\n", CLUSTERS), ("7 [2]\n", PAIRS), ("[1 2\n", CLUSTERS)],
)
def test_whoever_names_a_format_gets_it(content: str, form: str):
    options = {"object": 0, "cluster": 1} if form == PAIRS else {}
    c = read(content, "a.json", form, **options)
    assert TITLES[form] in c.describe()


def test_columns_that_are_named_or_counted_say_that_there_are_pairs():
    assert understood("1 2\n3 4\n", "a.txt", object=0, cluster=1) == PAIRS
    assert understood("id,group\n1,2\n", "a.txt", object="id", cluster="group") == PAIRS
    with pytest.raises(InputError, match="line 1: no column 'id'"):
        read("1 2\n", "a.txt", object="id")


def test_a_delimiter_is_heeded():
    c = read("object|cluster\n1|2\n", "a.txt", delimiter="|")
    assert c.describe().startswith("read as: pairs separated by '|', ")
    c = read("\ufeffobject;cluster\r\n1;2\r\n", "a.csv")
    assert c.describe().startswith("read as: semicolon-separated pairs")


def test_only_the_beginning_is_looked_at():
    lines = "1\n" * 40_000 + "1 2\n"  # so the last line is a label of two words
    assert read(lines, "a.txt").to_dict() == {1: set(range(40_000)), "1 2": {40_000}}
    objects = "".join(f"{i}\t{i % 7} {i % 5}\n" for i in range(20_000))
    assert understood(objects, "a.txt") == OBJECTS


def test_content_is_not_asked_where_the_name_tells():
    assert "a.csv, line 1" in refusal("[[1, 2]]", "a.csv")
    assert "a.json, line 2" in refusal("1\n2\n", "a.json")


@pytest.mark.parametrize("content", [b"", b"\n", b" \t\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_an_empty_file_is_empty_whatever_it_could_be(content: bytes):
    assert refusal(content, "a.txt").endswith("a.txt, line 1: the file is empty")


@pytest.mark.parametrize(
    "content",
    ["1\n2\n".encode("utf-16"), b"\x00\x01\x02", b"\xff\xfe\xfd", b"\xfd7zXZ\x00\x00"],
)
def test_what_is_no_text_is_refused_and_not_called_ambiguous(content: bytes):
    assert "no UTF-8 text" in refusal(content, "a.txt")


@pytest.mark.parametrize("content", [b"# only\n", b"#\n# comments\n", b"a\n\x80b\n"])
def test_comments_alone_and_other_encodings_are_nothing_that_can_be_told(content: bytes):
    refusal(content, "a.txt")


@pytest.mark.parametrize("first", ['"object,cluster', 'object,"cluster"x', '"'])
def test_a_first_line_with_a_quote_out_of_place_is_no_header(first: str):
    refusal(f"{first}\n1,2\n3,4\n", "a.txt")


@pytest.mark.parametrize("name", ["a.zip", "a.xlsx", "a.tar", "a.txt"])
def test_archives_of_other_things_are_refused(name: str):
    refusal(b"PK\x03\x04" + bytes(range(256)), name)
