"""Bars for scores and --require-partition."""

import json
from functools import partial
from pathlib import Path

import pytest

import coverlap as cv
from tests import naive
from tests.cli import runner

scores = partial(runner.run, "scores")
scores_error = partial(runner.error_line, "scores")
compare = partial(runner.run, "compare")
compare_error = partial(runner.error_line, "compare")


@pytest.fixture(autouse=True)
def files() -> None:
    for name, labels in (
        ("truth", "xxyyy"),
        ("found", "11122"),
        ("outlier", ["1", "", "1", "", 2]),
    ):
        rows = (f"{i},{label}" for i, label in enumerate(labels))
        Path(f"{name}.csv").write_text("\n".join(["object,cluster", *rows]))
    Path("several.csv").write_text("object,cluster\n0,a\n1,a\n1,b\n2,b\n2,c\n3,c\n4,c\n")


# By hand: two pairs are together on both sides (01 and 34), four on either one.
PRECISION = RECALL = 0.5


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["--fail-below", "pair_precision=0.5001"], 1),
        (["--fail-below", "pair_precision=0.4", "--fail-below", "pair_recall=0.9"], 1),
        (["--fail-below", "pair_precision=0.5", "--fail-below", "pair_recall=0.4"], 0),
        (["--fail-above", "split_join=1"], 1),
        (["--fail-above", "split_join=2"], 0),
    ],
)
def test_a_score_beyond_its_bar_is_exit_code_1(args: list[str], code: int):
    result = scores("truth.csv", "found.csv", "--quiet", *args)
    assert result.exit_code == code
    assert bool(result.stderr) == (code == 1)


def test_each_bar_that_is_missed_is_named_after_the_result():
    bars = ["--fail-below", "pair_precision=0.98", "--fail-below", "pair_recall=0.5"]
    result = scores("truth.csv", "found.csv", "-q", "--json", *bars, "--fail-above", "split_join=1")
    assert result.stderr == (
        f"coverlap: pair_precision {PRECISION} is below 0.98\n"
        "coverlap: split_join 2.0 is above 1.0\n"
    )
    expected = {"pair_precision": PRECISION, "pair_recall": RECALL, "split_join": 2.0}
    assert json.loads(result.stdout)["scores"] == expected


def test_measures_with_a_bar_are_shown_beside_those_that_are_asked_for():
    def shown(*args: str) -> list[str]:
        result = scores("truth.csv", "found.csv", "-q", "--json", *args)
        return list(json.loads(result.stdout)["scores"])

    assert shown("--fail-below", "ari=0") == ["ari"]
    assert shown("--fail-below", "ari=0", "-m", "ami") == ["ami", "ari"]
    assert shown("--fail-below", "onmi_lfk=0", "-m", "ami") == ["ami", "onmi_lfk"]
    assert shown() == list(cv.MEASURES)


def test_a_measure_with_a_bar_that_is_not_defined_is_bad_input():
    message = scores_error("truth.csv", "outlier.csv", "--fail-below", "ari=0.1")
    assert message.startswith("--fail-below ari: not defined for outliers (0 on the left, 2 on")
    message = scores_error(
        "truth.csv", "several.csv", "--fail-below", "fstar_wo=1", "--fail-above", "vi=1"
    )
    assert message.startswith("--fail-above vi: not defined for clusters that overlap")


@pytest.mark.parametrize(
    ("bar", "message"),
    [
        ("pair_precison=0.9", "did you mean 'pair_precision'"),
        ("0.9", "must be MEASURE=VALUE, such as fstar_wo=0.95, not '0.9'."),
        ("ari=", "'' is not a number."),
        ("ari=90", "90 is not a score of ari, which is from -0.5 to 1."),
        ("vi=inf", "inf is not a score of vi, which is from 0 to inf."),
        ("=0.9", "measure must be one of"),
    ],
)
def test_a_bar_that_no_score_can_meet_is_bad_input(bar: str, message: str):
    option = "--fail-above" if bar.startswith("vi") else "--fail-below"
    line = scores_error("truth.csv", "found.csv", option, bar)
    assert f"Invalid value for '{option}': " in line
    assert message in line


def test_the_bar_of_compare_is_a_number():
    message = compare_error("truth.csv", "found.csv", "--fail-below", "ari=0.9")
    assert "for other measures use 'coverlap scores ... --fail-below ari=0.9'." in message
    assert "'x' is not a valid float" in compare_error(
        "truth.csv", "found.csv", "--fail-below", "x"
    )


PARTITIONS = {
    ("truth.csv", "outlier.csv"): "outlier.csv has 2 outliers",
    ("outlier.csv", "several.csv"): (
        "outlier.csv has 2 outliers; several.csv has 2 objects in several clusters"
    ),
}


@pytest.mark.parametrize("names", PARTITIONS)
@pytest.mark.parametrize("command", ["compare", "scores"])
def test_what_is_not_a_partition_is_bad_input(command: str, names: tuple[str, str]):
    message = runner.error_line(command, *names, "--require-partition")
    assert message == f"--require-partition: {PARTITIONS[names]}"
    assert runner.run(command, "truth.csv", "found.csv", "--require-partition").exit_code == 0


def test_partitions_are_required_of_the_objects_that_are_compared():
    names = ["truth.csv", "outlier.csv", "--require-partition"]
    found = runner.run_json("compare", *names, "--drop-outliers", "either")
    expected = naive.fstar([{0}, {2, 4}], [{0, 2}, {4}], {0, 2, 4})
    assert found["score"] == pytest.approx(float(expected), abs=1e-15)
    assert scores(*names, "--outliers-as", "singletons").exit_code == 0
    message = compare_error("truth.csv", "truth.csv", "--require-partition", "--n-objects", "6")
    assert message == "--require-partition: truth.csv has 1 outlier; truth.csv has 1 outlier"


def test_partitions_of_the_vertices_of_a_graph_are_required():
    Path("graph.txt").write_text("0 1\n1 2\n3 4\n4 5\n")
    args = ["truth.csv", "found.csv", "--require-partition", "--graph", "graph.txt"]
    message = compare_error(*args)
    assert message == "--require-partition: truth.csv has 1 outlier; found.csv has 1 outlier"
    Path("graph.txt").write_text("0 1\n1 2\n3 4\n")
    assert compare(*args).exit_code == 0
