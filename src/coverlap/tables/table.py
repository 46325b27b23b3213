"""Table: memberships in a file, a relation of DuckDB or a frame of Spark, not read yet."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coverlap.core.errors import InputTypeError
from coverlap.core.values import NEGATIVE
from coverlap.core.wording import shown
from coverlap.files.options import ReadOptions, check_read_options
from coverlap.files.parts import files_of
from coverlap.inputs.columns import library_of, origins


@dataclass(frozen=True, eq=False)
class Table:
    r"""A table of memberships, one in each row, that is not read before it is compared.

    `coverlap.compare` takes it wherever it takes a clustering. Tables that are larger than the
    memory are compared by DuckDB or Spark, see ``engine=`` there.

    Parameters
    ----------
    source : str, Path, list of these, DuckDB relation, Spark frame
        Files of Parquet, CSV or Arrow: their paths, with wildcards (``"run/*.parquet"``), or a
        folder of them. A relation of DuckDB is ``connection.table("name")`` or
        ``connection.sql("SELECT ...")``; a frame of Spark is ``spark.table("name")``.
    object, cluster : str or int, optional
        The columns of objects and clusters, as in `coverlap.read_clustering`.
    outlier_label : label or collection of labels, optional
        The labels that mean *in no cluster*, in place of the negative integers. A null cluster
        always means this.
    outlier_cluster : name, optional
        The cluster whose members are outliers.
    delimiter : str, optional
        The character between the fields of text.
    format : str
        As in `coverlap.read_clustering`.

    Examples
    --------
    >>> from pathlib import Path
    >>> import coverlap as cv
    >>> _ = Path("old.csv").write_text("person,team\n1,red\n2,red\n3,blue\n")
    >>> _ = Path("new.csv").write_text("person,team\n1,red\n2,blue\n3,blue\n")
    >>> columns = {"object": "person", "cluster": "team"}
    >>> tables = [cv.Table(path, **columns) for path in ("old.csv", "new.csv")]
    >>> cv.compare(*tables, engine="duckdb").score
    0.5
    """

    source: Any
    object: str | int | None = None
    cluster: str | int | None = None
    outlier_label: Any = NEGATIVE
    outlier_cluster: Any = None
    delimiter: str | None = None
    format: str = "auto"

    def __post_init__(self) -> None:
        check_read_options(self.options)
        if not (is_path(self.source) or is_relation(self.source) or is_spark_frame(self.source)):
            raise InputTypeError(
                "the source of a Table must be paths, a relation of DuckDB or a frame of Spark, "
                f"not {type(self.source).__name__}: {shown(self.source)}"
            )

    @property
    def options(self) -> ReadOptions:
        """The options of reading."""
        return ReadOptions(
            self.object, self.cluster, self.outlier_cluster, self.outlier_label, self.delimiter
        )

    @property
    def is_files(self) -> bool:
        """Whether the source is files."""
        return is_path(self.source)

    def paths(self, side: str = "") -> list[str | Path]:
        """Return the files, of which there is at least one; ``side`` is for messages."""
        return files_of(self.source, side)

    def __str__(self) -> str:
        if not self.is_files:
            return "relation" if is_relation(self.source) else "Spark frame"
        name = self.source if isinstance(self.source, (str, Path)) else self.source[0]
        return str(name) if str(name).isprintable() else repr(str(name))


def is_path(source: Any) -> bool:
    """Return whether this is a path, or a list of several."""
    if isinstance(source, (list, tuple)):
        return bool(source) and all(isinstance(path, (str, Path)) for path in source)
    return isinstance(source, (str, Path))


def is_relation(source: Any) -> bool:
    """Return whether this is a relation of DuckDB."""
    return library_of(source) == "duckdb" and hasattr(source, "write_parquet")


def is_spark_frame(source: Any) -> bool:
    """Return whether this is a frame of Spark, classic or by Spark Connect."""
    library = next((library for library, _ in origins(source)), None)
    return library == "pyspark" and hasattr(source, "createOrReplaceTempView")


def as_table(source: Any) -> "Table | None":
    """Return a table of paths, a relation or a frame; None for other inputs."""
    if isinstance(source, Table):
        return source
    known = isinstance(source, (str, Path)) or is_relation(source) or is_spark_frame(source)
    return Table(source) if known else None
