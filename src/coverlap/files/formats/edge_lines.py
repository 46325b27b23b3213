"""One edge of a graph per line with its cluster, as link clustering writes them."""

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.values import object_array
from coverlap.files.options import Content, Reading, joined, membership_parts, rank_labels
from coverlap.files.source import Source
from coverlap.files.text.cutting import Labels, refuse_header
from coverlap.files.text.edges import edge_fields
from coverlap.files.text.tokens import Dictionary


def read(source: Source, reading: Reading) -> Content:
    """Read two vertices and a cluster from each line; the objects are pairs of vertices."""
    vertices, labels = Dictionary(), Labels(source)
    ends: list[NDArray[np.int32]] = [np.empty(0, np.int32)]
    clusters: list[NDArray[np.int32]] = [np.empty(0, np.int32)]
    first = 0
    for fields in edge_fields(source):
        data, begins, stops, lines = fields
        if begins.shape[1] != 3:
            raise InputError(
                f"{source}, line {lines[0]}: {begins.shape[1]} fields; a clustering of edges has "
                "three, two vertices and a cluster"
            )
        ends.append(vertices.number(data, begins[:, :2].ravel(), stops[:, :2].ravel()))
        clusters.append(labels.number(data, begins[:, 2], stops[:, 2], lines))
        first = first or int(lines[0])
    refuse_header(source, vertices, min(2, len(vertices)), first)
    places = joined(ends).reshape(-1, 2).astype(np.int64)
    low, high = places.min(axis=1), places.max(axis=1)
    keys, numbers = np.unique(low * len(vertices) + high, return_inverse=True)
    names = vertices.values().tolist()
    pairs = [(names[key // len(names)], names[key % len(names)]) for key in keys.tolist()]
    rank, called, met = rank_labels(labels.tokens.labels(), reading, f"{source}: clusters")
    parts = membership_parts(
        numbers.astype(np.int32), rank[joined(clusters)], object_array(pairs), called
    )
    return Content(parts, "one edge of a graph per line with its cluster", outlier_labels=met)
