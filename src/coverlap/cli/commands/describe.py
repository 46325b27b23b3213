"""``coverlap describe``: the content of a file."""

import json
from typing import Any

import click

from coverlap.cli import options, output
from coverlap.cli.inputs import read_inputs
from coverlap.clustering.clustering import Clustering


@click.command(cls=options.Command, epilog="Example: coverlap describe com-dblp.all.cmty.txt.gz")
@click.argument("path", type=click.Path(), metavar="FILE")
@options.reading()
@options.json
def describe(path: str, reading: dict[str, Any], as_json: bool) -> None:
    """Show how a file is read, and count its objects and clusters.

    FILE can have any of the formats that --format lists, compressed or not; - means standard
    input.
    """
    (clustering,) = read_inputs((path,), reading).clusterings
    if not as_json:
        output.write_text(Clustering(clustering).describe() + "\n")
        return
    sizes = clustering.sizes
    facts = {
        "read_as": clustering.origin,
        "n_objects": clustering.n_objects,
        "n_clusters": clustering.n_clusters,
        "n_memberships": clustering.n_memberships,
        "n_outliers": clustering.n_outliers,
        "n_in_several": clustering.n_in_several,
        "has_overlaps": clustering.has_overlaps,
        "smallest": int(sizes.min()) if len(sizes) else None,
        "largest": int(sizes.max()) if len(sizes) else None,
        "n_merged": clustering.n_merged,
        "n_dropped": clustering.n_dropped,
    }
    output.write_text(json.dumps(facts, indent=2) + "\n")
