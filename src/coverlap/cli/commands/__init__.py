"""The commands: one module each, which has the name of its command."""

from collections.abc import Iterator, Mapping

import click

from coverlap._kernels import load

NAMES = ("compare", "convert", "demo", "describe", "diff", "matrix", "report", "scores")


class Commands(Mapping[str, click.Command]):
    """The commands by name; the module of a command is imported when the command is looked up."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in NAMES:
            raise KeyError(name)
        command: click.Command = getattr(load(f"cli.commands.{name}"), name)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)
