"""Changes: what became of the clusters of two clusterings, one row for each change."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.checks import check_share
from coverlap.core.frames import AnyColumn, CodedColumn, Column
from coverlap.core.incidence import Runs, take
from coverlap.core.wording import format_loss, quantity
from coverlap.explain.changes import KEPT, SAME, WORDS, Groups, find_groups
from coverlap.explain.losses import cluster_losses
from coverlap.results.table import SHOWN, TableResult, list_names, more_rows, side_names
from coverlap.results.text import LIST, WORD, Block, Table, numbers

if TYPE_CHECKING:
    from coverlap.results.comparison import Comparison

ALL_WORDS = (*WORDS, "outliers", "no clusters")
"""The changes of clusters, and the rows of what else is lost."""

OUTLIERS, NO_CLUSTERS = len(WORDS), len(WORDS) + 1

FIXED = ("change", "detail", "shared", "gone", "come", "loss")
"""The columns whose names do not depend on those of the sides."""


@dataclass(frozen=True, eq=False)
class Changes(TableResult):
    """The result of `Comparison.changes`: one row for each change, the costliest first.

    Attributes
    ----------
    threshold : float
        Share of the smaller cluster from which on two clusters are linked.
    counts : dict
        Number of changes of each kind, those that are "same" included.
    names : tuple of str
        Names of the two sides, which begin the names of their columns.
    """

    threshold: float
    counts: Mapping[str, int]
    names: tuple[str, str]

    @property
    def summary(self) -> str:
        """Number of changes of each kind that there is, in one line."""
        return ", ".join(f"{n:,} {word}" for word, n in self.counts.items() if n) or "no clusters"

    def _blocks(self) -> list[Block]:
        title = f"{self.summary} (threshold {self.threshold:g})"
        if not len(self):
            return [[(title, "bold")]]
        return [[(title, "bold")], change_table(self, SHOWN), *more_rows(self)]

    def __repr__(self) -> str:
        return f"Changes({self.summary}, threshold={self.threshold:g})"


def find_changes(comparison: "Comparison", threshold: float, *, same: bool) -> Changes:
    """Return the changes of a comparison; see `Comparison.changes`."""
    check_share("threshold", threshold)
    found = find_groups(comparison.difference, float(threshold))
    n_of_word = np.bincount(found.word, minlength=len(WORDS)).tolist()
    counts = dict(zip(WORDS, n_of_word, strict=True))
    loss = _losses(comparison, found)
    found, loss = _with_other_rows(comparison, found, loss)
    order = np.lexsort((-(found.n_left + found.n_right), -loss))
    if not same:
        differ = (found.n_left != found.n_shared) | (found.n_right != found.n_shared)
        order = order[((found.word != SAME) & ((found.word != OUTLIERS) | differ))[order]]
    table = _table(comparison, found, loss, order)
    return Changes(table, float(threshold), counts, side_names(comparison.names, *FIXED))


def _losses(comparison: "Comparison", found: Groups) -> NDArray[np.float64]:
    """Return the loss of the clusters of each group."""
    total = np.zeros(len(found.word))
    average = comparison.options.average
    for direction, side, runs in (
        (comparison.left, comparison.matching.left, found.left),
        (comparison.right, comparison.matching.right, found.right),
    ):
        loss = cluster_losses(direction, side, average)
        group = np.repeat(np.arange(len(total)), np.diff(runs.pointers))
        total += np.bincount(group, loss[runs.members], minlength=len(total))
    return total


def _with_other_rows(
    comparison: "Comparison", found: Groups, loss: NDArray[np.float64]
) -> tuple[Groups, NDArray[np.float64]]:
    """Add the sets of outliers and the sides without clusters, so that the losses add up."""
    outliers, sides = comparison.outliers, (comparison.left, comparison.right)
    rows = []
    if outliers.n_left or outliers.n_right:
        lost = sum(side.weight * side.outlier_share * (1 - side.outliers) for side in sides)
        rows.append((OUTLIERS, outliers.n_left, outliers.n_right, outliers.n_shared, lost))
    lost = sum(
        side.weight * side.cluster_share
        for side, n_clusters in zip(sides, comparison.n_clusters, strict=True)
        if n_clusters == 0
    )
    if lost:
        rows.append((NO_CLUSTERS, 0, 0, 0, lost))
    if not rows:
        return found, loss
    word, n_left, n_right, n_shared, more = map(np.array, zip(*rows, strict=True))
    left, right = (
        Runs(np.append(runs.pointers, [runs.pointers[-1]] * len(rows)), runs.members)
        for runs in (found.left, found.right)
    )
    return Groups(
        np.append(found.word, word), left, right, np.append(found.n_left, n_left),
        np.append(found.n_right, n_right), np.append(found.n_shared, n_shared),
    ), np.append(loss, more)  # fmt: skip


def _table(
    comparison: "Comparison", found: Groups, loss: NDArray[np.float64], order: NDArray[np.int64]
) -> tuple[AnyColumn, ...]:
    word, shared = found.word[order], found.n_shared[order]
    gone, come = found.n_left[order] - shared, found.n_right[order] - shared
    details = [
        _detail(*row) for row in zip(word.tolist(), gone.tolist(), come.tolist(), strict=True)
    ]
    matching, names = comparison.matching, side_names(comparison.names, *FIXED)
    sides = zip(
        names, comparison.cluster_names, (matching.left.sizes, matching.right.sizes),
        (found.left, found.right), (found.n_left, found.n_right), strict=True,
    )  # fmt: skip
    columns: list[AnyColumn] = [
        Column("change", [ALL_WORDS[i] for i in word.tolist()], "text"),
        Column("detail", details, "text"),
    ]
    for name, cluster_names, sizes, runs, n_objects in sides:
        pointers, members = take(runs, order)
        columns += [
            CodedColumn(name, cluster_names, members, pointers),
            CodedColumn(f"{name}_sizes", sizes.tolist(), members, pointers, "integer"),
            Column(f"{name}_objects", n_objects[order], "integer"),
        ]
    return (
        *columns,
        Column("shared", shared, "integer"),
        Column("gone", gone, "integer"),
        Column("come", come, "integer"),
        Column("loss", loss[order], "float"),
    )


def _detail(word: int, gone: int, come: int) -> str | None:
    """Return how a cluster that was kept has changed."""
    if word != KEPT:
        return None
    return "shifted" if gone and come else "shrunk" if gone else "grown"


def change_table(changes: Changes, n_rows: int) -> Table:
    """Return the first rows of the changes as a printed table."""
    first = np.arange(min(n_rows, len(changes)))
    shown = zip(*(column.taken(first).tolist() for column in changes.table), strict=True)
    left, right = changes.names
    return Table(
        [("change", WORD), (left, LIST), (right, LIST), *numbers("gone", "come", rank=1),
         *numbers("loss")],
        [
            [detail or word, _clusters(word, own, sizes, n), _clusters(word, other, others, m),
             f"{gone:,}", f"{come:,}", format_loss(loss)]
            for word, detail, own, sizes, n, other, others, m, _, gone, come, loss in shown
        ],
    )  # fmt: skip


def _clusters(word: str, names: list[Any], sizes: list[int], n_objects: int) -> str:
    """Return the clusters of one side of a change, each with its size."""
    if word == ALL_WORDS[OUTLIERS]:
        return quantity(n_objects, "outlier")
    return list_names(names, sizes) or "-"
