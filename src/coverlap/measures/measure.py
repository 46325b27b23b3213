"""Measure: a way to compare two clusterings, with its properties; MeasureRegistry: all by name."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, Literal

from coverlap.core.checks import check_option
from coverlap.core.errors import OptionError, UndefinedError
from coverlap.core.wording import some
from coverlap.counting.counts import Counts

Needs = Literal["matching", "contingency", "pairs", "memberships"]
Overlaps = Literal["native", "undefined"]
Duplicates = Literal["counted", "merged"]
Outliers = Literal["native", "singletons", "ignored", "undefined"]


@dataclass(frozen=True)
class Measure:
    """A way to compare two clusterings; `coverlap.MEASURES` contains all of them.

    The properties are those of the measure with its default options. Two measures are equal if all
    their properties are; ``compute`` is not compared.

    Attributes
    ----------
    name, title : str
        The name in code, and the name to print.
    compute : function
        Computes the score from the `Counts` of two clusterings, and the options by keyword.
    reference : str
        The authors who proposed it, and the year.
    needs : {"matching", "contingency", "pairs", "memberships"}
        What has to be counted: best matches, objects shared by two clusters, pairs of objects in
        the same clusters, or the memberships of each object.
    overlaps : {"native", "undefined"}
        Whether the measure is defined if clusters overlap.
    outliers : {"native", "singletons", "ignored", "undefined"}
        How outliers are treated: as outliers, like clusters of one object, not at all, or the
        measure is undefined unless ``outliers_as`` or ``drop_outliers`` replaces or removes them.
    duplicates : {"counted", "merged"}
        Whether clusters that a clustering has twice count twice, if the clustering was made with
        ``duplicates="keep"``.
    cost : str
        What the running time is proportional to.
    range : tuple of float
        The smallest and the largest possible score.
    identical : float or None
        The score of equal clusterings; None if it depends on them.
    symmetric : bool
        Whether the score stays the same if left and right are swapped. If not, left is the truth.
    chance : float or None
        The expected score of unrelated clusterings; None if it depends on the sizes of clusters.
    instead : str
        Which measures to use where this one is undefined.
    options : dict of str to tuple of str
        The allowed values of each option; an empty tuple if ``compute`` checks the value.
    """

    name: str
    title: str
    compute: Callable[..., float] = field(compare=False)  # equal partials do not compare equal
    reference: str
    _: KW_ONLY
    needs: Needs
    overlaps: Overlaps
    outliers: Outliers
    cost: str
    range: tuple[float, float] = (0.0, 1.0)
    identical: float | None = 1.0
    symmetric: bool = True
    chance: float | None = None
    instead: str = "fstar_wo"
    duplicates: Duplicates = "merged"
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)

    def score(self, counts: Counts, **options: Any) -> float:
        """Compute the score, or raise `UndefinedError` if the measure is undefined."""
        why = self.why_undefined(counts)
        if why is not None:
            raise UndefinedError(f"{self.name} is {why}")
        return float(self.compute(self._counts(counts), **options))

    def _counts(self, counts: Counts) -> Counts:
        """Return the counts with or without duplicate clusters, as the measure is defined."""
        return counts if self.duplicates == "counted" else counts.of_sets

    def why_undefined(self, counts: Counts) -> str | None:
        """Return the reason why the measure is undefined for two clusterings; None if defined."""
        counts = self._counts(counts)
        if self.overlaps == "undefined" and any(counts.overlapping):
            sides = dict(zip(("left", "right"), counts.overlapping, strict=True))
            where = " and ".join(f"the {side}" for side, overlaps in sides.items() if overlaps)
            return f"not defined for clusters that overlap, as on {where}; use {self.instead}"
        if self.outliers == "undefined" and any(counts.n_outliers):
            left, right = counts.n_outliers
            side = "either" if left and right else "left" if left else "right"
            return (
                f"not defined for outliers ({left:,} on the left, {right:,} on the right); say "
                "outliers_as= (--outliers-as) singletons or cluster, drop_outliers= "
                f"(--drop-outliers) {side}, or use {self.instead}"
            )
        return None

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Raise an error if an option is unknown, or has a value that is not allowed."""
        unknown = [name for name in options if name not in self.options]
        if unknown:
            known = f"its options are {some([*self.options])}" if self.options else "it has none"
            raise OptionError(f"{self.name} has no option {some([*unknown])}; {known}")
        for name, value in options.items():
            if self.options[name]:
                check_option(name, value, self.options[name])

    def preset(
        self, name: str, title: str, options: Mapping[str, str], **properties: Any
    ) -> "Measure":
        """Return this measure with some options set, by another name."""
        return replace(
            self,
            name=name,
            title=title,
            compute=partial(self.compute, **options),
            options={key: self.options[key] for key in self.options if key not in options},
            **properties,
        )


class MeasureRegistry(Mapping[str, Measure]):
    """A read-only mapping from names to measures.

    Iteration yields each measure once. Look-up and ``in`` also accept `aliases`: names of measures
    with some options set. (Members and aliases of an `enum.Enum` behave in the same way.)

    Examples
    --------
    >>> from coverlap import MEASURES
    >>> MEASURES["nmi"].options
    {'mean': ('mean', 'sqrt', 'min', 'max', 'joint')}
    >>> MEASURES["nmi_max"].title
    'NMI, max'
    >>> "nmi_max" in MEASURES, "nmi_max" in list(MEASURES)
    (True, False)
    """

    def __init__(self, measures: Iterable[Measure], aliases: Iterable[Measure]) -> None:
        self._measures = {measure.name: measure for measure in measures}
        self._aliases = {measure.name: measure for measure in aliases}
        self._by_name = self._measures | self._aliases

    @property
    def aliases(self) -> Mapping[str, Measure]:
        """Measures with some options set, by name, such as "nmi_max"."""
        return MappingProxyType(self._aliases)

    def __getitem__(self, name: str) -> Measure:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._measures)

    def __len__(self) -> int:
        return len(self._measures)

    def __repr__(self) -> str:
        return f"MeasureRegistry({', '.join(self)})"
