"""Clusterings whose sizes a random walk makes uneven."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import coverlap as cv
from paper.generate import kernels
from paper.generate.checks import check_integer, generator_of, quantity

Integers = NDArray[np.int64]

BLOCK = 1 << 18
"""Number of steps for which random numbers are drawn at once."""


def skewed(clustering: Any, n_steps: int, *, seed: Any = None) -> cv.Clustering:
    """Move random objects between clusters, so that cluster sizes become uneven.

    In each step one object moves to the cluster of another. Both are drawn uniformly from all
    objects and may be the same one. An object that is alone in its cluster stays there, so the
    number of clusters and their names do not change. Sizes become more uneven with every step
    until, after many steps, they reach an equilibrium (this is a Moran process).

    Parameters
    ----------
    clustering : clustering
        Any input of `coverlap.as_clustering` whose clusters do not overlap. Outliers are ignored:
        they neither move nor are moved to.
    n_steps : int
    seed : int, numpy.random.Generator or None
        The same integer gives the same clustering.

    Examples
    --------
    >>> import coverlap as cv
    >>> given = cv.generate.equal_partition(1000, 5)
    >>> given.sizes.tolist()
    [200, 200, 200, 200, 200]
    >>> uneven = skewed(given, 100_000, seed=0)
    >>> len(uneven.sizes), sum(uneven.sizes.tolist())
    (5, 1000)
    >>> float(uneven.sizes.std()) > 20
    True
    """
    n_steps = check_integer("n_steps", n_steps, 0, np.iinfo(np.int64).max)
    rng = generator_of(seed)
    try:
        given = cv.as_clustering(clustering)
    except cv.InputTypeError as error:
        raise cv.InputTypeError(f"clustering: {error}") from None
    if given.has_overlaps:
        several = given.n_in_several
        raise cv.InputError(
            f"clustering must not overlap, but {quantity(several, 'object')} of it "
            f"{'is' if several == 1 else 'are'} in several clusters; only an object with one "
            "cluster can take over another one's"
        )
    labels = given.to_labels()
    number = {name: i for i, name in enumerate(given.names)}
    codes = np.array([number.get(label, -1) for label in labels.tolist()], np.int64)
    inside = np.flatnonzero(codes >= 0)
    moved = codes[inside]
    label_of = labels[inside][np.unique(moved, return_index=True)[1]]
    walk(moved, given.sizes.copy(), n_steps, rng)
    labels[inside] = label_of[moved]
    return cv.Clustering.from_labels(labels, objects=given.objects)


def walk(codes: Integers, sizes: Integers, n_steps: int, rng: np.random.Generator) -> None:
    """Run the steps of `skewed` in place; objects have codes, and codes have sizes."""
    if len(codes) == 0:
        return
    for begin in range(0, n_steps, BLOCK):
        draws = rng.integers(len(codes), size=(min(BLOCK, n_steps - begin), 2))
        kernels.copy_codes(draws, codes, sizes)
