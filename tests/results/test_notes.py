"""The notes of results: sides without a common object, and outliers of one side only."""

import json
from pathlib import Path

import pandas as pd
import pytest

from coverlap import Clustering, compare, scores

DISJOINT = "left and right have no object in common; check that their ids are the same"


def notes(left, right, **options):
    """Return the notes of a comparison, which are those of the scores, too."""
    result = compare(left, right, **options)
    assert scores(left, right, ["fstar_wo"], **options).notes == result.notes
    return result.notes


# Sides that share no object


@pytest.mark.parametrize("universe", ["union", "intersection", "left", "right"])
@pytest.mark.parametrize(
    "sides",
    [
        ({"x": 0, "y": 0}, {"X": 0, "Y": 0}),
        ([{1, 2}], [{3}, {4}]),
        (pd.Series([0, 1], index=[5, 6]), pd.Series([0, 1], index=[7, 8])),
        (Clustering.from_clusters([], universe=["a"]), [{"b"}]),
    ],
    ids=str,
)
def test_sides_that_share_no_object_are_noted(sides, universe):
    assert notes(*sides, universe=universe) == (DISJOINT,)


@pytest.mark.parametrize("universe", [["x", "X"], ["x", "X", "y"]])
def test_sides_that_share_no_object_of_a_given_universe_are_noted_and_printed(universe):
    sides = {"x": 0}, {"X": 0}
    assert notes(*sides, universe=universe) == (DISJOINT,)
    for call in (compare, scores):
        assert f"note: {DISJOINT}" in str(call(*sides, universe=universe)).replace("\n", " ")


def test_the_note_calls_the_sides_by_their_names():
    (note,) = compare({"x": 0}, {"X": 0}, names=("truth", "found")).notes
    assert note == DISJOINT.replace("left", "truth").replace("right", "found")
    assert json.loads(compare({"x": 0}, {"X": 0}).to_json())["notes"] == [DISJOINT]


def test_sides_on_a_graph_that_share_no_vertex_are_noted():
    edges = [(0, 1), (2, 3)]
    assert compare([{0, 1}], [{2, 3}], graph=edges).notes == (DISJOINT,)
    assert compare([{0, 1}], [{1, 2}], graph=edges).notes == ()


@pytest.mark.parametrize(
    "sides", [([], []), ([{1, 2}], [{2, 3}]), ([0, 1], [0, 1]), ([-1], [0])], ids=str
)
def test_sides_that_share_an_object_or_both_have_none_are_not_noted(sides):
    assert notes(*sides) == ()


# Many outliers of one side only

FOUND = [0] * 6 + [1] * 6


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_side_with_more_than_a_third_of_all_objects_as_outliers_of_its_own_is_noted(side):
    for truth, is_noted in (([0, 0, 0, 0, 1, 1, *[None] * 6], True),
                            ([0] * 4 + [-1] * 4 + [1] * 4, False)):  # fmt: skip
        expected = (
            f"6 of 12 objects are outliers in {side} only; if {side} has no labels for them, and "
            f'did not mark them as noise, drop_outliers="{side}" (--drop-outliers {side}) '
            "leaves them out"
        )
        assert notes(**{"left": FOUND, "right": FOUND, side: truth}) == (expected,) * is_noted


def test_objects_that_a_side_does_not_contain_are_left_out_by_the_universe():
    truth = dict.fromkeys(range(4), 0)
    found = dict(enumerate(FOUND))
    assert notes(truth, found) == (
        "8 of 12 objects are outliers in left only; left does not contain 8 of them, and "
        'universe="left" (--universe left) leaves these out',
    )
    assert notes(truth, found, universe="left") == ()
    assert 'drop_outliers="left"' in notes(truth, found, universe="right")[0]


@pytest.mark.parametrize(
    ("left", "right", "options"),
    [
        ([0, 0, *[-1] * 10], [1, 1, *[-1] * 10], {}),  # outliers on both sides
        ([0] * 6 + [-1] * 6, [-1] * 6 + [0] * 6, {}),  # each side has many of its own
        ([-1] * 12, FOUND, {}),  # nothing would be left
        ([0, 0, *[-1] * 10], FOUND, {"drop_outliers": "left"}),
        ([0, 0, *[-1] * 10], FOUND, {"drop_outliers": "either"}),
    ],
)
def test_other_outliers_are_not_noted(left, right, options):
    assert notes(left, right, **options) == ()


def test_outliers_that_neither_side_mentions_are_of_no_side():
    truth = Clustering.from_clusters([{0, 1}], universe=10)
    assert len(notes(truth, FOUND[:10], universe=range(10))) == 1
    found = Clustering.from_clusters([set(range(6)), {6, 7, 8, 9}])
    assert len(notes(truth, found)) == 1
    assert notes(truth, found, n_objects=100) == ()


def test_the_example_of_partial_truth_in_the_documentation_is_right():
    page = (Path(__file__).parents[2] / "docs" / "cases.md").read_text(encoding="utf-8")
    code = page.partition("### Partial truth")[2].partition("```python\n")[2].partition("```")[0]
    names = {}
    exec(code, names)  # noqa: S102
    lines = [line.partition("#") for line in code.splitlines() if "#" in line]
    written = [float(comment.partition(":")[0]) for _, _, comment in lines]
    assert written == [eval(call, names) for call, _, _ in lines]  # noqa: S307
    assert len(notes(names["truth"], names["found"])) == 1
