"""The five scenarios of figures 1 and 2: 1,024 objects, and clusterings that differ by degrees."""

from collections.abc import Iterable, Sequence

import numpy as np

from coverlap.clustering.clustering import Clustering
from coverlap.core.universe import Pair, align
from coverlap.counting.counts import Counts
from coverlap.experiments.experiment import Experiment, Floats, Scale
from coverlap.generate import equal_partition, geometric_clusters, shuffled, skewed
from coverlap.measures.registry import find_measure

N = 1024
FIVE = ("omega", "onmi_lfk", "onmi_mgh", "ecs", "fstar_wo")
"""The measures of the paper; what its figures call ECC is ECS."""

STEPS = 500
"""Steps of the walk between two points that are recorded."""


def scores_of(left: Clustering, right: Clustering, measures: Iterable[str]) -> list[float]:
    """Score two clusterings of the same objects, counting once."""
    counts = Counts(Pair(left, right, left.objects, "union"), 1)
    return [find_measure(name).score(counts) for name in measures]


def _shuffle(rng: np.random.Generator, scale: Scale) -> tuple[Floats, Floats]:
    """Scenario 1: a share of the objects exchange their clusters."""
    x = np.linspace(0, 1, 40)[:: scale.thinned]
    given = equal_partition(N, 32)
    values = [scores_of(given, shuffled(given, share, seed=rng), FIVE) for share in x]
    return x, np.array(values)


def _skew(rng: np.random.Generator, scale: Scale) -> tuple[Floats, Floats]:
    """Scenario 2: sizes become uneven; x is their entropy in bits."""
    given = equal_partition(N, 32)
    walker = shuffled(given, seed=rng)
    x, values = np.empty(scale.n_walk), np.empty((scale.n_walk, len(FIVE)))
    for point in range(scale.n_walk):
        if point:
            walker = skewed(walker, STEPS, seed=rng)
        x[point] = entropy(walker)
        values[point] = scores_of(given, walker, FIVE)
    return x, values


def entropy(clustering: Clustering) -> float:
    """Return the entropy of the sizes of a partition's clusters, in bits."""
    shares = clustering.sizes / clustering.n_objects
    return float(-(shares @ np.log2(shares)))


def _number(rng: np.random.Generator, scale: Scale) -> tuple[Floats, Floats]:
    """Scenario 3: more and more clusters that have nothing to do with the 8 given ones."""
    x = np.logspace(3, 10, 40, base=2, dtype=np.int64)[:: scale.thinned]
    given = equal_partition(N, 8)
    values = [scores_of(given, shuffled(equal_partition(N, k), seed=rng), FIVE) for k in x.tolist()]
    return x.astype(np.float64), np.array(values)


def _overlap(rng: np.random.Generator, scale: Scale) -> tuple[Floats, Floats]:
    """Scenario 4: clusters of growing overlap, beside those that have grown threefold."""
    x = np.linspace(1, 9, 17)[:: 2 if scale.thinned > 1 else 1]
    disc = geometric_clusters([32] * 32, seed=rng)
    reference = disc.grown(3)
    return x, np.array([scores_of(disc.grown(factor), reference, FIVE) for factor in x])


def _outliers(rng: np.random.Generator, scale: Scale) -> tuple[Floats, Floats]:
    """Scenario 5: clusters that lose more and more objects, beside those that lost half."""
    x = np.linspace(0, 0.95, 30)[:: scale.thinned]
    disc = geometric_clusters([32] * 32, seed=rng)
    reference = disc.shrunk(0.5)
    return x, np.array([_with_outliers(disc.shrunk(share), reference) for share in x])


def _with_outliers(left: Clustering, right: Clustering) -> list[float]:
    """Score all measures; overlapping NMI of the objects in some cluster, as its program has it."""
    omega, lfk, _, ecs, fstar = scores_of(left, right, FIVE)
    pair = align(left, right, drop_outliers="both")
    mgh = find_measure("onmi_mgh").score(Counts(pair, 1), variant="mcdaid")
    return [omega, lfk, mgh, ecs, fstar]


SCENARIOS: Sequence[Experiment] = (
    Experiment(
        name="shuffle", title="Share shuffled", figure=1, x_name="share of objects shuffled",
        measures=FIVE, stated=100, stored=25, authors_seconds=None, sample=_shuffle,
    ),
    Experiment(
        name="skew", title="Uneven sizes", figure=1, x_name="entropy of sizes (bits)",
        measures=FIVE, stated=100, stored=25, authors_seconds=17_520, sample=_skew,
    ),
    Experiment(
        name="number", title="Number of clusters", figure=1, x_name="number of clusters",
        measures=FIVE, stated=100, stored=25, authors_seconds=130, sample=_number,
    ),
    Experiment(
        name="overlap", title="Overlap", figure=2, x_name="expansion factor",
        measures=FIVE, stated=25, stored=10, authors_seconds=16_080, sample=_overlap,
    ),
    Experiment(
        name="outliers", title="Outliers", figure=2, x_name="share of each cluster removed",
        measures=FIVE, stated=25, stored=10, authors_seconds=5, sample=_outliers,
    ),
)  # fmt: skip
