"""Random pairs of small clusterings, with many special cases for measures, and their scores."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

import coverlap as cv
from coverlap.counting.contingency import Contingency
from tests import naive, naive_measures

Sets = list[frozenset[int]]
Example = tuple[Random, int, Sets, Sets]


def by_labels(labels: list[int]) -> Sets:
    """Return the clusters of a list of labels; negative labels are outliers."""
    names = sorted({label for label in labels if label >= 0})
    return [frozenset(i for i, label in enumerate(labels) if label == name) for name in names]


# Covers


def _subsets(random: Random, n: int) -> Sets:
    """Draw clusters of all or of some objects, with overlaps and often with outliers."""
    part = random.sample(range(n), random.randint((n + 1) // 2, n))
    return [
        frozenset(random.sample(part, random.randint(min(1, len(part)), len(part))))
        for _ in range(random.randint(1, 5))
    ]


def _labelled(random: Random, n: int) -> Sets:
    """Draw disjoint clusters and a few outliers."""
    return by_labels([random.randint(-1, max(n // 2, 1)) for _ in range(n)])


def _special(random: Random, n: int) -> Sets:
    """Choose a clustering that is drawn rarely, such as no clusters, all objects, singletons."""
    full, single = [frozenset(range(n))], [frozenset({i}) for i in range(n)]
    some = random.sample(single, random.randint(0, n))
    half = [frozenset(range(n // 2)), frozenset(range(n // 2, n))]
    return random.choice([[], full, single, some, full + some, half, half + full])


def _moved(random: Random, n: int, clusters: Sets) -> Sets:
    """Change a clustering slightly: objects join and leave clusters, some clusters are removed."""
    changed = [set(cluster) for cluster in clusters if random.random() < 0.9]
    for cluster in changed:
        if random.random() < 0.5:
            cluster ^= {random.randrange(n)}
    return [frozenset(cluster) for cluster in changed]


def _side(random: Random, n: int) -> Sets:
    """Draw a clustering, sometimes with a repeated cluster, an empty one or one of all objects."""
    kinds = (_subsets, _subsets, _subsets, _labelled, _labelled, _special)
    clusters = random.choice(kinds)(random, n)
    if clusters and random.random() < 0.1:
        clusters = [*clusters, random.choice(clusters), frozenset()]
    if random.random() < 0.1:
        clusters = [*clusters, frozenset(range(n))]
    return clusters


def covers(seed: int, number: int, *, max_objects: int = 9) -> Iterator[Example]:
    """Yield (random, n, left, right), clusterings that may have overlaps and outliers."""
    random = Random(f"covers {seed}")
    for _ in range(number):
        n = random.randint(2, max_objects) if random.random() < 0.95 else random.randint(0, 1)
        left = _side(random, n)
        drawn = random.random()
        if drawn < 0.05:
            right = random.sample(left, len(left))
        elif n and drawn < 0.3:
            right = _moved(random, n, left)
        else:
            right = _side(random, n)
            if left and drawn < 0.5:
                right += random.sample(left, random.randint(1, len(left)))
        yield random, n, left, right


def lopsided(seed: int, number: int) -> Iterator[Example]:
    """Yield clusterings with a cluster of most objects and small clusters of the others.

    They are informative about each other although they share no object; this needs 29 objects.
    """
    random = Random(f"lopsided {seed}")
    for _ in range(number):
        n = random.randint(29, 60)
        order = random.sample(range(n), n)
        rest = random.randint(5, max(n // 4, 6))
        large, beside = frozenset(order[rest:]), order[:rest]
        small = [frozenset(random.sample(beside, random.randint(1, 2))) for _ in range(2)]
        left = [large, *_side(random, n)] if random.random() < 0.3 else [large]
        right = [*small, frozenset(beside)] if random.random() < 0.3 else small
        yield random, n, *random.sample([left, right], 2)


# Partitions


def _partition(random: Random, n: int) -> list[int]:
    """Draw few or many labels; sometimes a single cluster, or only singletons."""
    drawn = random.random()
    if drawn < 0.06:
        return [0] * n
    if drawn < 0.12:
        return list(range(n))
    top = random.choice([1, 2, max(n // 2, 1), max(n, 1)])
    return [random.randint(0, top) for _ in range(n)]


def _refined(random: Random, labels: list[int]) -> list[int]:
    """Split clusters, so that the result determines the given labels."""
    return [2 * label + random.randint(0, 1) for label in labels]


def _crossed(random: Random) -> tuple[int, list[int], list[int]]:
    """Return rows and columns of a grid, which have no mutual information."""
    rows, columns = random.choice([(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4)])
    places = random.sample(range(rows * columns), rows * columns)
    return rows * columns, [i // columns for i in places], [i % columns for i in places]


def partitions(
    seed: int, number: int, *, max_objects: int = 12, outliers: bool = False
) -> Iterator[Example]:
    """Yield (random, n, left, right) of disjoint clusters; with `outliers`, half have some."""
    random = Random(f"partitions {seed} {outliers}")
    for _ in range(number):
        n = random.randint(2, max_objects) if random.random() < 0.95 else random.randint(0, 1)
        left, right = _partition(random, n), _partition(random, n)
        drawn = random.random()
        if drawn < 0.08:
            right = left
        elif drawn < 0.2:
            right = _refined(random, left)
        elif drawn < 0.25:
            n, left, right = _crossed(random)
        elif drawn < 0.4:
            right = [label if random.random() < 0.8 else random.randint(0, n) for label in left]
        if outliers and random.random() < 0.5:
            share = random.choice([0.1, 0.3, 0.6])
            left = [-1 if random.random() < share else label for label in left]
            right = [-1 if random.random() < share else label for label in right]
        yield random, n, by_labels(left), by_labels(right)


# Counts


@dataclass
class TableCounts:
    """A replacement of `Counts` for measures that need only a contingency table."""

    contingency: Contingency
    threads: int | None = None

    def once(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(self, *arguments)


# Scores


def over(clusters: Any, n: int, **options: str) -> cv.Clustering:
    return cv.Clustering.from_clusters(clusters, universe=n, **options)


def attempt(*arguments: Any, **options: Any) -> float | None:
    """Return a score, or None if the measure is undefined."""
    try:
        return cv.score(*arguments, **options)
    except cv.UndefinedError:
        return None


def near(value: Any, measure: str) -> Any:
    """Return a score that others may differ from by rounding; AMI loses digits by differences."""
    if measure.startswith(("mi", "nmi", "homo", "complete", "v", "onmi")):
        return pytest.approx(float(value), rel=4e-15, abs=4e-15)
    return pytest.approx(float(value), rel=0, abs=1e-10 if "ami" in measure else 1e-12)


def check(n: int, left: Sets, right: Sets, measure: str, **options: Any) -> None:
    """Compare a score with that of the oracle; both may be undefined."""
    if measure == "onmi_lfk" and options.get("variant") == "mcdaid":
        placed = {name: options.get(name) for name in ("drop_outliers", "outliers_as")}
        *compared, objects = naive_measures.compared(left, right, n, **placed)
        if all(objects in side for side in compared):
            return  # McDaid's program never matches such a cluster
    try:
        expected = near(naive_measures.score(left, right, n, measure, **options), measure)
    except naive_measures.NotDefinedError:
        expected = None
    duplicates = options.pop("duplicates", "merge")
    sides = (over(side, n, duplicates=duplicates) for side in (left, right))
    found = attempt(*sides, measure, **options)
    assert type(found) in {float, type(None)}
    assert found == expected, (measure, options, duplicates, n, left, right)


def some_twice(random: Random, clusters: Sets) -> Sets:
    """Return the clusters, some of them two or three times, in random order."""
    clusters = [*clusters, *(random.choices(clusters, k=random.randint(0, 4)) if clusters else [])]
    return random.sample(clusters, len(clusters))


def random_options(random: Random, measure: str) -> dict[str, Any]:
    """Draw options of a measure, and what is done with outliers and duplicates before it."""
    options: dict[str, Any] = {
        "drop_outliers": random.choice([None, None, "either", "left", "right", "both"]),
        "outliers_as": random.choice([None, "singletons", "cluster"]),
        "duplicates": random.choice(["merge", "keep"]),
    }
    if measure.startswith("fstar"):
        options["similarity"] = random.choice(list(naive.SIMILARITIES))
        options["average"] = random.choice(["size", "equal"])
        options["balance"] = random.choice([0.0, 0.1, 0.25, 0.5, 0.8, 1.0])
    if measure == "ecs":
        options["alpha"] = random.choice([0.05, 0.5, 0.85, 0.9, 0.99])
    if measure.startswith("onmi"):
        options["variant"] = random.choice(["definition", "mcdaid"])
    return options
