"""Overlapping NMI: what each cluster of one side tells about the clusters of the other.

Every cluster x is a yes-or-no variable over the n objects, with an entropy H(x). Of a cluster y of
the other side and x, let d objects be in both, c only in x, b only in y and a in neither, and
h(w) = -(w/n) log2(w/n). Then y tells about x if h(a) + h(d) > h(b) + h(c), which keeps x from
being explained by what is almost its complement, and H(x|y) is left of H(x). H(x|Y) is the least
H(x|y) over those y, or H(x) if there is none. The ways to make a score of these entropies are
`NORMALIZATIONS`.

Two facts make this fast and right.

*Few disjoint pairs count.* For d = 0 the condition is h(a) > h(b) + h(c), and if neither cluster
holds more than half of the objects, it fails. Take p = b/n and q = c/n, both at most 1/2, with sum
s. h is concave, so for a given s the sum h(p) + h(q) is least at the ends. If s <= 1/2, that is
h(0) + h(s) >= h(1 - s). Else it is h(1/2) + h(u) with u = s - 1/2, and h(1/2 - u) <= 1/2 + 0.443 u
(the tangent at 1/2) <= 1/2 + u <= 1/2 + h(u) (the chord). So beside the pairs that share objects
only those with a cluster of more than n/2 objects are looked at.

*Ties are no accident of rounding.* Independent clusters can tie, where the rule makes no
difference, but others can as well: if (a, b, c, d) is (4, 2, 1, 1), (24, 16, 7, 7),
(216, 162, 67, 67) or a multiple, and so on, since h is the same for (m/(m+1))**m and for
(m/(m+1))**(m+1). Apart from ties, the two sides of the condition can be as close as about n**-3. So
where floats cannot tell the sides apart, the condition is decided in integers.
"""

from collections.abc import Callable
from functools import partial
from math import fsum, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import frozen
from coverlap.counting.contingency import Contingency
from coverlap.measures.logarithms import sign_of_logarithms

VARIANTS = ("definition", "mcdaid")

LONGEST_TABLE = 2**16
"""Entropies are tabulated up to this count, so that the tables stay in the processor's cache."""

Least = tuple[NDArray[np.float64], NDArray[np.float64]]


class Entropies(NamedTuple):
    """All that the scores are made of, in bits.

    ``left`` and ``right`` are the summed entropies of the clusters of a side, ``left_given_right``
    is what is left of the former when the right clusters are known. ``mutual`` is what the sides
    tell about each other, the mean of both directions. ``left_unknown`` is the mean, over left
    clusters, of the share of the entropy that is left: it needs a rule of its own for a cluster of
    all objects, whose entropy is 0.
    """

    left: float
    right: float
    left_given_right: float
    right_given_left: float
    mutual: float
    left_unknown: float
    right_unknown: float
    equal: bool


def entropies(contingency: Contingency, variant: str = "definition") -> Entropies:
    """Compute the entropies that all the normalizations need.

    Parameters
    ----------
    contingency : Contingency
    variant : {"definition", "mcdaid"}
        ``"mcdaid"`` does as the program of McDaid, Greene and Hurley does: pairs of disjoint
        clusters tell nothing about each other, and a cluster of all objects counts as unknown in
        LFK, even if the other side has it as well.
    """
    n_objects, sizes = contingency.n_objects, (contingency.left_sizes, contingency.right_sizes)
    if len(sizes[0]) == len(sizes[1]) == 0:
        return Entropies(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, equal=True)
    alone = _alone(n_objects, sizes[0]), _alone(n_objects, sizes[1])
    least = alone[0].copy(), alone[1].copy()
    _tell(contingency, least, disjoint=variant == "definition")
    full_is_known = variant == "definition" and all(np.any(s == n_objects) for s in sizes)
    told = np.concatenate((alone[0] - least[0], alone[1] - least[1])) / 2
    left, right, left_rest, right_rest, mutual = (
        fsum(terms.tolist()) / (n_objects * log(2)) for terms in (*alone, *least, told)
    )
    unknown = [_unknown(*side, full_is_known) for side in zip(least, alone, strict=True)]
    n_left, n_right = len(contingency.left_sizes), len(contingency.right_sizes)
    equal = contingency.n_equal_clusters() == n_left == n_right
    return Entropies(left, right, left_rest, right_rest, mutual, unknown[0], unknown[1], equal)


def _alone(n_objects: int, sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    entropy = np.empty(len(sizes))
    _kernels.onmi.cluster_entropies(n_objects, sizes, entropy)
    return entropy


def _tell(contingency: Contingency, least: Least, *, disjoint: bool) -> None:
    """Lower the entropy of each cluster to what is left when the other side is known."""
    pointers, columns, shared, left, right, n_objects = contingency[:6]
    if len(left) == 0 or len(right) == 0:
        return
    common = (left, right, n_objects, _tables(contingency), least)
    run = partial(_kernels.onmi.compare_sharing, pointers, columns, shared, *common)
    _settle(_doubtful(run), contingency, least)
    if disjoint and 2 * max(int(left.max()), int(right.max())) > n_objects:
        large = frozen(np.flatnonzero(right > n_objects // 2))
        seen = np.zeros(len(right), np.uint64)
        run = partial(_kernels.onmi.compare_disjoint, pointers, columns, large, *common, seen)
        _settle(_doubtful(run), contingency, least)


def _tables(contingency: Contingency) -> Least:
    """Tabulate the entropies of small counts, as far as the number of pairs is worth it."""
    most = int(contingency.left_sizes.max()), int(contingency.right_sizes.max())
    useful = min(LONGEST_TABLE, len(contingency.shared) + 1)
    low = np.empty(min(max(most) + 1, useful))
    high = np.empty(min(sum(most) + 1, contingency.n_objects + 1, useful))
    _kernels.onmi.tabulate(contingency.n_objects, low, high)
    return frozen(low), frozen(high)


def _doubtful(run: Callable[[NDArray[np.int64]], int]) -> NDArray[np.int64]:
    """Run a kernel over pairs of clusters; return those that it left open.

    Where there was no room for all of them, a second run changes nothing else: it takes minima.
    """
    pairs = np.empty((64, 3), np.int64)
    found = run(pairs)
    if found > len(pairs):
        pairs = np.empty((found, 3), np.int64)
        run(pairs)
    return pairs[:found]


def _settle(pairs: NDArray[np.int64], contingency: Contingency, least: Least) -> None:
    """Decide in integers which pairs (left, right, shared) of clusters tell about each other."""
    if len(pairs) == 0:
        return
    left, right, n_objects = contingency[3:6]
    shared = pairs[:, 2]
    parts = np.stack((shared, left[pairs[:, 0]] - shared, right[pairs[:, 1]] - shared), axis=1)
    distinct, place = np.unique(parts, axis=0, return_inverse=True)
    tells = np.array([_tells(n_objects, *row) for row in distinct.tolist()])
    counting = frozen(pairs[tells[place.ravel()]])
    _kernels.onmi.add_informative(counting, left, right, n_objects, least)


def _tells(n: int, d: int, c: int, b: int) -> bool:
    """Tell whether h(a) + h(d) > h(b) + h(c), without rounding."""
    a = n - b - c - d
    terms = [(a + d - b - c, n), (-a, a), (-d, d), (b, b), (c, c)]
    return sign_of_logarithms([term for term in terms if term[1] > 0]) > 0


def _unknown(least: NDArray[np.float64], alone: NDArray[np.float64], full_is_known: bool) -> float:
    """Return the mean share of the entropy of a cluster that is left, 1 without clusters."""
    if len(alone) == 0:
        return 1.0
    shares = np.full(len(alone), 0.0 if full_is_known else 1.0)
    np.divide(least, alone, out=shares, where=alone > 0)
    return fsum(shares.tolist()) / len(shares)


def _over(entropies: Entropies, normalizer: float) -> float:
    """Divide the mutual information; where it is 0/0, only equal clusterings score 1."""
    if normalizer == 0:
        return float(entropies.equal)
    return entropies.mutual / normalizer


def _lfk(entropies: Entropies) -> float:
    return 1 - (entropies.left_unknown + entropies.right_unknown) / 2


def _lfk_total(entropies: Entropies) -> float:
    left, right, left_given_right, right_given_left = entropies[:4]
    if left == 0 or right == 0:
        return float(entropies.equal)
    return 1 - (left_given_right / left + right_given_left / right) / 2


NORMALIZATIONS: dict[str, Callable[[Entropies], float]] = {
    "lfk": _lfk,
    "lfk_total": _lfk_total,
    "max": lambda e: _over(e, max(e.left, e.right)),
    "min": lambda e: _over(e, min(e.left, e.right)),
    "sqrt": lambda e: _over(e, sqrt(e.left * e.right)),
    "mean": lambda e: _over(e, (e.left + e.right) / 2),
    "joint": lambda e: _over(e, e.left + e.right - e.mutual),
}
"""How to make a score of the entropies.

``lfk`` (Lancichinetti, Fortunato and Kertesz 2009) is 1 minus the mean, first over clusters and
then over sides, of H(x|Y)/H(x). The entropy of a cluster of all objects is 0: it counts as known if
the other side has it as well, and else as unknown. ``lfk_total`` does the same with the sums over
clusters instead of the clusters.

The others divide the mutual information I = (H(X) - H(X|Y) + H(Y) - H(Y|X))/2 by a mean of H(X) and
H(Y), and ``joint`` by H(X) + H(Y) - I. ``max`` is that of McDaid, Greene and Hurley (2011). ``min``
and ``sqrt`` exceed 1 where a cluster tells something about many that are much like it, so that one
side tells more about the other than it has entropy itself; they are not cut off. If the divisor is
0, a side has no clusters or only one of all objects, and equal clusterings score 1, others 0.
"""
