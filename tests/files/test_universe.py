from pathlib import Path

import pytest

from coverlap.clustering.read import File, read_files_and_universe
from coverlap.core.errors import FileError, InputError, UniverseError
from tests.files.support import BOM


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("object,cluster\n1,x\n2,x\n")
    Path("t.csv").write_text("object,cluster\nann,x\nbob,x\n")


def universe(content: str | bytes, name: str = "ids.txt", clusters: str = "a.csv") -> list[object]:
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    (clustering,), ids = read_files_and_universe([File(clusters)], name)
    assert {type(item) for item in clustering.ids().tolist()} <= {
        type(item) for item in ids.tolist()
    }
    assert len(set(ids.tolist())) == len(ids)
    return ids.tolist()


@pytest.mark.parametrize(
    "content",
    [
        "1\n2\n9\n", "1\r\n2\r\n9", "# ids\n1\n\n2\n9\n\n", " 1 \n\t2\n9\n", "1\n2\n9\n1\n",
        BOM + b"1\n2\n9\n", "% ids\n1\n2\n9\n",
    ],
)  # fmt: skip
def test_a_universe_has_an_id_on_each_line(content: str | bytes):
    assert universe(content) == [1, 2, 9]


SNAP = "# Youtube\n# Nodes: 5 Edges: 4\n# FromNodeId\tToNodeId\n1\t2\n1\t3\n3\t9\n2\t17\n"


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("com-youtube.ungraph.txt", SNAP, {1, 2, 3, 9, 17}),
        ("e.txt", "1 2 0.5\n2 3 1\n", {1, 2, 3}), ("e.csv", "1,2,0.5\n2,3,1\n", {1, 2, 3}),
        ("e.tsv", "1\t2\n2\t3\n", {1, 2, 3}), ("e.csv", "1 , 2\n2,3\n", {1, 2, 3}),
        ("e.edges", "% sym unweighted\n%\n1 2\n2 3\n", {1, 2, 3}),
        ("e.csv", "1\n2\n3\n", {1, 2, 3}), ("ids.txt", "1\n2\nz", {"1", "2", "z"}),
        ("ids.txt", "".join(f"{i}\t{i + 1}\n" for i in range(100_000)), {*range(100_001)}),
        ("ids.txt", "# comment\n" * 50_000 + "1\n2\n", {1, 2}),
    ],
    ids=lambda value: str(sorted(value) if isinstance(value, set) else value)[:20],
)  # fmt: skip
def test_edges_and_ids_of_any_kind_are_a_universe(name, content, expected):
    assert set(universe(content, name)) == expected


def test_ids_share_the_type_of_a_file_and_may_have_spaces_in_a_table():
    assert universe("7\nann\n", clusters="t.csv") == ["7", "ann"]
    assert universe("ann lee\nann\nbob\n", "ids.csv", "t.csv") == ["ann lee", "ann", "bob"]


def test_one_id_of_another_type_against_integers():
    with pytest.raises(UniverseError, match=r"of a\.csv are integers .* of ids\.txt are not"):
        universe("x\ny\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1: the file is empty"),
        (b"\n \n", "line 1: the file is empty"),
        (b"1\n\xff\n", "line 2: not UTF-8 text"),
        (b"1\n\0\n", "line 2: a null character"),
        (b"object\n1\n", "line 1: 'object' is the name of a column"),
        (b"object\nann\n", "line 1: 'object' is the name of a column"),
        (b"id\n1\n2\n", "line 1: 'id' looks like a header"),
        (b"# c\n\nid\n1\n2\n", "line 3: 'id' looks like a header"),
        (b"# nothing\n#\n", "line 1: there are only comments, and no ids"),
        (b"source target\n1 2\n2 3\n", "line 1: 'source' looks like a header"),
        (b"source target weight\n1 2 1\n", "line 1: 'source' looks like a header"),
        (b"from to\nann bob\n", "line 1: from and to are names of columns"),
        (b"1 2\n3\n", "line 2: 2 fields were expected, as on the first line, but this line has 1"),
        (b"# c\n1\n\n2 3\n", "line 4: 1 fields were expected"),
        (b"1 2 3 4\n", "line 1: 4 fields; a file of ids has one on each line"),
        (b"# c\n\n1 2 3 4\n", "line 3: 4 fields"),
    ],
)
def test_bad_universes_are_refused_with_file_and_line(content: bytes, message: str):
    with pytest.raises(InputError) as caught:
        universe(content)
    assert str(caught.value).startswith("ids.txt, ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "line"), [('"1"\n2\n', 1), ('# c\n\n1,2\n3,"4"\n', 4), ('1,2\n\n"3",4\n', 3)]
)
def test_quotes_in_a_table_are_refused(content: str, line: int):
    with pytest.raises(InputError, match=rf"^ids\.csv, line {line}: ids .* cannot be in quotes"):
        universe(content, "ids.csv")
    if "," not in content:
        assert universe(content, "ids.txt") == ['"1"', "2"]


def test_a_universe_that_is_missing_is_refused():
    with pytest.raises(FileError, match=r"none\.txt: No such file or directory"):
        read_files_and_universe([File("a.csv")], "none.txt")
