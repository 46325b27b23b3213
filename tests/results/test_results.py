"""What all results have in common: conversion, printing, equality and pickling."""

import json
import pickle
import subprocess
import sys
from copy import deepcopy
from dataclasses import FrozenInstanceError, dataclass, fields, is_dataclass, replace
from io import StringIO
from typing import ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pytest
from rich.cells import cell_len

import coverlap as cv
from coverlap.core.wording import format_loss
from coverlap.results.comparison_text import blocks
from coverlap.results.result import Result
from coverlap.results.text import (
    NAME,
    TEXT,
    Table,
    format_score,
    numbers,
    plain,
    render,
    shortened,
)

LEFT, RIGHT, OTHER = [0, 0, 0, 1, 1, -1], [0, 0, 1, 1, -1, -1], [0, 1, 1, 1, 0, 0]
COVERS = [{0, 1, 2}, {2, 3}, {3, 4}], [{0, 1}, {1, 2, 3}, {4}]
TEXTS = [f"text {i}" for i in range(3000)]
PATH = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
MAKERS = {
    "Comparison": lambda: cv.compare(LEFT, RIGHT),
    "Comparison with edges": lambda: cv.compare(LEFT, RIGHT, graph=PATH),
    "Scores": lambda: cv.scores(LEFT, RIGHT, ["fstar_wo", "ari", "omega"]),
    "OutlierSensitivity": lambda: cv.outlier_sensitivity(LEFT, RIGHT, measures=["ari"]),
    "PairwiseScores": lambda: cv.pairwise({"a": LEFT, (1, 2): RIGHT, 0.5: OTHER}),
    "Stability": lambda: cv.pairwise([LEFT, RIGHT, OTHER]).stability(of=0),
    "Baseline": lambda: cv.baseline(LEFT, RIGHT, n_draws=5),
    "Expectation": lambda: cv.expected_fstar(LEFT, RIGHT),
    "Interval": lambda: cv.bootstrap(LEFT, RIGHT, n_draws=5),
    "ObjectScores": lambda: cv.ecs_objects(dict(zip("abcdef", LEFT, strict=True)), {"a": 0}),
    "Estimate": lambda: cv.ecs_estimate(*COVERS, n_draws=2),
    "ContingencyTable": lambda: cv.compare(LEFT, RIGHT).contingency(),
    "Changes": lambda: cv.compare(LEFT, RIGHT, names=("old", "new")).changes(0.25, same=True),
    "ObjectChanges": lambda: cv.compare(LEFT, RIGHT).objects(),
    "ObjectChanges of texts": lambda: cv.compare(
        *(cv.Clustering.from_frame(pl.DataFrame({"object": TEXTS, "cluster": labels}))
          for labels in (TEXTS[:5] * 600, TEXTS[:6] * 500)), names=("old", "new")
    ).objects(moved_only=True),
    "Losses": lambda: cv.compare(LEFT, RIGHT).losses(),
    "Fates": lambda: cv.compare(LEFT, RIGHT).fates(),
    "OneToOne": lambda: cv.compare(LEFT, OTHER).one_to_one(),
}  # fmt: skip

every_result = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@every_result
def test_a_result_is_a_frozen_dataclass_of_the_shared_base(make):
    result = make()
    assert isinstance(result, Result)
    assert is_dataclass(result)
    name = fields(result)[0].name
    for change in (lambda: setattr(result, name, 5), lambda: delattr(result, name)):
        with pytest.raises(FrozenInstanceError):
            change()
    with pytest.raises(FrozenInstanceError):
        result.new = 5
    with pytest.raises(TypeError, match="unhashable"):
        hash(result)


@every_result
def test_a_result_equals_another_with_equal_values_and_its_copies(make):
    result = make()
    copies = [make(), deepcopy(result), pickle.loads(pickle.dumps(result))]  # noqa: S301
    assert all(copy == result for copy in copies)
    assert all(not copy != result for copy in copies)  # noqa: SIM202
    for copy in copies:
        assert (repr(copy), str(copy)) == (repr(result), str(result))
        assert copy.to_dict() == result.to_dict()


@every_result
def test_a_result_differs_from_results_with_another_value_and_from_other_types(make):
    result = make()
    for field in fields(result):
        assert not field.compare or replace(result, **{field.name: "another value"}) != result
    assert result not in (5, "a text")
    assert all((other() == result) == (other is make) for other in MAKERS.values())


@every_result
def test_json_is_the_dict_with_names_as_text(make):
    result = make()
    facts = result.to_dict()
    assert isinstance(facts, dict)
    as_text = json.loads(json.dumps(facts, default=str))
    if not isinstance(result, cv.PairwiseScores):
        assert json.loads(result.to_json()) == as_text
    assert json.loads(result.to_json(indent=2)) == json.loads(result.to_json())
    assert "\n" in result.to_json(indent=2)
    assert "\n" not in result.to_json()


def test_names_that_json_does_not_have_are_text():
    result = MAKERS["PairwiseScores"]()
    assert result.to_dict()["rows"] == ["a", (1, 2), 0.5]
    assert json.loads(result.to_json())["rows"] == ["a", "(1, 2)", "0.5"]
    stability = json.loads(result.stability(of=(1, 2)).to_json())
    assert (stability["clustering"], stability["runs"]) == ("(1, 2)", ["a", "0.5"])
    sides = [{pd.Timestamp("2020-01-01"): 0}] * 2
    assert json.loads(cv.ecs_objects(*sides).to_json())["objects"] == ["2020-01-01 00:00:00"]


@every_result
@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_a_frame_has_the_columns_of_the_result(make, library):
    result = make()
    frame, columns = result.to_frame(library), result.columns()
    is_arrow = library == "arrow"
    assert (frame.column_names if is_arrow else list(frame.columns)) == list(columns)
    for name, values in columns.items():
        found = frame[name].to_pylist() if is_arrow else frame[name].to_list()
        assert len(found) == len(values)
        if None not in values:
            assert found == [str(value) if isinstance(value, tuple) else value for value in values]


def test_results_without_a_table_are_one_row():
    baseline, interval, estimate = (MAKERS[name]() for name in ("Baseline", "Interval", "Estimate"))
    row, *others = (
        result.to_frame("polars").row(0, named=True) for result in (baseline, interval, estimate)
    )
    assert (row["measure"], row["n_draws"], row["p"]) == ("fstar_wo", 5, baseline.p)
    assert row["quantile_0.5"] == np.median(baseline.draws)
    expected = {"score": estimate.score, "error": estimate.error, "n_sampled": 2}
    assert others == [interval.to_dict(), expected]


@every_result
def test_rich_prints_the_text_of_a_result(make):
    result = make()
    assert plain(result, 200) == plain(result.__rich__(), 200)
    assert str(result) in {repr(result), plain(result)}
    assert "\n" not in repr(result)


def test_scores_are_a_mapping_that_equals_a_dict_of_the_same_scores():
    scores = MAKERS["Scores"]()
    assert scores == dict(scores)
    assert dict(scores) == scores
    assert scores != {"fstar_wo": 0.5}
    assert scores.get("nmi") is None
    assert list(scores.items()) == list(scores.by_measure.items())
    assert replace(scores, outliers_as="cluster") != scores


def test_the_clusterings_of_pairwise_scores_are_no_part_of_equality():
    result = MAKERS["PairwiseScores"]()
    assert replace(result, clusterings=None) == result


@dataclass(frozen=True, eq=False)
class Anything(Result):
    KINDS: ClassVar = {"value": "name"}

    value: object


@pytest.mark.parametrize(
    "value",
    [
        None, pd.NA, pd.NaT, (1, float("nan")), {"a": [float("nan"), None]},
        np.array([1.0, np.nan]),
        np.array(["a", "b"]), np.zeros((0, 2)), np.array([None, float("nan"), "a"], dtype=object),
        [np.array([1.0])], "text",
    ],
)  # fmt: skip
def test_missing_values_and_arrays_are_equal_to_themselves(value):
    assert Anything(value) == Anything(deepcopy(value))
    assert Anything(value) != Anything("another value")
    assert Anything([value]) != Anything([value, value])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (None, float("nan")), (pd.NA, 5), (np.ones(2), np.array([1.0, np.nan])),
        (np.ones(2), np.ones((1, 2))), (np.ones(1), [1.0]),
        (np.array([1, None], dtype=object), np.array([1, 2])), ({"a": 1}, {"b": 1}),
        ((1, 2), [1, 2]),
    ],
)  # fmt: skip
def test_values_of_different_types_or_items_are_not_equal(one, other):
    assert Anything(one) != Anything(other)
    assert Anything(other) != Anything(one)


def test_results_of_different_classes_are_not_equal():
    class Same(Anything):
        pass

    assert Same(5) != Anything(5)
    assert Anything(5) != Same(5)


def test_a_result_without_a_readable_form_prints_its_repr_in_one_line():
    result = Anything("x" * 200)
    assert str(result) == repr(result) == f"Anything(value='{'x' * 200}')"
    assert result.to_frame("polars")["value"].to_list() == ["x" * 200]


def test_rich_is_imported_only_to_print():
    code = (
        "import sys, coverlap as cv; r = cv.compare([0, 0, 1], [0, 1, 1]); r.to_json(); repr(r); "
        "assert 'rich' not in sys.modules; str(r); assert 'rich' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# Text


TABLE = Table(
    [
        ("name", NAME),
        *numbers("n"),
        *numbers("mean", rank=1),
        ("why", TEXT),
        *numbers("max", rank=2),
    ],
    [
        ["a name of 22 characters", "10", "0.25", "for a reason", "0.5"],
        ["b", "1,000", "1", "-", "1"],
    ],
)


def lines(width: int, table: Table = TABLE) -> list[str]:
    return plain(render([table]), width).splitlines()


def test_a_table_that_fits_is_printed_as_it_is():
    header, rule, first, _ = lines(60)
    assert header.split() == ["name", "n", "mean", "why", "max"]
    assert " ".join(first.split()) == "a name of 22 characters 10 0.25 for a reason 0.5"
    assert len(rule) == 23 + 5 + 4 + 12 + 3 + 4 * 2


def test_names_are_shortened_before_columns_are_left_out():
    for width in range(44, 55):
        header, rule, first, _ = lines(width)
        assert header.split() == ["name", "n", "mean", "why", "max"]
        assert first.startswith("a ")
        assert "…" in first
        assert len(rule) == width


@pytest.mark.parametrize(
    ("width", "shown", "left_out"),
    [
        (43, "name n mean why", "max"), (39, "name n mean why", "max"),
        (38, "name n why", "mean, max"), (26, "name n why", "mean, max"),
    ],
)  # fmt: skip
def test_columns_are_left_out_by_rank(width, shown, left_out):
    header, rule, first, second, *note = lines(width)
    assert header.split() == shown.split()
    assert " ".join(note) == f"(too narrow to show: {left_out})"
    assert max(map(len, (header, rule, first, second))) <= width
    assert second.split()[:2] == ["b", "1,000"]


def test_columns_are_left_out_before_two_names_look_the_same():
    names = [f"results/{method}/run_of_seed_1.csv" for method in ("leiden", "louvain")]
    table = Table(
        [("name", NAME), *numbers("a", "b", rank=1)], [[name, "0.25", "0.5"] for name in names]
    )
    assert lines(50, table)[2].split() == ["results/leiden/run_of_seed_1.csv", "0.25", "0.5"]
    for width in (40, 32, 28):
        first, second, *note = lines(width, table)[2:]
        assert first != second
        assert note == ([] if width > 34 else ["(too narrow to show: a, b)"])


def named_table(*names: str) -> Table:
    rows = [[name, str(number)] for number, name in enumerate(names, 1)]
    return Table([("name", NAME), *numbers("n")], rows)


def test_wide_characters_take_two_columns():
    table = named_table("聚类" * 10, "é" * 10)
    for width in range(12, 40):
        first, second = lines(width, table)[2:]
        assert width - 2 <= cell_len(first) <= width  # one column less on each side of the ellipsis
        assert first.endswith("1")
        assert second.endswith("2")


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("abcdefghij", 10, "abcdefghij"), ("abcdefghij", 9, "abcd…ghij"),
        ("abcdefghij", 4, "a…ij"), ("abcdefghij", 1, "…"), ("聚类聚类聚", 7, "聚…类聚"[0] + "…聚"),
        ("aaaaae\u0301bb", 5, "aa…bb"), ("", 1, ""),
    ],
)  # fmt: skip
def test_names_are_shortened_in_the_middle(text, width, expected):
    assert shortened(text, width) == expected
    assert cell_len(shortened(text, width)) <= width


def test_a_name_never_takes_several_lines_or_controls_the_terminal():
    table = named_table("a\nb\x1b[31m\u2028")
    for width in (None, 40):
        assert plain(render([table]), width).splitlines()[2] == r"a\nb\x1b[31m\u2028  1"


def test_names_are_broken_but_not_shortened_in_text_for_a_file():
    table = named_table("x" * 100)
    assert plain(render([table])).count("x") == 100
    assert "…" in plain(render([table]), 80)


@every_result
@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_every_result_fits_a_terminal(make, width):
    result = make()
    text = plain(result.__rich__(), width)
    assert max(cell_len(line) for line in text.splitlines()) <= width


@pytest.mark.parametrize("width", [40, 60, 80])
def test_long_names_of_clusters_take_one_line_each_in_a_narrow_terminal(width):
    sides = [{f"{side} cluster with a long name {i}": {i, i + 1, 2 * i} for i in range(1, 5)}
             for side in ("found", "true")]  # fmt: skip
    sides[1]["true cluster with a long name 3"] = {3, 9}
    result = cv.compare(*map(cv.Clustering.from_clusters, sides))
    text = plain(render(blocks(result, 10)), width).splitlines()
    (header,) = (i for i, line in enumerate(text) if line.startswith("side "))
    assert text[header].split()[-1] == "loss"
    rows = [line for line in text[header + 2 :] if not line.startswith(("(", "similarity"))]
    assert len(rows) == 4  # two clusters, and the outliers: 9 on the left, 6 on the right
    assert all(line.startswith(("left", "right")) for line in rows)
    assert sum("…" in line for line in rows) == 2


def test_print_fits_the_terminal_of_standard_output(monkeypatch):
    result = cv.pairwise({f"a clustering with a long name {i}": LEFT for i in range(4)})
    whole = str(result)
    assert max(map(len, whole.splitlines())) <= 80
    assert "a clustering with a long name 0" in whole
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "45")
    assert str(result) == plain(result, 45) != whole
    baseline = MAKERS["Baseline"]()
    assert " ".join(str(baseline).split()) == repr(baseline)  # broken at spaces
    assert max(map(len, str(baseline).splitlines())) <= 45


@pytest.mark.parametrize("output", [None, 5, StringIO()])
def test_a_result_is_printed_as_for_a_file_if_standard_output_is_none(monkeypatch, output):
    result = MAKERS["Comparison"]()
    text = str(result)
    if isinstance(output, StringIO):
        output.close()
    monkeypatch.setattr(sys, "stdout", output)
    assert str(result) == text


def test_a_very_long_name_is_shortened_at_once():
    code = (
        "from coverlap.results.text import *\n"
        "names = ['x' * 10**5, '\\u0301' * 10**5, '聚' * 10**5]\n"
        "table = Table([('name', NAME), ('other', NAME)], [[name] * 2 for name in names])\n"
        "print(max(map(len, plain(render([table]), 40).splitlines()[2:3])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    assert int(done.stdout) <= 40


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (0.5, "0.500000"), (1.0, "1.000000"), (0.0, "0.000000"), (-1.0, "-1.000000"),
        (1234.0, "1,234"), (2.5, "2.500000"), (0.9999999, "0.9999999"), (0.999999, "0.999999"),
    ],
)  # fmt: skip
def test_scores_are_written_with_six_digits_and_counts_as_integers(score, text):
    assert format_score(score) == text


def test_small_losses_are_not_written_as_zero():
    assert [format_loss(loss) for loss in (0.25, 1e-4, 1.234e-5)] == [
        "0.250000", "0.000100", "1.23e-05",
    ]  # fmt: skip


def test_names_control_no_terminal_and_turn_no_text():
    marks = "\x1b\x9b\r\u202a\u202e\u2066\u2069"
    names = [f"{mark}name{i}{mark}" for i, mark in enumerate(marks)]
    left = cv.Clustering.from_clusters({name: [i, i + 1, name] for i, name in enumerate(names)})
    right = cv.Clustering.from_clusters({name: [i, names[i - 1]] for i, name in enumerate(names)})
    result = cv.compare(left, right, names=names[:2])
    shown = [
        result, result.changes(), result.objects(), result.losses(), result.contingency(),
        result.fates(), result.one_to_one(), cv.scores(left, right), left,
        cv.pairwise(dict.fromkeys(names, left)), cv.baseline(left, right, n_draws=3, seed=0),
    ]  # fmt: skip
    for text in (*map(str, shown), *map(repr, shown), *result.notes, result._repr_html_()):
        assert not set(marks) & set(text)
    assert "\\u202e" in str(result.changes())


def test_names_of_changed_clusters_are_cut_in_the_middle_and_stay_different():
    names = [f"a_rather_long_name_of_cluster_number_{i}" for i in range(4)]
    left = [names[i % 4] for i in range(40)]
    right = [names[(i + (i % 7 == 0)) % 4] for i in range(40)]
    text = plain(cv.compare(left, right).changes(), width=60)
    assert max(map(len, text.splitlines())) <= 60
    for name in names:
        assert sum(word.endswith(name[-3:]) for word in text.split()) == 2
