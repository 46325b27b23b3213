"""Read AnnData files: a column of obs names the clusters of the observations."""

import re
from importlib.util import find_spec

import numpy as np

from coverlap.core.errors import InputError, MissingDependencyError
from coverlap.core.incidence import Codes, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects, check_distinct
from coverlap.core.texts import Ids
from coverlap.core.values import value_array
from coverlap.files.child import run_limited
from coverlap.files.content import Content, number_labels
from coverlap.files.hdf5 import Column
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.tokens import text_ids

START = re.compile(b"\x89HDF\r\n\x1a\n")


def read(source: Source, options: ReadOptions) -> Content:
    """Read the column of obs that ``cluster`` names; a missing value makes an outlier.

    Objects are the index of obs, unless ``object`` names a column. AnnData stores every index as
    text, so it is read as integers if every item is written as one. Only these two columns are
    read, by a child process with limits of memory and time.
    """
    named, _ = options.attributes()
    if find_spec("h5py") is None:
        raise MissingDependencyError(
            "an .h5ad file needs h5py, which is not installed: pip install 'coverlap[h5ad]'"
        )
    source.check_start(START, "cannot be read as HDF5")
    with source.as_path() as path:
        wanted = [named, options.cluster, source.flags]
        arrays = run_limited("coverlap.files.hdf5", wanted, path, source)
    objects, labels, cluster = Column(*arrays[:2]), Column(*arrays[2:4]), str(arrays[4][0])
    where = f"{source}, obs"
    if len(objects.places) != len(labels.places):
        raise InputError(
            f"{where}: {len(labels.places):,} values in column {cluster!r} for "
            f"{len(objects.places):,} objects"
        )
    ids = _ids(objects, f"{where}[{named or 'index'}]")
    rank, names, met = number_labels(labels.values, options, f"{where}[{cluster}]")
    codes = np.append(rank, np.int32(-1))[labels.places]
    parts = Memberships(Codes(frozen(codes), len(names)), Objects(len(ids), ids, "id"), names)
    held = "the index" if named is None else f"column {named!r}"
    title = f"AnnData's obs, object in {held} and cluster in column {cluster!r}"
    return Content(parts, title, outlier_labels=met)


def _ids(column: Column, where: str) -> Ids:
    values, places = column
    if np.any(places < 0):
        raise InputError(f"{where} must name every object, but row {np.argmin(places)} is missing")
    if values.dtype.kind == "b":
        raise InputError(f"{where} must be text or integers, not true and false")
    found = values[places].tolist()
    ids = text_ids(found) if values.dtype == object else value_array(found)
    check_distinct(ids, where)
    return ids
