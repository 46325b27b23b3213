"""The one decorator that compiles a kernel."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compile a plain loop without the GIL, and keep the result on disk where that is possible."""
    try:
        return cast(Kernel, njit(nogil=True, error_model="numpy", cache=True)(function))
    except RuntimeError:
        # Numba refuses to cache when neither the package nor the user's cache folder is writable.
        return cast(Kernel, njit(nogil=True, error_model="numpy")(function))
