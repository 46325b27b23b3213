"""The decorator that compiles a kernel, and short names that all kernels use."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[Any]

U: Any = np.uint64
"""Makes an index unsigned, so that the compiled code need not handle negative indices."""

I: Any = np.int64
"""Makes a number signed."""

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


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
    """Let a kernel run although it cannot be cached, where Numba would raise an OSError."""
    cache = getattr(compiled, "_cache", None)  # a plain function if the compiler is disabled
    if cache is None:
        return
    save = cache.save_overload

    def save_if_possible(*arguments: Any) -> None:
        with suppress(OSError):
            save(*arguments)

    cache.save_overload = save_if_possible
