"""Compare two clusterings of the same objects.

Clusters may overlap, and objects may belong to no cluster. `fstar_score` returns the score,
`compare` explains it, and `score` and `scores` compute any other measure. `coverlap.graph` has
clusterings of graphs, `coverlap.generate` has random clusterings and graphs, and `coverlap.plot`
draws results.
"""

from coverlap._kernels import load as _load

__version__ = "0.1.0"

_MODULES = {
    "clustering.clustering": ("Clustering",),
    "clustering.read": ("read_clustering",),
    "clustering.recognise": ("as_clustering",),
    "clustering.write": ("write_clustering",),
    "core.errors": (
        "CoverlapError",
        "FileError",
        "InputError",
        "InputTypeError",
        "MissingDependencyError",
        "OptionError",
        "ResourceError",
        "UndefinedError",
        "UniverseError",
    ),
    "measures.measure": ("Measure",),
    "measures.registry": ("MEASURES",),
    "results.chance": ("Expectation",),
    "results.changes": ("Changes",),
    "results.cluster_pairs": (
        "ContingencyTable",
        "OneToOne",
    ),
    "results.comparison": ("Comparison",),
    "results.ecs": (
        "Estimate",
        "ObjectScores",
    ),
    "results.fates": ("Fates",),
    "results.inference": (
        "Baseline",
        "Interval",
    ),
    "results.losses": ("Losses",),
    "results.object_changes": ("ObjectChanges",),
    "results.pairwise": ("PairwiseScores",),
    "results.scores": (
        "OutlierSensitivity",
        "Scores",
    ),
    "results.stability": ("Stability",),
    "tables.table": ("Table",),
    "verbs.align_labels": ("align_labels",),
    "verbs.chance": ("expected_fstar",),
    "verbs.compare": (
        "compare",
        "fstar_score",
    ),
    "verbs.ecs": (
        "ecs_estimate",
        "ecs_objects",
        "ecs_score",
    ),
    "verbs.inference": (
        "baseline",
        "bootstrap",
        "bootstrap_difference",
    ),
    "verbs.pairwise": ("pairwise",),
    "verbs.score": (
        "ari_score",
        "omega_score",
        "onmi_score",
        "score",
    ),
    "verbs.scorer": (
        "fstar_scorer",
        "scorer",
    ),
    "verbs.scores": (
        "outlier_sensitivity",
        "scores",
    ),
}
"""The public names by module; type checkers read ``__init__.pyi``, and a test compares the two.

Each module is imported when one of its names is first used, so that ``import coverlap`` is fast.
"""

_SUBPACKAGES = ("generate", "graph", "plot")
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [*sorted(_HOMES), *_SUBPACKAGES]  # noqa: PLE0604


def __getattr__(name: str) -> object:
    if name in _SUBPACKAGES:
        return _load(name)
    if name not in _HOMES:
        raise AttributeError(f"module 'coverlap' has no attribute {name!r}")
    value = getattr(_load(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
