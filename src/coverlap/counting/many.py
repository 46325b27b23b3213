"""Many clusterings: read them, name them, and code them once for all comparisons."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.clustering.clustering import Clustering
from coverlap.clustering.read import File, read_files
from coverlap.clustering.recognise import recognise
from coverlap.core.checks import check_option
from coverlap.core.errors import InputError, InputTypeError, OptionError
from coverlap.core.objects import Objects, locate
from coverlap.core.outliers import TREATMENTS, clustered, treat
from coverlap.core.universe import (
    DROP_RULES,
    RULES,
    Pair,
    align,
    drop,
    fit_together,
    inside,
    read_given,
)
from coverlap.core.values import order_of_ids, refuse_missing
from coverlap.core.wording import shown, some
from coverlap.counting import memory
from coverlap.counting.matching import FORMS
from coverlap.files.id_types import Ids
from coverlap.inputs.frames import frame_columns, is_frame
from coverlap.inputs.matrices import is_sparse
from coverlap.inputs.sets import is_iterable


class Rules(NamedTuple):
    """How two clusterings are put on one universe, and what is made of outliers."""

    universe: Any = "union"
    n_objects: int | None = None
    drop_outliers: str | None = None
    outliers_as: str | None = None

    @classmethod
    def of(
        cls, universe: Any, n_objects: int | None, drop_outliers: str | None,
        outliers_as: str | None,
    ) -> "Rules":  # fmt: skip
        """Make rules that can be followed again and again."""
        check_option("outliers_as", outliers_as, TREATMENTS)
        check_option("drop_outliers", drop_outliers, DROP_RULES)
        if is_iterable(universe):
            universe = list(universe)
        return cls(universe, n_objects, drop_outliers, outliers_as)

    def treated(self, pair: Pair) -> Pair:
        """Do with the outliers of two clusterings on one universe what the rules say."""
        if self.drop_outliers is not None:
            pair = drop(pair, self.drop_outliers)
        return treat(pair, self.outliers_as)

    @property
    def symmetric(self) -> bool:
        """Whether they treat left and right alike."""
        one_sided = {"left", "right"}
        by_side = isinstance(self.universe, str) and self.universe in one_sided
        return not by_side and self.drop_outliers not in one_sided

    @property
    def keep_all(self) -> bool:
        """Whether they leave clusterings of the same objects as they are, but for outliers."""
        named = isinstance(self.universe, str) and self.universe in RULES
        return named and self.n_objects is None


class Many(NamedTuple):
    """Clusterings by name; ``together`` says that they have the same objects in the same places."""

    names: list[Any]
    clusterings: list[Clustering]
    together: bool

    @property
    def n_memberships(self) -> int:
        """Number of memberships of all clusterings."""
        return sum(clustering.n_memberships for clustering in self.clusterings)

    def treated(self, rules: Rules) -> "tuple[Many, Rules]":
        """Treat outliers, if that depends on one side alone; return the rules that are left."""
        if rules.outliers_as in {None, "drop"} or rules.drop_outliers is not None:
            return self, rules
        if not (self.together and rules.keep_all):
            return self, rules
        sides = [clustered(side, str(rules.outliers_as)) for side in self.clusterings]
        return self._replace(clusterings=sides), rules._replace(outliers_as=None)

    def pair(self, own: int, other: int, rules: Rules) -> Pair:
        """Put two of the clusterings on one universe."""
        left, right = self.clusterings[own], self.clusterings[other]
        if self.together and rules.keep_all:
            pair = Pair(left, right, left._objects, rules.universe)
        else:
            pair = align(left, right, universe=rules.universe, n_objects=rules.n_objects)
        return rules.treated(pair)

    def similarities(self, own: int, other: int) -> NDArray[np.float64]:
        """Return the Jaccard similarity of each cluster to its best match in another clustering."""
        return memory.match(self.pair(own, other, Rules()), FORMS["jaccard"], None).left.similarity


def read_many(clusterings: Any, reference: Any, rules: Rules) -> tuple[Many, list[int], Rules]:
    """Read a dict of clusterings, a sequence of them, or the columns of a frame.

    Returns them, the positions of those that are left ones (the reference, which may be the name
    of one of them or one more clustering, or all), and the rules that are left for each pair.
    """
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
    sides, rules = _on_given_universe(names, read_all(named), rules)
    if not isinstance(rules.universe, str):
        return Many(names, sides, together=False), rows, rules
    return _share_objects(names, sides), rows, rules


def _is_name(reference: Any, named: Mapping[Any, Any]) -> bool:
    try:
        return reference in named
    except TypeError:  # a tuple of sets, say, which is a clustering and no name
        return False


def _check_reference(reference: Any, named: Mapping[Any, Any]) -> None:
    """Refuse one more clustering that would take the name of another, or that is not there."""
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


def read_all(named: Mapping[Any, Any]) -> list[Clustering]:
    """Read clusterings; files are read together, since their ids share one type."""
    paths = [item for item in named.values() if isinstance(item, (str, Path))]
    if len(paths) == len(named):
        return read_files([File(path) for path in paths])
    return [recognise(item, f"clustering {name!r}", borrow=True) for name, item in named.items()]


def _on_given_universe(
    names: list[Any], sides: list[Clustering], rules: Rules
) -> tuple[list[Clustering], Rules]:
    """Put clusterings on a universe of given ids once, if each comparison would do the same.

    Where some objects are told by their place and others by ids, that depends on the two sides.
    """
    told_apart = {(side._objects.keyed, side._objects.n) for side in sides}
    by_place = any(keyed == "position" for keyed, _ in told_apart)
    if isinstance(rules.universe, str) or rules.n_objects is not None:
        return sides, rules
    if by_place and len(told_apart) > 1:
        return sides, rules
    ids = _checked_ids(names, sides)
    if not fit_together(ids):
        return sides, rules
    called = [f"clustering {name!r}" for name in names]
    ids, known = read_given(list(map(Ids, called, ids)), rules.universe)
    places = [
        inside(side, own, known, name) for side, own, name in zip(sides, ids, called, strict=True)
    ]  # fmt: skip
    if known.ids is None:
        return sides, rules._replace(universe="union", n_objects=known.n)
    moved = [side._moved(to, known) for side, to in zip(sides, places, strict=True)]
    return moved, rules._replace(universe="union")


def _checked_ids(names: list[Any], sides: list[Clustering]) -> list[NDArray[Any]]:
    ids = [side._ids() for side in sides]
    for name, side, own in zip(names, sides, ids, strict=True):
        if side._objects.keyed == "index":
            refuse_missing(own, f"the index of clustering {name!r}")
    return ids


def _share_objects(names: list[Any], clusterings: list[Clustering]) -> Many:
    """Put clusterings of the same objects into one order, and number all other ids.

    Clusterings of different objects are aligned when they are compared, which numbers make quick.
    """
    kinds = {clustering._objects.keyed for clustering in clusterings}
    if "position" in kinds:
        n_objects = {clustering._objects.n for clustering in clusterings}
        return Many(names, clusterings, together=kinds == {"position"} and len(n_objects) == 1)
    ids = _checked_ids(names, clusterings)
    if not fit_together(ids):
        return Many(names, clusterings, together=False)  # and to compare them says what is wrong
    known = ids[0]
    if all(np.array_equal(known, other) for other in ids[1:]):
        return _placed(names, clusterings, [None] * len(ids), known)
    for other in ids[1:]:
        known = np.concatenate((known, other[locate(other, known) < 0]))
    known = known[order_of_ids(known)]  # so that numbers are in the order of the ids
    places = [locate(other, known) for other in ids]
    if all(len(to) == len(known) for to in places):
        return _placed(names, clusterings, places, known)
    numbered = [
        side._moved(None, Objects(len(to), to, "id"))
        for side, to in zip(clusterings, places, strict=True)
    ]
    return Many(names, numbered, together=False)


def _placed(
    names: list[Any], clusterings: list[Clustering], places: list[Any], ids: NDArray[Any]
) -> Many:
    objects = Objects(len(ids), ids, "id")
    moved = [side._moved(to, objects) for side, to in zip(clusterings, places, strict=True)]
    return Many(names, moved, together=True)
