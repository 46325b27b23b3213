"""The decorator that compiles a kernel, and short names that all kernels use."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numba.core.compiler_lock import global_compiler_lock
from numpy.typing import NDArray

from coverlap._kernels import FORK_LOCKS

Array = NDArray[Any]

U: Any = np.uint64
"""Makes an index unsigned, so that the compiled code need not handle negative indices."""

I: Any = np.int64
"""Makes a number signed."""

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

FORK_LOCKS.append(global_compiler_lock)


def kernel(function: Kernel) -> Kernel:
    """Compile a function without the GIL, and cache the result on disk if possible."""
    try:
        compiled: Any = njit(nogil=True, error_model="numpy", cache=True)(function)
    except RuntimeError:
        # Numba cannot cache if neither the package nor the user's cache folder is writable.
        compiled = njit(nogil=True, error_model="numpy")(function)
    else:
        _ignore_cache_errors(compiled)
    return cast(Kernel, compiled)


def _ignore_cache_errors(compiled: Any) -> None:
    """Let a kernel run although its cache cannot be read or written, where Numba raises an error.

    A damaged cache is emptied.
    """
    cache = getattr(compiled, "_cache", None)  # a plain function if the compiler is disabled
    if cache is None:
        return
    load, save = cache.load_overload, cache.save_overload

    def load_if_possible(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:  # noqa: BLE001 - a damaged pickle may raise anything
            with suppress(Exception):
                cache.flush()
            return None

    def save_if_possible(*arguments: Any) -> None:
        with suppress(Exception):
            save(*arguments)

    cache.load_overload, cache.save_overload = load_if_possible, save_if_possible
