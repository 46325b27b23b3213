"""Clustering: constructors, descriptions, conversions, and that it is immutable."""

import datetime as dt
import math
import pickle
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product
from string import ascii_lowercase

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from coverlap import Clustering, InputError, as_clustering, fstar_score
from tests import naive
from tests.strategies import clusterings, labels

EXACT = settings(max_examples=150)
FEW = settings(max_examples=40)  # frames are slow to make
ANY = st.integers(0, 9).flatmap(lambda n: st.tuples(st.just(n), clusterings(n)))
IDS = {
    "numbers": list(range(9)),
    "gaps": [2**40, -5, 7, 10**18, 3, 0, -(10**18), 12, 99],
    "text": list("qwertyuio"),
    "mixed": [1, "1", (1, 2), 2.5, b"x", frozenset({3}), True + 1, "é", -4],
}


def over(clusters, n):
    return Clustering.from_clusters(clusters, universe=n)


# Constructors


@FEW
@given(drawn=ANY)
def test_every_constructor_of_clusters_reads_the_same_clustering(drawn):
    n, clusters = drawn
    expected = naive.normalise(clusters)
    dense = np.array([[i in cluster for i in range(n)] for cluster in clusters], bool)
    dense = dense.reshape(len(clusters), n)
    pairs = [(i, c) for c, cluster in enumerate(clusters) for i in cluster]
    rows = [*pairs, *((i, None) for i in range(n))]
    by_object = {i: [c for c, cluster in enumerate(clusters) if i in cluster] for i in range(n)}
    frame = pd.DataFrame(rows, columns=["object", "cluster"]).astype({"cluster": "Int64"})
    read = [
        over(clusters, n),
        over(dict(enumerate(clusters)), list(range(n))),
        Clustering.from_memberships(pairs, universe=n),
        Clustering.from_memberships(rows),
        Clustering.from_memberships(by_object),
        Clustering.from_matrix(dense),
        Clustering.from_matrix(dense.T, rows="objects"),
        Clustering.from_matrix(sparse.csr_array(dense)),
        Clustering.from_matrix(sparse.coo_matrix(dense.T), rows="objects"),
        Clustering.from_frame(frame),
        Clustering.from_frame(pl.from_pandas(frame)),
    ]
    for clustering in read:
        assert clustering.to_clusters() == expected
        assert sorted(clustering.objects) == list(range(n))
        assert clustering.n_objects == n
        assert clustering.n_clusters == len(expected)
        assert clustering.sizes.tolist() == [len(cluster) for cluster in expected]
        assert clustering.n_memberships == sum(map(len, expected))
        assert clustering.n_outliers == len(naive.outliers(clusters, range(n)))
        assert clustering.has_overlaps == (sum(map(len, expected)) > n - clustering.n_outliers)
        assert clustering.n_merged == sum(map(bool, clusters)) - len(expected)
        assert clustering == read[0]
    assert read[0].n_dropped == sum(not cluster for cluster in clusters)
    assert read[2].n_dropped == 0


@pytest.mark.parametrize("kind", [int, str])
def test_many_members_are_read_whatever_the_sizes_of_clusters(kind):
    ranges = (range(3), range(2, 600), range(500, 5000), range(4, 7))
    clusters = [list(map(kind, members)) for members in ranges]
    pairs = [(item, name) for name, members in enumerate(clusters) for item in members]
    assert Clustering.from_clusters(clusters) == Clustering.from_memberships(pairs)


@pytest.mark.parametrize("kind", IDS)
@EXACT
@given(drawn=labels(9))
def test_labels_are_clusters_of_the_objects_that_share_one_and_lead_back_to_labels(kind, drawn):
    ids = IDS[kind]
    groups = {}
    for item, label in zip(ids, drawn, strict=True):
        if label >= 0:
            groups.setdefault(label, set()).add(item)
    clustering = Clustering.from_labels(drawn, objects=ids)
    assert clustering.to_dict() == groups
    assert clustering.names == sorted(groups)
    assert clustering.sizes.tolist() == [len(groups[name]) for name in sorted(groups)]
    assert clustering.objects == ids
    assert not clustering.has_overlaps
    assert as_clustering(dict(zip(ids, drawn, strict=True))) == clustering
    assert Clustering.from_memberships(list(zip(ids, drawn, strict=True))) == clustering
    found = clustering.to_labels()
    assert found.dtype.kind == "i"
    assert found.tolist() == [max(label, -1) for label in drawn]
    if groups:
        names = [None if label < 0 else f"c{label}" for label in drawn]
        assert Clustering.from_labels(names, objects=ids).to_labels().tolist() == names


@pytest.mark.parametrize(
    "array",
    [
        *(np.array([0, 1]).astype(dtype)
          for dtype in ("int8", "int64", "uint8", ">i8", ">u4", "bool", "float64")),
        *(np.array([big - 1, big], np.uint64)
          for big in (1, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1)),
    ],
    ids=lambda array: f"{array.dtype} {array[1]}",
)  # fmt: skip
def test_ids_of_arrays_are_integers_that_keep_every_digit(array):
    low, high = ids = list(map(int, array))
    native = array.astype(array.dtype.newbyteorder("="))
    for clustering in (
        Clustering.from_labels([0, 1], objects=array),
        Clustering.from_clusters([array[:1], array[1:]]),
        Clustering.from_clusters([{low}, {high}], universe=array),
        Clustering.from_clusters([{low}, {high}]).restrict(array),
        Clustering.from_memberships({low: 0, high: 1}),
        Clustering.from_frame(pd.DataFrame({"object": native, "cluster": [0, 1]})),
        Clustering.from_frame(pl.DataFrame({"object": native, "cluster": [0, 1]})),
        Clustering.from_labels(pd.Series([0, 1], index=native)),
    ):
        assert clustering.objects == ids
        assert clustering.to_clusters() == [{low}, {high}]


# Labels of every type


def test_huge_labels_keep_every_digit():
    numbers = (
        0, 5, 2**31 - 1, 2**31, 2**32, 10**15, 2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1, 2**63,
        2**64 - 1, 2**64, 10**30,
    )  # fmt: skip
    for one, two in combinations(numbers, 2):
        forms = [[two, one, two]]
        for dtype in (np.uint64, np.int64):
            if two <= np.iinfo(dtype).max:
                forms.append(np.array(forms[0], dtype))
        for form in forms:
            assert Clustering.from_labels(form).to_dict() == {one: {1}, two: {0, 2}}
            assert Clustering.from_labels(form).names == [one, two]
            assert fstar_score(form, ["b", "a", "b"]) == 1.0


def test_hashed_labels_are_told_apart_however_many_there_are():
    hashed = np.random.default_rng(5).integers(0, 2**62, 20_000)
    drawn = np.concatenate((hashed, hashed[::-1], [-1, -(2**62)]))
    clustering = Clustering.from_labels(drawn)
    assert clustering.names == np.unique(hashed).tolist()
    assert clustering.n_outliers == 2
    assert np.all(clustering.sizes == 2)
    places = np.arange(20_000)
    assert fstar_score(drawn, np.concatenate((places, places[::-1], [-1, -1]))) == 1.0
    for text in (drawn.astype(str), drawn.astype(str).tolist()):
        assert Clustering.from_labels(text) == clustering
        kept = Clustering.from_labels(text, outlier_label=())
        assert kept.n_clusters == clustering.n_clusters + 2


def test_strings_are_ordered_by_code_point_whatever_holds_them():
    names = [
        " ",
        " 0",
        "0",
        "00",
        "10",
        "9",
        "B",
        "T",
        "a",
        "a ",
        "aa",
        "ab",
        "b",
        "é",
        "日本",
        "😀",
    ]
    assert names == sorted(names)
    drawn = [*reversed(names), *names]
    size = len(names)
    expected = [{size - 1 - i, size + i} for i in range(size)]
    for given_ in (
        drawn,
        *(np.array(drawn, dtype) for dtype in ("U", ">U7", object, np.dtypes.StringDType())),
        *(pd.Series(drawn, dtype=dtype) for dtype in (None, "category")),
        *(
            pl.Series(drawn, dtype=dtype)
            for dtype in (pl.String, pl.Categorical, pl.Enum(names[::-1]))
        ),
    ):
        clustering = Clustering.from_labels(given_)
        assert clustering.names == names
        assert clustering.to_clusters() == expected
        assert set(map(type, clustering.names)) == {str}


DAY = dt.date(2020, 1, 1)
SETS = [frozenset({1, 2}), frozenset({3}), frozenset({1})]
MIXED = [dt.datetime(2020, 1, 2, tzinfo=dt.UTC), DAY]


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        ([b"b", b"a", b"b"], [b"a", b"b"]),
        ([True, False, True], [0, 1]),
        ([1, 1.0, np.int8(1), np.float32(1), True], [1]),
        (["a", np.str_("a")], ["a"]),
        ([dt.date(2020, 1, 2), DAY], [DAY, dt.date(2020, 1, 2)]),
        ([(2, 1), (1, 9)], [(1, 9), (2, 1)]),
        (SETS, SETS),
        (MIXED, MIXED),
        (
            ["b", ("z",), 10, "a", DAY, 2, ("a",), "10", True, Fraction(1, 3), 3.0, "B"],
            [1, 2, 3, 10, "10", "B", "a", "b", ("z",), DAY, ("a",), Fraction(1, 3)],
        ),
    ],
    ids=str,
)
def test_cluster_order_is_numbers_then_strings_then_others_by_value_or_first_appearance(
    labels, names
):
    groups = {label: {i for i, other in enumerate(labels) if other == label} for label in labels}
    for clustering in (
        Clustering.from_labels(labels),
        Clustering.from_labels(np.fromiter(labels, object, count=len(labels))),
        Clustering.from_memberships(list(enumerate(labels))),
        Clustering.from_clusters(groups),
    ):
        assert clustering.names == names
        assert list(map(type, clustering.names)) == list(map(type, names))
        assert clustering.to_clusters() == [groups[name] for name in names]


@pytest.mark.parametrize("missing", [None, np.nan, pd.NaT, pd.NA])
@pytest.mark.parametrize(
    "names", [[dt.date(2025, 1, 2), dt.date(2025, 1, 1)], [b"b", b"a"], [(2,), (1,)]]
)
def test_a_missing_label_does_not_change_the_order_of_clusters(names, missing):
    for named in ([*names, missing], [missing, *names]):
        for labelled in (named, pd.Series(named, dtype=object)):
            assert Clustering.from_labels(labelled).names == sorted(names)
        assert Clustering.from_memberships(list(enumerate(named))).names == sorted(names)


def test_names_are_kept_and_the_first_in_cluster_order_survives_a_merge():
    named = Clustering.from_clusters({"z": {1}, 5: {2, 3}, "y": {1}, 4: {3, 2}, (0,): {2, 3}})
    assert named.to_dict() == {4: {2, 3}, "y": {1}}
    assert named.n_merged == 3
    pairs = [(1, "b"), (1, "a"), (2, "b"), (3, "a"), (2, "c")]
    restricted = Clustering.from_memberships(pairs).restrict([1])
    assert (restricted.to_dict(), restricted.n_merged) == ({"a": {1}}, 1)


# Conversions


@pytest.mark.parametrize("kind", ["numbers", "gaps", "text"])
@FEW
@given(drawn=ANY)
def test_dicts_matrices_frames_and_labels_lead_back_to_the_same_clustering(kind, drawn):
    n, clusters = drawn
    ids = IDS[kind][:n]
    names = ascii_lowercase[::-1] if kind == "text" else range(26)
    named = {names[c]: {ids[i] for i in members} for c, members in enumerate(clusters)}
    clustering = Clustering.from_clusters(named, universe=ids)
    assert Clustering.from_clusters(clustering.to_dict(), universe=ids) == clustering
    for library in ("pandas", "polars", "arrow"):
        read = Clustering.from_frame(clustering.to_frame(library))
        assert read == clustering
        assert read.to_dict() == clustering.to_dict()
    matrix = clustering.to_matrix()
    assert (matrix.shape, matrix.dtype) == ((clustering.n_clusters, n), bool)
    by_object = Clustering.from_matrix(matrix.toarray().T, rows="objects")
    assert by_object == Clustering.from_matrix(matrix)
    found = [{clustering.objects[i] for i in members} for members in by_object.to_clusters()]
    assert found == clustering.to_clusters()
    if not clustering.has_overlaps:
        read = Clustering.from_labels(clustering.to_labels(), objects=clustering.objects)
        assert read.to_dict() == clustering.to_dict()


@pytest.mark.parametrize(
    "name",
    [-1, None, 0.5, Decimal("0.1"), math.nan, np.datetime64("NaT"), "-1", "-2.0", "nan", "", b"-1"],
)
def test_names_that_are_no_labels_are_rejected_by_to_labels_and_to_frame(name):
    clustering = Clustering.from_clusters({name: {0}, 3: {2}}, universe=3)
    for convert in (clustering.to_labels, clustering.to_frame):
        with pytest.raises(InputError, match=r"cluster .* not be read as the name of a cluster"):
            convert()


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
@pytest.mark.parametrize(
    ("clustering", "rows"),
    [
        (over([{0, 1}, {1}], 3), [(0, 0), (1, 0), (1, 1), (2, None)]),
        (Clustering.from_clusters({"x": {"a"}}, universe=["a", "b"]), [("a", "x"), ("b", None)]),
    ],
)
def test_a_frame_has_one_membership_a_row_and_a_null_cluster_for_outliers(
    clustering, rows, library
):
    frame = pl.DataFrame(clustering.to_frame(library))
    assert frame.columns == ["object", "cluster"]
    assert sorted(frame.rows(), key=str) == rows


def test_an_unknown_library_is_chosen_among_those_imported():
    assert type(over([{0}], 1).to_frame()) is pd.DataFrame


# Restrict, describe, repr


@pytest.mark.slow
@EXACT
@given(drawn=ANY, data=st.data())
def test_restrict_keeps_some_objects_and_equals_the_definition(drawn, data):
    n, clusters = drawn
    kept = data.draw(st.permutations(range(n)).map(lambda order: order[: n // 2]))
    expected = naive.normalise(naive.normalise(clusters), kept)
    restricted = over(clusters, n).restrict(kept)
    assert restricted.to_clusters() == [set(cluster) for cluster in expected]
    assert restricted.objects == kept
    assert over(clusters, n).restrict(range(n)) == over(clusters, n)


def test_restrict_works_on_labels_and_clusters_left_empty_count_as_dropped():
    given_ = [{"a", "b"}, {"c"}]
    for whole in (
        Clustering.from_labels([0, 0, 1, -1], objects=list("abcd")),
        Clustering.from_clusters(given_, universe=list("abcd")),
    ):
        kept = whole.restrict(["d", "b"])
        assert (kept.to_dict(), kept.objects, kept.n_dropped) == ({0: {"b"}}, ["d", "b"], 1)
        assert whole.restrict([]).n_objects == 0
        assert whole.to_clusters() == given_


@pytest.mark.parametrize(
    ("clustering", "expected"),
    [
        (
            over([{0, 2}, {2, 0}, {2, 3, 4}, set(), {5}], 6),
            "6 objects, 3 clusters, 6 memberships\n1 outlier; 1 object in several clusters"
            " (2 at most)\ncluster sizes: 1 to 3, median 2\n"
            "1 duplicate cluster merged, 1 empty cluster dropped",
        ),
        (
            over([], 2),
            "2 objects, 0 clusters, 0 memberships\n2 outliers; 0 objects in several clusters",
        ),
    ],
)
def test_describe_says_what_was_understood_and_what_was_merged_or_dropped(clustering, expected):
    assert clustering.describe() == expected


@pytest.mark.parametrize(
    ("clustering", "expected"),
    [
        (Clustering.from_labels([0, -1]), "Clustering(2 objects, 1 cluster, 1 outlier)"),
        (Clustering.from_labels([]), "Clustering(0 objects, 0 clusters)"),
        (
            over([{0, 1}, {1}], 1200),
            "Clustering(1,200 objects, 2 clusters, 3 memberships, 1,198 outliers, overlapping)",
        ),
    ],
)
def test_repr_counts(clustering, expected):
    assert repr(clustering) == expected


# Equality


@EXACT
@given(n=st.integers(0, 5), data=st.data())
def test_equality_is_that_of_sets_of_sets_whatever_their_names_and_order(n, data):
    one, other = data.draw(clusterings(n, 3)), data.draw(clusterings(n, 3))
    left = over(one, n)
    named = {f"c{number}": cluster for number, cluster in enumerate(other)}
    right = Clustering.from_clusters(named, universe=reversed(range(n)))
    same = set(naive.normalise(one)) == set(naive.normalise(other))
    assert (left == right) is (right == left) is same
    assert (left != right) is not same
    assert not same or hash(left) == hash(right)
    assert left != over(one, n + 1)


def test_labels_are_equal_to_clusters_and_not_to_other_types():
    one = Clustering.from_clusters({"x": {"a", "b"}, "y": {"c"}}, universe=list("abcd"))
    labels = Clustering.from_labels([None, "p", "q", "q"], objects=list("dcba"))
    assert one == labels == one
    assert len({one, labels}) == 1
    for universe in (None, list("abce")):
        assert one != Clustering.from_clusters(one.to_dict(), universe=universe)
    assert one not in (one.to_clusters(), None)


# Immutability


def kinds():
    return [
        Clustering.from_labels([0, 1, 1, -1]),
        Clustering.from_labels([10**15, 5, 5, -1]),
        over([{0, 1}, {1, 2}], 4),
        Clustering.from_clusters({"a": {"x"}, "b": {"y"}}),
    ]


@pytest.mark.parametrize("clustering", kinds(), ids=repr)
def test_attributes_cannot_be_changed(clustering):
    for name in [*dir(Clustering), "something_new"]:
        if not name.startswith("_"):
            with pytest.raises(AttributeError):
                setattr(clustering, name, 5)


@pytest.mark.parametrize("clustering", kinds(), ids=repr)
def test_changing_what_a_clustering_returned_does_not_change_it(clustering):
    def state():
        return clustering.to_dict(), clustering.objects, clustering.sizes.tolist(), repr(clustering)

    before = state()
    clustering.names.append("new")
    clustering.objects.clear()
    for cluster in clustering.to_clusters():
        cluster.clear()
    clustering.to_dict().clear()
    matrix = clustering.to_matrix()
    for array in (clustering.sizes, matrix.indices, matrix.indptr, matrix.data):
        try:
            array[:] = 0
        except ValueError:
            continue
    if not clustering.has_overlaps:
        clustering.to_labels()[:] = 0
    assert state() == before


IDS_ARRAY = np.array([5, 6, 7])
MATRIX = np.array([[1, 1, 0], [0, 1, 1]])


@pytest.mark.parametrize(
    ("read", "original"),
    [
        *product(
            (as_clustering, Clustering.from_labels),
            (
                *(np.array([3, 3, 7, -1], dtype) for dtype in (np.int8, np.int32, np.int64, float)),
                np.array([10**15, 10**15, 7, -1]),
                np.array(["x", "x", "y", "z"]),
                np.array(["x", "x", 5, None], object),
                np.ma.masked_array([3, 3, 7, 3], [0, 0, 0, 1]),
                pd.Series([3, 3, 7, -1]),
                [3, 3, 7, -1],
            ),
        ),
        (lambda ids: Clustering.from_labels([0, 0, 1], objects=ids), IDS_ARRAY),
        (lambda ids: Clustering.from_clusters([{5, 6}], universe=ids), IDS_ARRAY),
        (lambda ids: Clustering.from_clusters([ids, [9]]), IDS_ARRAY),
        (Clustering.from_clusters([{5, 6}, {7, 8}]).restrict, IDS_ARRAY),
        (Clustering.from_matrix, MATRIX),
        (Clustering.from_matrix, sparse.csr_array(MATRIX)),
        (as_clustering, sparse.csr_array(MATRIX)),
        (as_clustering, [{5, 6}, {7}]),
    ],
)
def test_changing_an_input_afterwards_does_not_change_a_clustering(read, original):
    changed = deepcopy(original)
    clustering = read(changed)
    if sparse.issparse(changed):
        for part in (changed.indices, changed.indptr, changed.data):
            part[:] = 0
    elif isinstance(changed[0], set):
        changed[0].clear()
    else:
        for i in range(len(changed)):
            changed[i] = changed[0]
    assert clustering == read(original)
    assert clustering.to_dict() == read(original).to_dict()


@pytest.mark.parametrize("form", ["coo", "csr"])
def test_entries_of_a_matrix_are_added_up_only_if_there_is_a_threshold(form):
    columns, values = [0] * 256 + [1] * 3, np.array([1] * 256 + [0, 1, 1], np.int8)
    matrix = sparse.coo_array((values, ([0] * 257 + [1] * 2, columns)))
    if form == "csr":
        matrix = sparse.csr_array((values, columns, [0, 257, 259]))
    assert Clustering.from_matrix(matrix).to_clusters() == [{0}, {1}]
    assert Clustering.from_matrix(matrix, threshold=2).to_clusters() == [{0}, {1}]
    assert Clustering.from_matrix(matrix, threshold=256).to_clusters() == [{0}]


def test_a_clustering_can_be_copied_and_sent_to_another_process_and_is_read_only():
    for made in (Clustering.from_labels([0, 1, -1]), Clustering.from_clusters([{"a"}, {"a", "b"}])):
        read = pickle.loads(pickle.dumps(made))  # noqa: S301
        assert read == made == deepcopy(made)
        for clustering in (made, read):
            arrays = [x for x in clustering.memberships.incidence if isinstance(x, np.ndarray)]
            assert arrays
            assert not any(array.flags.writeable for array in arrays)


class Tensor:
    """An array of another library, which has only ``__array__``."""

    def __init__(self, values):
        self.values = np.array(values)

    def __array__(self, dtype=None, copy=None):
        return self.values


def test_what_turns_into_an_array_is_read_as_one():
    assert as_clustering(Tensor([0, 0, -1, 1])) == as_clustering([0, 0, -1, 1])
