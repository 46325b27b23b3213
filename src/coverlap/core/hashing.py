"""The secret key of the hash tables, so that nobody can choose ids that all hash alike."""

import os

import numpy as np

KEY = np.frombuffer(os.urandom(24), np.uint64) | np.uint64(1)
"""Three odd numbers, drawn in each process: a start and two factors. No result depends on them."""

KEY.flags.writeable = False


def slot_shift(n_slots: int) -> int:
    """Return by how many bits to shift a hash to get one of ``n_slots``, a power of two.

    The slot is in the first bits, since the last bits of a product are hashed badly.
    """
    return 65 - n_slots.bit_length()
