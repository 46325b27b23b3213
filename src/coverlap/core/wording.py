"""Numbers, values and lists of values as messages write them."""

from collections.abc import Iterable
from decimal import Decimal
from itertools import islice
from unicodedata import bidirectional, category

ESCAPED = {"Cc", "Cs", "Zl", "Zp"}
TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
"""Classes of characters that a line of text cannot have, and those of direction marks."""

MOST_NAMES, LONGEST_NAME = 1000, 100
"""Limits of the names among which similar ones are sought, since the search is slow."""


def some(values: list[object], limit: int = 5) -> str:
    """Return the first few values as text, and how many more there are.

    Examples
    --------
    >>> some(["a", "b", "c"], limit=2)
    "'a', 'b' and 1 more"
    """
    first = ", ".join(shown(value) for value in values[:limit])
    more = len(values) - limit
    return f"{first} and {more:,} more" if more > 0 else first


def shown(value: object, limit: int = 60) -> str:
    """Return the repr of a value, cut if it is long."""
    try:
        text = " ".join((text_of(value) if type(value) is int else repr(value)).split())
    except (ValueError, RecursionError):  # integers of more than 4300 digits, or deep nesting
        return f"<{type(value).__name__}>"
    return text if len(text) <= limit else f"{text[:limit]}..."


def text_of(value: object) -> str:
    """Return the str of a value, also of integers of more digits than Python converts."""
    try:
        return str(value)
    except ValueError:
        return str(Decimal(value)) if isinstance(value, int) else f"<{type(value).__name__}>"


def one_line(text: str) -> str:
    r"""Escape the characters that would break a line, control a terminal or cannot be encoded.

    So are those that change the direction of what follows, as in ``\u202e``.

    Examples
    --------
    >>> print(one_line("a\nb\ud800\u202ec"))
    a\nb\ud800\u202ec
    """
    if text.isprintable():
        return text
    return "".join(
        char.encode("unicode_escape").decode()
        if category(char) in ESCAPED or bidirectional(char) in TURNING
        else char
        for char in text
    )


def cut(text: str, longest: int) -> str:
    """Replace the middle of a text by an ellipsis if it has more characters.

    Examples
    --------
    >>> cut("a very long name", 8)
    'a ve…name'
    """
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half]}…{text[-half:]}"


def format_loss(loss: float) -> str:
    """Write a loss with six digits after the point, or a very small one with three digits."""
    return f"{loss:.6f}" if loss >= 1e-4 or loss == 0 else f"{loss:.2e}"


def quantity(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> quantity(1, "object"), quantity(1200, "object")
    ('1 object', '1,200 objects')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def amount(number: float) -> str:
    """Return an integer with all its digits, and another number with six.

    Examples
    --------
    >>> amount(1200), amount(0.1 + 0.2)
    ('1,200', '0.3')
    """
    return f"{number:,}" if isinstance(number, int) else f"{number:,.6g}"


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """Return a question that suggests similar names, or an empty string if there are none.

    Examples
    --------
    >>> did_you_mean("Clutser", ["object", "cluster"])
    "did you mean 'cluster'?"
    >>> did_you_mean("x", ["object", "cluster"])
    ''
    """
    from difflib import get_close_matches

    names: dict[str, str] = {}
    for text in islice(known, MOST_NAMES):
        if isinstance(text, str) and len(text) <= LONGEST_NAME:
            names.setdefault(text.lower(), text)
    wanted = text_of(name)[:LONGEST_NAME].lower()
    close = [wanted] if wanted in names else get_close_matches(wanted, names, n=3, cutoff=0.6)
    return f"did you mean {' or '.join(repr(names[text]) for text in close)}?" if close else ""
