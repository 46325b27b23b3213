"""Conditional entropies of each cluster of one side, given a cluster of the other side.

All entropies here are in nats and multiplied by the number of objects, so they are sums of terms
``count * log(whole / count)``. These are computed as ``count * log1p(rest / count)``, which loses
no digits, neither for counts close to the whole nor for counts close to 0.

A pair of clusters divides the objects into four parts: ``shared``, ``own`` (only in the first
cluster), ``other`` (only in the second) and the ``rest``. It is informative only if
h(rest) + h(shared) > h(own) + h(other). Most pairs are not, so this is looked up in tables, and
logarithms are computed only for informative pairs.
"""

from math import log1p

import numpy as np
from numpy.typing import NDArray

from coverlap._kernels._jit import Array, I, U
from coverlap._kernels._jit import heavy_kernel as kernel

Tables = tuple[NDArray[np.float64], NDArray[np.float64]]

MARGIN = 16 * 2.0**-52
"""Sums of entropies that differ by less than this share of their total count as equal. Each entropy
has an error of at most 4 units in the last place (a ratio, a log1p, a product), and their sums add
2."""


@kernel
def part(count: int, rest: int) -> float:
    """Return the contribution of a part to the entropy: count * log(whole / count)."""
    if count == 0:
        return 0.0
    return float(count) * log1p(float(rest) / float(count))


@kernel
def tabulate(n_objects: int, low: Array, high: Array) -> None:
    """Tabulate h(count) by the count, and by the number of other objects."""
    for count in range(low.shape[0]):
        low[count] = part(I(count), n_objects - I(count))
    for left_over in range(high.shape[0]):
        high[left_over] = part(n_objects - I(left_over), I(left_over))


@kernel
def cluster_entropies(n_objects: int, sizes: Array, entropies: Array) -> None:
    """Write the entropy of each cluster."""
    for i in range(U(sizes.shape[0])):
        size = I(sizes[i])
        entropies[i] = part(size, n_objects - size) + part(n_objects - size, size)


@kernel
def is_informative(
    n_objects: int, shared: int, own: int, other: int, low: Array, high: Array
) -> bool:
    """Return whether a pair is informative by more than rounding can explain."""
    union = shared + own + other
    rest = n_objects - union
    of_shared = low[U(shared)] if shared < low.shape[0] else part(shared, n_objects - shared)
    of_own = low[U(own)] if own < low.shape[0] else part(own, n_objects - own)
    of_other = low[U(other)] if other < low.shape[0] else part(other, n_objects - other)
    of_rest = high[U(union)] if union < high.shape[0] else part(rest, union)
    alike = of_rest + of_shared
    apart = of_own + of_other
    return alike > apart + MARGIN * (alike + apart)


@kernel
def conditional(n_objects: int, shared: int, own: int, other: int) -> float:
    """Return the conditional entropy of the first cluster given the second."""
    rest = n_objects - shared - own - other
    inside = part(shared, other) + part(other, shared)
    return inside + (part(own, rest) + part(rest, own))


@kernel
def lower_entropies(
    n_objects: int, i: int, j: int, shared: int, own: int, other: int, left: Array, right: Array
) -> None:
    """Lower the least conditional entropies of two clusters that are an informative pair."""
    left[i] = min(left[i], conditional(n_objects, shared, own, other))
    right[j] = min(right[j], conditional(n_objects, shared, other, own))


@kernel
def compare_sharing(
    pointers: Array, columns: Array, shared: Array, left_sizes: Array, right_sizes: Array,
    n_objects: int, tables: Tables, least: tuple[Array, Array],
) -> None:  # fmt: skip
    """Compare all pairs of clusters that share objects.

    ``least`` holds the entropy of each cluster at first, and afterwards its least conditional
    entropy given one cluster of the other side.
    """
    low, high = tables
    left, right = least
    for i in range(U(pointers.shape[0] - 1)):
        size = I(left_sizes[i])
        for place in range(U(pointers[i]), U(pointers[i + U(1)])):
            j, both = U(columns[place]), I(shared[place])
            own, other = size - both, I(right_sizes[j]) - both
            if is_informative(n_objects, both, own, other, low, high):
                lower_entropies(n_objects, i, j, both, own, other, left, right)


@kernel
def compare_disjoint(
    pointers: Array, columns: Array, large: Array, left_sizes: Array, right_sizes: Array,
    n_objects: int, tables: Tables, least: tuple[Array, Array], seen: Array,
) -> None:  # fmt: skip
    """Compare the pairs of clusters that share nothing, if one holds more than half of all objects.

    ``large`` lists such right clusters; a left one is compared with all right clusters. ``seen`` is
    scratch, zeros at first: the last left cluster that each right one shares objects with.
    """
    low, high = tables
    left, right = least
    for i in range(U(pointers.shape[0] - 1)):
        for place in range(U(pointers[i]), U(pointers[i + U(1)])):
            seen[U(columns[place])] = i + U(1)
        own = I(left_sizes[i])
        is_large = own > n_objects // 2
        for k in range(U(right_sizes.shape[0] if is_large else large.shape[0])):
            j = k if is_large else U(large[k])
            if seen[j] == i + U(1):
                continue
            other = I(right_sizes[j])
            if is_informative(n_objects, I(0), own, other, low, high):
                lower_entropies(n_objects, i, j, I(0), own, other, left, right)
