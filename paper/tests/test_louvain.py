"""Louvain against a naive one that recomputes modularity in exact fractions for every move."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import coverlap as cv
from paper.experiments import louvain as module
from paper.experiments.louvain import louvain
from paper.generate import abcd_graph

RESOLUTIONS = (0.67, 1.25, 4.5)


def modularity(graph, clusters, resolution):
    total = 2 * graph.number_of_edges()
    owner = {vertex: i for i, cluster in enumerate(clusters) for vertex in cluster}
    inside = sum(owner[one] == owner[other] for one, other in graph.edges)
    volumes = [sum(graph.degree[vertex] for vertex in cluster) for cluster in clusters]
    expected = Fraction(sum(volume**2 for volume in volumes), total**2)
    return Fraction(2 * inside, total) - Fraction(resolution) * expected


def naive_louvain(graph, resolution, n_levels=3, pass_tolerance=0.01, level_tolerance=0.001):
    """Move sets of vertices of the original graph, without weights, loops or volumes."""
    units = [{vertex} for vertex in sorted(graph)]
    for _ in range(n_levels):
        before = modularity(graph, units, resolution)
        units = move_all(graph, units, resolution, pass_tolerance)
        if modularity(graph, units, resolution) - before <= Fraction(level_tolerance):
            break
    return units


def move_all(graph, units, resolution, tolerance):
    labels = list(range(len(units)))
    old = modularity(graph, units, resolution)
    while True:
        for i in range(len(units)):
            labels = best_move(graph, units, labels, i, resolution)
        new = modularity(graph, join(units, labels), resolution)
        if new - old <= Fraction(tolerance):
            return join(units, labels)
        old = new


def best_move(graph, units, labels, i, resolution):
    around = [
        labels[j]
        for j, unit in enumerate(units)
        if any(graph.has_edge(one, other) for one in units[i] for other in unit)
    ]
    options = [[*labels[:i], label, *labels[i + 1 :]] for label in (labels[i], *around)]
    return max(options, key=lambda given: modularity(graph, join(units, given), resolution))


def join(units, labels):
    return [
        set().union(*(unit for unit, its in zip(units, labels, strict=True) if its == label))
        for label in sorted(set(labels))
    ]


@pytest.mark.parametrize("resolution", RESOLUTIONS)
@pytest.mark.parametrize("seed", range(5))
def test_clusters_are_those_of_the_naive_one(seed, resolution):
    graph = nx.gnp_random_graph(40, 0.1, seed=seed)
    found = louvain(cv.graph.as_graph(graph), resolution)
    assert found.to_clusters() == naive_louvain(graph, resolution)


@pytest.mark.parametrize(
    ("levels", "pass_tolerance", "level_tolerance"), [(1, 0.01, 0), (10, 0, 0), (3, 0.2, 0.3)]
)
def test_levels_and_tolerances_say_when_to_stop(
    levels, pass_tolerance, level_tolerance, monkeypatch
):
    monkeypatch.setattr(module, "MAX_LEVELS", levels)
    monkeypatch.setattr(module, "PASS_TOLERANCE", pass_tolerance)
    monkeypatch.setattr(module, "LEVEL_TOLERANCE", level_tolerance)
    results = set()
    for seed in (3, 4):
        graph = nx.gnp_random_graph(40, 0.1, seed=seed)
        found = louvain(cv.graph.as_graph(graph), 0.67).to_clusters()
        assert found == naive_louvain(graph, 0.67, levels, pass_tolerance, level_tolerance)
        results.add(found == naive_louvain(graph, 0.67))
    assert False in results


def test_the_early_stop_leaves_more_clusters_than_modularity_wants(monkeypatch):
    graph = abcd_graph(1000, xi=0.8, seed=1).graph
    short = louvain(graph, 0.67)
    monkeypatch.setattr(module, "MAX_LEVELS", 100)
    monkeypatch.setattr(module, "PASS_TOLERANCE", 0)
    monkeypatch.setattr(module, "LEVEL_TOLERANCE", 0)
    long = louvain(graph, 0.67)
    reached, possible = (
        graph.to_igraph().modularity(found.to_labels().tolist(), resolution=0.67)
        for found in (short, long)
    )
    assert reached < possible
    assert short.n_clusters > long.n_clusters


def test_cliques_are_found_and_vertices_without_edges_are_alone():
    graph = nx.connected_caveman_graph(6, 8)
    graph.add_nodes_from([48, 49])
    found = louvain(cv.graph.as_graph(graph), 1.0)
    cliques = [set(range(8 * i, 8 * i + 8)) for i in range(6)]
    assert found.to_clusters() == [*cliques, {48}, {49}]


@pytest.mark.parametrize("n", [0, 3])
def test_a_graph_without_edges_has_a_cluster_for_each_vertex(n):
    graph = cv.graph.as_graph(np.zeros((0, 2), int), vertices=n)
    assert louvain(graph, 1.0).n_clusters == n
