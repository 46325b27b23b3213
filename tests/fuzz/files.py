"""Damaged files of every format: each is read or rejected, and what is read can be written."""

import io
from pathlib import Path
from random import Random
from typing import Any

import h5py
import numpy as np
import pyarrow as pa

import coverlap as cv
from coverlap.files.registry import FORMATS
from tests.files.mutants import BASES, OPTIONS, PIECES, mutated
from tests.files.support import (
    COMPRESSED,
    TEXT_FORMATS,
    arrow_bytes,
    arrow_table,
    assert_sound,
    parquet_bytes,
    shape,
)


def h5ad_bytes() -> bytes:
    """Return a small file as AnnData writes it, made by h5py alone."""
    file = io.BytesIO()
    text = h5py.string_dtype()
    with h5py.File(file, "w") as root:
        root.attrs["encoding-type"], root.attrs["encoding-version"] = "anndata", "0.1.0"
        obs = root.create_group("obs")
        obs.attrs["encoding-type"], obs.attrs["encoding-version"] = "dataframe", "0.2.0"
        obs.attrs["_index"] = "_index"
        obs.attrs.create("column-order", ["cluster"], dtype=text)
        obs.create_dataset("_index", data=["c1", "c2", "c3"], dtype=text)
        column = obs.create_group("cluster")
        column.attrs["encoding-type"] = "categorical"
        column.attrs["encoding-version"], column.attrs["ordered"] = "0.2.0", False
        column.create_dataset("codes", data=np.array([0, 1, -1], np.int8))
        column.create_dataset("categories", data=["x", "y"], dtype=text)
    return file.getvalue()


EXACT = arrow_table(
    object=pa.array([1, 2, 3], pa.decimal128(9, 2)),
    cluster=pa.array([1, 2, 2], pa.timestamp("ns")),
)
GRAPHML = b"""<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="cluster" attr.type="long"/>
<graph edgedefault="undirected"><node id="a"><data key="d0">1</data></node>
<node id="b"><data key="d0">2</data></node><edge source="a" target="b"/></graph></graphml>
"""
GML = b'graph [\n node [\n id 0\n label "a"\n cluster 1\n ]\n node [\n id 1\n cluster "x"\n ]\n]\n'

ALL_BASES: dict[str, list[bytes]] = {
    **BASES,
    "edge-lines": [b"1 2 a\n2 3 a\n3 4 b\n"],
    "clu": [b"# node_id module flow\n1 1 0.5\n2 1 0.2\n3 2 0.3\n", b"*Vertices 3\n1\n1\n2\n"],
    "tree": [b'1:1 0.5 "a" 1\n1:2 0.2 "b" 2\n2:1 0.3 "c" 3\n'],
    "gml": [GML],
    "graphml": [GRAPHML],
    "h5ad": [h5ad_bytes()],
    "exact": [parquet_bytes(EXACT), arrow_bytes(EXACT)],
}
SUFFIXES = [".txt", "", *(suffix for entry in FORMATS.values() for suffix in entry.suffixes)]
WRITABLE = [name for name, entry in FORMATS.items() if entry.writable]
USES = (*["read"] * 2, *["format"] * 4, "universe", "graph")


def damaged_file(random: Random) -> tuple[str, bytes]:
    """Return the format and the content of a file that is damaged in most cases."""
    form = random.choice(list(ALL_BASES))
    if form == "h5ad" and random.random() < 0.8:  # it is read in a process of its own
        form = "json"
    data = random.choice(ALL_BASES[form])
    chance = random.random()
    if chance < 0.8:
        data = mutated(random, data, in_place=chance < 0.4)
    elif chance < 0.85:
        other = random.choice(random.choice(list(ALL_BASES.values())))
        data = data[: random.randint(0, len(data))] + other[random.randint(0, len(other)) :]
    elif chance < 0.88:
        data = random.randbytes(random.choice((0, 1, 3, 20, 200, 3000)))
    elif chance < 0.91:
        data = b"".join(random.choices(PIECES, k=random.randint(1, 9)))
    if random.random() < 0.1:
        data = random.choice(list(COMPRESSED.values()))(data)
        data = mutated(random, data) if random.random() < 0.5 else data
    return form, data


def run(random: Random, folder: Path) -> str:
    """Read a damaged file in some way, and check what is read."""
    form, data = damaged_file(random)
    own = FORMATS[form].suffixes if form in FORMATS and random.random() < 0.7 else ()
    path = folder / f"a{random.choice(own or SUFFIXES)}"
    path.write_bytes(data)
    use = random.choice(USES)
    try:
        found = _use(random, use, form, path)
    except cv.CoverlapError as error:
        message = str(error)
        assert "\n" not in message
        assert path.name in message or use in ("universe", "graph"), message
        if use == "format" and form in TEXT_FORMATS:
            assert ", line " in message or "but the data is not" in message, message
        return "rejected"
    if found is not None:
        assert_sound(found)
        found.describe()
        repr(found)
        assert cv.fstar_score(found, found) == 1.0
        _round_trip(random, found, folder)
    return "answered"


def _use(random: Random, use: str, form: str, path: Path) -> cv.Clustering | None:
    if use == "universe":
        cv.fstar_score([{1, 2}, {"x"}], [{1, 2}], universe=path)
        return None
    if use == "graph":
        cv.graph.as_graph(path)
        return None
    if use == "read" or form not in FORMATS:
        return cv.read_clustering(path)
    options: dict[str, Any] = random.choice(OPTIONS.get(form, [{}]))
    return cv.read_clustering(path, form, **options)


def _round_trip(random: Random, clustering: cv.Clustering, folder: Path) -> None:
    """Check that what can be written is read as it was."""
    form = random.choice(WRITABLE)
    path = folder / "written"
    try:
        cv.write_clustering(clustering, path, format=form)
    except cv.CoverlapError:
        return
    again = cv.read_clustering(path, form)
    written, read = (_texts(shape(side)[0]) for side in (clustering, again))
    assert read == written, form
    if form not in TEXT_FORMATS:
        assert shape(again) == shape(clustering), form


def _texts(clusters: set[frozenset[Any]]) -> set[frozenset[str]]:
    """Return clusters with their ids as text: text files do not tell ``1`` from ``"1"``."""
    return {frozenset(map(str, cluster)) for cluster in clusters}
