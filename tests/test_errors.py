"""Every bad input raises an error of coverlap that names the argument, its value and a hint."""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

import coverlap as cv
from coverlap import Clustering, CoverlapError, compare, fstar_score

NAN = float("nan")
CONSTRUCTORS = ("from_labels", "from_clusters", "from_memberships")
FRAME = pd.DataFrame({"object": [1, 2], "cluster": ["a", "b"]})


def check(call, builtin, *needles):
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


def table(*rows):
    """Make pytest parameters of (id, call, built-in exception, needle, ...) rows."""
    return [pytest.param(*row[1:3], row[3:], id=row[0]) for row in rows]


@pytest.mark.parametrize("option", ["universe", "n_objects"])
def test_a_universe_too_large_to_count_is_refused_and_a_large_one_is_counted_without_memory(
    option,
):
    too_many = {option: 2**63}
    check(lambda: fstar_score([{0}], [{0}], **too_many), ValueError, option, "2**63")
    n = 10**15
    many = {option: n}
    assert fstar_score([{0, 1}], [{0, 1}], **many) == 1.0
    result = compare([{0, 1}], [{1, 2}], **many)
    assert (result.universe.n_objects, result.outliers.n_shared) == (n, n - 3)
    assert 1 - result.score < 1e-14
    dropped = compare([{0, 1}], [{1, 2}], drop_outliers="both", **many).universe
    assert (dropped.n_objects, dropped.n_outliers_dropped) == (3, n - 3)


def test_an_error_in_a_similarity_of_ones_own_is_shown_as_it_is():
    def similarity(shared, own, other):  # noqa: ARG001
        raise ValueError("my own mistake")

    with pytest.raises(ValueError, match="my own mistake"):
        fstar_score([{0}], [{0}], similarity=similarity)


# Inputs that are not clusterings


NOT_CLUSTERINGS = {
    ValueError: {
        "a float that is no integer": ([0, 0.5, 1], "item 1", "0.5"),
        "a float after a NaN": (np.array([NAN, 2.5, 1.0]), "item 1", "2.5"),
        "an infinite float": (np.array([1.0, np.inf, 2.0]), "item 1", "inf"),
        "floats of polars": (pl.Series([0.0, 1.5, None]), "item 1", "1.5"),
        "floats in a dict": ({"a": 0.0, "b": 0.25}, "0.25"),
        "NaN as an object": ({0: "a", NAN: "b"}, "missing"),
        "a null in a list of Arrow": (pa.array([[0], [1, None]]), "missing"),
        "frame without object": (FRAME[["cluster"]], "'object'", "cluster"),
        "frame without cluster": (FRAME[["object"]], "'cluster'", "from_frame"),
        "frame of numbered columns": (pd.DataFrame([[1, 2]]), "'cluster'", "0", "1"),
        "frame with a column twice": (FRAME[["object", "object", "cluster"]], "'object'"),
        "frame with a null object": (FRAME.assign(object=["a", None]), "missing"),
    },
    TypeError: {
        "dense 2-D": (np.zeros((2, 3)), "(2, 3)", "from_matrix", "rows="),
        "masked 2-D": (np.ma.zeros((0, 3)), "(0, 3)", "from_matrix"),
        "3-D": (np.zeros((2, 3, 4)), "one dimension", "3"),
        "complex": (np.array([1j, 2j, 0]), "complex"),
        "records": (np.zeros(3, [("a", int), ("b", int)]), "labels"),
        "bytes": (b"aab", "bytes"),
        "a NumPy int": (np.int64(3), "int64", "3"),
        "None": (None, "NoneType"),
        "a function": (len, "builtin_function"),
        "an Arrow scalar": (pa.scalar(1), "Int64Scalar"),
        "a polars expression": (pl.lit(1), "Expr"),
        "a linear operator": (aslinearoperator(sparse.eye_array(3)), "Operator"),
        "a 1-D sparse array": (sparse.coo_array([1, 0, 1]), "two dimensions", "1"),
        "a dict of collections": ({"a": 1, "b": (1, 2)}, "'b'", *CONSTRUCTORS[1:]),
        "tuples": ([(0, 1), (1, 2), (2, 2)], "tuple", *CONSTRUCTORS),
        "a tuple among labels": ([0, (1, 2), 1], "item 1", "tuple", *CONSTRUCTORS),
        "ranges": ([range(2), range(2, 3)], "from_clusters"),
        "labels and sets": ([0, {1}, 2], "item 1", "set", *CONSTRUCTORS),
        "one set of scalars": ({0, 1, 2}, "one set", "[{"),
        "a Series of sets": (pd.Series([{0}, {1, 2}, {2}]), "hashable", "set"),
        "a null list in Arrow": (pa.array([[0], None]), "[1]", "NoneType"),
        "frame with unhashable clusters": (FRAME.assign(cluster=[[1], [2]]), "hashable"),
    },
}


@pytest.mark.parametrize(
    ("builtin", "kind"),
    [(error, kind) for error in NOT_CLUSTERINGS for kind in NOT_CLUSTERINGS[error]],
)
@pytest.mark.parametrize("side", ["left", "right"])
def test_what_is_no_clustering_is_refused_and_the_message_names_the_side(builtin, kind, side):
    bad, *needles = NOT_CLUSTERINGS[builtin][kind]
    sides = {"left": [0, 1, 1], "right": [0, 1, 1], side: bad}
    check(lambda: fstar_score(**sides), builtin, side, *needles)


@pytest.mark.parametrize("path", ["no/such/file.csv", Path("no/such/labels.txt"), "a\0b", Path()])
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_file_that_cannot_be_read_is_an_os_error_naming_side_and_path(path, side):
    sides = {"left": [0, 1], "right": [0, 1], side: path}
    shown = str(path).replace("\0", "\\x00")
    check(lambda: fstar_score(**sides), OSError, side, shown)
    check(lambda: fstar_score(path, path), OSError, shown)


# Two clusterings that cannot be compared

OF_TWO_TYPES = ("integers", "strings", "convert")


@pytest.mark.parametrize(
    ("left", "right", "needles"),
    [
        ([0, 0, 1], np.array([0, 1]), ("left", "right", "3", "2")),
        (pd.Series([0, 0, 1]), [0, 1], ("left", "right", "3", "2")),
        (pl.Series([0, 1]), pa.array([0, 0, 1]), ("2", "3")),
        (sparse.eye_array(4, format="csr"), [0, 1, 2], ("4", "3")),
        ([0, 0, 1], [{0, 7}], ("right", "left", "7", "0 to 2")),
        ({"a": 0, 1: 0}, [0, 1], ("left", "right", "'a'")),
        ([{-1, 0}], [0, 1], ("left", "-1")),
        ({1: 0, 2: 0}, {"1": 0, "2": 0}, ("left", "right", *OF_TWO_TYPES)),
        ([{"1"}], [{1}], ("left", "right", *OF_TWO_TYPES)),
        (pd.Series([0, 1], index=["0", "1"]), pd.Series([0, 1]), OF_TWO_TYPES),
    ],
)
def test_objects_that_do_not_fit_are_a_value_error(left, right, needles):
    check(lambda: fstar_score(left, right), ValueError, *needles)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(
    "index", [["a", "b", "c"], pd.DatetimeIndex(["2020", "2021", "2022"])], ids=str
)
def test_a_repeated_index_is_a_value_error_when_two_series_are_aligned(side, index):
    good = pd.Series([0, 0, 1], index=index)
    sides = {"left": good, "right": good, side: good.iloc[[0, 1, 0]]}
    check(lambda: fstar_score(**sides), ValueError, f"index of {side}", "once")


def test_a_missing_index_entry_is_a_value_error_when_two_series_are_aligned():
    gap = pd.Series([0, 1], index=[0.0, NAN])
    check(lambda: fstar_score(gap, gap), ValueError, "left", "index", "missing")


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("universe", [3, [0, 1, 2], np.arange(3), {0, 1, 2}], ids=type)
def test_members_outside_an_explicit_universe_are_named_up_to_five(side, universe):
    many, named = [{0, *range(93, 100)}], ("93, 94, 95, 96, 97", "2 more", "universe")
    sides = {"left": [{0, 1}], "right": [{0, 1}], side: many}
    message = check(lambda: fstar_score(**sides, universe=universe), ValueError, side, *named)
    assert "98" not in message
    for call in (
        partial(Clustering.from_clusters, many),
        partial(Clustering.from_memberships, [(item, "a") for item in many[0]]),
        partial(Clustering.from_frame, pd.DataFrame({"object": [*many[0]], "cluster": "a"})),
    ):
        check(partial(call, universe=universe), ValueError, "outside", *named)
    check(lambda: Clustering.from_clusters([{"a"}], universe=universe), ValueError, "'a'")


# Options

BAD_UNIVERSES = [None, 1.5, NAN, True, np.int64(-1), b"ab", "everything", np.array(3)]
BAD_OPTIONS = {
    "similarity": ["cosine", "", None, ["jaccard"]],
    "average": ["mean", None, True, ["size"]],
    "drop_outliers": [True, "none", 0, ["left"]],
    "balance": [-0.1, 1.5, NAN, "0.5", None, True, 1j, [0.5], np.array([0.5])],
    "threads": [0, True, 1.5, "2", [1], NAN],
    "outliers": ["yes", 1, None, np.array([True])],
    "n_objects": [-1, 2.5, "9", True, [9], NAN],
    "universe": BAD_UNIVERSES,
}
ONLY_COMPARE = {
    "engine": ["gpu", "", None, 1, ["memory"]],
    "names": ["ab", ("a",), ("a", "b", "c"), ("a", 1), 5, None, {"a", 1}],
}


def bad_options():
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
    function, name, value, labels
):
    shown = f"{value:,}" if type(value) is int and name == "n_objects" else repr(value)
    if isinstance(value, np.integer):
        shown = str(int(value))
    check(lambda: function(labels, labels, **{name: value}), ValueError, name, shown)


def test_options_are_keyword_only():
    with pytest.raises(TypeError):
        fstar_score([0], [0], 0.5)
    with pytest.raises(TypeError):
        compare([0], [0], 0.5)


TAKE_A_UNIVERSE = (
    partial(fstar_score, [{0}], [{0}]),
    partial(Clustering.from_clusters, [{0}]),
    partial(Clustering.from_memberships, [(0, 0)]),
    partial(Clustering.from_frame, FRAME),
)


@pytest.mark.parametrize(
    ("universe", "builtin", "needles"),
    table(
        ("a missing id", [0, None], ValueError, "missing"),
        ("NaN", np.array([0.0, NAN]), ValueError, "missing"),
        ("an unhashable id", [0, [1]], (TypeError, ValueError), "hashable", "list"),
        ("a table of ids", np.zeros((2, 2), int), (TypeError, ValueError), "universe"),
        *((repr(universe), universe, ValueError) for universe in BAD_UNIVERSES[1:]),
    ),
)
@pytest.mark.parametrize("call", TAKE_A_UNIVERSE)
def test_a_universe_of_ids_that_are_none_is_refused(call, universe, builtin, needles):
    check(lambda: call(universe=universe), builtin, "universe", *needles)


@pytest.mark.parametrize("universe", ["left", "right", "intersection", 4, [0, 1]])
def test_n_objects_goes_with_the_union_only(universe):
    check(
        lambda: fstar_score([0, 1], [0, 1], universe=universe, n_objects=4),
        ValueError, "n_objects", "union",
    )  # fmt: skip


@pytest.mark.parametrize("n_objects", [0, 1, 4])
def test_n_objects_below_the_ids_seen_is_a_value_error_naming_both_numbers(n_objects):
    check(
        lambda: fstar_score([{"a", "b"}], [{"b", "c", "d", "e"}], n_objects=n_objects),
        ValueError, "n_objects", str(n_objects), "5",
    )  # fmt: skip


def jaccard(shared, own, other):
    return shared / (own + other - shared)


@pytest.mark.parametrize(
    ("function", "needles"),
    [
        (lambda *_: 0.5, ("shape",)),
        (lambda *sizes: jaccard(*sizes)[:, None], ("shape",)),
        (lambda s, *_: np.where(s > 0, NAN, 0), ("nan", "shared=")),
        (lambda s, *_: 2.0 * (s > 0), ("2.0", "shared=", "own=", "other=")),
        (lambda *sizes: -jaccard(*sizes), ("-", "[0, 1]")),
        (lambda s, *_: s.astype(str), ("number",)),
        (lambda s, *_: s * 0j, ("complex",)),
        (lambda s, *_: [[1], [1, 2]] * len(s), ("number",)),
        (lambda s, own, _: np.where(own < 3, s > 0, 9), ()),
        (lambda s, *_: np.full(len(s), 0.5), ("0.5", "share", "shared=0")),
    ],
    ids=[
        "one number for all", "a column", "NaN", "above 1", "below 0", "text", "complex", "ragged",
        "wrong for the outliers only", "similar without a shared object",
    ],
)  # fmt: skip
def test_a_similarity_that_returns_nonsense_is_a_value_error(function, needles):
    # The clusters have one or two objects, and the sets of outliers three.
    left, right = [0, 0, 1, 2, -1, -1, -1], [0, 1, 1, 2, -1, -1, -1]
    check(lambda: fstar_score(left, right, similarity=function), ValueError, "similarity", *needles)


# Constructors and methods


REFUSED = {
    "labels": [
        ("aab", TypeError, "str"),
        (np.array(5), TypeError, "0"),
        (np.eye(2), TypeError, "(2, 2)"),
        ({"a": 0}, TypeError, "dict"),
        ({3, 4}, TypeError, "set"),
        (sparse.eye_array(2, format="csr"), TypeError, "from_matrix"),
        (FRAME, TypeError, "DataFrame"),
        ([0, {1}], TypeError, "item 1", "set"),
        ([0, 0.5], ValueError, "item 1", "0.5"),
    ],
    "clusters": [
        ("ab", TypeError, "str"),
        (["ab", "c"], TypeError, "clusters[0]", "str", "'ab'"),
        ([{1}, 5], TypeError, "clusters[1]", "int", "5"),
        ({"a": {1}, "b": 5}, TypeError, "clusters['b']", "int", "5"),
        (np.array(5), TypeError),
        (sparse.eye_array(2, format="csr"), TypeError, "from_matrix"),
        ([np.eye(2)], TypeError, "clusters[0]", "one dimension"),
        ([{1, None}], ValueError, "missing"),
        ([[1, []]], TypeError, "hashable", "list"),
    ],
    "memberships": [
        ([(1, 2), (1, 2, 3)], TypeError, "item 1", "(1, 2, 3)"),
        (["ab"], TypeError, "'ab'"),
        ([0, 1], TypeError, "item 0"),
        (np.array(5), TypeError),
        ([(None, 1)], ValueError, "missing"),
        ([(1, 0.5)], ValueError, "0.5"),
        ({1: [[2]]}, TypeError, "hashable"),
    ],
    "matrix": [
        ([[1, 0]], TypeError, "list"),
        (np.ones(3), TypeError, "1"),
        (np.ones((1, 1, 1)), TypeError, "3"),
        (FRAME, TypeError, "DataFrame"),
    ],
    "frame": [
        (5, TypeError, "int"),
        (pd.Series([1]), TypeError),
        (pl.DataFrame(), ValueError, "'cluster'"),
    ],
}


@pytest.mark.parametrize(
    ("name", "bad", "builtin", "needles"),
    [
        (name, *row[:2], row[2:])
        for name, rows in REFUSED.items()
        for row in [*rows, (None, TypeError, "NoneType")]
    ],
)
def test_constructors_name_the_argument_that_they_refuse(name, bad, builtin, needles):
    check(partial(getattr(Clustering, f"from_{name}"), bad), builtin, name, *needles)


PLAIN = Clustering.from_clusters([{1, 2}, {2, 3}])
LABELS = partial(Clustering.from_labels, [0, 1])
REPEATED = pd.Series([0, 1], index=["a", "a"])


@pytest.mark.parametrize(
    ("call", "builtin", "needles"),
    table(
        ("the class", Clustering, TypeError, *CONSTRUCTORS, "from_matrix", "from_frame"),
        ("too few objects", partial(LABELS, objects=["a"]), ValueError, "objects", "2", "1"),
        ("repeated objects", partial(LABELS, objects=["a", "a"]), ValueError, "objects", "'a'",
         "once"),
        ("missing objects", partial(LABELS, objects=["a", None]), ValueError, "objects", "missing"),
        ("unhashable objects", partial(LABELS, objects=[0, [1]]), TypeError, "objects",
         "hashable"),
        ("objects: int", partial(LABELS, objects=5), TypeError, "objects", "int"),
        ("objects: 0-D", partial(LABELS, objects=np.array(5)), TypeError, "objects"),
        ("outlier_label", partial(LABELS, outlier_label=[[1]]), (TypeError, ValueError),
         "outlier_label", "[[1]]"),
        ("rows", partial(Clustering.from_matrix, np.eye(2), rows="nodes"), ValueError,
         "rows", "'nodes'", "'clusters'", "'objects'"),
        ("other column", partial(Clustering.from_frame, FRAME, object="id"), ValueError,
         "frame", "'id'", "'object', 'cluster'", "object="),
        ("other cluster", partial(Clustering.from_frame, FRAME, cluster="c"), ValueError,
         "frame", "'c'", "'object', 'cluster'", "cluster="),
        ("one column twice", partial(Clustering.from_frame, FRAME, cluster="object"),
         ValueError, "object", "cluster"),
        ("restrict: unknown", partial(PLAIN.restrict, [1, *range(90, 97)]), ValueError, "objects",
         "90, 91, 92, 93, 94", "2 more"),
        ("restrict: repeated", partial(PLAIN.restrict, [1, 1]), ValueError, "objects", "once"),
        ("restrict: int", partial(PLAIN.restrict, 1), TypeError, "objects"),
        ("to_labels", PLAIN.to_labels, ValueError, "overlap", "to_clusters"),
        ("to_frame", partial(PLAIN.to_frame, "excel"), ValueError, "library", "'excel'",
         "'polars'"),
        ("comparison to_frame", partial(compare([0], [0]).to_frame, "excel"), ValueError, "library",
         "'excel'", "'polars'"),
        ("ids of a repeated index", Clustering.from_labels(REPEATED).to_clusters, ValueError,
         "index", "'a'", "once"),
        ("as_clustering", partial(cv.as_clustering, 5), TypeError, "x", "int", "5"),
        ("as_clustering: dict", partial(cv.as_clustering, {1: [2]}), TypeError, "x",
         *CONSTRUCTORS[1:]),
    ),
)  # fmt: skip
def test_constructors_and_methods_refuse_bad_arguments_by_name(call, builtin, needles):
    check(call, builtin, *needles)


def test_every_error_class_is_also_the_built_in_that_a_caller_expects():
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
