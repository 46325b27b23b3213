r"""F\* of two clusterings: the score alone, or with its parts and a table of clusters."""

from pathlib import Path
from typing import Any

import numpy as np

from coverlap.core.align import DropRule, Pair, Rules, UniverseOption
from coverlap.core.errors import OptionError
from coverlap.core.threads import all_threads, check_threads
from coverlap.core.wording import shown
from coverlap.counting.counts import Counts, counts_of
from coverlap.counting.engines import (
    Engine,
    choose_engine,
    count_in_tables,
    repeatable,
)
from coverlap.counting.matching import (
    SIMILARITIES,
    Matching,
    Similarity,
    SimilarityFormula,
    SimilarityName,
    Totals,
    find_similarity,
)
from coverlap.counting.memory import in_given_unit
from coverlap.counting.table_pair import TablePair
from coverlap.explain.memory import MemoryDifference
from coverlap.explain.tables import TableDifference
from coverlap.files.source import Progress
from coverlap.graph.align import align_on_graph
from coverlap.measures.fstar import Average, check_options, directions, score_of_totals
from coverlap.results.comparison import ClusteringSummary, Comparison, Options, Outliers, Universe
from coverlap.results.notes import notes_of, notes_of_tables
from coverlap.results.weights import Weights


def fstar_score(
    left: Any,
    right: Any,
    *,
    outliers: bool = True,
    balance: float = 0.5,
    similarity: SimilarityName | Similarity = "jaccard",
    average: Average = "size",
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    weights: Any = None,
    threads: int | None = None,
) -> float:
    r"""Score the similarity of two clusterings by F\*_wo, or by F\*_w.

    Every cluster is given its best match on the other side, the set of outliers is matched with
    the other set of outliers, and the similarities are averaged by size, both ways:

    .. math::

        \hat F^*_w(A, B) = \sum_{C \in A} \frac{|C|}{\sum_{D \in A} |D|} \max_{E \in B} s(C, E)

        \hat F^*_{wo}(A, B) = \frac{|O_A|}{n} s(O_A, O_B) + \frac{n - |O_A|}{n} \hat F^*_w(A, B)

        F^*_{wo}(A, B) = \beta \hat F^*_{wo}(A, B) + (1 - \beta) \hat F^*_{wo}(B, A)

    The score is in [0, 1], exactly 1.0 for equal clusterings, and the same float when clusters
    are renamed or reordered, more threads are used, or (with ``balance=0.5`` and a symmetric
    similarity) the sides are swapped.

    Parameters
    ----------
    left, right : clusterings
        Labels, clusters, or anything else that `as_clustering` reads. Neither side is the truth.
    outliers : bool
        Whether outliers count (F\*_wo); without them the score is F\*_w.
    balance : float
        Weight of the direction left to right; with 1.0 only the matches of left's clusters count.
    similarity : {"jaccard", "f1", "precision", "recall"} or function
        Similarity of two clusters. Precision is shared / own size and recall shared / other size,
        where *own* is the cluster that is matched. A function takes the arrays (shared, own
        size, other size), returns values in [0, 1], and 0 where nothing is shared.
    average : {"size", "equal"}
        Whether clusters count by size or equally.
    universe : {"union", "intersection", "left", "right"}, iterable of ids, int, or Path
        The objects to compare on, if the sides have different ones. An object that a side does
        not have is an outlier there. A number n means the ids 0..n-1; a Path is a file of ids,
        one per line, or of the edges of a graph.
    n_objects : int, optional
        Total number of objects. Those that neither side mentions are outliers on both sides.
    drop_outliers : {None, "left", "right", "either", "both"}
        Leave out the objects that are outliers on that side, on at least one, or on both.
    weights : array-like, Series or dict, optional
        Weight of each object. Wherever objects are counted, their weights are added up instead: in
        the sizes of clusters, in what clusters share, in outliers and in n. So an integer weight
        counts an object so many times, and an object of weight 0 is left out. A dict is by object,
        and a pandas Series by index if a side has ids; others are by position. Weights of other
        objects are ignored. Not with ``n_objects`` or a function as similarity.
    threads : int, optional
        By default one for small inputs and one per core for others.

    Notes
    -----
    If neither side has clusters, or there are no objects, the score is 1. If only one side has
    clusters, those of the other side count as similarity 0.

    References
    ----------
    R. DeWolfe, P. Prałat, F. Théberge: A Pragmatic Method for Comparing Clusterings with Overlaps
    and Outliers. arXiv:2602.14855.

    Examples
    --------
    >>> import coverlap as cv
    >>> cv.fstar_score([0, 0, 1, 1, -1], [1, 1, 0, 0, -1])
    1.0
    >>> cv.fstar_score([{1, 2, 3}], [{1}, {1, 2, 3}])
    0.9166666666666667
    >>> cv.fstar_score([{1, 2, 3}], [{1}, {1, 2, 3}], balance=1.0)
    1.0

    Object 3 counts twice:

    >>> cv.fstar_score([{1, 2}, {3}], [{1}, {2, 3}], weights={1: 1, 2: 1, 3: 2})
    0.6041666666666666
    >>> cv.fstar_score([{1, 2}, {3, 33}], [{1}, {2, 3, 33}])
    0.6041666666666666
    """
    check_options(outliers, balance, average)
    form = find_similarity(similarity)
    if weights is not None:
        _check_formula(form)
    rules = Rules(universe, n_objects, drop_outliers)
    counts = counts_of(left, right, rules, threads, weights=weights).of_sets
    return score_of_totals(counts.totals(form, average), form, outliers, float(balance))


def compare(
    left: Any,
    right: Any,
    *,
    outliers: bool = True,
    balance: float = 0.5,
    similarity: SimilarityName | Similarity = "jaccard",
    average: Average = "size",
    universe: UniverseOption = "union",
    n_objects: int | None = None,
    drop_outliers: DropRule | None = None,
    weights: Any = None,
    threads: int | None = None,
    graph: Any = None,
    names: tuple[str, str] = ("left", "right"),
    engine: Engine = "auto",
    memory_limit: int | str | None = None,
    temp_dir: str | Path | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare two clusterings: the score of `fstar_score`, its parts, and a table of clusters.

    Parameters
    ----------
    left, right, outliers, balance, similarity, average, universe, n_objects, drop_outliers, threads
        As in `fstar_score`. With a graph, the union is that of its vertices.
    weights : array-like, Series or dict, optional
        As in `fstar_score`; in memory only, and not with a graph. Sizes in the tables are sums of
        weights. Explanations that count objects (`changes`, `fates`, `one_to_one`, `to_html`, and
        pictures other than that of the losses) reject them.
    graph : graph, optional
        The graph that was clustered: anything that `coverlap.graph.as_graph` reads. ``edges`` of
        the result compares the clusterings that both sides induce on the edges between the objects
        compared. A side may be a clustering of edges, given by pairs of vertices. It is compared
        as the vertices that its clusters touch and, with a clustering of vertices, as its closure
        on the edges; ``notes`` says so.
    names : pair of str
        Names of the two sides.
    engine : {"auto", "memory", "duckdb", "spark"}
        Where the counting runs; the score is the same float everywhere. "memory" reads both sides.
        The others count files and tables (`coverlap.Table`) where they are, by SQL: "duckdb" with
        temporary files if memory does not suffice, "spark" frames of Spark. By default, frames of
        Spark are compared by Spark, files and tables that would take more than ``memory_limit`` by
        DuckDB, and all else in memory; ``notes`` says so.
    memory_limit : int or str, optional
        Memory that the comparison may take, in bytes or as text such as "2GB"; by default half of
        what is free. What files and tables would take in memory is an estimate. DuckDB keeps to
        the limit; Python with its libraries takes 0.2 to 0.7 GB more.
    temp_dir : str or Path, optional
        Folder for temporary files; by default that of the system. They are removed at the end.
    progress : callable, optional
        Called repeatedly with the percentage of the current step that is done, and 100, if DuckDB
        compares.

    Examples
    --------
    >>> import coverlap as cv
    >>> truth, found = ["a", "a", "a", "b", "b", "b"], [0, 0, 1, 1, 1, -1]
    >>> result = cv.compare(truth, found, names=("truth", "found"))
    >>> result
    Comparison(fstar_wo=0.527778, 2 and 2 clusters, 6 objects)
    >>> result.outliers
    Outliers(n_left=0, n_right=1, n_shared=0, similarity=0.0)
    >>> columns = result.columns()
    >>> list(zip(columns["cluster"], columns["match"], columns["similarity"]))[:2]
    [('a', 0, 0.6666666666666666), ('b', 1, 0.5)]
    >>> abs(sum(columns["loss"]) - (1 - result.score)) < 1e-12
    True

    A path of six vertices has two edges inside either true cluster:

    >>> path = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    >>> cv.compare(truth, found, graph=path).edges
    Comparison(fstar_wo=0.283333, 2 and 2 clusters, 5 objects)
    """
    check_options(outliers, balance, average)
    check_threads(threads)
    form = find_similarity(similarity)
    called = similarity if isinstance(similarity, str) else getattr(similarity, "__name__", "own")
    options = Options(bool(outliers), float(balance), called, average, drop_outliers)
    sides = _check_names(names)
    rules = Rules(universe, n_objects, drop_outliers)
    chosen = choose_engine(left, right, engine, threads, memory_limit, temp_dir, universe)
    if weights is not None:
        _check_formula(form)
        if graph is not None:
            raise OptionError("weights are those of objects, and cannot be used with a graph")
        if chosen is not None:
            raise OptionError(f"weights need engine='memory', not {chosen.engine!r}")
    if graph is not None:
        if chosen is not None:
            raise OptionError(f"a graph needs engine='memory', not {chosen.engine!r}")
        pairs = align_on_graph(left, right, graph, rules, threads)
        edges = _compared(Counts(pairs.edges, threads), form, options, sides)
        counts = Counts(pairs.vertices, threads)
        notes = pairs.notes + notes_of(counts, sides)
        return _compared(counts, form, options, sides, edges=edges, notes=notes)
    if chosen is None:
        counts = counts_of(left, right, rules, threads, weights=weights)
        # Then no array is shared with the user. A universe that is text names a rule.
        is_from_files = all(isinstance(given, str | Path) for given in (left, right, universe))
        notes = notes_of(counts, sides)
        return _compared(counts, form, options, sides, is_from_files=is_from_files, notes=notes)
    rules = repeatable(rules)
    tables = count_in_tables(chosen, rules, form, progress)
    pair = TablePair(chosen, rules, tables, threads)
    known = form if isinstance(form, SimilarityFormula) else None
    matching = tables.matching
    return _comparison(
        matching.totals(average), matching, form, options, sides,
        n_outliers=matching[3:],
        universe=Universe.of_tables(tables),
        clusterings=tuple(
            ClusteringSummary(
                len(side.names), side.n_memberships, side.n_merged, side.n_dropped,
                side.n_in_several,
            )
            for side in (tables.left, tables.right)
        ),
        name_arrays=(tables.left.names, tables.right.names),
        difference=TableDifference(matching, known, threads, pair),
        notes=chosen.notes + notes_of_tables(tables, sides),
    )  # fmt: skip


def _compared(
    counts: Counts, form: SimilarityFormula | Similarity, options: Options, names: tuple[str, str],
    *, is_from_files: bool = False, **more: Any,
) -> Comparison:  # fmt: skip
    """Compare two clusterings in memory."""
    counts = counts.of_sets
    exact, pair = counts.matching(form), counts.pair
    matching = in_given_unit(exact, pair)
    with all_threads(counts.threads):
        return _comparison(
            exact.totals(options.average), matching, form, options, names,
            n_outliers=_count_outliers(pair, matching), universe=Universe.of(pair),
            clusterings=(ClusteringSummary.of(pair.left), ClusteringSummary.of(pair.right)),
            name_arrays=(pair.left.name_array(), pair.right.name_array()),
            difference=MemoryDifference.of(counts, matching, form, is_from_files=is_from_files),
            weights=Weights.of(matching, pair), **more,
        )  # fmt: skip


def _count_outliers(pair: Pair, matching: Matching) -> tuple[int, ...]:
    """Return the numbers of left, right and shared outliers, which a matching may have weighed."""
    if pair.weights is None:
        return matching[3:]
    left, right = pair.left.outlier_mask(), pair.right.outlier_mask()
    return tuple(int(np.count_nonzero(mask)) for mask in (left, right, left & right))


def _comparison(
    totals: Totals, matching: Matching, form: SimilarityFormula | Similarity, options: Options,
    names: tuple[str, str], *, n_outliers: tuple[int, ...], **more: Any,
) -> Comparison:  # fmt: skip
    """Return the comparison with these best matches, and the sums over them."""
    scored = totals, form, options.outliers, options.balance
    left, right = directions(*scored)
    n_left, n_right, n_shared = n_outliers
    return Comparison(
        score=score_of_totals(*scored), left=left, right=right,
        outliers=Outliers(n_left, n_right, n_shared, left.outliers),
        options=options, names=names, matching=matching, **more,
    )  # fmt: skip


def _check_names(names: Any) -> tuple[str, str]:
    if isinstance(names, (tuple, list)) and list(map(type, names)) == [str, str]:
        return names[0], names[1]
    raise OptionError(f"names must be two strings, not {shown(names)}")


def _check_formula(similarity: SimilarityFormula | Similarity) -> None:
    if not isinstance(similarity, SimilarityFormula):
        names = ", ".join(repr(name) for name in SIMILARITIES)
        raise OptionError(f"weights need a built-in similarity ({names}), not a function")
