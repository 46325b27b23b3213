"""Completion in shells: the values of options that click cannot know."""

from contextlib import suppress
from itertools import chain
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from coverlap.core.align import RULES
from coverlap.core.errors import CoverlapError
from coverlap.measures.registry import MEASURES

FILES = ("left", "right", "old", "new", "path", "source", "paths", "reference")
"""The parameters of commands that are files with clusterings."""


def measures(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the names of measures, with their titles."""
    known = {**MEASURES, **MEASURES.aliases}
    return [
        CompletionItem(name, help=measure.title)
        for name, measure in known.items()
        if name.startswith(incomplete)
    ]


def bars(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the names of measures, each with the sign that a number follows."""
    found = measures(ctx, param, incomplete)
    return [CompletionItem(f"{item.value}=", help=item.help) for item in found]


def universe(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the rules, and files."""
    rules = [CompletionItem(rule) for rule in RULES if rule.startswith(incomplete)]
    return [*rules, CompletionItem(incomplete, type="file")]


def columns(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the names of the columns of the files on the command line that exist.

    For an option of one side, only the file of this side counts.
    """
    from coverlap.files.columns import column_names

    known: dict[str, None] = {}
    for path in _files(ctx, side=str(param.name).rpartition("_")[2]):
        with suppress(CoverlapError, OSError):
            known |= dict.fromkeys(column_names(path))
    return [name for name in known if name.startswith(incomplete) and name.isprintable()]


def _files(ctx: click.Context, side: str) -> list[Path]:
    """Return the files of a command line that exist, or that of one side.

    Others, such as pipes, could wait for input. Click does not assign arguments to parameters
    before the option whose value is to be completed, but leaves them in ``ctx.args``.
    """
    arguments = [param.name for param in ctx.command.params if isinstance(param, click.Argument)]
    given = dict(zip(arguments, ctx.args, strict=False))
    given |= {name: value for name, value in ctx.params.items() if value is not None}
    named = [given.get(side)] if side in arguments else [*ctx.args, *map(given.get, FILES)]
    paths = chain.from_iterable([one] if isinstance(one, str) else one or () for one in named)
    return [path for path in map(Path, dict.fromkeys(paths)) if path.is_file()]
