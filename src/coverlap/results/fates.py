"""Fates: where the objects of each cluster are on the other side, in one line."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from coverlap.core.frames import Column
from coverlap.core.wording import one_line, quantity, text_of
from coverlap.results.table import SHOWN, TableResult, more_rows
from coverlap.results.text import Block

if TYPE_CHECKING:
    from coverlap.results.comparison import Comparison

MOST = 4
"""Number of clusters that are named in the fate of one cluster; others are counted."""


@dataclass(frozen=True, eq=False)
class Fates(TableResult):
    """The result of `Comparison.fates`: what became of each cluster, in one line."""

    def _blocks(self) -> list[Block]:
        lines = self.table[-1].tolist()[:SHOWN] or ["no clusters"]
        return [["\n".join(lines)], *more_rows(self)]

    def __repr__(self) -> str:
        return f"Fates({quantity(len(self), 'cluster')})"


def find_fates(comparison: "Comparison") -> Fates:
    """Return the fate of each cluster of both sides; see `Comparison.fates`."""
    difference, matching = comparison.difference, comparison.matching
    cells, (to_outliers, from_outliers) = difference.contingency, difference.n_outliers
    left_names, right_names = comparison.cluster_names
    left, right = cells.rows(), cells.columns.astype(np.int64)
    left_texts, right_texts = map(_texts, comparison.cluster_names)
    one, other = comparison.sides
    sides = (
        (one, "→", left_names, left_texts, matching.left.sizes, left, right, right_texts,
         to_outliers),
        (other, "←", right_names, right_texts, matching.right.sizes, right, left, left_texts,
         from_outliers),
    )  # fmt: skip
    rows: list[tuple[str, Any, int, str]] = []
    for side, arrow, names, texts, sizes, own, matches, match_texts, outliers in sides:
        order = np.lexsort((matches, -cells.shared.astype(np.int64), own))
        bounds = np.searchsorted(own[order], np.arange(len(names) + 1)).tolist()
        found = [match_texts[match] for match in matches[order].tolist()]
        shared = cells.shared[order].tolist()
        for cluster, (name, size) in enumerate(zip(names, sizes.tolist(), strict=True)):
            chosen = slice(bounds[cluster], bounds[cluster + 1])
            parts = _parts(found[chosen], shared[chosen], int(outliers[cluster]), size)
            rows.append((side, name, size, f"{texts[cluster]} {arrow} {', '.join(parts)}"))
    kinds = {"side": "text", "cluster": "object", "size": "integer", "fate": "text"}
    columns = zip(*rows, strict=True) if rows else [()] * len(kinds)
    return Fates(
        tuple(
            Column(name, list(items), kind)
            for (name, kind), items in zip(kinds.items(), columns, strict=True)
        )
    )


def _texts(names: list[Any]) -> list[str]:
    """Return names as texts that do not break the line."""
    return [one_line(text_of(name)) for name in names]


def _parts(matches: list[str], shared: list[int], n_outliers: int, size: int) -> Iterator[str]:
    """Yield where the parts of a cluster are, and which share of the cluster each is."""
    for name, n in islice(zip(matches, shared, strict=True), MOST):
        yield f"{name} ({percentage(n, size)})"
    if len(matches) > MOST:
        rest = percentage(sum(shared[MOST:]), size)
        yield f"{quantity(len(matches) - MOST, 'other cluster')} ({rest})"
    if n_outliers:
        yield f"outliers ({percentage(n_outliers, size)})"


def percentage(part: int, whole: int) -> str:
    """Return a share as a percentage without decimals; 0 % and 100 % only if it is exact.

    Examples
    --------
    >>> percentage(1, 3), percentage(1, 1000), percentage(999, 1000), percentage(3, 3)
    ('33 %', '<1 %', '>99 %', '100 %')
    """
    if 0 < 200 * part <= whole:
        return "<1 %"
    if 0 < 200 * (whole - part) <= whole:
        return ">99 %"
    return f"{round(100 * part / whole)} %"
