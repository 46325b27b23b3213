"""Rules: which objects are compared, and what becomes of outliers."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from coverlap.core.checks import check_option
from coverlap.core.errors import OptionError

UniverseRule = Literal["union", "intersection", "left", "right"]
UniverseOption = UniverseRule | Iterable[Any] | int | Path
"""What users may pass for the universe: a rule, ids, a number n for 0..n-1, or a file of ids."""

DropRule = Literal["left", "right", "either", "both"]

RULES: tuple[str, ...] = get_args(UniverseRule)
DROP_RULES: tuple[str | None, ...] = (None, *get_args(DropRule))

Treatment = Literal["singletons", "cluster"]
TREATMENTS: tuple[str | None, ...] = (None, *get_args(Treatment))


class Rules(NamedTuple):
    """Which objects are compared, and what becomes of outliers; options of every verb.

    `coverlap.core.align.align` follows them. A new rule must also be followed where rules are
    handled apart: in `keep_all_objects`, in `coverlap.graph.align` and in `coverlap.bootstrap`.

    Attributes
    ----------
    universe : {"union", "intersection", "left", "right"} or Objects
        The objects to compare on. An object that a side does not know is an outlier there. Verbs
        also accept ids, a number or a file, which `coverlap.clustering.recognise` reads.
    n_objects : int, optional
        The number of objects in all, if some are never mentioned: they are outliers on both
        sides. Requires ``universe="union"``.
    drop_outliers : {None, "left", "right", "either", "both"}
        Leave out the objects that are outliers on that side, on either, or on both.
    outliers_as : {None, "singletons", "cluster"}
        Make a cluster of each outlier, or one cluster of all outliers of a side.
    """

    universe: Any = "union"
    n_objects: int | None = None
    drop_outliers: str | None = None
    outliers_as: str | None = None

    def check(self) -> None:
        """Raise an error for unknown rules, and for rules that contradict each other."""
        by_name = isinstance(self.universe, str)
        if by_name:
            check_option("universe", self.universe, RULES)
        check_option("drop_outliers", self.drop_outliers, DROP_RULES)
        check_option("outliers_as", self.outliers_as, TREATMENTS)
        if self.n_objects is not None and not (by_name and self.universe == "union"):
            raise OptionError("n_objects counts all objects, so it goes with universe='union' only")

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


DEFAULT_RULES = Rules()
