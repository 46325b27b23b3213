"""How commands are run: each mistake is told in one line, and no option is heard twice."""

import sys
from collections import Counter
from typing import Any

import click

from coverlap.core.errors import CoverlapError

BAD_INPUT = 2
INTERRUPTED = 130


class Command(click.Command):
    """A command that refuses an option given twice, where click would take the last one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, after a look at how often each option is there."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for param, times in Counter(given).items():
            if times > 1 and isinstance(param, click.Option) and _holds_one_value(param):
                raise click.UsageError(f"{param.opts[0]} is given {times} times.", ctx)
        return super().parse_args(ctx, args)


class Program(click.Group):
    """A group of commands whose errors are one line on stderr each."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command line and leave with its exit code, or return that code."""
        leave = extra.pop("standalone_mode", True)
        code = self._run(*args, **extra)
        return sys.exit(code) if leave else code

    def _run(self, *args: Any, **extra: Any) -> int:
        extra["standalone_mode"] = False
        try:
            return int(super().main(*args, **extra) or 0)
        except click.ClickException as error:
            return _refuse(error.format_message() + _hint(error))
        except (CoverlapError, OSError) as error:
            return _refuse(str(error))
        except MemoryError:
            return _refuse("not enough memory")
        except click.Abort:
            return INTERRUPTED


def _holds_one_value(option: click.Option) -> bool:
    return not (option.multiple or option.is_flag or option.count)


def _refuse(message: str) -> int:
    click.echo(f"coverlap: error: {' '.join(message.splitlines())}", err=True)
    return BAD_INPUT


def _hint(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f" Try '{context.command_path} --help'." if context else ""
