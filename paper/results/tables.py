"""Tables of the results: all values as Parquet, and means beside the stored ones as CSV."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb
import numpy as np

from paper.experiments.experiment import Values
from paper.results.curves import Curves
from paper.results.stored import nearest, stored_curves

MEANS = ("experiment", "x", "measure", "mean", "sd", "n", "stored_mean", "stored_sd")


def write_values(results: Sequence[Values], path: Path) -> None:
    """Write one row per value: experiment, x, measure, sample, value."""
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE results (experiment VARCHAR, x DOUBLE, measure VARCHAR, sample INTEGER, "
            "value DOUBLE)"
        )
        for result in results:
            _insert(connection, result)
        connection.table("results").write_parquet(str(path))


def _insert(connection: duckdb.DuckDBPyConnection, result: Values) -> None:
    n_samples, n_points = result.x.shape
    sample = np.repeat(np.arange(n_samples, dtype=np.int32), n_points)
    for column, measure in enumerate(result.experiment.measures):
        value = result.values[:, :, column].ravel()
        connection.register("given", {"x": result.x.ravel(), "sample": sample, "value": value})
        connection.execute(
            "INSERT INTO results SELECT ?, x, ?, sample, value FROM given",
            [result.experiment.name, measure],
        )
        connection.unregister("given")


def write_means(found: Sequence[Curves], path: Path) -> None:
    """Write one row per mean; the columns of the stored mean are empty if there is none."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(MEANS)
        for curves in found:
            for column, measure in enumerate(curves.experiment.measures):
                writer.writerows(_rows(curves, column, measure))


def _rows(curves: Curves, column: int, measure: str) -> Iterator[tuple[object, ...]]:
    name = curves.experiment.name
    theirs = stored_curves().get((name, measure))
    places = nearest(curves.x, theirs.x) if theirs is not None else []
    for i, x in enumerate(curves.x.tolist()):
        mean, sd = float(curves.means[i, column]), float(curves.sds[i, column])
        stored: tuple[object, object] = ("", "")
        if theirs is not None:
            stored = float(theirs.means[places[i]]), float(theirs.sds[places[i]])
        yield (name, x, measure, mean, sd, int(curves.counts[i]), *stored)
