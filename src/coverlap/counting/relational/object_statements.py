"""The SQL that counts objects: what each side knows, and what the rules leave."""

from coverlap.core.align import Rules
from coverlap.counting.relational.relations import NAMES, Relations


class ObjectStatements:
    """The queries about objects, which run unchanged on DuckDB and on Spark."""

    def __init__(self, relations: Relations, rules: Rules) -> None:
        self._relations = relations
        self._rules = rules

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
        keys, grouped = self._relations.keys(), self._relations.grouped_by_case
        return f"WITH {self._objects()}\nSELECT {keys}{sums}\nFROM objects{grouped}"

    def outside(self, side: int, limit: int) -> str:
        """Return the query of the first objects that must not be outside the universe."""
        return (
            f"WITH {self._objects()}\nSELECT object FROM objects WHERE {self._outside(side)} "
            f"ORDER BY object LIMIT {limit}"
        )

    def _objects(self) -> str:
        """Return what each object is in: the lowest and the highest cluster of either side.

        The lowest is null for an outlier, and the highest for an object that the side does not
        know; for outliers, that is 0.
        """
        relations, keys = self._relations, self._relations.keys()
        own = "cluster AS {0}_low, COALESCE(cluster, 0) AS {0}_top"
        none = "NULL AS {0}_low, NULL AS {0}_top"
        no_left, no_right = none.format("l"), none.format("r")
        found, not_given, given = "", "", ""
        if relations.given:
            found, not_given = ", MAX(given) AS given", ", NULL AS given"
            given = (
                f"\n  UNION ALL SELECT {keys}object, {no_left}, {no_right}, 1 AS given"
                f" FROM {relations.given} rows_of_universe"
            )
        return f"""objects AS (SELECT {keys}object, MIN(l_low) AS l_low, MAX(l_top) AS l_top,
    MIN(r_low) AS r_low, MAX(r_top) AS r_top{found} FROM (
  SELECT {keys}object, {own.format("l")}, {no_right}{not_given} FROM {relations.left} rows_of_left
  UNION ALL
  SELECT {keys}object, {no_left}, {own.format("r")}{not_given} FROM {relations.right} rows_of_right
  {given}) known GROUP BY {keys}object)"""

    def _universe(self) -> str:
        """Return the condition that an object is in the universe."""
        if self._relations.given:
            return "given = 1"
        conditions = {
            "intersection": "l_top IS NOT NULL AND r_top IS NOT NULL",
            "left": "l_top IS NOT NULL",
            "right": "r_top IS NOT NULL",
        }
        return conditions.get(self._rules.universe, "1 = 1")

    def _kept(self) -> str:
        """Return the condition that an object is in the universe and no dropped outlier."""
        conditions = {
            None: "1 = 1",
            "left": "l_low IS NOT NULL",
            "right": "r_low IS NOT NULL",
            "either": "l_low IS NOT NULL AND r_low IS NOT NULL",
            "both": "(l_low IS NOT NULL OR r_low IS NOT NULL)",
        }
        return f"{self._universe()} AND {conditions[self._rules.drop_outliers]}"

    def _outside(self, side: int) -> str:
        """Return the condition that an object of a side must not be there, see `locate_members`."""
        name = NAMES[side]
        if self._relations.given:
            return f"{name}_low IS NOT NULL AND given IS NULL"
        if isinstance(self._rules.universe, str):
            return "1 = 0"
        inside = f"object >= 0 AND object < {int(self._rules.universe)}"
        condition = f"NOT ({inside})" if self._relations.have_integers else "1 = 1"
        return f"{name}_top IS NOT NULL AND {condition}"
