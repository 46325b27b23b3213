"""Time calls on small inputs, where the overhead of each call decides.

Run it with ``make bench`` or ``python benchmarks/small_calls.py``; add ``--tiny`` for a quick run.
It compares with a peer only in the last section, `scikit_learn`; the other figures are for
comparing two versions of coverlap. Every time is the best of several loops.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from data import Labels, partitions
from rich.table import Table
from timing import best_of_many, console, optional, run

import coverlap as cv

N_OBJECTS, N_CLUSTERS = 100, 8


def print_times(title: str, calls: dict[str, Callable[[], object]]) -> None:
    """Print the microseconds of each call."""
    table = Table("", "µs", title=title, title_justify="left")
    table.columns[1].justify = "right"
    for name, call in calls.items():
        table.add_row(name, f"{best_of_many(call, calls=200) * 1e6:,.1f}")
    console.print(table)


def inputs() -> dict[str, tuple[Any, Any]]:
    """Return the same two clusterings in each type that users pass."""
    left, right = partitions(N_OBJECTS, N_CLUSTERS, outliers=0.0)
    return {
        "int64 arrays": (left, right),
        "int32 arrays": (left.astype(np.int32), right.astype(np.int32)),
        "uint8 arrays": (left.astype(np.uint8), right.astype(np.uint8)),
        "a list and an int64 array": (left.tolist(), right),
        "lists of integers": (left.tolist(), right.tolist()),
        "lists of strings": ([f"c{i}" for i in left], [f"c{i}" for i in right]),
        "lists of sets": (_sets(left), _sets(right)),
        "Clusterings": (cv.as_clustering(left), cv.as_clustering(right)),
    }


def _sets(labels: Labels) -> list[set[int]]:
    return [set(np.flatnonzero(labels == label).tolist()) for label in np.unique(labels)]


def fstar() -> None:
    calls = {}
    for name, (left, right) in inputs().items():
        calls[f"fstar_score({name})"] = partial(cv.fstar_score, left, right)
        calls[f"score({name}, 'fstar_wo')"] = partial(cv.score, left, right, "fstar_wo")
    left, right = inputs()["int64 arrays"]
    calls["fstar_score(int64 arrays, threads=1)"] = partial(cv.fstar_score, left, right, threads=1)
    print_times(f"F*_wo of {N_OBJECTS} objects, {N_CLUSTERS} clusters", calls)


def others() -> None:
    left, right = inputs()["int64 arrays"]
    left_sets, right_sets = inputs()["lists of sets"]
    seeds = range(10)
    many = [partitions(N_OBJECTS, N_CLUSTERS, outliers=0.0, seed=seed)[0] for seed in seeds]
    calls = {
        "compare(int64 arrays)": partial(cv.compare, left, right),
        "score(int64 arrays, 'ari')": partial(cv.score, left, right, "ari"),
        "score(lists of sets, 'omega')": partial(cv.score, left_sets, right_sets, "omega"),
        "scores(int64 arrays, 3 measures)": partial(
            cv.scores, left, right, ["fstar_wo", "ari", "nmi"]
        ),
        "pairwise(10 int64 arrays)": partial(cv.pairwise, many),
        "pairwise(10 int64 arrays, 'ari')": partial(cv.pairwise, many, "ari"),
    }
    print_times(f"Other calls, {N_OBJECTS} objects, {N_CLUSTERS} clusters", calls)


def scikit_learn() -> None:
    if metrics := optional("sklearn.metrics"):
        left, right = inputs()["int64 arrays"]
        call = partial(metrics.adjusted_rand_score, left, right)
        print_times("The same objects", {"scikit-learn's adjusted_rand_score": call})


if __name__ == "__main__":
    run(fstar, others, scikit_learn)
