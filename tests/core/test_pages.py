"""Large arrays in pages of the usual size."""

import numpy as np
import pytest

from coverlap.core import pages


@pytest.mark.parametrize("n_bytes", [0, 8, pages.LARGE - 8, pages.LARGE, pages.LARGE + 8])
@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_arrays_are_zero_and_can_be_changed_whatever_their_size(n_bytes, dtype):
    array = pages.zeros(n_bytes // np.dtype(dtype).itemsize, dtype)
    assert (array.nbytes, array.dtype) == (n_bytes, dtype)
    assert not array.any()
    array += 1
    assert np.all(array == 1)


def test_too_little_memory_is_the_error_of_numpy():
    with pytest.raises(MemoryError):
        pages.zeros(2**59, np.float64)
