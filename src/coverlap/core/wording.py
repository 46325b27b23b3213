"""Numbers, values and lists of values as messages write them."""

from decimal import Decimal


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


def quantity(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> quantity(1, "object"), quantity(1200, "object")
    ('1 object', '1,200 objects')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
