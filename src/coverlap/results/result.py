"""Result: the base class of everything that a verb returns."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from itertools import islice
from types import NoneType
from typing import Any, ClassVar

import numpy as np

from coverlap.core.frames import Column, name_column, write_frame
from coverlap.core.texts import Texts
from coverlap.core.values import is_missing
from coverlap.core.wording import text_of
from coverlap.results.html import html_of_blocks, html_of_columns
from coverlap.results.text import Block, plain, render, terminal_width

NameWriter = Callable[[Any], Any]
"""Converts the name of an object, a cluster or a clustering to the value to write."""


@dataclass(frozen=True, eq=False)
class Result:
    """Base class of results: frozen dataclasses that are converted and printed alike.

    A subclass is decorated with ``@dataclass(frozen=True, eq=False)`` and may override `columns`,
    `_facts` and `_blocks`; all other methods follow from these and from the fields. Two results
    are equal if all their fields are, those with ``compare=False`` excepted. Arrays are compared
    by value and NaN equals NaN, so results are not hashable.
    """

    KINDS: ClassVar[Mapping[str, str]] = {}
    """Kind of each column that does not hold floats: "text", "integer", "boolean" or "name"."""

    def columns(self) -> dict[str, list[Any]]:
        """Return the table of the result as columns; by default one row with every value."""
        return {name: [value] for name, value in self.to_dict().items()}

    def to_frame(self, library: str | None = None) -> Any:
        """Return the table of the result as a frame; see `columns`.

        Parameters
        ----------
        library : {"pandas", "polars", "arrow"}, optional
            By default the first of these that is imported, or else installed.
        """
        return frame_of(self.columns(), self.KINDS, library)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain dicts, lists and numbers."""
        return self._facts(lambda name: name)

    def to_json(self, indent: int | None = None) -> str:
        """Return `to_dict` as JSON; names that are neither integers nor strings become text."""
        return json.dumps(self._facts(json_name), indent=indent, allow_nan=False)

    def _facts(self, _write_name: NameWriter) -> dict[str, Any]:
        """Return the result as plain values, with every name converted by ``_write_name``."""
        return asdict(self)

    def _blocks(self) -> list[Block]:
        """Return the readable form; without one, the result is printed as its `repr`."""
        return []

    def __str__(self) -> str:
        """Return the readable form, which fits the terminal if standard output is one."""
        blocks = self._blocks()
        if not blocks and terminal_width() is None:
            return repr(self)
        return plain(render(blocks or [[repr(self)]]))

    def __rich__(self) -> Any:
        return render(self._blocks() or [[repr(self)]])

    def _repr_html_(self) -> str:
        """Return the readable form as HTML, which notebooks show."""
        blocks = self._blocks()
        if blocks:
            return html_of_blocks(blocks)
        return html_of_columns(type(self).__name__, self.columns(), self.KINDS)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return bool(_comparable(self) == _comparable(other))

    __hash__ = None  # type: ignore[assignment]


def frame_of(
    columns: Mapping[str, list[Any]], kinds: Mapping[str, str], library: str | None
) -> Any:
    """Return columns as a frame; all columns of names are integers, or all are text."""
    return write_frame(typed_columns(columns, kinds), library)


def typed_columns(columns: Mapping[str, list[Any]], kinds: Mapping[str, str]) -> list[Column]:
    """Return columns with their types; all columns of names are integers, or all are text."""
    named = [name for name in columns if kinds.get(name) == "name"]
    together = name_column("", [item for name in named for item in columns[name]])
    items = iter(together.items)
    return [
        Column(name, list(islice(items, len(values))), together.kind)
        if name in named
        else Column(name, values, kinds.get(name, "float"))
        for name, values in columns.items()
    ]


def json_name(name: Any) -> Any:
    """Return a name as JSON holds it: integers and strings as they are, others as text."""
    too_long = isinstance(name, int) and name.bit_length() > 10_000  # for the module json
    return name if isinstance(name, (int, str, NoneType)) and not too_long else text_of(name)


def _comparable(value: Any) -> Any:
    """Return a value to compare by ``==``, in which missing values of one type are equal."""
    if is_dataclass(value):
        compared = [field.name for field in fields(value) if field.compare]
        return type(value), [_comparable(getattr(value, name)) for name in compared]
    if isinstance(value, Texts):
        value = np.asarray(value)
    if isinstance(value, np.ndarray):
        return np.ndarray, value.shape, _comparable(value.tolist())
    if isinstance(value, dict):
        return {key: _comparable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value), [_comparable(item) for item in value]
    return type(value) if is_missing(value) else value
