"""Entropies of partitions, and the mutual information expected by chance.

Sums must not depend on the order of clusters or on the number of threads. Therefore each term is
split into two integers, in units of 2**-56 and 2**-86, and these are added up. All sums here are
entropies, below log(2**63) < 64, so they fit; the truncation error of a term is below 2**-86.
"""

from math import floor, log, log1p

from coverlap._kernels._jit import Array, I, U
from coverlap._kernels._jit import heavy_kernel as kernel

HIGH = 2.0**56
LOW = 2.0**30

NEGLIGIBLE = 1e-22
"""Where the tail of a distribution is truncated, as a share of the sum so far."""


@kernel
def add(sums: Array, row: int, value: float) -> None:
    """Add a value to a sum that is stored in two integers."""
    scaled = value * HIGH
    high = I(scaled)
    sums[row, 0] += high
    sums[row, 1] += I((scaled - float(high)) * LOW)


@kernel
def entropy(n_objects: int, sizes: Array, sums: Array, row: int) -> None:
    """Add up the entropy of a partition: size/n * log(n/size)."""
    n = float(n_objects)
    for i in range(U(sizes.shape[0])):
        size = I(sizes[i])
        add(sums, row, float(size) / n * log1p(float(n_objects - size) / float(size)))


@kernel
def cells(
    pointers: Array, columns: Array, shared: Array, left_sizes: Array, right_sizes: Array,
    n_objects: int, sums: Array,
) -> None:  # fmt: skip
    """Add up the mutual information and both conditional entropies.

    The sums run over the pairs of clusters that share objects. Conditional entropies are sums of
    positive terms, so they lose no digits, unlike differences of entropies.
    """
    n = float(n_objects)
    for i in range(U(pointers.shape[0] - 1)):
        own = float(left_sizes[i])
        for place in range(U(pointers[i]), U(pointers[i + U(1)])):
            count = float(shared[place])
            other = float(right_sizes[U(columns[place])])
            weight = count / n
            add(sums, 0, weight * log(n * count / (own * other)))
            if count < other:
                add(sums, 1, weight * log1p((other - count) / count))
            if count < own:
                add(sums, 2, weight * log1p((own - count) / count))


@kernel
def surplus(count: float, mean: float) -> float:
    """Return count * log(count/mean) - count + mean, which is never negative.

    The logarithm is that of 1 + excess, corrected for the rounding of that sum; log1p does the same
    in twice the time. The rounding error of the excess itself cancels.
    """
    if count == 0.0:
        return mean
    excess = (count - mean) / mean
    ratio = 1.0 + excess
    if ratio == 1.0:
        return 0.0
    return max(count * (log(ratio) * (excess / (ratio - 1.0))) - mean * excess, 0.0)


@kernel
def expected_of(a: float, b: float, n: float) -> float:
    """Return the expectation of k * log(k * n / (a * b)) for k objects shared by chance.

    k has a hypergeometric distribution: the number of objects among a, if b of n are drawn. Its
    mean is m = a * b / n, so the expectations of k * log(k/m) and of the `surplus` are equal; the
    terms of the latter are all positive, so no digits cancel. They are summed from the mode in both
    directions, as far as they are not negligible. Each probability is computed from the previous
    one, relative to that of the mode, and the result is divided by their sum.
    """
    mean = a * b / n
    least = max(0.0, a + b - n)
    most = min(a, b)
    mode = min(max(float(floor((a + 1.0) * (b + 1.0) / (n + 2.0))), least), most)
    outside = n - a - b
    total = 1.0
    value = surplus(mode, mean)
    chance, k = 1.0, mode
    while k < most:
        chance *= (a - k) * (b - k) / ((k + 1.0) * (outside + k + 1.0))
        k += 1.0
        weight = surplus(k, mean)
        total += chance
        value += chance * weight
        if chance * (1.0 + weight) < NEGLIGIBLE * min(total, value):
            break
    chance, k = 1.0, mode
    while k > least:
        chance *= k * (outside + k) / ((a - k + 1.0) * (b - k + 1.0))
        k -= 1.0
        weight = surplus(k, mean)
        total += chance
        value += chance * weight
        if chance * (1.0 + weight) < NEGLIGIBLE * min(total, value):
            break
    return value / total


@kernel
def expected(
    first: int, step: int, sizes: Array, left: Array, right: Array, n_objects: int, sums: Array
) -> None:
    """Add up the expected mutual information over pairs of sizes.

    ``left`` and ``right`` are the numbers of clusters of each size. A pair of sizes is visited
    once, for both orders. Each thread takes every ``step``-th size.
    """
    n = float(n_objects)
    for i in range(U(first), U(sizes.shape[0]), U(step)):
        for j in range(i, U(sizes.shape[0])):
            pairs = float(left[i]) * float(right[j])
            if i != j:
                pairs += float(left[j]) * float(right[i])
            if pairs > 0.0:
                add(sums, 0, pairs * expected_of(float(sizes[i]), float(sizes[j]), n) / n)
