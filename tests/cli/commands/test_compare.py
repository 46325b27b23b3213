import json
from functools import partial
from pathlib import Path

import pytest

import coverlap as cv
from coverlap.cli.commands.compare import compare as command
from coverlap.cli.commands.compare import name_sides
from tests import naive
from tests.cli import runner
from tests.cli.runner import write

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
def files() -> None:
    """Write the files that the tests compare into the working directory."""
    write("a.txt", "0", "0", "1", "-1")
    write("b.txt", "1", "1", "2", "2")
    write("left.csv", "object,cluster", *map(",".join, LEFT))
    write("right.tsv", "object\tcluster", *map("\t".join, RIGHT))


# The result


@pytest.mark.parametrize(
    ("right", "title", "below"),
    [("b.txt", "F*_wo = 0.687500   a.txt and b.txt", "1 outlier in a.txt, 0 in b.txt, 0 in both"),
     ("a.txt", "F*_wo = 1.000000   a.txt (left) and a.txt (right)", "Nothing is lost")],
)  # fmt: skip
def test_the_text_form_has_the_score_and_the_file_names(right: str, title: str, below: str):
    result = run("a.txt", right)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{title}\n")
    assert below in result.stdout


def test_the_text_form_fits_80_columns():
    long = "a cluster with quite a long name"
    write("truth.of.the.day.txt", *[long] * 12_345, *["b"] * 23_456)
    write("found.on.the.day.txt", *["c"] * 23_456, *[long] * 12_345)
    result = run("truth.of.the.day.txt", "found.on.the.day.txt")
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_json_is_the_comparison():
    expected = cv.compare("a.txt", "b.txt", names=("a.txt", "b.txt"))
    assert run("a.txt", "b.txt", "--json").stdout == expected.to_json(indent=2) + "\n"


@pytest.mark.parametrize(
    ("args", "universe", "options"),
    [
        ("", EVERYONE, {}),
        ("--universe intersection", LEFT_KNOWS & RIGHT_KNOWS, {}),
        ("--universe left", LEFT_KNOWS, {}),
        ("--universe right", RIGHT_KNOWS, {}),
        ("--universe ids", EVERYONE | {"kim", "lee"}, {}),
        ("--n-objects 20", EVERYONE | set(range(11)), {}),
        ("--no-outliers", EVERYONE, {"outliers": False}),
        ("--balance 0.25", EVERYONE, {"balance": 0.25}),
        ("--similarity recall", EVERYONE, {"similarity": "recall"}),
        ("--average equal", EVERYONE, {"average": "equal"}),
        ("--drop-outliers left", EVERYONE, {"drop_outliers": "left"}),
        ("--threads 2", EVERYONE, {}),
    ],
)
def test_the_score_is_that_of_the_definitions(args: str, universe: set, options: dict):
    write("ids", *sorted(EVERYONE), "kim", "lee")
    found = run_json("left.csv", "right.tsv", *args.split())
    expected = naive.fstar(LEFT_CLUSTERS, RIGHT_CLUSTERS, universe, **options)
    assert found["score"] == pytest.approx(float(expected), abs=1e-15)


def test_a_universe_can_be_a_number():
    assert run_json("a.txt", "b.txt", "--universe", "8")["universe"]["n_objects"] == 8


def test_a_file_of_labels_matches_a_file_of_pairs_by_line_number():
    write("pairs.csv", "object,cluster", "3,", "2,1", "1,0", "0,0")
    assert run_json("a.txt", "pairs.csv")["score"] == 1.0


def test_outlier_labels_replace_the_negative_integers():
    write("c.txt", "x", "none", "0", "-1")
    for args, n_outliers in (
        (["--outlier-label", "none", "--outlier-label", "-1"], 2),
        (["--outlier-label", ""], 0),
    ):
        assert run_json("c.txt", "c.txt", *args)["outliers"]["n_shared"] == n_outliers
    assert "'Unasigned'" in error_line("a.txt", "b.txt", "--outlier-label", "Unasigned")


# The table of matches


def test_matches_are_written_even_if_the_score_is_too_low():
    result = run("a.txt", "b.txt", "--json", "--matches", "out.csv", "--fail-below", "0.9")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["score"] == 0.6875
    assert len(Path("out.csv").read_text().splitlines()) == 6


@pytest.mark.parametrize("name", ["a.txt", "./b.txt", "ids", "folder/c.csv"])
def test_matches_do_not_overwrite_an_input(name: str):
    write("ids", "0", "1", "2", "3")
    Path("folder").mkdir()
    write("folder/c.csv", "object,cluster", "0,1")
    before = Path(name).read_text()
    right = "folder" if name.startswith("folder") else "b.txt"
    message = error_line("a.txt", right, "--universe", "ids", "--matches", name)
    assert message == f"--matches {Path(name)} would overwrite an input file"
    assert Path(name).read_text() == before


# Exit codes and errors


@pytest.mark.parametrize(("threshold", "code"), [("0.6875", 0), ("0.68751", 1)])
def test_a_score_below_the_threshold_is_exit_code_1(threshold: str, code: int):
    result = run("a.txt", "b.txt", "--fail-below", threshold, "--quiet")
    assert (result.exit_code, result.stdout) == (code, run("a.txt", "b.txt").stdout)
    assert result.stderr == f"coverlap: score 0.6875 is below {threshold}\n" * code


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1", "1", "2"], "left has 4 objects and right has 3"),
        (["1", "0.5", "2", "2"], "bad.txt, line 2: labels must name clusters, but this one is 0.5"),
    ],
)
def test_bad_labels_are_reported_in_one_line(lines: list[str], message: str):
    write("bad.txt", *lines)
    assert message in error_line("a.txt", "bad.txt")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["a.txt"], "Missing argument 'RIGHT'"),
        (["a.txt", "none.txt"], "none.txt: No such file or directory"),
        (["a.txt", "."], ".: a folder may hold only Parquet, CSV or Arrow files"),
        (["a.txt", "b.txt", "--jsn"], "No such option"),
        (
            ["a.txt", "b.txt", "--universe", "unoin"],
            "must be one of union, intersection, left, right, a number or a file, not 'unoin'",
        ),
        (["a.txt", "b.txt", "--universe", "."], ".: Is a directory"),
        (["a.txt", "b.txt", "--n-objects", "x"], "'x' is not a valid integer"),
        (["a.txt", "b.txt", "--drop-outliers", "all"], "'all' is not one of 'left', 'right'"),
        (["a.txt", "b.txt", "--similarity", "cosine"], "'cosine' is not one of 'jaccard'"),
        (["a.txt", "b.txt", "--average", "mean"], "'mean' is not one of 'size', 'equal'"),
        (["a.txt", "b.txt", "--balance", "nan"], "nan is not a number from 0 to 1"),
        (["a.txt", "b.txt", "--fail-below", "90"], "90.0 is not a number from 0 to 1"),
        (["a.txt", "b.txt", "--threads", "0"], "0 is not in the range"),
        (["a.txt", "b.txt", "--balance", "0", "--balance", "1"], "--balance is given 2 times"),
    ],
)
def test_bad_options_are_reported_in_one_line(args: list[str], message: str):
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
        ("a/1/x.txt", "b/1/x.txt", ("a/1/x.txt", "b/1/x.txt")),
        ("x.txt", "b/x.txt", None),
    ],
)
def test_sides_have_the_shortest_names_that_distinguish_them(
    left: str, right: str, names: tuple[str, str] | None, tmp_path: Path
):
    expected = names or (f"{tmp_path.name}/x.txt", "b/x.txt")
    assert name_sides(left, right) == tuple(str(Path(name)) for name in expected)
