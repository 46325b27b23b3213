"""Compare two clusterings of the same objects.

Clusters may overlap, and objects may belong to no cluster. `fstar_score` gives the score and
`compare` says where it comes from.
"""

from coverlap.clustering import Clustering
from coverlap.compare import compare, fstar_score
from coverlap.comparison import Comparison
from coverlap.errors import (
    CoverlapError,
    FileError,
    InputError,
    InputTypeError,
    MissingDependencyError,
    OptionError,
    UniverseError,
)
from coverlap.files import read_clustering, write_clustering
from coverlap.recognise import as_clustering
from coverlap.scorer import fstar_scorer

__version__ = "0.1.0"

__all__ = [
    "Clustering",
    "Comparison",
    "CoverlapError",
    "FileError",
    "InputError",
    "InputTypeError",
    "MissingDependencyError",
    "OptionError",
    "UniverseError",
    "as_clustering",
    "compare",
    "fstar_score",
    "fstar_scorer",
    "read_clustering",
    "write_clustering",
]
