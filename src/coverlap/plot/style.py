"""What all pictures share: the axes they are drawn on, colours, titles and notes."""

from collections.abc import Sequence
from math import ceil
from textwrap import fill
from typing import TYPE_CHECKING, Any

from coverlap.core.errors import InputTypeError
from coverlap.measures.registry import MEASURES
from coverlap.plot.texts import families, require_matplotlib, score_text
from coverlap.results.comparison import Comparison

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation, Text

PALETTE = (
    "#3f90da", "#ffa90e", "#bd1f01", "#832db6", "#a96b59", "#e76300", "#b9ac70", "#92dadd",
    "#94a4a2", "#717581",
)  # fmt: skip
"""Ten colours that people with any colour vision can tell apart (petroff10), greyish ones last."""

LEFT, RIGHT, ACCENT = PALETTE[:3]
"""Colours of the left side, of the right side, and of what a picture points out.

In black and white, the left side is darker than the right one.
"""

INK, REST, OUTLIERS = "0.2", "0.65", "0.8"
"""Greys of texts, of what is pooled, and of outliers, which are hatched, too."""

HATCH = "////"
SHADES = "Blues"

TITLE, SMALL = "medium", "small"
"""Sizes of texts, relative to that of the user's settings."""


def check_result(value: Any, kinds: type | tuple[type, ...], verb: str) -> None:
    """Raise an error that says what is drawn and which function makes it for other values."""
    if isinstance(value, kinds):
        return
    names = " or ".join(kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,)))
    raise InputTypeError(
        f"this picture is drawn from a {names}, the result of coverlap.{verb}, not from a "
        f"{type(value).__name__}"
    )


def headline(comparison: Comparison) -> str:
    """Return the measure and the score, which begin the titles of comparisons."""
    return f"{MEASURES[comparison.measure].title} = {score_text(comparison.score)}"


class Sheet:
    """Axes to draw on, those of the user or of a new figure, and how texts are put on them.

    Parameters
    ----------
    ax : Axes or None
        None makes a figure that pyplot does not know, so nobody has to close it.
    width, height : float
        Size of a new figure in inches.
    """

    def __init__(self, ax: "Axes | None", width: float, height: float) -> None:
        require_matplotlib()
        from matplotlib.axes import Axes

        if ax is not None and not isinstance(ax, Axes):
            raise InputTypeError(f"ax must be one Axes of matplotlib, not a {type(ax).__name__}")
        self.is_new = ax is None
        self.handles: Sequence[Artist] = ()
        self.note: Annotation | None = None
        self.ax = _new_axes(width, height) if ax is None else ax
        self.ax.spines[["top", "right"]].set_visible(False)
        self.ax.tick_params(labelsize=SMALL)

    def write(self, x: float, y: float, text: str, **options: Any) -> "Annotation":
        """Write a text at a point of the data; dollar signs are no formulas."""
        options = {"fontsize": SMALL, "color": INK, **options}
        return self.ax.annotate(
            text, (x, y), parse_math=False, fontfamily=families(), **options
        )  # fmt: skip

    def label_axes(self, x: str = "", y: str = "") -> None:
        """Write what the axes show."""
        self.ax.set_xlabel(x, fontsize=SMALL)
        self.ax.set_ylabel(y, fontsize=SMALL)

    def label_rows(self, labels: list[str]) -> None:
        """Label the rows of a picture without a vertical axis."""
        self.ax.set_yticks(range(len(labels)), labels, fontsize=SMALL)
        self.ax.tick_params(axis="y", length=0)
        self.ax.spines["left"].set_visible(False)

    def add_legend(self, handles: "Sequence[Artist]") -> None:
        """Add a legend above the picture; `finish` draws it."""
        self.handles = handles

    def add_colour_bar(self, shades: Any, text: str, form: str) -> None:
        """Add a scale of the shades, with numbers written in the given format."""
        bar = self.ax.figure.colorbar(shades, ax=self.ax, fraction=0.05, pad=0.02, format=form)
        bar.set_label(text, fontsize=SMALL)
        bar.ax.tick_params(labelsize=SMALL)
        bar.outline.set_visible(False)
        _make_plain(bar.ax.yaxis.label)

    def say(self, text: str) -> "Axes":
        """Write one sentence in place of a picture that would be empty."""
        self.ax.set_axis_off()
        self.write(
            0.5, 0.5, fill(text, self._columns(10)), xycoords="axes fraction", ha="center",
            va="center", fontsize=TITLE,
        )  # fmt: skip
        return self.ax

    def lay_out(self) -> None:
        """Compute where the axes of a new figure are, to measure texts on them."""
        for text in (
            *self.ax.get_xticklabels(), *self.ax.get_yticklabels(), self.ax.xaxis.label,
            self.ax.yaxis.label,
        ):  # fmt: skip
            _make_plain(text)
        if self.is_new:
            figure: Any = self.ax.figure
            figure.get_layout_engine().execute(figure)

    def finish(self, title: str, *notes: str) -> "Axes":
        """Write the message above the picture, and below that in small print what it leaves out."""
        self.lay_out()
        small = float(self.ax.xaxis.label.get_fontsize())
        above = 5 + 1.6 * small * self._draw_legend(small)
        note = self._fill_note(notes)
        heading = self.ax.set_title(title, loc="left", fontsize=TITLE)
        heading.set_text(fill(title, self._columns(float(heading.get_fontsize()))))
        _make_plain(heading)
        if note:
            self.note = self.write(
                0, 1, note, xycoords="axes fraction", xytext=(0, above), va="bottom",
                textcoords="offset points", color="0.4", linespacing=1.2,
            )  # fmt: skip
            above += self.size_of(self.note)[1] + 3
        self.ax.set_title(heading.get_text(), loc="left", fontsize=TITLE, pad=above)
        return self.ax

    def change_note(self, *notes: str) -> None:
        """Write other notes, which are not longer, in place of those of `finish`."""
        if self.note is not None:
            self.note.set_text(self._fill_note(notes))

    def _fill_note(self, notes: Sequence[str]) -> str:
        text = "; ".join(filter(None, notes))
        return fill(text, self._columns(float(self.ax.xaxis.label.get_fontsize())))

    def _draw_legend(self, size: float) -> int:
        """Draw the legend in as many rows as its texts of a size need, and return their number."""
        if not self.handles:
            return 0
        texts = [str(handle.get_label()) for handle in self.handles]
        per_row = max(1, self._columns(size) // (max(map(len, texts)) + 7))
        rows = ceil(len(texts) / per_row)
        legend = self.ax.legend(
            handles=self.handles, ncols=ceil(len(texts) / rows), frameon=False, fontsize=SMALL,
            loc="lower left", bbox_to_anchor=(0, 1), borderpad=0, borderaxespad=0.3,
            columnspacing=1.2, handletextpad=0.5, labelspacing=0.3,
        )  # fmt: skip
        legend.set_in_layout(False)
        for text in legend.get_texts():
            _make_plain(text)
        return rows

    def _columns(self, size: float) -> int:
        """Return how many characters of a size in points are as wide as the axes."""
        return max(20, int(self.points()[0] / (0.56 * size)))

    def points(self) -> tuple[float, float]:
        """Return the width and the height of the axes in points."""
        return self.size_of(self.ax)

    def size_of(self, artist: "Artist") -> tuple[float, float]:
        """Return the width and the height of something drawn in points."""
        box, pixels = artist.get_window_extent(), self.ax.figure.dpi / 72
        return box.width / pixels, box.height / pixels


def _new_axes(width: float, height: float) -> "Axes":
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure.subplots()


def _make_plain(text: "Text") -> None:
    """Draw a text as it is, in fonts that have its characters."""
    text.set_parse_math(False)
    text.set_fontfamily(families())
