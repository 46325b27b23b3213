"""Every measure equals its definition for any clusterings."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.measures.examples import by_labels, check
from tests.naive_measures import MEASURES
from tests.strategies import labels, pairs


@st.composite
def partitions(draw, max_objects=12):
    """Draw the number of objects and two partitions; often they are equal, or right is finer."""
    n = draw(st.integers(0, max_objects))
    one, other = ([abs(label) for label in draw(labels(n))] for _ in range(2))
    finer = [2 * label + draw(st.integers(0, 1)) for label in one]
    return n, by_labels(one), by_labels(draw(st.sampled_from([other, other, one, finer])))


@settings(derandomize=True, deadline=None, max_examples=80)
@given(
    example=st.one_of(pairs(), partitions()),
    outliers_as=st.sampled_from([None, "singletons", "cluster"]),
    drop_outliers=st.sampled_from([None, "left", "right", "either", "both"]),
    duplicates=st.sampled_from(["merge", "keep"]),
)
def test_scores_are_those_of_the_definitions_wherever_there_are_any(example, **options):
    for measure in MEASURES:
        check(*example, measure, **options)
