"""Every bad input raises an error of coverlap that names the argument, its value and a hint."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

import coverlap as cv
from coverlap import Clustering, CoverlapError, compare, fstar_score

Call = Callable[[], object]
NAN = float("nan")
CONSTRUCTORS = ("from_labels", "from_clusters", "from_memberships")
FRAME = pd.DataFrame({"object": [1, 2], "cluster": ["a", "b"]})


def check(call: Call, builtin: type[Exception], *needles: str) -> str:
    """Assert that a call raises an error of coverlap with one line that contains all needles."""
    with pytest.raises(Exception) as caught:  # noqa: PT011  (the type is what is tested)
        call()
    error = caught.value
    assert isinstance(error, CoverlapError), repr(error)
    assert isinstance(error, builtin), repr(error)
    message = str(error)
    assert [needle for needle in needles if needle not in message] == [], message
    assert "\n" not in message
    assert error.__cause__ is None, "a traceback of another library would be shown"
    assert error.__context__ is None or error.__suppress_context__
    return message


def table(*rows: tuple[Any, ...]) -> list[Any]:
    """Make pytest parameters of (id, call, built-in exception, needle, ...) rows."""
    return [pytest.param(*row[1:3], row[3:], id=row[0]) for row in rows]


def test_a_universe_too_large_to_count_is_refused_and_a_large_one_is_counted_without_memory():
    check(lambda: fstar_score([{0}], [{0}], universe=2**63), ValueError, "universe", "2**63")
    check(lambda: fstar_score([{0}], [{0}], n_objects=2**63), ValueError, "n_objects", "2**63")
    n = 10**15
    for options in ({"universe": n}, {"n_objects": n}):
        assert fstar_score([{0, 1}], [{0, 1}], **options) == 1.0
        result = compare([{0, 1}], [{1, 2}], **options)
        assert (result.universe.n_objects, result.outliers.n_shared) == (n, n - 3)
        assert 1 - result.score < 1e-14
    dropped = compare([{0, 1}], [{1, 2}], n_objects=n, drop_outliers="both")
    assert (dropped.universe.n_objects, dropped.universe.n_outliers_dropped) == (3, n - 3)


def test_an_error_in_a_similarity_of_ones_own_is_shown_as_it_is():
    def similarity(shared, own, other):  # noqa: ARG001
        raise ValueError("my own mistake")

    with pytest.raises(ValueError, match="my own mistake"):
        fstar_score([{0}], [{0}], similarity=similarity)


# Inputs that are not clusterings


@pytest.mark.parametrize(
    ("bad", "builtin", "needles"),
    table(
        ("a float that is no integer", [0, 0.5, 1], ValueError, "item 1", "0.5"),
        ("a float array", np.array([1.0, 2.0, 2.5]), ValueError, "item 2", "2.5"),
        ("a float after a NaN", np.array([NAN, 2.5, 1.0]), ValueError, "item 1", "2.5"),
        ("an infinite float array", np.array([1.0, np.inf, 2.0]), ValueError, "item 1", "inf"),
        ("an infinite float", [0, 1, -np.inf], ValueError, "item 2", "inf"),
        ("floats of a Series", pd.Series([0.0, 1.5, 1.0]), ValueError, "item 1", "1.5"),
        ("floats of polars", pl.Series([0.0, 1.5, None]), ValueError, "item 1", "1.5"),
        ("floats in a dict", {"a": 0.0, "b": 0.25}, ValueError, "0.25"),
        ("dense 2-D", np.zeros((2, 3)), TypeError, "(2, 3)", "from_matrix", "rows="),
        ("dense 2-D of objects", np.full((2, 3), None), TypeError, "(2, 3)", "from_matrix"),
        ("masked 2-D", np.ma.zeros((2, 3)), TypeError, "(2, 3)", "from_matrix"),
        ("an empty 2-D array", np.zeros((0, 3)), TypeError, "(0, 3)", "from_matrix"),
        ("3-D", np.zeros((2, 3, 4)), TypeError, "one dimension", "3"),
        ("0-D", np.array(5), TypeError, "one dimension", "0"),
        ("complex", np.array([1j, 2j, 0]), TypeError, "complex"),
        ("records", np.zeros(3, [("a", int), ("b", int)]), TypeError, "labels"),
        ("bytes", b"aab", TypeError, "bytes"),
        ("an int", 3, TypeError, "int", "3"),
        ("a NumPy int", np.int64(3), TypeError, "int64", "3"),
        ("a float", 0.5, TypeError, "float", "0.5"),
        ("None", None, TypeError, "NoneType"),
        ("a function", len, TypeError, "builtin_function"),
        ("an ellipsis", ..., TypeError, "ellipsis"),
        ("a pandas NA", pd.NA, TypeError, "NAType"),
        ("a pandas timestamp", pd.Timestamp("2020-01-01"), TypeError, "Timestamp"),
        ("an Arrow scalar", pa.scalar(1), TypeError, "Int64Scalar"),
        ("a polars expression", pl.lit(1), TypeError, "Expr"),
        ("a linear operator", aslinearoperator(sparse.eye_array(3)), TypeError, "Operator"),
        ("a 1-D sparse array", sparse.coo_array([1, 0, 1]), TypeError, "two dimensions", "1"),
        ("a dict of lists", {"a": [1, 2]}, TypeError, "'a'", *CONSTRUCTORS[1:]),
        ("a dict of sets", {"a": 1, "b": {1, 2}}, TypeError, "'b'", *CONSTRUCTORS[1:]),
        ("a dict of tuples", {"a": (1, 2)}, TypeError, "'a'", *CONSTRUCTORS[1:]),
        ("tuples", [(0, 1), (1, 2), (2, 2)], TypeError, "tuple", *CONSTRUCTORS),
        ("a tuple among labels", [0, (1, 2), 1], TypeError, "item 1", "tuple", *CONSTRUCTORS),
        ("ranges", [range(2), range(2, 3)], TypeError, "from_clusters"),
        ("labels and sets", [0, {1}, 2], TypeError, "item 1", "set", *CONSTRUCTORS),
        ("labels and lists", ["a", "b", [1]], TypeError, "item 2", "list", *CONSTRUCTORS),
        ("one set of scalars", {0, 1, 2}, TypeError, "one set", "[{"),
        ("unhashable labels", [0, {}, 1], TypeError, "item 1", "dict"),
        ("unhashable members", [{0}, [1, [2]]], TypeError, "hashable", "list"),
        ("missing members", [{0, 1}, {2, None}], ValueError, "missing"),
        ("NaN as an object", {0: "a", NAN: "b"}, ValueError, "missing"),
        ("a Series of sets", pd.Series([{0}, {1, 2}, {2}]), TypeError, "hashable", "set"),
        ("a null list in Arrow", pa.array([[0], None]), TypeError, "[1]", "NoneType"),
        ("a null in a list of Arrow", pa.array([[0], [1, None]]), ValueError, "missing"),
        ("frame without object", FRAME[["cluster"]], ValueError, "'object'", "cluster"),
        ("frame without cluster", FRAME[["object"]], ValueError, "'cluster'", "from_frame"),
        ("frame of numbered columns", pd.DataFrame([[1, 2]]), ValueError, "'cluster'", "0", "1"),
        (
            "frame with a column twice",
            pd.DataFrame([[1, 2, 3]], columns=["object", "object", "cluster"]),
            ValueError,
            "'object'",
        ),
        (
            "frame with a null object",
            pl.DataFrame({"object": [1, None], "cluster": [1, 2]}),
            ValueError,
            "missing",
        ),
        (
            "frame with unhashable clusters",
            pd.DataFrame({"object": [1], "cluster": [[1]]}),
            TypeError,
            "hashable",
        ),
    ),
)
@pytest.mark.parametrize("side", ["left", "right"])
def test_what_is_no_clustering_is_refused_and_the_message_names_the_side(
    bad: Any, builtin: type[Exception], needles: tuple[str, ...], side: str
) -> None:
    sides = {"left": [0, 1, 1], "right": [0, 1, 1], side: bad}
    check(lambda: fstar_score(**sides), builtin, side, *needles)


@pytest.mark.parametrize("path", ["no/such/file.csv", Path("no/such/labels.txt"), "aabb", "a\0b"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_file_that_is_not_there_is_an_os_error_naming_side_and_path(
    path: str | Path, side: str
) -> None:
    sides: dict[str, Any] = {"left": [0, 1], "right": [0, 1], side: path}
    check(lambda: fstar_score(**sides), OSError, side, str(path).replace("\0", "\\x00"))


def test_two_files_that_are_not_there_are_an_os_error() -> None:
    check(lambda: fstar_score("no/such/a.csv", "no/such/b.csv"), OSError, "no/such/a.csv")


def test_a_folder_is_an_os_error(tmp_path: Path) -> None:
    check(lambda: fstar_score(tmp_path, [0]), OSError, "left", str(tmp_path))


# Two clusterings that cannot be compared


@pytest.mark.parametrize(
    ("left", "right", "needles"),
    table(
        ("labels", [0, 0, 1], [0, 1], "left", "right", "3", "2"),
        ("labels and an array", [0, 0, 1], np.array([0, 1]), "3", "2"),
        ("a Series and labels", pd.Series([0, 0, 1]), [0, 1], "left", "right", "3", "2"),
        ("polars and Arrow", pl.Series([0, 1]), pa.array([0, 0, 1]), "2", "3"),
        ("matrix and labels", sparse.eye_array(4, format="csr"), [0, 1, 2], "4", "3"),
        ("an id that labels do not have", [0, 0, 1], [{0, 7}], "right", "left", "7", "0 to 2"),
        ("a text id and labels", {"a": 0, 1: 0}, [0, 1], "left", "right", "'a'"),
        ("a negative id and labels", [{-1, 0}], [0, 1], "left", "-1"),
        ("integers and text", {1: 0, 2: 0}, {"1": 0, "2": 0}, "left", "right", "integers",
         "strings", "convert"),
        ("text and integers", [{"1", "2"}], [{1, 2}], "left", "right", "integers", "strings",
         "convert"),
        ("Series of integers and text", pd.Series([0, 1], index=["0", "1"]),
         pd.Series([0, 1], index=[0, 1]), "integers", "strings", "convert"),
        ("integers and text in sets of one object", [{1}], [{"1"}], "integers", "strings"),
    ),
)  # fmt: skip
def test_objects_that_do_not_fit_are_a_value_error(
    left: Any, right: Any, needles: tuple[str, ...]
) -> None:
    check(lambda: fstar_score(left, right), ValueError, *needles)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(
    "index", [["a", "b", "c"], [1, 2, 3], pd.DatetimeIndex(["2020", "2021", "2022"])], ids=str
)
def test_a_repeated_index_is_a_value_error_when_two_series_are_aligned(
    side: str, index: Any
) -> None:
    good = pd.Series([0, 0, 1], index=index)
    sides = {"left": good, "right": good, side: good.iloc[[0, 1, 0]]}
    check(lambda: fstar_score(**sides), ValueError, f"index of {side}", "once")


def test_a_missing_index_entry_is_a_value_error_when_two_series_are_aligned() -> None:
    gap = pd.Series([0, 1], index=[0.0, NAN])
    check(lambda: fstar_score(gap, gap), ValueError, "left", "index", "missing")


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("universe", [3, [0, 1, 2], np.arange(3), {0, 1, 2}], ids=type)
def test_members_outside_an_explicit_universe_are_named_up_to_five(
    side: str, universe: Any
) -> None:
    sides: dict[str, Any] = {"left": [{0, 1}], "right": [{0, 1}], side: [{0, *range(93, 100)}]}
    message = check(
        lambda: fstar_score(**sides, universe=universe),
        ValueError, side, "93, 94, 95, 96, 97", "2 more", "universe",
    )  # fmt: skip
    assert "98" not in message


@pytest.mark.parametrize(
    ("call", "builtin", "needles"),
    table(
        ("clusters", lambda: Clustering.from_clusters([{1, 9}], universe=3), ValueError, "9"),
        (
            "memberships",
            lambda: Clustering.from_memberships({9: "a"}, universe=[1]),
            ValueError,
            "9",
        ),
        ("frame", lambda: Clustering.from_frame(FRAME, universe=[1]), ValueError, "2"),
        (
            "text members",
            lambda: Clustering.from_clusters([{"a"}], universe=3),
            ValueError,
            "'a'",
        ),
    ),
)
def test_constructors_refuse_members_outside_their_universe(
    call: Call, builtin: type[Exception], needles: tuple[str, ...]
) -> None:
    check(call, builtin, "outside", "universe", *needles)


# Options

BAD_UNIVERSES: list[Any] = [
    None, 1.5, NAN, True, np.True_, -1, np.int64(-1), b"ab", "everything", ..., np.array(3),
]  # fmt: skip
BAD_OPTIONS: dict[str, list[Any]] = {
    "similarity": ["cosine", "Jaccard", "", None, 1, ["jaccard"], b"f1"],
    "average": ["mean", "weighted", None, True, 0, ["size"]],
    "drop_outliers": [True, False, "c1", "none", 0, ["left"]],
    "balance": [-0.1, 1.5, NAN, np.inf, "x", "0.5", None, True, 1j, [0.5], np.array([0.5])],
    "threads": [0, -1, True, 1.5, "2", [1], NAN],
    "outliers": ["yes", 1, 0, None, "False", np.array([True])],
    "n_objects": [-1, 2.5, "9", True, [9], NAN],
    "universe": BAD_UNIVERSES,
}
ONLY_COMPARE: dict[str, list[Any]] = {
    "engine": ["gpu", "", None, 1, ["memory"]],
    "names": ["ab", ("a",), ("a", "b", "c"), ("a", 1), 5, None, {"a", 1}],
}


def bad_options() -> Iterator[Any]:
    for function, options in (
        (fstar_score, BAD_OPTIONS),
        (compare, {**BAD_OPTIONS, **ONLY_COMPARE}),
    ):
        for name, values in options.items():
            for number, value in enumerate(values):
                # The text of a set differs between the processes of pytest-xdist.
                shown = number if isinstance(value, set) else repr(value)
                yield pytest.param(function, name, value, id=f"{function.__name__}-{name}-{shown}")


@pytest.mark.parametrize(("function", "name", "value"), list(bad_options()))
@pytest.mark.parametrize("labels", [[0, 1, 1, -1], []], ids=["some", "none"])
def test_a_value_that_an_option_cannot_take_is_refused_even_where_it_would_not_matter(
    function: Any, name: str, value: Any, labels: list[int]
) -> None:
    shown = f"{value:,}" if type(value) is int and name == "n_objects" else repr(value)
    if isinstance(value, np.integer):
        shown = str(int(value))
    check(lambda: function(labels, labels, **{name: value}), ValueError, name, shown)


def test_options_are_keyword_only() -> None:
    with pytest.raises(TypeError):
        fstar_score([0], [0], 0.5)  # type: ignore[misc]
    with pytest.raises(TypeError):
        compare([0], [0], 0.5)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("universe", "builtin", "needles"),
    table(
        ("a missing id", [0, None], ValueError, "missing"),
        ("NaN", np.array([0.0, NAN]), ValueError, "missing"),
        ("an unhashable id", [0, [1]], (TypeError, ValueError), "hashable", "list"),
        ("a table of ids", np.zeros((2, 2), int), (TypeError, ValueError), "universe"),
    ),
)
@pytest.mark.parametrize(
    "call",
    [
        lambda universe: fstar_score([{0}], [{0}], universe=universe),
        lambda universe: Clustering.from_clusters([{0}], universe=universe),
        lambda universe: Clustering.from_memberships([(0, 0)], universe=universe),
    ],
)
def test_a_universe_of_ids_that_are_none_is_refused(
    call: Callable[[Any], object], universe: Any, builtin: Any, needles: tuple[str, ...]
) -> None:
    check(lambda: call(universe), builtin, "universe", *needles)


@pytest.mark.parametrize("universe", BAD_UNIVERSES[1:], ids=repr)
def test_constructors_refuse_what_is_no_universe(universe: Any) -> None:
    for call in (
        partial(Clustering.from_clusters, [{0}]),
        partial(Clustering.from_memberships, [(0, 0)]),
        partial(Clustering.from_frame, FRAME),
    ):
        check(lambda call=call: call(universe=universe), ValueError, "universe")  # type: ignore[misc]


@pytest.mark.parametrize("universe", ["left", "right", "intersection", 4, [0, 1], np.arange(4)])
def test_n_objects_goes_with_the_union_only(universe: Any) -> None:
    check(
        lambda: fstar_score([0, 1], [0, 1], universe=universe, n_objects=4),
        ValueError, "n_objects", "union",
    )  # fmt: skip


@pytest.mark.parametrize("n_objects", [0, 1, 4])
def test_n_objects_below_the_ids_seen_is_a_value_error_naming_both_numbers(n_objects: int) -> None:
    check(
        lambda: fstar_score([{"a", "b"}], [{"b", "c", "d", "e"}], n_objects=n_objects),
        ValueError, "n_objects", str(n_objects), "5",
    )  # fmt: skip


def jaccard(shared: Any, own: Any, other: Any) -> Any:
    return shared / (own + other - shared)


@pytest.mark.parametrize(
    ("function", "builtin", "needles"),
    table(
        ("one number for all", lambda *_: 0.5, ValueError, "shape"),
        ("one too few", lambda *sizes: jaccard(*sizes)[:-1], ValueError, "shape"),
        ("a column", lambda *sizes: jaccard(*sizes)[:, None], ValueError, "shape"),
        ("NaN", lambda s, *_: np.where(s > 0, NAN, 0), ValueError, "nan", "shared="),
        ("above 1", lambda s, *_: 2.0 * (s > 0), ValueError, "2.0", "shared=", "own=", "other="),
        ("below 0", lambda *sizes: -jaccard(*sizes), ValueError, "-", "[0, 1]"),
        ("text", lambda s, *_: s.astype(str), ValueError, "number"),
        ("complex", lambda s, *_: s * 0j, ValueError, "complex"),
        ("nothing", lambda *_: None, ValueError, "number"),
        ("ragged", lambda s, *_: [[1], [1, 2]] * len(s), ValueError, "number"),
        ("similar without a shared object", lambda s, *_: np.full(len(s), 0.5), ValueError,
         "0.5", "share", "shared=0"),
    ),
)  # fmt: skip
def test_a_similarity_that_returns_nonsense_is_a_value_error(
    function: Any, builtin: type[Exception], needles: tuple[str, ...]
) -> None:
    check(
        lambda: fstar_score([0, 0, 1, 2], [0, 1, 1, 2], similarity=function),
        builtin, "similarity", *needles,
    )  # fmt: skip


def test_a_similarity_that_is_wrong_for_the_outliers_only_is_a_value_error() -> None:
    check(
        lambda: fstar_score(
            [0, 0, -1, -1, -1],
            [0, 0, -1, -1, -1],
            similarity=lambda shared, own, _: np.where(own < 3, shared > 0, 9),
        ),
        ValueError, "similarity",
    )  # fmt: skip


# Constructors and methods


PLAIN = Clustering.from_clusters([{1, 2}, {2, 3}])


@pytest.mark.parametrize(
    ("call", "builtin", "needles"),
    table(
        ("the class", Clustering, TypeError, *CONSTRUCTORS, "from_matrix", "from_frame"),
        ("labels: text", lambda: Clustering.from_labels("aab"), TypeError, "labels", "str"),
        ("labels: int", lambda: Clustering.from_labels(5), TypeError, "labels", "int"),
        ("labels: None", lambda: Clustering.from_labels(None), TypeError, "labels", "NoneType"),
        ("labels: 0-D", lambda: Clustering.from_labels(np.array(5)), TypeError, "labels", "0"),
        ("labels: 2-D", lambda: Clustering.from_labels(np.eye(2)), TypeError, "(2, 2)"),
        ("labels: dict", lambda: Clustering.from_labels({"a": 0}), TypeError, "labels", "dict"),
        ("labels: set", lambda: Clustering.from_labels({3, 4}), TypeError, "labels", "set"),
        ("labels: sparse", lambda: Clustering.from_labels(sparse.eye_array(2, format="csr")),
         TypeError, "labels", "from_matrix"),
        ("labels: frame", lambda: Clustering.from_labels(FRAME), TypeError, "labels", "DataFrame"),
        ("labels: unhashable", lambda: Clustering.from_labels([0, {1}]), TypeError, "labels",
         "item 1", "set"),
        ("labels: floats", lambda: Clustering.from_labels([0, 0.5]), ValueError, "labels",
         "item 1", "0.5"),
        ("objects: too few", lambda: Clustering.from_labels([0, 1, 1], objects=["a", "b"]),
         ValueError, "objects", "3", "2"),
        ("objects: too many", lambda: Clustering.from_labels([0], objects=["a", "b"]),
         ValueError, "objects", "1", "2"),
        ("objects: repeated", lambda: Clustering.from_labels([0, 1], objects=["a", "a"]),
         ValueError, "objects", "'a'", "once"),
        ("objects: missing", lambda: Clustering.from_labels([0, 1], objects=["a", None]),
         ValueError, "objects", "missing"),
        ("objects: unhashable", lambda: Clustering.from_labels([0, 1], objects=[0, [1]]),
         TypeError, "objects", "hashable"),
        ("objects: int", lambda: Clustering.from_labels([0], objects=5), TypeError, "objects",
         "int"),
        ("objects: 0-D", lambda: Clustering.from_labels([0], objects=np.array(5)), TypeError,
         "objects"),
        ("outlier_label", lambda: Clustering.from_labels([0], outlier_label=[[1]]),
         (TypeError, ValueError), "outlier_label", "[[1]]"),
        ("clusters: text", lambda: Clustering.from_clusters("ab"), TypeError, "clusters", "str"),
        ("clusters: texts", lambda: Clustering.from_clusters(["ab", "c"]), TypeError,
         "clusters[0]", "str", "'ab'"),
        ("clusters: labels", lambda: Clustering.from_clusters([{1}, 5]), TypeError, "clusters[1]",
         "int", "5"),
        ("clusters: named labels", lambda: Clustering.from_clusters({"a": {1}, "b": 5}),
         TypeError, "clusters['b']", "int", "5"),
        ("clusters: None", lambda: Clustering.from_clusters(None), TypeError, "clusters"),
        ("clusters: 0-D", lambda: Clustering.from_clusters(np.array(5)), TypeError, "clusters"),
        ("clusters: sparse", lambda: Clustering.from_clusters(sparse.eye_array(2, format="csr")),
         TypeError, "clusters", "from_matrix"),
        ("clusters: 2-D members", lambda: Clustering.from_clusters([np.eye(2)]), TypeError,
         "clusters[0]", "one dimension"),
        ("clusters: missing member", lambda: Clustering.from_clusters([{1, None}]), ValueError,
         "clusters", "missing"),
        ("clusters: unhashable member", lambda: Clustering.from_clusters([[1, []]]), TypeError,
         "clusters", "hashable", "list"),
        ("memberships: triples", lambda: Clustering.from_memberships([(1, 2), (1, 2, 3)]),
         TypeError, "memberships", "item 1", "(1, 2, 3)"),
        ("memberships: texts", lambda: Clustering.from_memberships(["ab"]), TypeError, "'ab'"),
        ("memberships: labels", lambda: Clustering.from_memberships([0, 1]), TypeError, "item 0"),
        ("memberships: None", lambda: Clustering.from_memberships(None), TypeError, "memberships"),
        ("memberships: 0-D", lambda: Clustering.from_memberships(np.array(5)), TypeError,
         "memberships"),
        ("memberships: missing object", lambda: Clustering.from_memberships([(None, 1)]),
         ValueError, "memberships", "missing"),
        ("memberships: floats", lambda: Clustering.from_memberships([(1, 0.5)]), ValueError,
         "memberships", "0.5"),
        ("memberships: nested", lambda: Clustering.from_memberships({1: [[2]]}), TypeError,
         "memberships", "hashable"),
        ("matrix: list", lambda: Clustering.from_matrix([[1, 0]]), TypeError, "matrix", "list"),
        ("matrix: 1-D", lambda: Clustering.from_matrix(np.ones(3)), TypeError, "matrix", "1"),
        ("matrix: 3-D", lambda: Clustering.from_matrix(np.ones((1, 1, 1))), TypeError, "3"),
        ("matrix: None", lambda: Clustering.from_matrix(None), TypeError, "matrix", "NoneType"),
        ("matrix: frame", lambda: Clustering.from_matrix(FRAME), TypeError, "matrix", "DataFrame"),
        ("matrix: rows", lambda: Clustering.from_matrix(np.eye(2), rows="nodes"), ValueError,
         "rows", "'nodes'", "'clusters'", "'objects'"),
        ("frame: int", lambda: Clustering.from_frame(5), TypeError, "frame", "int"),
        ("frame: Series", lambda: Clustering.from_frame(pd.Series([1])), TypeError, "frame"),
        ("frame: other column", lambda: Clustering.from_frame(FRAME, object="id"), ValueError,
         "frame", "'id'", "'object', 'cluster'", "object="),
        ("frame: other cluster", lambda: Clustering.from_frame(FRAME, cluster="c"), ValueError,
         "frame", "'c'", "'object', 'cluster'", "cluster="),
        ("frame: one column twice", lambda: Clustering.from_frame(FRAME, cluster="object"),
         ValueError, "object", "cluster"),
        ("frame: no columns", lambda: Clustering.from_frame(pl.DataFrame()), ValueError, "frame",
         "'cluster'"),
        ("restrict: unknown", lambda: PLAIN.restrict([1, *range(90, 97)]), ValueError, "objects",
         "90, 91, 92, 93, 94", "2 more"),
        ("restrict: repeated", lambda: PLAIN.restrict([1, 1]), ValueError, "objects", "once"),
        ("restrict: int", lambda: PLAIN.restrict(1), TypeError, "objects"),
        ("restrict: None", lambda: PLAIN.restrict(None), TypeError, "objects"),
        ("to_labels", PLAIN.to_labels, ValueError, "overlap", "to_clusters"),
        ("to_frame", lambda: PLAIN.to_frame("excel"), ValueError, "library", "'excel'", "'polars'"),
        ("comparison to_frame", lambda: compare([0], [0]).to_frame("excel"), ValueError, "library",
         "'excel'", "'polars'"),
        ("ids of a repeated index", lambda: Clustering.from_labels(
            pd.Series([0, 1], index=["a", "a"])).to_clusters(), ValueError, "index", "'a'", "once"),
        ("as_clustering", lambda: cv.as_clustering(5), TypeError, "x", "int", "5"),
        ("as_clustering: dict", lambda: cv.as_clustering({1: [2]}), TypeError, "x",
         *CONSTRUCTORS[1:]),
    ),
)  # fmt: skip
def test_constructors_and_methods_refuse_bad_arguments_by_name(
    call: Call, builtin: Any, needles: tuple[str, ...]
) -> None:
    check(call, builtin, *needles)


def test_every_error_class_is_also_the_built_in_that_a_caller_expects() -> None:
    expected = {
        cv.InputError: ValueError,
        cv.InputTypeError: TypeError,
        cv.UniverseError: ValueError,
        cv.OptionError: ValueError,
        cv.FileError: OSError,
        cv.MissingDependencyError: ImportError,
    }
    for ours, builtin in expected.items():
        assert issubclass(ours, CoverlapError), ours
        assert issubclass(ours, builtin), ours
    assert not issubclass(CoverlapError, (ValueError, TypeError))
