"""Hypothesis strategies for clusterings that are small and awkward in every way we allow."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

Sets = list[frozenset[int]]


def _clusters(objects: list[int]) -> SearchStrategy[frozenset[int]]:
    """Non-empty subsets of `objects`; single objects and all of them come up more often."""
    return st.one_of(
        st.frozensets(st.sampled_from(objects), min_size=1),
        st.frozensets(st.sampled_from(objects), min_size=1, max_size=1),
        st.just(frozenset(objects)),
    )


@st.composite
def clusterings(draw: DrawFn, n: int, max_clusters: int = 6) -> Sets:
    """Clusters over ``range(n)``: overlaps, outliers, singletons, repeats and empties are likely.

    Half of the time clusters are drawn from a part of the objects, since a few random subsets of
    all of them would nearly always leave no outlier.
    """
    clusters: Sets = []
    if n:
        everything = list(range(n))
        part = st.lists(st.sampled_from(everything), min_size=(n + 1) // 2, unique=True)
        covered = draw(st.one_of(st.just(everything), part))
        size = draw(st.integers(0, max_clusters))
        clusters = draw(st.lists(_clusters(covered), min_size=size, max_size=size))
    if clusters:
        clusters += draw(st.lists(st.sampled_from(clusters), max_size=2))
    clusters += draw(st.lists(st.just(frozenset[int]()), max_size=2))
    return draw(st.permutations(clusters))


@st.composite
def pairs(draw: DrawFn, max_objects: int = 12) -> tuple[int, Sets, Sets]:
    """(n, left, right) over ``range(n)``; the two sides often have clusters in common."""
    n = draw(st.integers(0, max_objects))
    left = draw(clusterings(n))
    right = draw(clusterings(n))
    related = draw(st.booleans())
    if left and related:
        right = right + draw(st.lists(st.sampled_from(left), max_size=len(left)))
    return n, left, right


def labels(n: int) -> SearchStrategy[list[int]]:
    """One label per object; negative labels mean outliers, and labels may have gaps."""
    return st.lists(st.integers(-3, max(n // 2, 2)), min_size=n, max_size=n)
