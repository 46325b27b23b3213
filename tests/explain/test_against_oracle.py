"""Changes, moved objects and losses equal the set-based oracle, and losses add up to 1 - score."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import fsum

import pytest

import coverlap as cv
from coverlap.core import threads
from coverlap.explain.changes import WORDS
from tests import naive, naive_changes
from tests.explain.test_constructions import OPPOSITE
from tests.marks import seeds, slow_after
from tests.measures.examples import covers
from tests.naive_changes import Options

SIMILARITIES = ("jaccard", "f1", "precision", "recall")
THRESHOLDS = (0.0, 0.1, 0.25, 1 / 3, 0.5, 0.6, 0.9, 1.0)
REASONS = {
    "gone to other clusters": "gone to clusters",
    "gone to outliers": "gone to outliers",
    "come from other clusters": "come from clusters",
    "come from outliers": "come from outliers",
    "sets of outliers": "outliers",
    "side without clusters": "no clusters",
}


class Case:
    """Two random clusterings of the objects 0..n-1, and random options."""

    def __init__(self, random, n, left, right):
        self.n, self.universe = n, frozenset(range(n))
        self.left, self.right = naive.normalise(left), naive.normalise(right)
        self.options = Options(
            random.random() < 0.8, Fraction(random.randint(0, 4), 4),
            random.choice(SIMILARITIES), random.choice(["size", "equal"]),
        )  # fmt: skip
        self.threshold = random.choice(THRESHOLDS)

    @property
    def definition(self):
        return self.left, self.right, self.universe, self.options

    def compare(self):
        sides = (
            cv.Clustering.from_clusters(dict(enumerate(side)), universe=self.n)
            for side in (self.left, self.right)
        )
        outliers, balance, similarity, average = self.options
        return cv.compare(
            *sides, outliers=outliers, balance=float(balance), similarity=similarity,
            average=average, names=("old", "new"),
        )  # fmt: skip


def cases(seed, number):
    for drawn in covers(f"explain {seed}", number, max_objects=13):
        yield Case(*drawn)


def rows_of(table):
    columns = table.columns()
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def near(value):
    return pytest.approx(float(value), abs=1e-12)


def check_losses(case):
    result = case.compare()
    lost = 1 - result.score
    by_object = rows_of(result.objects())
    expected = naive_changes.object_losses(*case.definition)
    assert {row["object"]: row["loss"] for row in by_object} == {
        item: near(loss) for item, loss in expected.items()
    }
    by_reason = {row["reason"]: row["loss"] for row in rows_of(result.losses())}
    reasons = naive_changes.losses(*case.definition)
    assert by_reason == {ours: near(reasons[theirs]) for ours, theirs in REASONS.items()}
    sums = [
        fsum(result.columns()["loss"]), fsum(row["loss"] for row in by_object),
        fsum(by_reason.values()), fsum(result.changes(case.threshold).columns()["loss"]),
    ]  # fmt: skip
    assert sums == [near(lost)] * 4


def check_changes(case):
    result = case.compare()
    found = result.changes(case.threshold, same=True)
    expected = [
        *naive_changes.changes(*case.definition, case.threshold),
        *naive_changes.other_changes(*case.definition),
    ]
    rows = rows_of(found)
    # Outliers that do not count have a row, too, but no loss.
    counted = case.options.outliers
    ours = {
        (row["change"], row["detail"], frozenset(row["old"]), frozenset(row["new"])): [
            row["old_objects"], row["new_objects"], row["shared"], row["gone"], row["come"],
            row["loss"],
        ]
        for row in rows
        if row["change"] != "no clusters" and (counted or row["change"] != "outliers")
    }  # fmt: skip
    assert ours == {
        (row.change, row.detail, row.left, row.right): [
            row.n_left, row.n_right, row.n_shared, row.gone, row.come, near(row.loss),
        ]
        for row in expected
        if row.change != "no clusters"
    }  # fmt: skip
    assert [len(case.left[i]) for row in rows for i in row["old"]] == [
        size for row in rows for size in row["old_sizes"]
    ]
    assert sorted(i for row in rows for i in row["old"]) == list(range(len(case.left)))
    assert sorted(i for row in rows for i in row["new"]) == list(range(len(case.right)))
    hidden = [row for row in rows if row["change"] == "same"]
    assert found.counts.get("same", 0) == len(hidden)
    assert rows_of(result.changes(case.threshold)) == [
        row
        for row in rows
        if row["gone"] or row["come"] or row["change"] not in ("same", "outliers")
    ]


def check_swapped_sides(case):
    case.options = Options()
    there = rows_of(case.compare().changes(case.threshold))
    case.left, case.right = case.right, case.left
    back = rows_of(case.compare().changes(case.threshold))
    opposite = {
        (OPPOSITE.get(row["change"], row["change"]), frozenset(row["new"]), frozenset(row["old"])):
            near(row["loss"])
        for row in there
    }  # fmt: skip
    assert {
        (row["change"], frozenset(row["old"]), frozenset(row["new"])): row["loss"] for row in back
    } == opposite


def check_moves_and_contingency(case):
    result = case.compare()
    pairs = naive_changes.partners(case.left, case.right)
    moves = naive_changes.moved(case.left, case.right, pairs)
    overlap = result.difference.pair.left.has_overlaps, result.difference.pair.right.has_overlaps

    def listed(value, is_list):
        if is_list:
            return frozenset(value)
        return frozenset() if value is None else frozenset({value})

    for row in rows_of(result.objects()):
        item = row["object"]
        nowhere = frozenset(), frozenset()
        assert row["moved"] == (item in moves)
        expected = moves.get(item, nowhere)
        moved = listed(row["moved_from"], overlap[0]), listed(row["moved_to"], overlap[1])
        assert moved == expected
        holding = tuple(
            frozenset(i for i, cluster in enumerate(side) if item in cluster)
            for side in (case.left, case.right)
        )
        assert (listed(row["old"], overlap[0]), listed(row["new"], overlap[1])) == holding
    only = rows_of(result.objects(moved_only=True))
    assert [row["object"] for row in only] == sorted(moves)
    table = rows_of(result.contingency())
    cells = {(row["old"], row["new"]): row["shared"] for row in table}
    assert cells == naive_changes.contingency(case.left, case.right, case.universe)
    assert [row["shared"] for row in table] == sorted(cells.values(), reverse=True)
    for row in table:
        one, other = (
            side[row[name]] if row[f"{name}_kind"] == "cluster" else naive.outliers(
                side, case.universe
            )
            for name, side in (("old", case.left), ("new", case.right))
        )  # fmt: skip
        assert (row["old_size"], row["new_size"]) == (len(one), len(other))
        shared = len(one & other)
        assert row["old_share"] == near(Fraction(shared, len(one)))
        assert row["new_share"] == near(Fraction(shared, len(other)))
        similarity = naive.compare_sets(one, other, case.options.similarity)
        assert row["similarity"] == near(similarity)


CHECKS = (check_losses, check_changes, check_moves_and_contingency, check_swapped_sides)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(
    ("seed", "number"), slow_after(1, [(0, 150), *product(seeds(2)[1:], [1500])])
)
def test_random_covers_equal_the_oracle(check, seed, number):
    for case in cases(seed, number):
        check(case)


def test_random_covers_have_every_change_and_every_reason():
    found = Counter()
    for case in cases(0, 150):
        given = case.left, case.right, case.universe
        found.update(row.change for row in naive_changes.changes(*given))
        for outliers in (True, False):
            reasons = naive_changes.object_reasons(*given, Options(outliers=outliers))
            found.update({reason for _, reason in reasons})
    assert {*WORDS, *naive_changes.REASONS} <= found.keys() | {"outliers"}
    assert min(found.values()) >= 5


def test_a_cover_compared_with_itself_is_the_same_throughout():
    for case in cases(2, 100):
        case.right = case.left
        result = case.compare()
        for threshold in (0.0, 0.5, 1.0):
            found = result.changes(threshold)
            assert found.columns()["change"] == []
            assert found.counts == dict.fromkeys(WORDS, 0) | {"same": len(case.left)}
        assert not any(result.objects().columns()["moved"])


def test_many_covers_side_by_side_change_as_each_of_them_does(monkeypatch):
    drawn = [case for case in cases(3, 300) if case.left and case.right]
    n_times, threshold = 10, 0.5
    sides, start, expected, moved = ({}, {}), 0, Counter(), []
    for case in drawn:
        alone = case.compare()
        for row in rows_of(alone.changes(threshold)):
            if row["old"] or row["new"]:
                expected[_facts(row)] += n_times
        moved.append(alone.objects(moved_only=True).columns()["object"])
    moved_at = []
    for i in range(n_times):
        for j, case in enumerate(drawn):
            for side, clusters in zip(sides, (case.left, case.right), strict=True):
                # Ties go to the first cluster, so each case keeps its order.
                side |= {
                    (i, j, k): {start + item for item in one} for k, one in enumerate(clusters)
                }
            moved_at += [start + item for item in moved[j]]
            start += case.n
    result = cv.compare(
        *(cv.Clustering.from_clusters(side, universe=start) for side in sides),
        names=("old", "new"),
    )
    # With several threads, each follows the objects of some of the covers.
    monkeypatch.setattr(threads, "SMALL", 1000)
    monkeypatch.setattr(threads, "number_of_cores", lambda: 3)
    assert min(side.n_memberships for side in result.clusterings) > 10_000
    found = rows_of(result.changes(threshold))
    assert Counter(_facts(row) for row in found if row["old"] or row["new"]) == expected
    objects = result.objects()
    assert result.objects(moved_only=True).columns()["object"] == moved_at
    losses = objects.columns()["loss"]
    assert min(losses) >= 0
    for table in (losses, result.losses().columns()["loss"], result.changes().columns()["loss"]):
        assert fsum(table) == near(1 - result.score)


def _facts(row):
    """Return a change without names and its part of the loss, which depend on other clusters."""
    numbers = (row[name] for name in ("old_objects", "new_objects", "shared", "gone", "come"))
    sizes = (tuple(sorted(row[name])) for name in ("old_sizes", "new_sizes"))
    return row["change"], row["detail"], *numbers, *sizes
