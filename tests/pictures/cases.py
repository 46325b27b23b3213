"""Random pairs of clusterings with overlaps, outliers and objects that nobody mentions."""

from fractions import Fraction
from random import Random

import coverlap as cv
from coverlap.pictures.order import order_clusters
from coverlap.results.pictures import cluster_losses_of
from tests import naive
from tests.naive_changes import Options

SIMILARITIES = ("jaccard", "f1", "precision", "recall")


def random_clusters(random, n, most=8):
    """Draw clusters of range(n): disjoint, or with overlaps; some objects may be outliers."""
    part = random.sample(range(n), random.randint(n // 2, n))
    if random.random() < 0.4:
        labels = [random.randint(-1, most) for _ in part]
        clusters = [
            {item for item, label in zip(part, labels, strict=True) if label == i}
            for i in range(most)
        ]
    else:
        clusters = [
            set(random.sample(part, random.randint(0, min(len(part), 6))))
            for _ in range(random.randint(0, most))
        ]
    return naive.normalise(clusters)


class Case:
    """Two clusterings of range(n), of which only the first objects are mentioned, and options."""

    def __init__(self, seed, most=8):
        random = Random(seed)
        n = random.choice((0, 1, 2, 5, 12, 25))
        self.left = random_clusters(random, n, most)
        if random.random() < 0.5:
            self.right = random_clusters(random, n, most)
        else:  # similar to the left side, and in another order
            changed = [set(cluster) ^ set(random.sample(range(n), min(n, random.randint(0, 2))))
                       for cluster in self.left if random.random() < 0.9]  # fmt: skip
            random.shuffle(changed)
            self.right = naive.normalise(changed)
        self.n, self.n_objects = n, n + random.choice((0, 0, 1, 30))
        self.universe = frozenset(range(self.n_objects))
        self.options = Options(
            random.random() < 0.8, Fraction(random.randint(0, 4), 4), random.choice(SIMILARITIES),
            random.choice(("size", "equal")),
        )  # fmt: skip

    @property
    def clusters(self):
        return {"left": self.left, "right": self.right}

    def compare(self):
        return compare(self.left, self.right, self.n, self.n_objects, self.options)


def clustering(clusters, n):
    return cv.Clustering.from_clusters(dict(enumerate(clusters)), universe=n)


def compare(left, right, n, n_objects=None, options=None):
    outliers, balance, similarity, average = options or Options()
    result = cv.compare(
        clustering(left, n), clustering(right, n), outliers=outliers, balance=float(balance),
        similarity=similarity, average=average, n_objects=n_objects,
    )  # fmt: skip
    # The oracles know clusters by their position.
    assert result.cluster_names == (list(range(len(left))), list(range(len(right))))
    return result


def order_of(result):
    difference = result.difference
    return order_clusters(difference.by_jaccard, difference.contingency, *cluster_losses_of(result))
