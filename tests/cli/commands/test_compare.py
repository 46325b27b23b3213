import csv
import json
from functools import partial
from pathlib import Path

import pytest

import coverlap as cv
from coverlap.cli.commands.compare import compare as command
from coverlap.cli.commands.compare import name_sides
from tests import naive
from tests.cli import runner

run = partial(runner.run, "compare")
run_json = partial(runner.run_json, "compare")
error_line = partial(runner.error_line, "compare")

LEFT = [("ann", "x"), ("bob", "x"), ("bob", "y"), ("cyd", "y"), ("dan", "y"), ("eve", ""),
        ("fay", "z"), ("gus", "z")]  # fmt: skip
RIGHT = [("ann", "1"), ("bob", "1"), ("cyd", "1"), ("dan", "2"), ("eve", "2"), ("fay", "-1"),
         ("hal", "3"), ("bob", "3"), ("ian", "")]  # fmt: skip
LEFT_CLUSTERS = [{"ann", "bob"}, {"bob", "cyd", "dan"}, {"fay", "gus"}]
RIGHT_CLUSTERS = [{"ann", "bob", "cyd"}, {"dan", "eve"}, {"hal", "bob"}]
LEFT_KNOWS = {"ann", "bob", "cyd", "dan", "eve", "fay", "gus"}
RIGHT_KNOWS = {"ann", "bob", "cyd", "dan", "eve", "fay", "hal", "ian"}
EVERYONE = LEFT_KNOWS | RIGHT_KNOWS


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the files that the tests compare into the working directory."""
    monkeypatch.chdir(tmp_path)
    write("a.txt", "0", "0", "1", "-1")
    write("b.txt", "1", "1", "2", "2")
    write("left.csv", "object,cluster", *map(",".join, LEFT))
    write("right.tsv", "object\tcluster", *map("\t".join, RIGHT))
    return tmp_path


def write(name: str, *lines: str) -> None:
    Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


# The result


def test_the_text_form_has_the_score_and_the_file_names():
    result = run("a.txt", "b.txt")
    assert result.exit_code == 0
    assert result.stdout.startswith("F*_wo = 0.687500   a.txt and b.txt\n")
    assert "1 outlier in a.txt, 0 in b.txt, 0 in both" in result.stdout


def test_the_text_form_fits_80_columns():
    long = "a cluster with quite a long name"
    write("truth.of.the.day.txt", *[long] * 12_345, *["b"] * 23_456)
    write("found.on.the.day.txt", *["c"] * 23_456, *[long] * 12_345)
    result = run("truth.of.the.day.txt", "found.on.the.day.txt")
    assert "truth.of.the.day.txt (left) and found.on.the.day.txt (right)" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_json_is_the_comparison():
    expected = cv.compare("a.txt", "b.txt", names=("a.txt", "b.txt"))
    assert run("a.txt", "b.txt", "--json").stdout == expected.to_json(indent=2) + "\n"


def test_json_of_labels_by_hand():
    found = run_json("a.txt", "b.txt")
    assert found["score"] == 0.6875
    assert found["left"]["score"] == 0.625
    assert found["right"]["score"] == 0.75
    assert found["outliers"] == {"n_left": 1, "n_right": 0, "n_shared": 0, "similarity": 0.0}


UNIVERSES = {
    "union": EVERYONE,
    "intersection": LEFT_KNOWS & RIGHT_KNOWS,
    "left": LEFT_KNOWS,
    "right": RIGHT_KNOWS,
}


@pytest.mark.parametrize("rule", UNIVERSES)
@pytest.mark.parametrize(
    ("args", "options"),
    [
        ([], {}),
        (["--no-outliers"], {"outliers": False}),
        (["--balance", "0.25"], {"balance": 0.25}),
        (["--similarity", "f1"], {"similarity": "f1"}),
        (["--similarity", "recall", "--balance", "1"], {"similarity": "recall", "balance": 1}),
        (["--average", "equal"], {"average": "equal"}),
        (["--drop-outliers", "either"], {"drop_outliers": "either"}),
        (["--drop-outliers", "left"], {"drop_outliers": "left"}),
        (["--threads", "2"], {}),
    ],
)
def test_the_score_is_that_of_the_definitions(rule: str, args: list[str], options: dict):
    found = run_json("left.csv", "right.tsv", "--universe", rule, *args)
    expected = naive.fstar(LEFT_CLUSTERS, RIGHT_CLUSTERS, UNIVERSES[rule], **options)
    assert found["score"] == pytest.approx(float(expected), abs=1e-15)
    lost = sum(row["loss"] for row in found["clusters"])
    assert lost == pytest.approx(1 - found["score"], abs=1e-12)


def test_objects_never_mentioned_are_outliers_on_both_sides():
    found = run_json("left.csv", "right.tsv", "--n-objects", "20")
    expected = naive.fstar(LEFT_CLUSTERS, RIGHT_CLUSTERS, EVERYONE | set(range(11)))
    assert found["score"] == pytest.approx(float(expected), abs=1e-15)
    assert found["universe"]["n_objects"] == 20


def test_a_universe_can_be_a_file_of_ids():
    write("ids", *sorted(EVERYONE), "kim", "lee")
    found = run_json("left.csv", "right.tsv", "--universe", "ids")
    expected = naive.fstar(LEFT_CLUSTERS, RIGHT_CLUSTERS, EVERYONE | {"kim", "lee"})
    assert found["score"] == pytest.approx(float(expected), abs=1e-15)
    assert found["universe"]["n_objects"] == 11


def test_a_universe_can_be_a_number():
    write("l.csv", "object,cluster", "0,a", "1,a", "5,b")
    write("r.csv", "object,cluster", "0,a", "5,a")
    found = run_json("l.csv", "r.csv", "--universe", "8")
    expected = naive.fstar([{0, 1}, {5}], [{0, 5}], range(8))
    assert found["score"] == pytest.approx(float(expected), abs=1e-15)


def test_the_ids_of_a_universe_are_of_the_type_of_the_files():
    write("l.csv", "object,cluster", "10,a", "11,a")
    write("r.csv", "object,cluster", "10,a", "11,b")
    write("numbers", "10", "11", "12")
    write("mixed", "10", "11", "new")
    assert run_json("l.csv", "r.csv", "--universe", "numbers")["universe"]["n_objects"] == 3
    assert run_json("l.csv", "r.csv", "--universe", "mixed")["universe"]["n_objects"] == 3


def test_a_file_of_labels_matches_a_file_of_pairs_by_line_number():
    write("pairs.csv", "object,cluster", "3,", "2,1", "1,0", "0,0")
    assert run_json("a.txt", "pairs.csv")["score"] == 1.0


def test_outlier_labels_replace_the_negative_integers():
    write("c.txt", "x", "none", "0", "-1")
    clusters = [{0}, {1}, {2}, {3}]
    for args, outliers in (
        ([], {3}),
        (["--outlier-label", "0"], {2}),
        (["--outlier-label", "none", "--outlier-label", "-1"], {1, 3}),
        (["--outlier-label", ""], set()),
    ):
        kept = [cluster for cluster in clusters if not cluster & outliers]
        found = run_json("c.txt", "c.txt", *args)
        assert found["outliers"]["n_shared"] == len(outliers)
        assert found["clusterings"][0]["n_clusters"] == len(kept)


def test_columns_can_have_other_names():
    write("l.csv", "note,record,entity", "?,1,e1", "?,2,e1")
    write("r.csv", "entity,record", "e1,1", "e2,2")
    found = run_json("l.csv", "r.csv", "--object", "record", "--cluster", "entity")
    assert found["score"] == pytest.approx(float(naive.fstar([{1, 2}], [{1}, {2}], {1, 2})))


# The table of matches


def test_matches_is_the_table_of_clusters():
    assert run("a.txt", "b.txt", "--matches", "out.csv").exit_code == 0
    header, *rows = Path("out.csv").read_text(encoding="utf-8").splitlines()
    assert header == ",".join(cv.compare("a.txt", "b.txt").columns())
    assert rows == [
        "a.txt,cluster,0,2,1,2,2,1.0,1.0,1.0,True,0.25,0.0",
        "a.txt,cluster,1,1,2,2,1,0.5,1.0,0.5,True,0.125,0.0625",
        "a.txt,outliers,,1,,0,0,0.0,0.0,0.0,False,0.125,0.125",
        "b.txt,cluster,1,2,0,2,2,1.0,1.0,1.0,True,0.25,0.0",
        "b.txt,cluster,2,2,1,1,1,0.5,0.5,1.0,True,0.25,0.125",
    ]


def test_matches_quote_the_names_that_need_it():
    write("c.csv", "object,cluster", '1,"Lee, Ann"', "2,é")
    assert run("c.csv", "c.csv", "--matches", "out.csv").exit_code == 0
    with Path("out.csv").open(encoding="utf-8", newline="") as file:
        assert [row["match"] for row in csv.DictReader(file)] == ["Lee, Ann", "é"] * 2


def test_matches_are_written_even_if_the_score_is_too_low():
    result = run("a.txt", "b.txt", "--json", "--matches", "out.csv", "--fail-below", "0.9")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["score"] == 0.6875
    assert len(Path("out.csv").read_text().splitlines()) == 6


@pytest.mark.parametrize("name", ["a.txt", "./b.txt", "ids"])
def test_matches_do_not_overwrite_an_input(name: str):
    write("ids", "0", "1", "2", "3")
    before = Path(name).read_text()
    message = error_line("a.txt", "b.txt", "--universe", "ids", "--matches", name)
    assert message == f"--matches {Path(name)} would overwrite an input file"
    assert Path(name).read_text() == before


def test_a_file_for_the_matches_that_cannot_be_written_is_an_error():
    assert error_line("a.txt", "b.txt", "--matches", "no/such/out.csv").startswith(
        "no/such/out.csv:"
    )
    assert error_line("a.txt", "b.txt", "--matches", ".").startswith(".: ")


# Exit codes and errors


@pytest.mark.parametrize(("threshold", "code"), [("0", 0), ("0.6875", 0), ("0.68751", 1), ("1", 1)])
def test_a_score_below_the_threshold_is_exit_code_1(threshold: str, code: int):
    result = run("a.txt", "b.txt", "--fail-below", threshold, "--quiet")
    assert result.exit_code == code
    assert result.stdout == run("a.txt", "b.txt").stdout
    assert result.stderr == (
        f"coverlap: score 0.6875 is below {float(threshold)}\n" if code else ""
    )


BAD_FILES = {
    "lengths": (["1", "1", "2"], "left has 4 objects and right has 3"),
    "fraction": (["1", "0.5", "2", "2"], "line 2: labels must name clusters, but this one is 0.5"),
    "header": (["label", "0", "0", "1", "1"], "line 1: 'label' looks like a header"),
    "blank": (["1", "1", "", "2"], "line 3: a blank line"),
    "commas": (["1,1", "2,1"], "bad.txt can be read in 3 ways"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_labels_are_reported_in_one_line(case: str):
    lines, message = BAD_FILES[case]
    write("bad.txt", *lines)
    assert message in error_line("a.txt", "bad.txt")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "bad.csv, line 1: the file is empty"),
        (b"\n \n", "bad.csv, line 1: the file is empty"),
        (b"object,cluster\nann,caf\xe9\n", "bad.csv, line 2: not UTF-8 text"),
        (b"object,cluster\nann,x\nbob\n", "bad.csv, line 3: 2 fields were expected, as on the "),
        (b"object,group\nann,x\n", "bad.csv, line 1: no column 'cluster' among 'object', 'group'"),
        (b"object,cluster\nann,0.5\n", "bad.csv, line 2: labels must name clusters"),
        (b"object,cluster\n7,x\n8,y\n", "the ids of bad.csv are integers (7, ...) and those of "),
    ],
)
def test_bad_pairs_are_reported_in_one_line(content: bytes, message: str):
    Path("bad.csv").write_bytes(content)
    assert message in error_line("left.csv", "bad.csv")
    assert message in error_line("bad.csv", "left.csv")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["a.txt"], "Missing argument 'RIGHT'"),
        (["a.txt", "b.txt", "c.txt"], "unexpected extra argument (c.txt)"),
        (["a.txt", "none.txt"], "none.txt: No such file or directory"),
        (
            ["a.txt", "."],
            ".: a folder may hold only Parquet, CSV or Arrow files, and 'a.txt' is none",
        ),
        (["a.txt", "left.csv"], "the ids of left are integers"),
        (["a.txt", "b.txt", "--jsn"], "No such option"),
        (
            ["a.txt", "b.txt", "--universe", "unoin"],
            "must be one of union, intersection, left, right, a number or a file, not 'unoin'",
        ),
        (["a.txt", "b.txt", "--universe", "."], ".: Is a directory"),
        (["a.txt", "b.txt", "--universe", "-5"], "universe must be from 0 to"),
        (["a.txt", "b.txt", "--universe", "2"], "left has objects outside the universe: 2, 3"),
        (
            ["left.csv", "right.tsv", "--universe", "few"],
            "left has members outside the universe: 'fay', 'gus'",
        ),
        (["left.csv", "right.tsv", "--universe", "a.txt"], "the ids of a.txt are integers"),
        (["left.csv", "right.tsv", "--universe", "head"], "'object' is the name of a column"),
        (["a.txt", "b.txt", "--n-objects", "3"], "n_objects is 3"),
        (["a.txt", "b.txt", "--n-objects", "x"], "'x' is not a valid integer"),
        (["a.txt", "b.txt", "--n-objects", "9", "--universe", "left"], "n_objects counts all"),
        (["a.txt", "b.txt", "--drop-outliers", "all"], "'all' is not one of 'left', 'right'"),
        (["a.txt", "b.txt", "--similarity", "cosine"], "'cosine' is not one of 'jaccard'"),
        (["a.txt", "b.txt", "--average", "mean"], "'mean' is not one of 'size', 'equal'"),
        (["a.txt", "b.txt", "--balance", "2"], "2.0 is not a number from 0 to 1"),
        (["a.txt", "b.txt", "--balance", "nan"], "nan is not a number from 0 to 1"),
        (["a.txt", "b.txt", "--fail-below", "nan"], "nan is not a number from 0 to 1"),
        (["a.txt", "b.txt", "--fail-below", "90"], "90.0 is not a number from 0 to 1"),
        (["a.txt", "b.txt", "--fail-below"], "'--fail-below' requires an argument"),
        (["a.txt", "b.txt", "--threads", "0"], "0 is not in the range"),
        (["a.txt", "b.txt", "--balance", "0", "--balance", "1"], "--balance is given 2 times"),
        (["left.csv", "right.tsv", "--object", "cluster"], "must be two columns"),
    ],
)
def test_bad_options_are_reported_in_one_line(args: list[str], message: str):
    write("few", "ann", "bob", "cyd", "dan", "eve")
    write("head", "object", "ann", "bob")
    assert message in error_line(*args)


def test_a_line_break_in_a_name_does_not_break_the_line():
    assert r"'no\nsuch'" in error_line("a.txt", "no\nsuch")


# Options and names


def test_every_option_of_the_library_has_one_on_the_command_line():
    named = {param.name for param in command.params}
    offered = set(cv.compare.__kwdefaults__) - {"names", "outliers", "progress", "weights"}
    assert offered <= named


@pytest.mark.parametrize(
    ("left", "right", "names"),
    [
        ("a/x.txt", "b/y.txt", ("x.txt", "y.txt")),
        ("a/x.txt", "b/x.txt", ("a/x.txt", "b/x.txt")),
        ("a/1/x.txt", "b/1/x.txt", ("a/1/x.txt", "b/1/x.txt")),
        ("x.txt", "b/x.txt", None),
        ("x.txt", "x.txt", ("x.txt", "x.txt")),
    ],
)
def test_sides_have_the_shortest_names_that_distinguish_them(
    left: str, right: str, names: tuple[str, str] | None, folder: Path
):
    expected = names or (f"{folder.name}/x.txt", "b/x.txt")
    assert name_sides(left, right) == tuple(str(Path(name)) for name in expected)


def test_a_file_against_itself_is_called_left_and_right():
    result = run("a.txt", "a.txt")
    assert result.stdout.startswith("F*_wo = 1.000000   a.txt (left) and a.txt (right)\n")
    assert "Nothing is lost" in result.stdout


def test_an_outlier_label_that_no_file_has_is_an_error():
    assert "'Unasigned'" in error_line("a.txt", "b.txt", "--outlier-label", "Unasigned")
