"""One edge of a graph per line with its cluster, as programs for link clustering write them."""

import numpy as np
from numpy.typing import NDArray

from coverlap.core.errors import InputError
from coverlap.core.values import object_array
from coverlap.files.content import (
    Content,
    concatenate_and_clear,
    memberships_of_pairs,
    number_labels,
)
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.edges import edge_fields, number_ends
from coverlap.files.text.tokens import FileTokens, Labels, reject_header

TITLE = "one edge of a graph per line with its cluster"


def read(source: Source, options: ReadOptions) -> Content:
    """Read two vertices and a cluster from each line; the objects are pairs of vertices."""
    vertices, labels = FileTokens(), Labels(source)
    ends: list[NDArray[np.int32]] = [np.empty((0, 2), np.int32)]
    clusters: list[NDArray[np.int32]] = [np.empty(0, np.int32)]
    first = 0
    for fields in edge_fields(source):
        n_fields = fields.begins.shape[1]
        if n_fields != 3:
            raise InputError(
                f"{source}, line {fields.lines[0]}: {n_fields} fields; a clustering of edges has "
                "three, two vertices and a cluster"
            )
        ends.append(number_ends(vertices, fields))
        clusters.append(labels.number(*fields.column(2), fields.lines))
        first = first or int(fields.lines[0])
    reject_header(source, vertices, min(2, len(vertices)), first)
    places = concatenate_and_clear(ends).astype(np.int64)
    keys = places.min(axis=1) * len(vertices) + places.max(axis=1)
    distinct, objects = np.unique(keys, return_inverse=True)
    ids = vertices.values().tolist()
    edges = [(ids[key // len(ids)], ids[key % len(ids)]) for key in distinct.tolist()]
    numbered = number_labels(labels.tokens.labels(), options, f"{source}: clusters")
    memberships = memberships_of_pairs(
        objects.astype(np.int32),
        numbered.numbers[concatenate_and_clear(clusters)],
        object_array(edges),
        numbered.names,
    )
    return Content(memberships, TITLE, outlier_labels=numbered.outlier_labels)
