"""What commands that compare files have in common: on which objects, in how many threads."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from coverlap.cli.progress import reading_bar
from coverlap.cli.reading import explain, summary
from coverlap.clustering.read import File, read_files, read_files_and_universe
from coverlap.core.errors import OptionError
from coverlap.core.memberships import Memberships
from coverlap.core.universe import DROP_RULES, RULES, TREATMENTS
from coverlap.core.wording import quantity
from coverlap.measures.registry import find_measure

Command = TypeVar("Command", bound=Callable[..., Any])


def _read_universe(ctx: click.Context, param: click.Parameter, value: str) -> str | int | Path:
    """Tell rule, number and file apart; a file called like one of the others is ``./left``."""
    if value in RULES:
        return value
    if value == "-":
        return Path(value)
    try:
        return int(value)
    except ValueError:
        path = Path(value)
    if not path.exists():
        message = f"{value!r} is none of {', '.join(RULES)}, no number and no file."
        raise click.BadParameter(message, ctx, param)
    return path


def universe_options(command: Command) -> Command:
    """Add the options that say which objects are compared."""
    for option in reversed(_UNIVERSE):
        command = option(command)
    return command


_UNIVERSE: list[Callable[[Any], Any]] = [
    click.option(
        "--universe", callback=_read_universe, metavar="RULE|N|FILE", default="union",
        show_default=True,
        help="Objects to compare on: union, intersection, left or right; a number N for the ids "
        "0 to N-1; or a file with one id a line, or with the edges of a graph. An object that a "
        "side does not know is an outlier there.",
    ),
    click.option(
        "--n-objects", type=click.IntRange(min=0), metavar="N",
        help="Number of objects in all; those in neither file are outliers on both sides.",
    ),
    click.option(
        "--drop-outliers", type=click.Choice([rule for rule in DROP_RULES if rule]),
        help="Leave out the objects that are outliers on that side, on either, or on both.",
    ),
]  # fmt: skip

outliers_as_option = click.option(
    "--outliers-as", type=click.Choice([rule for rule in TREATMENTS if rule]),
    help="What to make of outliers first, which many measures are not defined for: a cluster of "
    "each, one cluster of all outliers of a side, or drop the objects that are outliers on "
    "either side.",
)  # fmt: skip


def read_measure(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Look up the measure, or each of them, and refuse unknown names with those that are close."""
    for name in [value] if isinstance(value, str) else value:
        try:
            find_measure(name)
        except OptionError as error:
            raise click.BadParameter(f"{error}.", ctx, param) from None
    return value


threads_option = click.option(
    "--threads", type=click.IntRange(min=1), metavar="N",
    help="By default one for small inputs and one per core for others.",
)  # fmt: skip


def read_inputs(files: Sequence[File], universe: str | int | Path) -> tuple[list[Memberships], Any]:
    """Read files, and the universe if it is a file, with a bar if that takes long."""
    with reading_bar() as progress:
        if isinstance(universe, Path):
            return read_files_and_universe(files, universe, strict=True, progress=progress)
        return read_files(files, strict=True, progress=progress), universe


def explain_all(
    files: Sequence[File], clusterings: Sequence[Memberships], universe: object, n_objects: int
) -> None:
    """Say how each file was understood, and the universe if it is a file."""
    for file, clustering in zip(files, clusterings, strict=True):
        explain(file.path, summary(clustering))
    if isinstance(universe, Path):
        explain(universe, f"a universe of {quantity(n_objects, 'object')}")
