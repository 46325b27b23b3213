"""Random number generators from seeds."""

from operator import index
from typing import Any

import numpy as np

from coverlap.core.errors import OptionError
from coverlap.core.wording import shown


def generator_of(seed: Any) -> np.random.Generator:
    """Return the generator of a seed: an integer, a generator (returned as it is) or None."""
    if seed is None or isinstance(seed, np.random.Generator):
        return np.random.default_rng(seed)
    try:
        number = -1 if isinstance(seed, bool) else index(seed)
    except TypeError:
        number = -1
    if number < 0:
        allowed = "an integer of at least 0, a numpy.random.Generator or None"
        raise OptionError(f"seed must be {allowed}, not {shown(seed)}")
    return np.random.default_rng(number)
