"""The decorator that compiles a kernel."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

from numba import njit

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
    cache = getattr(
        compiled, "_cache", None
    )  # None for a plain function, if the compiler is disabled
    if cache is None:
        return
    save = cache.save_overload

    def save_if_possible(*arguments: Any) -> None:
        with suppress(OSError):
            save(*arguments)

    cache.save_overload = save_if_possible
