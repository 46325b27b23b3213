"""``coverlap reproduce``: the experiments of the paper, run anew."""

from pathlib import Path
from time import perf_counter

import click

from coverlap.cli.output import emit
from coverlap.cli.program import Command
from coverlap.cli.progress import sampling_bars

WHAT = ("figure1", "figure2", "figure3", "theory", "all")


def _read_samples(ctx: click.Context, param: click.Parameter, value: str) -> str | int:
    if value in ("stated", "stored"):
        return value
    if value.isdecimal() and int(value) >= 2:
        return int(value)
    message = f"{value!r} is neither stated nor stored nor a number of at least 2."
    raise click.BadParameter(message, ctx, param)


@click.command(
    cls=Command, epilog="Example: coverlap reproduce figure1 figure2 --samples stored -o paper"
)
@click.argument("what", nargs=-1, type=click.Choice(WHAT))
@click.option(
    "--samples", callback=_read_samples, metavar="stated|stored|N", default="stated",
    show_default=True,
    help="Samples of each experiment: as many as the paper states (100, 25, 10), as its stored "
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
    help="Number of processes, by default one a core. It changes no result.",
)  # fmt: skip
def reproduce(
    what: tuple[str, ...], samples: str | int, scale: str, output: str, workers: int | None
) -> None:
    """Run the experiments of the paper that proposed F*_wo, and check its theory.

    WHAT is any of figure1, figure2, figure3 and theory, or all, which is the default. Every value
    is written to DIR/values.parquet, the means beside those that the authors stored to
    DIR/means.csv, the figures as PDF and PNG, and a summary, which is also shown, to
    DIR/summary.md. Needs pip install 'coverlap[experiments]'.
    """
    wanted = set(WHAT[:-1]) if not what or "all" in what else set(what)
    figures = sorted(wanted - {"theory"})
    if figures:
        _reproduce_figures(figures, scale, samples, Path(output), workers)
    if "theory" in wanted:
        _check_theory()


def _reproduce_figures(
    figures: list[str], scale: str, samples: str | int, folder: Path, workers: int | None
) -> None:
    from coverlap.experiments.reproducing import reproduce as reproduce_figures  # imports slowly

    with sampling_bars() as progress:
        found = reproduce_figures(
            figures, scale=scale, samples=samples, folder=folder, workers=workers,
            progress=progress,
        )  # fmt: skip
    emit(found.summary)
    for path in found.files:
        click.echo(f"coverlap: wrote {click.format_filename(path)}", err=True)


def _check_theory() -> None:
    from coverlap.experiments.theory import check_theory

    start = perf_counter()
    with sampling_bars() as progress:
        checks = check_theory(progress)
    for check in checks:
        emit(f"{check.name}: {check.claim} [{check.paper}]\n    {check.found}\n\n")
    failed = [check.name for check in checks if not check.holds]
    click.echo(f"coverlap: {len(checks)} checks in {perf_counter() - start:.1f} s", err=True)
    if failed:
        click.echo(f"coverlap: not as expected: {', '.join(failed)}", err=True)
        raise click.exceptions.Exit(1)
