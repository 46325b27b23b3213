"""Collection: clusterings by name, read and coded once for all comparisons."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.clustering.recognise import recognise_all, recognise_universe
from coverlap.core.align import (
    Pair,
    Rules,
    align,
    check_can_be_written_out,
    identified_by_position,
)
from coverlap.core.align_many import ids_of_all, share_objects
from coverlap.core.errors import InputError, InputTypeError, OptionError
from coverlap.core.incidence import Runs, frozen, transposed
from coverlap.core.match_ids import have_common_type, locate_members
from coverlap.core.memberships import Memberships
from coverlap.core.wording import shown, some
from coverlap.counting import memory
from coverlap.counting.matching import SIMILARITIES
from coverlap.inputs.frames import frame_columns, is_frame
from coverlap.inputs.matrices import is_sparse
from coverlap.inputs.sets import is_iterable


class Collection(NamedTuple):
    """Clusterings by name, and the rules by which two of them are compared.

    ``rows`` are the positions of those that are compared with all as the left side. The ids of
    ``sides`` may be integers in place of those that the clusterings have in ``given``.
    """

    names: list[Any]
    sides: list[Memberships]
    rules: Rules
    rows: list[int]
    given: list[Memberships]

    @property
    def n_memberships(self) -> int:
        """Number of memberships of all clusterings."""
        return sum(side.n_memberships for side in self.sides)

    def pair(self, left: int, right: int) -> Pair:
        """Put two of the clusterings on one universe."""
        return align(self.sides[left], self.sides[right], self.rules)

    def on_all_objects(self) -> list[Memberships]:
        """Put all clusterings on the union of their objects, which then have their own ids."""
        check_can_be_written_out(max(side.n_objects for side in self.given))
        first, *others = sorted(
            self.given, key=lambda side: side.objects.identified_by == "position"
        )
        for other in others:
            first = align(first, other).left
        return [align(first, side, Rules("left")).right for side in self.given]


def best_similarities(left: Memberships, right: Memberships) -> tuple[NDArray[np.float64], float]:
    """Return the Jaccard similarity of each left cluster to its best match, and of the outliers."""
    matching = memory.match(align(left, right), SIMILARITIES["jaccard"])
    n_left, n_right = matching.n_left_outliers, matching.n_right_outliers
    shared = matching.n_shared_outliers
    outliers = SIMILARITIES["jaccard"].of(shared, n_left, n_right) if shared else 0.0
    return matching.left.similarity, outliers


def object_similarities(left: Memberships, right: Memberships) -> NDArray[np.float64]:
    """Return how similar the clusters of each object are on two sides with the same objects.

    That is the Jaccard similarity of each of its clusters to the most similar of its clusters on
    the other side, averaged over its clusters and over both sides. The outliers of a side count as
    a cluster that is similar only to the outliers of the other side.
    """
    one, other = (side.with_outliers_as("cluster") for side in (left, right))
    forth = _best_of_members(one, other, left.n_clusters, right.n_clusters)
    if not one.has_overlaps and not other.has_overlaps:
        return forth
    return (forth + _best_of_members(other, one, right.n_clusters, left.n_clusters)) / 2


def _best_of_members(
    own: Memberships, other: Memberships, n_own: int, n_other: int
) -> NDArray[np.float64]:
    """Return the mean over the clusters of each object, of which the last may be outliers."""
    totals, sizes = np.zeros(own.n_objects), other.sizes
    _kernels.contingency.best_of_members(
        *own.runs, n_own, *_by_object(other), sizes, n_other, np.zeros(len(sizes), np.int64), totals
    )
    return totals / np.diff(_by_object(own).pointers) if own.has_overlaps else totals


def _by_object(side: Memberships) -> Runs:
    """Return the clusters of each object, of which there are no outliers."""
    if side.has_overlaps:
        return transposed(side.runs, side.n_objects)
    return Runs(frozen(np.arange(side.n_objects + 1)), frozen(side.numbers.astype(np.int64) - 1))


def collect(clusterings: Any, reference: Any, rules: Rules) -> Collection:
    """Read a dict of clusterings, a sequence of them, or the columns of a frame.

    The reference is one more clustering, or the name of one of them; without one, all clusterings
    are rows.
    """
    rules.check()
    named = _named(clusterings)
    if reference is None:
        rows = list(range(len(named)))
    elif _is_name(reference, named):
        rows = [list(named).index(reference)]
    else:
        _check_reference(reference, named)
        named, rows = {"reference": reference, **named}, [0]
    if not named:
        raise InputError("clusterings must hold at least one clustering")
    names = list(named)
    called = [f"clustering {shown(name)}" for name in names]
    universe, sides = recognise_universe(rules.universe, recognise_all(named), called)
    read = Collection(names, sides, rules._replace(universe=universe), rows, sides)
    if isinstance(universe, str):
        return read._replace(sides=share_objects(sides, names))
    return _place(read, called)


def cluster_outliers_once(collection: Collection) -> Collection:
    """Turn outliers into clusters before comparing, if each comparison would do the same."""
    first, rules = collection.sides[0].objects, collection.rules
    same = rules.keep_all_objects and all(
        first is side.objects
        or (first.n == side.objects.n and identified_by_position(first, side.objects))
        for side in collection.sides
    )
    if rules.outliers_as is None or not same:
        return collection
    sides = [side.with_outliers_as(rules.outliers_as) for side in collection.sides]
    return collection._replace(sides=sides, rules=rules._replace(outliers_as=None))


def _place(collection: Collection, called: list[str]) -> Collection:
    """Put clusterings on a given universe once, if each comparison would do the same.

    Where some objects have positions and others ids, that depends on the two sides compared.
    """
    names, sides, rules, *_ = collection
    identities = {(side.objects.identified_by, side.objects.n) for side in sides}
    if len(identities) > 1 and any(identity == "position" for identity, _ in identities):
        return collection
    ids = ids_of_all(sides, names)
    if not have_common_type(ids):
        return collection
    universe = rules.universe
    positions = [
        locate_members(side, own, universe, name)
        for side, own, name in zip(sides, ids, called, strict=True)
    ]
    if universe.ids is None:
        return collection._replace(rules=rules._replace(universe="union", n_objects=universe.n))
    moved = [side.moved(to, universe) for side, to in zip(sides, positions, strict=True)]
    return collection._replace(sides=moved, rules=rules._replace(universe="union"), given=moved)


def _is_name(reference: Any, named: Mapping[Any, Any]) -> bool:
    try:
        return reference in named
    except TypeError:  # an unhashable clustering, such as a list of sets
        return False


def _check_reference(reference: Any, named: Mapping[Any, Any]) -> None:
    """Raise an error for a reference that is neither a name nor a clustering."""
    if "reference" in named:
        raise OptionError(
            "reference is a clustering of its own, and another one is called 'reference'; give "
            "that one another name, or say reference='reference' to compare with it"
        )
    if isinstance(reference, str) and reference != "-" and not Path(reference).exists():
        raise OptionError(
            f"reference must be a clustering, a file or one of the names {some(list(named))}, "
            f"not {shown(reference)}"
        )


def _named(clusterings: Any) -> dict[Any, Any]:
    if is_frame(clusterings):
        columns = frame_columns(clusterings, "clusterings")
        if {*columns} == {"object", "cluster"}:
            raise InputError(
                "clusterings is a frame of one clustering, with a membership in each row; it must "
                "have a column of labels for each clustering"
            )
        return columns
    if isinstance(clusterings, Mapping):
        return dict(clusterings)
    if isinstance(clusterings, np.ndarray) and clusterings.ndim > 1:
        raise InputTypeError(
            "clusterings is an array of several dimensions; pass list(a) if each row is a "
            "clustering, and list(a.T) if each column is one"
        )
    if is_sparse(clusterings) or not is_iterable(clusterings):
        raise InputTypeError(
            "clusterings must be a dict or list of clusterings, or a frame with a column of labels "
            f"for each, not {shown(clusterings)}"
        )
    return dict(enumerate(clusterings))
