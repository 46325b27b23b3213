"""Draw every picture of `coverlap.plot`, and the pictures of the documentation.

``python examples/gallery.py`` writes PNG and SVG files to the folder ``gallery``, or to another one
that is given. ``python examples/gallery.py --docs docs/images`` writes the pictures of the README
and of the documentation. It needs ``pip install 'coverlap[plot,graph]'``.
"""

import argparse
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np
from matplotlib import style
from matplotlib.axes import Axes

import coverlap as cv

CELLS = {
    "T cells": {"0": 230, "1": 170, None: 20},
    "B cells": {"2": 238, None: 12},
    "NK cells": {"1": 30, "3": 95, None: 15},
    "monocytes": {"4": 250, None: 10},
    "dendritic cells": {"4": 52, None: 8},
    "platelets": {"4": 2, None: 28},
    None: {"0": 12, "4": 8, "5": 14, None: 40},
}
"""Number of cells by type and by the cluster that was found; None means outliers."""


def compare_cells() -> cv.Comparison:
    """Compare types of cells with clusters: one is split, two are merged, one is lost."""
    pairs = [
        (name, cluster)
        for name, clusters in CELLS.items()
        for cluster, n in clusters.items()
        for _ in range(n)
    ]
    types, found = zip(*pairs, strict=True)
    return cv.compare(list(types), list(found), names=("truth", "found"))


def compare_many() -> cv.Comparison:
    """Compare 50,000 clusters with the same after a third of the objects were exchanged."""
    given = (50_000 * np.random.default_rng(0).random(500_000) ** 2).astype(int)
    return cv.compare(given, cv.generate.shuffled(given, 0.33, seed=1), names=("old", "new"))


def pictures_of_documentation() -> Iterator[tuple[str, Axes]]:
    """Draw the pictures of the README and of docs/pictures.md."""
    cells = compare_cells()
    yield "heat_map", cv.plot.heat_map(cells)
    yield "alluvial", cv.plot.alluvial(cells)


def all_pictures() -> Iterator[tuple[str, Axes]]:
    """Draw every picture, of a few and of many clusters."""
    yield from pictures_of_documentation()
    cells, many = compare_cells(), compare_many()
    network = files("coverlap") / "cli/examples/network"
    graph = cv.graph.as_graph(network / "edges.txt")
    truth = cv.read_clustering(network / "truth.csv")
    found = {
        f"resolution {resolution:g}": cv.graph.leiden(graph, resolution=resolution, seed=0)
        for resolution in (0.5, 1, 2)
    }
    graphs = cv.compare(truth, found["resolution 2"], names=("truth", "found"))
    yield "alluvial_resolutions", cv.plot.alluvial(found)
    for name, result in (("cells", cells), ("graph", graphs), ("many", many)):
        yield f"heat_map_{name}", cv.plot.heat_map(result, values="similarity")
        yield f"alluvial_{name}", cv.plot.alluvial(result)
        yield f"sizes_{name}", cv.plot.sizes(result)
        for by in ("reason", "cluster", "change"):
            yield f"losses_by_{by}_{name}", cv.plot.losses(result, by=by)
    runs = {
        f"r = {resolution:g}, seed {seed}": cv.graph.leiden(graph, resolution=resolution, seed=seed)
        for resolution in (0.5, 1, 2)
        for seed in range(6)
    }
    yield "matrix", cv.plot.matrix(cv.pairwise({"truth": truth, **runs}))
    objects = cells.objects().columns()
    sides = objects["truth"], objects["found"]
    yield "sensitivity", cv.plot.sensitivity(cv.outlier_sensitivity(*sides))
    chance, interval = cv.baseline(*sides, seed=0), cv.bootstrap(*sides, n_draws=1_000, seed=0)
    yield "distribution", cv.plot.distribution({"by chance": chance, "resampled": interval})


def save(pictures: Iterator[tuple[str, Axes]], folder: Path, kinds: tuple[str, ...]) -> None:
    """Write pictures to files, which are the same every time and whatever the settings."""
    folder.mkdir(parents=True, exist_ok=True)
    with style.context(["default", {"svg.hashsalt": "coverlap", "savefig.dpi": 150}]):
        for name, ax in pictures:
            for kind in kinds:
                path = folder / f"{name}.{kind}"
                ax.figure.savefig(path, metadata={"Date": None} if kind == "svg" else None)
                print(path)


def main() -> None:
    """Read the command line, and draw."""
    parser = argparse.ArgumentParser(description="Draw every picture of coverlap.plot.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("gallery"))
    parser.add_argument("--docs", action="store_true", help="only those of the documentation")
    chosen = parser.parse_args()
    if chosen.docs:
        save(pictures_of_documentation(), chosen.folder, ("svg",))
    else:
        save(all_pictures(), chosen.folder, ("png", "svg"))


if __name__ == "__main__":
    main()
