"""Labels of rows and columns of a matrix of shades, and numbers in its cells."""

from collections.abc import Sequence
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap.plot.style import INK, SMALL, Sheet

DARK = 0.55
"""Shade of a cell from which on its number is white."""

PITCH = 10.5
"""Least distance of labels in points; if some are left out, the others are further apart."""

Floats = NDArray[np.float64]


def write_numbers(sheet: Sheet, x: Floats, y: Floats, texts: NDArray[Any], shades: Floats) -> None:
    """Write texts into the cells of a matrix, in white on dark shades, from 0 to 1."""
    for row, column in np.argwhere(texts != ""):
        colour = "white" if shades[row, column] > DARK else INK
        sheet.write(
            float(x[column]), float(y[row]), texts[row, column], ha="center", va="center",
            color=colour,
        )  # fmt: skip


def label_cells(
    sheet: Sheet, x: Floats, y: Floats, columns: Sequence[str], rows: Sequence[str]
) -> str:
    """Label rows and columns, as many as there is room for, and return a note on the others."""
    left_out = 0
    for axis, places, labels, extent in (
        (sheet.ax.yaxis, y, rows, 1), (sheet.ax.xaxis, x, columns, 0),
    ):  # fmt: skip
        sheet.lay_out()
        cell = sheet.points()[extent] / (places[-1] + 1)
        step = 1 if cell >= PITCH else ceil(1.4 * PITCH / cell)
        longest = max(map(len, labels)) * PITCH * 0.6
        turned = extent == 0 and longest > cell * step
        axis.set_ticks(
            places[::step], labels[::step], fontsize=SMALL, rotation=90 if turned else 0
        )  # fmt: skip
        axis.set_tick_params(length=0 if step == 1 else 2)
        left_out = max(left_out, step)
    return f"one label in {left_out} is shown" if left_out > 1 else ""
