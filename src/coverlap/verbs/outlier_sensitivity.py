"""How much scores depend on the treatment of outliers."""

from collections.abc import Iterable
from typing import Any

from coverlap.core.align import (
    TREATMENTS,
    DropRule,
    Pair,
    Rules,
    UniverseOption,
    cluster_outliers,
    remove_outliers,
)
from coverlap.counting.counts import Counts, counts_of
from coverlap.measures.registry import MEASURES
from coverlap.results.scores import OutlierSensitivity
from coverlap.verbs.scores import find_measures


def outlier_sensitivity(
    left: Any,
    right: Any,
    *,
    measures: Iterable[str] = ("ari", "ami", "nmi"),
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    threads: int | None = None,
) -> OutlierSensitivity:
    """Compute how much scores depend on the treatment of outliers.

    F*_wo is defined for outliers. Measures of partitions are not, and the usual ways to apply them
    nevertheless give very different scores of the same clusterings.

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers, threads
        As in `fstar_score`.
    measures : iterable of str
        Names of the measures to show with F*_wo.

    Examples
    --------
    Only two members of each of three clusters are found, and all others are outliers.

    >>> import coverlap as cv
    >>> truth = [0] * 6 + [1] * 6 + [2] * 6
    >>> found = [0, 0] + [-1] * 4 + [1, 1] + [-1] * 4 + [2, 2] + [-1] * 4
    >>> print(cv.outlier_sensitivity(truth, found, measures=["ari"]))
    18 objects; 0 outliers on the left, 12 on the right
    <BLANKLINE>
    outliers:  as they are  singletons  one cluster   dropped
    ─────────────────────────────────────────────────────────
    fstar_wo      0.222222    0.277778     0.317460  1.000000
    ari                  -    0.091603     0.019231  1.000000
    """
    found = {measure.name: measure for measure in find_measures(measures)}
    chosen = list(({"fstar_wo": MEASURES["fstar_wo"]} | found).values())
    counts = counts_of(left, right, Rules(universe, n_objects, drop_outliers), threads)
    table: dict[str, dict[str | None, float | None]] = {measure.name: {} for measure in chosen}
    reasons: dict[str, str] = {}
    treatments: dict[str | None, Pair] = {
        None: counts.pair,
        **{name: cluster_outliers(counts.pair, name) for name in TREATMENTS if name},
        "drop": remove_outliers(counts.pair, "either"),
    }
    for treatment, pair in treatments.items():
        treated = Counts(pair, threads)
        for measure in chosen:
            why = measure.why_undefined(treated)
            table[measure.name][treatment] = None if why else measure.score(treated)
            if why:
                reasons[measure.name] = why
    return OutlierSensitivity(table, reasons, counts.n_objects, counts.n_outliers)
