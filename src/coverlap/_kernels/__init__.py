"""Compiled loops: arrays in, arrays out, nothing checked.

Every module here is loaded on first use, so that ``import coverlap`` does not import Numba.
A kernel and the compiled helpers it calls share one file, because Numba's cache does not
notice a change in another one. Inputs arrive as read-only arrays, so that each kernel is
compiled once for them and not once more for arrays that happen to be writable.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coverlap._kernels import (
        coding,
        contingency,
        ecs,
        edges,
        incidence,
        information,
        inverses,
        kinds,
        louvain,
        matching,
        onmi,
        pairs,
        sampling,
        text,
    )

__all__ = [
    "coding",
    "contingency",
    "ecs",
    "edges",
    "incidence",
    "information",
    "inverses",
    "kinds",
    "louvain",
    "matching",
    "onmi",
    "pairs",
    "sampling",
    "text",
]


def __getattr__(name: str) -> object:
    if name in __all__:
        return importlib.import_module(f"coverlap._kernels.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
