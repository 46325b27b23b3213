"""Collection: clusterings by name, read and coded once for all comparisons."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.clustering.recognise import recognise_all, recognise_universe
from coverlap.core.align import Pair, Rules, align, identified_by_position
from coverlap.core.align_many import ids_of_all, share_objects
from coverlap.core.errors import InputError, InputTypeError, OptionError
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

    ``rows`` are the positions of those that are compared with all as the left side.
    """

    names: list[Any]
    sides: list[Memberships]
    rules: Rules
    rows: list[int]

    @property
    def n_memberships(self) -> int:
        """Number of memberships of all clusterings."""
        return sum(side.n_memberships for side in self.sides)

    def pair(self, left: int, right: int) -> Pair:
        """Put two of the clusterings on one universe."""
        return align(self.sides[left], self.sides[right], self.rules)


def best_similarities(left: Memberships, right: Memberships) -> NDArray[np.float64]:
    """Return the Jaccard similarity of each left cluster to its best match."""
    return memory.match(align(left, right), SIMILARITIES["jaccard"]).left.similarity


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
    read = Collection(names, sides, rules._replace(universe=universe), rows)
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
    names, sides, rules, _ = collection
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
    return collection._replace(sides=moved, rules=rules._replace(universe="union"))


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
    if is_sparse(clusterings) or not is_iterable(clusterings):
        raise InputTypeError(
            "clusterings must be a dict or list of clusterings, or a frame with a column of labels "
            f"for each, not {shown(clusterings)}"
        )
    return dict(enumerate(clusterings))
