"""Options that several commands share, as decorators: ``@options.universe``."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from coverlap.cli import completion
from coverlap.core.align import DROP_RULES, RULES, TREATMENTS
from coverlap.core.column_names import USUAL_NAMES
from coverlap.core.errors import OptionError
from coverlap.core.memberships import DUPLICATES
from coverlap.core.spelling import token_value
from coverlap.files.detect import AUTO
from coverlap.files.registry import FORMATS
from coverlap.measures.registry import find_measure

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]

SIDES = ("left", "right")
ARGUMENTS = "coverlap.arguments"
"""Where the context of a command keeps its arguments."""

DELIMITERS = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";"}


class Command(click.Command):
    """A command that rejects an option given twice; click would use the last one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments after counting how often each option is given."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for param, times in Counter(given).items():
            repeatable = not isinstance(param, click.Option) or param.multiple or param.is_flag
            if times > 1 and not repeatable and not ctx.resilient_parsing:
                raise click.UsageError(f"{param.opts[0]} is given {times} times.", ctx)
        ctx.meta[ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)


def parse_delimiter(text: str) -> str:
    """Return the character that a name such as 'tab' stands for."""
    return DELIMITERS.get(text, text)


def _parse_column(text: str) -> str | int:
    """Return a position if the text is a number, and otherwise the name of a column."""
    return int(text) if text.isdecimal() and text.isascii() else text


READING: dict[str, dict[str, Any]] = {
    "format": {
        "type": click.Choice([AUTO, *FORMATS]), "metavar": "NAME",
        "help": "Format of the file: auto (the default) to detect it from the name or the "
        f"content, or one of {', '.join(FORMATS)}.",
    },
    "object": {
        "type": _parse_column, "metavar": "COLUMN", "shell_complete": completion.columns,
        "help": "Column of the objects: a name or, in a file without a header, a position counted "
        "from 0. By default object or, if there is none, the only one of "
        f"{', '.join(USUAL_NAMES['object'][1:])}.",
    },
    "cluster": {
        "type": _parse_column, "metavar": "COLUMN", "shell_complete": completion.columns,
        "help": "Column of the clusters: a name or a position. By default cluster or, if there "
        f"is none, the only one of {', '.join(USUAL_NAMES['cluster'][1:])}.",
    },
    "outlier_label": {
        "multiple": True, "metavar": "TEXT",
        "help": "Label of outliers, instead of the negative integers. Can be repeated, as in "
        "--outlier-label Unassigned --outlier-label -1.",
    },
    "outlier_cluster": {
        "type": token_value, "metavar": "NAME",
        "help": "Cluster whose members are outliers, such as 1 in ABCD files with outliers.",
    },
    "delimiter": {
        "type": parse_delimiter, "metavar": "CHAR",
        "help": "Character between fields, or one of tab, space, comma, semicolon.",
    },
    "keys": {
        "type": click.Choice(["clusters", "objects"]),
        "help": "Whether the keys of a JSON object of lists are clusters or objects.",
    },
    "threshold": {
        "type": float, "metavar": "X",
        "help": "Smallest value of a sparse matrix (.npz) that is a membership, if the matrix has "
        "values other than 0 and 1.",
    },
    "duplicates": {
        "type": click.Choice(DUPLICATES),
        "help": "Whether clusters that a file has twice are merged (the default), or kept for the "
        "measures that count them: omega, onmi, ecs and bcubed.",
    },
}  # fmt: skip
"""The options of `coverlap.read_clustering`."""


def reading(*sides: str, repeatable: Mapping[str, str] = MappingProxyType({})) -> Decorator:
    """Add the options of `coverlap.read_clustering`, for all files and for each side.

    Those for a side, such as ``--format-left``, are not listed in the help. The command gets
    ``reading``: for "all" and for each side, the options that are given and their values. Options
    that are ``repeatable`` have a tuple of values, and this text is added to their help.
    """

    def add(command: Function) -> Function:
        @wraps(command)
        def run(**values: Any) -> Any:
            given = {side: _pop_given(values, f"_{side}") for side in sides}
            given["all"] = _pop_given(values, "")
            return command(reading=given, **values)

        for name, settings in reversed(READING.items()):
            flag = "--" + name.replace("_", "-")
            hidden = {**settings, "help": None, "hidden": True}
            for side in sides:
                click.option(f"{flag}-{side}", **hidden)(run)
            more = {"help": f"{settings['help']} {repeatable.get(name)}", "multiple": True}
            click.option(flag, **settings | (more if name in repeatable else {}))(run)
        return run

    return add


def _pop_given(values: dict[str, Any], suffix: str) -> dict[str, Any]:
    popped = {name: values.pop(name + suffix) for name in READING}
    return {name: value for name, value in popped.items() if value not in (None, ())}


def _parse_universe(ctx: click.Context, param: click.Parameter, value: str) -> str | int | Path:
    """Return a rule, a number or a file; a file named like a rule is written ``./left``."""
    if value in RULES:
        return value
    try:
        return int(value)
    except ValueError:
        path = Path(value)
    if value != "-" and not path.exists():
        message = f"must be one of {', '.join(RULES)}, a number or a file, not {value!r}."
        raise click.BadParameter(message, ctx, param)
    return path


def check_measures(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Reject the name of an unknown measure, and suggest similar names."""
    for name in [value] if isinstance(value, str) else value:
        try:
            find_measure(name)
        except OptionError as error:
            raise click.BadParameter(sentence(error), ctx, param) from None
    return value


def sentence(error: Exception) -> str:
    """Return the message of an error with a full stop, unless it ends in a question mark."""
    text = str(error)
    return text if text.endswith("?") else f"{text}."


def universe(command: Function) -> Function:
    """Add the options that choose the objects to compare."""
    command = click.option(
        "--drop-outliers", type=click.Choice([rule for rule in DROP_RULES if rule]),
        help="Leave out the objects that are outliers on the left, on the right, on either side "
        "or on both sides.",
    )(command)  # fmt: skip
    command = click.option(
        "--n-objects", type=click.IntRange(min=0), metavar="N",
        help="Total number of objects. Those that no file mentions are outliers on both sides.",
    )(command)  # fmt: skip
    return click.option(
        "--universe", callback=_parse_universe, metavar="RULE|N|FILE", default="union",
        show_default=True, shell_complete=completion.universe,
        help="Objects to compare: union, intersection, left or right; a number N for the ids 0 "
        "to N-1; or a file with one id per line or with the edges of a graph. An object that "
        "one side does not mention is an outlier on that side.",
    )(command)  # fmt: skip


outliers_as = click.option(
    "--outliers-as", type=click.Choice([rule for rule in TREATMENTS if rule]),
    help="Before scoring, put each outlier into a cluster of its own (singletons), or all "
    "outliers of a side into one cluster (cluster). Many measures are not defined for outliers; "
    "to leave them out instead, use --drop-outliers either.",
)  # fmt: skip

threads = click.option(
    "--threads", type=click.IntRange(min=1), metavar="N",
    help="Number of threads. By default 1 for small inputs, and otherwise one per core.",
)  # fmt: skip


def engine(command: Function) -> Function:
    """Add the options of comparisons outside memory."""
    command = click.option(
        "--temp-dir", type=click.Path(), metavar="FOLDER",
        help="Folder for the temporary files of --engine duckdb. By default that of the system.",
    )(command)  # fmt: skip
    command = click.option(
        "--memory-limit", metavar="SIZE",
        help="Memory that a comparison may use, such as 500MB, 2GB or 2GiB, and at least 256MB; an "
        "estimate for files that are read into memory. By default half of what is free.",
    )(command)  # fmt: skip
    return click.option(
        "--engine", type=click.Choice(["auto", "memory", "duckdb"]), default="auto",
        show_default=True,
        help="Where to count: in memory, or by DuckDB, with temporary files if memory does not "
        "suffice. auto uses DuckDB for files that would take more than --memory-limit.",
    )(command)  # fmt: skip


json = click.option(
    "--json", "as_json", is_flag=True, help="Write the result as JSON instead of text."
)

quiet = click.option(
    "-q", "--quiet", is_flag=True, help="Do not report on standard error how files were read."
)
