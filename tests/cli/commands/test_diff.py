"""``coverlap diff``: the summary, the tables of changes and of objects, and the exit codes."""

import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import coverlap as cv
from tests.cli import runner
from tests.cli.runner import write

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
def files() -> None:
    """Write the files that the tests compare into the working directory."""
    write_pairs("old.csv", zip(IDS, OLD, strict=True))
    write_pairs("new.tsv", zip(IDS, NEW, strict=True), "\t")


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
    result = run("old.csv", "new.tsv")
    assert result.stderr.startswith("coverlap: old.csv read as: comma-separated pairs, ")
    assert result.stdout == run("old.csv", "new.tsv", "--quiet").stdout


def test_the_text_fits_80_columns():
    for shift, name in enumerate(("the.old.file.of.the.day.csv", "the.new.file.of.the.day.csv")):
        write_pairs(name, [(f"a long name of an object {i}", f"a long name {(i + shift) // 4}")
                           for i in range(999)])  # fmt: skip
    text = run("the.old.file.of.the.day.csv", "the.new.file.of.the.day.csv").stdout
    assert "The 10 largest changes of 250\n" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("top", "title"),
    [(0, []), (1, ["The largest change of 4"]), (2, ["The 2 largest changes of 4"]),
     (4, ["The changes"])],
)  # fmt: skip
def test_top_is_the_number_of_rows(top: int, title: list[str]):
    _, _, table = run("old.csv", "new.tsv", "--top", str(top)).stdout.partition("\n\n")
    lines = table.splitlines()
    assert (lines[:1], len(lines[3:])) == (title, top)


def test_files_with_the_same_clusters_have_no_changes():
    write_pairs("copy.tsv", [*zip(IDS, map(str.upper, OLD), strict=True)][::-1], "\t")
    bars = ("--fail-below", "1", "--fail-on", "split,merged,kept")
    result = run("old.csv", "copy.tsv", *bars, "--moved", "m.csv")
    assert result.exit_code == 0
    assert result.stdout.startswith("F*_wo = 1.000000   from old.csv to copy.tsv\n")
    assert "4 old clusters, 4 new clusters: 4 same (threshold 0.5)\n" in result.stdout
    assert result.stdout.endswith("\n\nNothing changed\n")
    assert Path("m.csv").read_text() == "object,old,new,moved,moved_from,moved_to,loss\n"


def test_notes_are_printed():
    write_pairs("others.csv", [("x1", "a"), ("x2", "a")])
    printed = " ".join(run("old.csv", "others.csv").stdout.split("\n"))
    assert "note: old and new have no object in common" in printed


def test_the_threshold_of_links_is_passed_on():
    write("o.txt", *"0000011111")
    write("n.txt", *"0000111111")
    assert counts(run_json("o.txt", "n.txt")) == {"kept": 2}
    found = run_json("o.txt", "n.txt", "--link-threshold", "0", "--changes", "c.json")
    assert (counts(found), found["threshold"]) == ({"mixed": 1}, 0.0)
    assert [row["change"] for row in read_table("c.json")] == ["mixed"]


# Tables


def read_text(text: str, delimiter: str = ",") -> list[dict]:
    frame = pd.read_csv(io.StringIO(text), sep=delimiter, float_precision="round_trip")
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def read_table(name: str) -> list[dict]:
    delimiters = {".csv": ",", ".tsv": "\t", ".txt": ","}
    path = Path(name)
    if path.suffix not in delimiters:
        return runner.read_rows(name)
    return read_text(path.read_text(encoding="utf-8"), delimiters[path.suffix])


LISTS = ("old", "old_sizes", "new", "new_sizes")


def check_changes(rows: list[dict], *, lists_are_json: bool = True) -> None:
    columns = ["change", "detail", "old", "old_sizes", "old_objects", "new", "new_sizes",
               "new_objects", "shared", "gone", "come", "loss"]  # fmt: skip
    assert all([*row] == columns for row in rows)
    if lists_are_json:
        rows = [row | {key: json.loads(row[key]) for key in LISTS} for row in rows]
    assert [tuple(row.values())[:-1] for row in rows] == CHANGES
    assert [row["loss"] for row in rows] == pytest.approx(LOSSES, abs=1e-15)


def check_moved(rows: list[dict]) -> None:
    columns = ["object", "old", "new", "moved", "moved_from", "moved_to", "loss"]
    assert all([*row] == columns for row in rows)
    assert [tuple(row.values())[:-1] for row in rows] == MOVED
    objects = cv.compare("old.csv", "new.tsv").objects(moved_only=True).columns()
    assert [row["loss"] for row in rows] == objects["loss"]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "txt", "parquet", "arrow", "json"])
def test_tables_are_written_in_the_format_of_the_suffix_beside_the_result(suffix: str):
    names = f"c.{suffix}", f"m.{suffix}"
    result = run("old.csv", "new.tsv", "--changes", names[0], "--moved", names[1])
    assert result.stdout == run("old.csv", "new.tsv").stdout
    check_changes(read_table(names[0]), lists_are_json=suffix != "json")
    check_moved(read_table(names[1]))


def test_a_dash_is_standard_output_in_place_of_the_result():
    changes = run("old.csv", "new.tsv", "--changes", "-", "--quiet")
    assert (changes.exit_code, changes.stderr) == (0, "")
    check_changes(read_text(changes.stdout))
    check_moved(read_text(run("old.csv", "new.tsv", "--moved", "-", "--quiet").stdout))


def test_names_with_commas_quotes_and_letters_are_lists_of_json():
    names = ['Lee, "Ann"', "é聚", "a\\b"]
    Path("o.json").write_text(json.dumps({name: [i] for i, name in enumerate(names)}))
    write_pairs("n.csv", [("0", "x"), ("1", "x"), ("2", "x")])
    run("o.json", "n.csv", "--keys", "clusters", "--changes", "c.csv")
    (row,) = read_table("c.csv")
    assert sorted(json.loads(row["old"])) == sorted(names)
    assert "é聚" in row["old"]


def test_clusters_of_objects_in_several_are_lists():
    write_pairs("o.csv", [("0", "a"), ("1", "a"), ("1", "b"), ("2", "b"), ("3", "b")])
    write_pairs("n.csv", [("0", "a"), ("1", "b"), ("2", "b"), ("3", "b")])
    (row,) = read_text(run("o.csv", "n.csv", "--moved", "-").stdout)
    assert [row[key] for key in ("object", "old", "new", "moved_from", "moved_to")] == [
        1, '["a", "b"]', "b", '["a"]', None,
    ]  # fmt: skip


def test_integers_stay_integers_in_lists_and_columns():
    write("o.txt", *"0011")
    write("n.txt", *"0001")
    run("o.txt", "n.txt", "--changes", "c.parquet", "--moved", "m.parquet", "--link-threshold", "0")
    (row,) = runner.read_rows("c.parquet")
    assert (row["old"], row["new"], row["old_sizes"]) == ("[0, 1]", "[0, 1]", "[2, 2]")
    (row,) = runner.read_rows("m.parquet")
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
    assert {"changes", "moved"} & found.keys() == set()


def test_all_of_json_has_the_tables_too():
    found = run_json("old.csv", "new.tsv", "--all")
    check_changes(found.pop("changes"), lists_are_json=False)
    check_moved(found.pop("moved"))
    assert found == run_json("old.csv", "new.tsv")


# Which objects are compared


def test_the_options_of_the_universe_are_passed_on():
    write_pairs("more.csv", [*zip(IDS, OLD, strict=True), ("p", "n"), ("q", "n")])
    found = run("old.csv", "more.csv").stdout
    assert "15 objects, 2 moved; 0 only in old, 2 only in new\n" in found
    assert "4 old clusters, 5 new clusters: 1 new, 4 same" in found
    assert run_json("old.csv", "more.csv", "--universe", "left")["score"] == 1.0
    found = run_json("old.csv", "new.tsv", "--n-objects", "113")
    assert (found["outliers"]["n_shared"], found["n_moved"]) == (100, 6)


def test_outliers_can_be_dropped():
    found = run("old.csv", "new.tsv", "--drop-outliers", "either").stdout
    assert "11 objects, 4 moved; 2 outliers dropped\n" in found


def test_options_of_reading_apply_to_one_file_or_both():
    write("o", "1 a", "2 a", "3 b")
    write("n.csv", "record,entity", "1,a", "2,b", "3,b")
    old = ["--format-old", "pairs", "--object-old", "0", "--cluster-old", "1"]
    found = run_json("o", "n.csv", *old, "--object", "record", "--cluster-new", "entity")
    assert (found["n_clusters"], found["n_moved"]) == ([2, 2], 1)


# Exit codes and errors


@pytest.mark.parametrize(
    ("args", "messages"),
    [
        (["--fail-on", "mixed,new", "--fail-below", "0.4"], []),
        (["--fail-on", "merged, split ,mixed,split"],
         ["1 merged (--fail-on merged)", "1 split (--fail-on split)"]),
        (["--fail-below", "0.9", "--fail-on", "kept"],
         ["1 kept (--fail-on kept)", "score {score} is below 0.9"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", [[], ["--json"], ["--changes", "-"]])
def test_what_must_not_be_is_exit_code_1_after_the_result(args, messages, form):
    result = run("old.csv", "new.tsv", *args, *form, "--quiet")
    score = cv.fstar_score("old.csv", "new.tsv")
    expected = [f"coverlap: {message.format(score=score)}" for message in messages]
    assert result.stderr.splitlines() == expected
    assert result.exit_code == (1 if messages else 0)
    assert result.stdout == run("old.csv", "new.tsv", *form).stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--fail-on", "spilt"], "did you mean 'split'?"),
        (["--fail-on", "same"], "'same' is not one of split, merged"),
        (["--link-threshold", "1.5"], "1.5 is not a number from 0 to 1"),
        (["--all"], "--all goes with --json only"),
        (["--changes", "-", "--moved", "-"], "only one of --changes - and --moved - can"),
        (["--json", "--moved", "-"], "only one of --json and --moved - can be printed"),
        (["--changes", "t.csv", "--moved", "./t.csv"], "--changes and --moved must be different"),
        (["--changes", "t.xlsx"], "--changes must be - or a file whose name ends in .csv"),
    ],
)  # fmt: skip
def test_bad_options_are_reported_before_anything_is_read(args: list[str], message: str):
    assert message in error_line("none.csv", "new.tsv", *args)
    assert not Path("t.csv").exists()


@pytest.mark.parametrize("name", ["old.csv", "./new.tsv", "ids"])
def test_inputs_are_not_overwritten(name: str):
    write("ids", *IDS)
    before = Path(name).read_text()
    message = error_line("old.csv", "new.tsv", "--universe", "ids", "--moved", name)
    assert message == f"--moved {Path(name)} would overwrite an input file"
    assert Path(name).read_text() == before


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
