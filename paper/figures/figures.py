"""Draw the three figures of the paper, and save them."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import coverlap as cv
from paper.figures.illustrations import draw_discs, draw_partitions
from paper.figures.panels import (
    draw_experiment,
    draw_graphs,
    draw_intuition,
    draw_published,
    resolutions,
)
from paper.figures.style import MEASURES, PUBLISHED, STORED, TRUTH, WIDTH, LineStyle, figure_style
from paper.results.curves import Curves
from paper.results.stored import stored_curves

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure


def draw_figure1(curves: Mapping[str, Curves]) -> "Figure":
    """Draw scenarios 1 to 3, one per column: illustration, intuition and experiment.

    Parameters
    ----------
    curves : dict
        Curves by the name of the experiment: shuffle, skew and number.

    Returns
    -------
    matplotlib.figure.Figure
    """
    shown = _select(curves, ("shuffle", "skew", "number"))
    with figure_style():
        figure = _new_figure(4.9)
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
        caption = f"{_caption(shown)} (scenario 2: of all points in a bin of entropy)"
        _draw_legend(figure, MEASURES.values(), caption)
    return figure


def draw_figure2(
    curves: Mapping[str, Curves], *, every: bool = False, published: bool = True
) -> "Figure":
    """Draw scenarios 4 and 5, one per row: illustration, intuition and experiment.

    Parameters
    ----------
    curves : dict
        Curves by the name of the experiment: overlap and outliers.
    every : bool
        Whether to show all measures in scenario 5. The paper shows only F*_wo and ECS, because the
        others are not defined for outliers.
    published : bool
        Whether to add the published curve of oNMI LFK to scenario 4. It comes from another
        formula than the definition of LFK.

    Returns
    -------
    matplotlib.figure.Figure
    """
    shown = _select(curves, ("overlap", "outliers"))
    with figure_style():
        figure = _new_figure(4.2)
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
        styles = [*MEASURES.values(), *[PUBLISHED] * published]
        caption = f"{_caption(shown)} (kinks in scenario 5: sizes are whole numbers)"
        _draw_legend(figure, styles, caption)
    return figure


def draw_figure3(text: Curves, stored: Curves | None = None) -> "Figure":
    """Draw the similarity of clusterings of graphs to the truth, by vertices and by edges.

    Parameters
    ----------
    text : Curves
        Curves of the experiment that the text of the paper describes.
    stored : Curves, optional
        Curves of the experiment that gave the authors' stored curves. They are drawn in a second
        row, with the authors' means as dots.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = [text] if stored is None else [text, stored]
    with figure_style():
        figure = _new_figure(2.5 * len(rows))
        parts = figure.subfigures(len(rows), 1, squeeze=False)[:, 0]
        for part, curves in zip(parts, rows, strict=True):
            _draw_row_of_graphs(part, curves)
    return figure


def save(figure: "Figure", folder: str | PathLike[str], name: str) -> list[Path]:
    """Write a figure as ``name.pdf`` and ``name.png``, without the date of creation.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    folder : path
        Created if it does not exist.
    name : str

    Returns
    -------
    list of Path
        The two files.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> [path.as_posix() for path in save(Figure(), "figures", "empty")]
    ['figures/empty.pdf', 'figures/empty.png']
    """
    paths = [Path(folder) / f"{name}.{kind}" for kind in ("pdf", "png")]
    with figure_style():
        Path(folder).mkdir(parents=True, exist_ok=True)
        for path, metadata in zip(paths, ({"CreationDate": None}, {}), strict=True):
            figure.savefig(path, metadata=metadata)
    return paths


def _select(curves: Mapping[str, Curves], names: Sequence[str]) -> list[Curves]:
    missing = [name for name in names if name not in curves]
    if missing:
        raise cv.InputError(
            f"curves must have {_listed(names)}; there is no {_listed(missing)}, only "
            f"{_listed(curves) or 'nothing'}"
        )
    return [curves[name] for name in names]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))


def _new_figure(height: float) -> "Figure":
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _number_of_samples(shown: Iterable[Curves]) -> str:
    """Return the number of samples in words; ``skew`` is left out, as it counts points."""
    numbers = {int(n) for one in shown if one.experiment.name != "skew" for n in one.counts}
    least, most = min(numbers), max(numbers)
    if least != most:
        return f"{least:,} to {most:,} samples"
    return "1 sample" if most == 1 else f"{most:,} samples"


def _draw_row_of_graphs(part: "SubFigure", curves: Curves) -> None:
    part.suptitle(curves.experiment.title, fontsize=8)
    panels = part.subplots(1, 3)
    for axes, kind in zip(panels, ("vertices", "edges", "clusters"), strict=True):
        draw_graphs(axes, curves, kind)
    styles = [*resolutions(curves).values(), TRUTH]
    if any(name == curves.experiment.name for name, _ in stored_curves()):
        styles.append(STORED)
    _draw_legend(part, styles, _caption([curves]))


def _caption(shown: Iterable[Curves]) -> str:
    return f"Lines: mean of {_number_of_samples(shown)}; bands: ± 1 standard deviation"


def _draw_legend(figure: "Figure | SubFigure", styles: Iterable[LineStyle], caption: str) -> None:
    from matplotlib.lines import Line2D

    lines = [Line2D([], [], label=style.label, **style.properties()) for style in styles]
    for line in lines:
        line.set_markevery(None)
    columns = len(lines) if len(lines) <= 5 else ceil(len(lines) / 2)
    figure.legend(handles=lines, loc="outside lower center", ncols=columns, title=caption)
