"""Options that say how files are read, for all files of a command or for one side."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from coverlap.clustering.read import AUTO, File
from coverlap.core.memberships import Memberships
from coverlap.core.wording import quantity
from coverlap.files.options import ReadOptions
from coverlap.files.registry import FORMATS
from coverlap.files.text.tokens import token_value

Command = TypeVar("Command", bound=Callable[..., Any])

DELIMITERS = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";"}


OPTIONS: dict[str, dict[str, Any]] = {
    "format": {
        "type": click.Choice([AUTO, *FORMATS]),
        "metavar": "NAME",
        "help": f"auto (the name or the content of the file tells) or {', '.join(FORMATS)}.",
    },
    "object": {
        "metavar": "COLUMN",
        "help": "Column of the objects: a name, by default object, or a position from 0 on, if "
        "there is no header.",
    },
    "cluster": {
        "metavar": "COLUMN",
        "help": "Column of the clusters, by default cluster, or a position.",
    },
    "outlier_label": {
        "multiple": True,
        "metavar": "TEXT",
        "help": "Label that means 'in no cluster', in place of the negative integers; may be "
        "repeated, as in --outlier-label Unassigned --outlier-label -1.",
    },
    "outlier_cluster": {
        "metavar": "NAME",
        "help": "Cluster whose members are outliers, such as 1 in files of ABCD with outliers.",
    },
    "delimiter": {
        "metavar": "CHAR",
        "help": "Character between fields, or tab, space, comma, semicolon.",
    },
    "keys": {
        "type": click.Choice(["clusters", "objects"]),
        "help": "What the keys of a JSON object of lists are.",
    },
}
"""The options of `coverlap.read_clustering`, as the command line has them."""


def _column(text: str) -> str | int:
    """Take digits for a position, and anything else for a name."""
    return int(text) if text.isdecimal() and text.isascii() else text


PARSERS: dict[str, Callable[[Any], Any]] = {
    "object": _column,
    "cluster": _column,
    "outlier_label": frozenset,
    "outlier_cluster": token_value,
    "delimiter": lambda text: DELIMITERS.get(text, text),
}
"""What turns the text of an option into what the library takes."""


def reading_options(*sides: str) -> Callable[[Command], Command]:
    """Add the options that say how files are read, and those for one side only."""

    def add(command: Command) -> Command:
        for name, settings in reversed(OPTIONS.items()):
            flag = "--" + name.replace("_", "-")
            for side in sides:
                hidden = {**settings, "help": None, "hidden": True}
                command = click.option(f"{flag}-{side}", f"{name}_{side}", **hidden)(command)
            command = click.option(flag, name, **settings)(command)
        return command

    return add


def take_file(path: str, options: dict[str, Any], side: str = "", *, several: bool = False) -> File:
    """Make the file that the options describe; those for its side come first.

    Options for both sides, or for several files, need to mean something for one of them only.
    """
    given = {name: _choose(options, name, side) for name in OPTIONS}
    chosen = {
        name: PARSERS[name](value) if name in PARSERS else value
        for name, value in given.items()
        if value is not None
    }
    form = chosen.pop("format", AUTO)
    shared = {name for name in chosen if not _is_given(options.get(f"{name}_{side}"))}
    return File(path, form, ReadOptions(**chosen), shared=frozenset(shared if side or several else ()))


def without_reading(options: dict[str, Any]) -> dict[str, Any]:
    """Return the other options."""
    return {name: value for name, value in options.items() if _base(name) not in OPTIONS}


def _base(name: str) -> str:
    return name.removesuffix("_left").removesuffix("_right")


def _choose(options: dict[str, Any], name: str, side: str) -> Any:
    for key in (f"{name}_{side}", name):
        if _is_given(options.get(key)):
            return options[key]
    return None


def _is_given(value: Any) -> bool:
    return value is not None and value != ()


def explain(path: str | Path, understood: str) -> None:
    """Say on standard error how a file was understood."""
    name = "standard input" if str(path) == "-" else click.format_filename(path)
    click.echo(f"coverlap: {name} read as: {understood}", err=True)


def summary(clustering: Memberships) -> str:
    """Say in one line how a file was read and what it holds."""
    facts = [
        quantity(clustering.n_clusters, "cluster"),
        quantity(clustering.n_objects, "object"),
    ]
    if clustering.n_outliers:
        facts.append(quantity(clustering.n_outliers, "outlier"))
    if clustering.n_merged:
        facts.append(quantity(clustering.n_merged, "duplicate cluster") + " merged")
    if clustering.n_dropped:
        facts.append(quantity(clustering.n_dropped, "empty cluster") + " dropped")
    return f"{clustering.origin}; {', '.join(facts)}"
