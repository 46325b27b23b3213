"""``coverlap diff``: the summary, the tables of changes and of objects, and the exit codes."""

import csv
import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import coverlap as cv
from coverlap.cli.commands.diff import diff as command
from tests.cli import runner

run = partial(runner.run, "diff")
run_json = partial(runner.run_json, "diff")
error_line = partial(runner.error_line, "diff")

IDS = [f"o{i:02}" for i in range(13)]
OLD = [*"aaaabbcccddd", ""]
NEW = ["a", "a", "e", "e", *["bc"] * 5, "d", "d", "", "d"]
"""a is split, b and c are merged, and d loses o11 to the outliers and gets o12 from them."""

CHANGES = [
    ("merged", None, ["b", "c"], [2, 3], 5, ["bc"], [5], 5, 5, 0, 0),
    ("split", None, ["a"], [4], 4, ["a", "e"], [2, 2], 4, 4, 0, 0),
    ("kept", "shifted", ["d"], [3], 3, ["d"], [3], 3, 2, 1, 1),
    ("outliers", None, [], [], 1, [], [], 1, 0, 1, 1),
]
# The partner of a is a, which is before e; the partner of bc is c, the larger one.
MOVED = [
    ("o02", "a", "e", True, "a", "e"), ("o03", "a", "e", True, "a", "e"),
    ("o04", "b", "bc", True, "b", "bc"), ("o05", "b", "bc", True, "b", "bc"),
    ("o11", "d", None, True, "d", None), ("o12", None, "d", True, None, "d"),
]  # fmt: skip
# Each cluster weighs size / 26, as does each set of outliers. Of a and e, the similarity to a is
# 1/2; that of b to bc is 2/5, and of c 3/5; that of both d is 2/4, and of the outliers 0.
LOSSES = [(2 * 3 / 5 + 3 * 2 / 5 + 5 * 2 / 5) / 26, (4 + 2 + 2) / 2 / 26, 6 / 2 / 26, 2 / 26]
SCORE = 1 - sum(LOSSES)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the files that the tests compare into the working directory."""
    monkeypatch.chdir(tmp_path)
    write_pairs("old.csv", zip(IDS, OLD, strict=True))
    write_pairs("new.tsv", zip(IDS, NEW, strict=True), "\t")


def write(name: str, *lines: str) -> None:
    Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_pairs(name: str, pairs, delimiter: str = ",") -> None:
    write(name, *(delimiter.join(pair) for pair in (("object", "cluster"), *pairs)))


def counts(found: dict[str, Any]) -> dict[str, int]:
    """Return the numbers of changes, which are given for all kinds, without the zeros."""
    assert len(found["counts"]) == 9
    return {word: n for word, n in found["counts"].items() if n}


# The summary


def test_the_summary_is_short_and_names_the_largest_changes():
    result = run("old.csv", "new.tsv", "--quiet")
    assert (result.exit_code, result.stderr) == (0, "")
    first, *lines = result.stdout.splitlines()
    assert first == f"F*_wo = {SCORE:.6f}   from old.csv to new.tsv"
    assert lines[0] == "13 objects, 6 moved"
    assert lines[1] == ("4 old clusters, 4 new clusters: 1 split, 1 merged, 1 kept (threshold 0.5)")
    assert lines[2].startswith("1 old outlier, 1 new outlier: ")
    assert [line.split() for line in lines[-4:]] == [
        ["merged", "b", "(2),", "c", "(3)", "bc", "(5)", "0", "0", f"{LOSSES[0]:.6f}"],
        ["split", "a", "(4)", "a", "(2),", "e", "(2)", "0", "0", f"{LOSSES[1]:.6f}"],
        ["shifted", "d", "(3)", "d", "(3)", "1", "1", f"{LOSSES[2]:.6f}"],
        ["outliers", "1", "outlier", "1", "outlier", "1", "1", f"{LOSSES[3]:.6f}"],
    ]
    summary = result.stdout.partition("\n\n")[0]
    assert summary.count("\n") < 10


def test_the_command_says_how_it_read_the_files_unless_it_is_quiet():
    stderr = run("old.csv", "new.tsv").stderr
    assert stderr.startswith("coverlap: old.csv read as: comma-separated pairs, ")
    assert "\ncoverlap: new.tsv read as: tab-separated pairs, " in stderr
    assert run("old.csv", "new.tsv").stdout == run("old.csv", "new.tsv", "--quiet").stdout


def test_the_text_fits_80_columns():
    pairs = [(f"an object with quite a long name {i}", f"a cluster with a long name {i // 4}")
             for i in range(2000)]  # fmt: skip
    write_pairs("the.old.file.of.the.day.csv", pairs)
    write_pairs("the.new.file.of.the.day.csv", [(name, pairs[i // 2][1])
                                                for i, (name, _) in enumerate(pairs)])  # fmt: skip
    text = run("the.old.file.of.the.day.csv", "the.new.file.of.the.day.csv").stdout
    assert "The 10 largest changes of 250\n" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("top", "title", "n_rows"),
    [(0, None, 0), (2, "The 2 largest changes of 4", 2), (4, "The changes", 4),
     (99, "The changes", 4)],
)  # fmt: skip
def test_top_is_the_number_of_rows(top: int, title: str | None, n_rows: int):
    summary, _, table = run("old.csv", "new.tsv", "--top", str(top)).stdout.partition("\n\n")
    assert summary.splitlines()[1].startswith("13 objects, 6 moved")
    lines = table.splitlines()
    assert lines[:1] == ([title] if title else [])
    assert len(lines[3:]) == n_rows


@pytest.mark.parametrize("names", [("old.csv", "old.csv"), ("old.csv", "copy.tsv")])
def test_identical_files_have_no_changes(names: tuple[str, str]):
    write_pairs("copy.tsv", [*zip(IDS, [cluster.upper() for cluster in OLD], strict=True)][::-1],
                "\t")  # fmt: skip
    result = run(*names, "--fail-below", "1", "--fail-on", "split,merged,kept", "--moved", "m.csv")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"F*_wo = 1.000000   from {names[0]} to {names[1]}\n")
    assert "4 old clusters, 4 new clusters: 4 same (threshold 0.5)\n" in result.stdout
    assert result.stdout.endswith("\n\nNothing changed\n")
    assert Path("m.csv").read_text() == "object,old,new,moved,moved_from,moved_to,loss\n"


def test_notes_are_printed():
    write_pairs("others.csv", [("x1", "a"), ("x2", "a")])
    expected = cv.compare("old.csv", "others.csv", names=("old", "new")).notes
    assert expected
    for note in expected:
        assert f"note: {note}" in " ".join(run("old.csv", "others.csv").stdout.split("\n"))


def test_standard_input_can_be_a_side():
    text = Path("old.csv").read_text()
    found = run("-", "new.tsv", stdin=text).stdout
    expected = run("old.csv", "new.tsv").stdout
    assert found == expected.replace("from old.csv", "from standard input")


def test_a_threshold_of_zero_links_what_shares_any_object():
    write("o.txt", *"0000011111")
    write("n.txt", *"0000111111")
    assert counts(run_json("o.txt", "n.txt")) == {"kept": 2}
    found = run_json("o.txt", "n.txt", "--link-threshold", "0")
    assert (counts(found), found["threshold"]) == ({"mixed": 1}, 0.0)
    assert "1 mixed (threshold 0)" in run("o.txt", "n.txt", "--link-threshold", "0").stdout
    # Both hold the smaller one whole, but neither keeps all objects of the larger one.
    strict = run_json("o.txt", "n.txt", "--link-threshold", "1")
    assert counts(strict) == {"scattered": 1, "gathered": 1}


# Tables


def read_csv(path: str, delimiter: str = ",") -> list[dict]:
    return read_text(Path(path).read_text(encoding="utf-8"), delimiter)


def read_text(text: str, delimiter: str = ",") -> list[dict]:
    rows = [*csv.DictReader(io.StringIO(text), delimiter=delimiter)]
    numbers = {"loss", "shared", "gone", "come", "old_objects", "new_objects"}
    for row in rows:
        row |= {key: None for key, value in row.items() if value == ""}
        row |= {key: json.loads(row[key]) for key in numbers & row.keys()}
        if "moved" in row:
            row["moved"] = {"True": True, "False": False}[row["moved"]]
    return rows


def read_parquet(path: str) -> list[dict]:
    with duckdb.connect() as connection:
        rows = connection.read_parquet(path)
        names = [column[0] for column in rows.description]
        return [dict(zip(names, row, strict=True)) for row in rows.fetchall()]


READERS = {
    "t.csv": read_csv, "t.tsv": partial(read_csv, delimiter="\t"), "t.txt": read_csv,
    "t.parquet": read_parquet,
    "t.arrow": lambda path: pa.ipc.open_file(path).read_all().to_pylist(),
    "t.json": lambda path: json.loads(Path(path).read_text(encoding="utf-8")),
}  # fmt: skip
LISTS = ("old", "old_sizes", "new", "new_sizes")

each_format = pytest.mark.parametrize("name", READERS)


def check_changes(rows: list[dict], *, lists_are_json: bool = True) -> None:
    columns = ["change", "detail", "old", "old_sizes", "old_objects", "new", "new_sizes",
               "new_objects", "shared", "gone", "come", "loss"]  # fmt: skip
    assert all([*row] == columns for row in rows)
    if lists_are_json:
        rows = [row | {key: json.loads(row[key]) for key in LISTS} for row in rows]
    assert [tuple(row.values())[:-1] for row in rows] == CHANGES
    assert [row["loss"] for row in rows] == pytest.approx(LOSSES, abs=1e-15)


@each_format
def test_changes_are_written_in_the_format_of_the_suffix(name: str):
    assert run("old.csv", "new.tsv", "--changes", name).exit_code == 0
    check_changes(READERS[name](name), lists_are_json=name != "t.json")


@each_format
def test_moved_objects_are_written_in_the_format_of_the_suffix(name: str):
    assert run("old.csv", "new.tsv", "--moved", name).exit_code == 0
    rows = READERS[name](name)
    columns = ["object", "old", "new", "moved", "moved_from", "moved_to", "loss"]
    assert all([*row] == columns for row in rows)
    assert [tuple(row.values())[:-1] for row in rows] == MOVED
    objects = cv.compare("old.csv", "new.tsv").objects(moved_only=True).columns()
    assert [row["loss"] for row in rows] == objects["loss"]


def test_both_tables_and_the_result_are_written():
    result = run("old.csv", "new.tsv", "--changes", "c.csv", "--moved", "m.csv")
    assert result.stdout == run("old.csv", "new.tsv").stdout
    check_changes(read_csv("c.csv"))
    assert len(read_csv("m.csv")) == len(MOVED)


def test_a_dash_is_standard_output_in_place_of_the_result():
    changes = run("old.csv", "new.tsv", "--changes", "-", "--moved", "m.csv", "--quiet")
    assert (changes.exit_code, changes.stderr) == (0, "")
    check_changes(read_text(changes.stdout))
    moved = run("old.csv", "new.tsv", "--moved", "-", "--quiet")
    assert moved.stdout == Path("m.csv").read_text()


def test_names_with_commas_quotes_and_letters_are_lists_of_json():
    names = ['Lee, "Ann"', "é聚", "a\\b"]
    with Path("o.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("object", "cluster"), *((i, name) for i, name in
                                                             enumerate(names))])  # fmt: skip
    write_pairs("n.csv", [("0", "x"), ("1", "x"), ("2", "x")])
    (row,) = read_text(run("o.csv", "n.csv", "--changes", "-").stdout)
    assert sorted(json.loads(row["old"])) == sorted(names)
    assert "é聚" in row["old"]


def test_clusters_of_objects_in_several_are_lists():
    write_pairs("o.csv", [("0", "a"), ("1", "a"), ("1", "b"), ("2", "b"), ("3", "b")])
    write_pairs("n.csv", [("0", "a"), ("1", "b"), ("2", "b"), ("3", "b")])
    (row,) = read_text(run("o.csv", "n.csv", "--moved", "-").stdout)
    assert [row[key] for key in ("object", "old", "new", "moved_from", "moved_to")] == [
        "1", '["a", "b"]', "b", '["a"]', None,
    ]  # fmt: skip


def test_integers_stay_integers_in_lists_and_columns():
    write("o.txt", *"0011")
    write("n.txt", *"0001")
    run("o.txt", "n.txt", "--changes", "c.parquet", "--moved", "m.parquet", "--link-threshold", "0")
    (row,) = read_parquet("c.parquet")
    assert (row["old"], row["new"], row["old_sizes"]) == ("[0, 1]", "[0, 1]", "[2, 2]")
    (row,) = read_parquet("m.parquet")
    assert (row["object"], row["old"], row["new"]) == (2, 1, 0)


# JSON


def test_json_is_the_summary():
    found = run_json("old.csv", "new.tsv")
    assert found["score"] == pytest.approx(SCORE, abs=1e-15)
    assert (found["measure"], found["threshold"], found["n_moved"]) == ("fstar_wo", 0.5, 6)
    assert (found["files"], found["n_clusters"]) == (["old.csv", "new.tsv"], [4, 4])
    assert counts(found) == {"split": 1, "merged": 1, "kept": 1}
    assert found["outliers"] == {"n_left": 1, "n_right": 1, "n_shared": 0, "similarity": 0.0}
    assert found["universe"]["n_objects"] == 13
    assert sum(found["losses"].values()) == pytest.approx(1 - SCORE, abs=1e-12)
    assert found["losses"]["sets of outliers"] == pytest.approx(2 / 26)
    assert {"changes", "moved"} & found.keys() == set()


def test_all_of_json_has_the_tables_too():
    found = run_json("old.csv", "new.tsv", "--all", "--changes", "c.json", "--moved", "m.json")
    check_changes(found["changes"], lists_are_json=False)
    assert [tuple(row.values())[:-1] for row in found["moved"]] == MOVED
    assert found["changes"] == json.loads(Path("c.json").read_text())
    assert found["moved"] == json.loads(Path("m.json").read_text())
    summary = {key: found[key] for key in found.keys() - {"changes", "moved"}}
    assert summary == run_json("old.csv", "new.tsv")


# Which objects are compared


def test_objects_that_one_side_lacks_are_counted():
    write_pairs("more.csv", [*zip(IDS, OLD, strict=True), ("p", "n"), ("q", "n")])
    found = run("old.csv", "more.csv").stdout
    assert "15 objects, 2 moved; 0 only in old, 2 only in new\n" in found
    assert "4 old clusters, 5 new clusters: 1 new, 4 same" in found
    assert run_json("old.csv", "more.csv", "--universe", "left")["score"] == 1.0
    assert run_json("old.csv", "more.csv", "--universe", "right")["counts"]["new"] == 1
    assert run_json("old.csv", "more.csv", "--universe", "intersection")["n_moved"] == 0
    write("ids", *IDS, "p", "q", "r")
    assert run_json("old.csv", "more.csv", "--universe", "ids")["universe"]["n_objects"] == 16


def test_the_number_of_objects_can_be_given():
    found = run_json("old.csv", "new.tsv", "--n-objects", "113")
    assert found["outliers"] == {
        "n_left": 101, "n_right": 101, "n_shared": 100,
        "similarity": pytest.approx(100 / 102),
    }  # fmt: skip
    assert found["n_moved"] == 6


def test_outliers_can_be_dropped():
    found = run("old.csv", "new.tsv", "--drop-outliers", "either").stdout
    assert "11 objects, 4 moved; " in found
    assert "; 2 outliers dropped\n" in found
    assert "1 split, 1 merged, 1 same" in found


def test_options_of_reading_apply_to_one_file_or_both():
    write("o", "1 a", "2 a", "3 b")
    write("n.csv", "record,entity", "1,a", "2,b", "3,b")
    old = ["--format-old", "pairs", "--object-old", "0", "--cluster-old", "1"]
    found = run_json("o", "n.csv", *old, "--object-new", "record", "--cluster-new", "entity")
    assert (found["n_clusters"], found["n_moved"]) == ([2, 2], 1)
    new = [option.replace("-old", "-new") for option in old]
    found = run_json("n.csv", "o", *new, "--object-old", "record", "--cluster-old", "entity")
    assert (found["n_clusters"], found["n_moved"]) == ([2, 2], 1)
    write("o.txt", *"0011")
    write("n.txt", *"0111")
    assert run_json("o.txt", "n.txt", "--outlier-label-old", "0")["outliers"]["n_left"] == 2
    assert run_json("o.txt", "n.txt", "--format", "labels")["n_clusters"] == [2, 2]


def test_every_rule_of_the_library_has_an_option():
    named = {param.name for param in command.params}
    assert {"universe", "n_objects", "drop_outliers", "threads"} <= named


# Exit codes and errors


@pytest.mark.parametrize(
    ("args", "messages"),
    [
        (["--fail-on", "mixed,new"], []),
        (["--fail-on", "split"], ["1 split (--fail-on split)"]),
        (["--fail-on", "merged, split ,mixed,split"],
         ["1 merged (--fail-on merged)", "1 split (--fail-on split)"]),
        (["--fail-on", "kept"], ["1 kept (--fail-on kept)"]),
        (["--fail-below", "0.4"], []),
        (["--fail-below", "0.9"], ["score {score} is below 0.9"]),
        (["--fail-below", "0.9", "--fail-on", "split"],
         ["1 split (--fail-on split)", "score {score} is below 0.9"]),
        (["--fail-on", "kept", "--link-threshold", "0.7"], []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", [[], ["--json"], ["--changes", "-"]])
def test_what_must_not_be_is_exit_code_1_after_the_result(args, messages, form):
    result = run("old.csv", "new.tsv", *args, *form, "--quiet")
    score = cv.fstar_score("old.csv", "new.tsv")
    expected = [f"coverlap: {message.format(score=score)}" for message in messages]
    assert result.stderr.splitlines() == expected
    assert result.exit_code == (1 if messages else 0)
    kept = [part for part in args if part in ("--link-threshold", "0.7")]
    assert result.stdout == run("old.csv", "new.tsv", *form, *kept).stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--fail-on", "spilt"], "'spilt' is not one of split, merged, "),
        (["--fail-on", "spilt"], "did you mean 'split'?"),
        (["--fail-on", "split,"], "'' is not one of split, merged"),
        (["--fail-on", "same"], "'same' is not one of split, merged"),
        (["--fail-below", "ari=0.5"], "must be a number from 0 to 1, not 'ari=0.5'"),
        (["--link-threshold", "1.5"], "1.5 is not a number from 0 to 1"),
        (["--link-threshold", "nan"], "nan is not a number from 0 to 1"),
        (["--top", "-1"], "-1 is not in the range"),
        (["--all"], "--all goes with --json only"),
        (["--changes", "-", "--moved", "-"], "only one of --changes - and --moved - can"),
        (["--json", "--moved", "-"], "only one of --json and --moved - can be printed"),
        (["--fail-on", ""], "'' is not one of split, merged"),
        (["--changes", "t.csv", "--moved", "t.csv"], "--changes and --moved must be different"),
        (["--changes", "t.csv", "--moved", "./t.csv"], "--changes and --moved must be different"),
        (["--changes", "t.xlsx"], "--changes must be - or a file whose name ends in .csv"),
        (["--moved", "none/t.csv"], "none/t.csv: No such file or directory"),
        (["--universe", "old"], "must be one of union, intersection, left, right, a number"),
    ],
)  # fmt: skip
def test_bad_options_are_reported_before_anything_is_read(args: list[str], message: str):
    assert message in error_line("none.csv", "new.tsv", *args)
    assert not Path("t.csv").exists()


@pytest.mark.parametrize("option", ["--changes", "--moved"])
@pytest.mark.parametrize("name", ["old.csv", "./new.tsv", "ids", "left"])
def test_inputs_are_not_overwritten(option: str, name: str):
    write("ids", *IDS)
    write_pairs("left", zip(IDS, OLD, strict=True))
    before = Path(name).read_text()
    files = ["left" if name == "left" else "old.csv", "new.tsv"]
    message = error_line(*files, "--universe", "ids", option, name)
    assert message == f"{option} {Path(name)} would overwrite an input file"
    assert Path(name).read_text() == before


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["old.csv", "none.csv"], "none.csv: No such file or directory"),
        (["old.csv"], "Missing argument 'NEW'"),
        (["old.csv", "new.tsv", "old.csv"], "unexpected extra argument"),
        (["old.csv", "numbers.csv"], "the ids of"),
    ],
)
def test_bad_files_are_reported_in_one_line(args: list[str], message: str):
    write_pairs("numbers.csv", [("1", "a"), ("2", "a")])
    assert message in error_line(*args)


TABLE_OPTIONS = ("--changes", "--moved", "--contingency", "--fates", "--one-to-one", "--losses")


@pytest.mark.parametrize("rules", [(), ("--universe", "right", "--link-threshold", "1")])
def test_files_outside_memory_give_the_same_result_and_tables(rules: tuple[str, ...]) -> None:
    printed, tables = [], []
    for engine in ("memory", "duckdb"):
        targets = [f"{engine}{option}.csv" for option in TABLE_OPTIONS]
        given = [item for pair in zip(TABLE_OPTIONS, targets, strict=True) for item in pair]
        result = run("old.csv", "new.tsv", "--engine", engine, *rules, *given, "-q")
        printed.append(result.stdout)
        tables.append([Path(target).read_text() for target in targets])
    assert printed[0] == printed[1]
    assert tables[0] == tables[1]


def test_everything_as_json_outside_memory() -> None:
    limits = ("--memory-limit", "500MB", "--temp-dir", ".", "--threads", "2")
    wanted = run_json("old.csv", "new.tsv", "--all")
    assert run_json("old.csv", "new.tsv", "--all", "--engine", "duckdb", *limits) == wanted
    assert not list(Path().glob("coverlap-tables-*"))


def test_standard_input_cannot_be_compared_outside_memory() -> None:
    assert "standard input needs --engine memory" in error_line(
        "-", "new.tsv", "--engine", "duckdb"
    )
