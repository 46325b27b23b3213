"""How much memory, how many threads and which folder for temporary files a comparison may use."""

import re
from pathlib import Path
from typing import Any, NamedTuple

from coverlap.core.checks import check_integer
from coverlap.core.errors import OptionError
from coverlap.core.threads import MOST, number_of_cores
from coverlap.core.wording import shown
from coverlap.files.source import physical_memory

UNITS = {
    "": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
    "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40,
}  # fmt: skip

SHARE = 0.5
"""The share of the free memory that a comparison may use, unless the user sets a limit."""

LEAST = 256 * 10**6
"""The smallest limit of memory: Python, NumPy, Numba and DuckDB take about as much themselves."""

MOST_BYTES = 2**60
"""The largest limit of memory, more than any machine has; DuckDB rejects 2**64."""


class Limits(NamedTuple):
    """The memory in bytes, the number of threads, and the folder for temporary files.

    ``is_given`` tells whether the user chose the memory.
    """

    memory: int
    threads: int
    temp_dir: Path | None
    is_given: bool


def check_limits(memory_limit: Any, temp_dir: Any) -> None:
    """Raise an error for limits that cannot be meant."""
    if memory_limit is not None:
        _parse_bytes(memory_limit)
    if temp_dir is not None and not isinstance(temp_dir, str | Path):
        raise OptionError(f"temp_dir must be a folder, not {shown(temp_dir)}")
    if temp_dir is not None and not Path(temp_dir).is_dir():
        raise OptionError(f"temp_dir must be a folder, and {shown(str(temp_dir))} is none")


def limits_of(memory_limit: Any, temp_dir: Any, threads: int | None) -> Limits:
    """Return the limits of a comparison: what the user gave, and what is free."""
    memory = int(SHARE * free_memory()) if memory_limit is None else _parse_bytes(memory_limit)
    folder = None if temp_dir is None else Path(temp_dir)
    # DuckDB starts as many threads as it is told to, even a million.
    n_threads = min(threads or number_of_cores(), MOST)
    return Limits(memory, n_threads, folder, memory_limit is not None)


def _parse_bytes(memory_limit: Any) -> int:
    if isinstance(memory_limit, str):
        found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)\s*", memory_limit.lower())
        if not found or found[2] not in UNITS:
            raise OptionError(
                "memory_limit must be a number of bytes or text such as '2GB', not "
                f"{shown(memory_limit)}"
            )
        n_bytes = int(min(float(found[1]) * UNITS[found[2]], MOST_BYTES))
    else:
        check_integer("memory_limit", memory_limit, 1)
        n_bytes = min(int(memory_limit), MOST_BYTES)
    if n_bytes < LEAST:
        raise OptionError(
            f"memory_limit must be at least {LEAST // 10**6} MB, not {shown(memory_limit)}"
        )
    return n_bytes


def free_memory() -> int:
    """Return the number of bytes that this process can still allocate, as far as it is known."""
    found = [physical_memory()]
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        available = re.search(r"MemAvailable:\s+(\d+) kB", meminfo.read_text())
        found += [int(available[1]) * 1024] if available else []
    group = Path("/sys/fs/cgroup")
    try:  # the limit of a container
        most, used = ((group / f"memory.{name}").read_text() for name in ("max", "current"))
        found.append(int(most) - int(used))
    except (OSError, ValueError):
        pass
    return max(min(found), LEAST)


def written(n_bytes: float) -> str:
    """Return a number of bytes for people, such as '1.5 GB'."""
    if n_bytes >= 10**9:
        return f"{n_bytes / 10**9:.1f} GB"
    return f"{max(n_bytes / 10**6, 1):.0f} MB"
