"""Clustering: a set of clusters over a universe of objects."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from coverlap.core.align import check_can_be_written_out
from coverlap.core.column_names import USUAL_CLUSTER
from coverlap.core.errors import InputError, InputTypeError, UniverseError
from coverlap.core.frames import value_column, write_frame
from coverlap.core.html import N_ROWS, document, paragraph, table
from coverlap.core.incidence import Runs, narrowest
from coverlap.core.memberships import Duplicates, Memberships, keeps_duplicates
from coverlap.core.objects import Objects, locate
from coverlap.core.texts import Ids
from coverlap.core.values import NEGATIVE, is_continuous, outlier_test, value_array
from coverlap.core.wording import quantity, shown, some, text_of
from coverlap.inputs.columns import is_column
from coverlap.inputs.frames import (
    OBJECT,
    is_frame,
    read_frame,
    read_series,
)
from coverlap.inputs.labels import read_labels
from coverlap.inputs.libraries import find_reader
from coverlap.inputs.links import read_links
from coverlap.inputs.matrices import is_sparse, read_matrix
from coverlap.inputs.sets import read_clusters, read_ids, read_memberships


@dataclass(frozen=True, eq=False, repr=False)
class Clustering:
    """An immutable set of clusters over a universe of objects.

    Clusters may overlap, and objects of the universe that are in no cluster are outliers. Make
    one with `from_labels`, `from_clusters`, `from_memberships`, `from_links`, `from_matrix` or
    `from_frame`.
    Empty clusters are dropped and equal ones merged; `n_dropped` and `n_merged` count them. With
    ``duplicates="keep"``, equal clusters are kept for the measures that count them.

    Examples
    --------
    >>> import coverlap as cv
    >>> cv.Clustering.from_labels([0, 0, 1, 1, -1])
    Clustering(5 objects, 2 clusters, 1 outlier)
    >>> cv.Clustering.from_clusters([{"a", "b"}, {"b", "c"}], universe=["a", "b", "c", "d"])
    Clustering(4 objects, 2 clusters, 4 memberships, 1 outlier, overlapping)
    """

    memberships: Memberships = None  # type: ignore[assignment]  # rejected below
    """The memberships as integer arrays, which engines count."""

    def __post_init__(self) -> None:
        if not isinstance(self.memberships, Memberships):
            raise InputTypeError(
                "a Clustering is made by from_labels, from_clusters, from_memberships, from_links, "
                "from_matrix or from_frame, or by coverlap.as_clustering"
            )
        object.__setattr__(self, "memberships", self.memberships.distinct())

    @classmethod
    def from_labels(
        cls, labels: Any, *, objects: Iterable[Any] | None = None, outlier_label: Any = NEGATIVE
    ) -> Self:
        """Make a clustering from one label per object.

        Parameters
        ----------
        labels : array, list or Series of labels
            Any hashable labels. Integer labels need not be consecutive.
        objects : iterable of ids, optional
            The id of each object; by default 0..n-1, or the index of a pandas Series.
        outlier_label : label or collection of labels, optional
            The labels of outliers, instead of the negative integers. Missing values (None, NaN,
            NA, NaT, masked) are always outliers. Text means the number or the missing value that
            it spells, as in files: ``"-1"`` and ``"nan"`` are outliers, and ``"0"`` is a name.

        Examples
        --------
        >>> import coverlap as cv
        >>> cv.Clustering.from_labels(["B", "T", None, "T"]).to_clusters()
        [{0}, {1, 3}]
        >>> cv.Clustering.from_labels([0, 1, 1], outlier_label=0).to_clusters()
        [{1, 2}]
        """
        if is_sparse(labels) or is_frame(labels):
            raise InputTypeError(
                f"labels must be a sequence, not {type(labels).__name__}; "
                "say Clustering.from_matrix(m) or Clustering.from_frame(frame)"
            )
        if is_column(labels):
            parts = read_series(labels, outlier_label=outlier_label, where="labels")
        else:
            parts = read_labels(labels, outlier_label=outlier_label)
        if objects is not None:
            ids = read_ids(objects, "objects")
            if len(ids) != parts.objects.n:
                raise InputError(f"labels: {parts.objects.n:,} labels for {len(ids):,} objects")
            parts = replace(parts, objects=Objects(len(ids), ids, "id"))
        return cls(parts)

    @classmethod
    def _made(cls, memberships: Memberships, duplicates: str) -> Self:
        return cls(replace(memberships, keeps_duplicates=keeps_duplicates(duplicates)))

    @classmethod
    def from_clusters(
        cls, clusters: Any, *, universe: Any = None, duplicates: Duplicates = "merge"
    ) -> Self:
        """Make a clustering from its clusters.

        Parameters
        ----------
        clusters : iterable of collections of ids, or dict of name to collection of ids
            Or a result of a library that `as_clustering` reads.
        universe : iterable of ids or int, optional
            All objects; a number n means the ids 0..n-1. By default, all members.
        duplicates : {"merge", "keep"}
            Whether equal clusters are merged, or kept for the measures that count each of them:
            Omega, overlapping NMI, ECS and extended B-cubed. F* and all other measures compare
            sets of clusters, and merge them in any case.

        Examples
        --------
        >>> import coverlap as cv
        >>> cv.Clustering.from_clusters({"odd": [1, 3], "prime": [2, 3]}, universe=5)
        Clustering(5 objects, 2 clusters, 4 memberships, 2 outliers, overlapping)

        Keep a cluster that is listed twice:

        >>> twice = cv.Clustering.from_clusters([{0, 1, 2}, {0, 1, 2}, {3, 4}], duplicates="keep")
        >>> once = cv.Clustering.from_clusters([{0, 1, 2}, {3, 4}])
        >>> cv.omega_score(twice, once), cv.fstar_score(twice, once)
        (0.5, 1.0)
        """
        reader = find_reader(clusters)  # whose objects may have other ids than the items
        if reader is not None and not is_column(clusters):
            found = cls._made(reader(clusters, "clusters", NEGATIVE), duplicates)
            if universe is None:
                return found
            clusters = found.to_dict()
        return cls._made(read_clusters(clusters, universe=universe), duplicates)

    @classmethod
    def from_links(cls, links: Any, *, objects: Any = None) -> Self:
        """Make a clustering from links between objects, such as records of the same entity.

        A cluster is what links connect, directly or in several steps.

        Parameters
        ----------
        links : iterable of pairs of ids, or pandas MultiIndex of two levels
            As the classifiers of recordlinkage return them. Both ids are from the same set; if
            they come from two tables, make the ids of the tables different.
        objects : iterable of ids or int, optional
            All objects; one without a link is a cluster of its own. A number n means the ids
            0..n-1. By default, the objects with a link.

        Examples
        --------
        >>> import coverlap as cv
        >>> cv.Clustering.from_links([(1, 2), (2, 5)], objects=[1, 2, 3, 4, 5]).to_clusters()
        [{1, 2, 5}, {3}, {4}]
        """
        return cls(read_links(links, objects=objects))

    @classmethod
    def from_memberships(
        cls,
        memberships: Any,
        *,
        universe: Any = None,
        outlier_label: Any = NEGATIVE,
        duplicates: Duplicates = "merge",
    ) -> Self:
        """Make a clustering from pairs of object and cluster.

        Parameters
        ----------
        memberships : iterable of (object, cluster) pairs, or dict of object to its cluster(s)
            An object with a missing cluster, or with no clusters, is an outlier.
        universe : iterable of ids or int, optional
            All objects; a number n means the ids 0..n-1. By default, the objects mentioned.
        outlier_label : label or collection of labels, optional
            As in `from_labels`.
        duplicates : {"merge", "keep"}
            As in `from_clusters`.

        Examples
        --------
        >>> import coverlap as cv
        >>> cv.Clustering.from_memberships({"ann": ["x", "y"], "bob": "x", "cyd": []})
        Clustering(3 objects, 2 clusters, 3 memberships, 1 outlier, overlapping)
        """
        read = read_memberships(memberships, outlier_label=outlier_label, universe=universe)
        return cls._made(read, duplicates)

    @classmethod
    def from_matrix(
        cls,
        matrix: Any,
        *,
        rows: Literal["clusters", "objects"] | None = None,
        threshold: float | None = None,
        duplicates: Duplicates = "merge",
    ) -> Self:
        """Make a clustering from a membership matrix.

        Parameters
        ----------
        matrix : SciPy sparse matrix or 2-D array
            One is a membership and zero, stored or masked or not, is none. Other values, such as
            probabilities, need a threshold.
        rows : {"clusters", "objects"}, optional
            Whether rows are clusters, which is the default, or objects. It must be given for a
            dense array with a threshold, since probabilities usually have a row for each object.
        threshold : float, optional
            A number above 0: every value >= threshold is a membership. Repeated entries of a
            sparse matrix are added up first, as SciPy does.
        duplicates : {"merge", "keep"}
            As in `from_clusters`.

        Examples
        --------
        >>> import numpy as np
        >>> import coverlap as cv
        >>> m = np.array([[1, 0], [1, 1], [0, 0]])
        >>> cv.Clustering.from_matrix(m, rows="objects").to_clusters()
        [{0, 1}, {1}]

        Probabilities, of which an object may have several that are large enough:

        >>> soft = np.array([[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]])
        >>> cv.Clustering.from_matrix(soft, rows="objects", threshold=0.5).to_clusters()
        [{0, 1}, {1, 2}]
        """
        return cls._made(read_matrix(matrix, rows=rows, threshold=threshold), duplicates)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        object: Any = OBJECT,
        cluster: Any = USUAL_CLUSTER,
        universe: Any = None,
        outlier_label: Any = NEGATIVE,
        duplicates: Duplicates = "merge",
    ) -> Self:
        """Make a clustering from two columns of a frame, or from one column and the rows.

        Parameters
        ----------
        frame : pandas, polars or Arrow frame, DuckDB relation, or AnnData
            A long frame, with one membership per row. Of an AnnData, ``obs`` is read.
        object : name of a column or None, optional
            The column of object ids, by default ``"object"`` or, if there is none, the only one
            called ``unique_id``, ``record_id``, ``node``, ``id`` or ``name``. With None, each row
            is an object with at most one cluster; its id is its index in pandas, which must not
            repeat, and its position in other frames. None is the default for an AnnData, whose
            objects are the ``obs_names``, and for a pandas frame with an index of text and no
            column ``"object"``.
        cluster : name of a column
            The column of cluster names, by default ``"cluster"`` or, if there is none, the only
            one called ``cluster_id``, ``label``, ``community`` or ``component``; `describe` shows
            which was used. Unused categories are ignored.
        universe : iterable of ids or int, optional
            As in `from_memberships`.
        outlier_label : label or collection of labels, optional
            As in `from_labels`; the object of a row with a null cluster is an outlier, too.
        duplicates : {"merge", "keep"}
            As in `from_clusters`.

        Examples
        --------
        >>> import pandas as pd
        >>> import coverlap as cv
        >>> frame = pd.DataFrame({"record": [7, 8, 9], "entity": ["e1", "e1", None]})
        >>> cv.Clustering.from_frame(frame, object="record", cluster="entity")
        Clustering(3 objects, 1 cluster, 2 memberships, 1 outlier)

        The columns of a table with one row per object, such as ``adata.obs``, or ``adata`` itself:

        >>> obs = pd.DataFrame({"leiden": ["0", "1", "1"]}, index=["ACGT", "CGTA", "GTAC"])
        >>> cv.Clustering.from_frame(obs, cluster="leiden").objects
        ['ACGT', 'CGTA', 'GTAC']
        """
        read = read_frame(
            frame, object=object, cluster=cluster, outlier_label=outlier_label,
            universe=universe, where="frame",
        )  # fmt: skip
        return cls._made(read, duplicates)

    @property
    def n_objects(self) -> int:
        """Number of objects in the universe, outliers included."""
        return self.memberships.n_objects

    @property
    def n_clusters(self) -> int:
        """Number of non-empty clusters; duplicates count only if they are kept."""
        return self.memberships.n_clusters

    @property
    def n_memberships(self) -> int:
        """Number of (object, cluster) pairs."""
        return self.memberships.n_memberships

    @property
    def n_outliers(self) -> int:
        """Number of objects in no cluster."""
        return self.memberships.n_outliers

    @property
    def n_in_several(self) -> int:
        """Number of objects in several clusters."""
        return self.memberships.n_in_several

    @property
    def n_dropped(self) -> int:
        """Number of empty clusters that were dropped."""
        return self.memberships.n_dropped

    @property
    def n_merged(self) -> int:
        """Number of clusters that were merged into an equal one."""
        return self.memberships.n_merged

    @property
    def has_overlaps(self) -> bool:
        """Whether some object is in two clusters."""
        return self.memberships.has_overlaps

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Size of each cluster, in cluster order."""
        return self.memberships.sizes

    @property
    def names(self) -> list[Any]:
        """Name of each cluster, in cluster order; an unnamed cluster is named by its position."""
        return self.memberships.names

    @property
    def objects(self) -> list[Any]:
        """Id of each object."""
        return list(self.memberships.ids().tolist())

    def restrict(self, objects: Iterable[Any]) -> Self:
        """Return the clustering of some of the objects.

        Clusters that become empty are dropped, and clusters that become equal are merged, unless
        duplicates are kept.

        Examples
        --------
        >>> import coverlap as cv
        >>> c = cv.Clustering.from_clusters([{1, 2}, {2, 3}, {4}])
        >>> c.restrict([2, 4]).to_clusters()
        [{2}, {4}]
        """
        ids = read_ids(objects, "objects")
        found = locate(ids, self.memberships.ids())
        if np.any(found < 0):
            others = some(ids[found < 0].tolist())
            raise UniverseError(f"objects must be some of the clustering's own, not {others}")
        position = np.full(self.n_objects, -1)
        position[found] = np.arange(len(ids))
        return type(self)(self.memberships.moved(position, Objects(len(ids), ids, "id")))

    def to_labels(self) -> NDArray[Any]:
        """Return one label per object; raise an error if clusters overlap.

        Integer names give an integer array with -1 for outliers, other names an array of Python
        objects with None for outliers. A name that is no label, such as -1 or None, is an error.

        Examples
        --------
        >>> import coverlap as cv
        >>> cv.Clustering.from_clusters([{0, 2}, {3}], universe=4).to_labels().tolist()
        [0, -1, 0, 1]
        """
        if self.has_overlaps:
            raise InputError("labels cannot say that clusters overlap; use to_clusters or to_frame")
        check_can_be_written_out(self.n_objects)
        names = self._label_names("labels")
        labels = np.full(self.n_objects, -1 if names.dtype != object else None)
        pointers, members = self.memberships.runs
        labels[members] = names[np.repeat(np.arange(self.n_clusters), np.diff(pointers))]
        return labels

    def to_clusters(self) -> list[set[Any]]:
        """Return the clusters as sets of object ids, in cluster order."""
        pointers, members = self.memberships.runs
        objects = self.memberships.objects
        ids = (members if objects.ids is None else self.memberships.ids()[members]).tolist()
        bounds = pointers.tolist()
        return [set(ids[a:b]) for a, b in pairwise(bounds)]

    def to_dict(self) -> dict[Any, set[Any]]:
        """Return the clusters as a dict of name to set of object ids."""
        return dict(zip(self.names, self.to_clusters(), strict=True))

    def to_matrix(self) -> Any:
        """Return a sparse boolean array, clusters x objects."""
        from scipy.sparse import csr_array

        pointers, members = self.memberships.runs
        index = narrowest(max(self.n_objects, len(members)))
        data = np.ones(len(members), bool)
        shape = (self.n_clusters, self.n_objects)
        return csr_array((data, members.astype(index), pointers.astype(index)), shape=shape)

    def to_frame(self, library: str | None = None) -> Any:
        """Return a long frame of (object, cluster) rows; outliers have a null cluster.

        `from_frame` makes the same clustering of it. Ids and names that no type of column holds
        are Python objects in a frame of pandas or polars, and an error in one of Arrow, as is a
        name that is no label, such as -1 or None, in every frame.

        Parameters
        ----------
        library : {"pandas", "polars", "arrow"}, optional
            By default the first of these that is imported, or else installed.
        """
        check_can_be_written_out(self.n_objects)
        pointers, members = self.memberships.runs
        outliers = np.flatnonzero(self.memberships.outlier_mask())
        ids = self.memberships.ids()
        names = self._label_names("a frame")
        clusters = names[np.repeat(np.arange(self.n_clusters), np.diff(pointers))].tolist()
        return write_frame(
            [
                value_column("object", ids[np.concatenate((members, outliers))].tolist()),
                value_column("cluster", clusters + [None] * len(outliers)),
            ],
            library,
        )

    def _label_names(self, what: str) -> Ids:
        """Return the names, or raise an error if one of them would not be read as a label."""
        names = value_array(self.names)
        means_outlier = outlier_test(NEGATIVE)
        for name in names.tolist():
            if means_outlier(name) or is_continuous(name):
                raise InputError(
                    f"cluster {shown(name)} cannot be written to {what}, because that value would "
                    "not be read as the name of a cluster; use to_dict or to_clusters"
                )
        return names

    def describe(self) -> str:
        """Return a summary: numbers, sizes, and what was merged or dropped when it was made.

        For a clustering from a file, the first line says how the file was read.

        Examples
        --------
        >>> import coverlap as cv
        >>> print(cv.Clustering.from_clusters([{1, 2}, {2, 1}, {2, 3}, set()]).describe())
        3 objects, 2 clusters, 4 memberships
        0 outliers; 1 object in several clusters (2 at most)
        cluster sizes: 2 to 2, median 2
        1 duplicate cluster merged, 1 empty cluster dropped
        """
        several = self.n_in_several
        most = self.memberships.clusters_per_object().max() if several else 1
        lines = [f"read as: {self.memberships.origin}"] if self.memberships.origin else []
        lines += [
            ", ".join([
                quantity(self.n_objects, "object"), quantity(self.n_clusters, "cluster"),
                quantity(self.n_memberships, "membership"),
            ]),
            quantity(self.n_outliers, "outlier")
            + f"; {quantity(several, 'object')} in several clusters"
            + (f" ({most} at most)" if several else ""),
        ]  # fmt: skip
        if self.n_clusters:
            low, middle, high = np.quantile(self.sizes, [0, 0.5, 1])
            lines.append(f"cluster sizes: {low:,.0f} to {high:,.0f}, median {middle:,.10g}")
        n_duplicates = self.n_clusters - self.memberships.as_set().n_clusters
        if n_duplicates or self.n_merged or self.n_dropped:
            lines.append(
                f"{quantity(n_duplicates or self.n_merged, 'duplicate cluster')} "
                f"{'kept' if n_duplicates else 'merged'}, "
                f"{quantity(self.n_dropped, 'empty cluster')} dropped"
            )
        return "\n".join(lines)

    def __repr__(self) -> str:
        facts = [quantity(self.n_objects, "object"), quantity(self.n_clusters, "cluster")]
        if self.memberships.listed or isinstance(self.memberships.incidence, Runs):
            facts.append(quantity(self.n_memberships, "membership"))
        if self.n_outliers:
            facts.append(quantity(self.n_outliers, "outlier"))
        if self.has_overlaps:
            facts.append("overlapping")
        return f"Clustering({', '.join(facts)})"

    def _repr_html_(self) -> str:
        """Return `describe` and a table of the largest clusters as HTML, which notebooks show."""
        sizes, names = self.sizes, self.names
        largest = np.argsort(-sizes, kind="stable")[:N_ROWS].tolist()
        rows = [[text_of(names[i]), f"{sizes[i]:,}"] for i in largest]
        parts = [paragraph([("Clustering", "bold"), f"\n{self.describe()}"])]
        if rows:
            columns = [("cluster", "name"), ("size", "number")]
            parts.append(table(columns, rows, len(sizes) - len(rows)))
        return document(parts)

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same objects and the same clusters, whatever their names."""
        if not isinstance(other, Clustering):
            return NotImplemented
        if hash(self) != hash(other):
            return False
        own = self.memberships
        position = None
        if own.objects.ids is not None or other.memberships.objects.ids is not None:
            position = locate(other.memberships.ids(), own.ids())
            if np.any(position < 0):
                return False
        return _as_bytes(own) == _as_bytes(other.memberships.moved(position, own.objects))

    def __hash__(self) -> int:
        return hash((self.n_objects, self.n_clusters, self.n_memberships))


def _as_bytes(memberships: Memberships) -> list[bytes]:
    """Return each cluster as the bytes of its members, sorted."""
    pointers, members = memberships.runs
    wide = members.astype(np.int64)
    return sorted(wide[a:b].tobytes() for a, b in pairwise(pointers.tolist()))
