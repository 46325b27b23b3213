"""What a reader returns, and the functions that build it."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import (
    Codes,
    Incidence,
    Runs,
    frozen,
    runs_of_pairs,
    sorted_runs,
    transposed,
)
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.spelling import FIRST_OF_OUTLIERS
from coverlap.core.texts import Ids, Texts
from coverlap.core.threads import SMALL, workers_for
from coverlap.core.values import NEGATIVE, code_integers, code_values, outlier_test, plain_value
from coverlap.core.wording import quantity
from coverlap.files.options import ReadOptions


class Content(NamedTuple):
    """The memberships in a file, how the file was read, and notes for the user.

    ``outlier_labels`` are the labels in the file that mean outliers; None if they are not known.
    """

    memberships: Memberships
    title: str
    notes: tuple[str, ...] = ()
    outlier_labels: frozenset[Any] | None = None


def comment_notes(n_comments: int) -> tuple[str, ...]:
    """Return the notes about comments that were skipped."""
    return (f"{quantity(n_comments, 'comment line')} skipped",) if n_comments else ()


class NumberedLabels(NamedTuple):
    """The cluster number of each label (-1: outliers), cluster names and outlier labels."""

    numbers: NDArray[np.int32]
    names: Ids
    outlier_labels: frozenset[Any]


def number_labels(labels: Ids | list[Any], options: ReadOptions, where: str) -> NumberedLabels:
    """Number the clusters that distinct labels name."""
    codes, names = code_values(labels, where)
    is_outlier = _are_outlier_labels(names, options) | _are_outlier_clusters(names, options)
    rank = np.where(is_outlier, -1, np.cumsum(~is_outlier) - 1).astype(np.int32)
    outlier_labels = frozenset(names[is_outlier].tolist())
    return NumberedLabels(rank[codes], names[~is_outlier], outlier_labels)


def sort_integer_ids(ids: Ids, numbers: NDArray[np.int32]) -> Ids:
    """Sort ids that are integers and change their numbers in place; return text as it is."""
    if isinstance(ids, Texts) or ids.dtype == object:
        return ids
    rank, ids = code_integers(ids)
    _kernels.coding.rename(numbers, frozen(rank))
    return ids


def code_small_integers(
    values: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Number the distinct integers in ascending order, in place if they are dense."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    if high - low >= min(8 * len(values), 2**31):
        numbers, distinct = code_integers(values.astype(np.int64))
        return numbers.astype(np.int32, copy=False), distinct
    ranks = np.zeros(high - low + 1, np.int32)
    with workers_for(len(values)) as team:
        team.run(_kernels.text.mark_integers, team.slices(values), low, ranks)
        found = np.flatnonzero(ranks)
        ranks[found] = np.arange(len(found), dtype=np.int32)
        team.run(_kernels.text.rank_integers, team.slices(values), low, frozen(ranks))
    return values, found + low


def concatenate_and_clear(blocks: list[NDArray[Any]]) -> NDArray[Any]:
    """Concatenate arrays and clear the list, since they take as much memory as the result."""
    whole = np.concatenate(blocks)
    blocks.clear()
    return whole


def memberships_of_pairs(
    objects: NDArray[np.int32],
    clusters: NDArray[Any],
    ids: Ids,
    names: Ids,
) -> Memberships:
    """Build memberships from numbers of objects and of their clusters, -1 for no cluster."""
    if clusters.min(initial=0) < 0:
        inside = clusters >= 0
        objects, clusters = objects[inside], clusters[inside]
    runs = _runs_of_pairs(objects, clusters, len(ids), len(names))
    return Memberships(runs, Objects(len(ids), ids, "id"), names)


def only_objects(ids: Ids, title: str) -> Content:
    """Return the content of files of which only the ids of objects were read."""
    none = np.empty(0, np.int32)
    return Content(memberships_of_pairs(none, none, ids, none.astype(object)), title)


def _runs_of_pairs(
    objects: NDArray[np.int32], clusters: NDArray[Any], n_objects: int, n_clusters: int
) -> Runs:
    """Build runs as `runs_of_pairs` does, faster if the pairs are sorted by object or cluster."""
    if len(objects) >= SMALL and _is_sorted(objects):
        pointers = np.searchsorted(objects, np.arange(n_objects + 1, dtype=objects.dtype))
        return transposed(Runs(frozen(pointers), frozen(clusters)), n_clusters)
    if len(objects) >= SMALL and _is_sorted(clusters):
        pointers = np.searchsorted(clusters, np.arange(n_clusters + 1, dtype=clusters.dtype))
        return sorted_runs(pointers, objects.copy())
    return runs_of_pairs(objects, clusters, n_objects, n_clusters)


def _is_sorted(values: NDArray[Any]) -> bool:
    """Return whether values ascend; checked in parts, since the first one often tells."""
    parts = (values[begin : begin + SMALL + 1] for begin in range(0, len(values), SMALL))
    return all(np.all(part[1:] >= part[:-1]) for part in parts)


def drop_outliers(memberships: Memberships, options: ReadOptions) -> Memberships:
    """Drop the cluster whose members are outliers, if the file has it."""
    names = memberships.code_names
    if names is None:
        names = np.arange(len(memberships.code_sizes))
    is_outlier = _are_outlier_clusters(names, options)
    if not is_outlier.any():
        return memberships
    keep = ~is_outlier
    incidence = memberships.incidence
    kept: Incidence
    if isinstance(incidence, Codes):
        rank = np.append(np.where(keep, np.cumsum(keep) - 1, -1), -1).astype(np.int32)
        kept = Codes(frozen(rank[np.maximum(incidence.codes, -1)]), int(keep.sum()))
    else:
        sizes = np.diff(incidence.pointers)
        pointers = np.concatenate(([0], np.cumsum(sizes[keep])))
        kept = Runs(frozen(pointers), frozen(incidence.members[np.repeat(keep, sizes)]))
    return replace(memberships, incidence=kept, code_names=names[keep])


def _are_outlier_clusters(names: Ids, options: ReadOptions) -> NDArray[np.bool_]:
    """Return which names are that of the outlier cluster, as a number or as text."""
    if options.outlier_cluster is None:
        return np.zeros(len(names), bool)
    wanted = str(plain_value(options.outlier_cluster))
    return np.fromiter((str(name) == wanted for name in names.tolist()), bool, len(names))


def _are_outlier_labels(names: Ids, options: ReadOptions) -> NDArray[np.bool_]:
    if (
        isinstance(names, np.ndarray)
        and names.dtype != object
        and options.outlier_label is NEGATIVE
    ):
        return names < 0
    is_outlier = outlier_test(options.outlier_label)
    if isinstance(names, Texts) and options.outlier_label is NEGATIVE:
        suspect = names.begin_with(FIRST_OF_OUTLIERS)
        suspect[suspect] = [is_outlier(name) for name in names[suspect]]
        return suspect
    return np.fromiter(map(is_outlier, names.tolist()), bool, count=len(names))
