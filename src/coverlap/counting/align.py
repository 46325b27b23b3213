"""From inputs to an aligned pair: what every verb does before anything is counted."""

from typing import Any, NamedTuple

from coverlap.clustering.recognise import recognise_pair, recognise_universe
from coverlap.core.checks import check_option
from coverlap.core.memberships import Memberships
from coverlap.core.outliers import TREATMENTS, cluster_outliers
from coverlap.core.universe import Pair, align, check_rules


class Rules(NamedTuple):
    """Which objects are compared, and what becomes of outliers; the options of every verb."""

    universe: Any = "union"
    n_objects: int | None = None
    drop_outliers: str | None = None
    outliers_as: str | None = None

    def check(self) -> None:
        """Raise an error for unknown rules, and for rules that contradict each other."""
        check_rules(self.universe, self.n_objects, self.drop_outliers)
        check_option("outliers_as", self.outliers_as, TREATMENTS)

    @property
    def symmetric(self) -> bool:
        """Whether left and right are treated alike."""
        one_sided = {"left", "right"}
        by_side = isinstance(self.universe, str) and self.universe in one_sided
        return not by_side and self.drop_outliers not in one_sided

    @property
    def keep_all_objects(self) -> bool:
        """Whether two clusterings of the same objects are compared on just these objects."""
        return (
            isinstance(self.universe, str) and self.n_objects is None and self.drop_outliers is None
        )


def read_and_align(left: Any, right: Any, rules: Rules, threads: int | None = None) -> Pair:
    """Read two clusterings, put them on one universe, and treat their outliers."""
    sides = recognise_pair(left, right, threads)
    universe, read = recognise_universe(rules.universe, sides, ("left", "right"))
    return align_sides(read[0], read[1], rules._replace(universe=universe))


def align_sides(left: Memberships, right: Memberships, rules: Rules) -> Pair:
    """Put two clusterings on one universe, and treat their outliers."""
    pair = align(
        left, right, universe=rules.universe, n_objects=rules.n_objects,
        drop_outliers=rules.drop_outliers,
    )  # fmt: skip
    return cluster_outliers(pair, rules.outliers_as)


def align_three(
    left: Memberships, right: Memberships, other: Memberships, rules: Rules
) -> list[Memberships]:
    """Put three clusterings on one universe, which is that of ``rules`` for left and each other."""
    first = align(left, right, universe=rules.universe)
    second = align(first.left, other, universe=rules.universe)
    return [second.left, align(second.left, first.right, universe="left").right, second.right]
