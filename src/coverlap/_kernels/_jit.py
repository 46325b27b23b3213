"""The one decorator that compiles a kernel."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

from numba import njit

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compile a plain loop without the GIL, and keep the result on disk where that is possible."""
    try:
        compiled: Any = njit(nogil=True, error_model="numpy", cache=True)(function)
    except RuntimeError:
        # Numba refuses to cache when neither the package nor the user's cache folder is writable.
        compiled = njit(nogil=True, error_model="numpy")(function)
    else:
        _forgive_full_disks(compiled)
    return cast(Kernel, compiled)


def _forgive_full_disks(compiled: Any) -> None:
    """Let a kernel run that cannot be written to the cache, where Numba would raise an OSError."""
    cache = getattr(compiled, "_cache", None)  # a plain function where the compiler is off
    if cache is None:
        return
    save = cache.save_overload

    def save_if_possible(*arguments: Any) -> None:
        with suppress(OSError):
            save(*arguments)

    cache.save_overload = save_if_possible
