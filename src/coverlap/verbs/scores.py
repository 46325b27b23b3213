"""Scores by many measures, and how much they depend on the treatment of outliers."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from coverlap.core.align import (
    TREATMENTS,
    DropRule,
    Pair,
    Rules,
    Treatment,
    UniverseOption,
    cluster_outliers,
    remove_outliers,
    treat_outliers,
)
from coverlap.core.errors import OptionError
from coverlap.core.threads import all_threads, check_threads
from coverlap.core.wording import shown
from coverlap.counting.counts import Counts, counts_of
from coverlap.counting.engines import Engine, choose_engine
from coverlap.counting.table_measures import (
    CountsOfTables,
    NotInTablesError,
    counts_of_tables,
)
from coverlap.graph.align import align_on_graph
from coverlap.measures.measure import Measure
from coverlap.measures.registry import MEASURES, find_measure
from coverlap.results.comparison import Universe
from coverlap.results.notes import notes_of, notes_of_tables, notes_on_duplicates
from coverlap.results.scores import OutlierSensitivity, Scores

QUICK = 2_000_000_000
"""Largest number of objects x memberships for which ECS with overlaps is scored by default."""


def scores(
    left: Any,
    right: Any,
    measures: Iterable[str] | None = None,
    *,
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    outliers_as: Treatment | None = None,
    threads: int | None = None,
    graph: Any = None,
    engine: Engine = "auto",
    memory_limit: int | str | None = None,
    temp_dir: str | Path | None = None,
) -> Scores:
    """Score two clusterings by many measures, counting once.

    Parameters
    ----------
    left, right, universe, n_objects, drop_outliers, threads
        As in `fstar_score`. For measures that are not symmetric, left is the truth.
    measures : iterable of str, optional
        Names in `MEASURES`; by default all but F* adjusted for chance, and ECS of many objects with
        overlaps, which take longer than all others together. ``reasons`` says what was left out.
    outliers_as : {None, "singletons", "cluster"}
        How to treat outliers first, for all measures; see `score`.
    graph : graph, optional
        The graph that was clustered, as in `compare`. The universe is then that of its vertices by
        default, and ``edges`` of the result has the scores of the clusterings of its edges.
    engine, memory_limit, temp_dir
        As in `compare`. Outside memory, ``reasons`` tells which measures need both clusterings in
        memory.

    Examples
    --------
    >>> import coverlap as cv
    >>> table = cv.scores([0, 0, 1, 1, 2, -1], [0, 0, 1, 1, 1, 1], ["fstar_wo", "omega", "ari"])
    >>> dict(table)
    {'fstar_wo': 0.6041666666666666, 'omega': 0.29906542056074764, 'ari': None}
    >>> list(table.reasons)
    ['ari']
    >>> path = [(0, 1), (1, 2), (2, 3), (3, 4)]
    >>> cv.scores([0, 0, 0, 1, 1], [0, 0, 1, 1, 1], ["fstar_wo"], graph=path).edges["fstar_wo"]
    0.375
    """
    chosen = find_measures(MEASURES if measures is None else measures)
    with_bcubed = any(measure.name.startswith("bcubed") for measure in chosen)

    def scored(counts: Counts) -> Scores:
        with all_threads(counts.threads):
            values, reasons = _scores(chosen, counts, is_default=measures is None)
            left, right = counts.pair.left, counts.pair.right
            return Scores(
                values, reasons, outliers_as, (left.n_clusters, right.n_clusters),
                counts.n_outliers, (left.n_in_several, right.n_in_several),
                Universe.of(counts.pair),
                (*notes_of(counts),
                 *notes_on_duplicates((left.n_merged, right.n_merged), chosen)),
            )  # fmt: skip

    rules = Rules(universe, n_objects, drop_outliers, outliers_as)
    check_threads(threads)
    where = choose_engine(left, right, engine, threads, memory_limit, temp_dir, universe)
    if graph is None and where is not None:
        counts = counts_of_tables(where, rules, threads)
        return _scores_of_tables(chosen, counts, is_default=measures is None)
    if where is not None:
        raise OptionError(f"a graph needs engine='memory', not {where.engine!r}")
    if graph is None:
        return scored(counts_of(left, right, rules, threads, with_bcubed=with_bcubed))
    rules.check()
    pairs = align_on_graph(left, right, graph, rules._replace(outliers_as=None), threads)
    vertices, edges = (
        scored(Counts(treat_outliers(pair, outliers_as), threads, with_bcubed=with_bcubed))
        for pair in (pairs.vertices, pairs.edges)
    )
    edges = replace(edges, notes=())  # those of the vertices say the same
    return replace(vertices, edges=edges, notes=pairs.notes + vertices.notes)


def _scores(
    chosen: list[Measure], counts: Counts, *, is_default: bool
) -> tuple[dict[str, float | None], dict[str, str]]:
    """Return the score of each measure, or None and the reason why it has none."""
    values: dict[str, float | None] = {measure.name: None for measure in chosen}
    reasons: dict[str, str] = {}
    for measure in chosen:
        try:
            why = measure.why_undefined(counts)
            if why is None and is_default:
                why = _why_too_slow(measure, counts)
            if why is None:
                values[measure.name] = measure.score(counts)
        except NotInTablesError as error:
            why = str(error)
        if why is not None:
            reasons[measure.name] = why
    return values, reasons


def _scores_of_tables(chosen: list[Measure], counts: CountsOfTables, *, is_default: bool) -> Scores:
    values, reasons = _scores(chosen, counts, is_default=is_default)
    found, left, right = counts.found, counts.found.left, counts.found.right
    notes = (
        *counts.tables.chosen.notes, *notes_of_tables(found),
        *notes_on_duplicates((left.n_merged, right.n_merged), chosen),
    )  # fmt: skip
    return Scores(
        values, reasons, None, (len(left.names), len(right.names)), counts.n_outliers,
        counts.tables.n_in_several, Universe.of_tables(found), notes,
    )  # fmt: skip


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


def find_measures(names: Any) -> list[Measure]:
    """Return the measures with these names, each once."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise OptionError(f"measures must be a list of names, not {shown(names)}")
    return list({measure.name: measure for measure in map(find_measure, names)}.values())


def _why_too_slow(measure: Measure, counts: Counts) -> str | None:
    """Return why a measure is left out by default; None if it is not."""
    if measure.name == "fstar_adjusted":
        return "left out because it may take longer than all others; ask for it by name"
    if measure.name != "ecs" or not any(counts.overlapping):
        return None
    left, right = counts.pair.left, counts.pair.right
    if counts.pair.objects.n * (left.n_memberships + right.n_memberships) <= QUICK:
        return None
    return "left out because it takes long with overlaps; ask for it by name, or use ecs_estimate"
