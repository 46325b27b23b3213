"""What every adapter returns: the pieces that a clustering is made of."""

from typing import Any, NamedTuple

from numpy.typing import NDArray

from coverlap.core.incidence import Incidence
from coverlap.core.objects import Objects


class Parts(NamedTuple):
    """Who is in which cluster, over which objects, and what the clusters are called.

    ``names`` is None where clusters are called by their number.
    """

    incidence: Incidence
    objects: Objects
    names: NDArray[Any] | None = None
