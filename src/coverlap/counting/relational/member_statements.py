"""The SQL that explains a comparison: shared and moved objects, by clusters and groups of them."""

from coverlap.core.align import Rules
from coverlap.counting.relational.cluster_statements import stages_of
from coverlap.counting.relational.relations import NAMES, Relations

CELL, MOVED, IN_LEFT, IN_RIGHT = range(4)
"""The kinds of the rows of `MemberStatements.moved`."""


class MemberStatements:
    """The queries about the members of clusters whose best matches are known.

    They run unchanged on DuckDB and on Spark. No rule leaves out an object that is in clusters of
    both sides, so only queries about other objects consider the rules.

    Parameters
    ----------
    relations : Relations
        Of one comparison.
    rules : Rules
    kept : pair of str
        For each side, the relation of the clusters that are compared: the ``code`` that a cluster
        has in the memberships, its position ``cluster`` among those compared, and the position of
        its ``partner``, -1 for none.
    """

    def __init__(self, relations: Relations, rules: Rules, kept: tuple[str, str]) -> None:
        self.have_integers = relations.have_integers
        self.id_type = relations.id_type
        self._relations = relations
        self._stages = stages_of(rules)
        self._kept = kept

    def cells(self) -> str:
        """Return the query of how many objects two clusters share, if any."""
        return f"{self._sides()}\n{self._cells('l', 'r')}"

    def ordered_cells(self, others: str) -> str:
        """Return the query of the same with more rows, the largest first.

        Positions are counted from 1 on, as those of the other rows are, where 0 is for outliers.
        """
        return f"""{self._sides()},
cells AS ({self._cells("l", "r")})
SELECT l_cluster, r_cluster, shared FROM (
  SELECT l_cluster + 1 AS l_cluster, r_cluster + 1 AS r_cluster, shared FROM cells
  UNION ALL SELECT l_cluster, r_cluster, shared FROM {others} others) every
ORDER BY shared DESC, l_cluster, r_cluster"""

    def common(self) -> str:
        """Return the query of how many members of each cluster are in clusters of the other side.

        The rows have a ``kind``, `IN_LEFT` or `IN_RIGHT`, the cluster, 0, and the number ``n``.
        """
        return f"{self._sides()}\n{self._common()}"

    def moved(self) -> str:
        """Return the query of the moved objects that two clusters share, and of more counts.

        The rows have a ``kind``. That of `CELL` has two clusters ``one`` and ``other`` that share
        ``n`` objects, both memberships of which are moved: the partner of the cluster lacks the
        object. That of `MOVED` counts the objects with a moved membership that are in clusters of
        both sides. The other rows are those of `common`.
        """
        return f"""{self._sides()},
{self._moved("l", "r")},
{self._moved("r", "l")},
cells AS ({self._cells("l_moved", "r_moved")}),
moved AS (SELECT object FROM l_moved UNION SELECT object FROM r_moved)
SELECT {CELL} AS kind, l_cluster AS one, r_cluster AS other, shared AS n FROM cells
UNION ALL
SELECT {MOVED} AS kind, 0 AS one, 0 AS other, COUNT(*) AS n FROM moved
WHERE object IN (SELECT object FROM l) AND object IN (SELECT object FROM r)
UNION ALL
{self._common()}"""

    def moved_objects(self) -> str:
        """Return the query of the clusters of the objects that moved, object by object."""
        name, join = self._relations.named("every")
        return f"""{self._sides(are_chosen=True)},
{self._moved("l", "r")},
{self._moved("r", "l")},
moved AS (SELECT object FROM l_moved UNION SELECT object FROM r_moved)
SELECT {name} AS object, side, cluster FROM (
  SELECT object, 0 AS side, cluster FROM l UNION ALL SELECT object, 1 AS side, cluster FROM r) every
{join}
WHERE every.object IN (SELECT object FROM moved)
ORDER BY {name}, side, cluster"""

    def unions(self, groups: tuple[str, str]) -> str:
        """Return the query of how many objects are in the clusters of each group.

        ``groups`` are, for each side, the relation of the ``code`` of a cluster and the number
        ``part`` of its group. The rows have a ``kind``: 0 and 1 for the objects of the left and of
        the right clusters, of which ``n_outside`` are in no cluster of the other side; 2 for the
        objects in both.
        """
        return f"""WITH {self._grouped(0, groups[0])},
{self._grouped(1, groups[1])}
SELECT 0 AS kind, part, COUNT(*) AS n, CAST(SUM(is_outside) AS BIGINT) AS n_outside
FROM l GROUP BY part
UNION ALL
SELECT 1 AS kind, part, COUNT(*) AS n, CAST(SUM(is_outside) AS BIGINT) AS n_outside
FROM r GROUP BY part
UNION ALL
SELECT 2 AS kind, l.part, COUNT(*) AS n, 0 AS n_outside
FROM l JOIN r ON l.object = r.object AND l.part = r.part GROUP BY l.part"""

    def _sides(self, *, are_chosen: bool = False) -> str:
        """Return the distinct memberships of both sides; only those that the rules leave if asked.

        No object is null; the condition is for Spark, as in `ClusterStatements`.
        """
        made = []
        for side, name in enumerate(NAMES):
            join, where = self._others(side, "m") if are_chosen else ("", "")
            made.append(
                f"{name} AS (SELECT DISTINCT m.object, k.cluster, k.partner\n"
                f"  FROM {self._relations.sides[side]} m\n"
                f"  JOIN {self._kept[side]} k ON m.cluster = k.code\n  {join}\n"
                f"  WHERE m.object IS NOT NULL{where})"
            )
        return "WITH " + ",\n".join(made)

    def _others(self, side: int, table: str, *, always: bool = False) -> tuple[str, str]:
        """Return the join with the objects of the other side, and the condition of the rules."""
        stages = self._stages[side]
        if not (always or stages.known or stages.clustered):
            return "", ""
        where = " AND o.object IS NOT NULL" if stages.known else ""
        where += " AND o.is_clustered = 1" if stages.clustered else ""
        return (
            "LEFT JOIN (SELECT object, MAX(CASE WHEN cluster >= 0 THEN 1 ELSE 0 END) "
            f"AS is_clustered\n    FROM {self._relations.sides[1 - side]} rows_of_side "
            f"GROUP BY object) o ON {table}.object = o.object"
        ), where

    def _cells(self, left: str, right: str) -> str:
        return (
            f"SELECT {left}.cluster AS l_cluster, {right}.cluster AS r_cluster, "
            f"COUNT(*) AS shared\n  FROM {left} JOIN {right} ON {left}.object = {right}.object\n"
            f"  GROUP BY {left}.cluster, {right}.cluster"
        )

    def _common(self) -> str:
        counted = (
            f"SELECT {kind} AS kind, cluster AS one, 0 AS other, COUNT(*) AS n FROM {own}\n"
            f"WHERE object IN (SELECT object FROM {other}) GROUP BY cluster"
            for kind, own, other in ((IN_LEFT, "l", "r"), (IN_RIGHT, "r", "l"))
        )
        return "\nUNION ALL\n".join(counted)

    def _moved(self, own: str, other: str) -> str:
        """Return the memberships of a side in clusters whose partner does not hold the object."""
        return (
            f"{own}_moved AS (SELECT {own}.object, {own}.cluster FROM {own}\n  LEFT JOIN {other} "
            f"ON {own}.object = {other}.object AND {own}.partner = {other}.cluster\n"
            f"  WHERE {other}.object IS NULL)"
        )

    def _grouped(self, side: int, groups: str) -> str:
        """Return the objects of each group on one side, and whether they are outliers elsewhere."""
        join, where = self._others(side, "m", always=True)
        return (
            f"{NAMES[side]} AS (SELECT DISTINCT m.object, g.part,\n"
            f"    1 - COALESCE(o.is_clustered, 0) AS is_outside\n"
            f"  FROM {self._relations.sides[side]} m JOIN {groups} g ON m.cluster = g.code\n"
            f"  {join}\n  WHERE m.object IS NOT NULL{where})"
        )
