"""Texts in pictures: names from data, scores and shares, in characters that fonts have."""

from functools import cache
from importlib import import_module
from typing import Any

from coverlap.core.errors import MissingDependencyError
from coverlap.core.wording import one_line, text_of
from coverlap.results.text import shortened

LONGEST_NAME = 24
"""Columns of a terminal that a name may take before it is shortened."""

FALLBACKS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans", "PingFang SC", "Hiragino Sans",
    "Microsoft YaHei", "Yu Gothic", "WenQuanYi Zen Hei", "Arial Unicode MS", "Noto Sans Arabic",
    "Noto Sans Devanagari", "Noto Sans Thai", "Noto Sans Symbols 2",
)  # fmt: skip
"""Fonts for characters that the font of the user's settings lacks; those installed are used."""


def require_matplotlib() -> None:
    """Raise an error that says what to install if there is no matplotlib."""
    try:
        import_module("matplotlib.axes")
    except ImportError:
        raise MissingDependencyError(
            "pictures need matplotlib: pip install 'coverlap[plot]'"
        ) from None


def name_text(name: Any, width: int = LONGEST_NAME) -> str:
    """Return a name from data as it is drawn: one line, shortened, in characters of the fonts.

    Characters that no font has are drawn as empty boxes, as matplotlib does after a warning.
    """
    text = shortened(one_line(text_of(name)), width)
    if text.isascii():
        return text
    known = frozenset[int]().union(*map(_characters, _font_files(families())))
    box = "□" if ord("□") in known else "?"
    return "".join(char if ord(char) in known else box for char in text)


def families() -> list[str]:
    """Return the font families of the user's settings, and the installed ones to fall back on."""
    require_matplotlib()
    from matplotlib import rcParams

    return [*rcParams["font.family"], *_installed_fallbacks()]


@cache
def _installed_fallbacks() -> tuple[str, ...]:
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    return tuple(family for family in FALLBACKS if family in installed)


def _font_files(names: list[str]) -> list[str]:
    from matplotlib.font_manager import FontProperties, findfont

    return [str(findfont(FontProperties(family=[name]))) for name in names]


@cache
def _characters(path: str) -> frozenset[int]:
    """Return the code points that a font file has."""
    from matplotlib.font_manager import get_font

    return frozenset(get_font(path).get_charmap())


def score_text(score: float) -> str:
    """Write a score with three digits, or with more if it would look like 1 but is not.

    Examples
    --------
    >>> score_text(0.678239), score_text(0.99998), score_text(1.0)
    ('0.678', '0.99998', '1.000')
    """
    digits = 3
    while round(score, digits) == 1 != score and digits < 16:
        digits += 1
    return f"{score:.{digits}f}"


def percent(share: float) -> str:
    """Write a share as a percentage; only nothing is 0 % and only all is 100 %.

    Examples
    --------
    >>> percent(0.4701), percent(0.001), percent(0.999), percent(1.0)
    ('47 %', '<1 %', '>99 %', '100 %')
    """
    if 0 < share < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 <= share < 1 else f"{100 * share:.0f} %"
