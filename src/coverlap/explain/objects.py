"""What became of each object: where it was, where it is, whether it moved, and what it costs."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import frozen, narrowest
from coverlap.core.threads import workers_for
from coverlap.counting.matching import Side
from coverlap.explain.difference import ByObject, Difference, moved_memberships
from coverlap.explain.losses import Costs, Floats, LossRows

Rows = tuple[LossRows, LossRows]


class Clusters(NamedTuple):
    """The clusters of each object: one each, -1 for outliers, or runs of them if they overlap."""

    codes: NDArray[Any]
    pointers: NDArray[Any] | None = None

    def found(self) -> NDArray[np.bool_]:
        """Return whether each object has a cluster."""
        n = self.codes + 1 if self.pointers is None else np.diff(self.pointers)
        return np.asarray(n > 0)


class Moves(NamedTuple):
    """The clusters of each object on both sides, those that it moved from and to, and its loss."""

    left: Clusters
    right: Clusters
    moved_from: Clusters
    moved_to: Clusters
    loss: Floats


def follow_objects(difference: Difference, rows: Rows, sides: tuple[ByObject, ByObject]) -> Moves:
    """Return the clusters, moves and losses of objects.

    ``sides`` has all objects or some of them. The sum of the losses of all is 1 - score.
    """
    moves = _follow(difference, rows, sides)
    weights = difference.weights
    return moves if weights is None else moves._replace(loss=moves.loss * weights)


def _follow(difference: Difference, rows: Rows, sides: tuple[ByObject, ByObject]) -> Moves:
    """Return the clusters and moves of objects, and what each costs for each unit of weight."""
    if not difference.has_overlaps:
        return _follow_numbers(difference, rows, sides)
    left, right = sides
    moved_left, moved_right = moved_memberships(sides, difference.partners)
    return Moves(
        _clusters(left), _clusters(right), _clusters(left, moved_left),
        _clusters(right, moved_right), _losses(difference, rows, sides),
    )  # fmt: skip


def _clusters(side: ByObject, chosen: NDArray[np.bool_] | None = None) -> Clusters:
    """Return the clusters of each object, or only those of the chosen memberships."""
    if side.has_overlaps:
        pointers, clusters = side.by_object
        if chosen is not None:
            pointers = np.concatenate(([0], np.cumsum(chosen)))[pointers]
            clusters = clusters[chosen]
        return Clusters(clusters, pointers)
    codes: NDArray[Any] = side.numbers.astype(narrowest(side.n_clusters)) - 1
    if chosen is not None:
        inside = codes >= 0
        codes[inside] = np.where(chosen, codes[inside], -1)
    return Clusters(codes)


def _losses(difference: Difference, rows: Rows, sides: tuple[ByObject, ByObject]) -> Floats:
    """Return the loss of each object."""
    left, right = sides
    in_left, in_right = ~left.outlier_mask(), ~right.outlier_mask()
    only_left, only_right = _costs_of_one_side(difference, rows)
    losses = np.where(in_left & ~in_right, only_left, 0.0)
    losses[in_right & ~in_left] = only_right
    matching = difference.matching
    one = left.by_object, matching.left, rows[0].clusters
    other = right.by_object, matching.right, rows[1].clusters
    for (own, side, costs), (seeking, seekers, their_costs) in ((one, other), (other, one)):
        arrays = (side.match, costs.own, *_sought(seekers, their_costs, len(side.match)))
        with workers_for(len(own.members) + len(seeking.members)) as team:
            team.run(
                _kernels.moves.add_losses, *team.ranges(len(losses)), *own, *map(frozen, arrays),
                *seeking, frozen(seekers.match), frozen(their_costs.other), losses,
            )  # fmt: skip
    return losses


def _costs_of_one_side(difference: Difference, rows: Rows) -> tuple[float, float]:
    """Return what objects that are in left clusters only cost the outliers; and in right ones."""
    left, right = rows
    n_left, n_right = _n_members(difference)
    only_left = left.outliers.other[0] + right.outliers.own[0]
    only_right = left.outliers.own[0] + right.outliers.other[0]
    return (
        float(only_left + right.without_clusters / (n_left or 1)),
        float(only_right + left.without_clusters / (n_right or 1)),
    )


def _n_members(difference: Difference) -> tuple[float, float]:
    """Return the number or weight of the objects in left clusters, and in right ones."""
    matching, weights = difference.matching, difference.weights
    if weights is None:
        n_objects = matching.n_objects
        return n_objects - matching.n_left_outliers, n_objects - matching.n_right_outliers
    # A difference of rounded sums would be wrong if nearly all weight is on outliers.
    left, right = difference.pair.left.outlier_mask(), difference.pair.right.outlier_mask()
    return float(weights[~left].sum()), float(weights[~right].sum())


def _sought(seekers: Side, costs: Costs, n_clusters: int) -> tuple[Floats, NDArray[np.int64]]:
    """Return what the clusters that have each cluster as match put on it, and their number."""
    found = seekers.match >= 0
    match = seekers.match[found]
    sums = np.bincount(match, costs.other[found], minlength=n_clusters)
    return sums.astype(np.float64), np.bincount(match, minlength=n_clusters)


def _follow_numbers(difference: Difference, rows: Rows, sides: tuple[ByObject, ByObject]) -> Moves:
    """Return what `follow_objects` does if no clusters overlap, by the number of each cluster."""
    matching, partners = difference.matching, difference.partners
    left, right = (side.numbers for side in sides)
    one, other = rows[0].clusters, rows[1].clusters
    left_tables = _tables(matching.left, partners.left, one, matching.right, other)
    right_tables = _tables(matching.right, partners.right, other, matching.left, one)
    only_left, only_right = _costs_of_one_side(difference, rows)
    losses = np.zeros(len(left))
    moved = []
    with workers_for(len(left)) as team:
        for numbers, tables, cost in (
            ((left, right), (*left_tables, *right_tables), only_left),
            ((right, left), (*right_tables, *left_tables), only_right),
        ):
            moved.append(Clusters(np.empty(len(left), narrowest(len(tables[0])))))
            team.run(
                _kernels.moves.follow_numbers, *team.ranges(len(left)), *numbers, *tables, cost,
                moved[-1].codes, losses,
            )  # fmt: skip
    moved_from, moved_to = moved
    return Moves(_clusters(sides[0]), _clusters(sides[1]), moved_from, moved_to, losses)


def _tables(
    own: Side, partner: NDArray[np.int64], costs: Costs, other: Side, their_costs: Costs
) -> tuple[NDArray[Any], Floats]:
    """Return the matches and the costs of each number; see the kernel `follow_numbers`."""
    nobody = len(other.sizes) + 1
    sought, n_sought = _sought(other, their_costs, len(own.sizes))
    matches = np.zeros((len(own.sizes) + 1, 3), narrowest(max(nobody, len(own.sizes)) + 1))
    matches[1:, 0] = np.where(own.match < 0, nobody, own.match + 1)
    matches[1:, 1] = np.where(partner < 0, nobody, partner + 1)
    matches[1:, 2] = n_sought
    table = np.zeros((len(own.sizes) + 1, 3))
    table[1:, 0], table[1:, 1], table[1:, 2] = costs.own, sought, costs.other
    return frozen(matches), frozen(table)
