"""The command line."""

import click

from coverlap import __version__
from coverlap.cli.compare import compare
from coverlap.cli.convert import convert
from coverlap.cli.demo import demo
from coverlap.cli.describe import describe
from coverlap.cli.matrix import matrix
from coverlap.cli.program import Program
from coverlap.cli.scores import scores


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=False,
    epilog="Example: coverlap compare truth.txt found.txt",
)
@click.version_option(__version__, prog_name="coverlap")
def program() -> None:
    """Compare clusterings whose clusters may overlap and whose objects may be outliers.

    Exit codes: 0; 1 if the bar of --fail-below is not met; 2 for bad input.
    """


for command in (compare, scores, matrix, describe, convert, demo):
    program.add_command(command)


def main() -> None:
    """Run the command line, and leave with its exit code."""
    program(prog_name="coverlap")
