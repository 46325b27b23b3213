"""Read links: pairs of objects that belong together, such as records of the same entity."""

from typing import Any

import numpy as np

from coverlap.core.align import check_can_be_written_out
from coverlap.core.errors import InputError, InputTypeError
from coverlap.core.incidence import Codes, frozen
from coverlap.core.memberships import Memberships
from coverlap.core.wording import shown
from coverlap.inputs.sets import locate_objects, read_pairs


def read_links(links: Any, *, objects: Any = None, where: str = "links") -> Memberships:
    """Read pairs of objects; a cluster is what links connect, directly or in several steps."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if getattr(links, "nlevels", 2) != 2:
        raise InputTypeError(
            f"{where} must have two levels, which are linked objects, not {links.nlevels}; if it "
            "holds labels say Clustering.from_labels(x)"
        )
    one, other = read_pairs(links, where, "pairs of linked objects")
    position, known = locate_objects([*one, *other], objects, where)
    check_can_be_written_out(known.n)
    ends = position.reshape(2, -1)
    loops = np.flatnonzero(ends[0] == ends[1])
    if len(loops):
        raise InputError(
            f"{where} has a link of {shown(one[loops[0]])} to itself; if the two ids come from two "
            "tables, make them different, as in 'a-7' and 'b-7'"
        )
    graph = coo_array((np.ones(len(one), bool), tuple(ends)), shape=(known.n, known.n))
    n_clusters, labels = connected_components(graph, directed=False)
    return Memberships(Codes(frozen(labels), int(n_clusters)), known)
