"""The SQL that counts objects: what each side knows, and what the rules leave."""

from typing import NamedTuple

from coverlap.core.align import Rules
from coverlap.counting.relational.relations import NAMES, Relations


class ObjectStatements(NamedTuple):
    """The queries about objects, which run unchanged on DuckDB and on Spark."""

    relations: Relations
    rules: Rules

    def objects(self) -> str:
        """Return the query of how many objects each side knows, and what the rules leave.

        ``n_only_left``, ``n_only_right`` and ``n_common`` count what the sides know before the
        rules. ``n_universe`` counts the objects of the universe, of those that are known;
        ``n_objects`` those that are left without dropped outliers, among which are ``n_left``,
        ``n_right`` and ``n_shared`` outliers, and ``n_left_several`` and ``n_right_several``
        objects in several clusters. ``n_left_outside`` and ``n_right_outside`` count what must not
        be outside the universe.
        """
        universe, kept = self._universe(), self._kept()
        counted = {
            "n_only_left": "l_top IS NOT NULL AND r_top IS NULL",
            "n_only_right": "l_top IS NULL AND r_top IS NOT NULL",
            "n_common": "l_top IS NOT NULL AND r_top IS NOT NULL",
            "n_universe": universe,
            "n_objects": kept,
            "n_left": f"{kept} AND l_low IS NULL",
            "n_right": f"{kept} AND r_low IS NULL",
            "n_shared": f"{kept} AND l_low IS NULL AND r_low IS NULL",
            "n_left_several": f"{kept} AND l_low < l_top",
            "n_right_several": f"{kept} AND r_low < r_top",
            "n_left_outside": self._outside(0),
            "n_right_outside": self._outside(1),
        }
        sums = ",\n  ".join(
            f"CAST(COALESCE(SUM(CASE WHEN {condition} THEN 1 ELSE 0 END), 0) AS BIGINT) AS {name}"
            for name, condition in counted.items()
        )
        return f"WITH {self._objects()}\nSELECT {sums}\nFROM objects"

    def outside(self, side: int, limit: int) -> str:
        """Return the query of the first objects that must not be outside the universe."""
        name, join = self.relations.named("found")
        return (
            f"WITH {self._objects()}\nSELECT {name} AS object "
            f"FROM (SELECT object FROM objects WHERE {self._outside(side)}) found {join}\n"
            f"ORDER BY {name} LIMIT {limit}"
        )

    def _objects(self) -> str:
        """Return what each object is in: the lowest and the highest cluster of either side.

        The lowest is null for an outlier, and the highest for an object that the side does not
        know; for outliers, that is 0.
        """
        relations = self.relations
        own = (
            "CASE WHEN cluster >= 0 THEN cluster END AS {0}_low, "
            "CASE WHEN cluster >= 0 THEN cluster ELSE 0 END AS {0}_top"
        )
        none = "NULL AS {0}_low, NULL AS {0}_top"
        no_left, no_right = none.format("l"), none.format("r")
        found, not_given, given = "", "", ""
        if relations.given:
            found, not_given = ", MAX(given) AS given", ", NULL AS given"
            given = (
                f"\n  UNION ALL SELECT object, {no_left}, {no_right}, 1 AS given"
                f" FROM {relations.given} rows_of_universe"
            )
        return f"""objects AS (SELECT object, MIN(l_low) AS l_low, MAX(l_top) AS l_top,
    MIN(r_low) AS r_low, MAX(r_top) AS r_top{found} FROM (
  SELECT object, {own.format("l")}, {no_right}{not_given} FROM {relations.left} rows_of_left
  UNION ALL
  SELECT object, {no_left}, {own.format("r")}{not_given} FROM {relations.right} rows_of_right
  {given}) known GROUP BY object)"""

    def _universe(self) -> str:
        """Return the condition that an object is in the universe."""
        if self.relations.given:
            return "given = 1"
        conditions = {
            "intersection": "l_top IS NOT NULL AND r_top IS NOT NULL",
            "left": "l_top IS NOT NULL",
            "right": "r_top IS NOT NULL",
        }
        return conditions.get(self.rules.universe, "1 = 1")

    def _kept(self) -> str:
        """Return the condition that an object is in the universe and no dropped outlier."""
        conditions = {
            None: "1 = 1",
            "left": "l_low IS NOT NULL",
            "right": "r_low IS NOT NULL",
            "either": "l_low IS NOT NULL AND r_low IS NOT NULL",
            "both": "(l_low IS NOT NULL OR r_low IS NOT NULL)",
        }
        return f"{self._universe()} AND {conditions[self.rules.drop_outliers]}"

    def _outside(self, side: int) -> str:
        """Return the condition that an object of a side must not be there, see `locate_members`."""
        name = NAMES[side]
        if self.relations.given:
            return f"{name}_low IS NOT NULL AND given IS NULL"
        if isinstance(self.rules.universe, str):
            return "1 = 0"
        number = "TRY_CAST(object AS BIGINT)"  # wide integers are written as text
        inside = f"COALESCE({number} >= 0 AND {number} < {int(self.rules.universe)}, 1 = 0)"
        condition = f"NOT {inside}" if self.relations.have_integers else "1 = 1"
        return f"{name}_top IS NOT NULL AND {condition}"
