"""The command line: runs the commands, and reports their errors."""

import sys
from contextlib import suppress
from typing import Any

import click

from coverlap import __version__
from coverlap.cli.commands import Commands
from coverlap.cli.output import (
    BAD_INPUT,
    INTERRUPTED,
    flush_output,
    output_errors,
    write_message,
    write_text,
)
from coverlap.cli.process import STOPPED, protect_streams, stoppable
from coverlap.core.errors import CoverlapError, FileError


class Program(click.Group):
    """A group of commands that reports each error in one line on standard error."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command, and exit with its exit code or, if not standalone, return it."""
        standalone = extra.pop("standalone_mode", True)
        code = self._run(*args, **extra, standalone_mode=False)
        with suppress(FileError), output_errors():  # reported before
            flush_output()
        return sys.exit(code) if standalone else code

    def _run(self, *args: Any, **extra: Any) -> int:
        try:
            return int(super().main(*args, **extra) or 0)
        except SystemExit:  # click exits with code 1 if the reader of the output stops early
            return 0
        except click.ClickException as error:
            message = error.format_message() + _hint(error)
        except OSError as error:
            message = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        except CoverlapError as error:
            message = str(error)
        except MemoryError:
            message = "not enough memory"
        except click.Abort:
            return INTERRUPTED
        write_message(f"error: {message}")
        return BAD_INPUT


def _hint(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f" Try '{context.command_path} --help'." if context else ""


@click.group(
    cls=Program,
    commands=Commands(),
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    epilog="Example: coverlap compare truth.txt found.txt",
)
@click.version_option(__version__, prog_name="coverlap")
@click.pass_context
def program(ctx: click.Context) -> None:
    """Compare clusterings that may have overlapping clusters and outliers.

    An outlier is an object that is in no cluster. 'coverlap demo' shows two comparisons, and
    'coverlap COMMAND --help' lists the options of a command.

    Exit codes: 0 for success, 1 if a score is below --fail-below or above --fail-above or there
    are changes named by --fail-on, 2 for bad input.
    """
    if ctx.invoked_subcommand is None:
        write_text(ctx.get_help() + "\n")


def main() -> None:
    """Run the command line, and exit with its exit code: 128 + n if signal n stops it."""
    protect_streams()
    code, received = INTERRUPTED, list[int]()
    with suppress(KeyboardInterrupt), stoppable(received):
        code = program(prog_name="coverlap", standalone_mode=False)
    sys.exit(STOPPED + received[0] if received else code)
