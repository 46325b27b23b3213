"""Matching clusters by the weights of the objects that they share.

Every float is an integer times a power of two. So all weights are integers in the largest unit that
is a power of two, and these are summed exactly: no order of objects, clusters or threads changes a
result, and weights that are scaled by a power of two are the same integers.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.align import Pair
from coverlap.core.incidence import Runs, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.threads import Workers
from coverlap.counting.contingency import Contingency
from coverlap.counting.matching import Matching, Side, SimilarityFormula
from coverlap.counting.memory.covers import CELLS, Cells, Transposed, keep_best, transpose
from coverlap.counting.memory.workspace import team_for

Column = NDArray[np.int64]
Mask = NDArray[np.bool_]

PIECE = 32
"""Bits of a piece of a weight; sums of fewer than 2**31 pieces are exact as 64-bit integers."""

MOST_BITS = 62
"""Weights whose sums have no more bits than this need not be split into pieces."""

FEW_BITS = 37
"""Sums of no more bits than this are exact in all kernels; larger ones are Python's integers."""


class Units(NamedTuple):
    """Weights as integers in units of 2**exponent, each split into pieces of 32 bits if large."""

    columns: list[Column]
    exponent: int
    large: bool

    def joined(self, sums: list[Any]) -> Any:
        """Return exact sums, given those of each piece."""
        if not self.large:
            return sums[0]
        parts = (np.asarray(part).astype(object) for part in sums)
        return sum(part << (PIECE * i) for i, part in enumerate(parts))

    def total(self, mask: Mask | None = None) -> int:
        """Return the sum of all weights, or of those of the marked objects."""
        marked = slice(None) if mask is None else mask
        return int(self.joined([column[marked].sum() for column in self.columns]))

    def sizes(self, runs: Runs) -> NDArray[Any]:
        """Return the sum of the weights of the members of each run; no run is empty."""
        if len(runs.pointers) == 1:
            return np.empty(0, object if self.large else np.int64)
        begins, members = runs.pointers[:-1], runs.members
        sums = [np.add.reduceat(column[members], begins) for column in self.columns]
        return np.asarray(self.joined(sums))


def units_of(pair: Pair) -> Units:
    """Return the weights of the objects of a pair as integers."""
    weights = np.asarray(pair.weights)
    numbers, exponents = weights, np.zeros(len(weights), np.int64)
    if weights.dtype != np.int64:
        fractions, exponents = np.frexp(weights)
        numbers, exponents = np.ldexp(fractions, 53).astype(np.int64), exponents - 53
    n_zeros = _n_bits(numbers & -numbers) - 1
    numbers, exponents = numbers >> n_zeros, exponents + n_zeros
    exponent = int(exponents.min()) if len(weights) else 0
    shifts = exponents - exponent
    n_bits = int((_n_bits(numbers) + shifts).max(initial=1))
    n_summands = max(len(weights), pair.left.n_memberships, pair.right.n_memberships)
    of_sums = n_bits + n_summands.bit_length()
    if of_sums <= MOST_BITS:
        return Units([frozen(numbers << shifts)], exponent, of_sums > FEW_BITS)
    pieces = [_piece(numbers, shifts - low) for low in range(0, n_bits, PIECE)]
    return Units(pieces, exponent, large=True)


def _n_bits(numbers: Column) -> NDArray[np.int64]:
    """Return the number of bits of each number; rounded up, so it may be 1 too many."""
    return np.frexp(numbers.astype(np.float64))[1].astype(np.int64)


def _piece(numbers: Column, shifts: NDArray[np.int64]) -> Column:
    """Return the lowest 32 bits of numbers that are shifted to the left, or else to the right."""
    lowest = 2**PIECE - 1
    to_right, to_left = np.clip(-shifts, 0, 63), np.clip(shifts, 0, PIECE)
    return frozen((((numbers >> to_right) & lowest) << to_left) & lowest)


def match_weighted(pair: Pair, form: SimilarityFormula, team: Workers) -> Matching:
    """Find the best match of every cluster by the sums of weights."""
    units, left, right = units_of(pair), pair.left.runs, pair.right.runs
    sizes = units.sizes(left), units.sizes(right)
    bests = tuple(
        (np.zeros(len(own), np.int64), np.zeros_like(own), np.zeros(len(own))) for own in sizes
    )
    for lefts, rights, shared in _list_cells(units, left, transpose(right, pair.objects.n, team)):
        own, other = sizes[0][lefts], sizes[1][rights]
        forth = form.of_arrays(shared, own, other)
        back = forth if form.symmetric else form.of_arrays(shared, other, own)
        keep_best(bests[0], lefts, rights, shared, forth)
        keep_best(bests[1], rights, lefts, shared, back)
    sides = [
        Side(own, np.where(shared > 0, match, -1), shared, similarity)
        for own, (match, shared, similarity) in zip(sizes, bests, strict=True)
    ]
    outliers = pair.left.outlier_mask(), pair.right.outlier_mask()
    totals = map(units.total, (None, *outliers, outliers[0] & outliers[1]))
    return Matching(sides[0], sides[1], *totals)


def _list_cells(units: Units, left: Runs, right: Transposed) -> Iterator[Cells]:
    """Yield the pairs of clusters that share objects, with sums of weights, in chunks."""
    begin, n_left = 0, len(left.pointers) - 1
    while begin < n_left:
        chunks = [_list_chunk(begin, left, right, column) for column in units.columns]
        begin, (lefts, rights, _) = chunks[0]
        yield Cells(lefts, rights, units.joined([chunk.shared for _, chunk in chunks]))


def _list_chunk(begin: int, left: Runs, right: Transposed, column: Column) -> tuple[int, Cells]:
    """Return the first left cluster after a chunk, and its cells, which no weight changes."""
    n_left, n_right = len(left.pointers) - 1, right.n_clusters
    length = max(n_right, min(CELLS, (n_left - begin) * n_right))
    cells = Cells(*(np.empty(length, np.int64) for _ in range(3)))
    end, n_cells = _kernels.weighted.add_shared(
        begin, n_left, *left, frozen(right.ends), frozen(right.clusters), column,
        np.full(n_right, -1), *cells,
    )  # fmt: skip
    return int(end), Cells(*(part[:n_cells] for part in cells))


def weighted_contingency(pair: Pair) -> Contingency:
    """Return the weights of the objects that left clusters share with right ones."""
    units, left, right = units_of(pair), pair.left.runs, pair.right.runs
    with team_for(pair, None) as team:
        chunks = list(_list_cells(units, left, transpose(right, pair.objects.n, team)))
    nothing = Cells(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64))
    rows, columns, shared = (np.concatenate(part) for part in zip(nothing, *chunks, strict=True))
    n_cells = np.bincount(rows, minlength=len(left.pointers) - 1)
    pointers = np.concatenate(([0], np.cumsum(n_cells)))
    shared, *sizes = (
        _given(part, units.exponent, pair)
        for part in (shared, units.sizes(left), units.sizes(right))
    )
    return Contingency(pointers, columns, shared, sizes[0], sizes[1], pair.n_objects)


def weigh_members(pair: Pair, side: Memberships, mask: Mask) -> NDArray[Any]:
    """Return the weight of the marked members of each cluster of one side."""
    units = units_of(pair)
    marked = units._replace(columns=[np.where(mask, column, 0) for column in units.columns])
    return _given(marked.sizes(side.runs), units.exponent, pair)


def in_given_unit(matching: Matching, pair: Pair) -> Matching:
    """Return a matching whose sums of weights are in the unit of the user, each rounded once.

    They are integers if the weights are, and floats otherwise.
    """
    if pair.weights is None:
        return matching
    exponent = units_of(pair).exponent
    left, right = (
        side._replace(
            sizes=_given(side.sizes, exponent, pair), shared=_given(side.shared, exponent, pair)
        )
        for side in matching[:2]
    )
    totals = np.array(matching[2:], object)
    return Matching(left, right, *_given(totals, exponent, pair).tolist())


def _given(sums: NDArray[Any], exponent: int, pair: Pair) -> NDArray[Any]:
    """Return sums in units of 2**exponent as integers or floats, as the weights are."""
    if pair.weights is None or pair.weights.dtype == np.int64:
        return (sums << exponent).astype(np.int64)
    if sums.dtype != object:
        return np.ldexp(sums.astype(np.float64), exponent)
    up, down = 1 << max(exponent, 0), 1 << max(-exponent, 0)
    return np.array([number * up / down for number in sums.tolist()], np.float64)
