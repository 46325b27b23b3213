"""The decorators of kernels, and short names that all kernels use.

To import Numba and to prepare its first call takes longer than everything else that a small
comparison does. So a kernel runs as plain Python if its arguments are small and such runs have not
taken `PLAIN_SECONDS` in all. At the first other call Numba is imported, and compiled functions
replace the kernels in their modules. Both ways give the same bits.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial, wraps
from itertools import groupby
from math import inf
from time import perf_counter
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from coverlap._kernels import FORK_LOCKS

Array = NDArray[Any]

U: Any = np.uint64
"""Makes an index unsigned, so that the compiled code need not handle negative indices."""

I: Any = np.int64
"""Makes a number signed."""

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

PLAIN_WORK = 1 << 15
"""Number of steps up to which a kernel may run as plain Python: 1 to 8 µs each."""

PLAIN_SECONDS = 0.2
"""Time that the kernels of a process may run as plain Python; to prepare Numba takes 0.5 s."""


class _Process:
    """How the kernels of this process run.

    ``waiting`` lists those to compile when Numba is imported. Until then, ``plain`` has the globals
    of each module in which kernels run, and call each other, as plain Python, and ``seconds`` is
    the time that this has taken.
    """

    def __init__(self) -> None:
        self.compiles = False
        self.seconds = 0.0
        self.waiting: list[FunctionType] = []
        self.plain: dict[str, dict[str, Any]] = {}


_process = _Process()


def _size(*arguments: Any) -> int:
    return sum(value.size for value in arguments if isinstance(value, np.ndarray))


def kernel(function: Kernel, work: Callable[..., float] = _size) -> Kernel:
    """Compile a function, but not before Numba pays; see the top of this module.

    ``work`` returns an upper bound of the steps of a call, up to a small factor, given its
    arguments. By default it is the size of the arrays, without those inside a tuple.
    """
    if _process.compiles:
        return compiled(function)
    body = cast(FunctionType, function)
    _process.waiting.append(body)

    @wraps(function)
    def run(*arguments: Any) -> Any:
        if not _process.compiles:
            is_quick = _process.seconds < PLAIN_SECONDS and work(*arguments) <= PLAIN_WORK
            if is_quick or not _compile_all():
                return _run_plain(body, arguments)
        return body.__globals__[body.__name__](*arguments)

    return cast(Kernel, run)


heavy_kernel = partial(kernel, work=lambda *_: inf)
"""Compile a function before its first call, because arrays do not tell how long it takes."""


def _run_plain(function: FunctionType, arguments: tuple[Any, ...]) -> Any:
    """Run a kernel as plain Python, and add the time that it takes."""
    start = perf_counter()
    with np.errstate(all="ignore"):
        result = _plain_globals(function)[function.__name__](*arguments)
    _process.seconds += perf_counter() - start
    return _unboxed(result)


def _plain_globals(function: FunctionType) -> dict[str, Any]:
    """Return the globals of the module of a kernel, but with plain functions as kernels."""
    scope = _process.plain.get(function.__module__)
    if scope is None:
        scope = dict(function.__globals__)
        for other in list(_process.waiting):
            if other.__globals__ is function.__globals__:
                scope[other.__name__] = FunctionType(other.__code__, scope)
        _process.plain[function.__module__] = scope
    return scope


def _unboxed(value: Any) -> Any:
    """Return Python numbers for NumPy's, as compiled functions do."""
    if isinstance(value, tuple):
        return tuple(map(_unboxed, value))
    return value.item() if isinstance(value, np.generic) else value


def _compile_all() -> bool:
    """Import Numba, and replace the kernels of all modules; those of one module at once.

    Return whether this was possible: users can disable the compiler.
    """
    with FORK_LOCKS[0]:
        if _process.compiles:
            return True
        from numba.core import config
        from numba.core.compiler_lock import global_compiler_lock

        if vars(config)["DISABLE_JIT"]:
            return False
        FORK_LOCKS.append(global_compiler_lock)
        for _, functions in groupby(_process.waiting, key=lambda one: one.__module__):
            group = list(functions)
            group[0].__globals__.update({one.__name__: compiled(one) for one in group})
        _process.compiles = True
        return True


def compiled(function: Kernel) -> Kernel:
    """Compile a function without the GIL, and cache the result on disk if possible."""
    from numba import njit

    try:
        made: Any = njit(nogil=True, error_model="numpy", cache=True)(function)
    except RuntimeError:
        # Numba cannot cache if neither the package nor the user's cache folder is writable.
        made = njit(nogil=True, error_model="numpy")(function)
    else:
        _ignore_cache_errors(made)
    return cast(Kernel, made)


def _ignore_cache_errors(made: Any) -> None:
    """Let a kernel run although its cache cannot be read or written, where Numba raises an error.

    A damaged cache is emptied.
    """
    cache = made._cache  # noqa: SLF001 - Numba has no public way
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
