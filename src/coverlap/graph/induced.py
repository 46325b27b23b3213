"""The clustering of edges that a clustering of vertices induces, and the reverse."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.incidence import (
    Codes,
    Runs,
    codes_of_runs,
    frozen,
    narrowest,
    runs_of_pairs,
    transposed,
)
from coverlap.core.memberships import Memberships
from coverlap.core.objects import Objects
from coverlap.core.texts import Ids
from coverlap.core.threads import number_of_threads, workers
from coverlap.graph.graph import Graph


def induce_edges(graph: Graph, clustering: Memberships, threads: int | None = None) -> Memberships:
    """Return the clusters of edges: each has the edges with both ends in a cluster of vertices.

    The objects of the clustering are the positions of the vertices.
    """
    objects = Objects(graph.n_edges)
    if not clustering.has_overlaps:
        incidence = clustering.incidence
        if isinstance(incidence, Runs):
            incidence = codes_of_runs(incidence, graph.n_vertices)
        codes = _common_codes(graph, incidence, threads)
        made = Memberships(codes, objects, clustering.code_names)
        return replace(made, n_dropped=clustering.n_clusters - made.n_clusters)
    runs = _common_runs(graph, clustering.runs, threads)
    return Memberships(runs, objects, clustering.code_names).distinct()


def _common_codes(graph: Graph, codes: Codes, threads: int | None) -> Codes:
    """Return the code of each edge: that of its ends if they have the same one."""
    upper = graph.upper
    out = np.empty(graph.n_edges, narrowest(codes.n_codes))
    with workers(number_of_threads(threads, graph.n_edges, 1)) as team:
        begins, ends = team.balanced(upper.pointers)
        team.run(_kernels.edges.common_codes, begins, ends, *upper, codes.codes, out)
    return Codes(frozen(out), codes.n_codes)


def _common_runs(graph: Graph, runs: Runs, threads: int | None) -> Runs:
    """List the edges of each cluster: one pass counts them, another writes them.

    Each thread has one range of vertices, and writes after the threads with earlier ranges.
    """
    n_clusters = len(runs.pointers) - 1
    first, clusters = transposed(runs, graph.n_vertices)
    with workers(number_of_threads(threads, graph.n_edges, n_clusters)) as team:
        begins, ends = team.balanced(graph.upper.pointers)
        marks = [np.zeros(n_clusters, narrowest(graph.n_vertices + 1)) for _ in begins]
        given = (begins, ends, *graph.upper, first, clusters, marks)
        counts = [np.zeros(n_clusters, np.int64) for _ in begins]
        nothing = np.empty(0, narrowest(graph.n_edges))
        team.run(_kernels.edges.list_common, *given, counts, nothing)  # counts only
        pointers = np.concatenate(([0], np.cumsum(sum(counts))))
        members = np.empty(pointers[-1], narrowest(graph.n_edges))
        free = [pointers[:-1].copy()]
        for earlier in counts[:-1]:
            free.append(free[-1] + earlier)
        team.run(_kernels.edges.list_common, *given, free, members)
    return Runs(frozen(pointers), frozen(members))


def induce_vertices(graph: Graph, clustering: Memberships) -> Memberships:
    """Return the clusters of vertices: each has the ends of the edges of a cluster of edges.

    The objects of the clustering are the numbers of the edges.
    """
    edges, clusters = memberships(clustering)
    ends = np.concatenate((graph.sources[edges], graph.upper.members[edges]))
    n_clusters = clustering.n_clusters
    runs = runs_of_pairs(ends, np.concatenate((clusters, clusters)), graph.n_vertices, n_clusters)
    return Memberships(runs, graph.objects, used_names(clustering)).distinct()


def memberships(clustering: Memberships) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the object and the cluster of each membership; clusters are numbered without gaps."""
    pointers, members = clustering.runs
    return members, np.repeat(np.arange(len(pointers) - 1), np.diff(pointers))


def used_names(clustering: Memberships) -> Ids | None:
    """Return the names of the non-empty clusters, None if they are named by position."""
    if isinstance(clustering.incidence, Runs):
        return clustering.code_names
    used = np.flatnonzero(clustering.code_sizes)
    return used if clustering.code_names is None else clustering.code_names[used]
