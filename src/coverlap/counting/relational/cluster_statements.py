"""The SQL that counts clusters: their sizes, their best matches, and which are equal."""

from typing import NamedTuple

from coverlap.core.align import Rules
from coverlap.counting.matching import SimilarityFormula
from coverlap.counting.relational.relations import NAMES, Relations


class Stages(NamedTuple):
    """Which members the clusters of a side have after each step of the rules.

    At first they have all members. ``known`` is whether the rule of the universe then leaves those
    that the other side knows, ``clustered`` whether the rule of outliers leaves those that are in
    some cluster of the other side.
    """

    known: bool
    clustered: bool

    def flags(self, other: "Stages") -> list[str]:
        """Return for each stage of either side the expression of whether a member is left."""
        flags = ["1"]
        if self.known or other.known:
            flags.append("CASE WHEN o.object IS NULL THEN 0 ELSE 1 END" if self.known else "1")
        if self.clustered or other.clustered:
            flags.append("COALESCE(o.is_clustered, 0)" if self.clustered else flags[-1])
        return flags


def stages_of(rules: Rules) -> tuple[Stages, Stages]:
    """Return what the rules leave of the clusters of left and of right.

    Objects that are in clusters of both sides are left by every rule. So no rule changes how many
    objects two clusters share, but only the sizes of clusters.
    """
    universe = rules.universe if isinstance(rules.universe, str) else ""
    return (
        Stages(universe in ("intersection", "right"), rules.drop_outliers in ("right", "either")),
        Stages(universe in ("intersection", "left"), rules.drop_outliers in ("left", "either")),
    )


class ClusterStatements:
    """The queries about clusters: sizes, best matches, which are equal.

    They run unchanged on DuckDB and on Spark, but for the hash. ``named_struct`` is a function of
    Spark, which `DuckDBRunner` defines for DuckDB.

    Parameters
    ----------
    relations : Relations
    rules : Rules
    hash_of : str
        The SQL of a hash as an integer of 64 bits, with ``{}`` for what is hashed.
    few_clusters : bool
        Whether each machine of Spark can hold all clusters. It is then told, by a comment in the
        SQL, to send them to the pairs of clusters, so that pairs are shuffled only once.
    """

    def __init__(
        self, relations: Relations, rules: Rules, hash_of: str, *, few_clusters: bool
    ) -> None:
        self._relations = relations
        self._hash_of = hash_of
        self._stages = stages_of(rules)
        self._hint = "/*+ BROADCAST(ls, rs) */ " if few_clusters else ""

    @property
    def n_stages(self) -> int:
        """The number of stages whose sizes `matches` returns, the last one being the result."""
        return len(self._stages[0].flags(self._stages[1]))

    def matches(self, form: SimilarityFormula) -> str:
        """Return the query of all clusters with their best matches.

        It has a row for each cluster of each ``side`` (0: left, 1: right): its number ``cluster``,
        at each stage i its size ``size_i`` and fingerprint ``fingerprint_i``, and the number
        ``partner`` of its best match (null for none) with the number of ``shared`` objects.
        """
        similarities = {"l": self._similarity(form, "ls", "rs")}
        if not form.symmetric:
            similarities["r"] = self._similarity(form, "rs", "ls")
        compared = ", ".join(f"{sql} AS {name}_similarity" for name, sql in similarities.items())
        return f"""WITH {self._memberships(0)},
{self._memberships(1)},
{self._sizes(0)},
{self._sizes(1)},
pairs AS (SELECT l.cluster AS l_cluster, r.cluster AS r_cluster, COUNT(*) AS shared
  FROM l JOIN r ON l.object = r.object
  GROUP BY l.cluster, r.cluster),
compared AS (SELECT {self._hint}p.l_cluster, p.r_cluster, p.shared,
    {compared}
  FROM pairs p
  JOIN l_sizes ls ON p.l_cluster = ls.cluster
  JOIN r_sizes rs ON p.r_cluster = rs.cluster),
{self._best("l", "r", "l_similarity")},
{self._best("r", "l", "l_similarity" if form.symmetric else "r_similarity")}
{self._result(0)}
UNION ALL
{self._result(1)}"""

    def equal(self, side: int, stage: int, candidates: str) -> str:
        """Return the query of how many objects each candidate shares with another cluster.

        ``candidates`` is a relation of clusters of one side, and of the ``leader`` that each of
        them may be equal to. The query has a row for each candidate that shares some object.
        """
        name, flagged = NAMES[side], self._flagged(side)
        return f"""WITH {self._memberships(side)},
flagged AS ({flagged}),
members AS (SELECT * FROM flagged {name} WHERE stage_{stage} = 1)
SELECT c.cluster, COUNT(*) AS shared FROM {candidates} c
JOIN members a ON a.cluster = c.cluster
JOIN members b ON b.cluster = c.leader AND b.object = a.object
GROUP BY c.cluster"""

    def several(self, side: int, left_out: str) -> str:
        """Return the query of how many objects are in several clusters, some being left out."""
        return f"""WITH {self._memberships(side)},
flagged AS ({self._flagged(side)}),
several AS (SELECT m.object FROM flagged m
  LEFT JOIN {left_out} d ON d.cluster = m.cluster
  WHERE d.cluster IS NULL AND m.stage_{self.n_stages - 1} = 1
  GROUP BY m.object HAVING MIN(m.cluster) < MAX(m.cluster))
SELECT COUNT(*) AS n FROM several"""

    def _memberships(self, side: int) -> str:
        """Return the distinct memberships of a side.

        No object is null. The condition lets Spark see that a join, where it would add it, and the
        sizes are of the same rows, which it then makes and shuffles only once.
        """
        return (
            f"{NAMES[side]} AS (SELECT DISTINCT object, cluster\n"
            f"  FROM {self._relations.sides[side]} rows_of_side\n"
            f"  WHERE object IS NOT NULL AND cluster >= 0)"
        )

    def _flagged(self, side: int) -> str:
        """Return the query of memberships with the flags of their stages."""
        name = NAMES[side]
        own, other = self._stages[side], self._stages[1 - side]
        flags = "".join(f", {flag} AS stage_{i}" for i, flag in enumerate(own.flags(other)))
        selected = f"SELECT {name}.object, {name}.cluster{flags} FROM {name}"
        if not (own.known or own.clustered):
            return selected
        return f"""{selected}
  LEFT JOIN (SELECT object, MAX(CASE WHEN cluster >= 0 THEN 1 ELSE 0 END) AS is_clustered
    FROM {self._relations.sides[1 - side]} rows_of_side GROUP BY object) o
  ON {name}.object = o.object"""

    def _sizes(self, side: int) -> str:
        columns = "".join(
            f",\n  CAST(SUM(stage_{i}) AS BIGINT) AS size_{i},"
            f" BIT_XOR(CASE WHEN stage_{i} = 1 THEN {self._hash_of.format('object')} END)"
            f" AS fingerprint_{i}"
            for i in range(self.n_stages)
        )
        return (
            f"{NAMES[side]}_sizes AS (SELECT cluster{columns}\n"
            f"  FROM ({self._flagged(side)}) flagged GROUP BY cluster)"
        )

    def _similarity(self, form: SimilarityFormula, own: str, other: str) -> str:
        """Return the similarity as one division of two exact integers."""
        size = f"size_{self.n_stages - 1}"
        below = (
            f"{form.own} * {own}.{size} + {form.other} * {other}.{size} + {form.both} * p.shared"
        )
        return f"CAST({form.factor} * p.shared AS DOUBLE) / CAST({below} AS DOUBLE)"

    def _best(self, own: str, other: str, similarity: str) -> str:
        """Return the best match of each cluster of a side; of equal ones that of lowest number.

        Structs are compared field by field, so that one aggregate finds it. A join with the largest
        similarities would have to keep all pairs of clusters for a second look at them.
        """
        return f"""{own}_best AS (SELECT cluster, -best.partner AS partner, best.shared
  FROM (SELECT {own}_cluster AS cluster, MAX(named_struct('similarity', {similarity},
    'partner', -{other}_cluster, 'shared', shared)) AS best
    FROM compared GROUP BY {own}_cluster) matched)"""

    def _result(self, side: int) -> str:
        name = NAMES[side]
        stages = "".join(f"z.size_{i}, z.fingerprint_{i}, " for i in range(self.n_stages))
        return (
            f"SELECT {side} AS side, z.cluster, {stages}b.partner, b.shared\n"
            f"FROM {name}_sizes z LEFT JOIN {name}_best b\n"
            "  ON z.cluster = b.cluster"
        )
