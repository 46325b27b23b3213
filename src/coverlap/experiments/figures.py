"""The paper's figures, drawn anew."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from coverlap.core.errors import InputError
from coverlap.core.wording import quantity, some
from coverlap.experiments.looks import MEASURES, PUBLISHED, STORED, TRUTH, WIDTH, Look, styled
from coverlap.experiments.panels import (
    draw_experiment,
    draw_graphs,
    draw_intuition,
    draw_published,
    resolutions,
)
from coverlap.experiments.results import Curves
from coverlap.experiments.sketches import draw_discs, draw_partitions
from coverlap.experiments.stored import stored_curves

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure


def draw_figure1(curves: Mapping[str, Curves]) -> "Figure":
    """Draw scenarios 1 to 3, one in each column: a sketch, the intuition, the experiment.

    Parameters
    ----------
    curves : dict
        Curves by the names of experiments: shuffle, skew and number.

    Returns
    -------
    matplotlib.figure.Figure
    """
    shown = _wanted(curves, ("shuffle", "skew", "number"))
    with styled():
        figure = _figure(4.9)
        panels = figure.subplots(3, 3, height_ratios=(0.62, 0.8, 1.4))
        for place, (column, one) in enumerate(zip(panels.T, shown, strict=True), 1):
            column[0].set_title(f"{place}. {one.experiment.title}")
            draw_partitions(column[0], one.experiment.name)
            column[1].sharex(column[2])
            draw_intuition(column[1], one)
            column[1].set_xlabel("")
            column[1].tick_params(labelbottom=False)
            draw_experiment(column[2], one, MEASURES)
        panels[1, 0].set_ylabel("similarity,\nby intuition")
        panels[2, 0].set_ylabel("similarity,\nas measured")
        figure.align_ylabels(panels[1:, 0])
        note = f"{_note(shown)} (scenario 2: of all points in a bin of entropy)"
        _draw_legend(figure, MEASURES.values(), note)
    return figure


def draw_figure2(
    curves: Mapping[str, Curves], *, every: bool = False, published: bool = True
) -> "Figure":
    """Draw scenarios 4 and 5, one in each row: a sketch, the intuition, the experiment.

    Parameters
    ----------
    curves : dict
        Curves by the names of experiments: overlap and outliers.
    every : bool
        Whether scenario 5 has all measures. The paper shows F*_wo and ECS only, since the others
        are not made for outliers.
    published : bool
        Whether scenario 4 also has the curve of overlapping NMI (LFK) that the paper shows, which
        comes from another formula than the one that LFK define.

    Returns
    -------
    matplotlib.figure.Figure
    """
    shown = _wanted(curves, ("overlap", "outliers"))
    with styled():
        figure = _figure(4.2)
        panels = figure.subplots(2, 3, width_ratios=(1.8, 1, 1.15))
        measures = (tuple(MEASURES), tuple(MEASURES) if every else ("fstar_wo", "ecs"))
        for place, (row, one) in enumerate(zip(panels, shown, strict=True)):
            row[0].set_title(f"{place + 4}. {one.experiment.title}")
            draw_discs(row[0], one.experiment.name)
            draw_intuition(row[1], one)
            draw_experiment(row[2], one, measures[place])
            for axes in row[1:]:
                axes.set_ylabel("similarity")
        panels[0, 1].set_title("Intuition")
        panels[0, 2].set_title("Experiment")
        if published:
            draw_published(panels[0, 2])
        looks = [*MEASURES.values(), *[PUBLISHED] * published]
        _draw_legend(figure, looks, _note(shown))
    return figure


def draw_figure3(text: Curves, stored: Curves | None = None) -> "Figure":
    """Draw how clusterings of graphs compare with the truth, of their vertices and edges.

    Parameters
    ----------
    text : Curves
        Of the experiment that the paper's text describes.
    stored : Curves, optional
        Of the experiment that the authors' data came from. It is a second row, which has these
        data as dots.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = [text] if stored is None else [text, stored]
    with styled():
        figure = _figure(2.5 * len(rows))
        parts = figure.subfigures(len(rows), 1, squeeze=False)[:, 0]
        for part, curves in zip(parts, rows, strict=True):
            _draw_graphs(part, curves)
    return figure


def save(figure: "Figure", folder: str | PathLike[str], name: str) -> list[Path]:
    """Write a figure as ``name.pdf`` and ``name.png``, without the date.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    folder : path
        Is made if it does not exist.
    name : str

    Returns
    -------
    list of Path
        Of the two files.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> [path.as_posix() for path in save(Figure(), "figures", "empty")]
    ['figures/empty.pdf', 'figures/empty.png']
    """
    paths = [Path(folder) / f"{name}.{kind}" for kind in ("pdf", "png")]
    with styled():
        Path(folder).mkdir(parents=True, exist_ok=True)
        for path, metadata in zip(paths, ({"CreationDate": None}, {}), strict=True):
            figure.savefig(path, metadata=metadata)
    return paths


def _wanted(curves: Mapping[str, Curves], names: Sequence[str]) -> list[Curves]:
    missing: list[object] = [name for name in names if name not in curves]
    if missing:
        raise InputError(
            f"curves must have {some(list(names))}; there is no {some(missing)}, only "
            f"{some(list(curves)) or 'nothing'}"
        )
    return [curves[name] for name in names]


def _figure(height: float) -> "Figure":
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _samples(shown: Iterable[Curves]) -> str:
    """Say how many samples there are; a walk counts points, and has its own words."""
    numbers = {int(n) for one in shown if one.experiment.name != "skew" for n in one.counts}
    least, most = min(numbers), max(numbers)
    return quantity(most, "sample") if least == most else f"{least:,} to {most:,} samples"


def _draw_graphs(part: "SubFigure", curves: Curves) -> None:
    part.suptitle(curves.experiment.title, fontsize=8)
    panels = part.subplots(1, 3)
    for axes, kind in zip(panels, ("vertices", "edges", "clusters"), strict=True):
        draw_graphs(axes, curves, kind)
    looks = [*resolutions(curves).values(), TRUTH]
    if any(name == curves.experiment.name for name, _ in stored_curves()):
        looks.append(STORED)
    _draw_legend(part, looks, _note([curves]))


def _note(shown: Iterable[Curves]) -> str:
    return f"Lines: mean of {_samples(shown)}; bands: ± 1 standard deviation"


def _draw_legend(figure: "Figure | SubFigure", looks: Iterable[Look], note: str) -> None:
    from matplotlib.lines import Line2D

    lines = [Line2D([], [], label=look.label, **look.line()) for look in looks]
    for line in lines:
        line.set_markevery(None)
    columns = len(lines) if len(lines) <= 5 else ceil(len(lines) / 2)
    figure.legend(handles=lines, loc="outside lower center", ncols=columns, title=note)
