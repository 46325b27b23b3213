"""The results as tables: every value, and the means beside the stored ones."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from coverlap.experiments.results import Curves, Values
from coverlap.experiments.stored import nearest, stored_curves

MEANS = ("experiment", "x", "measure", "mean", "sd", "n", "stored_mean", "stored_sd")


def write_values(results: Sequence[Values], path: Path) -> None:
    """Write one row for each value, as Parquet: experiment, x, measure, sample, value."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE results (experiment VARCHAR, x DOUBLE, measure VARCHAR, sample INTEGER, "
            "value DOUBLE)"
        )
        for experiment, x, values, _ in results:
            sample = np.repeat(np.arange(len(x), dtype=np.int32), x.shape[1])
            for column, measure in enumerate(experiment.measures):
                given = values[:, :, column].ravel()
                connection.register("given", {"x": x.ravel(), "sample": sample, "value": given})
                connection.execute(
                    "INSERT INTO results SELECT ?, x, ?, sample, value FROM given",
                    [experiment.name, measure],
                )
                connection.unregister("given")
        connection.table("results").write_parquet(str(path))


def write_means(found: Sequence[Curves], path: Path) -> None:
    """Write one row for each mean, as CSV, beside the stored one where there is one."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(MEANS)
        for curves in found:
            for column, measure in enumerate(curves.experiment.measures):
                writer.writerows(_rows(curves, column, measure))


def _rows(curves: Curves, column: int, measure: str) -> list[list[object]]:
    name, x = curves.experiment.name, curves.x
    theirs = stored_curves().get((name, measure))
    beside: list[list[object]] = [["", ""] for _ in x]
    if theirs is not None:
        at = nearest(x, theirs.x)
        beside = [[mean, sd] for mean, sd in zip(theirs.means[at], theirs.sds[at], strict=True)]
    means, sds = curves.means[:, column].tolist(), curves.sds[:, column].tolist()
    counts = curves.counts.astype(np.int64).tolist()
    return [
        [name, *row, *more]
        for *row, more in zip(
            x.tolist(), [measure] * len(x), means, sds, counts, beside, strict=True
        )
    ]
