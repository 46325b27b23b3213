"""Comparison: a score, its parts, and how much of it each cluster costs."""

from dataclasses import asdict, dataclass
from typing import Any

from coverlap.core.align import Pair
from coverlap.core.memberships import Memberships
from coverlap.core.wording import quantity
from coverlap.counting.matching import Matching
from coverlap.measures.fstar import Direction
from coverlap.results import comparison_text
from coverlap.results.cluster_table import KINDS, cluster_table
from coverlap.results.result import NameWriter, Result
from coverlap.results.text import Block


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
class Comparison(Result):
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
        Names of the clusters of each side.
    matching : Matching
        The best match of each cluster, as arrays; see `columns` for a table of it.
    edges : Comparison or None
        With a graph, the comparison of the clusterings of its edges; else None.
    notes : tuple of str
        What a reader may not expect: text labels that made outliers, sides without a common
        object, many objects that are outliers on one side only, and how clusterings of edges
        were compared.
    """

    KINDS = KINDS

    score: float
    left: Direction
    right: Direction
    outliers: Outliers
    universe: Universe
    options: Options
    names: tuple[str, str]
    clusterings: tuple[ClusteringSummary, ClusteringSummary]
    cluster_names: tuple[list[Any], list[Any]]
    matching: Matching
    edges: "Comparison | None" = None
    notes: tuple[str, ...] = ()

    @property
    def measure(self) -> str:
        """Name of the measure."""
        return "fstar_wo" if self.options.outliers else "fstar_w"

    @property
    def n_clusters(self) -> tuple[int, int]:
        """Number of clusters on the left and on the right."""
        return self.clusterings[0].n_clusters, self.clusterings[1].n_clusters

    def columns(self) -> dict[str, list[Any]]:
        """Return the table of clusters as columns.

        It has one row for each cluster of both sides and for each side's set of outliers:
        ``side``, ``kind`` ("cluster", "outliers", or "none" for a side without clusters if only
        clusters count), ``cluster``, ``size``, ``match``, ``match_size``, ``shared``,
        ``similarity``, ``precision`` (shared / size), ``recall`` (shared / match_size),
        ``mutual`` (whether each is the best match of the other), ``weight`` and ``loss``. The
        weights add up to 1 (to 0 if there is nothing to compare) and the losses,
        weight x (1 - similarity), to 1 - score.
        """
        return cluster_table(self)

    def _facts(self, write_name: NameWriter) -> dict[str, Any]:
        columns = self.columns()
        for name in ("cluster", "match"):
            columns[name] = list(map(write_name, columns[name]))
        rows = zip(*columns.values(), strict=True)
        return {
            "measure": self.measure,
            "score": self.score,
            "names": list(self.names),
            "options": asdict(self.options),
            "left": asdict(self.left),
            "right": asdict(self.right),
            "outliers": asdict(self.outliers),
            "universe": asdict(self.universe),
            "clusterings": [asdict(side) for side in self.clusterings],
            "clusters": [dict(zip(columns, row, strict=True)) for row in rows],
            "edges": None if self.edges is None else Comparison._facts(self.edges, write_name),
            "notes": list(self.notes),
        }

    def _blocks(self) -> list[Block]:
        return comparison_text.blocks(self)

    def __repr__(self) -> str:
        left, right = self.n_clusters
        edges = "" if self.edges is None else f", of edges {self.edges.score:.6g}"
        return (
            f"Comparison({self.measure}={self.score:.6g}{edges}, {left:,} and {right:,} clusters, "
            f"{quantity(self.universe.n_objects, 'object')})"
        )
