"""Memberships: which objects are in which clusters, and what both are called."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from coverlap.core.checks import check_option
from coverlap.core.incidence import (
    Codes,
    Incidence,
    Runs,
    code_sizes,
    copied,
    distinct_runs,
    frozen,
    move,
    n_in_several_runs,
    narrowest,
    numbers_of_codes,
    numbers_of_runs,
    outliers_of_runs,
    refrozen,
    runs_of_codes,
    transposed,
    with_clusters,
)
from coverlap.core.lazy import lazy_property
from coverlap.core.objects import Objects, check_distinct
from coverlap.core.texts import Ids

Duplicates = Literal["merge", "keep"]
DUPLICATES: tuple[str, ...] = get_args(Duplicates)

MANY_OBJECTS = 2**24
"""From this many objects on, those that are in no cluster may be too many for an array."""


def keeps_duplicates(duplicates: str) -> bool:
    """Return whether an option says to keep equal clusters; raise an error for unknown values."""
    check_option("duplicates", duplicates, DUPLICATES)
    return duplicates == "keep"


@dataclass(frozen=True, eq=False)
class Memberships:
    """The content of a clustering: what readers return and engines count.

    Attributes
    ----------
    incidence : Codes or Runs
        Which object is in which cluster, both by number.
    objects : Objects
        How many objects there are, and their ids.
    code_names : array or None
        The name of each code or run, used or not; None if the number is the name.
    n_dropped, n_merged : int
        Number of empty clusters dropped, and of clusters merged into an equal one.
    origin : str
        How a file, or a frame with other columns than asked for, was read; empty for other inputs.
    from_file : bool
        Whether ids come from a file, so that their types are those of all files read together.
    keeps_duplicates : bool
        Whether equal clusters are kept instead of merged.
    outlier_texts : tuple
        The labels that are text and mean outliers because of the value that they spell ("-1").
    listed : bool
        Whether the input lists the members of clusters, or pairs; then codes are used only for
        speed, and the clustering is shown and shuffled as runs are.
    """

    incidence: Incidence
    objects: Objects
    code_names: Ids | None = None
    n_dropped: int = 0
    n_merged: int = 0
    origin: str = ""
    from_file: bool = False
    keeps_duplicates: bool = False
    outlier_texts: tuple[Any, ...] = ()
    listed: bool = False

    def distinct(self) -> "Memberships":
        """Drop empty clusters, and merge equal ones if they are not kept; the first name stays."""
        if isinstance(self.incidence, Codes):
            return self
        runs, kept, n_dropped, n_merged = distinct_runs(
            self.incidence, keep_duplicates=self.keeps_duplicates
        )
        if kept is None:
            return self
        return replace(
            self,
            incidence=runs,
            code_names=kept if self.code_names is None else self.code_names[kept],
            n_dropped=self.n_dropped + n_dropped,
            n_merged=self.n_merged + n_merged,
        )

    def as_set(self) -> "Memberships":
        """Return the set of clusters: without duplicates, even if these are kept here."""
        return replace(self, keeps_duplicates=False).distinct() if self.keeps_duplicates else self

    @property
    def n_objects(self) -> int:
        """Number of objects, outliers included."""
        return self.objects.n

    @property
    def n_clusters(self) -> int:
        """Number of non-empty clusters."""
        return len(self.sizes)

    @property
    def n_memberships(self) -> int:
        """Number of (object, cluster) pairs."""
        if isinstance(self.incidence, Runs):
            return len(self.incidence.members)
        return self.n_objects - self.n_outliers

    @lazy_property
    def n_outliers(self) -> int:
        """Number of objects in no cluster."""
        if isinstance(self.incidence, Codes):
            return self.n_objects - int(self.code_sizes.sum())
        if self.mentions_few:
            return self.n_objects - len(np.unique(self.incidence.members))
        return int(np.count_nonzero(self.outlier_mask()))

    @property
    def mentions_few(self) -> bool:
        """Whether there are so few memberships that an array of all objects should be avoided."""
        return self.n_objects > MANY_OBJECTS and self.n_objects > 16 * self.n_memberships

    @property
    def has_overlaps(self) -> bool:
        """Whether some object is in two clusters."""
        return (
            isinstance(self.incidence, Runs)
            and len(self.incidence.members) > self.n_objects - self.n_outliers
        )

    @lazy_property
    def n_in_several(self) -> int:
        """Number of objects in several clusters."""
        if not self.has_overlaps:
            return 0
        if self.mentions_few:
            return int(np.count_nonzero(self.clusters_per_object() > 1))
        return n_in_several_runs(self.runs, self.n_objects)

    @lazy_property
    def code_sizes(self) -> NDArray[np.int64]:
        """Size of each code or run, used or not."""
        if isinstance(self.incidence, Codes):
            return frozen(code_sizes(self.incidence))
        return frozen(np.diff(self.incidence.pointers))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Size of each cluster, in cluster order."""
        sizes = self.code_sizes
        return sizes if isinstance(self.incidence, Runs) else frozen(sizes[sizes > 0])

    @property
    def names(self) -> list[Any]:
        """Name of each cluster, in cluster order."""
        return list(self.name_array().tolist())

    def name_array(self) -> Ids:
        """Return the name of each cluster, in cluster order, as a new array."""
        used = np.flatnonzero(self.code_sizes)
        return used if self.code_names is None else self.code_names[used]

    def ids(self) -> Ids:
        """Return the id of each object, and raise an error if an index repeats one."""
        ids = self.objects.id_array()
        if self.objects.identified_by == "index" and self.objects.ids is not None:
            check_distinct(ids, "the index of a Series")
        return ids

    @lazy_property
    def runs(self) -> Runs:
        """Members of each cluster."""
        if isinstance(self.incidence, Runs):
            return self.incidence
        return runs_of_codes(self.incidence, self.code_sizes)

    @lazy_property
    def numbers(self) -> NDArray[Any]:
        """Cluster of each object as a number from 1 on, 0 for outliers; requires no overlaps."""
        if isinstance(self.incidence, Codes):
            return numbers_of_codes(self.incidence, self.code_sizes)
        return numbers_of_runs(self.incidence, self.n_objects)

    @lazy_property
    def by_object(self) -> Runs:
        """Clusters of each object, in cluster order."""
        if self.has_overlaps:
            return transposed(self.runs, self.n_objects)
        inside = self.numbers > 0
        pointers = np.concatenate(([0], np.cumsum(inside, dtype=narrowest(len(inside) + 1))))
        return Runs(frozen(pointers), frozen(self.numbers[inside] - 1))

    def outlier_mask(self) -> NDArray[np.bool_]:
        """Return whether each object is an outlier."""
        if isinstance(self.incidence, Codes):
            return np.asarray(self.incidence.codes < 0)
        return outliers_of_runs(self.incidence, self.n_objects)

    def clusters_per_object(self) -> NDArray[np.int64]:
        """Return the number of clusters of each object, outliers left out if `mentions_few`."""
        if isinstance(self.incidence, Codes):
            return (self.incidence.codes >= 0).astype(np.int64)
        if self.mentions_few:
            return np.unique(self.incidence.members, return_counts=True)[1]
        return np.bincount(self.incidence.members, minlength=self.n_objects)

    def moved(self, position: NDArray[np.int64] | None, objects: Objects) -> "Memberships":
        """Return the same clusters over other objects; see `coverlap.core.incidence.move`."""
        incidence = move(self.incidence, position, objects.n)
        made = replace(self, incidence=incidence, objects=objects, origin="")
        if position is None or not np.any(position < 0):
            return made
        if isinstance(incidence, Runs):
            return made.distinct()
        n_left_empty = self.n_clusters - int(np.count_nonzero(code_sizes(incidence)))
        return replace(made, n_dropped=self.n_dropped + n_left_empty)

    def without_outliers(self) -> "Memberships":
        """Return the same clusters over the objects that are in some cluster."""
        inside = ~self.outlier_mask()
        ids = self.ids()[inside]
        position = np.where(inside, np.cumsum(inside) - 1, -1)
        return self.moved(position, Objects(len(ids), ids, "id"))

    def with_outliers_as(self, outliers_as: str) -> "Memberships":
        """Put the outliers into one cluster, or into a cluster each ("singletons")."""
        outliers = np.flatnonzero(self.outlier_mask())
        if len(outliers) == 0:
            return self
        n_clusters = len(outliers) if outliers_as == "singletons" else 1
        sizes = np.full(n_clusters, len(outliers) // n_clusters)
        return replace(
            self, incidence=with_clusters(self.incidence, outliers, sizes), code_names=None
        )

    def copied(self, objects: Objects) -> "Memberships":
        """Return the same memberships of equal objects, in arrays of their own."""
        return self.rearranged(copied(self.incidence), objects)

    def with_ids(self, ids: Ids) -> "Memberships":
        """Return the same memberships with other ids of the objects."""
        return replace(self, objects=Objects(self.n_objects, ids, "id"))

    def rearranged(self, incidence: Incidence, objects: Objects | None = None) -> "Memberships":
        """Return memberships of the same objects in clusters of the same sizes.

        The number of outliers is the same, too. Whatever of this is known is not counted again.
        """
        made = replace(self, incidence=incidence, objects=objects or self.objects)
        known = {"code_sizes", "n_outliers"} & self.__dict__.keys()
        made.__dict__.update({name: self.__dict__[name] for name in known})
        return made

    def __reduce__(self) -> tuple[Callable[..., "Memberships"], tuple[Any, ...]]:
        return _unpickle, tuple(getattr(self, field.name) for field in fields(self))


def _unpickle(incidence: Incidence, *fields: Any) -> Memberships:
    """Rebuild memberships; pickled arrays are writable, but kernels expect read-only ones."""
    return Memberships(refrozen(incidence), *fields)
