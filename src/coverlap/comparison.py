"""Comparison: a score, what it is made of, and which clusters it was lost on."""

import json
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.adapters.coding import value_array
from coverlap.adapters.frames import Column, write_frame
from coverlap.clustering import Clustering, name_column, quantity
from coverlap.matching import Matching, Side
from coverlap.measures.fstar import Direction, FStar
from coverlap.universe import Pair


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
    """The objects compared: how many, by which rule, and how many only one side knew."""

    n_objects: int
    rule: str
    n_only_left: int
    n_only_right: int
    n_outliers_dropped: int


class Options(NamedTuple):
    """The options of a comparison, as given."""

    outliers: bool
    balance: float
    similarity: str
    average: str
    drop_outliers: str | None


FIELDS = {
    "side": "text", "kind": "text", "cluster": "name", "size": "integer", "match": "name",
    "match_size": "integer", "shared": "integer", "similarity": "float", "precision": "float",
    "recall": "float", "mutual": "boolean", "weight": "float", "loss": "float",
}  # fmt: skip
"""The columns of the table of clusters, and what they hold."""


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
        "left",
        "names",
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
    ) -> None:
        fields = {
            "score": parts.score, "left": parts.left, "right": parts.right,
            "options": options, "names": names, "_matching": matching,
            "_clusterings": _Clusters.of(pair), "_columns": {},
            "universe": Universe(
                pair.n_objects, pair.rule, pair.n_only_left, pair.n_only_right,
                pair.n_outliers_dropped,
            ),
            "outliers": Outliers(
                matching.n_left_outliers, matching.n_right_outliers, matching.n_shared_outliers,
                parts.left.outliers,
            ),
        }  # fmt: skip
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Comparison cannot be changed: {name}")

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
        up to 1 and the losses, weight x (1 - similarity), to 1 - score.
        """
        if not self._columns:
            self._columns.update(_table(self))
        return dict(self._columns)

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
            "clusterings": [facts._asdict() for facts in self._clusterings],
            "clusters": [dict(zip(FIELDS, row, strict=True)) for row in rows],
        }

    def to_json(self, indent: int | None = None) -> str:
        """Return everything as JSON; names that JSON does not know become text."""
        facts = self.to_dict()
        facts["clusterings"] = [
            {key: value for key, value in side.items() if key != "names"}
            for side in facts["clusterings"]
        ]
        return json.dumps(facts, indent=indent, default=str, allow_nan=False)

    def __repr__(self) -> str:
        left, right = self.n_clusters
        return (
            f"Comparison({self.measure}={self.score:.6g}, {left:,} and {right:,} clusters, "
            f"{quantity(self.universe.n_objects, 'object')})"
        )

    def __str__(self) -> str:
        from coverlap.text import plain  # rich is slow to import

        return plain(self)

    def __rich__(self) -> Any:
        from coverlap.text import renderable

        return renderable(self)


class _Clusters(NamedTuple):
    """What a comparison remembers of one clustering: nothing that is as long as its objects."""

    n_clusters: int
    n_memberships: int
    n_merged: int
    n_dropped: int
    names: list[Any]

    @classmethod
    def of(cls, pair: Pair) -> "tuple[_Clusters, _Clusters]":
        return cls._of_side(pair.left), cls._of_side(pair.right)

    @classmethod
    def _of_side(cls, side: Clustering) -> "_Clusters":
        return cls(side.n_clusters, side.n_memberships, side.n_merged, side.n_dropped, side.names)


def _table(comparison: Comparison) -> dict[str, list[Any]]:
    matching = comparison._matching
    left, right = (value_array(side.names) for side in comparison._clusterings)
    tables = [
        _side_table(
            "left", comparison.left, matching.left, matching.right, left, right,
            matching.n_left_outliers, matching.n_right_outliers, comparison,
        ),
        _side_table(
            "right", comparison.right, matching.right, matching.left, right, left,
            matching.n_right_outliers, matching.n_left_outliers, comparison,
        ),
    ]  # fmt: skip
    return {name: tables[0][name] + tables[1][name] for name in FIELDS}


def _side_table(
    name: str,
    direction: Direction,
    own: Side,
    other: Side,
    own_names: NDArray[Any],
    other_names: NDArray[Any],
    n_outliers: int,
    n_other_outliers: int,
    comparison: Comparison,
) -> dict[str, list[Any]]:
    k = len(own.sizes)
    weights = np.ones(k) if comparison.options.average == "equal" else own.sizes
    weight = direction.weight * direction.cluster_share * weights / max(weights.sum(), 1)
    found = own.match >= 0
    match_sizes = np.zeros(k, np.int64)
    match_sizes[found] = other.sizes[own.match[found]]
    mutual = np.zeros(k, bool)
    mutual[found] = other.match[own.match[found]] == np.flatnonzero(found)
    matches = [other_names[i] if i >= 0 else None for i in own.match.tolist()]
    if other_names.dtype != object:
        matches = [None if i < 0 else int(other_names[i]) for i in own.match.tolist()]
    table = {
        "side": [name] * k,
        "kind": ["cluster"] * k,
        "cluster": own_names.tolist(),
        "size": own.sizes.tolist(),
        "match": matches,
        "match_size": match_sizes.tolist(),
        "shared": own.shared.tolist(),
        "similarity": own.similarity.tolist(),
        "precision": (own.shared / own.sizes).tolist(),
        "recall": (own.shared / np.maximum(match_sizes, 1)).tolist(),
        "mutual": mutual.tolist(),
        "weight": weight.tolist(),
        "loss": (weight * (1 - own.similarity)).tolist(),
    }
    for row in _other_rows(name, direction, k, n_outliers, n_other_outliers, comparison):
        for field, value in row.items():
            table[field].append(value)
    return table


def _other_rows(
    name: str,
    direction: Direction,
    n_clusters: int,
    n_outliers: int,
    n_other_outliers: int,
    comparison: Comparison,
) -> list[dict[str, Any]]:
    """Make the row of the outliers, and the row of a side that has no clusters to count."""
    empty = {
        "side": name, "kind": "none", "cluster": None, "size": 0, "match": None, "match_size": 0,
        "shared": 0, "similarity": 0.0, "precision": 0.0, "recall": 0.0, "mutual": False,
    }  # fmt: skip
    rows = []
    if n_clusters == 0 and direction.cluster_share > 0:
        weight = direction.weight * direction.cluster_share
        rows.append({**empty, "weight": weight, "loss": weight})
    if n_outliers and direction.outlier_share > 0:
        shared = comparison.outliers.n_shared
        weight = direction.weight * direction.outlier_share
        rows.append({
            **empty, "kind": "outliers", "size": n_outliers, "match_size": n_other_outliers,
            "shared": shared, "similarity": direction.outliers, "precision": shared / n_outliers,
            "recall": shared / max(n_other_outliers, 1), "mutual": shared > 0,
            "weight": weight, "loss": weight * (1 - direction.outliers),
        })  # fmt: skip
    return rows
