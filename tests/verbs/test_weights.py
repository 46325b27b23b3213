"""Weights of objects: in which forms they are accepted, what they mean, and what is rejected."""

import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import coverlap as cv
from tests import naive_weights

LEFT, RIGHT = [0, 0, 0, 1, 1, -1], [0, 0, 1, 1, -1, -1]
WEIGHTS = [1, 2, 3, 1, 4, 2]
LEFT_SETS, RIGHT_SETS = [{0, 1, 2}, {3, 4}], [{0, 1}, {2, 3}]
EXACT = naive_weights.fstar(LEFT_SETS, RIGHT_SETS, range(6), WEIGHTS)

CONTAINERS = {
    "list": WEIGHTS,
    "tuple": tuple(WEIGHTS),
    "floats": [float(weight) for weight in WEIGHTS],
    "mixed numbers": [1, 2.0, Fraction(3), Decimal(1), np.int8(4), np.float32(2)],
    "int64": np.array(WEIGHTS),
    "uint8": np.array(WEIGHTS, np.uint8),
    "float32": np.array(WEIGHTS, np.float32),
    "memoryview": memoryview(np.array(WEIGHTS)),
    "objects": np.array(WEIGHTS, object),
    "big-endian": np.array(WEIGHTS, ">i8"),
    "not contiguous": np.repeat(WEIGHTS, 2)[::2],
    "masked, nothing missing": np.ma.MaskedArray(WEIGHTS, [False] * 6),
    "Series": pd.Series(WEIGHTS),
    "nullable Series": pd.Series(WEIGHTS, dtype="Int64"),
    "pandas array": pd.array(WEIGHTS),
    "polars": pl.Series(WEIGHTS),
    "Arrow": pa.array(WEIGHTS),
    "chunked Arrow": pa.chunked_array([WEIGHTS[:2], WEIGHTS[2:]]),
    "dict": dict(enumerate(WEIGHTS)),
    "dict in another order, with more ids": {9: 5} | dict(reversed([*enumerate(WEIGHTS)])),
}


def near(value):
    return pytest.approx(float(value), rel=0, abs=1e-15)


@pytest.fixture(scope="module", name="expected")
def score_of_a_list():
    score = cv.fstar_score(LEFT, RIGHT, weights=WEIGHTS)
    assert score == near(EXACT)
    return score


@pytest.mark.parametrize("weights", CONTAINERS.values(), ids=CONTAINERS)
def test_weights_are_accepted_in_every_container(weights, expected):
    assert cv.fstar_score(LEFT, RIGHT, weights=weights) == expected
    assert cv.fstar_score(np.array(LEFT), np.array(RIGHT), weights=weights) == expected
    sides = (cv.Clustering.from_clusters(side, universe=6) for side in (LEFT_SETS, RIGHT_SETS))
    assert cv.compare(*sides, weights=weights).score == expected


IDS = list("abcdef")
KEYED = {
    "dicts": lambda labels: dict(zip(IDS, labels, strict=True)),
    "Series": lambda labels: pd.Series(labels, IDS),
    "shuffled Series": lambda labels: pd.Series(labels, IDS).loc[list("cafebd")],
    "frames": lambda labels: pd.DataFrame({"object": IDS, "cluster": labels}),
    "Clusterings": lambda labels: cv.Clustering.from_labels(labels, objects=IDS),
}


@pytest.mark.parametrize("form", KEYED.values(), ids=KEYED)
@pytest.mark.parametrize(
    "weights",
    [
        dict(zip(IDS, WEIGHTS, strict=True)),
        pd.Series([*WEIGHTS, 9], [*IDS, "z"]).sample(frac=1, random_state=0),
    ],
    ids=["dict", "shuffled Series"],
)
def test_weights_with_ids_are_aligned_by_id(form, weights, expected):
    assert cv.fstar_score(form(LEFT), form(RIGHT), weights=weights) == expected
    assert cv.fstar_score(KEYED["dicts"](LEFT), form(RIGHT), weights=weights) == expected


def test_a_series_of_weights_is_by_index_if_a_side_has_one_and_else_by_position(expected):
    weights = pd.Series(WEIGHTS, IDS).sample(frac=1, random_state=1)
    left, right = pd.Series(LEFT, IDS), pd.Series(RIGHT, IDS)
    assert cv.fstar_score(left, RIGHT, weights=weights) == expected
    assert cv.fstar_score(LEFT, right, weights=weights) == expected
    assert cv.fstar_score(LEFT, RIGHT, weights=pd.Series(WEIGHTS, IDS)) == expected
    assert cv.fstar_score(left, right, weights=WEIGHTS) == expected
    assert cv.fstar_score(left, RIGHT, weights=np.array(WEIGHTS)) == expected


def test_clusterings_that_differ_by_little_weight_are_not_equal():
    weights = [1, 1, 1e-30, 1e-30]
    assert cv.fstar_score([0, 0, 1, 1], [0, 0, 1, 2], weights=weights) == np.nextafter(1, 0)
    assert cv.fstar_score([0, 0, 1, 1], [0, 0, 1, 2], weights=np.array(weights) * 1e40) < 1


def test_a_number_as_universe_gives_weights_to_objects_that_no_side_mentions():
    weights = [1, 2, 3, 1, 4, 2, 7.5]
    expected = near(naive_weights.fstar(LEFT_SETS, RIGHT_SETS, range(7), weights))
    assert cv.fstar_score(LEFT_SETS, RIGHT_SETS, weights=weights, universe=7) == expected
    assert cv.fstar_score(LEFT, RIGHT, weights=weights, universe=7) == expected
    assert cv.fstar_score(LEFT, RIGHT, weights=dict(enumerate(weights)), universe=7) == expected


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_do_not_change_a_bit(threads):
    random = np.random.default_rng(0)
    left, right = random.integers(-1, 40, (2, 50_000))
    weights = random.random(50_000)
    score = cv.fstar_score(left, right, weights=weights)
    assert cv.fstar_score(left, right, weights=weights, threads=threads) == score
    order = random.permutation(50_000)
    shuffled = cv.fstar_score(left[order], right[order], weights=weights[order], threads=threads)
    assert shuffled == score


def test_many_pairs_of_clusters_are_matched_in_chunks(monkeypatch):
    random = np.random.default_rng(1)
    left, right = random.integers(0, 30, (2, 2000))
    weights = random.random(2000)
    whole = cv.compare(left, right, weights=weights, similarity="recall")
    monkeypatch.setattr("coverlap.counting.memory.weighted.CELLS", 64)
    chunked = cv.compare(left, right, weights=weights, similarity="recall")
    assert chunked.columns() == whole.columns()
    assert chunked.contingency().columns() == whole.contingency().columns()


BAD = {
    "negative": ([1, 2, -3, 1, 4, 2], "finite and at least 0, but that at position 2 is -3"),
    "NaN": ([1, 2, float("nan"), 1, 4, 2], "that at position 2 is nan"),
    "signalling NaN": ([Decimal("sNaN"), *WEIGHTS[1:]], "that at position 0 is Decimal"),
    "infinite": (np.array([1, 2, np.inf, 1, 4, 2]), "that at position 2 is inf"),
    "of an id": ({**dict(enumerate(WEIGHTS)), 4: -1}, "that of 4 is -1"),
    "None": ([1, 2, None, 1, 4, 2], "that at position 2 is missing"),
    "NA": (pd.Series([1, 2, pd.NA, 1, 4, 2], dtype="Int64"), "that at position 2 is missing"),
    "masked": (np.ma.MaskedArray(WEIGHTS, [0, 0, 1, 0, 0, 0]), "that at position 2 is missing"),
    "all zero": ([0] * 6, "must not all be 0"),
    "too few": (WEIGHTS[1:], "one weight for each of the 6 objects, but has 5"),
    "too many": ([*WEIGHTS, 1], "one weight for each of the 6 objects, but has 7"),
    "Series too short": (pd.Series(WEIGHTS[1:]), "one weight for each of the 6 objects, but has 5"),
    "missing ids": ({0: 1, 9: 2}, "lacks 1, 2, 3, 4, 5"),
    "ids of another type": (dict(zip(IDS, WEIGHTS, strict=True)), "of another type: 'a'"),
    "text": (["1", *WEIGHTS[1:]], "that at position 0 is str: '1'"),
    "bool in a list": ([True, *WEIGHTS[1:]], "that at position 0 is bool: True"),
    "bools": (np.ones(6, bool), "must be numbers, not bool; convert them by astype"),
    "complex": (np.ones(6, complex), "must be numbers, not complex128"),
    "matrix": (np.ones((6, 1)), "not an array of 2 dimensions"),
    "scalar": (np.array(1.0), "not an array of 0 dimensions"),
    "number": (2.0, "not float: 2.0"),
    "str": ("weights", "not str: 'weights'"),
    "set": ({1, 2, 3}, "not set"),
    "frame": (pd.DataFrame({"w": WEIGHTS}), "pass one of its columns"),
    "large integer": ([2**63, *WEIGHTS[1:]], "sum below 2**63"),
    "large negative integer": ([-(2**70), *WEIGHTS[1:]], "at least 0 and have a sum below 2**63"),
    "large unsigned": (np.array([2**63, *WEIGHTS[1:]], np.uint64), "sum below 2**63"),
    "large sum of integers": ([2**62] * 6, "sum below 2**63"),
    "large float": ([1e301, *WEIGHTS[1:]], "at most 1e+300"),
    "large integer with floats": ([10**400, 0.5, *WEIGHTS[2:]], "at most 1e+300"),
    "small": ([1e-301, *WEIGHTS[1:]], "0 or at least 1e-300"),
}


def test_options_that_do_not_know_weights_reject_them(tmp_path, expected):
    with pytest.raises(cv.OptionError, match="n_objects adds objects without ids"):
        cv.fstar_score(LEFT, RIGHT, weights=WEIGHTS, n_objects=8)
    with pytest.raises(cv.OptionError, match="built-in similarity"):
        cv.fstar_score(LEFT, RIGHT, weights=WEIGHTS, similarity=lambda s, a, b: s / (a + b - s))
    with pytest.raises(cv.OptionError, match="cannot be used with a graph"):
        cv.compare(LEFT, RIGHT, weights=WEIGHTS, graph=[(0, 1)])
    files = [tmp_path / name for name in ("left.csv", "right.csv")]
    for file, labels in zip(files, (LEFT, RIGHT), strict=True):
        cv.write_clustering(cv.as_clustering(labels), file)
    weights = dict(enumerate(WEIGHTS))
    assert cv.compare(*files, weights=weights).score == expected
    with pytest.raises(cv.OptionError, match="weights need engine='memory', not 'duckdb'"):
        cv.compare(*files, weights=weights, engine="duckdb")


def test_the_tables_of_a_comparison_have_sums_of_weights():
    weights = [0.5, 2, 3, 1, 4, 2]
    result = cv.compare(LEFT, RIGHT, weights=weights, names=("old", "new"))
    columns = result.columns()
    assert columns["size"] == [5.5, 5, 2, 2.5, 4, 6]
    assert columns["shared"] == [3, 1, 2, 2.5, 3, 2]
    assert sum(columns["weight"]) == pytest.approx(1, abs=1e-15)
    assert result.weights.total == 12.5
    assert result.outliers == cv.compare(LEFT, RIGHT).outliers.__class__(1, 2, 1, 1 / 3)
    table = result.contingency().columns()
    rows = zip(table["old"], table["new"], table["shared"], table["old_size"], strict=True)
    assert [*rows] == [
        (1, None, 4, 5), (0, 1, 3, 5.5), (0, 0, 2.5, 5.5), (None, None, 2, 2), (1, 1, 1, 5),
    ]  # fmt: skip
    whole = cv.compare(LEFT, RIGHT, weights=WEIGHTS).columns()["size"]
    assert whole == [6, 5, 2, 3, 4, 6]
    assert {type(size) for size in whole} == {int}


def test_the_loss_of_an_object_is_that_of_its_copies():
    copies = [i for i, weight in enumerate(WEIGHTS) for _ in range(weight)]
    replicated = cv.compare([LEFT[i] for i in copies], [RIGHT[i] for i in copies])
    expected = np.bincount(copies, replicated.objects().columns()["loss"])
    weighted = cv.compare(LEFT, RIGHT, weights=WEIGHTS)
    assert weighted.objects().columns()["loss"] == pytest.approx(expected.tolist(), abs=1e-15)
    assert weighted.losses().columns()["loss"] == pytest.approx(
        replicated.losses().columns()["loss"], abs=1e-15
    )


@pytest.mark.parametrize(
    ("left", "right", "moved"),
    [(LEFT_SETS, RIGHT_SETS, [2, 3, 4]), ([{0, 1, 2}, {1, 3, 4}], RIGHT_SETS, [1, 2, 3, 4])],
)
def test_n_moved_counts_objects_of_any_weight(left, right, moved):
    result = cv.compare(left, right, weights=WEIGHTS, universe=6)  # only the first two are partners
    assert result.objects(moved_only=True).columns()["object"] == moved
    assert result.n_moved == len(moved)


def test_results_say_that_weights_were_used():
    result = cv.compare(LEFT, RIGHT, weights=WEIGHTS)
    assert repr(result).endswith("6 objects, weighted)")
    assert "weights: 13 in all, outliers 2 in left, 6 in right, 2 in both" in str(result)
    assert "What changed is not shown" in str(result)
    assert result.to_dict()["weights"] == {
        "total": 13, "left_outliers": 2, "right_outliers": 6, "shared_outliers": 2, "n_zero": 0,
    }  # fmt: skip
    assert cv.compare(LEFT, RIGHT).to_dict()["weights"] is None
    assert '"total": 13' in result.to_json()


def test_the_picture_of_losses_knows_weights():
    for by in ("reason", "cluster"):
        assert cv.plot.losses(cv.compare(LEFT, RIGHT, weights=WEIGHTS), by=by).patches


def test_a_weighted_comparison_can_be_pickled():
    result = cv.compare(LEFT, RIGHT, weights=[0.5, 1, 2, 0.1, 1, 1], similarity="precision")
    again = pickle.loads(pickle.dumps(result))  # noqa: S301
    assert again.weights == result.weights
    assert again.objects().columns() == result.objects().columns()


@pytest.mark.parametrize("indexed", ["left", "right", "both"])
def test_the_table_of_objects_has_the_ids_of_the_left_index(indexed):
    left = pd.Series(LEFT, IDS) if indexed != "right" else LEFT
    right = pd.Series(RIGHT, IDS) if indexed != "left" else RIGHT
    weighted = cv.compare(left, right, weights=WEIGHTS, drop_outliers="both")
    plain = cv.compare(left, right, drop_outliers="both")
    assert weighted.objects().columns()["object"] == plain.objects().columns()["object"]


@pytest.mark.parametrize(
    "ones",
    [
        [1, 1.0, np.float32(1)] * 2,
        np.ones(6),
        pd.Series([1.0] * 6),
        dict.fromkeys(range(6), np.float32(1)),
    ],
)
def test_weights_of_one_are_no_weights(ones):
    for sides in ((LEFT, RIGHT), (LEFT_SETS, RIGHT_SETS)):
        wanted = cv.fstar_score(*sides, universe=6)
        assert cv.fstar_score(*sides, weights=ones, universe=6) == wanted


@pytest.mark.parametrize("weights", [[0, *WEIGHTS[1:]], [0, 0, 0, 1, 4, 2]])
def test_an_object_of_weight_zero_is_left_out(weights):
    kept = [i for i, weight in enumerate(weights) if weight]
    sides = [[labels[i] for i in kept] for labels in (LEFT, RIGHT)]
    result = cv.compare(LEFT, RIGHT, weights=weights)
    assert result.score == cv.fstar_score(*sides, weights=[weights[i] for i in kept])
    assert result.weights.n_zero == 6 - len(kept)
    assert result.universe.n_objects == len(kept)
    assert f"{6 - len(kept)} object" in str(result)
    merged = cv.compare([{0, 1}, {0, 1, 2}], [{0, 1}], weights=[1, 1, 0])
    assert (merged.score, merged.clusterings[0].n_merged) == (1.0, 1)


@pytest.mark.parametrize("drop", [None, "left", "either"])
@pytest.mark.parametrize(
    ("rule", "objects"),
    [
        ("union", range(5)),
        ("intersection", [1, 2, 3]),
        ("left", range(4)),
        ("right", range(1, 5)),
        ([1, 2, 3, 8], [1, 2, 3, 8]),
    ],
)
def test_weights_follow_every_rule_of_the_universe(rule, objects, drop):
    left, right = {0: "x", 1: "x", 2: "y", 3: -1}, {1: "x", 2: "x", 3: "y", 4: "y"}
    weights = {0: 0.5, 1: 0.1, 2: 0.7, 3: 0.2, 4: 3, 8: 1}
    if isinstance(rule, list):  # members outside of given objects are an error
        del left[0], right[4]
    restricted = [
        [{i for i, own in side.items() if own == name} & {*objects} for name in "xy"]
        for side in (left, right)
    ]
    score = cv.fstar_score(left, right, weights=weights, universe=rule, drop_outliers=drop)
    expected = naive_weights.fstar(*restricted, objects, weights, drop_outliers=drop)
    assert score == near(expected)


@pytest.mark.parametrize("verb", [cv.fstar_score, cv.compare])
@pytest.mark.parametrize(("weights", "message"), BAD.values(), ids=BAD)
def test_bad_weights_get_one_clear_error(weights, message, verb):
    with pytest.raises(cv.CoverlapError) as error:
        verb(LEFT, RIGHT, weights=weights)
    assert message in str(error.value)
    assert "weights" in str(error.value)


BY_ID = pd.Series(LEFT, IDS)


@pytest.mark.parametrize(
    ("left", "right", "weights", "message"),
    [
        ({"a": 0, "b": 1}, {"a": 0, "b": 0}, [1, 2], "pass a dict or a Series"),
        (LEFT_SETS, RIGHT_SETS, WEIGHTS, "if the objects are 0 to 5, say universe=6"),
        (BY_ID, BY_ID[::-1], WEIGHTS, "compared by their index"),
        (BY_ID, BY_ID, WEIGHTS[1:], "but has 5"),
        (BY_ID, BY_ID, pd.Series(WEIGHTS, list("aabcde")),
         "index of weights must name each object once"),
    ],
)  # fmt: skip
def test_weights_that_do_not_fit_the_ids_are_refused(left, right, weights, message):
    with pytest.raises(cv.UniverseError, match=message):
        cv.fstar_score(left, right, weights=weights)


@pytest.mark.parametrize("name", ["changes", "fates", "one_to_one", "to_html"])
def test_explanations_that_count_objects_reject_weights(name):
    result = cv.compare(LEFT, RIGHT, weights=WEIGHTS)
    with pytest.raises(cv.UndefinedError, match=rf"{name}\(\) counts objects"):
        getattr(result, name)()


@pytest.mark.parametrize("name", ["heat_map", "alluvial", "sizes"])
def test_pictures_that_count_objects_reject_weights(name):
    with pytest.raises(cv.UndefinedError, match="counts objects"):
        getattr(cv.plot, name)(cv.compare(LEFT, RIGHT, weights=WEIGHTS))


def test_weights_are_not_changed_and_not_kept():
    weights = np.array([0.5, 1, 2, 0, 1, 1])
    result = cv.compare(LEFT, RIGHT, weights=weights)
    before = result.objects().columns()
    assert weights.tolist() == [0.5, 1, 2, 0, 1, 1]
    weights[:] = 9
    assert result.objects().columns() == before
