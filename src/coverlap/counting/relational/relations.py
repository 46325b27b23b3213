"""The relations that the relational engine counts."""

from typing import NamedTuple

NAMES = ("l", "r")
"""What left and right are called in the text of statements."""


class Relations(NamedTuple):
    """The memberships of both sides, and the objects of a given universe if there is one.

    Each one is the name of a table or view, or a query in parentheses. The columns are ``object``
    (of any type that can be compared, never null; of one type everywhere) and ``cluster`` (an
    integer from 0 on in cluster order, null or negative for no cluster). Rows may be repeated.

    ``have_integers`` is whether the objects are integers. ``names`` is None, or the relation of
    each ``object``, which is a number then, with its ``name``; ``id_type`` is the type of DuckDB of
    which this is the text.
    """

    left: str
    right: str
    given: str | None = None
    have_integers: bool = True
    names: str | None = None
    id_type: str = "VARCHAR"

    @property
    def sides(self) -> tuple[str, str]:
        """Both relations of memberships."""
        return self.left, self.right

    def named(self, table: str) -> tuple[str, str]:
        """Return the name of an object of a table, and the join that it needs."""
        if self.names is None:
            return f"{table}.object", ""
        return "n.name", f"JOIN {self.names} n ON n.object = {table}.object"
