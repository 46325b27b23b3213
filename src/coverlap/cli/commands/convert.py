"""``coverlap convert``: a file in another format."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from coverlap.cli import options, output
from coverlap.cli.inputs import read_inputs
from coverlap.clustering.clustering import Clustering
from coverlap.clustering.write import WRITABLE, write_clustering
from coverlap.core.errors import OptionError
from coverlap.files.detect import AUTO


@click.command(cls=options.Command, epilog="Example: coverlap convert found.csv found.parquet")
@click.argument("source", type=click.Path())
@click.argument("target", type=click.Path())
@options.reading()
@click.option(
    "--to", type=click.Choice(WRITABLE), metavar="NAME",
    help=f"Format of TARGET, if its name does not determine it: {', '.join(WRITABLE)}.",
)  # fmt: skip
@click.option("--to-object", metavar="NAME", help="Name of the column of objects in TARGET.")
@click.option("--to-cluster", metavar="NAME", help="Name of the column of clusters in TARGET.")
@click.option(
    "--to-delimiter", type=options.parse_delimiter, metavar="CHAR",
    help="Character between the fields of TARGET, or its name as in --delimiter.",
)  # fmt: skip
@click.option("--no-outliers", is_flag=True, help="Do not write the outliers.")
@click.option("--force", is_flag=True, help="Replace TARGET if it exists.")
@options.quiet
def convert(
    source: str,
    target: str,
    reading: dict[str, Any],
    to: str | None,
    to_object: str | None,
    to_cluster: str | None,
    to_delimiter: str | None,
    no_outliers: bool,
    force: bool,
    quiet: bool,
) -> None:
    """Write the clustering in a file to another file.

    SOURCE can have any of the formats that --format lists, and - means standard input. TARGET is
    compressed if its name ends in .gz, .bz2 or .zst, and - means standard output. If the format
    of TARGET cannot store the whole clustering, nothing is written.
    """
    output.check_target("TARGET", target, source)
    if not force and target != "-" and Path(target).is_file():
        raise OptionError(f"{output.file_name(target)} exists; use --force to replace it")
    inputs = read_inputs((source,), reading)
    with output.output_errors() if target == "-" else nullcontext():
        write_clustering(
            Clustering(inputs.clusterings[0]),
            target,
            to or AUTO,
            object=to_object,
            cluster=to_cluster,
            delimiter=to_delimiter,
            outliers=not no_outliers,
        )
    if not quiet:
        inputs.report()
