"""The options of reading and of writing a file, and their checks."""

from itertools import chain
from typing import Any, NamedTuple

from coverlap.core.checks import check_option
from coverlap.core.column_names import USUAL_CLUSTER, USUAL_NAMES, USUAL_OBJECT, find_column
from coverlap.core.errors import InputError, OptionError
from coverlap.core.values import NEGATIVE
from coverlap.core.wording import shown
from coverlap.files.source import Source
from coverlap.inputs.weights import check_threshold


class ReadOptions(NamedTuple):
    """The options of `coverlap.read_clustering`, and how they are meant.

    ``guessed`` tells whether the format was guessed, ``only_objects`` that no clusters are wanted:
    then the column of objects stands for both.
    """

    object: str | int | None = None
    cluster: str | int | None = None
    outlier_cluster: Any = None
    outlier_label: Any = NEGATIVE
    delimiter: str | None = None
    keys: str | None = None
    threshold: float | None = None
    guessed: bool = False
    only_objects: bool = False

    def given(self) -> set[str]:
        """Return the names of the options that differ from their defaults."""
        defaults = self._field_defaults
        return {name for name in self._fields if getattr(self, name) is not defaults[name]}

    def columns(self) -> tuple[str, str] | tuple[int, int]:
        """Return the columns of objects and clusters: two names, or two positions.

        A name that is not given is a `Usual` one.
        """
        item = USUAL_OBJECT if self.object is None else self.object
        cluster = USUAL_CLUSTER if self.cluster is None else self.cluster
        if self.only_objects:
            cluster = item
        else:
            _check_different(item, cluster, "columns")
        if isinstance(item, int) and isinstance(cluster, int):
            return item, cluster
        if isinstance(item, str) and isinstance(cluster, str):
            return item, cluster
        raise OptionError(
            "object and cluster must be two names or two positions, not "
            f"{shown(item)} and {shown(cluster)}"
        )

    def find_columns(
        self, names: list[str], source: Source, *, in_text: bool = False
    ) -> tuple[str, str]:
        """Return the names of the columns of objects and clusters in a table with these columns.

        The names in text are its first line, or it has none.
        """
        item, cluster = self.columns()
        if isinstance(item, int) and isinstance(cluster, int):
            if max(item, cluster) >= len(names):
                raise InputError(
                    f"{source}: {len(names)} columns, so there is no column {max(item, cluster)}; "
                    "columns are counted from 0"
                )
            item, cluster = names[item], names[cluster]
        where, more = str(source), ""
        if in_text:
            where = f"{source}, line 1"
        if in_text and not {*names} & {*chain.from_iterable(USUAL_NAMES.values())}:
            by_position = f"{source.flag('object')} 0 {source.flag('cluster')} 1"
            more = f"; if there is no header, give both by position, as in {by_position}"
        roles = [("object", item, cluster), ("cluster", cluster, item)]
        chosen = [
            find_column(names, role, given, other=other, where=where, hint=source.hint(role) + more)
            for role, given, other in roles[: 1 if self.only_objects else 2]
        ]
        return chosen[0], chosen[-1]

    def attributes(self) -> tuple[str | None, str]:
        """Return the attributes of objects (None: the ids of the format) and of clusters."""
        item = self.object
        cluster = USUAL_CLUSTER if self.cluster is None else self.cluster
        if isinstance(item, int) or isinstance(cluster, int):
            position = item if isinstance(item, int) else cluster
            raise OptionError(f"object and cluster must be names in this format, not {position}")
        _check_different(item, cluster, "attributes")
        return item, cluster


class WriteOptions(NamedTuple):
    """The options of `coverlap.write_clustering`; ``as_matrix`` holds for NumPy files."""

    object: str | None = None
    cluster: str | None = None
    delimiter: str | None = None
    as_matrix: bool = False

    def columns(self) -> tuple[str, str]:
        """Return the names of the columns of objects and clusters."""
        item, cluster = self.object or "object", self.cluster or "cluster"
        _check_different(item, cluster, "columns")
        return item, cluster


def _check_different(item: object, cluster: object, what: str) -> None:
    if item == cluster:
        raise OptionError(f"object and cluster must be two {what}, not {cluster!r} twice")


def check_read_options(options: ReadOptions) -> None:
    """Reject options that are wrong for every format."""
    for role in ("object", "cluster"):
        column = getattr(options, role)
        if isinstance(column, bool) or not isinstance(column, str | int | None):
            raise OptionError(f"{role} must be a name or a position, not {shown(column)}")
        if isinstance(column, int) and column < 0:
            raise OptionError(f"{role} must be a position from 0 on, not {column}")
    if isinstance(options.outlier_cluster, list | tuple | set | frozenset | dict):
        raise OptionError(
            f"outlier_cluster must be the name of one cluster, not {shown(options.outlier_cluster)}"
        )
    check_delimiter(options.delimiter)
    if options.keys is not None:
        check_option("keys", options.keys, ("clusters", "objects"))
    check_threshold(options.threshold)


def check_delimiter(delimiter: Any) -> None:
    """Reject a delimiter that is not one character, or that occurs in numbers or quotes."""
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
