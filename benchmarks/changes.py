"""Time what explains a comparison, beside the group-by that a user would write with pandas.

Run it with ``make bench`` or ``python benchmarks/changes.py``; add ``--tiny`` for a quick run.
"""

import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
from data import Labels, partitions, size
from timing import best, report, run

import coverlap as cv
from coverlap.cli import program

N_LABELS, N_OBJECTS, N_CLUSTERS = (
    size(10_000_000, 5_000), size(1_000_000, 5_000), size(100_000, 500),
)  # fmt: skip


def partners(frame: pd.DataFrame) -> pd.Series:
    """Return for each left label its best match by Jaccard, if each is the best of the other."""
    inside = frame[(frame["left"] >= 0) & (frame["right"] >= 0)]
    cells = inside.groupby(["left", "right"]).size().rename("shared").reset_index()
    left, right = (frame[side].value_counts() for side in ("left", "right"))
    union = cells["left"].map(left) + cells["right"].map(right) - cells["shared"]
    cells["jaccard"] = cells["shared"] / union
    forth = cells.loc[cells.groupby("left")["jaccard"].idxmax()].set_index("left")["right"]
    back = cells.loc[cells.groupby("right")["jaccard"].idxmax()].set_index("right")["left"]
    return forth[forth.map(back) == forth.index]


def moved_objects(left: Labels, right: Labels) -> pd.Series:
    """Return whether each object moved; without its loss, or where it moved from."""
    frame = pd.DataFrame({"left": left, "right": right})
    found = partners(frame)
    stays = (frame["left"].map(found) == frame["right"]) | (frame.max(axis=1) < 0)
    return ~stays


def objects() -> None:
    """Time the table of all objects: clusters on both sides, moves and losses."""
    left, right = partitions(N_LABELS, N_CLUSTERS)
    moved = cv.compare(left, right).objects().to_frame("pandas")["moved"]
    if not moved.equals(moved_objects(left, right)):
        raise ValueError("pandas finds other objects that moved")
    report(
        f"{N_LABELS:,} labels, {N_CLUSTERS:,} clusters: which objects moved?",
        "compare(...).objects()", best(lambda: cv.compare(left, right).objects(), 3),
        {
            "compare(...).objects().to_frame()": best(
                lambda: cv.compare(left, right).objects().to_frame("pandas"), 2
            ),
            "pandas: group-by and map, only whether": best(lambda: moved_objects(left, right), 1),
        },
    )  # fmt: skip


def releases() -> tuple[Labels, Labels]:
    """Draw a clustering, and another one in which some clusters are split and others merged."""
    rng = np.random.default_rng(16)
    old = rng.integers(0, N_CLUSTERS, N_OBJECTS)
    new = old.copy()
    split = rng.random(N_CLUSTERS) < 0.02
    half = split[old] & (rng.random(N_OBJECTS) < 0.4)
    new[half] += N_CLUSTERS
    merged = np.flatnonzero(~split)[: N_CLUSTERS // 50]
    target = np.arange(2 * N_CLUSTERS)
    target[merged[1::2]] = target[merged[: 2 * (len(merged) // 2) : 2]]
    return old, target[new]


def find_changes(paths: list[Path]) -> tuple[int, int, int]:
    """Count the clusters that are split or merged, by any object, and the objects that moved."""
    old, new = (pd.read_csv(path) for path in paths)
    both = old.merge(new, on="object")
    both.columns = pd.Index(["object", "left", "right"])
    cells = both.groupby(["left", "right"]).size().reset_index()
    split, merged = ((cells[side].value_counts() > 1).sum() for side in ("left", "right"))
    moved = moved_objects(both["left"].to_numpy(), both["right"].to_numpy())
    return int(split), int(merged), int(moved.sum())


def diff() -> None:
    """Time the command on two files in a running process, beside pandas."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("old.csv", "new.csv")]
        for path, labels in zip(paths, releases(), strict=True):
            objects = np.arange(N_OBJECTS)
            pd.DataFrame({"object": objects, "cluster": labels}).to_csv(path, index=False)
        command = ["diff", "--quiet", *map(str, paths)]

        def call() -> None:
            with redirect_stdout(StringIO()):
                program.main(command, standalone_mode=False)

        process = [sys.executable, "-m", "coverlap", *command]
        whole = best(lambda: subprocess.run(process, check=True, capture_output=True), 3)
        report(
            f"{N_OBJECTS:,} objects, {N_CLUSTERS:,} clusters in CSV files: what changed?",
            "coverlap diff", best(call),
            {
                "pandas: merge, group-by, map, only counts": best(lambda: find_changes(paths), 3),
                "coverlap diff, with the start of Python": whole,
            },
        )  # fmt: skip


if __name__ == "__main__":
    run(objects, diff)
