"""Compare two clusterings of the same objects.

Clusters may overlap, and objects may belong to no cluster. `fstar_score` gives the score,
`compare` says where it comes from, and `score` and `scores` give any other measure.
"""

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

__all__ = [
    "MEASURES",
    "Baseline",
    "Clustering",
    "Comparison",
    "CoverlapError",
    "Estimate",
    "FileError",
    "InputError",
    "InputTypeError",
    "Interval",
    "Measure",
    "MissingDependencyError",
    "ObjectScores",
    "OptionError",
    "OutlierSensitivity",
    "PairwiseScores",
    "Scores",
    "Stability",
    "UndefinedError",
    "UniverseError",
    "ari_score",
    "as_clustering",
    "baseline",
    "bootstrap",
    "bootstrap_difference",
    "compare",
    "ecs_estimate",
    "ecs_objects",
    "ecs_score",
    "fstar_score",
    "fstar_scorer",
    "generate",
    "graph",
    "omega_score",
    "onmi_score",
    "outlier_sensitivity",
    "pairwise",
    "read_clustering",
    "score",
    "scores",
    "write_clustering",
]
