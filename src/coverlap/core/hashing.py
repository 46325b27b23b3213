"""The secret key of the hash tables, so that nobody can choose ids that all hash alike."""

import os

import numpy as np

KEY = np.frombuffer(os.urandom(24), np.uint64) | np.uint64(1)
"""Three odd numbers, drawn in each process: a start and two factors. No result depends on them."""

KEY.flags.writeable = False
