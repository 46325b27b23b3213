"""Results as a person reads them; `rich` is imported with this, so this is imported when needed."""

from coverlap.results.text.parts import plain

__all__ = ["plain"]
