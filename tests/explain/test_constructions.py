"""Known constructions get the names that a reader would give them; expectations are by hand."""

from math import fsum

import numpy as np
import pytest

import coverlap as cv


def members(*bounds):
    """Return the numbers in one or several ranges, given by their first and last + 1."""
    return {i for begin, end in zip(bounds[::2], bounds[1::2], strict=True)
            for i in range(begin, end)}  # fmt: skip


def compare(old, new, n_objects=None, **options):
    sides = [cv.Clustering.from_clusters(side, universe=n_objects) for side in (old, new)]
    return cv.compare(*sides, names=("old", "new"), **options)


def changes_of(result, threshold=0.5, *, same=False):
    """Return the changes: the word, or its detail, the clusters, and how many went and came."""
    found = result.changes(threshold, same=same)
    columns = found.columns()
    assert fsum(columns["loss"]) == pytest.approx(1 - result.score, abs=1e-12)
    assert min(columns["loss"], default=0) >= 0
    words = [detail or word for word, detail in zip(columns["change"], columns["detail"],
                                                    strict=True)]  # fmt: skip
    names = [[" ".join(sorted(row)) for row in columns[side]] for side in ("old", "new")]
    return sorted(zip(words, *names, columns["gone"], columns["come"], strict=True))


def present(found):
    """Return the numbers of the kinds of changes that there are."""
    return {word: n for word, n in found.counts.items() if n}


THREE = {"B": members(10, 30), "C": members(30, 50), "D": members(50, 70)}
GIVING = {"B": members(12, 30), "C": members(32, 50), "D": members(52, 70)}
GIVEN = members(10, 12, 30, 32, 50, 52)
ROWS = {f"R{i}": members(4 * i, 4 * i + 4) for i in range(4)}
COLUMNS = {f"C{i}": {i, i + 4, i + 8, i + 12} for i in range(4)}

CONSTRUCTIONS = {
    "cut in two": (
        {"A": members(0, 10)}, {"A1": members(0, 6), "A2": members(6, 10)},
        [("split", "A", "A1 A2", 0, 0)],
    ),
    "three fused": (
        {"A": members(0, 5), "B": members(5, 8), "C": members(8, 10)}, {"D": members(0, 10)},
        [("merged", "A B C", "D", 0, 0)],
    ),
    "dissolved into outliers": (
        {"A": members(0, 4), "B": members(4, 9)}, {"B": members(4, 9)},
        [("dissolved", "A", "", 4, 0), ("outliers", "", "", 0, 4)],
    ),
    "dissolved except for a rest": (
        {"A": members(0, 10)}, {"A": members(0, 3)},
        [("dissolved", "A", "A", 7, 0), ("outliers", "", "", 0, 7)],
    ),
    "grown by a fifth": (
        {"A": members(0, 10)}, {"A": members(0, 12)},
        [("grown", "A", "A", 0, 2), ("outliers", "", "", 2, 0)],
    ),
    "shifted": (
        {"A": members(0, 10)}, {"A": members(1, 11)},
        [("outliers", "", "", 1, 1), ("shifted", "A", "A", 1, 1)],
    ),
    "one object changes its cluster": (
        {"A": members(0, 5), "B": members(5, 10)}, {"A": members(0, 4), "B": members(4, 10)},
        [("grown", "B", "B", 0, 1), ("shrunk", "A", "A", 1, 0)],
    ),
    "scattered": (
        {"A": GIVEN, **GIVING}, THREE,
        [("grown", "B", "B", 0, 2), ("grown", "C", "C", 0, 2), ("grown", "D", "D", 0, 2),
         ("scattered", "A", "", 6, 0)],
    ),
    "gathered around a core": (
        {"A": members(0, 4), **THREE}, {"A": GIVEN | members(0, 4), **GIVING},
        [("gathered", "A", "A", 0, 6), ("shrunk", "B", "B", 2, 0), ("shrunk", "C", "C", 2, 0),
         ("shrunk", "D", "D", 2, 0)],
    ),
    "halves exchanged": (
        {"A": members(0, 4), "B": members(4, 8)}, {"C": {0, 1, 4, 5}, "D": {2, 3, 6, 7}},
        [("mixed", "A B", "C D", 0, 0)],
    ),
    "a full shuffle": (
        ROWS, COLUMNS,
        [*(("gathered", "", f"C{i}", 0, 4) for i in range(4)),
         *(("scattered", f"R{i}", "", 4, 0) for i in range(4))],
    ),
    "overlaps added": (
        {"A": members(0, 5), "B": members(5, 10)}, {"A": members(0, 6), "B": members(4, 10)},
        [("grown", "A", "A", 0, 1), ("grown", "B", "B", 0, 1)],
    ),
    "a cluster inside of others added": (
        {"A": members(0, 10), "B": members(0, 4)},
        {"A": members(0, 10), "B": members(0, 4), "C": members(0, 2)},
        [("gathered", "", "C", 0, 2)],
    ),
    "a nested cluster cut in two": (
        {"A": members(0, 10), "B": members(0, 4)},
        {"A": members(0, 10), "B1": members(0, 2), "B2": members(2, 4)},
        [("split", "B", "B1 B2", 0, 0)],
    ),
    "nested clusters stay": (
        {"A": members(0, 10), "B": members(0, 4), "C": members(0, 2)},
        {"X": members(0, 10), "Y": members(0, 4), "Z": members(0, 2)},
        [],
    ),
}  # fmt: skip

OPPOSITE = {
    "split": "merged", "merged": "split", "dissolved": "new", "new": "dissolved", "grown": "shrunk",
    "shrunk": "grown", "scattered": "gathered", "gathered": "scattered",
}  # fmt: skip

each = pytest.mark.parametrize(
    ("old", "new", "expected"), CONSTRUCTIONS.values(), ids=CONSTRUCTIONS
)


@each
def test_constructions_are_named(old, new, expected):
    assert changes_of(compare(old, new)) == expected


@each
def test_constructions_have_the_opposite_names_from_new_to_old(old, new, expected):
    opposite = [
        (OPPOSITE.get(word, word), after, before, come, gone)
        for word, before, after, gone, come in expected
    ]
    assert changes_of(compare(new, old)) == sorted(opposite)


def test_a_new_cluster_may_come_from_known_outliers():
    old = {"A": members(0, 4)}
    result = compare(old, old | {"N": members(4, 7)}, 8)
    assert changes_of(result) == [("new", "", "N", 0, 3), ("outliers", "", "", 3, 0)]


def test_half_of_those_that_came_from_outliers_make_a_cluster_new():
    old = {"B": members(10, 30), "C": members(30, 50)}
    new = {"B": members(11, 30), "C": members(31, 50)}
    for more, word in (({0, 1}, "new"), ({0}, "gathered")):
        result = compare(old, new | {"N": {10, 30} | more})
        assert (word, "", "N", 0, 2 + len(more)) in changes_of(result)
        assert len(changes_of(result)) == 4


def test_rows_of_what_is_the_same_are_listed_on_request_and_always_counted():
    old = {"A": members(0, 4), "B": members(4, 6), "C": {6}}
    new = {"A": members(0, 4), "B": members(4, 6), "D": {7}}
    result = compare(old, new, 10)
    differing = [("dissolved", "C", "", 1, 0), ("new", "", "D", 0, 1), ("outliers", "", "", 1, 1)]
    same = [("same", "A", "A", 0, 0), ("same", "B", "B", 0, 0)]
    assert changes_of(result) == differing
    assert changes_of(result, same=True) == differing + same
    assert present(result.changes()) == {"dissolved": 1, "new": 1, "same": 2}
    identical = compare(old, old, 10)
    assert changes_of(identical) == []
    assert changes_of(identical, same=True) == [
        ("outliers", "", "", 0, 0), *same, ("same", "C", "C", 0, 0),
    ]  # fmt: skip


# Thresholds


@pytest.mark.parametrize(
    ("name", "threshold", "expected"),
    [
        ("cut in two", 1, [("split", "A", "A1 A2", 0, 0)]),
        ("three fused", 1, [("merged", "A B C", "D", 0, 0)]),
        ("one object changes its cluster", 0, [("mixed", "A B", "A B", 0, 0)]),
        ("dissolved except for a rest", 0.3,
         [("outliers", "", "", 0, 7), ("shrunk", "A", "A", 7, 0)]),
        ("dissolved into outliers", 0, CONSTRUCTIONS["dissolved into outliers"][2]),
        ("grown by a fifth", 1, [("new", "A", "A", 0, 2), ("outliers", "", "", 2, 0)]),
        ("grown by a fifth", 10 / 12, CONSTRUCTIONS["grown by a fifth"][2]),
        ("shifted", 0.9, CONSTRUCTIONS["shifted"][2]),
        ("shifted", 0.91, [("gathered", "", "A", 0, 10), ("outliers", "", "", 1, 1),
                           ("scattered", "A", "", 10, 0)]),
        ("scattered", 0, [("mixed", "A B C D", "B C D", 0, 0)]),
        ("scattered", 1 / 3, [("mixed", "A B C D", "B C D", 0, 0)]),
        ("a full shuffle", 0.25, [("mixed", "R0 R1 R2 R3", "C0 C1 C2 C3", 0, 0)]),
        ("a full shuffle", 0.26, CONSTRUCTIONS["a full shuffle"][2]),
        ("nested clusters stay", 0, []),
    ],
)  # fmt: skip
def test_thresholds(name, threshold, expected):
    old, new, _ = CONSTRUCTIONS[name]
    assert changes_of(compare(old, new), threshold) == expected


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan"), "0.5", None, True])
def test_a_threshold_that_is_no_share_is_rejected(threshold):
    result = cv.compare([0, 0, 1], [0, 1, 1])
    with pytest.raises(cv.OptionError, match="threshold must be a number from 0 to 1"):
        result.changes(threshold)


# Many planted changes

N_RECORDS, N_SPLITS, N_MERGES = 200_000, 2_213, 1_786


def cut(items, n_parts, rng):
    """Cut a list into parts at random places; no part is empty."""
    places = np.sort(rng.choice(np.arange(1, len(items)), n_parts - 1, replace=False))
    return np.split(items, places)


class Planted:
    """Clusters of random sizes, of which some are split, some merged, and all others stay."""

    def __init__(self):
        rng = np.random.default_rng(2213)
        sizes = rng.integers(4, 40, N_RECORDS // 20)
        bounds = np.cumsum(sizes)
        clusters = np.split(np.arange(N_RECORDS), bounds[bounds < N_RECORDS])
        order = iter(rng.permutation(len(clusters)).tolist())
        self.old, self.new = np.empty(N_RECORDS, object), np.empty(N_RECORDS, object)
        for i, cluster in enumerate(clusters):
            self.old[cluster] = f"old {i}"
        self.changes, self.n_moved = set(), 0
        for _ in range(N_SPLITS):
            i = next(order)
            parts = cut(clusters[i], int(rng.integers(2, 5)), rng)
            self.plant("split", [f"old {i}"], [f"new {i} {j}" for j in range(len(parts))], parts)
        for _ in range(N_MERGES):
            chosen = [next(order) for _ in range(int(rng.integers(2, 4)))]
            parts = [clusters[i] for i in chosen]
            self.plant("merged", [f"old {i}" for i in chosen], [f"new {chosen[0]}"], parts)
        rest = list(order)
        self.n_same = len(rest)
        for i in rest:
            self.new[clusters[i]] = f"new {i}"
        self.ids = np.array([f"record {i}" for i in range(N_RECORDS)], dtype=object)
        self.shuffles = rng.permutation(N_RECORDS), rng.permutation(N_RECORDS)

    def plant(self, word, old, new, parts):
        """Write the new labels; all but the largest of the parts have to move."""
        for i, part in enumerate(parts):
            self.new[part] = new[i % len(new)]
        self.changes.add((word, frozenset(old), frozenset(new)))
        self.n_moved += sum(map(len, parts)) - max(map(len, parts))

    def sides(self):
        for labels, order in zip((self.old, self.new), self.shuffles, strict=True):
            yield self.ids[order].tolist(), labels[order].tolist()


def test_planted_splits_and_merges_are_found_and_nothing_else():
    planted = Planted()
    sides = (dict(zip(*side, strict=True)) for side in planted.sides())
    result = cv.compare(*sides, names=("old", "new"))
    assert len(planted.changes) == N_SPLITS + N_MERGES
    for threshold in (0, 0.5, 1):
        found = result.changes(threshold)
        columns = found.columns()
        sides = [map(frozenset, columns[side]) for side in ("old", "new")]
        assert {*zip(columns["change"], *sides, strict=True)} == planted.changes
        assert len(found) == len(planted.changes)
        assert present(found) == {"split": N_SPLITS, "merged": N_MERGES, "same": planted.n_same}
        assert {*columns["gone"], *columns["come"]} == {0}
        assert columns["loss"] == sorted(columns["loss"], reverse=True)
        assert fsum(columns["loss"]) == pytest.approx(1 - result.score, abs=1e-12)
    assert result.objects().n_moved == len(result.objects(moved_only=True)) == planted.n_moved
