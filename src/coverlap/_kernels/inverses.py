"""Matrices of different sizes, one after another in one array, and their inverses.

All are symmetric and positive definite, so they are inverted in place and without pivoting. LAPACK
is not used, because here the result is the same to the bit for any number of threads, and because
LAPACK's own threads take a hundred times as long on a busy machine.
"""

from typing import Any

import numpy as np

from coverlap._kernels._jit import Array, U
from coverlap._kernels._jit import heavy_kernel as kernel

BLOCK = 32
"""Rows eliminated at a time: in larger blocks, large matrices leave the cache less often."""


@kernel
def assemble(component: int, side: Any, alpha: float, start: int, width: int) -> None:
    """Write D - alpha B of a component into ``side.inverses``, which is 0 so far.

    D holds the sizes of the clusters, and B the sums of weight / number of clusters over the
    patterns that two clusters share.
    """
    out, base = side.inverses, U(side.first_cluster[component])
    for row in range(U(side.first_row[component]), U(side.first_row[component + U(1)])):
        pattern = U(side.rows[row])
        first, last = U(side.bounds[pattern]), U(side.bounds[pattern + U(1)])
        share = alpha * (side.weights[pattern] / float(last - first))
        for place in range(first, last):
            line = start + U(side.members[place]) * width
            for other in range(first, last):
                out[line + U(side.members[other])] -= share
    for cluster in range(width):
        out[start + cluster * (width + U(1))] += side.sizes[base + cluster]


@kernel
def pivot(matrix: Array, start: int, width: int, row: int, first: int, last: int) -> None:
    """Eliminate one row from a range of rows; the inverse replaces the entries that become 0."""
    own = start + row * width
    factor = 1.0 / matrix[own + row]
    matrix[own + row] = 1.0
    for column in range(width):
        matrix[own + column] *= factor
    for other in range(first, last):
        if other != row:
            line = start + other * width
            factor = matrix[line + row]
            matrix[line + row] = 0.0
            for column in range(width):
                matrix[line + column] -= factor * matrix[own + column]


@kernel
def subtract(
    matrix: Array, line: int, own: int, width: int, a: float, b: float, c: float, d: float
) -> None:
    """Subtract multiples of four rows from another row, in one pass."""
    second, third, fourth = own + width, own + U(2) * width, own + U(3) * width
    for i in range(width):
        one = a * matrix[own + i] + b * matrix[second + i]
        other = c * matrix[third + i] + d * matrix[fourth + i]
        matrix[line + i] -= one + other


@kernel
def eliminate(
    matrix: Array, line: int, own: int, width: int, first: int, last: int, factors: Array
) -> None:
    """Eliminate a range of rows, which begin at ``own``, from the row at ``line``."""
    for i in range(first, last):
        factors[i - first] = matrix[line + i]
        matrix[line + i] = 0.0
    i, count = U(0), last - first
    while i + U(4) <= count:
        a, b = factors[i], factors[i + U(1)]
        c, d = factors[i + U(2)], factors[i + U(3)]
        subtract(matrix, line, own + i * width, width, a, b, c, d)
        i += U(4)
    while i < count:
        for column in range(width):
            matrix[line + column] -= factors[i] * matrix[own + i * width + column]
        i += U(1)


@kernel
def invert(matrix: Array, start: int, width: int, factors: Array) -> None:
    """Invert one matrix by Gauss-Jordan elimination, a block of rows at a time."""
    first = U(0)
    while first < width:
        last = min(first + U(BLOCK), width)
        for row in range(first, last):
            pivot(matrix, start, width, row, first, last)
        own = start + first * width
        for row in range(width):
            if row < first or row >= last:
                eliminate(matrix, start + row * width, own, width, first, last, factors)
        first = last


@kernel
def invert_all(thread: int, n_threads: int, components: Array, side: Any, alpha: float) -> None:
    """Write alpha (1 - alpha) (D - alpha B)^-1 of every ``n_threads``-th component.

    ``side`` is a `coverlap.measures.ecs.components.Components`.
    """
    factors = np.empty(BLOCK, np.float64)
    factor = alpha * (1 - alpha)
    for i in range(U(thread), U(components.shape[0]), U(n_threads)):
        component = U(components[i])
        start, base = U(side.offsets[component]), U(side.first_cluster[component])
        width = U(side.first_cluster[component + U(1)]) - base
        assemble(component, side, alpha, start, width)
        invert(side.inverses, start, width, factors)
        for place in range(start, start + width * width):
            side.inverses[place] *= factor
