"""The table of all measures, with their properties.

The tables in the documentation, help texts, error messages and the common tests of all measures are
made from it. To add a measure, write a function of `Counts` in the file of its family, and add a
row here.
"""

from functools import partial
from math import inf
from typing import get_args

from coverlap.core.errors import OptionError
from coverlap.core.wording import did_you_mean, shown
from coverlap.measures import bcubed, chance, clusters, fstar, information, onmi
from coverlap.measures import pair_counting as pairs
from coverlap.measures.ecs import ecs_of_counts
from coverlap.measures.measure import Measure, MeasureRegistry

UNBOUNDED = (0.0, inf)
SHARING_CLUSTERS = "pairs of clusters that share objects"
LFK = "Lancichinetti, Fortunato, Kertész 2009"
ROSENBERG = "Rosenberg, Hirschberg 2007"

# The properties that the measures of a family have in common.
Overlapping = partial(Measure, overlaps="native", cost=SHARING_CLUSTERS)
FStar = partial(
    Overlapping, reference="DeWolfe, Prałat, Théberge 2026", needs="matching",
    options={"balance": (), "similarity": (), "average": fstar.AVERAGES},
)  # fmt: skip
CountingDuplicates = partial(Overlapping, duplicates="counted")
Omega = partial(
    CountingDuplicates, reference="Collins, Dent 1988", needs="pairs", outliers="singletons",
    cost="objects; with overlaps pairs of objects that share two clusters",
)  # fmt: skip
BCubed = partial(
    CountingDuplicates, reference="Bagga, Baldwin 1998; Amigó and others 2009", needs="memberships",
    outliers="undefined", cost="objects; with overlaps as omega",
)  # fmt: skip
Exact = partial(
    Overlapping, reference="Menestrina, Whang, Garcia-Molina 2010", needs="contingency",
    outliers="ignored",
)  # fmt: skip
Partition = partial(
    Measure, needs="contingency", overlaps="undefined", outliers="undefined", cost="objects"
)
Pairs = partial(Partition, needs="pairs", instead="omega, ecs or fstar_wo")
Information = partial(Partition, instead="onmi, ecs or fstar_wo")

ONMI = CountingDuplicates(
    "onmi", "Overlapping NMI, MGH (max)", onmi.onmi, "McDaid, Greene, Hurley 2011",
    needs="contingency", outliers="native",
    options={"normalization": get_args(onmi.Normalization), "variant": get_args(onmi.Variant)},
)  # fmt: skip
AMI = Information(
    "ami", "Adjusted mutual information", information.ami, "Vinh, Epps, Bailey 2010",
    range=(-inf, 1.0), chance=0.0, cost="objects, and pairs of different sizes of clusters",
    options={"mean": get_args(information.Mean)},
)  # fmt: skip
NMI = Information(
    "nmi", "Normalised mutual information", information.nmi, "Strehl, Ghosh 2002",
    options={"mean": get_args(information.MeanOrJoint)},
)  # fmt: skip

TABLE = (
    FStar("fstar_wo", "F*_wo", partial(fstar.score_of_counts, outliers=True), outliers="native"),
    FStar("fstar_w", "F*_w", partial(fstar.score_of_counts, outliers=False), outliers="ignored"),
    FStar("fstar_adjusted", "F*_wo, adjusted for chance", chance.adjusted_fstar, outliers="native",
          overlaps="undefined", range=(-inf, 1.0), chance=0.0,
          instead="fstar_wo, and baseline for its chance level",
          cost="pairs of different sizes of clusters x objects that they share by chance"),
    Omega("omega", "Omega index", pairs.omega, range=(-1.0, 1.0), chance=0.0),
    Omega("omega_raw", "Omega index, unadjusted", pairs.omega_raw),
    ONMI,
    CountingDuplicates("ecs", "Element-centric similarity", ecs_of_counts,
                       "Gates, Wood, Hetrick, Ahn 2019", needs="memberships",
                       outliers="singletons", options={"alpha": ()},
                       cost="objects; with overlaps objects x memberships"),
    BCubed("bcubed_precision", "B-cubed precision", bcubed.bcubed_precision, symmetric=False),
    BCubed("bcubed_recall", "B-cubed recall", bcubed.bcubed_recall, symmetric=False),
    BCubed("bcubed_f1", "B-cubed F1", bcubed.bcubed_f1),
    Exact("exact_precision", "Share of right clusters that left has", clusters.exact_precision,
          symmetric=False),
    Exact("exact_recall", "Share of left clusters that right has", clusters.exact_recall,
          symmetric=False),
    Exact("exact_f1", "Share of clusters on both sides (F1)", clusters.exact_f1),
    Pairs("ari", "Adjusted Rand index", pairs.omega, "Hubert, Arabie 1985", range=(-0.5, 1.0),
          chance=0.0),
    Pairs("rand", "Rand index", pairs.omega_raw, "Rand 1971"),
    Pairs("pair_precision", "Precision of pairs", pairs.pair_precision, "Wallace 1983",
          symmetric=False),
    Pairs("pair_recall", "Recall of pairs", pairs.pair_recall, "Wallace 1983", symmetric=False),
    Pairs("pair_f1", "F1 of pairs", pairs.pair_f1, "van Rijsbergen 1979; Dice 1945"),
    Pairs("fowlkes_mallows", "Fowlkes-Mallows index", pairs.fowlkes_mallows,
          "Fowlkes, Mallows 1983"),
    Pairs("pair_jaccard", "Jaccard index of pairs", pairs.pair_jaccard,
          "Ben-Hur, Elisseeff, Guyon 2002"),
    Pairs("rogers_tanimoto", "Rogers-Tanimoto index of pairs", pairs.rogers_tanimoto,
          "Rogers, Tanimoto 1960"),
    AMI,
    NMI,
    Information("homogeneity", "Homogeneity", information.homogeneity, ROSENBERG, symmetric=False),
    Information("completeness", "Completeness", information.completeness, ROSENBERG,
                symmetric=False),
    Information("v", "V-measure", information.v_measure, ROSENBERG, options={"beta": ()}),
    Information("mi", "Mutual information (nats)", information.mutual_information, "Shannon 1948",
                range=UNBOUNDED, identical=None),
    Information("vi", "Variation of information (nats)", information.variation_of_information,
                "Meilă 2007", range=UNBOUNDED, identical=0.0),
    Partition("purity", "Purity of the right clusters", clusters.purity, "Zhao, Karypis 2004",
              symmetric=False),
    Partition("split_join", "Split-join distance", clusters.split_join, "van Dongen 2000",
              range=UNBOUNDED, identical=0.0),
)  # fmt: skip

ALIASES = (
    ONMI.preset("onmi_max", "Overlapping NMI, MGH (max)", {"normalization": "max"}),
    ONMI.preset("onmi_mgh", "Overlapping NMI, MGH (max)", {"normalization": "mgh"}),
    ONMI.preset("onmi_lfk", "Overlapping NMI, LFK", {"normalization": "lfk"}, reference=LFK),
    ONMI.preset("onmi_lfk_total", "Overlapping NMI, LFK of totals", {"normalization": "lfk_total"},
                reference=LFK),
    ONMI.preset("onmi_mean", "Overlapping NMI, arithmetic mean", {"normalization": "mean"}),
    ONMI.preset("onmi_sqrt", "Overlapping NMI, geometric mean", {"normalization": "sqrt"},
                range=UNBOUNDED),
    ONMI.preset("onmi_min", "Overlapping NMI, min", {"normalization": "min"}, range=UNBOUNDED),
    ONMI.preset("onmi_joint", "Overlapping NMI, joint entropy", {"normalization": "joint"}),
    AMI.preset("ami_max", "AMI, max", {"mean": "max"}),
    AMI.preset("ami_sqrt", "AMI, geometric mean", {"mean": "sqrt"}),
    AMI.preset("ami_min", "AMI, min", {"mean": "min"}),
    NMI.preset("nmi_max", "NMI, max", {"mean": "max"}),
    NMI.preset("nmi_sqrt", "NMI, geometric mean", {"mean": "sqrt"}),
    NMI.preset("nmi_min", "NMI, min", {"mean": "min"}),
    NMI.preset("nmi_joint", "NMI, joint entropy", {"mean": "joint"}),
)  # fmt: skip

MEASURES = MeasureRegistry(TABLE, ALIASES)
"""All measures by name; see `MeasureRegistry` and `Measure`."""


def find_measure(name: object) -> Measure:
    """Return the measure of a name or alias; raise an error with similar names if unknown."""
    measure = MEASURES.get(name) if isinstance(name, str) else None
    if measure is not None:
        return measure
    names = [*MEASURES, *MEASURES.aliases]
    hint = did_you_mean(name, names) or "see coverlap.MEASURES"
    raise OptionError(f"measure must be one of {len(names)} names, not {shown(name)}; {hint}")
