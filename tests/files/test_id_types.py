"""The ids of files that are read together share one type."""

from datetime import date, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from coverlap import Clustering, compare
from coverlap.clustering.read import File
from coverlap.core.errors import OptionError, UniverseError
from coverlap.files.options import ReadOptions
from tests.files.support import (
    arrow_bytes,
    arrow_table,
    as_bytes,
    npy_bytes,
    parquet_bytes,
    read_together,
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(name, content):
    """Write the objects of one cluster, or a file of any content."""
    if isinstance(content, list | pa.Array):
        if name.endswith(".csv"):
            content = "object,cluster\n" + "".join(f"{item},x\n" for item in content)
        else:
            table = arrow_table(object=content, cluster=["x"] * len(content))
            content = arrow_bytes(table) if name.endswith(".arrow") else parquet_bytes(table)
    Path(name).write_bytes(as_bytes(content))
    return name


def ids_of(files):
    clusterings = read_together([File(put(name, content)) for name, content in files.items()])
    return [set(clustering.objects) for clustering in clusterings]


DAYS = [date(2020, 1, 2), date(2021, 3, 4)]
MOMENT = datetime.fromisoformat("2020-01-02 03:04:05.000006")
MIXED = '[["1", 2, 3]]'
NUMBERS, NUMBERS_AS_TEXT = "[[1.5, 2.0, 0.10, 1e-7]]", {"1.5", "2", "0.1", "0.0000001"}
MANY = [f"x{i}" for i in range(5000)]

AGREEING = {
    "integers": ({"a.csv": [1, 2], "b.csv": [1, 3]}, [{1, 2}, {1, 3}]),
    "integers beside text": ({"a.csv": [1, 2], "b.csv": [1, "007"]}, [{"1", "2"}, {"1", "007"}]),
    "text in one of three files": (
        {"a.csv": [1, 2], "b.csv": [2, "x"], "c.csv": [1, 3]}, [{"1", "2"}, {"2", "x"}, {"1", "3"}],
    ),
    "text of a typed file beside integers": (
        {"a.parquet": ["1", "2"], "b.csv": [1, 3]}, [{"1", "2"}, {"1", "3"}],
    ),
    "text of two typed files": (
        {"a.parquet": ["1", "2"], "b.arrow": ["1", "3"]}, [{"1", "2"}, {"1", "3"}],
    ),
    "large integers": (
        {"a.parquet": pa.array([2**63, 1], pa.uint64()), "b.csv": [2**70, 1]},
        [{2**63, 1}, {2**70, 1}],
    ),
    "large integers beside text": (
        {"a.csv": [2**70, 1], "b.csv": [2**70, "x"]}, [{str(2**70), "1"}, {str(2**70), "x"}],
    ),
    "files of labels, whose objects are their own": (
        {"a.labels": "x\ny\n", "b.csv": ["ann", "bob"], "c.npy": npy_bytes([1, 2])},
        [{0, 1}, {"ann", "bob"}, {0, 1}],
    ),
    "mixed ids on their own": ({"a.json": MIXED}, [{"1", 2, 3}]),
    "mixed ids beside integers": (
        {"a.json": MIXED, "b.csv": [1, 2]}, [{"1", "2", "3"}, {"1", "2"}],
    ),
    "numbers on their own": ({"a.json": NUMBERS}, [{1.5, 2, 0.1, 1e-7}]),
    "numbers beside numbers": (
        {"a.json": NUMBERS, "b.json": "[[1.5]]"}, [{1.5, 2, 0.1, 1e-7}, {1.5}],
    ),
    "numbers beside text": (
        {"a.json": NUMBERS, "b.csv": ["1.50", "2.0", "0.1", "1e-07"]}, [NUMBERS_AS_TEXT] * 2,
    ),
    "an integral float beside text": (
        {"a.json": '[[1.0, "x"]]', "b.csv": ["1", "x"]}, [{"1", "x"}, {"1", "x"}],
    ),
    "dates": (
        {"a.arrow": DAYS, "b.csv": ["2020-01-02", "1999-01-01"]},
        [{*DAYS}, {DAYS[0], date(1999, 1, 1)}],
    ),
    "times": ({"a.arrow": [MOMENT], "b.csv": [MOMENT]}, [{MOMENT}, {MOMENT}]),
    "times of ISO 8601": (
        {"a.arrow": [MOMENT], "b.csv": [MOMENT.isoformat()]}, [{MOMENT}, {MOMENT}],
    ),
    "many texts beside integers": (
        {"a.parquet": [*MANY, "1", "2"], "b.csv": [1, 3]}, [{*MANY, "1", "2"}, {"1", "3"}],
    ),
    "many texts beside many": (
        {"a.parquet": [*MANY, "1"], "b.parquet": MANY}, [{*MANY, "1"}, {*MANY}],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", AGREEING)
def test_the_ids_of_files_get_one_type(case):
    files, expected = AGREEING[case]
    assert ids_of(files) == expected
    assert ids_of(dict(reversed(files.items()))) == expected[::-1]
    if len(files) == 2:
        assert compare(*files).score == compare(*([ids] for ids in expected)).score


NO_DATE = "is not written as a date and so cannot be"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"a.csv": [7, 8], "b.csv": ["007", "008"]},
            r"^the ids of a\.csv are integers \(7, ...\) and those of b\.csv are not \('007', "
            r"...\), so they share no object; convert one side$",
        ),
        ({"a.csv": ["007"], "b.csv": [7]}, r"^the ids of b\.csv are integers .* of a\.csv are not"),
        (
            {"a.parquet": ["1", "2"], "b.csv": ["x", "y"]},
            r"of a\.parquet are integers .* of b\.csv are not",
        ),
        (
            {"a.parquet": MANY, "b.csv": [1, 3]},
            r"^the ids of b\.csv are integers \(1, ...\) and",
        ),
        (
            {"a.json": '[["1", 1], [2]]', "b.csv": ["x", 1]},
            r"^a\.json has an object 1 and another one '1'",
        ),
        (
            {"a.json": NUMBERS, "b.csv": ["1.5", "x7"]},
            r"^b\.csv has an id 'x7', which is not written as a number and so cannot be compared "
            r"with 1e-07 of a\.json; convert one side$",
        ),
        (
            {"a.json": NUMBERS, "b.csv": ["1.5", "1.50"]},
            r"^b\.csv has an object '1.5' and another one '1.50'",
        ),
        *(
            ({"a.arrow": DAYS, "b.csv": [text, "2021-03-04"]}, NO_DATE)
            for text in ("20200102x", "2020-1-2", "2020-01-02 00:00:00", "2020-W01-4", "monday")
        ),
        (
            {"a.arrow": DAYS, "b.csv": [20200102, 20210304]},
            r"different types: date in a\.arrow, int in b\.csv",
        ),
        ({"a.arrow": [MOMENT], "b.csv": [f"{MOMENT}789"]}, "is not written as a datetime"),
        (
            {"a.json": '[[1.0, "x"]]', "b.csv": ["1.0", "x"]},
            r"^b\.csv has an id '1.0' and a\.json has 1, which may",
        ),
        (
            {"a.parquet": [*MANY, "1.0"], "b.json": '[[1.0, 2, "x7"]]'},
            r"^a\.parquet has an id '1.0' and b\.json has 1",
        ),
    ],
)  # fmt: skip
def test_ids_that_share_no_type_or_may_be_equal_are_refused(files, message):
    with pytest.raises(UniverseError, match=message):
        ids_of(files)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("e.csv", []), ("e.cnl", "# nothing\n"), ("e.json", "[]"),
        ("e.json", '{"clusters": [], "objects": []}'), ("e.parquet", pa.array([], pa.int64())),
    ],
)  # fmt: skip
def test_a_file_without_objects_agrees_with_any(name, content):
    assert ids_of({name: content, "t.csv": ["a", "b"]}) == [set(), {"a", "b"}]
    assert ids_of({"i.csv": [1, 2], name: content}) == [{1, 2}, set()]
    assert read_together([File(name)] * 2)[0].n_objects == 0


def test_two_paths_of_a_comparison_are_named_with_their_sides():
    with pytest.raises(UniverseError, match=r"left: a\.cnl are integers .* right: b\.csv are not"):
        compare(put("a.cnl", "1 2\n"), put("b.csv", ["x", "y"]))


def test_each_file_may_be_read_in_its_own_way():
    put("a.txt", "1 2\n3\n")
    put("b.txt", "1;x\n2;x\n3;y\n")
    by_position = ReadOptions(object=0, cluster=1, delimiter=";")
    left, right = read_together(
        [File("a.txt", "cluster-lines"), File("b.txt", "pairs", by_position)]
    )
    assert left == right


def test_an_outlier_label_that_no_file_has_is_refused_if_that_is_asked_for():
    put("a.labels", "x\ny\n0\n")
    put("b.csv", "object,cluster\n0,z\n1,\n")
    put("c.json", '["x", "y"]')

    def read(*names: str, labels: set[object], strict: bool = True) -> list[Clustering]:
        options = ReadOptions(outlier_label=frozenset(labels))
        return read_together([File(name, options=options) for name in names], strict=strict)

    left, right = read("a.labels", "b.csv", labels={"x", "z"})
    assert (left.to_dict(), right.to_dict()) == ({0: {2}, "y": {1}}, {})
    with pytest.raises(OptionError, match=r"^outlier label 'w' is not a label of a\.labels and b"):
        read("a.labels", "b.csv", labels={"x", "w"})
    with pytest.raises(OptionError, match=r"^outlier label 'q' is not a label of b\.csv$"):
        read("b.csv", labels={"q"})
    assert read("a.labels", labels={"w"}, strict=False)[0].n_clusters == 3
