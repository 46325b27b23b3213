"""The expected similarity of a random set of objects to its best match among disjoint clusters.

c of n objects are drawn at random. The numbers X_b that fall into disjoint clusters of b objects
are independent binomial numbers with p = c/n, given that their sum S is c. So the chance that no
similarity exceeds a level is P(all X_b <= t_b, S = c) / P(S = c), and the numerator is a Fourier
sum over a product of one factor for each cluster. From one level to the next only the factors of
one size change, and a tree of products makes each change cheap. docs/theory.md derives bounds of
the errors; each kind of error is at most `TOLERANCE`.
"""

from functools import partial
from math import atan2, cos, exp, floor, inf, log, log1p, pi, sin, sqrt

import numpy as np

from coverlap._kernels import _jit
from coverlap._kernels._jit import Array, I, U
from coverlap._kernels._jit import heavy_kernel as kernel

TOLERANCE = 1e-14
"""Bound of each kind of neglected probability."""

NEGLIGIBLE = 1e-22
"""Where the tail of a hypergeometric distribution is cut off, as a share of the mode."""

FEW = 64
"""Powers up to this one are multiplied out; others are computed by a logarithm."""

HALVINGS = 24
"""How often the range of levels is halved to find the first and the last one to visit."""


@kernel
def similarity(shared: float, own: float, other: float, form: Array) -> float:
    """Return the similarity of two clusters; see `SimilarityFormula`."""
    return form[3] * shared / (form[0] * own + form[1] * other + form[2] * shared)


@kernel
def most_shared(level: float, own: float, other: float, form: Array) -> float:
    """Return the largest number of shared objects whose similarity is at most a level."""
    below = form[3] - form[2] * level
    count = floor(level * (form[0] * own + form[1] * other) / below)
    while count > 0.0 and similarity(count, own, other, form) > level:
        count -= 1.0
    while similarity(count + 1.0, own, other, form) <= level:
        count += 1.0
    return count


@kernel
def binomial(b: float, odds: float, mode: float, least: float) -> tuple[float, float, float]:
    """Return the first and the last number of importance, and their total weight.

    Weights are probabilities divided by that of the mode. The weights beyond either end are at most
    ``least`` in all.
    """
    total = 1.0
    weight, first = 1.0, mode
    while first > 0.0:
        ratio = first / ((b - first + 1.0) * odds)
        if ratio < 1.0 and weight * ratio < least * (1.0 - ratio):
            break
        weight *= ratio
        first -= 1.0
        total += weight
    weight, last = 1.0, mode
    while last < b:
        ratio = (b - last) * odds / (last + 1.0)
        if ratio < 1.0 and weight * ratio < least * (1.0 - ratio):
            break
        weight *= ratio
        last += 1.0
        total += weight
    return first, last, total


@kernel
def write_binomial(
    b: float, odds: float, mode: float, first: float, last: float, most: float, total: float,
    chances: Array, tails: Array, logs: Array,
) -> None:  # fmt: skip
    """Write P(X = k), P(X > k) and log P(X <= k) for the numbers k from the first to ``most``."""
    at_mode = I(mode - first)
    chances[at_mode] = 1.0 / total
    for i in range(at_mode - 1, -1, -1):
        k = first + float(i) + 1.0
        chances[i] = chances[i + 1] * k / ((b - k + 1.0) * odds)
    for i in range(at_mode + 1, chances.shape[0]):
        k = first + float(i)
        chances[i] = chances[i - 1] * (b - k + 1.0) * odds / k
    chance, k, beyond = chances[chances.shape[0] - 1], most, 0.0
    while k < last:
        k += 1.0
        chance *= (b - k + 1.0) * odds / k
        beyond += chance
    for i in range(chances.shape[0] - 1, -1, -1):
        tails[i] = beyond
        beyond += chances[i]
    below = 0.0
    for i in range(chances.shape[0]):
        below += chances[i]
        logs[i] = log1p(-tails[i]) if tails[i] < 0.5 else log(below)


@kernel
def crossing(
    low: float, last: bool, least: float, own: float, sizes: Array, numbers: Array, firsts: Array,
    pointers: Array, tails: Array, logs: Array, form: Array,
) -> tuple[float, float]:  # fmt: skip
    """Return two levels, close together, between which a probability crosses ``least``.

    It is the product of P(X_b <= t_b), or, for the ``last`` level to visit, the sum of P(X_b > t_b)
    without numbers above those in the tables.
    """
    high = 1.0
    for _ in range(HALVINGS):
        level = (low + high) / 2.0
        below, above = 0.0, 0.0
        for j in range(sizes.shape[0]):
            first, end = pointers[j], pointers[j + 1] - 1
            place = first + I(most_shared(level, own, float(sizes[j]), form) - firsts[j])
            if place < first:
                below, above = -inf, inf
            elif place < end:
                below += float(numbers[j]) * logs[place]
                above += float(numbers[j]) * (tails[place] - tails[end])
            else:
                below += float(numbers[j]) * logs[end]
        if (above > least) if last else (below <= log(least)):
            low = level
        else:
            high = level
    return low, high


@kernel
def tail(n: float, c: float, k: float) -> float:
    """Return Chernoff's bound of the probability of k or a number farther from the mean c."""
    if k < 0.0 or k > n:
        return 0.0
    total = 0.0
    if k > 0.0:
        total += k * log(k / c)
    if k < n:
        total += (n - k) * log((n - k) / (n - c))
    return exp(-total)


@kernel
def aliasing_period(n: float, c: float, least: float) -> float:
    """Return N so that P(S = c + N, c - N, c + 2N, ...) is at most ``least``, by Chernoff."""
    low, high = 0.0, max(c, n - c) + 1.0
    while high - low > 1.0:
        middle = floor((low + high) / 2.0)
        if tail(n, c, c + middle) + tail(n, c, c - middle) <= least:
            high = middle
        else:
            low = middle
    return high


@kernel
def sine_defect(x: float) -> float:
    """Return x - sin(x)."""
    if x > 1.0:
        return x - sin(x)
    term = x * x * x / 6.0
    total, k = term, 3.0
    while term > 1e-18 * total:
        k += 2.0
        term *= x * x / (k * (k - 1.0))
        total += term if k % 4.0 == 3.0 else -term
    return total


@kernel
def log_factor(p: float, angle: float) -> tuple[float, float]:
    """Return log|z| and arg z of z = E exp(i angle (X - p)) where X is 1 with probability p."""
    half = sin(angle / 2.0)
    q = 1.0 - p
    size = log1p(-4.0 * p * q * half * half) / 2.0 if angle < pi or p != 0.5 else -inf
    imaginary = q * sine_defect(p * angle) - p * sine_defect(q * angle)
    return size, atan2(imaginary, p * cos(q * angle) + q * cos(p * angle))


@kernel
def log_bound(
    angle: float, places: Array, starts: Array, numbers: Array, pointers: Array, pmf: Array
) -> float:
    """Return the log of a bound of all products of truncated factors, at this and larger angles.

    Neighbouring terms of a factor are paired, and the sum of p and p' exp(i angle) is at most
    sqrt((p + p')^2 - 4 p p' sin^2(angle / 2)). Another bound is max(p) / sin(angle / 2), because
    the terms increase up to the mode and decrease after it.
    """
    half = sin(angle / 2.0)
    total = 0.0
    for place in range(places.shape[0]):
        j = places[place]
        paired, largest, most = 0.0, 0.0, 0.0
        for i in range(pointers[j], pointers[j + 1]):
            largest = max(largest, pmf[i])
            alone = paired + pmf[i]
            if (i - pointers[j]) % 2:
                both = pmf[i] + pmf[i - 1]
                alone = paired + sqrt(
                    max(both * both - 4.0 * pmf[i] * pmf[i - 1] * half * half, 0.0)
                )
                paired = alone
            if i >= starts[place]:
                most = max(most, alone)
        total += float(numbers[j]) * log(min(most, largest / half))
    return total


@kernel
def roots_of_unity(period: int) -> Array:
    """Return cos x, sin x and 1 - cos x for all angles x of the Fourier sum."""
    roots = np.zeros((3, period))
    for i in range(period):
        x = 2.0 * pi * float(i) / float(period)
        roots[0, i], roots[1, i] = cos(x), sin(x)
        roots[2, i] = 2.0 * sin(x / 2.0) * sin(x / 2.0)
    return roots


@kernel
def start_factor(
    roots: Array, below: int, chances: Array, above: float, defect: Array, turn: Array
) -> None:
    """Write 1 - z for z = E[exp(i angle (X - mode)); X <= t], and the last term's exponential.

    ``chances`` are those of the numbers up to t, of which the first is ``below`` the mode by so
    much, and ``above`` is P(X > t). The difference from 1 is written because z is close to 1 if
    there are many clusters, and is raised to a power.
    """
    period = roots.shape[1]
    for a in range(defect.shape[1]):
        defect[0, a], defect[1, a] = above, 0.0
    for i in range(-1, chances.shape[0]):
        stride = (i - below) % period
        root = 0
        for a in range(defect.shape[1]):
            if i >= 0:
                defect[0, a] += chances[i] * roots[2, root]
                defect[1, a] -= chances[i] * roots[1, root]
            turn[0, a], turn[1, a] = roots[0, root], roots[1, root]
            root += stride
            if root >= period:
                root -= period


@kernel
def add_term(chance: float, roots: Array, defect: Array, turn: Array) -> None:
    """Let t grow by 1 in a factor: subtract the next term from 1 - z."""
    for a in range(defect.shape[1]):
        real = turn[0, a] * roots[0, a] - turn[1, a] * roots[1, a]
        imaginary = turn[0, a] * roots[1, a] + turn[1, a] * roots[0, a]
        turn[0, a], turn[1, a] = real, imaginary
        defect[0, a] -= chance * real
        defect[1, a] -= chance * imaginary


@kernel
def write_leaf(number: int, defect: Array, leaf: Array) -> None:
    """Write the power z ** number of a factor, given 1 - z."""
    if number > FEW:
        for a in range(U(leaf.shape[1])):
            x, y = defect[U(0), a], defect[U(1), a]
            size = exp(number * log1p(max(x * x + y * y - 2.0 * x, -1.0)) / 2.0)
            turn = number * atan2(-y, 1.0 - x)
            leaf[U(0), a], leaf[U(1), a] = size * cos(turn), size * sin(turn)
        return
    bit = 1
    while 2 * bit <= number:
        bit *= 2
    for a in range(U(leaf.shape[1])):
        leaf[U(0), a], leaf[U(1), a] = 1.0 - defect[U(0), a], -defect[U(1), a]
    while bit > 1:
        bit //= 2
        odd = 1.0 if number & bit else 0.0
        for a in range(U(leaf.shape[1])):
            x, y = leaf[U(0), a], leaf[U(1), a]
            real, imaginary = x * x - y * y, 2.0 * x * y
            x, y = odd * defect[U(0), a], odd * defect[U(1), a]
            leaf[U(0), a] = real - (real * x - imaginary * y)
            leaf[U(1), a] = imaginary - (real * y + imaginary * x)


@kernel
def multiply(tree: Array, node: int) -> None:
    """Write the product of the two nodes below a node of a tree of complex numbers."""
    left, right = node << U(1), (node << U(1)) | U(1)
    for a in range(U(tree.shape[2])):
        x, y = tree[left, U(0), a], tree[left, U(1), a]
        u, v = tree[right, U(0), a], tree[right, U(1), a]
        tree[node, U(0), a] = x * u - y * v
        tree[node, U(1), a] = x * v + y * u


@kernel
def sift(heap: Array, levels: Array, place: int, length: int) -> None:
    """Let the item at a place of a heap sink below those with smaller levels."""
    item = heap[place]
    while 2 * place + 1 < length:
        child = 2 * place + 1
        if child + 1 < length and levels[heap[child + 1]] < levels[heap[child]]:
            child += 1
        if levels[heap[child]] >= levels[item]:
            break
        heap[place] = heap[child]
        place = child
    heap[place] = item


@kernel
def integrate(
    low: float, high: float, c: float, sizes: Array, numbers: Array, modes: Array, firsts: Array,
    pointers: Array, chances: Array, tails: Array, places: Array, starts: Array, roots: Array,
    weights: Array, form: Array,
) -> float:  # fmt: skip
    """Return the integral of P(some similarity > level) from a low level to a high one.

    ``places`` are the sizes that matter between these levels, ``starts`` the places of their t in
    the tables at the low level, and ``weights`` the Fourier weights times the other factors.
    """
    n_angles, n_places = weights.shape[1], places.shape[0]
    width = 1
    while width < n_places:
        width *= 2
    tree = np.zeros((2 * width, 2, n_angles))
    defects = np.zeros((n_places, 2, n_angles))
    turns = np.zeros((n_places, 2, n_angles))
    counts, heap = np.zeros(n_places, np.int64), np.zeros(n_places, np.int64)
    levels = np.zeros(n_places)
    for i in range(width, 2 * width):
        for a in range(n_angles):
            tree[i, 0, a] = 1.0
    for i in range(n_places):
        j = places[i]
        counts[i], heap[i] = starts[i], i
        above = tails[counts[i]] if counts[i] >= pointers[j] else 1.0
        start_factor(
            roots, I(modes[j] - firsts[j]), chances[pointers[j] : counts[i] + 1], above,
            defects[i], turns[i],
        )  # fmt: skip
        write_leaf(numbers[j], defects[i], tree[width + i])
        k = firsts[j] + float(counts[i] + 1 - pointers[j])
        levels[i] = similarity(k, c, float(sizes[j]), form)
    for i in range(width - 1, 0, -1):
        multiply(tree, U(i))
    for i in range(n_places // 2 - 1, -1, -1):
        sift(heap, levels, i, n_places)
    value, level = 0.0, low
    while n_places > 0 and levels[heap[0]] <= high:
        i = heap[0]
        if levels[i] > level:
            below = 0.0
            for a in range(n_angles):
                below += tree[1, 0, a] * weights[0, a] - tree[1, 1, a] * weights[1, a]
            value += (levels[i] - level) * min(max(1.0 - below, 0.0), 1.0)
            level = levels[i]
        j = places[i]
        counts[i] += 1
        add_term(chances[counts[i]], roots, defects[i], turns[i])
        write_leaf(numbers[j], defects[i], tree[width + i])
        node = U(width + i) >> U(1)
        while node > U(0):
            multiply(tree, node)
            node >>= U(1)
        levels[i] = inf
        if counts[i] + 1 < pointers[j + 1]:
            k = firsts[j] + float(counts[i] + 1 - pointers[j])
            levels[i] = similarity(k, c, float(sizes[j]), form)
        sift(heap, levels, I(0), n_places)
    return value


@kernel
def tabulate(
    c: float, n: float, least: float, sizes: Array, numbers: Array, modes: Array, firsts: Array,
    pointers: Array,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Return tables of P(X = k), P(X > k) and log P(X <= k), one after another for all sizes.

    Those of size j begin at ``pointers[j]``, with the number ``firsts[j]``, and end with c or where
    the probabilities are negligible.
    """
    odds = c / (n - c)
    lasts, totals = np.zeros(sizes.shape[0]), np.zeros(sizes.shape[0])
    for j in range(sizes.shape[0]):
        b = float(sizes[j])
        modes[j] = min(floor((b + 1.0) * (c / n)), b, c)
        share = least / (float(numbers[j]) * float(sizes.shape[0]))
        firsts[j], lasts[j], totals[j] = binomial(b, odds, modes[j], share)
        pointers[j + 1] = pointers[j] + I(min(lasts[j], c) - firsts[j]) + 1
    length = pointers[sizes.shape[0]]
    chances, tails, logs = np.zeros(length), np.zeros(length), np.zeros(length)
    for j in range(sizes.shape[0]):
        begin, end = pointers[j], pointers[j + 1]
        write_binomial(
            float(sizes[j]), odds, modes[j], firsts[j], lasts[j], min(lasts[j], c), totals[j],
            chances[begin:end], tails[begin:end], logs[begin:end],
        )  # fmt: skip
    return chances, tails, logs


@kernel
def enough_angles(
    period: float, p: float, n_rest: float, least: float, places: Array, starts: Array,
    numbers: Array, pointers: Array, chances: Array,
) -> int:  # fmt: skip
    """Return the number of angles after which the products are at most ``least``."""
    low, high = 0, I(period) // 2 + 1
    while high - low > 1:
        middle = (low + high) // 2
        angle = 2.0 * pi * float(middle) / period
        bound = log_bound(angle, places, starts, numbers, pointers, chances)
        if bound + n_rest * log_factor(p, angle)[0] <= log(least):
            high = middle
        else:
            low = middle
    return high


@kernel
def stirling_error(k: float) -> float:
    """Return log k! minus Stirling's formula for it, the log of sqrt(2 pi k) (k / e) ** k.

    From 16 on, the first term left out of the series is below 2e-16, and bounds the error.
    """
    total = 0.0
    while k < 16.0:
        total += (k + 0.5) * log1p(1.0 / k) - 1.0
        k += 1.0
    x = 1.0 / (k * k)
    series = 1.0 / 12.0 - x * (1.0 / 360.0 - x * (1.0 / 1260.0 - x * (1.0 / 1680.0 - x / 1188.0)))
    return total + series / k


@kernel
def chance_of_mean(n: float, c: float) -> float:
    """Return the probability that a binomial number of n trials is its mean c, 0 < c < n."""
    error = stirling_error(n) - stirling_error(c) - stirling_error(n - c)
    return sqrt(n / (2.0 * pi * c * (n - c))) * exp(error)


@kernel
def fourier_weights(
    period: float, n: float, c: float, n_rest: float, shift: float, weights: Array
) -> None:
    """Write the weights of the products at all angles, divided by the probability that S = c.

    They include the factor of the ``n_rest`` objects that are in none of the clusters.
    """
    p, whole = c / n, period * chance_of_mean(n, c)
    for a in range(weights.shape[1]):
        angle = 2.0 * pi * float(a) / period
        times = 1.0 if a == 0 or 2.0 * float(a) == period else 2.0
        size, turn = log_factor(p, angle)
        size = (times * exp(n_rest * size) if n_rest > 0.0 else times) / whole
        turn = n_rest * turn - angle * shift
        weights[0, a], weights[1, a] = size * cos(turn), size * sin(turn)


@kernel
def best_match(c: float, n: float, sizes: Array, numbers: Array, form: Array) -> float:
    """Return the expected similarity of c of n random objects to their best match; 1 < c < n.

    There are ``numbers`` clusters of each of the ``sizes``.
    """
    p, n_sizes = c / n, sizes.shape[0]
    least = TOLERANCE / sqrt(8.0 * c * (n - c) / n)
    modes, firsts, pointers = np.zeros(n_sizes), np.zeros(n_sizes), np.zeros(n_sizes + 1, np.int64)
    chances, tails, logs = tabulate(c, n, least, sizes, numbers, modes, firsts, pointers)
    low, high = 0.0, 0.0
    for last in (False, True):
        below, high = crossing(
            low, last, least, c, sizes, numbers, firsts, pointers, tails, logs, form
        )
        low = low if last else below
    places, starts = np.zeros(n_sizes, np.int64), np.zeros(n_sizes, np.int64)
    n_places, n_rest, modes_sum = 0, n, 0.0
    for j in range(n_sizes):
        most = most_shared(low, c, float(sizes[j]), form)
        place = pointers[j] + I(max(most - firsts[j], -1.0))
        if place < pointers[j + 1] - 1:
            places[n_places], starts[n_places] = j, place
            n_places += 1
            n_rest -= float(numbers[j]) * float(sizes[j])
            modes_sum += float(numbers[j]) * modes[j]
    places, starts = places[:n_places], starts[:n_places]
    period = aliasing_period(n, c, least)
    weights = np.zeros(
        (2, enough_angles(period, p, n_rest, least, places, starts, numbers, pointers, chances))
    )
    fourier_weights(period, n, c, n_rest, (n - n_rest) * p - modes_sum, weights)
    return low + integrate(
        low, high, c, sizes, numbers, modes, firsts, pointers, chances, tails, places, starts,
        roots_of_unity(I(period)), weights, form,
    )  # fmt: skip


def _most_steps(order: Array, own_sizes: Array, _: int, sizes: Array, *others: Array) -> float:  # noqa: ARG001
    """Return about how many steps `expected` takes: 300 for each level that it visits at most."""
    return 300.0 * float(np.minimum.outer(own_sizes[order], sizes).sum())


@partial(_jit.kernel, work=_most_steps)
def expected(
    order: Array, own_sizes: Array, n_objects: int, sizes: Array, numbers: Array, form: Array,
    values: Array,
) -> None:  # fmt: skip
    """Write the expected similarity of clusters of some sizes to their best matches.

    ``order`` has the places in ``own_sizes`` and in ``values``. The other side has ``numbers``
    disjoint clusters of each of the ``sizes``. The number of objects shared with a cluster is known
    if all objects are drawn, and a single object is in one cluster at most.
    """
    n = float(n_objects)
    for i in range(order.shape[0]):
        place = order[i]
        c = float(own_sizes[place])
        value = 0.0
        if 1.0 < c < n:
            value = best_match(c, n, sizes, numbers, form)
        else:
            for j in range(sizes.shape[0]):
                b = float(sizes[j])
                alike = similarity(min(b, c), c, b, form)
                value = max(value, alike) if c == n else value + float(numbers[j]) * b / n * alike
        values[place] = min(value, 1.0)


@kernel
def expected_of_two(a: int, b: int, n_objects: int, form: Array) -> float:
    """Return the expected similarity of two sets of objects if one of them is random.

    The number of shared objects is hypergeometric, and its probabilities are computed from that of
    the mode in both directions.
    """
    own, other, n = float(a), float(b), float(n_objects)
    mode = min(floor((own + 1.0) * (other + 1.0) / (n + 2.0)), own, other)
    outside = n - own - other
    total, value = 1.0, similarity(mode, own, other, form)
    chance, k = 1.0, mode
    while k < min(own, other) and chance > NEGLIGIBLE:
        chance *= (own - k) * (other - k) / ((k + 1.0) * (outside + k + 1.0))
        k += 1.0
        total += chance
        value += chance * similarity(k, own, other, form)
    chance, k = 1.0, mode
    while k > max(0.0, -outside) and chance > NEGLIGIBLE:
        chance *= k * (outside + k) / ((own - k + 1.0) * (other - k + 1.0))
        k -= 1.0
        total += chance
        value += chance * similarity(k, own, other, form)
    return value / total
