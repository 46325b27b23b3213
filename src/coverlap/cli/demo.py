"""``coverlap demo``: two comparisons of files that come with the package."""

import shlex
from importlib.resources import as_file, files

import click

from coverlap.cli.compare import compare_files
from coverlap.cli.output import emit, show
from coverlap.cli.program import Command
from coverlap.clustering.read import File

EXAMPLES = (
    ("labels", ".txt", "Labels with outliers: cell types, and clusters as HDBSCAN gives them."),
    ("clubs", ".csv", "Overlapping clusters: clubs, and what was found in a network."),
)
"""Folder, suffix of the two files, and what is compared."""


@click.command(cls=Command, epilog="Example: coverlap demo")
def demo() -> None:
    """Compare two pairs of example files that come with coverlap.

    The data is made up. Each comparison is shown with the command line that gives the same.
    """
    for number, (folder, suffix, title) in enumerate(EXAMPLES, 1):
        emit("\n" if number > 1 else "")
        emit(f"{number}. {title}\n")
        _compare_examples(folder, suffix)


def _compare_examples(folder: str, suffix: str) -> None:
    examples = files("coverlap.cli") / "examples" / folder
    with (
        as_file(examples / f"truth{suffix}") as truth,
        as_file(examples / f"found{suffix}") as found,
    ):
        emit(f"{shlex.join(['coverlap', 'compare', str(truth), str(found)])}\n\n")
        _, _, result = compare_files([File(truth), File(found)])
        show(result)
