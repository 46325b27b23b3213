"""Comparison: a score, its parts, and how much of it each cluster costs."""

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from coverlap.core.align import Pair
from coverlap.core.checks import check_option
from coverlap.core.errors import OptionError
from coverlap.core.frames import AnyColumn
from coverlap.core.lazy import lazy_property
from coverlap.core.memberships import Memberships
from coverlap.core.texts import Ids
from coverlap.core.threads import all_threads
from coverlap.core.wording import quantity, shown
from coverlap.counting.matching import Matching
from coverlap.counting.table_counts import TableCounts
from coverlap.explain.difference import Difference
from coverlap.measures.fstar import Direction
from coverlap.results import comparison_text
from coverlap.results.changes import Changes, find_changes
from coverlap.results.cluster_pairs import (
    ContingencyTable,
    OneToOne,
    contingency_table,
    find_one_to_one,
)
from coverlap.results.cluster_table import cluster_table
from coverlap.results.fates import Fates, find_fates
from coverlap.results.losses import Losses, find_losses
from coverlap.results.object_changes import ObjectChanges, find_object_changes
from coverlap.results.result import NameWriter
from coverlap.results.table import Tabular, rows_of
from coverlap.results.text import Block
from coverlap.results.weights import Weights, reject_weights

if TYPE_CHECKING:
    from coverlap.pictures.order import Order

LONGEST_TITLE = 1000
"""The most characters of the title of a report."""


@dataclass(frozen=True)
class Outliers:
    """The two sets of outliers: their sizes, the number of objects in both, their similarity.

    ``similarity`` is that of the left set to the right one. If the similarity is not symmetric,
    the other direction is in ``Comparison.right.outliers``.
    """

    n_left: int
    n_right: int
    n_shared: int
    similarity: float


@dataclass(frozen=True)
class Universe:
    """The objects compared: their number, and the rule that selected them.

    ``n_only_left`` and ``n_only_right`` count the objects that only one side had before the rule
    was applied.
    """

    n_objects: int
    rule: str
    n_only_left: int
    n_only_right: int
    n_outliers_dropped: int

    @classmethod
    def of(cls, pair: Pair) -> "Universe":
        """Return the universe of two aligned clusterings."""
        return cls(
            pair.n_objects, pair.rule, pair.n_only_left, pair.n_only_right,
            pair.n_outliers_dropped,
        )  # fmt: skip

    @classmethod
    def of_tables(cls, counts: TableCounts) -> "Universe":
        """Return the universe of two tables."""
        return cls(
            counts.matching.n_objects, counts.rule, counts.n_only_left, counts.n_only_right,
            counts.n_outliers_dropped,
        )  # fmt: skip


@dataclass(frozen=True)
class Options:
    """The options of a comparison."""

    outliers: bool
    balance: float
    similarity: str
    average: str
    drop_outliers: str | None


@dataclass(frozen=True)
class ClusteringSummary:
    """The numbers of clusters, memberships and objects in several clusters of one clustering."""

    n_clusters: int
    n_memberships: int
    n_merged: int
    n_dropped: int
    n_in_several: int

    @classmethod
    def of(cls, side: Memberships) -> "ClusteringSummary":
        """Return the numbers of one side of a pair of clusterings."""
        return cls(
            side.n_clusters, side.n_memberships, side.n_merged, side.n_dropped, side.n_in_several
        )


@dataclass(frozen=True, eq=False)
class Comparison(Tabular):
    """The result of `compare`: the score, its parts, and one row for each cluster.

    Attributes
    ----------
    score : float
        F*_wo, or F*_w with ``outliers=False``.
    left, right : Direction
        How well the left clusters are matched on the right, and the reverse, each with the part
        of the clusters and the part of the outliers.
    outliers : Outliers
        Sizes of the two sets of outliers, the number of objects in both, and their similarity.
    universe : Universe
        Number of objects, the rule that selected them, and how many only one side had.
    options : Options
        The options of the comparison.
    names : tuple of str
        Names of the two sides.
    clusterings : tuple of ClusteringSummary
        Numbers of clusters and memberships, of merged and dropped clusters, and of objects in
        several clusters, of each side.
    cluster_names : tuple of list
        Names of the clusters of each side, listed on first use.
    matching : Matching
        The best match of each cluster, as arrays; see `columns` for a table of it.
    difference : Difference
        Copies of both clusterings, for the tables that explain the score. They take 4 bytes on
        each side for each object (or each membership, if clusters overlap), and the ids once. Of
        tables that were compared outside memory, it is where they are, to read them again.
    edges : Comparison or None
        With a graph, the comparison of the clusterings of its edges; else None.
    notes : tuple of str
        What a reader may not expect: text labels that made outliers, sides without a common
        object, many objects that are outliers on one side only, and how clusterings of edges
        were compared.
    weights : Weights or None
        With weights of the objects, their sums over all objects and over the outliers; else None.
        ``universe``, ``outliers`` and ``clusterings`` count objects; sizes of clusters and shared
        objects in ``matching`` and in tables are sums of weights.
    """

    score: float
    left: Direction
    right: Direction
    outliers: Outliers
    universe: Universe
    options: Options
    names: tuple[str, str]
    clusterings: tuple[ClusteringSummary, ClusteringSummary]
    name_arrays: tuple[Ids, Ids] = field(repr=False)
    matching: Matching
    difference: Difference = field(compare=False, repr=False)
    edges: "Comparison | None" = None
    notes: tuple[str, ...] = ()
    weights: Weights | None = None

    @lazy_property
    def cluster_names(self) -> tuple[list[Any], list[Any]]:
        """Names of the clusters of each side."""
        left, right = self.name_arrays
        return list(left.tolist()), list(right.tolist())

    @property
    def measure(self) -> str:
        """Name of the measure."""
        return "fstar_wo" if self.options.outliers else "fstar_w"

    @property
    def sides(self) -> tuple[str, str]:
        """Names of the sides in tables: left and right if both names are the same."""
        return ("left", "right") if self.names[0] == self.names[1] else self.names

    @property
    def n_clusters(self) -> tuple[int, int]:
        """Number of clusters on the left and on the right."""
        return self.clusterings[0].n_clusters, self.clusterings[1].n_clusters

    @property
    def n_moved(self) -> int:
        """Number of objects that moved; see `objects`."""
        with all_threads(self.difference.threads):
            return self.difference.n_moved

    def columns(self) -> dict[str, list[Any]]:
        """Return the table of clusters as columns.

        It has one row for each cluster of both sides and for each side's set of outliers:
        ``side`` (its name), ``kind`` ("cluster", "outliers", or "none" for a side without clusters
        if only clusters count), ``cluster``, ``size``, ``match``, ``match_size``, ``shared``,
        ``similarity``, ``share`` (shared / size), ``match_share`` (shared / match_size),
        ``mutual`` (whether each is the best match of the other), ``weight`` and ``loss``. The
        weights add up to 1 (to 0 if there is nothing to compare) and the losses,
        weight x (1 - similarity), to 1 - score. With weights of the objects, ``size``,
        ``match_size`` and ``shared`` are sums of these.
        """
        return super().columns()

    @lazy_property
    def table(self) -> tuple[AnyColumn, ...]:
        """The table of clusters as arrays; see `columns`."""
        return cluster_table(self)

    @lazy_property
    def cluster_order(self) -> "Order":
        """The clusters in the order of pictures, block by block; the costliest block is first."""
        from coverlap.results.pictures import order_of

        return order_of(self)

    def contingency(self) -> ContingencyTable:
        """Return the pairs of clusters that share objects, the largest first.

        The columns are, for either side, ``kind`` ("cluster" or "outliers"), name, ``size`` and
        ``share`` (shared / size), and ``shared`` and ``similarity``, that of the left to the right
        set (missing for a user-defined similarity). The sets of outliers are rows, too. Columns of
        a side begin with its name. With weights of the objects, sizes and ``shared`` are sums of
        these.

        Examples
        --------
        >>> import coverlap as cv
        >>> table = cv.compare([0, 0, 0, 1, -1], ["a", "a", "b", "b", None]).contingency()
        >>> columns = table.columns()
        >>> list(zip(columns["left"], columns["right"], columns["shared"]))
        [(0, 'a', 2), (None, None, 1), (0, 'b', 1), (1, 'b', 1)]
        """
        with all_threads(self.difference.threads):
            return contingency_table(self)

    def changes(self, threshold: float = 0.5, *, same: bool = False) -> Changes:
        """Return what became of the clusters: split, merged, dissolved, new, and so on.

        Each cluster of either side is in exactly one row. *Partners* are two clusters that are
        each other's best match. A left and a right cluster are linked if the number of objects
        that they share is at least ``threshold`` times the size of the smaller one; unless they
        are partners, shared objects that are also in the partner of either one do not count. A
        row has all clusters that are linked, directly or by others.

        ``change`` is one of

        - "same": one cluster on each side, and they are equal,
        - "kept": one on each side; ``detail`` says "grown", "shrunk" or "shifted",
        - "split": one left cluster and several right ones,
        - "merged": several left clusters and one right one,
        - "mixed": several on both sides,
        - "dissolved", "scattered": less than ``threshold`` of the left objects are in a right
          cluster of this row; "dissolved" if at least half of the others are outliers,
        - "new", "gathered": less than ``threshold`` of the right objects come from a left cluster
          of this row; "new" if at least half of the others were outliers or unknown,
        - "outliers": the two sets of outliers,
        - "no clusters": a side without clusters, if only clusters count.

        The other columns are, for either side, the list of clusters, their ``sizes`` and the
        number of their ``objects``; the number of ``shared`` objects, of those ``gone`` (only on
        the left) and ``come`` (only on the right); and ``loss``. The losses add up to 1 - score.

        Parameters
        ----------
        threshold : float
            From 0 to 1. With 0, any shared object links two clusters.
        same : bool
            Whether rows of what did not change are listed, too; they are always counted.

        Notes
        -----
        These are the transitions of MONIC (Spiliopoulou et al. 2006), made symmetric: there, a
        cluster of the first clustering is followed to the second one, and overlaps are not
        considered.

        Examples
        --------
        >>> import coverlap as cv
        >>> old = {"A": {1, 2, 3, 4}, "B": {5, 6}, "C": {7, 8, 9}}
        >>> new = {"A": {1, 2}, "D": {3, 4}, "BC": {5, 6, 7, 8, 9}}
        >>> sides = [cv.Clustering.from_clusters(clusters) for clusters in (old, new)]
        >>> changes = cv.compare(*sides, names=("old", "new")).changes()
        >>> changes
        Changes(1 split, 1 merged, threshold=0.5)
        >>> columns = changes.columns()
        >>> list(zip(columns["change"], columns["old"], columns["new"]))
        [('merged', ['B', 'C'], ['BC']), ('split', ['A'], ['A', 'D'])]
        """
        reject_weights(self, "changes()")
        with all_threads(self.difference.threads):
            return find_changes(self, threshold, same=same)

    def objects(self, *, moved_only: bool = False) -> ObjectChanges:
        """Return the clusters of each object, whether it moved, and its part of the loss.

        The rows are in the order of labels, those of the left side first; ids of long frames and
        of sets are sorted. A frame of pandas has the ids as its index, so that a column can be
        assigned to data with this index; join others by ``object``.

        The columns are ``object``, its clusters on either side (lists if clusters of that side
        overlap), ``moved``, ``moved_from`` and ``moved_to`` (those of its clusters whose partner
        does not hold it), and ``loss``. An object has moved if it has such a cluster. Losses add up
        to 1 - score. Objects that stay may have a loss, too: if a cluster is split, its larger
        part lacks the objects of the smaller one, and the reverse.

        Parameters
        ----------
        moved_only : bool
            Whether only objects that moved have a row.

        Notes
        -----
        Let C be a cluster of size c and weight w, D its best match of size d, and u the size of
        their union. It puts on each object: w / u if only one of C and D has it (Jaccard);
        w / (c + d) if only one has it (F1); w / c if only C has it (precision); w / d if only D
        has it (recall). Without a match it puts w / c on each object of C. Sets of outliers are
        treated likewise. The loss of a side without clusters is spread over the objects that are
        in clusters of the other side. With weights of the objects, sizes are sums of weights, and
        the loss of an object is proportional to its weight. User-defined similarities are rejected,
        because they need not be sums over objects.

        Examples
        --------
        >>> import coverlap as cv
        >>> objects = cv.compare(list("aaaab"), [0, 0, 0, 1, 1]).objects(moved_only=True)
        >>> columns = objects.columns()
        >>> columns["object"], columns["moved_from"], columns["moved_to"]
        ([3], ['a'], [1])
        """
        with all_threads(self.difference.threads):
            return find_object_changes(self, moved_only=moved_only)

    def losses(self) -> Losses:
        """Return the loss for each reason: columns ``reason``, ``loss`` and ``share``.

        An object that only the left one of two matched clusters has is *gone*, to other clusters
        or to the outliers; an object that only the right one has is *come*. Both directions are
        added up. Two more reasons are the sets of outliers, and a side without
        clusters. The losses add up to 1 - score.

        Examples
        --------
        >>> import coverlap as cv
        >>> columns = cv.compare([0, 0, 0, 0], [0, 0, 0, -1]).losses().columns()
        >>> {why: loss for why, loss in zip(columns["reason"], columns["loss"]) if loss}
        {'gone to outliers': 0.21875, 'sets of outliers': 0.125}
        """
        with all_threads(self.difference.threads):
            return find_losses(self)

    def fates(self) -> Fates:
        """Return where the objects of each cluster are on the other side, in one line each.

        The columns are ``side``, ``cluster``, ``size`` and ``fate``.

        Examples
        --------
        >>> import coverlap as cv
        >>> print(cv.compare(list("aaab"), [0, 0, 1, 1]).fates())
        a → 0 (67 %), 1 (33 %)
        b → 1 (100 %)
        0 ← a (100 %)
        1 ← a (50 %), b (50 %)
        """
        reject_weights(self, "fates()")
        with all_threads(self.difference.threads):
            return find_fates(self)

    def one_to_one(self) -> OneToOne:
        """Return matches in which each cluster has at most one, with the most shared objects.

        The best matches, by which the score is computed, may be the same cluster for several
        others; here as many objects as possible are in matched clusters. The columns are the
        clusters of both sides (null without a match) with their ``size``, ``shared``, and
        ``best``: whether the two are also each other's best match.
        """
        reject_weights(self, "one_to_one()")
        with all_threads(self.difference.threads):
            return find_one_to_one(self)

    def write_table(self, name: str, path: str | Path, *, threshold: float = 0.5) -> None:
        """Write a table that explains the comparison to a file.

        Of tables that DuckDB compared, "contingency" and "moved" are written while DuckDB counts
        them, so that they need not fit in memory.

        Parameters
        ----------
        name : {"changes", "moved", "objects", "contingency", "fates", "one_to_one", "losses"}
            The method that returns the table; "moved" are the objects that moved.
        path : str or Path
            The file. Its suffix decides the format: .csv, .tsv, .json, .parquet or .arrow.
        threshold : float
            As in `changes`.

        Examples
        --------
        >>> from pathlib import Path
        >>> import coverlap as cv
        >>> result = cv.compare([0, 0, 0, 1], [0, 0, 1, 1], names=("old", "new"))
        >>> result.write_table("losses", "losses.csv")
        >>> Path("losses.csv").read_text().splitlines()[0]
        'reason,loss,share'
        """
        from coverlap.files.source import Source
        from coverlap.results.explanations import TABLES, table_parts
        from coverlap.results.table_files import table_format, write_parts

        check_option("name", name, tuple(TABLES))
        target = Source(path)
        form = table_format("path must be", target)
        write_parts(target, table_parts(self, name, threshold), form)

    @overload
    def to_html(
        self, path: None = None, *, title: str | None = None, command: str | None = None
    ) -> str: ...

    @overload
    def to_html(
        self, path: str | Path, *, title: str | None = None, command: str | None = None
    ) -> None: ...

    def to_html(
        self, path: str | Path | None = None, *, title: str | None = None,
        command: str | None = None,
    ) -> str | None:  # fmt: skip
        """Write a report to a file, or return it: one HTML page that needs no network.

        It has the score in words and its parts, pictures of where the objects are, tables of the
        changes, the clusters and the objects that moved, which can be sorted and filtered, and
        the settings. It has less than 4 MB; tables that do not fit have their costliest rows.

        Parameters
        ----------
        path : str or Path, optional
            The file to write; one that ends in ``.gz`` is compressed. Without it, the page is
            returned.
        title : str, optional
            By default the names of both sides.
        command : str, optional
            How the comparison was made, for the end of the report.

        Examples
        --------
        >>> import coverlap as cv
        >>> result = cv.compare([0, 0, 0, 1], [0, 0, 1, 1], names=("truth", "found"))
        >>> result.to_html("report.html")
        >>> result.to_html(title="Run 7")[:15]
        '<!DOCTYPE html>'
        """
        from coverlap.clustering.write import open_target
        from coverlap.files.source import Source
        from coverlap.results.report import report_html

        reject_weights(self, "to_html()")
        for name, value in (("title", title), ("command", command)):
            if not isinstance(value, (str, type(None))):
                raise OptionError(f"{name} must be a str, not {shown(value)}")
        if title and len(title) > LONGEST_TITLE:
            raise OptionError(
                f"title must have at most {LONGEST_TITLE:,} characters, not {len(title):,}"
            )
        with all_threads(self.difference.threads):
            read = replace(self, difference=self.difference.read())
            page = report_html(read, title, command)
        if path is None:
            return page
        with open_target(Source(path)) as file:
            file.write(page.encode())
        return None

    def _facts(self, write_name: NameWriter) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "score": self.score,
            "names": list(self.names),
            "options": asdict(self.options),
            "left": asdict(self.left),
            "right": asdict(self.right),
            "outliers": asdict(self.outliers),
            "universe": asdict(self.universe),
            "weights": None if self.weights is None else asdict(self.weights),
            "clusterings": [asdict(side) for side in self.clusterings],
            "clusters": rows_of(self.table, write_name),
            "edges": None if self.edges is None else Comparison._facts(self.edges, write_name),
            "notes": list(self.notes),
        }

    def _blocks(self) -> list[Block]:
        return comparison_text.blocks(self)

    def __repr__(self) -> str:
        left, right = self.n_clusters
        edges = "" if self.edges is None else f", of edges {self.edges.score:.6g}"
        weighted = "" if self.weights is None else ", weighted"
        return (
            f"Comparison({self.measure}={self.score:.6g}{edges}, {left:,} and {right:,} clusters, "
            f"{quantity(self.universe.n_objects, 'object')}{weighted})"
        )
