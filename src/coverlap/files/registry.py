"""The list of file formats: their names, suffixes and options, and the modules that read them.

To add a format, write a module in `coverlap.files.formats` and add an entry to `FORMATS` here.
"""

import re
from collections.abc import Callable, Sequence
from itertools import chain
from types import ModuleType
from typing import NamedTuple, cast

from coverlap._kernels import load
from coverlap.core.errors import OptionError
from coverlap.files.content import Content
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source

COLUMN_OPTIONS = ("object", "cluster")
LABEL_OPTIONS = ("outlier_cluster", "outlier_label")


class Format(NamedTuple):
    """A file format.

    Its module in `coverlap.files.formats` has a function ``read(source, options)`` that returns a
    `Content` and, if the format is writable, ``write(memberships, file, options)``. If several
    files can be one table, it has ``read_files(sources, options)``, too.
    """

    name: str
    title: str
    module: str
    suffixes: tuple[str, ...]
    options: tuple[str, ...]
    writable: bool = True
    many_files: bool = False

    @property
    def read(self) -> Callable[[Source, ReadOptions], Content]:
        """The function that reads a file of this format."""
        return cast("Callable[[Source, ReadOptions], Content]", self._module.read)

    @property
    def read_files(self) -> Callable[[Sequence[Source], ReadOptions], Content]:
        """The function that reads several files of this format as one table."""
        return cast("Callable[[Sequence[Source], ReadOptions], Content]", self._module.read_files)

    @property
    def write(self) -> Callable[..., None]:
        """The function that writes memberships in this format."""
        return cast("Callable[..., None]", self._module.write)

    @property
    def _module(self) -> ModuleType:
        return load(f"files.formats.{self.module}")

    def check_options(self, options: ReadOptions) -> None:
        """Reject options that this format does not have."""
        foreign = sorted(options.given() - {*self.options, "guessed", "only_objects"})
        if foreign:
            raise OptionError(
                f"{foreign[0]} means nothing in the format {self.name!r}, whose options are "
                f"{', '.join(self.options)}"
            )


_ENTRIES = (
    Format(
        "cluster-lines", "one cluster per line", "cluster_lines", (".cnl", ".cmty"),
        ("delimiter", "outlier_cluster"),
    ),
    Format(
        "object-lines", "one object per line with its clusters", "object_lines", (),
        ("delimiter", *LABEL_OPTIONS),
    ),
    Format(
        "edge-lines", "one edge of a graph per line with its cluster", "edge_lines",
        (".edge2comm", ".edge2comm.txt"), LABEL_OPTIONS, writable=False,
    ),
    Format(
        "pairs", "pairs of object and cluster, in two columns", "pairs", (".csv", ".tsv", ".tab"),
        (*COLUMN_OPTIONS, "delimiter", *LABEL_OPTIONS), many_files=True,
    ),
    Format("labels", "one label per line", "labels", (".labels",), LABEL_OPTIONS),
    Format("json", "JSON", "json_text", (".json",), ("keys", *LABEL_OPTIONS)),
    Format(
        "parquet", "pairs of object and cluster, in two columns", "parquet", (".parquet", ".pq"),
        (*COLUMN_OPTIONS, *LABEL_OPTIONS), many_files=True,
    ),
    Format(
        "arrow", "pairs of object and cluster, in two columns", "arrow",
        (".arrow", ".feather", ".ipc"), (*COLUMN_OPTIONS, *LABEL_OPTIONS), many_files=True,
    ),
    Format(
        "npy", "an array of labels or a sparse matrix", "npy", (".npy", ".npz"),
        (*LABEL_OPTIONS, "threshold"),
    ),
    Format(
        "graphml", "an attribute of a graph's vertices", "graphml", (".graphml",),
        (*COLUMN_OPTIONS, *LABEL_OPTIONS), writable=False,
    ),
    Format(
        "gml", "an attribute of a graph's vertices", "gml", (".gml",),
        (*COLUMN_OPTIONS, *LABEL_OPTIONS), writable=False,
    ),
    Format("clu", "Infomap's modules", "infomap_clu", (".clu",), LABEL_OPTIONS, writable=False),
    Format(
        "tree", "Infomap's tree", "infomap_tree", (".tree", ".ftree"), LABEL_OPTIONS, writable=False
    ),
    Format(
        "h5ad", "a column of an AnnData file's obs", "h5ad", (".h5ad",),
        (*COLUMN_OPTIONS, *LABEL_OPTIONS), writable=False,
    ),
)  # fmt: skip

FORMATS = {entry.name: entry for entry in _ENTRIES}
"""All formats, by name."""


def format_named(name: str) -> Format:
    """Return the format with a name."""
    if name not in FORMATS:
        raise OptionError(f"format must be 'auto' or one of {', '.join(FORMATS)}, not {name!r}")
    return FORMATS[name]


NAME_PATTERNS = (
    (re.compile(r".*\.cmty\b.*"), "cluster-lines"),  # SNAP: com-youtube.all.cmty.txt
    (re.compile(r"com(munity|munities)?([^a-z].*)?\.dat"), "object-lines"),  # LFR and ABCD
)
"""File names that some programs use, and the formats of these files."""


def format_of_name(name: str) -> Format | None:
    """Return the format that belongs to a file name, if any."""
    by_suffix = (entry for entry in _ENTRIES if entry.suffixes and name.endswith(entry.suffixes))
    by_pattern = (FORMATS[form] for pattern, form in NAME_PATTERNS if pattern.fullmatch(name))
    return next(chain(by_suffix, by_pattern), None)
