"""Where random numbers come from."""

from operator import index
from typing import Any

import numpy as np

from coverlap.core.errors import OptionError
from coverlap.core.wording import shown


def generator_of(seed: Any) -> np.random.Generator:
    """Return a generator for a seed: an integer, a generator (it is used up) or None for any."""
    if isinstance(seed, np.random.Generator):
        return seed
    if seed is None:
        return np.random.default_rng()
    try:
        number = -1 if isinstance(seed, bool) else index(seed)
    except TypeError:
        number = -1
    if number < 0:
        raise OptionError(
            "seed must be an integer of at least 0, a numpy.random.Generator or None, "
            f"not {shown(seed)}"
        )
    return np.random.default_rng(number)
