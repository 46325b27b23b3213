"""Comparison: a score, what it is made of, and which clusters it was lost on."""

import json
from itertools import chain
from types import NoneType
from typing import Any, NamedTuple

from coverlap.core.frames import Column, name_column, write_frame
from coverlap.core.memberships import Memberships
from coverlap.core.universe import Pair
from coverlap.core.wording import quantity
from coverlap.counting.matching import Matching
from coverlap.measures.fstar import Direction, FStar
from coverlap.results.cluster_table import FIELDS, cluster_table


class Outliers(NamedTuple):
    """The two sets of outliers: their sizes, what they share, and how similar they are.

    ``similarity`` is the left set's to the right one; only an asymmetric similarity makes a
    difference, and then ``Comparison.right.outliers`` has the other.
    """

    n_left: int
    n_right: int
    n_shared: int
    similarity: float


class Universe(NamedTuple):
    """The objects compared: how many, and by which rule.

    ``n_only_left`` and ``n_only_right`` count what only one side knew, before the rule chose.
    """

    n_objects: int
    rule: str
    n_only_left: int
    n_only_right: int
    n_outliers_dropped: int

    @classmethod
    def of(cls, pair: Pair) -> "Universe":
        """Tell what two clusterings are compared on."""
        return cls(
            pair.n_objects, pair.rule, pair.n_only_left, pair.n_only_right,
            pair.n_outliers_dropped,
        )  # fmt: skip


class Options(NamedTuple):
    """The options of a comparison, as given."""

    outliers: bool
    balance: float
    similarity: str
    average: str
    drop_outliers: str | None


class Comparison:
    """The result of `compare`: the score, its parts, and one row for each cluster.

    Attributes
    ----------
    score : float
        F*_wo, or F*_w with ``outliers=False``.
    left, right : Direction
        How well the left clusters find matches on the right, and the other way round, each with
        its cluster part and its outlier part.
    outliers : Outliers
        Sizes of the two sets of outliers, how many objects they share, and their similarity.
    universe : Universe
        Number of objects, the rule that chose them, and how many only one side knew.
    options : Options
        What the comparison was asked for.
    names : tuple of str
        What the two sides are called.
    n_clusters : tuple of int
        Number of clusters on the left and on the right.
    edges : Comparison or None
        With a graph, the comparison of the clusterings of its edges; else None.
    notes : tuple of str
        What else there is to know about the input.

    Examples
    --------
    >>> import coverlap as cv
    >>> result = cv.compare([0, 0, 0, 1, 1, -1], [0, 0, 1, 1, 1, 1])
    >>> result.score
    0.5277777777777778
    >>> result.right.clusters
    0.5555555555555556
    >>> rows = result.to_dict()["clusters"]
    >>> rows[0]["match"], rows[0]["shared"], rows[0]["similarity"]
    (0, 2, 0.6666666666666666)
    >>> abs(sum(row["loss"] for row in rows) - (1 - result.score)) < 1e-12
    True
    """

    __slots__ = (
        "_clusterings",
        "_columns",
        "_matching",
        "edges",
        "left",
        "names",
        "notes",
        "options",
        "outliers",
        "right",
        "score",
        "universe",
    )  # fmt: skip

    score: float
    left: Direction
    right: Direction
    outliers: Outliers
    universe: Universe
    options: Options
    names: tuple[str, str]
    edges: "Comparison | None"
    notes: tuple[str, ...]
    _matching: Matching
    _clusterings: "tuple[_Clusters, _Clusters]"
    _columns: dict[str, list[Any]]

    def __init__(
        self,
        pair: Pair,
        matching: Matching,
        parts: FStar,
        options: Options,
        names: tuple[str, str] = ("left", "right"),
        edges: "Comparison | None" = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        fields = {
            "score": parts.score, "left": parts.left, "right": parts.right,
            "options": options, "names": names, "edges": edges, "notes": notes,
            "_matching": matching,
            "_clusterings": _Clusters.of(pair), "_columns": {},
            "universe": Universe.of(pair),
            "outliers": Outliers(
                matching.n_left_outliers, matching.n_right_outliers, matching.n_shared_outliers,
                parts.left.outliers,
            ),
        }  # fmt: skip
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Comparison cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Comparison cannot be changed: {name}")

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)

    @property
    def measure(self) -> str:
        """Name of the measure."""
        return "fstar_wo" if self.options.outliers else "fstar_w"

    @property
    def n_clusters(self) -> tuple[int, int]:
        """Number of clusters on the left and on the right."""
        return len(self._matching.left.sizes), len(self._matching.right.sizes)

    def columns(self) -> dict[str, list[Any]]:
        """Return the table of clusters as columns.

        One row for each cluster of both sides and for each side's set of outliers: ``side``,
        ``kind`` ("cluster", "outliers", or "none" for a side without clusters where these are
        all that counts), ``cluster``, ``size``, ``match``, ``match_size``, ``shared``,
        ``similarity``, ``precision`` (shared / size), ``recall`` (shared / match_size),
        ``mutual`` (each is the other's best match), ``weight`` and ``loss``. The weights add
        up to 1 (to 0 where there is nothing to compare) and the losses, weight x (1 - similarity),
        to 1 - score.
        """
        if not self._columns:
            names = self._clusterings[0].names, self._clusterings[1].names
            parts = FStar(self.score, self.left, self.right)
            table = cluster_table(self._matching, parts, names, self.options.average)
            self._columns.update(table)
        return {name: values.copy() for name, values in self._columns.items()}

    def to_frame(self, library: str | None = None) -> Any:
        """Return the table of clusters as a frame; see `columns`.

        Parameters
        ----------
        library : {"pandas", "polars", "arrow"}, optional
            By default the first of these that is imported, or else installed.
        """
        columns = self.columns()
        both = name_column("both", columns["cluster"] + columns["match"])
        half = len(columns["cluster"])
        kinds = {**FIELDS, "cluster": both.kind, "match": both.kind}
        values = {**columns, "cluster": both.items[:half], "match": both.items[half:]}
        return write_frame([Column(name, values[name], kinds[name]) for name in FIELDS], library)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists and numbers."""
        columns = self.columns()
        rows = zip(*(columns[name] for name in FIELDS), strict=True)
        return {
            "measure": self.measure,
            "score": self.score,
            "names": list(self.names),
            "options": self.options._asdict(),
            "left": self.left._asdict(),
            "right": self.right._asdict(),
            "outliers": self.outliers._asdict(),
            "universe": self.universe._asdict(),
            "clusterings": [side.facts() for side in self._clusterings],
            "clusters": [dict(zip(FIELDS, row, strict=True)) for row in rows],
            "edges": None if self.edges is None else self.edges.to_dict(),
            "notes": list(self.notes),
        }

    def to_json(self, indent: int | None = None) -> str:
        """Return everything as JSON; names that are neither integers nor strings become text."""
        facts = self.to_dict()
        for row in chain(facts["clusters"], (facts["edges"] or {}).get("clusters", ())):
            for name in ("cluster", "match"):
                if not isinstance(row[name], (int, str, NoneType)):
                    row[name] = str(row[name])
        return json.dumps(facts, indent=indent, allow_nan=False)

    def __repr__(self) -> str:
        left, right = self.n_clusters
        edges = "" if self.edges is None else f", of edges {self.edges.score:.6g}"
        return (
            f"Comparison({self.measure}={self.score:.6g}{edges}, {left:,} and {right:,} clusters, "
            f"{quantity(self.universe.n_objects, 'object')})"
        )

    def __str__(self) -> str:
        from coverlap.results.text import plain  # rich is slow to import

        return plain(self)

    def __rich__(self) -> Any:
        from coverlap.results.text.comparison import renderable

        return renderable(self)


class _Clusters(NamedTuple):
    """What a comparison remembers of one clustering: nothing that is as long as its objects."""

    n_clusters: int
    n_memberships: int
    n_merged: int
    n_dropped: int
    names: list[Any]

    def facts(self) -> dict[str, int]:
        """Return the numbers; the names are in the table of clusters."""
        facts = self._asdict()
        del facts["names"]
        return facts

    @classmethod
    def of(cls, pair: Pair) -> "tuple[_Clusters, _Clusters]":
        return cls._of_side(pair.left), cls._of_side(pair.right)

    @classmethod
    def _of_side(cls, side: Memberships) -> "_Clusters":
        return cls(side.n_clusters, side.n_memberships, side.n_merged, side.n_dropped, side.names)
