"""E_G and C_G on positions: clusters of edges from clusters of vertices, and the way back."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.clustering.clustering import Clustering
from coverlap.core.incidence import (
    Codes,
    Runs,
    codes_of_runs,
    frozen,
    narrowest,
    runs_of_pairs,
    turned,
)
from coverlap.core.objects import Objects
from coverlap.core.threads import number_of_threads, workers
from coverlap.graph.graph import Graph
from coverlap.inputs.parts import Parts


def induce_edges(graph: Graph, clustering: Clustering, threads: int | None = None) -> Clustering:
    """Put the edges with both ends in a cluster into one of the same name.

    The objects of the clustering are the positions of the vertices.
    """
    objects = Objects(graph.n_edges)
    if not clustering.has_overlaps:
        incidence = clustering._incidence
        if isinstance(incidence, Runs):
            incidence = codes_of_runs(incidence, graph.n_vertices)
        codes = _common_codes(graph, incidence, threads)
        made = Clustering._make(Parts(codes, objects, clustering._names))
        made._n_dropped = clustering.n_clusters - made.n_clusters
        return made
    runs = _common_runs(graph, clustering._runs, threads)
    return Clustering._make(Parts(runs, objects, clustering._names))


def _common_codes(graph: Graph, codes: Codes, threads: int | None) -> Codes:
    """Give each edge the code of both its ends; disjoint clusters have disjoint edges."""
    upper = graph._upper
    out = np.empty(graph.n_edges, narrowest(codes.n_codes))
    with workers(number_of_threads(threads, graph.n_edges, 1)) as team:
        begins, ends = team.balanced(upper.pointers)
        team.run(_kernels.edges.common_codes, begins, ends, *upper, codes.codes, out)
    return Codes(frozen(out), codes.n_codes)


def _common_runs(graph: Graph, runs: Runs, threads: int | None) -> Runs:
    """List the edges of each cluster: count them, then write each to its place.

    Threads have a range of vertices each, and so the edges that they write follow one another.
    """
    n_clusters = len(runs.pointers) - 1
    first, clusters = turned(runs, graph.n_vertices)
    with workers(number_of_threads(threads, graph.n_edges, n_clusters)) as team:
        begins, ends = team.balanced(graph._upper.pointers)
        marks = [np.zeros(n_clusters, narrowest(graph.n_vertices + 1)) for _ in begins]
        given = (begins, ends, *graph._upper, first, clusters, marks)
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


def induce_vertices(graph: Graph, clustering: Clustering) -> Clustering:
    """Put the ends of the edges of a cluster into one of the same name.

    The objects of the clustering are the numbers of the edges.
    """
    edges, clusters = memberships(clustering)
    ends = np.concatenate((graph._sources[edges], graph._upper.members[edges]))
    n_clusters = clustering.n_clusters
    runs = runs_of_pairs(ends, np.concatenate((clusters, clusters)), graph.n_vertices, n_clusters)
    return Clustering._make(Parts(runs, graph._objects, used_names(clustering)))


def memberships(clustering: Clustering) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """List the object and the cluster of each membership; clusters are counted without gaps."""
    pointers, members = clustering._runs
    return members, np.repeat(np.arange(len(pointers) - 1), np.diff(pointers))


def used_names(clustering: Clustering) -> NDArray[Any] | None:
    """Return the names of the clusters without gaps, None if they are called by position."""
    if isinstance(clustering._incidence, Runs):
        return clustering._names
    used = np.flatnonzero(clustering._all_sizes)
    return used if clustering._names is None else clustering._names[used]
