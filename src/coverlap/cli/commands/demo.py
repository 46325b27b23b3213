"""``coverlap demo``: two comparisons of files that are part of the package."""

import shlex
from importlib.resources import as_file, files

import click

from coverlap.cli import options, output
from coverlap.cli.commands.compare import compare

EXAMPLES = (
    ("labels", ".txt", "Labels with outliers: cell types, and clusters as HDBSCAN labels them."),
    ("clubs", ".csv", "Overlapping clusters: clubs, and clusters found in a network."),
)
"""Folder, suffix of the two files, and what is compared."""


@click.command(cls=options.Command, epilog="Example: coverlap demo")
def demo() -> None:
    """Compare two pairs of example files that are part of coverlap.

    The data is invented. Each comparison begins with the command that shows it.
    """
    for number, (folder, suffix, title) in enumerate(EXAMPLES, 1):
        examples = files("coverlap.cli") / "examples" / folder
        with (
            as_file(examples / f"truth{suffix}") as truth,
            as_file(examples / f"found{suffix}") as found,
        ):
            paths = [str(truth), str(found)]
            command = shlex.join(["coverlap", "compare", *paths])
            output.write_text("\n" if number > 1 else "")
            output.write_text(f"{number}. {title}\n{command}\n\n")
            compare.main([*paths, "--quiet"], standalone_mode=False)
