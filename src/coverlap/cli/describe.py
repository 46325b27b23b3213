"""``coverlap describe``: what a file holds."""

import json
from typing import Any

import click

from coverlap.cli.output import emit
from coverlap.cli.program import Command
from coverlap.cli.progress import reading_bar
from coverlap.cli.reading import reading_options, take_file
from coverlap.clustering.clustering import Clustering
from coverlap.clustering.read import read_files


@click.command(cls=Command, epilog="Example: coverlap describe com-dblp.all.cmty.txt.gz")
@click.argument("path", type=click.Path(), metavar="FILE")
@reading_options()
@click.option("--json", "as_json", is_flag=True, help="Write the numbers as JSON.")
def describe(path: str, as_json: bool, **options: Any) -> None:
    """Say how a file is understood, and what it holds.

    FILE has almost any format (see --format), compressed or not; - is standard input.
    """
    with reading_bar() as progress:
        (clustering,) = read_files([take_file(path, options)], strict=True, progress=progress)
    if not as_json:
        emit(Clustering(clustering).describe() + "\n")
        return
    sizes = clustering.sizes
    facts = {
        "read_as": clustering.origin,
        "n_objects": clustering.n_objects,
        "n_clusters": clustering.n_clusters,
        "n_memberships": clustering.n_memberships,
        "n_outliers": clustering.n_outliers,
        "has_overlaps": clustering.has_overlaps,
        "smallest": int(sizes.min()) if len(sizes) else None,
        "largest": int(sizes.max()) if len(sizes) else None,
        "n_merged": clustering.n_merged,
        "n_dropped": clustering.n_dropped,
    }
    emit(json.dumps(facts, indent=2) + "\n")
