"""Few inputs of the comparison with other libraries, and how it counts."""

from itertools import islice

import pytest

import coverlap as cv
from tests.peers.__main__ import PEERS
from tests.peers.comparison import REFUSES, Difference, Function, Peer, Tally, compare
from tests.peers.covers import FIGURES, bcubed_precision
from tests.peers.recording import run_peer

INSTALLED = (
    "scikit-learn", "igraph", "clusim", "NetworKit", pytest.param("cdlib", marks=pytest.mark.slow),
)  # fmt: skip


@pytest.mark.parametrize("name", INSTALLED)
def test_every_difference_from_a_library_is_explained(name):
    peer = PEERS[name](10)
    few = Peer(name, peer.functions, inputs=islice(reversed(list(peer.inputs)), 0, None, 6))
    for tally in run_peer(few).values():
        assert tally.n_calls >= 5
        assert tally.equal
        assert tally.unexplained == []


class Home:
    """A module of a library with one function, which has an example."""

    @staticmethod
    def rand(left, right):
        """Return the Rand index.

        >>> Home.rand([0, 0, 1], [0, 1, 1])
        0.3333333333333333
        >>> Home.rand([0], [0, 1])
        Traceback (most recent call last):
        ValueError: lengths
        """
        if len(left) != len(right):
            raise ValueError("lengths")
        return 0.5 if not left else cv.score(left, right, "rand")


def counted(*differences):
    function = Function(
        "rand", Home.rand, lambda left, right: cv.score(left, right, "rand"), differences
    )
    inputs = [("ours", ([], [])), ("ours", ([0, 1], [1, 1])), ("ours", ([0], [0, 1]))]
    peer = Peer("a library", [function], inputs=inputs, homes=(Home,), examples=True)
    before = Home.rand
    tally = run_peer(peer)["rand"]
    assert Home.rand is before
    return tally


def test_calls_are_counted_as_equal_refused_or_unexplained():
    tally = counted()
    assert tally.sources == {"ours": 3, "its examples": 2}
    assert (tally.equal, tally.both_refuse, tally.differ.total()) == (2, 2, 0)
    assert tally.unexplained == ["rand([], []): 0.5, coverlap: 1.0"]


def test_a_difference_explains_only_the_value_that_it_predicts():
    def of_nothing(value):
        return Difference("no objects", lambda left, _: None if left else value)

    assert counted(of_nothing(0.5)).differ == {"no objects": 1}
    for value in (0.4, REFUSES):
        assert len(counted(of_nothing(value)).unexplained) == 1


def test_other_exceptions_of_coverlap_are_never_explained():
    def fails(_):
        raise KeyError("x")

    tally = Tally()
    compare(Function("f", len, fails), "ours", REFUSES, ([],), {}, tally)
    assert tally.unexplained == ["f([]): refuses, coverlap: fails with KeyError('x')"]


@pytest.mark.parametrize(("figure", "precision"), [(16, 1.0), (17, 0.862), (18, 0.810)])
def test_repeated_clusters_have_the_published_extended_b_cubed_precision(figure, precision):
    found = bcubed_precision(7, FIGURES[16], FIGURES[figure])
    assert found == pytest.approx(precision, abs=5e-4)
