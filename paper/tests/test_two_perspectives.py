"""The table of the documentation of graphs shows what it claims."""

import pytest

from paper.experiments.two_perspectives import score_resolutions


@pytest.mark.slow
def test_at_high_noise_vertices_and_edges_rank_resolutions_in_opposite_order():
    calm = {row.resolution: row for row in score_resolutions(0.2, n_graphs=4)}
    for side in ("vertices", "edges"):
        assert max(calm, key=lambda r: getattr(calm[r], side)) == 1.0
        assert getattr(calm[1.0], side) > 0.97
    noisy = {row.resolution: row for row in score_resolutions(0.8, n_graphs=4)}
    assert sorted(noisy, key=lambda r: noisy[r].vertices) == [3.75, 1.0, 0.5]
    assert sorted(noisy, key=lambda r: noisy[r].edges) == [0.5, 1.0, 3.75]
