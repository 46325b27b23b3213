"""Pictures of results, drawn by matplotlib.

Every function takes the axes to draw on as ``ax``, by default those of a new figure, and returns
them. ``ax.figure.savefig("picture.svg")`` writes a file.
"""

from coverlap.plot.alluvial import alluvial
from coverlap.plot.distribution import distribution
from coverlap.plot.heat_map import heat_map
from coverlap.plot.losses import losses
from coverlap.plot.matrix import matrix
from coverlap.plot.sensitivity import sensitivity
from coverlap.plot.sizes import sizes

__all__ = [
    "alluvial",
    "distribution",
    "heat_map",
    "losses",
    "matrix",
    "sensitivity",
    "sizes",
]


def __dir__() -> list[str]:
    return __all__
