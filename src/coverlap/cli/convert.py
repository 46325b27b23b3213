"""``coverlap convert``: from one format to another."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from coverlap.cli.output import writing
from coverlap.cli.program import Command
from coverlap.cli.progress import reading_bar
from coverlap.cli.reading import DELIMITERS, explain, reading_options, summary, take_file
from coverlap.clustering.clustering import Clustering
from coverlap.clustering.read import AUTO, read_files
from coverlap.clustering.write import WRITABLE, write_clustering
from coverlap.core.errors import OptionError


@click.command(cls=Command, epilog="Example: coverlap convert found.csv found.parquet")
@click.argument("source", type=click.Path())
@click.argument("target", type=click.Path())
@reading_options()
@click.option(
    "--to", type=click.Choice(WRITABLE), metavar="NAME",
    help=f"Format to write, if the name of TARGET does not tell: {', '.join(WRITABLE)}.",
)  # fmt: skip
@click.option("--to-object", metavar="NAME", help="Column of the objects in TARGET.")
@click.option("--to-cluster", metavar="NAME", help="Column of the clusters in TARGET.")
@click.option("--to-delimiter", metavar="CHAR", help="Character between the fields of TARGET.")
@click.option("--no-outliers", is_flag=True, help="Leave the outliers out.")
@click.option("-q", "--quiet", is_flag=True, help="Do not say how SOURCE was understood.")
def convert(
    source: str,
    target: str,
    to: str | None,
    to_object: str | None,
    to_cluster: str | None,
    to_delimiter: str | None,
    no_outliers: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Write the clustering of one file to another file.

    SOURCE has almost any format (see --format); - is standard input, and as TARGET standard
    output. Names that end in .gz, .bz2 or .zst are compressed. What TARGET could not give back
    is refused.
    """
    _refuse_overwriting(Path(source), Path(target))
    file = take_file(source, options)
    with reading_bar() as progress:
        (clustering,) = read_files([file], strict=True, progress=progress)
    with writing() if target == "-" else nullcontext():
        write_clustering(
            Clustering(clustering),
            target,
            to or AUTO,
            object=to_object,
            cluster=to_cluster,
            delimiter=DELIMITERS.get(to_delimiter or "", to_delimiter),
            outliers=not no_outliers,
        )
    if not quiet:
        explain(file.path, summary(clustering))


def _refuse_overwriting(source: Path, target: Path) -> None:
    if source.exists() and target.exists() and target.samefile(source):
        raise OptionError(f"{target} would overwrite the file that it is made of")
