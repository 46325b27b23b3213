"""Reproduce the figures of the paper: run, compare, draw, write."""

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from coverlap.core.checks import check_integer, check_option
from coverlap.core.errors import FileError, MissingDependencyError, OptionError
from coverlap.core.threads import number_of_cores
from coverlap.core.wording import shown
from coverlap.experiments.experiment import SCALES, Experiment
from coverlap.experiments.figures import draw_figure1, draw_figure2, draw_figure3, save
from coverlap.experiments.graphs import GRAPHS
from coverlap.experiments.results import Curves, Values, curves
from coverlap.experiments.running import Progress, run
from coverlap.experiments.scenarios import SCENARIOS
from coverlap.experiments.summary import summary
from coverlap.experiments.tables import write_means, write_values

FIGURES = ("figure1", "figure2", "figure3")
SAMPLES = ("stated", "stored")
EXPERIMENTS = (*SCENARIOS, *GRAPHS)


class Reproduction(NamedTuple):
    """What was found: the values of each experiment, the summary, and the files written."""

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
    progress: Progress | None = None,
) -> Reproduction:
    """Run the experiments of the paper that proposed F*_wo, and draw its figures.

    Parameters
    ----------
    figures : iterable of {"figure1", "figure2", "figure3"}
        Which to reproduce, by default all.
    scale : {"paper", "quick"}
        All points of every curve, or few points of few samples.
    samples : {"stated", "stored"} or int
        As many as the paper states, as its stored curves have, or a number.
    folder : str or Path, optional
        Where tables, figures and the summary are written; it is made if need be. By default
        nothing is written.
    workers : int, optional
        Number of processes, by default one a core. It changes no result.
    progress : callable, optional
        Called with the name of an experiment and how many of its samples are done, of how many.

    Returns
    -------
    Reproduction
    """
    chosen = _experiments(figures)
    check_option("scale", scale, tuple(SCALES))
    sized = SCALES[scale]
    if not isinstance(samples, str):
        sized = sized._replace(n_samples=check_integer("samples", samples, 2))
    elif samples not in SAMPLES:
        raise OptionError(f"samples must be 'stated', 'stored' or a number, not {shown(samples)}")
    n_workers = number_of_cores() if workers is None else check_integer("workers", workers, 1)
    _check_libraries(chosen, drawing=folder is not None)
    target = None if folder is None else _made(Path(folder))
    stated = samples != "stored"
    results = run(chosen, sized, stated=stated, n_workers=n_workers, progress=progress)
    text = summary(results, n_workers)
    return Reproduction(results, text, [] if target is None else _write(results, text, target))


def _experiments(figures: Iterable[str]) -> list[Experiment]:
    wanted = [figures] if isinstance(figures, str) else list(figures)
    for figure in wanted:
        check_option("figures", figure, FIGURES)
    return [one for one in EXPERIMENTS if f"figure{one.figure}" in wanted]


def _check_libraries(experiments: list[Experiment], *, drawing: bool) -> None:
    """Refuse at once what would fail for want of a library only after some minutes."""
    needed = {"matplotlib": drawing, "leidenalg": any(one.figure == 3 for one in experiments)}
    for library, is_needed in needed.items():
        if is_needed and find_spec(library) is None:
            raise MissingDependencyError(
                f"this needs {library}: pip install 'coverlap[experiments]'"
            )  # fmt: skip


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror or error}") from None
    return folder


def _write(results: list[Values], text: str, folder: Path) -> list[Path]:
    found: dict[str, Curves] = {values.experiment.name: curves(values) for values in results}
    tables = [folder / "values.parquet", folder / "means.csv", folder / "summary.md"]
    write_values(results, tables[0])
    write_means(list(found.values()), tables[1])
    tables[2].write_text(text, encoding="utf-8")
    return tables + [path for name, figure in _drawn(found) for path in save(figure, folder, name)]


def _drawn(found: dict[str, Curves]) -> Iterator[tuple[str, Any]]:
    """Draw the figures whose experiments were run."""
    if "shuffle" in found:
        yield "figure1", draw_figure1(found)
    if "overlap" in found:
        yield "figure2", draw_figure2(found)
    if "graphs" in found:
        yield "figure3", draw_figure3(found["graphs"], found["graphs_stored"])
