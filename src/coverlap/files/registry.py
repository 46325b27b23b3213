"""The formats: what each is called, which files have it, what reads and what writes it."""

import re
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import NamedTuple, cast

from coverlap.core.errors import OptionError
from coverlap.files.options import Content, Reading
from coverlap.files.source import Source

NAMING = ("object", "cluster")
LABELLING = ("outlier_cluster", "outlier_label")


class Format(NamedTuple):
    """A file format. The module has a function ``read``, and ``write`` if it can be written."""

    name: str
    title: str
    module: str
    suffixes: tuple[str, ...]
    options: tuple[str, ...]
    writable: bool = True

    @property
    def read(self) -> Callable[[Source, Reading], Content]:
        """The function that reads a file of this format."""
        return cast("Callable[[Source, Reading], Content]", self._load().read)

    @property
    def write(self) -> Callable[..., None]:
        """The function that writes a clustering in this format."""
        return cast("Callable[..., None]", self._load().write)

    def _load(self) -> ModuleType:
        return import_module(f"coverlap.files.formats.{self.module}")

    def check(self, reading: Reading) -> None:
        """Refuse options that mean nothing to this format."""
        foreign = sorted(reading.given() - {*self.options, "guessed"})
        if foreign:
            raise OptionError(
                f"{foreign[0]} means nothing in the format {self.name!r}, whose options are "
                f"{', '.join(self.options)}"
            )


_ALL = (
    Format(
        "cluster-lines", "one cluster per line", "cluster_lines", (".cnl", ".cmty"),
        ("delimiter", "outlier_cluster"),
    ),
    Format(
        "object-lines", "one object per line with its clusters", "object_lines", (),
        ("delimiter", *LABELLING),
    ),
    Format(
        "edge-lines", "one edge of a graph per line with its cluster", "edge_lines",
        (".edge2comm", ".edge2comm.txt"), LABELLING, writable=False,
    ),
    Format(
        "pairs", "pairs of object and cluster, in two columns", "pairs", (".csv", ".tsv", ".tab"),
        (*NAMING, "delimiter", *LABELLING),
    ),
    Format("labels", "one label per line", "labels", (".labels",), LABELLING),
    Format("json", "JSON", "json_text", (".json",), ("keys", *LABELLING)),
    Format(
        "parquet", "pairs of object and cluster, in two columns", "parquet", (".parquet", ".pq"),
        (*NAMING, *LABELLING),
    ),
    Format(
        "arrow", "pairs of object and cluster, in two columns", "arrow",
        (".arrow", ".feather", ".ipc"), (*NAMING, *LABELLING),
    ),
    Format("npy", "an array of labels or a sparse matrix", "npy", (".npy", ".npz"), LABELLING),
    Format(
        "graphml", "an attribute of a graph's vertices", "graphml", (".graphml",),
        (*NAMING, *LABELLING), writable=False,
    ),
    Format(
        "gml", "an attribute of a graph's vertices", "gml", (".gml",),
        (*NAMING, *LABELLING), writable=False,
    ),
    Format("clu", "Infomap's modules", "infomap_clu", (".clu",), LABELLING, writable=False),
    Format(
        "tree", "Infomap's tree", "infomap_tree", (".tree", ".ftree"), LABELLING, writable=False
    ),
    Format(
        "h5ad", "a column of an AnnData file's obs", "h5ad", (".h5ad",),
        (*NAMING, *LABELLING), writable=False,
    ),
)  # fmt: skip

FORMATS = {entry.name: entry for entry in _ALL}
"""All formats, by name."""


def format_named(name: str) -> Format:
    """Return a format by its name."""
    if name not in FORMATS:
        raise OptionError(f"format must be 'auto' or one of {', '.join(FORMATS)}, not {name!r}")
    return FORMATS[name]


NAMES = (
    (re.compile(r".*\.cmty\b.*"), "cluster-lines"),  # SNAP: com-youtube.all.cmty.txt
    (re.compile(r"com(munity|munities)?([^a-z].*)?\.dat"), "object-lines"),  # LFR and ABCD
)
"""Names that programs give to their files."""


def format_of_name(name: str) -> Format | None:
    """Return the format that a file's name tells, if it tells one."""
    return next(
        (entry for entry in _ALL if name.endswith(entry.suffixes or ("\0",))), None
    ) or next((FORMATS[form] for pattern, form in NAMES if pattern.fullmatch(name)), None)
