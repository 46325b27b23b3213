"""``coverlap report``: a comparison of two files as one HTML page."""

import shlex
from typing import Any

import click

from coverlap.cli import options, output
from coverlap.cli.commands.compare import check_target, compare_files, comparison_options


@click.command(
    cls=options.Command,
    epilog="Example: coverlap report truth.csv found.csv -o report.html",
)
@click.argument("left", type=click.Path())
@click.argument("right", type=click.Path())
@click.option(
    "-o", "--output", "target", type=click.Path(allow_dash=True), metavar="FILE",
    default="report.html", show_default=True,
    help="The file to write; a name that ends in .gz is compressed, and - means standard output.",
)  # fmt: skip
@click.option(
    "--title", metavar="TEXT", help="Title of the report; by default the names of the files."
)
@comparison_options
@options.quiet
def report(
    left: str, right: str, target: str, title: str | None, quiet: bool, **chosen: Any
) -> None:
    """Write a report of how two clusterings differ, for a browser.

    LEFT and RIGHT are files as in 'coverlap compare'. The report is one HTML file of less than
    4 MB that needs no network: the score in words and its parts, pictures of where the objects
    are, and tables of changes, clusters and moved objects, which can be sorted and filtered.

    The options from --format to --duplicates apply to both files. To apply one to a single file,
    add -left or -right to its name, as in --format-left labels.
    """
    check_target("--output", target, left, right, chosen["universe"], chosen["graph"])
    inputs, result = compare_files(left, right, **chosen)
    arguments = click.get_current_context().meta[options.ARGUMENTS]
    command = shlex.join(["coverlap", "report", *map(output.file_name, arguments)])
    if target == "-":
        output.write_text(result.to_html(title=title, command=command))
    else:
        result.to_html(target, title=title, command=command)
    if not quiet:
        inputs.report()
        where = "" if target == "-" else f"; report: {output.file_name(target)}"
        output.write_message(f"score {result.score} ({result.measure}){where}")
