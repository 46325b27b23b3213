from datetime import date, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from coverlap import Clustering, compare
from coverlap.clustering.read import File
from coverlap.core.errors import OptionError, UniverseError
from coverlap.files.options import ReadOptions
from tests.files.support import arrow_bytes, arrow_table, npy_bytes, parquet_bytes, read_together


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(name: str, content: str | bytes) -> str:
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    return name


def pairs(name: str, *ids: object) -> str:
    return put(name, "object,cluster\n" + "".join(f"{item},x\n" for item in ids))


def ids_of(*names: str) -> list[set[object]]:
    clusterings = read_together([File(name) for name in names])
    return [set(clustering.objects) for clustering in clusterings]


def test_ids_are_integers_only_if_all_of_both_files_are():
    pairs("a.csv", 1, 2)
    pairs("b.csv", 1, 3)
    pairs("c.csv", 1, "007")
    pairs("d.csv", 2, "x")
    assert ids_of("a.csv", "b.csv") == [{1, 2}, {1, 3}]
    assert ids_of("a.csv", "c.csv") == [{"1", "2"}, {"1", "007"}]
    assert ids_of("c.csv", "a.csv") == [{"1", "007"}, {"1", "2"}]
    assert ids_of("a.csv", "d.csv", "b.csv") == [{"1", "2"}, {"2", "x"}, {"1", "3"}]


def test_a_file_on_its_own_has_a_type_of_its_own():
    pairs("a.csv", 1, "007")
    assert ids_of("a.csv") == [{"1", "007"}]
    assert ids_of(pairs("b.csv", 1, -2)) == [{1, -2}]


def test_integers_against_text_share_no_object_and_are_refused():
    pairs("a.csv", 7, 8)
    pairs("b.csv", "007", "008")
    message = (
        "the ids of a.csv are integers (7, ...) and those of b.csv are not ('007', ...), so they "
        "share no object; convert one side"
    )
    for names in (("a.csv", "b.csv"), ("b.csv", "a.csv")):
        with pytest.raises(UniverseError) as caught:
            ids_of(*names)
        assert str(caught.value) == message


def test_text_of_a_typed_file_meets_integers_of_a_text_file():
    put("a.parquet", parquet_bytes(arrow_table(object=["1", "2"], cluster=["x", "x"])))
    put("b.arrow", arrow_bytes(arrow_table(object=["1", "3"], cluster=["x", "x"])))
    pairs("c.csv", 1, 3)
    assert ids_of("a.parquet", "c.csv") == [{"1", "2"}, {"1", "3"}]
    assert ids_of("c.csv", "b.arrow") == [{"1", "3"}, {"1", "3"}]
    assert ids_of("a.parquet", "b.arrow") == [{"1", "2"}, {"1", "3"}]
    with pytest.raises(UniverseError, match=r"of a\.parquet are integers .* of d\.csv are not"):
        ids_of("a.parquet", pairs("d.csv", "x", "y"))


def test_large_integers_are_integers():
    big = 2**70
    put("a.parquet", parquet_bytes(arrow_table(object=pa.array([2**63, 1], pa.uint64()),
                                               cluster=[1, 1])))  # fmt: skip
    pairs("b.csv", big, 1)
    assert ids_of("a.parquet", "b.csv") == [{2**63, 1}, {big, 1}]
    assert ids_of("b.csv", pairs("c.csv", big, "x")) == [{str(big), "1"}, {str(big), "x"}]


def test_files_of_labels_have_objects_of_their_own():
    put("a.labels", "x\ny\n")
    put("b.npy", npy_bytes([1, 2]))
    pairs("c.csv", "ann", "bob")
    assert ids_of("a.labels", "c.csv", "b.npy") == [{0, 1}, {"ann", "bob"}, {0, 1}]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("e.csv", "object,cluster\n"), ("e.cnl", "# nothing\n"), ("e.json", "[]"),
        ("e.json", '{"clusters": [], "objects": []}'),
        ("e.parquet", parquet_bytes(arrow_table(object=pa.array([], pa.int64()),
                                                cluster=pa.array([], pa.int64())))),
    ],
)  # fmt: skip
def test_a_file_without_objects_agrees_with_any(name: str, content: str | bytes):
    put(name, content)
    assert ids_of(name, pairs("t.csv", "a", "b")) == [set(), {"a", "b"}]
    assert ids_of(pairs("i.csv", 1, 2), name) == [{1, 2}, set()]
    assert ids_of(name, name) == [set(), set()]


def test_ids_of_mixed_json_become_text_together_with_others():
    put("a.json", '[["1", 2], [3]]')
    assert ids_of("a.json") == [{"1", 2, 3}]
    assert ids_of("a.json", pairs("b.csv", 1, 2)) == [{"1", "2", "3"}, {"1", "2"}]


def test_two_paths_of_a_comparison_share_their_type():
    put("a.cnl", "1 2\n3 4\n")
    pairs("b.csv", 1, 2, 3, "4x")
    by_hand = compare([{"1", "2"}, {"3", "4"}], [{"1", "2", "3", "4x"}])
    assert compare("a.cnl", "b.csv").score == by_hand.score
    with pytest.raises(UniverseError, match=r"left: a\.cnl are integers .* right: c\.csv are not"):
        compare("a.cnl", pairs("c.csv", "x", "y"))


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


def test_an_object_is_once_in_a_clustering_however_its_ids_were_written():
    put("a.json", '[["1", 1], [2]]')
    assert ids_of("a.json") == [{"1", 1, 2}]
    with pytest.raises(UniverseError, match=r"^a\.json has an object 1 and another one '1'"):
        ids_of("a.json", pairs("b.csv", "x", 1))


def test_numbers_that_are_not_integers_become_text_beside_text():
    put("a.json", "[[1.5, 2.0], [0.10, 1e-7]]")
    assert ids_of("a.json") == [{1.5, 2, 0.1, 1e-7}]
    assert ids_of("a.json", "a.json") == [{1.5, 2, 0.1, 1e-7}] * 2
    expected = {"1.5", "2", "0.1", "0.0000001"}
    put("b.csv", "object,cluster\n1.50,x\n2.0,x\n0.1,x\n1e-07,x\n")
    assert ids_of("a.json", "b.csv") == [expected, expected]
    with pytest.raises(UniverseError) as caught:
        ids_of("a.json", pairs("c.csv", "1.5", "x7"))
    assert str(caught.value) == (
        "c.csv has an id 'x7', which is not written as a number and so cannot be compared with "
        "1e-07 of a.json; convert one side"
    )
    with pytest.raises(UniverseError, match=r"^d\.csv has an object '1.5' and another one '1.50'"):
        ids_of("a.json", pairs("d.csv", "1.5", "1.50"))


def test_text_of_dates_becomes_dates_beside_dates():
    days = [date(2020, 1, 2), date(2021, 3, 4)]
    put("a.arrow", arrow_bytes(arrow_table(object=days, cluster=["x", "x"])))
    assert ids_of("a.arrow", pairs("b.csv", "2020-01-02", "1999-01-01")) == [
        set(days), {date(2020, 1, 2), date(1999, 1, 1)},
    ]  # fmt: skip
    for other in ("20200102x", "2020-1-2", "2020-01-02 00:00:00", "2020-W01-4", "monday"):
        with pytest.raises(UniverseError, match=r"is not written as a date and so cannot be"):
            ids_of("a.arrow", pairs("c.csv", other, "2021-03-04"))
    with pytest.raises(UniverseError, match=r"different types: date in a\.arrow, int in d\.csv"):
        ids_of("a.arrow", pairs("d.csv", 20200102, 20210304))


def test_times_of_text_are_not_cut_to_microseconds():
    moment = datetime.fromisoformat("2020-01-02 03:04:05.000006")
    put("a.arrow", arrow_bytes(arrow_table(object=[moment], cluster=["x"])))
    for text in ("2020-01-02 03:04:05.000006", "2020-01-02T03:04:05.000006"):
        assert ids_of("a.arrow", pairs("b.csv", text)) == [{moment}, {moment}]
    with pytest.raises(UniverseError, match="is not written as a datetime"):
        ids_of("a.arrow", pairs("b.csv", "2020-01-02 03:04:05.000006789"))


def test_an_integer_and_text_of_an_integral_float_are_refused():
    put("a.json", '[[1.0, "x"]]')
    assert ids_of("a.json", pairs("b.csv", "1", "x")) == [{"1", "x"}, {"1", "x"}]
    with pytest.raises(
        UniverseError, match=r"^c\.csv has an id '1.0' and a\.json has 1, which may"
    ):
        ids_of("a.json", pairs("c.csv", "1.0", "x"))


def test_many_texts_share_a_type_as_few_do():
    many = [f"x{i}" for i in range(5000)]
    for name, more in (("a.parquet", ["1", "2"]), ("b.parquet", ["1.0"]), ("c.parquet", [])):
        ids = [*many, *more]
        put(name, parquet_bytes(arrow_table(object=ids, cluster=["c"] * len(ids))))
    put("numbers.json", '[[1.0, 2, "x7"]]')
    assert ids_of("a.parquet", pairs("b.csv", 1, 3)) == [{*many, "1", "2"}, {"1", "3"}]
    assert ids_of("a.parquet", "c.parquet") == [{*many, "1", "2"}, {*many}]
    with pytest.raises(UniverseError, match=r"^b\.parquet has an id '1.0' and numbers\.json has 1"):
        ids_of("b.parquet", "numbers.json")
    with pytest.raises(UniverseError, match=r"^the ids of b\.csv are integers \(1, ...\) and"):
        ids_of("c.parquet", "b.csv")
    for left, right in (("a.parquet", "b.csv"), ("a.parquet", "c.parquet")):
        known = [set(ids) for ids in ids_of(left, right)]
        expected = compare(*map(Clustering.from_clusters, ([known[0]], [known[1]]))).score
        assert compare(left, right).score == expected
