"""The relations that the relational engine counts."""

from typing import NamedTuple

CASE = "case_number"
"""The column that tells apart the independent comparisons that one query counts."""

NAMES = ("l", "r")
"""What left and right are called in the text of statements."""


class Relations(NamedTuple):
    """The memberships of both sides, and the objects of a given universe if there is one.

    Each one is the name of a table or view, or a query in parentheses. The columns are ``object``
    (of any type that can be compared, never null; of one type everywhere) and ``cluster`` (an
    integer from 0 on in cluster order, null for no cluster). Rows may be repeated.

    ``by_case`` is whether all of them have the column `CASE`, too: the memberships of many
    comparisons. ``have_integers`` is whether the objects are integers.
    """

    left: str
    right: str
    given: str | None = None
    by_case: bool = False
    have_integers: bool = True

    @property
    def sides(self) -> tuple[str, str]:
        """Both relations of memberships."""
        return self.left, self.right

    def keys(self, table: str = "") -> str:
        """Return the columns that every table has, as the beginning of a list of columns."""
        prefix = f"{table}." if table else ""
        return f"{prefix}{CASE}, " if self.by_case else ""

    def same(self, one: str, other: str) -> str:
        """Return the condition that rows belong to the same comparison, for the end of a join."""
        return f" AND {one}.{CASE} = {other}.{CASE}" if self.by_case else ""

    @property
    def grouped_by_case(self) -> str:
        """The end of a query that counts each comparison."""
        return f" GROUP BY {CASE}" if self.by_case else ""
