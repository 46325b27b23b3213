"""Every form of the same labels gives the same scores and the same table, to the bit."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import coverlap as cv
from coverlap.core import values

NAMES = ["a", "b", "é", "cluster 10", "a name of more than twelve bytes", "a\nb", "10", "A", "Z"]
TEXTS = st.sampled_from([*NAMES, "-1", "", None])
NUMBERS = st.sampled_from([0, 1, 2, 7, 10**6, 2**62, -1, -7, None])
SAME_FIXTURE = [HealthCheck.function_scoped_fixture]
EXACT = settings(
    derandomize=True, deadline=None, max_examples=30, suppress_health_check=SAME_FIXTURE
)


@st.composite
def two_sides(draw):
    """Draw the labels of the same objects on both sides, of text or numbers, None for missing."""
    n = draw(st.integers(1, 12))
    labels = st.lists(draw(st.sampled_from([TEXTS, NUMBERS])), min_size=n, max_size=n)
    return draw(labels), draw(labels), draw(st.permutations(range(n)))


@pytest.fixture(params=[1, pytest.param(4096, marks=pytest.mark.slow)], ids=["many", "few"])
def many(request, monkeypatch):
    """Treat any number of values as many, or as few."""
    monkeypatch.setattr(values, "MANY", request.param)


def columns(labels: list) -> dict[str, object]:
    """Return the labels in all forms that have one item per object."""
    made = {
        "list": labels, "tuple": tuple(labels), "objects": np.array([*labels, None], object)[:-1],
        "Series": pd.Series(labels, dtype=object), "polars": pl.Series(labels, strict=False),
        "arrow": pa.chunked_array([labels[:2], labels[2:]], pa.array(labels).type),
        "categorical": pd.Series(pd.Categorical(labels)),
        "dictionary": pa.array(labels).dictionary_encode(),
    }  # fmt: skip
    if any(isinstance(label, str) for label in labels):
        made |= {
            "string": pd.Series(labels, dtype="string[python]"),
            "pyarrow": pd.Series(labels, dtype="string[pyarrow]"),
            "view": pa.array(labels, pa.string_view()),
            "Categorical": pl.Series(labels, dtype=pl.Categorical),
        }
    elif any(label is not None for label in labels):
        made |= {"Int64": pd.Series(labels, dtype="Int64"), "masked": masked(labels)}
    if None not in labels:
        made |= {"array": np.array(labels)}
    return made


def masked(labels: list) -> np.ma.MaskedArray:
    numbers = [0 if label is None else label for label in labels]
    return np.ma.MaskedArray(numbers, [label is None for label in labels], dtype=np.int64)


BY_ID = {
    "Series": lambda d: pd.Series([*d.values()], index=[*d], dtype=object),
    "pandas": lambda d: pd.DataFrame({"object": [*d], "cluster": [*d.values()]}, dtype=object),
    "polars": lambda d: pl.DataFrame({"object": [*d], "cluster": [*d.values()]}, strict=False),
    "arrow": lambda d: pa.table({"object": [*d], "cluster": [*d.values()]}),
}
"""Ways to hold objects and their labels, given as a dict."""


def answer(left: object, right: object) -> tuple:
    result = cv.compare(left, right)
    return cv.fstar_score(left, right), result.columns(), result.universe.n_objects


@EXACT
@given(two_sides())
@pytest.mark.usefixtures("many")
def test_labels_of_any_column_give_the_same_answer(sides):
    left, right, _ = sides
    expected = answer(list(left), list(right))
    others = columns(right)
    for name, form in columns(left).items():
        assert answer(form, others.get(name, right)) == expected, name


def ids_of(pattern: str | int, n: int) -> list:
    return [pattern.format(i) if isinstance(pattern, str) else pattern + 7 * i for i in range(n)]


@EXACT
@given(
    two_sides(), st.sampled_from(["object {}", "{}", "an id of more than 12 bytes {}", 0, 10**17])
)
@pytest.mark.usefixtures("many")
def test_labels_by_id_give_the_same_answer_in_any_order(sides, pattern):
    left, right, order = sides
    ids = ids_of(pattern, len(left))
    shuffled = [ids[i] for i in order]
    expected = answer(list(left), list(right))
    one, other = dict(zip(ids, left, strict=True)), dict(zip(ids, right, strict=True))
    moved = {item: other[item] for item in shuffled}
    for same in (other, moved):
        assert answer(one, same) == expected
        for name, make in BY_ID.items():
            assert answer(make(one), make(same)) == expected, name


@EXACT
@given(two_sides(), st.sampled_from(["object {}", "{}", 0, 10**17]))
@pytest.mark.usefixtures("many")
def test_clusters_give_the_same_scores_whatever_holds_their_members(sides, pattern):
    left, right, _ = sides
    ids = ids_of(pattern, len(left))
    expected = cv.scores(list(left), list(right), universe=len(left)).to_dict()["scores"]
    for kind in (set, frozenset, list, np.array):
        grouped = []
        for labels in (left, right):
            inside = cv.Clustering.from_labels(labels, objects=ids).to_clusters()
            grouped.append([kind(sorted(members)) for members in inside])
        assert cv.scores(*grouped, universe=ids).to_dict()["scores"] == expected
