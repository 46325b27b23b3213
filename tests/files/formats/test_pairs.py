import pytest

from coverlap.core.errors import OptionError
from tests.files.support import line_of, read, refusal, shape

PAIRS = "object,cluster\nann,x\nbob,x\nbob,y\ncyd,\ndan,-1\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.CSV", PAIRS),
        ("a.TAB", PAIRS.replace(",", "\t")),
        ("a.txt", PAIRS.replace(",", ";")),
        ("a", PAIRS.replace(",\n", ",NA\n").replace(",", "  ")),
        ("a.csv", PAIRS.replace(",", " , ")),
        ("a.csv", PAIRS.replace(",", "\t,\v")),
        ("a.csv", PAIRS.replace("ann", ' "ann" ')),
        ("a.csv", '"object","cluster"\n' + PAIRS.partition("\n")[2]),
        ("a.csv", "\n".join(f'"a, ""b"" c",{line},' for line in PAIRS.splitlines())),
    ],
)
def test_pairs_are_objects_and_their_clusters(name: str, content: str):
    c = read(content, name)
    assert c.to_dict() == {"x": {"ann", "bob"}, "y": {"bob"}}
    assert set(c.objects) == {"ann", "bob", "cyd", "dan"}


def test_the_description_says_which_columns_were_read():
    described = read(PAIRS, "a.csv").describe()
    assert described.startswith(
        "read as: comma-separated pairs, object in column 'object' and cluster in column 'cluster'"
    )
    described = read("a|b\n", "a.txt", "pairs", object=1, cluster=0, delimiter="|").describe()
    assert described.startswith(
        "read as: pairs separated by '|', object in column 1 and cluster in column 0"
    )


def test_splink_and_others_have_more_columns():
    content = (
        "cluster_id,source_dataset,unique_id,first_name\n"
        'c-1,left,1,"Ann, the first"\nc-1,left,2,"Ann\nLee"\nc-2,right,3,\n'
    )
    c = read(content, "a.csv", object="unique_id", cluster="cluster_id")
    assert c.to_dict() == {"c-1": {1, 2}, "c-2": {3}}


def test_a_quoted_field_or_name_of_a_column_may_hold_any_sign():
    content = '" a","b, ""c"""\n"b, ann","x\ny"\n"say ""hi""",z\n" a ","  "\n"#1",z\n'
    c = read(content, "a.csv", object=" a", cluster='b, "c"')
    assert c.to_dict() == {"  ": {" a "}, "x\ny": {"b, ann"}, "z": {'say "hi"', "#1"}}


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ('a,"x,y"', ["a", "x,y"]), ('a, "x,y"', ["a", "x,y"]), ("a,,x", ["a", "", "x"]),
        ('a, "x,y" ,', ["a", "x,y", ""]), ('a"b,c"d', ['a"b', 'c"d']), ('"a""b",x', ['a"b', "x"]),
        ("a\xa0,\xa0x", ["a\xa0", "\xa0x"]), ("a , x ", ["a", "x"]),
        ('\v"a\tb"\f,x', ["a\tb", "x"]),
        ("a\x1c,\x85", ["a\x1c", "\x85"]), ('"\ufeffa", " a "', ["\ufeffa", " a "]),
        (f"{'a' * 200_000},x", ["a" * 200_000, "x"]),
    ],
)  # fmt: skip
def test_the_first_line_is_cut_as_any_other(line: str, fields: list[str]):
    header = ",".join(f"c{i}" for i in range(len(fields)))
    for i, field in enumerate(fields[1:], 1):
        expected = ({field: {fields[0]}} if field else {}, fields[:1])
        first = read(line, "a.csv", object=0, cluster=i)
        assert (first.to_dict(), first.objects) == expected
        second = read(f"{header}\n{line}", "a.csv", object="c0", cluster=f"c{i}")
        assert (second.to_dict(), second.objects) == expected


def test_where_spaces_part_fields_quotes_are_no_quotes():
    c = read('object cluster\n"a b"\n', "a.txt")
    assert c.to_dict() == {'b"': {'"a'}}


def test_a_quoted_number_is_the_number():
    c = read('object,cluster\n"1","2"\n3,"2"\n', "a.csv")
    assert c.to_dict() == {2: {1, 3}}


@pytest.mark.parametrize("content", ["object,cluster\n", "object,cluster", "cluster,object\n\n\n"])
def test_a_header_alone_is_no_objects_and_no_clusters(content: str):
    assert shape(read(content, "a.csv")) == (set(), set())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"object,cluster\na,x\nb\n", "line 3: 2 fields were expected, as on the first line, but "
         "this line has 1"),
        (b"object,cluster\na,x\n\n\n \nb,x\n", "line 3: a blank line"),
        (b"\nobject,cluster\na,x\n", "line 1: no column 'object'"),
        (b"item,cluster\na,x\n", "line 1: no column 'object' among 'item', 'cluster'"),
        (b"object,object,cluster\na,a,x\n", "line 1: 2 columns called 'object'"),
        (b'object,cluster\na,x\n"",x\n', "line 3: no object"),
        (b"object,cluster\na,1\nb,1.25\n", "line 3: labels must name clusters"),
        (b'object,cluster\n"a,x\nb,y\n', "line 2: a quote is opened and never closed"),
        (b'object,cluster\n"a\nb",x\nc,"y\n', "line 4: a quote is opened and never closed"),
        (b'object,cluster\n"a"b,x\n', "line 2: text after a closing quote"),
        (b'object,cluster\n"a\n\n"b,x\n', "line 2: text after a closing quote"),
        (b'object,cluster\n"a\n\n",x\nb\n', "line 5: 2 fields were expected"),
        (b'object,cluster\n"a\n\xe9",x\n', "line 3: not UTF-8 text"),
        (b'object,"cluster\na,x\n', "line 1: "),
        (b'object,"cluster"x\na,x\n', "line 1: "),
    ],
)  # fmt: skip
def test_bad_pairs_are_refused_with_file_and_line(content: bytes, message: str):
    assert f"a.csv, {message}" in refusal(content, "a.csv")


def test_columns_parted_by_spaces_are_counted_too():
    assert line_of(refusal("object cluster\na x\n\nb x y\n", "a.txt")) == 4


def test_a_position_beyond_the_first_line_is_refused():
    message = refusal("a,x\n", "a.csv", object=0, cluster=2)
    assert message.endswith("a.csv, line 1: 2 fields, so there is no column 2; columns are "
                            "counted from 0")  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"object": "cluster"}, "two columns"), ({"object": 0}, "two names or two positions"),
        ({"object": 1, "cluster": 1}, "two columns"), ({"object": -1}, "from 0 on"),
        ({"object": True}, "name or a position"), ({"cluster": 1.0}, "name or a position"),
        ({"delimiter": ",,"}, "one ASCII character"), ({"delimiter": ""}, "one ASCII character"),
        ({"delimiter": '"'}, "one ASCII character"), ({"delimiter": "é"}, "one ASCII character"),
        ({"delimiter": "\n"}, "one ASCII character"), ({"delimiter": 5}, "one ASCII character"),
        ({"keys": "x"}, "keys must be one of"),
    ],
)  # fmt: skip
def test_impossible_options_are_refused(options: dict[str, object], message: str):
    with pytest.raises(OptionError, match=message):
        read(PAIRS, "a.csv", **options)


@pytest.mark.parametrize("size", [(1 << 18) - 40, 1 << 18, (1 << 20) + 17, 3 << 20])
def test_a_quote_holds_all_up_to_its_end_and_is_refused_without_one(size: int):
    inside = "x,y\n" * (size // 4)
    c = read(f'object,cluster\na,k\n"{inside}",k\nb,k\n', "a.csv")
    assert c.to_clusters() == [{"a", inside, "b"}]
    content = 'object,cluster\na,k\n"b,k\n' + inside
    assert refusal(content, "a.csv").endswith("line 3: a quote is opened and never closed")
    assert line_of(refusal(content + 'z",\n"', "a.csv")) == size // 4 + 5


def test_a_label_means_the_same_among_many_texts():
    names = {"3.0": 3, "007": "007", "none": "none", "Nancy": "Nancy", "+": "+"}
    labels = ["nan", "", "-1", "-2.0", *names]
    rows = [(f"v{i}", f"c{i % 5000}") for i in range(9000)] + [
        (f"<{name}>", name) for name in labels
    ]
    c = read("object,cluster\n" + "".join(f"{a},{b}\n" for a, b in rows), "a.csv")
    clusters = c.to_dict()
    assert len(clusters) == 5000 + len(names)
    assert clusters["c7"] == {"v7", "v5007"}
    assert all(clusters[name] == {f"<{label}>"} for label, name in names.items())
    assert list(c.objects) == [item for item, _ in rows]


def test_many_ids_are_integers_only_if_all_are():
    ids = [10**18 + i for i in range(5000)]
    text = "object,cluster\n" + "".join(f"{i},x\n" for i in ids)
    assert sorted(read(text, "a.csv").objects) == ids
    c = read(text + "+1,x\n", "b.csv")
    assert list(c.objects) == [*map(str, ids), "+1"]


@pytest.mark.parametrize(
    ("bad", "problem"),
    [("v,x,y", "fields"), ("v", "fields"), (",x", "no object"), ('"v"w,x', "closing quote"),
     ("", "blank line"), ("v,1.5", "continuous"), ('"v,x', "never closed")],
)  # fmt: skip
@pytest.mark.parametrize("at", [1, 60_000, 119_998])
def test_an_error_names_its_line_in_any_block_of_a_long_file(bad, problem, at):
    lines = [f"vertex{i % 999},cluster{i % 7}" for i in range(120_000)]  # several blocks
    lines[0] = '"a ""quoted"" id",cluster2'
    lines[at] = bad
    message = refusal("object,cluster\n" + "\n".join(lines) + "\n", "a.csv")
    assert problem in message
    assert line_of(message) == at + 2


def test_many_rows_and_long_quoted_fields_are_read_across_blocks():
    fields = [f"o{i}" for i in range(100_000)]
    fields[9], fields[50_000] = '"' + "x\n" * 200_000 + '"', '"' + "\n" * 600_000 + '"'
    rows = "".join(f"{field},{i % 3}\n" for i, field in enumerate(fields))
    c = read("object,cluster\n" + rows, "a.csv")
    objects = [field.strip('"') for field in fields]
    assert list(c.objects) == objects
    assert c.to_dict() == {i: set(objects[i::3]) for i in range(3)}
