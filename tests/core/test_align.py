"""Aligning the objects of two clusterings."""

import coverlap as cv


def test_objects_that_are_only_counted_are_aligned_without_writing_their_ids_out():
    """A billion ids would take eight gigabytes on each side."""
    one, other = (
        cv.Clustering.from_clusters([members], universe=10**9) for members in ({1, 2}, {2, 3})
    )
    assert cv.omega_score(one, other) < 0
    assert cv.compare(one, other).universe.n_objects == 10**9
    assert cv.pairwise([one, other], "omega").mean == cv.omega_score(one, other)
