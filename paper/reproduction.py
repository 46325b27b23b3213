"""Reproduce figures of the paper: run their experiments, write tables, figures and a summary."""

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import coverlap as cv
from paper.experiments.experiment import SCALES, Experiment, Scale, Values
from paper.experiments.graphs import GRAPHS
from paper.experiments.runner import Progress, number_of_cores, run_experiments
from paper.experiments.scenarios import SCENARIOS
from paper.figures.figures import draw_figure1, draw_figure2, draw_figure3, save
from paper.results.curves import Curves, average
from paper.results.summary import summarize
from paper.results.tables import write_means, write_values

FIGURES = ("figure1", "figure2", "figure3")
EXPERIMENTS = (*SCENARIOS, *GRAPHS)


class Reproduction(NamedTuple):
    """The values of each experiment, the summary, and the files written."""

    results: list[Values]
    summary: str
    files: list[Path]


def reproduce(
    figures: Iterable[str] = FIGURES,
    *,
    scale: str = "paper",
    samples: int | str = "stated",
    folder: str | Path | None = None,
    workers: int | None = None,
    progress: Progress = lambda *_: None,
) -> Reproduction:
    """Run the experiments of the paper that proposed F*_wo, and draw its figures.

    Parameters
    ----------
    figures : iterable of {"figure1", "figure2", "figure3"}
        Figures to reproduce, by default all.
    scale : {"paper", "quick"}
        "paper" for all points of every curve, "quick" for few points and few samples.
    samples : {"stated", "stored"} or int
        Number of samples of each experiment: the number that the paper states, the number that
        its stored curves have, or an integer.
    folder : str or Path, optional
        Folder for tables, figures and the summary; it is created if it does not exist. By default
        nothing is written.
    workers : int, optional
        Number of processes, by default the number of cores. Results do not depend on it.
    progress : function
        Called with the name of an experiment, the number of finished samples and of all samples.

    Returns
    -------
    Reproduction
    """
    experiments = _find_experiments(figures)
    chosen_scale = _find_scale(scale, samples)
    n_workers = number_of_cores() if workers is None else _check_integer("workers", workers, 1)
    _check_libraries(experiments, drawing=folder is not None)
    target = None if folder is None else create_folder(Path(folder))
    results = run_experiments(
        experiments, chosen_scale, stated=samples != "stored", n_workers=n_workers,
        progress=progress,
    )  # fmt: skip
    summary = summarize(results, n_workers)
    files = [] if target is None else _write(results, summary, target)
    return Reproduction(results, summary, files)


def _find_experiments(figures: Iterable[str]) -> list[Experiment]:
    wanted = [figures] if isinstance(figures, str) else list(figures)
    for figure in wanted:
        _check_choice("figures", figure, FIGURES)
    return [one for one in EXPERIMENTS if f"figure{one.figure}" in wanted]


def _find_scale(scale: str, samples: int | str) -> Scale:
    _check_choice("scale", scale, tuple(SCALES))
    if not isinstance(samples, str):
        return SCALES[scale]._replace(n_samples=_check_integer("samples", samples, 2))
    if samples not in ("stated", "stored"):
        raise cv.OptionError(f"samples must be 'stated', 'stored' or a number, not {samples!r}")
    return SCALES[scale]


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        allowed = ", ".join(map(repr, choices))
        raise cv.OptionError(f"{name} must be one of {allowed}, not {value!r}")


def _check_integer(name: str, value: int, least: int) -> int:
    if not isinstance(value, int) or value < least:
        raise cv.OptionError(f"{name} must be an integer of at least {least}, not {value!r}")
    return value


def _check_libraries(experiments: list[Experiment], *, drawing: bool) -> None:
    """Raise an error if a library is missing that would be needed only after some minutes."""
    needed = {"matplotlib": drawing, "leidenalg": any(one.figure == 3 for one in experiments)}
    for library, is_needed in needed.items():
        if is_needed and find_spec(library) is None:
            raise cv.MissingDependencyError(f"this needs {library}: pip install --group paper")


def create_folder(folder: Path) -> Path:
    """Create a folder if it does not exist, and return it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cv.FileError(f"{folder}: {error.strerror or error}") from None
    return folder


def _write(results: list[Values], summary: str, folder: Path) -> list[Path]:
    curves = {result.experiment.name: average(result) for result in results}
    values, means, text = (folder / name for name in ("values.parquet", "means.csv", "summary.md"))
    write_values(results, values)
    write_means(list(curves.values()), means)
    text.write_text(summary, encoding="utf-8")
    drawn = [path for name, figure in _draw(curves) for path in save(figure, folder, name)]
    return [values, means, text, *drawn]


def _draw(curves: dict[str, Curves]) -> Iterator[tuple[str, Any]]:
    """Yield the names and figures of the experiments that were run."""
    if "shuffle" in curves:
        yield "figure1", draw_figure1(curves)
    if "overlap" in curves:
        yield "figure2", draw_figure2(curves)
    if "graphs" in curves:
        yield "figure3", draw_figure3(curves["graphs"], curves["graphs_stored"])
