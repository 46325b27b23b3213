"""Large arrays in memory pages of the usual size."""

import sys
from mmap import ACCESS_COPY, mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGE = 1 << 26
"""From this number of bytes on, no huge pages are used.

Below, those of earlier arrays are often at hand, and calls are up to a fifth faster with them.
"""


def zeros(length: int, dtype: Any) -> NDArray[Any]:
    """Return zeros, in pages of the usual size if there are many, where NumPy asks for huge ones.

    A virtual machine that returns unused memory to its host has no huge pages at hand, and to get
    one takes it tens of milliseconds: on such a machine, 10^8 memberships are compared in 12 s
    without and 20 s with them. Elsewhere, huge pages save about 5 %.
    """
    n_bytes = length * np.dtype(dtype).itemsize
    if n_bytes >= LARGE and sys.platform == "linux":
        try:
            return np.frombuffer(mmap(-1, n_bytes, access=ACCESS_COPY), dtype)
        except OSError:  # NumPy raises the error that callers expect, if there is too little memory
            pass
    return np.zeros(length, dtype)
