"""Aligning the objects of two clusterings."""

import pytest

import coverlap as cv


def test_objects_that_are_only_counted_are_aligned_without_writing_their_ids_out():
    """A billion ids would take eight gigabytes on each side."""
    one, other = (
        cv.Clustering.from_clusters([members], universe=10**9) for members in ({1, 2}, {2, 3})
    )
    assert cv.omega_score(one, other) < 0
    assert cv.compare(one, other).universe.n_objects == 10**9
    assert cv.pairwise([one, other], "omega").mean == cv.omega_score(one, other)


def test_too_many_objects_without_ids_beside_ids_are_an_error_and_not_a_lack_of_memory():
    wide = cv.Clustering.from_clusters([{1, 2}], universe=2 * 10**9)
    with pytest.raises(cv.UniverseError, match=r"2,000,000,000 objects, .* are too many for this"):
        cv.fstar_score(wide, {"a": 0, 1: 0})
