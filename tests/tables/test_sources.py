"""A file, or a relation, is the same table in every engine."""

import re
import shutil

import duckdb
import pyarrow as pa
import pytest

import coverlap as cv
from tests.counting.test_in_duckdb import compared, facts
from tests.files.support import COMPRESSED, arrow_bytes, as_bytes

MEMORY = "engine='memory'"
LIMITS = {"engine": "duckdb", "memory_limit": "400MB", "threads": 2}
OTHER = "object,cluster\n1,a\n2,a\n3,b\n4,\n7,-1\n"
OTHER_TEXT = "object,cluster\nann,1\nbob,1\ncyd,2\n1,2\n"

SAME = {
    "integers": "object,cluster\n1,0\n2,0\n3,1\n",
    "text": "object,cluster\n1,x\n2,x\n3,y\n",
    "other columns, another order": "size,cluster,object\n9,x,1\n9,y,2\n",
    "usual names": "unique_id,cluster_id\n1,x\n2,y\n",
    "an outlier by a number": "object,cluster\n1,-1\n2,0\n3,-2.0\n",
    "missing values": "object,cluster\n1,\n2,NA\n3,nan\n4,None\n5,<NA>\n6,null\n7,x\n",
    "quoted missing values": 'object,cluster\n1,""\n2,"NA"\n3,x\n',
    "integral floats": "object,cluster\n1,1.0\n2,1\n3,2.000e+00\n",
    "leading zeros in clusters": "object,cluster\n1,01\n2,1\n",
    "leading zeros in objects": "object,cluster\n1,x\n02,x\n3,x\n",
    "huge integers": f"object,cluster\n1,{10**30}\n{10**30},5\n{2**63},-{10**25}\n",
    "text late in the file": "object,cluster\n" + "1,2\n" * 2000 + "3,x\nann,2\n",
    "a missing value late": "object,cluster\n" + "1,2\n" * 2000 + "3,\n",
    "signs": "object,cluster\n1,+1\n2,-0\n3,0\n",
    "bytes that are no spaces": "object,cluster\n1,\xa0x\n2,x\u2028\n3,\x01\x02\x03\n",
    "Unicode": "object,cluster\n1,ä\n2,\U0001f600\n3,a\u0301\n",
    "quotes": 'object,cluster\n"1","x"\n2,"x"\n"3",y\n',
    "quotes in quotes": 'object,cluster\n1,"say ""hi"""\n2,"a,b"\n',
    "a quote inside a field": 'object,cluster\n1,5\'11"\n2,a"b\n',
    "spaces around fields": "object , cluster\n 1 , x\n2,x \n3,\ty\n",
    "spaces around quotes": 'object,cluster\n "1" , "x"\n',
    "Windows": "object,cluster\r\n1,x\r\n2,y\r\n",
    "old Macs": "object,cluster\r1,x\r2,y\r",
    "no last line end": "object,cluster\n1,x\n2,y",
    "blank lines at the end": "object,cluster\n1,x\n2,y\n\n\n",
    "a mark of byte order": "\ufeffobject,cluster\n1,x\n2,y\n",
    "a header alone": "object,cluster\n",
    "a header without a line end": "object,cluster",
    "repeated rows": "object,cluster\n1,x\n1,x\n1,y\n",
    "equal clusters": "object,cluster\n1,x\n1,y\n2,x\n2,y\n3,z\n",
    "tabs": "object\tcluster\n1\tx y\n2\tx y\n",
    "semicolons": "object;cluster\n1;x\n2;x,y\n",
    "null is a word": "object,cluster\n1,NULL\n2,Null\n",
    "comments are rows": "object,cluster\n1,x\n#2,y\n",
    "no clusters": "object,cluster\n1,\n2,-1\n",
}
BROKEN = {
    "a line too short": "object,cluster\n1,x\n2\n",
    "a line too long": "object,cluster\n1,x\n2,y,z\n",
    "a delimiter at the end": "object,cluster\n1,x,\n",
    "a blank line": "object,cluster\n1,x\n\n2,y\n",
    "a blank line after many": "object,cluster\n" + "1,x\n" * 300_000 + "\n2,y\n",
    "a quote that is not closed": 'object,cluster\n1,"x\n2,y\n',
    "text after a quote": 'object,cluster\n1,"x"y\n',
    "a quote in the header that is not closed": '"object,cluster\n1,x\n',
    "no object": "object,cluster\n,x\n",
    "a quoted nothing as object": 'object,cluster\n"",x\n',
    "a continuous number": "object,cluster\n1,0.5\n",
    "no such columns": "a,b\n1,x\n",
    "two columns with one name": "object,object,cluster\n1,1,x\n",
    "nothing": "",
    "blanks": " \n\n",
    "a null character": "object,cluster\n1,x\0\n",
    "ids of another type": "object,cluster\nann,x\nbob,y\n",
    "Latin-1": "object,cluster\n1,é\n".encode("latin-1"),
    "Latin-1 in another column": "object,cluster,name\n1,x,é\n".encode("latin-1"),
    "UTF-16": "object,cluster\n1,x\n".encode("utf-16"),
    "half a gzip": COMPRESSED[".gz"](OTHER.encode() * 50)[:-20],
}
REFUSED = {
    "spaces that may be quoted": 'object,cluster\n" 1",x\n2,y\n',
    "a quoted line end": 'object,cluster\n1,"x\ny"\n2,y\n',
    "a quoted blank line": 'object,cluster\n1,"x\n\ny"\n2,y\n',
    "mixed line ends": "object,cluster\r\n1,x\n2,y\r\n",
    "spaces between columns": "object cluster\n1 x\n2 y\n",
    "a last line of spaces": "object,cluster\n1,x\n \n",
}

QUICK = {"text", "missing values", "integral floats", "leading zeros in objects", "Windows",
         "text late in the file", "quotes", "spaces around fields", "a header alone"}  # fmt: skip


def few_quick(cases, quick=frozenset()):
    """Return the names of cases, of which most are slow tests, since each takes a database."""
    return [case if case in quick else pytest.param(case, marks=pytest.mark.slow) for case in cases]


def write(path, content):
    path.write_bytes(as_bytes(content))
    return path


def both(left, right, **options):
    """Return the comparison in memory and by DuckDB, or the errors."""
    return compared(left, right, **options), compared(left, right, **options, **LIMITS)


def assert_same(left, right, **options):
    wanted, found = both(left, right, **options)
    assert not isinstance(wanted, Exception), wanted
    assert facts(found) == facts(wanted)


def message(error):
    assert isinstance(error, cv.CoverlapError), error
    assert "\n" not in str(error)
    return str(error)


def assert_refused(left, right, *patterns, **options):
    """Assert that there is an error by both engines, with some patterns in it."""
    for error in both(left, right, **options):
        assert all(re.search(pattern, message(error)) for pattern in patterns)


def assert_left_to_memory(left, right):
    wanted, found = both(left, right)
    assert not isinstance(wanted, Exception), wanted
    assert MEMORY in message(found)


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    return write(tmp_path_factory.mktemp("other") / "other.csv", OTHER)


@pytest.mark.parametrize("case", few_quick(SAME, QUICK))
def test_a_text_file_is_the_same_table(case, tmp_path, other):
    assert_same(cv.Table(write(tmp_path / "a.txt", SAME[case]), format="pairs"), other)


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_text_file_is_refused_by_both(case, tmp_path, other):
    assert_refused(write(tmp_path / "a.csv", BROKEN[case]), other, "^(left: |the ids of )")


@pytest.mark.parametrize("case", REFUSED)
def test_what_duckdb_cannot_tell_is_left_to_memory(case, tmp_path, other):
    assert_left_to_memory(write(tmp_path / "a.txt", REFUSED[case]), other)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("1,x\n2,y\n", {"object": 0, "cluster": 1}),
        ("x,9,1\ny,9,2\n", {"object": 2, "cluster": 0}),
        ("1|x\n2|y\n", {"object": 0, "cluster": 1, "delimiter": "|"}),
        ("1'x\n2'y\n", {"object": 0, "cluster": 1, "delimiter": "'"}),
        ("1\\x\n2\\y\n", {"object": 0, "cluster": 1, "delimiter": "\\"}),
        ("a b,c'd\n1,x\n", {"object": "a b", "cluster": "c'd"}),
        ('"a""b","x\'; DROP TABLE t; --"\n1,x\n',
         {"object": 'a"b', "cluster": "x'; DROP TABLE t; --"}),
        ("object,cluster\n1,x\n2,y\n3,0\n", {"outlier_label": ["x", 0]}),
        ("object,cluster\n1,1\n2,-1\n", {"outlier_label": ()}),
        ("object,cluster\n1,1\n2,x\n", {"outlier_cluster": "1"}),
    ],
)  # fmt: skip
def test_options_mean_the_same(content, options, tmp_path, other):
    assert_same(cv.Table(write(tmp_path / "a.csv", content), **options), other)


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("object,cluster\n1,x\n2,y\n3,x\n", {"object": 0, "cluster": 1}),
        ("1,x\n2,y\n", {"object": 0, "cluster": 2}),
        ("object,cluster\n1,x\n", {"object": "id"}),
        ("#object,cluster\n1,x\n", {"object": "object", "cluster": "cluster"}),
    ],
)
def test_wrong_options_are_refused_by_both(content, options, tmp_path, other):
    assert_refused(cv.Table(write(tmp_path / "a.csv", content), **options), other, "^left: ")


def test_compressed_text_is_the_same_table(tmp_path, other):
    data = SAME["quotes"].encode()
    for name, suffix in (("a.csv.gz", ".gz"), ("b.csv.zst", ".zst"), ("c.csv", ".gz")):
        assert_same(write(tmp_path / name, COMPRESSED[suffix](data)), other)
    assert_left_to_memory(write(tmp_path / "d.csv.bz2", COMPRESSED[".bz2"](data)), other)


@pytest.mark.slow
def test_texts_of_both_sides_share_a_type(tmp_path, other):
    text = write(tmp_path / "text.csv", OTHER_TEXT)
    for sides in ((text, other), (other, text), (text, text)):
        assert_same(*sides)
    floats = write(tmp_path / "floats.csv", "object,cluster\n1.0,x\nann,y\n2,y\n")
    assert_same(floats, text)
    assert_refused(floats, other, "may be the same object")


NAMES = ["a b.csv", "sélect.csv", "[1].csv", "a*b.csv", "x'; DROP TABLE t; --.csv", 'q"q.csv',
         "back\\slash.csv", "%s{}.csv"]  # fmt: skip


@pytest.mark.parametrize("name", few_quick(NAMES, {"[1].csv"}))
def test_names_of_files_are_names(name, tmp_path, other):
    for decoy in ("ab.csv", "1.csv"):
        write(tmp_path / decoy, "not,this\n")
    text = write(tmp_path / name, OTHER_TEXT)
    assert_same(cv.Table(text), other)
    parquet = tmp_path / name.replace(".csv", ".parquet")
    with duckdb.connect() as connection:
        connection.sql("SELECT i AS object, i // 3 AS cluster FROM range(9) AS t(i)").write_parquet(
            str(tmp_path / "plain.parquet")
        )
    shutil.copy(tmp_path / "plain.parquet", parquet)
    assert_same(cv.Table(parquet), other)


def test_several_files_are_one_table(tmp_path, other):
    folder = tmp_path / "parts"
    folder.mkdir()
    write(folder / "1.csv", "object,cluster\n1,x\n2,x\n")
    write(folder / "2.csv", "object,cluster\r\n3,y\r\n4,\r\n")
    write(folder / "3.csv.gz", COMPRESSED[".gz"](b"object,cluster\n7,y\nann,x"))
    write(folder / "_SUCCESS", "")
    whole = write(tmp_path / "whole.csv", "object,cluster\n1,x\n2,x\n3,y\n4,\n7,y\nann,x\n")
    wanted = facts(cv.compare(whole, other))
    for source in (folder, str(folder / "*.csv*"), sorted(folder.glob("[1-3]*"))):
        for found in both(cv.Table(source), other):
            assert facts(found) == wanted
    for found in both(str(folder), str(other)):
        assert facts(found) == wanted
    for columns, text in (("object,group", "4.csv"), ("object,cluster,more", "one table")):
        write(folder / "4.csv", columns + "\n1,x\n")
        assert_refused(cv.Table(folder), other, text)


def test_a_folder_or_wildcards_of_one_file_are_that_file(tmp_path, other):
    folder = tmp_path / "parts"
    folder.mkdir()
    path = write(folder / "1.csv", "object,cluster\n1,x\n2,x\n")
    wanted = cv.compare(path, other)
    for source in (folder, str(folder / "*.csv"), cv.Table([folder])):
        found = cv.compare(source, other)
        assert facts(found) == facts(wanted)
        assert found.notes == wanted.notes
        assert found.objects().to_dict() == wanted.objects().to_dict()


def test_folders_that_are_no_tables_say_why(tmp_path, other):
    folder = tmp_path / "parts"
    folder.mkdir()
    assert "has no files" in message(compared(folder, other))
    write(folder / "1.csv", "object,cluster\n1,x\n")
    write(folder / "notes.txt", "1\n")
    assert_refused(folder, other, "'notes.txt' is none")


def test_an_arrow_table_may_be_in_several_files(tmp_path, other):
    for name, ids in (("1", [1, 2]), ("2", [3])):
        table = pa.table({"object": ids, "cluster": ["x"] * len(ids)})
        write(tmp_path / f"{name}.arrow", arrow_bytes(table))
    files = str(tmp_path / "*.arrow")
    assert_same(files, other)
    assert cv.compare(files, other).clusterings[0].n_memberships == 3


@pytest.mark.parametrize("outlier_cluster", [False, True, 0, 1, "0", "1"])
def test_booleans_name_the_clusters_0_and_1(outlier_cluster, tmp_path, other):
    table = pa.table({"object": [1, 2, 3], "cluster": [True, False, True]})
    path = write(tmp_path / "a.arrow", arrow_bytes(table))
    with duckdb.connect() as connection:
        for source in (path, connection.from_arrow(table)):
            assert_same(cv.Table(source, outlier_cluster=outlier_cluster), other)
    names = set(cv.compare(cv.Table(path, outlier_cluster=outlier_cluster), other).cluster_names[0])
    assert names == {1 - int(outlier_cluster)}


def test_files_of_parquet_with_other_types_are_refused(tmp_path, other):
    with duckdb.connect() as connection:
        for i, kind in enumerate(("INTEGER", "INTEGER", "VARCHAR")):
            connection.sql(f"SELECT CAST({i} AS {kind}) AS object, 'x' AS cluster").write_parquet(
                str(tmp_path / f"{i}.parquet")
            )
    for found in both(cv.Table([tmp_path / "0.parquet", tmp_path / "1.parquet"]), other):
        assert found.clusterings[0].n_memberships == 2
    parts = cv.Table(str(tmp_path / "*.parquet"))
    assert_refused(parts, other, "2.parquet", "object INTEGER")
    assert_refused(cv.Table([tmp_path / "0.parquet", other]), other, "'pairs'")
    lists = write(tmp_path / "lists.json", "[[1, 2], [3]]")
    assert_refused(cv.Table([lists, lists]), other, "'json'")


ARROW = {
    "integers": ([1, 2, 3], [0, 0, -1]),
    "text": (["1", "2", "3"], ["x", "x", None]),
    "categories": (pa.array(["1", "b", "1"]).dictionary_encode(), pa.array(["x", "y", None])
                   .dictionary_encode()),
    "views": (pa.array(["1", "2"], pa.string_view()), pa.array(["x", None], pa.string_view())),
    "large text": (pa.array(["1", "2"], pa.large_string()), [True, False]),
    "floats": ([1.0, 2.0], [1.0, float("nan")]),
    "nulls": ([1, 2], pa.nulls(2)),
    "unsigned": (pa.array([1, 2**64 - 1], pa.uint64()), pa.array([1, 2], pa.uint8())),
    "nothing": (pa.array([], pa.int64()), pa.array([], pa.string())),
}  # fmt: skip


@pytest.mark.parametrize("case", few_quick(ARROW, {"categories"}))
def test_an_arrow_file_is_the_same_table(case, tmp_path, other):
    table = pa.table(dict(zip(("object", "cluster"), ARROW[case], strict=True)))
    batches = pa.concat_tables([table[:2], table[2:]])
    for content in (arrow_bytes(batches), arrow_bytes(table, pa.ipc.new_stream)):
        path = write(tmp_path / "a.arrow", content)
        wanted, found = both(path, other)
        assert facts(found)[0] == facts(wanted)[0]
        assert isinstance(wanted, Exception) or facts(found) == facts(wanted)


def test_broken_and_other_arrow_files_are_refused(tmp_path, other):
    table = pa.table({"object": [1, 2], "cluster": pa.array([1, 2], pa.duration("s"))})
    path = write(tmp_path / "a.arrow", arrow_bytes(table))
    assert MEMORY in message(compared(path, other, **LIMITS))
    assert_refused(write(path, path.read_bytes()[:-40]), other, "a.arrow")


RELATIONS = {
    "integers": "SELECT i AS object, i // 2 AS cluster FROM range(6) AS t(i)",
    "huge integers": "SELECT i::HUGEINT + 100000000000000000000 AS object, "
    "i::HUGEINT * 1000000000000000000000000000000 AS cluster "
    "FROM range(6) AS t(i)",
    "decimals": "SELECT i::DECIMAL(20, 2) AS object, (i // 2)::DECIMAL(9, 1) AS cluster "
    "FROM range(6) AS t(i)",
    "text": "SELECT 'x' || i AS object, CASE WHEN i > 2 THEN 'é' ELSE '-1' END AS cluster "
    "FROM range(6) AS t(i)",
    "enums": "SELECT i AS object, ['a', 'b'][i % 2 + 1]::ENUM ('b', 'a') AS cluster "
    "FROM range(6) AS t(i)",
    "descending dates": "SELECT i AS object, DATE '2026-01-07' - i::INTEGER AS cluster "
    "FROM range(6) AS t(i)",
    "dates": "SELECT DATE '2026-01-01' + i::INTEGER AS object, TIMESTAMP '2026-01-01' + "
    "to_days(i::INTEGER // 2) AS cluster FROM range(6) AS t(i)",
    "floats": "SELECT i::DOUBLE AS object, CASE WHEN i > 2 THEN i::FLOAT END AS cluster "
    "FROM range(6) AS t(i)",
    "uuids": "SELECT ('00000000-0000-0000-0000-00000000000' || i)::UUID AS object, i AS cluster "
    "FROM range(6) AS t(i)",
    "booleans": "SELECT i AS object, i > 2 AS cluster FROM range(6) AS t(i)",
    "only nulls": "SELECT i AS object, NULL AS cluster FROM range(6) AS t(i)",
    "no rows": "SELECT i AS object, i AS cluster FROM range(0) AS t(i)",
}


@pytest.mark.parametrize("case", few_quick(RELATIONS, {"huge integers"}))
def test_a_relation_is_the_same_table(case, tmp_path):
    with duckdb.connect() as one, duckdb.connect(str(tmp_path / "x.db")) as two:
        one.execute(f'CREATE TABLE "x\'; DROP" AS {RELATIONS[case]}')
        two.execute(f"CREATE VIEW v AS {RELATIONS[case]}")
        left, right = one.table('"x\'; DROP"'), cv.Table(two.sql("FROM v WHERE random() >= 0"))
        assert_same(left, right)
        assert one.sql('FROM "x\'; DROP"').fetchall() == one.sql(RELATIONS[case]).fetchall()


@pytest.mark.slow
def test_columns_of_relations_are_found_as_in_files(other):
    strange = ('a"b', "x'; DROP TABLE t; --", "sélect", "a b", "#1", "%")
    with duckdb.connect() as connection:
        for name in strange:
            quoted = '"' + name.replace('"', '""') + '"'
            relation = connection.sql(f"SELECT 'x' AS {quoted}, 1 AS \"{'Object'}\"")
            assert_same(cv.Table(relation, object="Object", cluster=name), other)
        relation = connection.sql("SELECT 5 AS a, 1 AS b, 2 AS c")
        assert_same(cv.Table(relation, object=2, cluster=1), other)
        assert_same(cv.Table(relation, object="a", cluster="c", outlier_cluster=2), other)
        for options in ({}, {"object": 0, "cluster": 3}, {"object": "d", "cluster": "a"}):
            assert_refused(cv.Table(relation, **options), other, "^left: relation: ")
        error = compared(connection.sql("SELECT 1 AS object, [[1]] AS cluster"), other, **LIMITS)
        assert "INTEGER[][]" in message(error)
        bad = connection.sql("SELECT 1 AS object, error('no!') AS cluster")
        assert "left: relation cannot be read: " in message(compared(bad, other, **LIMITS))


def test_a_column_of_lists_has_the_clusters_of_each_object(tmp_path, other):
    path = tmp_path / "a.parquet"
    lists = "CASE i WHEN 0 THEN [] WHEN 1 THEN NULL ELSE [i::VARCHAR, 'x'] END"
    with duckdb.connect() as connection:
        relation = connection.sql(f"SELECT i AS object, {lists} AS cluster FROM range(5) AS t(i)")
        relation.write_parquet(str(path))
        assert_same(path, other)
        assert facts(cv.compare(relation, other, **LIMITS)) == facts(cv.compare(path, other))


@pytest.mark.slow
def test_a_universe_is_a_path_a_table_ids_or_a_number(tmp_path):
    left = write(tmp_path / "left.csv", "object,cluster\n0,x\n1,x\n2,y\n")
    right = write(tmp_path / "right.csv", "object,cluster\n0,x\n1,y\n3,-1\n")
    ids = write(tmp_path / "ids.txt", "0\n1\n2\n5\n")
    for universe in (ids, [0, 1, 2, 5], 6, range(6), "left", "intersection"):
        assert_same(left, right, universe=universe)
    wanted = facts(cv.compare(left, right, universe=ids))
    table = write(tmp_path / "ids.csv", "name,object\na,0\nb,1\nc,2\nd,5\n")
    with duckdb.connect() as connection:
        relation = connection.sql("SELECT unnest([0, 1, 2, 5]) AS id")
        relation.write_parquet(str(tmp_path / "ids.parquet"))
        tables = cv.Table(table, object="object"), cv.Table(tmp_path / "ids.parquet")
        for universe in (*tables, cv.Table(relation)):
            for found in both(left, right, universe=universe):
                assert facts(found) == wanted
            found = cv.compare([[0, 1], [2]], [[0], [1]], universe=universe)
            assert found.universe.n_objects == 4
    assert_refused(left, right, "a Parquet file", universe=tmp_path / "ids.parquet")
    genes = write(tmp_path / "genes.csv", "object,cluster\nPAR1,x\n")
    assert_same(genes, genes, universe=write(tmp_path / "genes.txt", "PAR1\nPAR2\n"))
    for universe in (2, [0, 1], write(tmp_path / "few.txt", "0\n1\n")):
        assert_refused(left, right, "outside the universe", universe=universe)


def test_other_formats_are_left_to_memory(tmp_path, other):
    path = write(tmp_path / "a.json", "[[1, 2], [3]]")
    assert re.search("'json'.*engine='memory'", message(compared(path, other, **LIMITS)))
    assert_refused(tmp_path / "none.csv", other, "No such file")


@pytest.mark.slow
def test_an_object_may_be_in_10_000_clusters(tmp_path):
    rows = "".join(f"0,{c}\n{c},{c}\n" for c in range(1, 10_001))
    left = write(tmp_path / "left.csv", "object,cluster\n" + rows)
    right = write(tmp_path / "right.csv", "object,cluster\n" + rows.replace("0,7\n", "0,8\n"))
    assert_same(left, right)
    assert cv.compare(left, left, **LIMITS).score == 1.0
