"""The five scenarios of figures 1 and 2, with 1,024 objects each."""

from collections.abc import Sequence

import numpy as np

import coverlap as cv
from paper.experiments.experiment import Experiment, Floats, Sample, Scale
from paper.generate import geometric_clusters
from paper.generate.walks import walk

N_OBJECTS = 1024

FIVE_MEASURES = ("omega", "onmi_lfk", "onmi_mgh", "ecs", "fstar_wo")
"""The measures of the paper; its figures write ECC for ECS."""

WALK_STEPS = 500
"""Number of steps of the random walk between two recorded points."""


def five_scores(left: cv.Clustering, right: cv.Clustering) -> Floats:
    """Return the scores of the paper's measures, in the order of `FIVE_MEASURES`."""
    scores = cv.scores(left, right, FIVE_MEASURES, threads=1)
    return np.array([scores[measure] for measure in FIVE_MEASURES], np.float64)


def sample_shuffle(rng: np.random.Generator, scale: Scale) -> Sample:
    """Scenario 1: a share of the objects is shuffled among the clusters."""
    x = np.linspace(0, 1, 40)[:: scale.x_stride]
    given = cv.generate.equal_partition(N_OBJECTS, 32)
    values = [five_scores(given, cv.generate.shuffled(given, share, seed=rng)) for share in x]
    return Sample(x, np.array(values))


def sample_skew(rng: np.random.Generator, scale: Scale) -> Sample:
    """Scenario 2: a random walk makes the cluster sizes uneven; x is their entropy in bits."""
    given = cv.generate.equal_partition(N_OBJECTS, 32)
    labels = cv.generate.shuffled(given, seed=rng).to_labels()
    sizes = given.sizes.copy()
    x = np.empty(scale.n_walk_points)
    values = np.empty((scale.n_walk_points, len(FIVE_MEASURES)))
    for point in range(scale.n_walk_points):
        if point:
            walk(labels, sizes, WALK_STEPS, rng)
        current = cv.Clustering.from_labels(labels)
        x[point] = size_entropy(current)
        values[point] = five_scores(given, current)
    return Sample(x, values)


def size_entropy(partition: cv.Clustering) -> float:
    """Return the entropy of the cluster sizes of a partition, in bits."""
    shares = partition.sizes / partition.n_objects
    return float(-(shares @ np.log2(shares)))


def sample_number(rng: np.random.Generator, scale: Scale) -> Sample:
    """Scenario 3: a growing number of clusters, independent of the 8 given ones."""
    x = np.logspace(3, 10, 40, base=2, dtype=np.int64)[:: scale.x_stride]
    given = cv.generate.equal_partition(N_OBJECTS, 8)
    values = []
    for n_clusters in x.tolist():
        partition = cv.generate.equal_partition(N_OBJECTS, n_clusters)
        values.append(five_scores(given, cv.generate.shuffled(partition, seed=rng)))
    return Sample(x.astype(np.float64), np.array(values))


def sample_overlap(rng: np.random.Generator, scale: Scale) -> Sample:
    """Scenario 4: clusters grow and overlap; the reference has clusters grown threefold."""
    x = np.linspace(1, 9, 17)[:: 2 if scale.x_stride > 1 else 1]
    disc = geometric_clusters([32] * 32, seed=rng)
    reference = disc.grown(3)
    return Sample(x, np.array([five_scores(disc.grown(factor), reference) for factor in x]))


def sample_outliers(rng: np.random.Generator, scale: Scale) -> Sample:
    """Scenario 5: clusters lose objects; those of the reference have lost half of them."""
    x = np.linspace(0, 0.95, 30)[:: scale.x_stride]
    disc = geometric_clusters([32] * 32, seed=rng)
    reference = disc.shrunk(0.5)
    return Sample(x, np.array([_scores_with_outliers(disc.shrunk(s), reference) for s in x]))


def _scores_with_outliers(left: cv.Clustering, right: cv.Clustering) -> Floats:
    """Return all five scores, with oNMI MGH as McDaid's program computes it.

    That program does not know objects that are outliers on both sides.
    """
    scores = five_scores(left, right)
    scores[FIVE_MEASURES.index("onmi_mgh")] = cv.onmi_score(
        left, right, variant="mcdaid", drop_outliers="both", threads=1
    )
    return scores


SCENARIOS: Sequence[Experiment] = (
    Experiment(
        name="shuffle", title="Share shuffled", figure=1, x_name="share of objects shuffled",
        measures=FIVE_MEASURES, n_stated=100, n_stored=25, authors_seconds=None,
        sample=sample_shuffle,
    ),
    Experiment(
        name="skew", title="Uneven sizes", figure=1, x_name="entropy of sizes (bits)",
        measures=FIVE_MEASURES, n_stated=100, n_stored=25, authors_seconds=17_520,
        sample=sample_skew,
    ),
    Experiment(
        name="number", title="Number of clusters", figure=1, x_name="number of clusters",
        measures=FIVE_MEASURES, n_stated=100, n_stored=25, authors_seconds=130,
        sample=sample_number,
    ),
    Experiment(
        name="overlap", title="Overlap", figure=2, x_name="expansion factor",
        measures=FIVE_MEASURES, n_stated=25, n_stored=10, authors_seconds=16_080,
        sample=sample_overlap,
    ),
    Experiment(
        name="outliers", title="Outliers", figure=2, x_name="share of each cluster removed",
        measures=FIVE_MEASURES, n_stated=25, n_stored=10, authors_seconds=5,
        sample=sample_outliers,
    ),
)  # fmt: skip
