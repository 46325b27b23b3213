"""Sums of the weights of the objects that clusters share."""

from functools import partial

from coverlap._kernels._jit import Array, I, U, kernel


def _visits(begin: int, end: int, pointers: Array, members: Array, *others: Array) -> int:  # noqa: ARG001
    """Return an upper bound of the pairs of memberships that `add_shared` visits."""
    place = others[3]
    return len(pointers) + len(members) * len(place)


@partial(kernel, work=_visits)
def add_shared(
    begin: int, end: int, pointers: Array, members: Array, ends: Array, clusters: Array,
    weights: Array, place: Array, lefts: Array, rights: Array, shared: Array,
) -> tuple[int, ...]:  # fmt: skip
    """List the pairs of clusters that share objects, and add up the weights of these objects.

    Object i is in the right clusters ``clusters[ends[i]:ends[i + 1]]``. Left clusters are listed
    from ``begin`` on, while the arrays have room. ``place`` is scratch of one number for each right
    cluster, all -1. Which pairs are listed, and in which order, does not depend on the weights.
    Returns the first left cluster that was not listed and the number of pairs.
    """
    n_pairs = I(0)
    room = I(lefts.shape[0]) - I(place.shape[0])
    own = U(begin)
    while own < U(end) and n_pairs <= room:
        first = n_pairs
        for spot in range(U(pointers[own]), U(pointers[own + U(1)])):
            member = U(members[spot])
            weight = I(weights[member])
            for at in range(U(ends[member]), U(ends[member + U(1)])):
                other = U(clusters[at])
                pair = I(place[other])
                if pair < first:
                    pair = n_pairs
                    place[other] = pair
                    lefts[U(pair)] = own
                    rights[U(pair)] = other
                    shared[U(pair)] = I(0)
                    n_pairs += I(1)
                shared[U(pair)] += weight
        own += U(1)
    return own, n_pairs
