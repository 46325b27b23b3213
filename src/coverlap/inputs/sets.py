"""Read clusters given as sets of members, and memberships given as (object, cluster) pairs."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, islice, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputTypeError, OptionError, UniverseError
from coverlap.core.incidence import Codes, frozen, narrowest, runs_of_pairs
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects, check_distinct, locate_among
from coverlap.core.texts import Ids, Texts
from coverlap.core.values import (
    INT64_MAX,
    array_items,
    code_values,
    gather,
    gather_chunks,
    ordered,
    plain_value,
    reject_masked,
    reject_missing,
    value_array,
)
from coverlap.core.wording import shown, some
from coverlap.inputs.columns import as_values, origins
from coverlap.inputs.labels import CodedLabels, code_labels
from coverlap.inputs.matrices import is_sparse

LARGE = 512
"""Groups of at least this many members are converted one by one."""


def read_clusters(clusters: Any, *, universe: Any = None, where: str = "clusters") -> Memberships:
    """Read an iterable of collections of objects, or a mapping of names to such collections."""
    names = None
    if isinstance(clusters, Mapping):
        keys = [plain_value(key) for key in clusters]
        order = ordered(keys)
        names = value_array([keys[i] for i in order])
        if len(set(keys)) < len(keys):
            check_distinct(names, f"{where}: the names")
        values = list(clusters.values())
        groups = [values[i] for i in order]
    else:
        if is_sparse(clusters):
            raise InputTypeError(f"{where} must be sets; say Clustering.from_matrix(m)")
        groups = _as_list(clusters, where, "an iterable of clusters")
    members = [_as_members(groups, i, names, where) for i in range(len(groups))]
    sizes = np.fromiter(map(len, members), np.int64, count=len(members))
    position, objects = locate_objects(_all_members(members), universe, where)
    numbers = np.repeat(np.arange(len(members), dtype=narrowest(len(members))), sizes)
    if universe is None and len(position) == objects.n and sizes.all():
        codes = np.empty_like(numbers)  # each object is in one cluster, and no cluster is empty
        codes[position] = numbers
        return Memberships(Codes(frozen(codes), len(members)), objects, names, listed=True)
    return Memberships(runs_of_pairs(position, numbers, objects.n, len(members)), objects, names)


def read_memberships(
    memberships: Any, *, outlier_label: Any, universe: Any = None, where: str = "memberships"
) -> Memberships:
    """Read pairs of object and cluster, or a mapping of objects to their clusters."""
    if isinstance(memberships, Mapping):
        objects, clusters = _flatten(memberships)
    else:
        objects, clusters = read_pairs(memberships, where, "pairs of object and cluster")
    return pair_columns(
        objects, clusters, outlier_label=outlier_label, universe=universe, where=where
    )


def read_pairs(values: Any, where: str, what: str) -> tuple[list[Any], list[Any]]:
    """Return the first and the second items of pairs."""
    pairs = _as_list(values, where, what)
    for i, pair in enumerate(pairs):
        if isinstance(pair, (str, bytes)) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise InputTypeError(f"{where} must be {what}, but item {i} is {shown(pair)}")
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def pair_columns(
    objects: Sequence[Any] | NDArray[Any],
    clusters: Any,
    *,
    outlier_label: Any,
    universe: Any = None,
    where: str,
) -> Memberships:
    """Read memberships from a column of objects and a column of clusters."""
    coded = code_labels(clusters, outlier_label, f"{where}: clusters")
    return pair_codes(objects, coded, universe=universe, where=where)


def pair_codes(
    objects: Sequence[Any] | Ids,
    coded: CodedLabels,
    *,
    universe: Any = None,
    where: str,
) -> Memberships:
    """Read memberships from a column of objects and the codes of their clusters."""
    codes, names, texts = coded
    position, known = locate_objects(objects, universe, where)
    if universe is None and known.n == len(position):  # each object has one row
        moved = np.empty_like(codes.codes)
        moved[position] = codes.codes
        moved_codes = codes._replace(codes=frozen(moved))
        return Memberships(moved_codes, known, names, outlier_texts=texts, listed=True)
    inside = codes.codes >= 0
    runs = runs_of_pairs(position[inside], codes.codes[inside], known.n, codes.n_codes)
    if names is None:
        names = np.arange(codes.n_codes)
    used = np.diff(runs.pointers) > 0
    if used.all():
        return Memberships(runs, known, names, outlier_texts=texts)
    # Codes without members are gaps between labels, not empty clusters: they are not counted.
    pointers = np.concatenate((runs.pointers[:1], runs.pointers[1:][used]))
    runs = runs._replace(pointers=frozen(pointers))
    return Memberships(runs, known, names[used], outlier_texts=texts)


def igraph_names(graph: Any) -> list[Any] | None:
    """Return the names of the vertices of an igraph graph, or their ids in networkx, if any."""
    known = graph.vs.attributes()
    return next((graph.vs[key] for key in ("name", "_nx_name") if key in known), None)


_VERTICES: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("coverlap", "Graph"): lambda graph: graph.vertices,
    ("igraph", "Graph"): lambda graph: igraph_names(graph) or graph.vcount(),
    ("networkit", "Graph"): lambda graph: list(graph.iterNodes()),
}
"""The vertices of graphs, which cannot be iterated over as those of networkx can."""


def read_universe(universe: Any, where: str = "universe") -> Objects:
    """Read a universe: a number n for the ids 0..n-1, an iterable of ids, or a graph."""
    for origin in origins(universe):
        if origin in _VERTICES:
            return read_universe(_VERTICES[origin](universe), where)
    if not is_iterable(universe) and (
        isinstance(universe, bool) or not isinstance(universe, (int, np.integer))
    ):
        raise OptionError(
            f"{where} must be a number, an iterable of ids or a graph, not {shown(universe)}"
        )
    if isinstance(universe, (int, np.integer)):
        if not 0 <= universe <= INT64_MAX:
            raise OptionError(f"{where} must be from 0 to 2**63 - 1, not {shown(universe)}")
        return Objects(int(universe), None, "id")
    if isinstance(universe, range) and universe == range(universe.stop):
        return read_universe(universe.stop, where)
    _, ids = code_values(_values(universe, where), where)
    reject_missing(ids, f"the ids of {where}")
    return Objects(len(ids), ids, "id")


def read_ids(values: Any, where: str) -> Ids:
    """Read distinct ids in the order given."""
    if not is_iterable(values):
        raise InputTypeError(f"{where} must be an iterable of ids, not {type(values).__name__}")
    codes, ids = code_values(_values(values, where), where)
    reject_missing(ids, where)
    read: Ids = ids[codes]
    check_distinct(read, where)
    return read


def read_keys(mapping: Mapping[Any, Any], where: str, *, to_look_up: bool = True) -> Ids:
    """Read the ids that are the keys of a mapping, and so distinct.

    Texts are encoded while they are in the cache, if they will be looked up.
    """
    keys = list(mapping)
    if to_look_up and (gathered := gather(keys)) is not None:
        return gathered
    ids = value_array(keys)
    if ids.dtype == object and not isinstance(ids, Texts):
        reject_missing(ids, where)
        check_distinct(ids, where)
    return ids


def locate_objects(
    members: Sequence[Any] | NDArray[Any] | Texts, universe: Any, where: str
) -> tuple[NDArray[np.int64], Objects]:
    """Return the positions of members in the universe, by default themselves, and the universe."""
    reject_masked(members, f"{where}: objects")
    codes, ids = code_values(members, f"{where}: objects")
    reject_missing(ids, f"{where}: objects")
    if universe is None:
        return codes, Objects(len(ids), ids, "id")
    known = read_universe(universe)
    position = locate_among(ids, known)
    if np.any(position < 0):
        outside = ids[position < 0].tolist()
        raise UniverseError(f"{where} has members outside the universe: {some(outside)}")
    return position[codes], known


def _values(values: Iterable[Any], where: str) -> Sequence[Any] | NDArray[Any]:
    values = as_values(values, where)
    reject_masked(values, where)
    return values if isinstance(values, np.ndarray) and values.ndim == 1 else list(values)


def is_iterable(values: object) -> bool:
    """Return whether values can be iterated over; text counts as one value."""
    if isinstance(values, np.ndarray):
        return values.ndim > 0
    return isinstance(values, Iterable) and not isinstance(values, (str, bytes))


def _as_list(values: Any, where: str, what: str) -> list[Any]:
    if not is_iterable(values):
        raise InputTypeError(f"{where} must be {what}, not {type(values).__name__}")
    return listed(values, where)


def listed(values: Iterable[Any], where: str) -> list[Any]:
    """Return values as a list, but reject several clusterings, before the second one is made."""
    items = iter(values if isinstance(values, (list, tuple)) else as_values(values, where))
    first = list(islice(items, 1))
    reject_levels(first, where)
    first.extend(items)
    return first


def reject_levels(values: Sequence[Any], where: str) -> None:
    """Reject several clusterings: a first item that is a list or tuple of sets."""
    for item in values[:1]:
        if isinstance(item, (list, tuple)) and item and isinstance(item[0], set):
            raise InputTypeError(
                f"{where} holds several clusterings, since item 0 is a {type(item).__name__} of "
                "sets; pass one of them, such as next(girvan_newman(G)) or levels[-1]"
            )


def _as_members(
    groups: list[Any], i: int, names: Ids | None, where: str
) -> Sequence[Any] | AbstractSet[Any]:
    """Return the members of the group at position i, or raise an error that names the group."""
    group = groups[i]
    if type(group) in (set, frozenset, list):
        return group  # type: ignore[no-any-return]
    where = f"{where}[{shown(i if names is None else plain_value(names[i]))}]"
    group = as_values(group, where)
    if isinstance(group, np.ndarray):
        if group.ndim != 1:
            raise InputTypeError(f"{where} must have one dimension, not {group.ndim}")
        return array_items(group)
    if isinstance(group, (str, bytes, Mapping)) or not isinstance(group, Iterable):
        raise InputTypeError(
            f"{where} must be a collection of objects, not {type(group).__name__}: {shown(group)}"
        )
    return group if isinstance(group, (Sequence, AbstractSet)) else list(group)


def _all_members(groups: list[Any]) -> Sequence[Any] | NDArray[Any] | Texts:
    """Return the members of all groups, one group after the other."""
    gathered = gather_chunks(_chunks_of_members(groups), sum(map(len, groups)))
    return list(chain.from_iterable(groups)) if gathered is None else gathered


def _chunks_of_members(groups: list[Any]) -> Iterator[Collection[Any]]:
    """Return the members of small groups together, and those of each other group alone."""
    chunk: list[Any] = []
    for group in groups:
        if not chunk and len(group) >= LARGE:
            yield group
            continue
        chunk.extend(group)
        if len(chunk) >= LARGE:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _flatten(memberships: Mapping[Any, Any]) -> tuple[list[Any], list[Any]]:
    objects: list[Any] = []
    clusters: list[Any] = []
    for item, labels in memberships.items():
        if isinstance(labels, Mapping):
            raise InputTypeError(
                f"memberships[{shown(item)}] must be a cluster or a collection of clusters, not "
                f"{type(labels).__name__}: {shown(labels)}; if it holds weights, choose the "
                "clusters, as in [c for c, weight in d.items() if weight >= 0.5]"
            )
        one = isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable)
        several = [labels] if one else list(as_values(labels, "memberships")) or [None]
        objects.extend(repeat(item, len(several)))
        clusters.extend(several)
    return objects, clusters
