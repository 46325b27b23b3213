"""Compiled loops over arrays, without checks of their arguments.

Every module here is imported on first use, so that ``import coverlap`` does not import Numba.
A kernel and the compiled helpers it calls share one file, because Numba's cache does not
notice changes in other files. Inputs are passed as read-only arrays, so that each kernel is
compiled only once and not again for writable arrays.
"""

import os
from importlib import import_module
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coverlap._kernels import (
        assignment,
        chance,
        coding,
        contingency,
        ecs,
        edges,
        incidence,
        information,
        inverses,
        matching,
        moves,
        object_groups,
        onmi,
        pairs,
        sampling,
        text,
        utf8,
        weighted,
        writing,
    )

__all__ = [
    "assignment", "chance", "coding", "contingency", "ecs", "edges", "incidence",
    "information", "inverses", "matching", "moves", "object_groups", "onmi", "pairs", "sampling",
    "text", "utf8", "weighted", "writing",
]  # fmt: skip

FORK_LOCKS: list[Any] = [RLock()]
"""Locks that a fork waits for, in this order.

If another thread held one of them, the child would wait for that thread forever. The first one is
for imports.
"""


def _acquire() -> None:
    for lock in FORK_LOCKS:
        lock.acquire()


def _release() -> None:
    for lock in reversed(FORK_LOCKS):
        lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_acquire, after_in_parent=_release, after_in_child=_release)


def load(name: str) -> ModuleType:
    """Import a module of coverlap; a fork waits until it is imported."""
    with FORK_LOCKS[0]:
        return import_module(f"coverlap.{name}")


def __getattr__(name: str) -> object:
    if name in __all__:
        return load(f"_kernels.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
