"""Hypothesis strategies for small clusterings with all special cases."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

Sets = list[frozenset[int]]


def _clusters(objects: list[int]) -> SearchStrategy[frozenset[int]]:
    """Draw non-empty subsets of `objects`; single objects and all objects are more likely."""
    return st.one_of(
        st.frozensets(st.sampled_from(objects), min_size=1),
        st.frozensets(st.sampled_from(objects), min_size=1, max_size=1),
        st.just(frozenset(objects)),
    )


@st.composite
def clusterings(draw: DrawFn, n: int, max_clusters: int = 6) -> Sets:
    """Draw clusters of ``range(n)`` with overlaps, outliers, and repeated and empty clusters.

    Half of the time clusters are drawn from some of the objects, since random subsets of all
    objects would almost always leave no outliers.
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
    """Draw (n, left, right) of ``range(n)``; the two sides often have clusters in common."""
    n = draw(st.integers(0, max_objects))
    left = draw(clusterings(n))
    right = draw(clusterings(n))
    related = draw(st.booleans())
    if left and related:
        right = right + draw(st.lists(st.sampled_from(left), max_size=len(left)))
    return n, left, right


def labels(n: int) -> SearchStrategy[list[int]]:
    """Draw one label per object; negative labels are outliers, and labels may have gaps."""
    return st.lists(st.integers(-3, max(n // 2, 2)), min_size=n, max_size=n)
