"""Compare two clusterings of the same objects.

Clusters may overlap, and objects may belong to no cluster. `fstar_score` returns the score,
`compare` explains it, and `score` and `scores` compute any other measure. `coverlap.graph` has
clusterings of graphs, and `coverlap.generate` has random clusterings and graphs.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coverlap import generate, graph
    from coverlap.clustering.clustering import Clustering
    from coverlap.clustering.read import read_clustering
    from coverlap.clustering.recognise import as_clustering
    from coverlap.clustering.write import write_clustering
    from coverlap.core.errors import (
        CoverlapError,
        FileError,
        InputError,
        InputTypeError,
        MissingDependencyError,
        OptionError,
        UndefinedError,
        UniverseError,
    )
    from coverlap.measures.measure import Measure
    from coverlap.measures.registry import MEASURES
    from coverlap.results.comparison import Comparison
    from coverlap.results.ecs import Estimate, ObjectScores
    from coverlap.results.inference import Baseline, Interval
    from coverlap.results.pairwise import PairwiseScores, Stability
    from coverlap.results.scores import OutlierSensitivity, Scores
    from coverlap.verbs.baseline import baseline
    from coverlap.verbs.bootstrap import bootstrap, bootstrap_difference
    from coverlap.verbs.compare import compare, fstar_score
    from coverlap.verbs.ecs import ecs_estimate, ecs_objects, ecs_score
    from coverlap.verbs.pairwise import pairwise
    from coverlap.verbs.score import ari_score, omega_score, onmi_score, score
    from coverlap.verbs.scorer import fstar_scorer
    from coverlap.verbs.scores import scores
    from coverlap.verbs.sensitivity import outlier_sensitivity

__version__ = "0.1.0"

_MODULES = {
    "clustering.clustering": ("Clustering",),
    "clustering.read": ("read_clustering",),
    "clustering.recognise": ("as_clustering",),
    "clustering.write": ("write_clustering",),
    "core.errors": (
        "CoverlapError", "FileError", "InputError", "InputTypeError", "MissingDependencyError",
        "OptionError", "UndefinedError", "UniverseError",
    ),
    "measures.measure": ("Measure",),
    "measures.registry": ("MEASURES",),
    "results.comparison": ("Comparison",),
    "results.ecs": ("Estimate", "ObjectScores"),
    "results.inference": ("Baseline", "Interval"),
    "results.pairwise": ("PairwiseScores", "Stability"),
    "results.scores": ("OutlierSensitivity", "Scores"),
    "verbs.baseline": ("baseline",),
    "verbs.bootstrap": ("bootstrap", "bootstrap_difference"),
    "verbs.compare": ("compare", "fstar_score"),
    "verbs.ecs": ("ecs_estimate", "ecs_objects", "ecs_score"),
    "verbs.pairwise": ("pairwise",),
    "verbs.score": ("ari_score", "omega_score", "onmi_score", "score"),
    "verbs.scorer": ("fstar_scorer",),
    "verbs.scores": ("scores",),
    "verbs.sensitivity": ("outlier_sensitivity",),
}  # fmt: skip
"""The public names by module. Each is imported on first use: ``import coverlap`` must be fast."""

_SUBPACKAGES = ("generate", "graph")
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [*sorted(_HOMES), *_SUBPACKAGES]  # noqa: PLE0604


def __getattr__(name: str) -> object:
    if name in _SUBPACKAGES:
        return import_module(f"coverlap.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'coverlap' has no attribute {name!r}")
    value = getattr(import_module(f"coverlap.{_HOMES[name]}"), name)
    globals()[name] = value  # so that the next access is as fast as for any other module
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
