"""Pairs of clusterings with overlaps, outliers and objects that nobody mentions."""

from typing import NamedTuple

from hypothesis import strategies as st

import coverlap as cv
from coverlap.pictures.order import order_clusters
from coverlap.results.pictures import cluster_losses_of
from tests import naive, naive_pictures
from tests.naive_changes import Options
from tests.strategies import clusterings, labels


def sides(n, most=8):
    """Draw distinct clusters of range(n), which may overlap, or disjoint ones."""
    disjoint = labels(n).map(
        lambda drawn: [{i for i in range(n) if drawn[i] == label} for label in range(n)]
    )
    return st.one_of(clusterings(n, most), disjoint).map(naive.normalise)


class Case(NamedTuple):
    """Two clusterings of range(n), of which only the first objects are mentioned, and options."""

    left: list
    right: list
    n: int
    n_objects: int
    options: Options = Options()

    @property
    def universe(self):
        return frozenset(range(self.n_objects))

    def compare(self):
        return compare(self.left, self.right, self.n, self.n_objects, self.options)

    def losses(self):
        return naive_pictures.losses(self.left, self.right, self.universe, self.options)


@st.composite
def cases(draw, most=8):
    n = draw(st.one_of(st.integers(0, 12), st.just(25)))
    left, right = draw(sides(n, most)), draw(sides(n, most))
    if left and draw(st.booleans()):  # similar to the left side, and in another order
        some = st.frozensets(st.integers(0, n - 1), max_size=2)
        right = naive.normalise(own ^ draw(some) for own in draw(st.permutations(left)))
    options = st.builds(
        Options, st.booleans(), st.fractions(0, 1, max_denominator=4),
        st.sampled_from([*naive.SIMILARITIES]), st.sampled_from(("size", "equal")),
    )  # fmt: skip
    return Case(left, right, n, n + draw(st.sampled_from((0, 1, 30))), draw(options))


def clustering(clusters, n):
    return cv.Clustering.from_clusters(dict(enumerate(clusters)), universe=n)


def compare(left, right, n, n_objects=None, options=None):
    outliers, balance, similarity, average = options or Options()
    result = cv.compare(
        clustering(left, n), clustering(right, n), outliers=outliers, balance=float(balance),
        similarity=similarity, average=average, n_objects=n_objects,
    )  # fmt: skip
    # The oracles know clusters by their position.
    assert result.cluster_names == (list(range(len(left))), list(range(len(right))))
    return result


def order_of(result):
    difference = result.difference
    return order_clusters(difference.by_jaccard, difference.contingency, *cluster_losses_of(result))
