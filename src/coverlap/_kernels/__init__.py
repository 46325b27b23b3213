"""Compiled loops over arrays, without checks of their arguments.

Every module here is imported on first use, so that ``import coverlap`` does not import Numba.
A kernel and the compiled helpers it calls share one file, because Numba's cache does not
notice changes in other files. Inputs are passed as read-only arrays, so that each kernel is
compiled only once and not again for writable arrays.
"""

from importlib import import_module
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
        matching,
        object_groups,
        onmi,
        pair_table,
        pairs,
        sampling,
        text,
    )

__all__ = [
    "coding", "contingency", "ecs", "edges", "incidence", "information", "inverses", "matching",
    "object_groups", "onmi", "pair_table", "pairs", "sampling", "text",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name in __all__:
        return import_module(f"coverlap._kernels.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
