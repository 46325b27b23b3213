"""Compare the strategy chosen for pairs of objects with the one that is measured as the faster.

Run it with ``make bench``, or name sections: ``python benchmarks/pair_strategies.py pairs``; add
``--tiny`` for small data. There is no peer: coverlap has two strategies to count pairs of objects
(for Omega) and to compute B-cubed, and chooses one by the numbers of their steps. For each shape of
covers this prints the times of both strategies and of the choice, the strategy chosen, the faster
one, the ratio of their times, and the same ratio with the time of the choice added (where the
strategy chosen does not reuse its work). Times are CPU times of one thread, so that other processes
disturb them little. Intersections are skipped, and left blank, if they hold more than twice as many
pairs as the clusters.
"""

import time
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from data import TINY, covers
from rich.table import Table
from timing import console, run

from coverlap.core.incidence import Runs, frozen
from coverlap.core.threads import Workers
from coverlap.counting.contingency import n_pairs_within
from coverlap.counting.memory.object_groups import ObjectGroups, group_objects
from coverlap.counting.memory.pair_strategies import (
    faster_strategy,
    intersection_sizes,
    visit_intersections,
    visit_neighbors,
)
from coverlap.counting.memory.pairs import visit_pairs

ALONE = Workers(1, None)

STRATEGIES = {visit_neighbors: "neighbors", visit_intersections: "intersections"}

MAX_MEMBERSHIPS = 1_000 if TINY else 3_000_000
MAX_PAIRS_IN_CLUSTERS = 10_000 if TINY else 2_000_000_000
"""Shapes with more memberships, or more pairs of objects within clusters, are left out."""


class Shape(NamedTuple):
    """A cover: popularities of clusters are proportional to rank**-exponent."""

    n_objects: int
    n_clusters: int
    memberships: int
    exponent: float


def shapes() -> list[Shape]:
    """Return covers of small and large clusters, with few and many memberships per object."""
    found = {Shape(1_000_000, 50_000, 3, 0.0): None, Shape(1_000_000, 50_000, 3, 0.8): None}
    for n_objects, memberships, exponent in product(
        (100, 1_000, 10_000, 100_000, 1_000_000), (1, 3, 10, 40), (0.0, 0.8)
    ):
        for mean_size in (8, 60, 1_000, n_objects // 10, n_objects // 3):
            n_clusters = max(2, n_objects * memberships // mean_size)
            if mean_size <= n_objects // 3 and n_clusters >= 2 * memberships:
                found[Shape(n_objects, n_clusters, memberships, exponent)] = None
    return [shape for shape in found if _is_measured(shape)]


def _is_measured(shape: Shape) -> bool:
    n_memberships = shape.n_objects * shape.memberships
    n_pairs = n_memberships * n_memberships / shape.n_clusters
    return n_memberships <= MAX_MEMBERSHIPS and n_pairs <= MAX_PAIRS_IN_CLUSTERS


def draw(shape: Shape) -> ObjectGroups:
    """Draw two covers of a shape, of which one is the other with 30 % of memberships moved."""
    left, right = covers(
        shape.n_objects, shape.n_clusters, memberships=shape.memberships, exponent=shape.exponent
    )
    return group_objects(_runs(left), _runs(right), shape.n_objects, ALONE)


def _runs(matrix: sp.csr_array) -> Runs:
    matrix.sort_indices()
    return Runs(frozen(matrix.indptr.astype("int64")), frozen(matrix.indices.astype("int32")))


def cpu_time(call: Callable[[], object]) -> float:
    """Return the seconds of the fastest of up to five calls, fewer if they take long."""
    times: list[float] = []
    while len(times) < 5 and sum(times) < 0.3:
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def measure(by_object: bool) -> None:
    """Print a row for each shape, and the worst ratio."""
    title = "B-cubed" if by_object else "Pairs"
    table = Table(title=f"{title}: milliseconds of CPU time", title_justify="left")
    for column in (
        "objects",
        *STRATEGIES.values(),
        "choice",
        "chosen",
        "faster",
        "ratio",
        "with choice",
    ):
        table.add_column(column, justify="right", no_wrap=True)
    worst = worst_with_choice = 1.0
    for shape in shapes():
        groups = draw(shape)
        choose = partial(faster_strategy, groups, shape.n_objects, ALONE)
        chosen = choose()
        name = STRATEGIES[getattr(chosen, "func", chosen)]
        times = measured_times(groups, shape.n_objects, by_object)
        best = min(times, key=lambda name: times[name])
        choice = cpu_time(choose)
        ratio = times[name] / times[best]
        extra = 0.0 if name == "intersections" else choice / times[best]
        worst, worst_with_choice = max(worst, ratio), max(worst_with_choice, ratio + extra)
        cells = [*(times.get(each) for each in STRATEGIES.values()), choice]
        table.add_row(
            f"{shape.n_objects:,} in {shape.memberships} of {shape.n_clusters:,}, "
            f"rank^-{shape.exponent}",
            *("" if cell is None else f"{cell * 1e3:,.2f}" for cell in cells),
            name, best, f"{ratio:.2f}", f"{ratio + extra:.2f}",
        )  # fmt: skip
    console.print(table)
    console.print(f"worst ratio {worst:.2f}, with the choice {worst_with_choice:.2f}\n")


def measured_times(groups: ObjectGroups, n_objects: int, by_object: bool) -> dict[str, float]:
    """Return the seconds of each strategy, without one that would take too long."""
    n_pairs = sum(int(sizes.n_pairs.sum()) for sizes in intersection_sizes(groups, ALONE))
    n_in_clusters = sum(n_pairs_within(np.diff(side.clusters.ends)) for side in groups.sides)
    count = partial(visit_pairs, groups, n_objects, ALONE, by_object=by_object)
    return {
        name: cpu_time(partial(count, strategy=strategy))
        for strategy, name in STRATEGIES.items()
        if strategy is visit_neighbors or n_pairs <= 2 * n_in_clusters
    }


def pairs() -> None:
    measure(by_object=False)


def bcubed() -> None:
    measure(by_object=True)


if __name__ == "__main__":
    run(pairs, bcubed)
