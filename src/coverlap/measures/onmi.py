"""Overlapping NMI: how much the clusters of one side say about each cluster of the other.

Each cluster x is a binary variable over the n objects, with an entropy H(x). For x and a cluster y
of the other side, let d objects be in both, c in x only, b in y only and a in neither, and let
h(w) = -(w/n) log2(w/n). The cluster y is informative about x if h(a) + h(d) > h(b) + h(c); without
this condition, the complement of x would explain x. H(x|Y) is the smallest conditional entropy
H(x|y) over the informative y, or H(x) if there are none.

Two facts make the computation fast, and keep rounding from deciding ties.

*Few disjoint pairs are informative.* For d = 0 the condition is h(a) > h(b) + h(c), and it is false
if neither cluster has more than half of the objects. Proof: let p = b/n and q = c/n, both at most
1/2, with sum s. Since h is concave, h(p) + h(q) is smallest at the ends for a given s. If s <= 1/2,
that is h(0) + h(s) >= h(1 - s). Otherwise it is h(1/2) + h(u) with u = s - 1/2, and
h(1/2 - u) <= 1/2 + 0.443 u (the tangent at 1/2) <= 1/2 + u <= 1/2 + h(u) (the chord). So of the
disjoint pairs only those with a cluster of more than n/2 objects are compared.

*Ties never count.* Both sides of the condition are equal for independent clusters, where the result
does not matter, but also for others: if (a, b, c, d) is (4, 2, 1, 1), (24, 16, 7, 7),
(216, 162, 67, 67) or a multiple, and so on, since h is the same for (m/(m+1))**m and for
(m/(m+1))**(m+1). Floats may round either side of a tie up. So y counts as informative only if the
difference exceeds all rounding errors.
"""

from math import fsum, log
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import frozen
from coverlap.counting.contingency import Contingency
from coverlap.counting.counts import Counts
from coverlap.measures.information import MEANS, Mean

Normalization = Literal["max", "mgh", "lfk", "lfk_total", "min", "sqrt", "mean", "joint"]
Variant = Literal["definition", "mcdaid"]

LONGEST_TABLE = 2**16
"""Entropies are tabulated up to this count, so that the tables fit into the processor's cache."""

Floats = NDArray[np.float64]


class Entropies(NamedTuple):
    """The values in bits from which all normalizations are computed.

    ``left`` is H(X), the sum of the entropies of the left clusters, and ``left_given_right`` is
    H(X|Y). ``mutual`` is I = (H(X) - H(X|Y) + H(Y) - H(Y|X)) / 2. ``left_unknown`` is the mean of
    H(x|Y)/H(x) over the left clusters. ``both_full`` says whether both sides have the cluster of
    all objects and no other, or no clusters at all, so that all entropies are 0.
    """

    left: float
    right: float
    left_given_right: float
    right_given_left: float
    mutual: float
    left_unknown: float
    right_unknown: float
    both_full: bool


def onmi(
    counts: Counts, *, normalization: Normalization = "max", variant: Variant = "definition"
) -> float:
    """Return the overlapping normalised mutual information; see `coverlap.onmi_score`.

    "min" and "sqrt" can exceed 1: a cluster that is informative about many similar clusters of the
    other side provides more information than its own entropy. If the divisor is 0, a side has no
    clusters or only a cluster of all objects.
    """
    known = counts.once(entropies, variant)
    if normalization == "lfk":
        return 1 - (known.left_unknown + known.right_unknown) / 2
    if normalization == "lfk_total":
        if known.left == 0 or known.right == 0:
            return float(known.both_full)
        return 1 - (known.left_given_right / known.left + known.right_given_left / known.right) / 2
    if normalization == "joint":
        divisor = known.left + known.right - known.mutual
    else:
        mean: Mean = "max" if normalization == "mgh" else normalization
        divisor = MEANS[mean](known.left, known.right)
    return known.mutual / divisor if divisor else float(known.both_full)


def entropies(counts: Counts, variant: Variant = "definition") -> Entropies:
    """Compute the values that all normalizations need.

    "mcdaid" reproduces the program of McDaid, Greene and Hurley: disjoint clusters are never
    informative, and in LFK a cluster of all objects is unknown even if both sides have it.
    """
    table = counts.contingency
    n_objects, sizes = table.n_objects, (table.left_sizes, table.right_sizes)
    if len(sizes[0]) == len(sizes[1]) == 0:
        return Entropies(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, both_full=True)
    # All entropies of clusters are in nats, multiplied by the number of objects.
    own = np.empty(len(sizes[0])), np.empty(len(sizes[1]))
    _kernels.onmi.cluster_entropies(n_objects, sizes[0], own[0])
    _kernels.onmi.cluster_entropies(n_objects, sizes[1], own[1])
    conditional = own[0].copy(), own[1].copy()
    _lower_to_conditional(table, conditional, with_disjoint=variant == "definition")
    information = np.concatenate((own[0] - conditional[0], own[1] - conditional[1])) / 2
    left, right, left_given_right, right_given_left, mutual = (
        fsum(terms.tolist()) / (n_objects * log(2)) for terms in (*own, *conditional, information)
    )
    full_is_known = variant == "definition" and all(np.any(side == n_objects) for side in sizes)
    return Entropies(
        left=left,
        right=right,
        left_given_right=left_given_right,
        right_given_left=right_given_left,
        mutual=mutual,
        left_unknown=_mean_unknown_share(conditional[0], own[0], full_is_known),
        right_unknown=_mean_unknown_share(conditional[1], own[1], full_is_known),
        both_full=all(len(side) > 0 and np.all(side == n_objects) for side in sizes),
    )


def _lower_to_conditional(
    table: Contingency, conditional: tuple[Floats, Floats], *, with_disjoint: bool
) -> None:
    """Lower the entropy of each cluster to its conditional entropy given the other side."""
    left, right, n_objects = table.left_sizes, table.right_sizes, table.n_objects
    if len(left) == 0 or len(right) == 0:
        return
    common = (left, right, n_objects, _entropy_tables(table), conditional)
    _kernels.onmi.compare_sharing(table.pointers, table.columns, table.shared, *common)
    if with_disjoint and 2 * max(int(left.max()), int(right.max())) > n_objects:
        large = frozen(np.flatnonzero(right > n_objects // 2))
        seen = np.zeros(len(right), np.uint64)
        _kernels.onmi.compare_disjoint(table.pointers, table.columns, large, *common, seen)


def _entropy_tables(table: Contingency) -> tuple[Floats, Floats]:
    """Tabulate h of small counts and of large ones, no further than the number of pairs repays."""
    largest = int(table.left_sizes.max()), int(table.right_sizes.max())
    useful = min(LONGEST_TABLE, len(table.shared) + 1)
    low = np.empty(min(max(largest) + 1, useful))
    high = np.empty(min(sum(largest) + 1, table.n_objects + 1, useful))
    _kernels.onmi.tabulate(table.n_objects, low, high)
    return frozen(low), frozen(high)


def _mean_unknown_share(conditional: Floats, own: Floats, full_is_known: bool) -> float:
    """Return the mean over clusters of H(x|Y)/H(x), 1 without clusters.

    For a cluster of all objects this is 0/0. It is 0 if both sides have that cluster, 1 otherwise.
    """
    if len(own) == 0:
        return 1.0
    shares = np.full(len(own), 0.0 if full_is_known else 1.0)
    np.divide(conditional, own, out=shares, where=own > 0)
    return fsum(shares.tolist()) / len(shares)
