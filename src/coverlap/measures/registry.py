"""The registry: every measure by name, with what is known about it.

Tables in the documentation, help texts, error messages and the tests that every measure must pass
are made from this.
"""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from math import inf
from types import MappingProxyType
from typing import Any

from coverlap.core.checks import check_option
from coverlap.core.errors import OptionError
from coverlap.core.wording import shown
from coverlap.counting.counts import Counts
from coverlap.measures import bcubed, clusters, pair_counting
from coverlap.measures.ecs import ecs_of_counts
from coverlap.measures.fstar import fstar_of_counts
from coverlap.measures.information import (
    Information,
    ami,
    completeness,
    expected_mutual_information,
    homogeneity,
    information,
    mutual_information,
    nmi,
    v_measure,
    variation_of_information,
)
from coverlap.measures.measure import Measure
from coverlap.measures.omega import omega, omega_raw
from coverlap.measures.onmi import NORMALIZATIONS, VARIANTS, Entropies, entropies

Compute = Callable[..., float]


def _pairs(function: Compute) -> Compute:
    return lambda counts: function(counts.pairs)


def _table(function: Compute) -> Compute:
    return lambda counts: function(counts.contingency)


def _known(function: Compute, **options: Any) -> Compute:
    return lambda counts: function(counts.once(_information), **options)


def _adjusted(mean: str) -> Compute:
    return lambda counts: ami(counts.once(_information), counts.once(_expected), mean)


def _overlapping(normalization: str) -> Compute:
    def compute(counts: Counts, variant: str = "definition") -> float:
        check_option("variant", variant, VARIANTS)
        return NORMALIZATIONS[normalization](counts.once(_entropies, variant))

    return compute


def _entropies(counts: Counts, variant: str) -> Entropies:
    return entropies(counts.contingency, variant)


def _information(counts: Counts) -> Information:
    return information(counts.contingency)


def _expected(counts: Counts) -> float:
    return expected_mutual_information(counts.contingency, counts.threads)


OF_CELLS = "pairs of clusters that share objects"

F_STAR: Any = partial(
    Measure, needs="matching", overlaps="native", cost=OF_CELLS,
    reference="DeWolfe, Prałat, Théberge 2026", options=("balance", "similarity", "average"),
)  # fmt: skip
OMEGA: Any = partial(
    Measure, needs="pairs", overlaps="native", outliers="singletons",
    cost="objects; with overlaps pairs of objects that share two clusters",
    reference="Collins, Dent 1988",
)  # fmt: skip
ONMI: Any = partial(
    Measure, needs="contingency", overlaps="native", outliers="native", cost=OF_CELLS,
    options=("variant",),
)  # fmt: skip
LFK: Any = partial(ONMI, reference="Lancichinetti, Fortunato, Kertész 2009")
MGH: Any = partial(ONMI, reference="McDaid, Greene, Hurley 2011")
B_CUBED: Any = partial(
    Measure, needs="memberships", overlaps="native", outliers="undefined",
    cost="objects; with overlaps as omega", reference="Bagga, Baldwin 1998; Amigó and others 2009",
)  # fmt: skip
EXACT: Any = partial(
    Measure, needs="contingency", overlaps="native", outliers="ignored", cost=OF_CELLS,
    reference="Menestrina, Whang, Garcia-Molina 2010",
)  # fmt: skip
PARTITION: Any = partial(Measure, overlaps="undefined", outliers="undefined", cost="objects")
PAIRS: Any = partial(PARTITION, needs="pairs", instead="omega, ecs or fstar_wo")
INFORMATION: Any = partial(PARTITION, needs="contingency", instead="onmi_mgh, ecs or fstar_wo")
AMI: Any = partial(
    INFORMATION, range=(-inf, 1.0), chance=0.0, reference="Vinh, Epps, Bailey 2010",
    cost="objects, and pairs of different sizes of clusters",
)  # fmt: skip
NMI: Any = partial(INFORMATION, reference="Strehl, Ghosh 2002")
V: Any = partial(INFORMATION, reference="Rosenberg, Hirschberg 2007")

_ALL: tuple[Measure, ...] = (
    F_STAR(
        name="fstar_wo", title="F*_wo", outliers="native",
        compute=partial(fstar_of_counts, outliers=True),
    ),
    F_STAR(
        name="fstar_w", title="F*_w", outliers="ignored",
        compute=partial(fstar_of_counts, outliers=False),
    ),
    OMEGA(
        name="omega", title="Omega index", compute=_pairs(omega), range=(-1.0, 1.0), chance=0.0
    ),
    OMEGA(name="omega_raw", title="Omega index, unadjusted", compute=_pairs(omega_raw)),
    MGH(
        name="onmi_mgh", title="Overlapping NMI, MGH (max)",
        compute=_overlapping("max"),
    ),
    LFK(
        name="onmi_lfk", title="Overlapping NMI, LFK",
        compute=_overlapping("lfk"),
    ),
    LFK(
        name="onmi_lfk_total", title="Overlapping NMI, LFK of totals",
        compute=_overlapping("lfk_total"),
    ),
    MGH(
        name="onmi_mean", title="Overlapping NMI, arithmetic mean",
        compute=_overlapping("mean"),
    ),
    MGH(
        name="onmi_sqrt", title="Overlapping NMI, geometric mean", range=(0.0, inf),
        compute=_overlapping("sqrt"),
    ),
    MGH(
        name="onmi_min", title="Overlapping NMI, min", range=(0.0, inf),
        compute=_overlapping("min"),
    ),
    MGH(
        name="onmi_joint", title="Overlapping NMI, joint entropy",
        compute=_overlapping("joint"),
    ),
    Measure(
        name="ecs", title="Element-centric similarity", compute=ecs_of_counts,
        needs="memberships", overlaps="native", outliers="singletons",
        cost="objects; with overlaps objects x memberships",
        reference="Gates, Wood, Hetrick, Ahn 2019", options=("alpha",),
    ),
    B_CUBED(
        name="bcubed_precision", title="B-cubed precision", compute=bcubed.bcubed_precision,
        symmetric=False,
    ),
    B_CUBED(
        name="bcubed_recall", title="B-cubed recall", compute=bcubed.bcubed_recall,
        symmetric=False,
    ),
    B_CUBED(name="bcubed_f1", title="B-cubed F1", compute=bcubed.bcubed_f1),
    EXACT(
        name="exact_precision", title="Share of right clusters that left has",
        compute=_table(clusters.exact_precision), symmetric=False,
    ),
    EXACT(
        name="exact_recall", title="Share of left clusters that right has",
        compute=_table(clusters.exact_recall), symmetric=False,
    ),
    EXACT(
        name="exact_f1", title="Share of clusters on both sides (F1)",
        compute=_table(clusters.exact_f1),
    ),
    PAIRS(
        name="ari", title="Adjusted Rand index", compute=_pairs(pair_counting.adjusted_rand),
        range=(-0.5, 1.0), chance=0.0, reference="Hubert, Arabie 1985",
    ),
    PAIRS(
        name="rand", title="Rand index", compute=_pairs(pair_counting.rand),
        reference="Rand 1971",
    ),
    PAIRS(
        name="pair_precision", title="Precision of pairs", symmetric=False,
        compute=_pairs(pair_counting.pair_precision), reference="Wallace 1983",
    ),
    PAIRS(
        name="pair_recall", title="Recall of pairs", symmetric=False,
        compute=_pairs(pair_counting.pair_recall), reference="Wallace 1983",
    ),
    PAIRS(
        name="pair_f1", title="F1 of pairs", compute=_pairs(pair_counting.pair_f1),
        reference="van Rijsbergen 1979; Dice 1945",
    ),
    PAIRS(
        name="fowlkes_mallows", title="Fowlkes-Mallows index",
        compute=_pairs(pair_counting.fowlkes_mallows), reference="Fowlkes, Mallows 1983",
    ),
    PAIRS(
        name="pair_jaccard", title="Jaccard index of pairs",
        compute=_pairs(pair_counting.pair_jaccard), reference="Ben-Hur, Elisseeff, Guyon 2002",
    ),
    PAIRS(
        name="rogers_tanimoto", title="Rogers-Tanimoto index of pairs",
        compute=_pairs(pair_counting.rogers_tanimoto), reference="Rogers, Tanimoto 1960",
    ),
    AMI(name="ami", title="Adjusted mutual information", compute=_adjusted("mean")),
    AMI(name="ami_max", title="AMI, max", compute=_adjusted("max")),
    AMI(name="ami_sqrt", title="AMI, geometric mean", compute=_adjusted("sqrt")),
    AMI(name="ami_min", title="AMI, min", compute=_adjusted("min")),
    NMI(name="nmi", title="Normalised mutual information", compute=_known(nmi, mean="mean")),
    NMI(name="nmi_max", title="NMI, max", compute=_known(nmi, mean="max")),
    NMI(name="nmi_sqrt", title="NMI, geometric mean", compute=_known(nmi, mean="sqrt")),
    NMI(name="nmi_min", title="NMI, min", compute=_known(nmi, mean="min")),
    NMI(name="nmi_joint", title="NMI, joint entropy", compute=_known(nmi, mean="joint")),
    V(name="homogeneity", title="Homogeneity", symmetric=False, compute=_known(homogeneity)),
    V(name="completeness", title="Completeness", symmetric=False, compute=_known(completeness)),
    V(name="v", title="V-measure", compute=_known(v_measure)),
    INFORMATION(
        name="mi", title="Mutual information (nats)", compute=_known(mutual_information),
        range=(0.0, inf), identical=None, reference="Shannon 1948",
    ),
    INFORMATION(
        name="vi", title="Variation of information (nats)", range=(0.0, inf), identical=0.0,
        compute=_known(variation_of_information), reference="Meilă 2007",
    ),
    PARTITION(
        name="purity", title="Purity of the right clusters", needs="contingency", symmetric=False,
        compute=_table(clusters.purity), reference="Zhao, Karypis 2004",
    ),
    PARTITION(
        name="split_join", title="Split-join distance", needs="contingency",
        range=(0.0, inf), identical=0.0, compute=_table(clusters.split_join),
        reference="van Dongen 2000",
    ),
)  # fmt: skip

MEASURES: Mapping[str, Measure] = MappingProxyType({measure.name: measure for measure in _ALL})
"""Every measure by name; see `Measure` for what is known about each."""


def find_measure(name: object) -> Measure:
    """Look up a measure, or say which names are close."""
    if isinstance(name, str) and name in MEASURES:
        return MEASURES[name]
    close = get_close_matches(str(name).lower(), MEASURES, n=3, cutoff=0.5)
    if name == "onmi_max":
        close = ["onmi_mgh"]
    hint = f"did you mean {' or '.join(map(repr, close))}?" if close else "see coverlap.MEASURES"
    raise OptionError(f"measure must be one of {len(MEASURES)} names, not {shown(name)}; {hint}")
