"""Time calls, print tables of times, and run the sections of a benchmark.

Every benchmark takes names of sections (all of them by default) and ``--tiny``, which makes all
data small and runs every call once or twice: it shows that the benchmark runs, not how fast.
"""

import argparse
import importlib
import math
import time
import tracemalloc
from collections.abc import Callable, Mapping
from typing import Any
from unittest.mock import patch

from data import TINY
from rich.console import Console
from rich.table import Table

console = Console()
if not console.is_terminal:
    console.width = 130

UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}


def once(call: Callable[[], object]) -> float:
    """Return the seconds that one call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def best(call: Callable[[], object], runs: int = 5) -> float:
    """Return the seconds of the fastest of several calls, after one that does not count."""
    call()
    return min(once(call) for _ in range(1 if TINY else runs))


def best_of_many(call: Callable[[], object], runs: int = 7, calls: int = 1000) -> float:
    """Return the seconds of one call, timed in loops because it takes only microseconds."""
    calls = 10 if TINY else calls

    def loop() -> None:
        for _ in range(calls):
            call()

    return best(loop, runs) / calls


def peak_memory(call: Callable[[], object]) -> int:
    """Return the bytes that Python and NumPy allocate at the peak of one call."""
    with patch("coverlap.core.pages.LARGE", math.inf):  # then all arrays are those of NumPy
        tracemalloc.start()
        call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak


def optional(module: str) -> Any | None:
    """Import and return a module, or say that it is left out and return None."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        console.print(f"{module} cannot be imported and is left out: {error}")
        return None


def report(
    title: str,
    name: str,
    ours: float,
    others: Mapping[str, float] | None = None,
    unit: str = "ms",
) -> None:
    """Print our time, and the times of others with their ratio to ours."""
    table = Table(title=title, title_justify="left")
    for column in ("", unit, "times ours"):
        table.add_column(column, justify="right" if column else "left")
    for label, seconds in {name: ours, **(others or {})}.items():
        table.add_row(label, f"{seconds / UNITS[unit]:,.2f}", f"{seconds / ours:,.2f}")
    console.print(table)


def run(*sections: Callable[[], None]) -> None:
    """Run the sections that the command line names, or all of them."""
    known = {section.__name__: section for section in sections}
    parser = argparse.ArgumentParser()
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(known))
    parser.add_argument("--tiny", action="store_true", help="small data, to see that it runs")
    names = parser.parse_args().sections or list(known)
    if unknown := set(names) - set(known):
        parser.error(f"unknown section {min(unknown)!r}; known are {', '.join(known)}")
    for name in names:
        known[name]()
