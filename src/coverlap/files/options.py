"""What a reader is asked, and what it answers."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverlap.core.checks import check_option
from coverlap.core.errors import OptionError
from coverlap.core.incidence import Codes, Runs, frozen, runs_of_pairs
from coverlap.core.objects import Objects
from coverlap.core.wording import shown
from coverlap.files.text.tokens import token_value
from coverlap.inputs.coding import code_integers, code_values
from coverlap.inputs.labels import NEGATIVE, outlier_test
from coverlap.inputs.parts import Parts


class Reading(NamedTuple):
    """How a file is to be read; the options of `coverlap.read_clustering`."""

    object: str | int | None = None
    cluster: str | int | None = None
    outlier_cluster: Any = None
    outlier_label: Any = NEGATIVE
    delimiter: str | None = None
    keys: str | None = None
    guessed: bool = False

    def given(self) -> set[str]:
        """Name the options that differ from their defaults."""
        defaults = self._field_defaults
        return {name for name in self._fields if getattr(self, name) is not defaults[name]}

    def columns(self) -> tuple[str, str] | tuple[int, int]:
        """Return the columns of objects and clusters: two names, or two positions."""
        item = "object" if self.object is None else self.object
        cluster = "cluster" if self.cluster is None else self.cluster
        if item == cluster:
            raise OptionError(f"object and cluster must be two columns, not {item!r} twice")
        if isinstance(item, int) and isinstance(cluster, int):
            return item, cluster
        if isinstance(item, str) and isinstance(cluster, str):
            return item, cluster
        raise OptionError(
            "object and cluster must be two names or two positions, not "
            f"{shown(item)} and {shown(cluster)}"
        )

    def attributes(self) -> tuple[str | None, str]:
        """Return the names of what holds objects (None: the format's own ids) and clusters."""
        item = self.object
        cluster = "cluster" if self.cluster is None else self.cluster
        if isinstance(item, int) or isinstance(cluster, int):
            place = item if isinstance(item, int) else cluster
            raise OptionError(f"object and cluster must be names in this format, not {place}")
        if item == cluster:
            raise OptionError(f"object and cluster must be two attributes, not {cluster!r} twice")
        return item, cluster


class Content(NamedTuple):
    """What a file holds, how it was read, and what else is worth a word.

    ``outlier_labels`` are the labels that were said to mean outliers and are there, if that is
    known.
    """

    parts: Parts
    title: str
    notes: tuple[str, ...] = ()
    outlier_labels: frozenset[Any] | None = None


def counted(number: int, noun: str, participle: str) -> tuple[str, ...]:
    """Say how often something happened, if it did."""
    return (f"{number:,} {noun}{'' if number == 1 else 's'} {participle}",) if number else ()


def check_reading(reading: Reading) -> None:
    """Refuse options that can never hold."""
    for role in ("object", "cluster"):
        column = getattr(reading, role)
        if isinstance(column, bool) or not isinstance(column, str | int | None):
            raise OptionError(f"{role} must be a name or a position, not {shown(column)}")
        if isinstance(column, int) and column < 0:
            raise OptionError(f"{role} must be a position from 0 on, not {column}")
    if isinstance(reading.outlier_cluster, list | tuple | set | frozenset | dict):
        raise OptionError(
            f"outlier_cluster must be the name of one cluster, not {shown(reading.outlier_cluster)}"
        )
    check_delimiter(reading.delimiter)
    if reading.keys is not None:
        check_option("keys", reading.keys, ("clusters", "objects"))


def check_delimiter(delimiter: Any) -> None:
    """Refuse what cannot part fields."""
    if delimiter is not None and (
        not isinstance(delimiter, str)
        or len(delimiter) != 1
        or not delimiter.isascii()
        or delimiter in '\n\r"\0-0123456789'
    ):
        raise OptionError(
            "delimiter must be one ASCII character that is no quote and in no number, not "
            f"{shown(delimiter)}"
        )


def joined(blocks: list[NDArray[Any]]) -> NDArray[Any]:
    """Join arrays and forget the parts, which are as large as the whole."""
    whole = np.concatenate(blocks)
    blocks.clear()
    return whole


def rank_labels(
    values: NDArray[Any] | list[Any], reading: Reading, where: str
) -> tuple[NDArray[np.int32], NDArray[Any], frozenset[Any]]:
    """Turn distinct labels into cluster numbers, -1 for outliers.

    Returns these, the names of the clusters, and the labels of outliers that are there. Text
    means an outlier where it would in a text file, whatever the file.
    """
    codes, names = code_values(values, where)
    if names.dtype != object and reading.outlier_label is NEGATIVE:
        out = names < 0
    else:
        out = _mean_outliers(names, reading)
    if reading.outlier_cluster is not None:
        out |= _are(names, reading.outlier_cluster)
    rank = np.where(out, -1, np.cumsum(~out) - 1).astype(np.int32)
    return rank[codes], names[~out], frozenset(names[out].tolist())


def _are(names: NDArray[Any], name: Any) -> NDArray[np.bool_]:
    """Tell which names are the one meant, as a number or as text."""
    return np.fromiter((str(other) == str(name) for other in names.tolist()), bool, len(names))


def sorted_ids(values: NDArray[Any], places: NDArray[np.int32]) -> NDArray[Any]:
    """Sort integer ids and renumber their places to match; text stays as it appeared."""
    if values.dtype == object:
        return values
    rank, ids = code_integers(values)
    places[:] = rank[places]
    return ids


def membership_parts(
    objects: NDArray[np.int32],
    clusters: NDArray[Any],
    ids: NDArray[Any],
    names: NDArray[Any],
) -> Parts:
    """Make parts of pairs: numbers of objects and of clusters, -1 where there is no cluster."""
    inside = clusters >= 0
    if not inside.all():
        objects, clusters = objects[inside], clusters[inside]
    runs = runs_of_pairs(objects, clusters, len(ids), len(names))
    return Parts(runs, Objects(len(ids), ids, "id"), names)


def label_parts(clusters: NDArray[Any], names: NDArray[Any]) -> Parts:
    """Make parts of one cluster number per object, -1 where there is none."""
    return Parts(Codes(frozen(clusters), len(names)), Objects(len(clusters)), names)


def drop_outlier_cluster(parts: Parts, outlier_cluster: Any) -> Parts:
    """Leave out the cluster whose members are outliers; it need not be there."""
    if outlier_cluster is None:
        return parts
    names = cluster_names(parts)
    return _keep_clusters(parts, ~_are(names, outlier_cluster), names)


def drop_outlier_labels(parts: Parts, reading: Reading) -> Parts:
    """Leave out the clusters whose names, being text, mean outliers as they do in a text file."""
    names = cluster_names(parts)
    if names.dtype != object:
        return parts
    return _keep_clusters(parts, ~_mean_outliers(names, reading), names)


def _mean_outliers(names: NDArray[Any], reading: Reading) -> NDArray[np.bool_]:
    is_outlier = outlier_test(reading.outlier_label)
    values = (token_value(name) if isinstance(name, str) else name for name in names.tolist())
    return np.fromiter(map(is_outlier, values), bool, count=len(names))


def cluster_names(parts: Parts) -> NDArray[Any]:
    """Return what the clusters are called."""
    incidence = parts.incidence
    n_clusters = incidence.n_codes if isinstance(incidence, Codes) else len(incidence.pointers) - 1
    return np.arange(n_clusters) if parts.names is None else parts.names


def _keep_clusters(parts: Parts, keep: NDArray[np.bool_], called: NDArray[Any]) -> Parts:
    incidence, objects, _ = parts
    if isinstance(incidence, Codes):
        rank = np.append(np.where(keep, np.cumsum(keep) - 1, -1), -1).astype(np.int32)
        codes = rank[np.maximum(incidence.codes, -1)]
        return Parts(Codes(frozen(codes), int(keep.sum())), objects, called[keep])
    sizes = np.diff(incidence.pointers)
    pointers = np.concatenate(([0], np.cumsum(sizes[keep])))
    members = incidence.members[np.repeat(keep, sizes)]
    return Parts(Runs(frozen(pointers), frozen(members)), objects, called[keep])
