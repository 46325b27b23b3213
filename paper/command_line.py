"""Command line: ``python -m paper reproduce`` and ``python -m paper theory``."""

import sys
from concurrent.futures import BrokenExecutor
from pathlib import Path
from time import perf_counter
from typing import Any

import click

import coverlap as cv
from paper.progress import show_progress
from paper.reproduction import FIGURES, create_folder
from paper.reproduction import reproduce as reproduce_figures
from paper.results.summary import INTRODUCTION, summarize_theory
from paper.theory import Check, check_theory

CHOICES = (*FIGURES, "theory", "all")


class OneLineErrors(click.Group):
    """A group of commands whose errors are one line on standard error, with exit code 2."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command and exit."""
        try:
            code = super().main(*args, **extra | {"standalone_mode": False})
        except click.Abort:
            click.echo("paper: interrupted", err=True)
            code = 130
        except click.ClickException as error:
            code = _report(error.format_message())
        except (cv.CoverlapError, OSError, BrokenExecutor) as error:
            code = _report(str(error))
        sys.exit(code or 0)


def _report(message: str) -> int:
    click.echo(f"paper: error: {' '.join(message.splitlines())}", err=True)
    return 2


def _parse_samples(ctx: click.Context, param: click.Parameter, value: str) -> str | int:
    if value in ("stated", "stored"):
        return value
    if value.isdecimal() and int(value) >= 2:
        return int(value)
    message = f"{value!r} is neither stated nor stored nor a number of at least 2."
    raise click.BadParameter(message, ctx, param)


@click.group(cls=OneLineErrors, context_settings={"help_option_names": ["-h", "--help"]})
def program() -> None:
    """Reproduce the experiments of the paper that proposed F*_wo, and check its theory."""


@program.command(
    epilog="Example: python -m paper reproduce figure1 figure2 --samples stored -o reproduced"
)
@click.argument("what", nargs=-1, type=click.Choice(CHOICES))
@click.option(
    "--samples", callback=_parse_samples, metavar="stated|stored|N", default="stated",
    show_default=True,
    help="Number of samples of each experiment: as the paper states (100, 25, 10), as its stored "
    "curves have (25, 10, 10), or N.",
)  # fmt: skip
@click.option(
    "--scale", type=click.Choice(["paper", "quick"]), default="paper", show_default=True,
    help="All points of every curve, or few points of few samples in less than a minute.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=click.Path(file_okay=False), metavar="DIR", default="reproduced",
    show_default=True, help="Folder for the tables, the figures and the summary.",
)  # fmt: skip
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N",
    help="Number of processes, by default the number of cores. Results do not depend on it.",
)  # fmt: skip
def reproduce(
    what: tuple[str, ...], samples: str | int, scale: str, output: str, workers: int | None
) -> None:
    """Run experiments and draw figures of the paper, and check its theory.

    WHAT is any of figure1, figure2, figure3 and theory, or all, which is the default. Every value
    is written to DIR/values.parquet, the means beside those that the authors stored to
    DIR/means.csv, the figures as PDF and PNG, and a summary, which is also printed, to
    DIR/summary.md, with the results of the theory at its end.
    """
    wanted = set(CHOICES) if not what or "all" in what else set(what)
    figures = [figure for figure in FIGURES if figure in wanted]
    summary = INTRODUCTION
    if figures:
        with show_progress() as progress:
            found = reproduce_figures(
                figures, scale=scale, samples=samples, folder=Path(output), workers=workers,
                progress=progress,
            )  # fmt: skip
        click.echo(found.summary, nl=False)
        for path in found.files:
            click.echo(f"paper: wrote {click.format_filename(path)}", err=True)
        summary = found.summary
    if "theory" in wanted:
        path = create_folder(Path(output)) / "summary.md"
        checks = _check_theory()
        path.write_text(f"{summary}\n{summarize_theory(checks)}", encoding="utf-8")
        click.echo(f"paper: wrote {click.format_filename(path)}", err=True)
        _exit_if_failed(checks)


@program.command()
def theory() -> None:
    """Check every statement of the paper about F*_wo."""
    _exit_if_failed(_check_theory())


def _check_theory() -> list[Check]:
    start = perf_counter()
    with show_progress() as progress:
        checks = check_theory(progress)
    for check in checks:
        click.echo(f"{check.name}: {check.claim} [{check.paper}]\n    {check.found}\n")
    click.echo(f"paper: {len(checks)} checks in {perf_counter() - start:.1f} s", err=True)
    return checks


def _exit_if_failed(checks: list[Check]) -> None:
    failed = [check.name for check in checks if not check.holds]
    if failed:
        click.echo(f"paper: not as expected: {', '.join(failed)}", err=True)
        raise click.exceptions.Exit(1)
