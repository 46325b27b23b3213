"""Graph-aware measures of partitions: how much they agree on the edges inside clusters."""

from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from coverlap.clustering.recognise import recognise_pair
from coverlap.core.checks import check_option
from coverlap.core.errors import OptionError
from coverlap.graph.induced import induce_edges
from coverlap.graph.positions import numbered, on_vertices
from coverlap.graph.recognise import as_graph

MEASURES = ("rand", "jaccard", "mn", "gmn", "min", "max")


def partition_score(
    graph: Any, left: Any, right: Any, measure: str = "rand", *, adjusted: bool = True
) -> float:
    r"""Score two clusterings of a graph's vertices by the edges inside their clusters.

    Of m edges, a are inside a cluster on the left, b on the right and s on both sides. The raw
    scores are

    ========== ============================
    rand       (m - a - b + 2 s) / m
    jaccard    s / (a + b - s)
    mn         s / ((a + b) / 2)
    gmn        s / sqrt(a b)
    min, max   s / min(a, b), s / max(a, b)
    ========== ============================

    and where a score is s / f, or (s - x) / (f - x) for some x, adjusting it for chance gives
    (s - e) / (f - e) with e = a b / m, the s to expect of unrelated sets of edges. Adjusted,
    ``rand`` (the adjusted graph-aware Rand index, AGRI) and ``mn`` are the same.

    Parameters
    ----------
    graph : graph
        Anything that `as_graph` reads.
    left, right : clusterings
        Of the vertices. An edge is inside if its ends share a cluster; so clusters may overlap,
        and an edge at an outlier is never inside.
    measure : {"rand", "jaccard", "mn", "gmn", "min", "max"}
        The normalisation: mn, gmn, min and max divide by the arithmetic mean, the geometric mean,
        the minimum and the maximum.
    adjusted : bool
        Whether to adjust for chance; ``jaccard`` cannot be adjusted.

    Returns
    -------
    float
        1.0 if the same edges are inside on both sides, which needs no equal clusterings. Where the
        formula is 0/0, then 1.0, and else 0.0.

    References
    ----------
    V. Poulin, F. Théberge: Comparing Graph Clusterings: Set Partition Measures vs. Graph-Aware
    Measures. IEEE Transactions on Pattern Analysis and Machine Intelligence 43 (2021).

    Examples
    --------
    >>> import coverlap as cv
    >>> path = [(0, 1), (1, 2), (2, 3), (3, 4)]
    >>> cv.graph.partition_score(path, [0, 0, 0, 1, 1], [0, 0, 1, 1, 1], adjusted=False)
    0.5
    >>> cv.graph.partition_score(path, [0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    -0.3333333333333333
    """
    check_option("measure", measure, MEASURES)
    if adjusted and measure == "jaccard":
        raise OptionError("jaccard cannot be adjusted for chance; say adjusted=False")
    pair = recognise_pair(left, right)
    known = numbered(as_graph(graph), *pair)
    sides = zip(pair, ("left", "right"), strict=True)
    one, other = (
        ~induce_edges(known, on_vertices(known, side, name)).outlier_mask() for side, name in sides
    )
    if np.array_equal(one, other):
        return 1.0
    a, b, s = (int(np.count_nonzero(inside)) for inside in (one, other, one & other))
    return _score(known.n_edges, a, b, s, measure, adjusted)


def _score(m: int, a: int, b: int, s: int, measure: str, adjusted: bool) -> float:
    """Score two different sets of edges, in exact fractions except for the root in gmn."""
    if measure == "rand" and not adjusted:
        return (m - a - b + 2 * s) / m
    expected = Fraction(a * b, m) if adjusted else Fraction(0)
    if measure == "gmn":
        below = sqrt(a * b) - expected if a != b else a - expected
    else:
        below = {
            "rand": Fraction(a + b, 2), "mn": Fraction(a + b, 2), "jaccard": Fraction(a + b - s),
            "min": Fraction(min(a, b)), "max": Fraction(max(a, b)),
        }[measure] - expected  # fmt: skip
    return float((s - expected) / below) if below else 0.0
