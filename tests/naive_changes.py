"""The oracle of what changed: changes, moved objects and reasons, from their definitions.

It uses only sets and ``fractions.Fraction``, and no code of the package under test. Everywhere,
`left` and `right` are the distinct, non-empty clusters of the two sides in cluster order, all of
them subsets of `universe`. It is slow.
"""

from collections.abc import Callable, Hashable, Iterable
from collections.abc import Set as AbstractSet
from fractions import Fraction
from itertools import product
from typing import Literal, NamedTuple

from tests.naive import Cluster, Clusters, best_matches, compare_sets, outliers

ZERO, ONE = Fraction(0), Fraction(1)
Universe = AbstractSet[Hashable]
Pairs = set[tuple[int, int]]

REASONS = (
    "gone to clusters",
    "gone to outliers",
    "come from clusters",
    "come from outliers",
    "outliers",
    "no clusters",
)


class Options(NamedTuple):
    """The options of a comparison; `balance` is the weight of left to right."""

    outliers: bool = True
    balance: Fraction = Fraction(1, 2)
    similarity: str = "jaccard"
    average: str = "size"


DEFAULT = Options()


# The table of clusters


class ClusterRow(NamedTuple):
    """What one cluster, or one set of outliers, adds to the loss.

    The kind ``"none"`` stands for the clusters of a side that has none, where only clusters count.
    `position` is that of a cluster in its side, and `match` the set it is compared with, if any.
    """

    side: Literal["left", "right"]
    kind: Literal["cluster", "outliers", "none"]
    position: int | None
    own: Cluster
    match: Cluster | None
    weight: Fraction
    similarity: Fraction

    @property
    def loss(self) -> Fraction:
        return self.weight * (1 - self.similarity)


def cluster_rows(
    left: Clusters, right: Clusters, universe: Universe, options: Options = DEFAULT
) -> list[ClusterRow]:
    """Return the rows of both sides; the sum of their losses is 1 minus the score."""
    if not universe or not (left or right or options.outliers):
        return []
    return [
        *_rows_of_side("left", left, right, universe, options.balance, options),
        *_rows_of_side("right", right, left, universe, 1 - options.balance, options),
    ]


def _rows_of_side(
    side: Literal["left", "right"],
    own: Clusters,
    other: Clusters,
    universe: Universe,
    weight: Fraction,
    options: Options,
) -> list[ClusterRow]:
    own_outliers, other_outliers = outliers(own, universe), outliers(other, universe)
    share = Fraction(len(own_outliers), len(universe)) if options.outliers else ZERO
    amounts = [len(cluster) if options.average == "size" else 1 for cluster in own]
    matches = best_matches(own, other, options.similarity)
    rows = [
        ClusterRow(
            side,
            "cluster",
            position,
            cluster,
            None if match is None else other[match],
            weight * (1 - share) * amount / sum(amounts),
            similarity,
        )
        for position, (cluster, amount, (match, _, similarity)) in enumerate(
            zip(own, amounts, matches, strict=True)
        )
    ]
    if not own and share < 1:
        rows.append(ClusterRow(side, "none", None, frozenset(), None, weight * (1 - share), ZERO))
    if share > 0:
        similarity = compare_sets(own_outliers, other_outliers, options.similarity)
        # Outliers are compared with the outliers of the other side even if they share none.
        match = other_outliers or None
        rows.append(
            ClusterRow(side, "outliers", None, own_outliers, match, weight * share, similarity)
        )
    return rows


# Which clusters belong together


def contingency(
    left: Clusters, right: Clusters, universe: Universe
) -> dict[tuple[int | None, int | None], int]:
    """Return the number of shared objects of each pair that shares some.

    A pair has the positions of a left and a right cluster; None is the set of outliers of a side.
    """
    left_sets = dict[int | None, Cluster](enumerate(left)) | {None: outliers(left, universe)}
    right_sets = dict[int | None, Cluster](enumerate(right)) | {None: outliers(right, universe)}
    return {
        (i, j): len(left_sets[i] & right_sets[j])
        for i, j in product(left_sets, right_sets)
        if left_sets[i] & right_sets[j]
    }


def partners(left: Clusters, right: Clusters) -> Pairs:
    """Return the pairs of positions of clusters that are each other's best match.

    Matches are by Jaccard similarity, whatever that of the comparison: by precision or recall, a
    clustering with nested clusters would differ from itself.
    """
    there = [match for match, _, _ in best_matches(left, right, "jaccard")]
    back = [match for match, _, _ in best_matches(right, left, "jaccard")]
    return {
        (i, j)
        for i, j in product(range(len(left)), range(len(right)))
        if there[i] == j and back[j] == i
    }


def linking_objects(left: Clusters, right: Clusters, pairs: Pairs, i: int, j: int) -> Cluster:
    """Return S: the shared objects of two clusters that speak for a link between them."""
    shared = left[i] & right[j]
    if (i, j) in pairs:
        return shared
    partners_of_left = [right[b] for a, b in pairs if a == i]
    partners_of_right = [left[a] for a, b in pairs if b == j]
    return shared.difference(*partners_of_left, *partners_of_right)


def links(left: Clusters, right: Clusters, pairs: Pairs, threshold: float) -> Pairs:
    """Return the pairs of positions of clusters that are linked."""
    found = set()
    for i, j in product(range(len(left)), range(len(right))):
        linking = linking_objects(left, right, pairs, i, j)
        if linking and len(linking) / min(len(left[i]), len(right[j])) >= threshold:
            found.add((i, j))
    return found


def components(
    n_left: int, n_right: int, linked: Pairs
) -> list[tuple[frozenset[int], frozenset[int]]]:
    """Return the connected components as positions on the left and on the right."""
    parts = [(frozenset({i}), frozenset[int]()) for i in range(n_left)]
    parts += [(frozenset[int](), frozenset({j})) for j in range(n_right)]
    for i, j in linked:
        touched = [part for part in parts if i in part[0] or j in part[1]]
        joined = (
            frozenset[int]().union(*(part[0] for part in touched)),
            frozenset[int]().union(*(part[1] for part in touched)),
        )
        parts = [part for part in parts if part not in touched] + [joined]
    return sorted(parts, key=lambda part: (not part[0], sorted(part[0]), sorted(part[1])))


# The changes


class Change(NamedTuple):
    """One change: positions of its clusters, sizes of their unions U and V, and its loss.

    `n_shared` is the size k of the intersection of U and V, `gone` that of U without V, and `come`
    that of V without U.
    """

    change: str
    left: frozenset[int]
    right: frozenset[int]
    n_left: int
    n_right: int
    n_shared: int
    gone: int
    come: int
    loss: Fraction

    @property
    def detail(self) -> str | None:
        """What happened to a cluster that was kept."""
        if self.change != "kept":
            return None
        if not self.gone:
            return "grown"
        return "shrunk" if not self.come else "shifted"


def changes(
    left: Clusters,
    right: Clusters,
    universe: Universe,
    options: Options = DEFAULT,
    threshold: float = 0.5,
) -> list[Change]:
    """Return the changes; each cluster is in exactly one. `other_changes` has the rest."""
    losses = {
        (row.side, row.position): row.loss
        for row in cluster_rows(left, right, universe, options)
        if row.kind == "cluster"
    }
    linked = links(left, right, partners(left, right), threshold)
    rows = []
    for lefts, rights in components(len(left), len(right), linked):
        loss = sum((losses["left", i] for i in lefts), ZERO)
        loss += sum((losses["right", j] for j in rights), ZERO)
        word = _word(
            [left[i] for i in lefts],
            [right[j] for j in rights],
            outliers(left, universe),
            outliers(right, universe),
            threshold,
        )
        old, new = _union(left[i] for i in lefts), _union(right[j] for j in rights)
        rows.append(_change(word, lefts, rights, old, new, loss))
    return rows


def other_changes(
    left: Clusters, right: Clusters, universe: Universe, options: Options = DEFAULT
) -> list[Change]:
    """Return a row for the sets of outliers and one for a side without clusters, if they count.

    Together with `changes`, their losses sum up to 1 minus the score.
    """
    rows = cluster_rows(left, right, universe, options)
    nobody = frozenset[int]()
    found = []
    for kind, word in (("outliers", "outliers"), ("none", "no clusters")):
        of_kind = [row for row in rows if row.kind == kind]
        if not of_kind:
            continue
        old = outliers(left, universe) if kind == "outliers" else _union(left)
        new = outliers(right, universe) if kind == "outliers" else _union(right)
        loss = sum((row.loss for row in of_kind), ZERO)
        found.append(_change(word, nobody, nobody, old, new, loss))
    return found


def _union(clusters: Iterable[Cluster]) -> Cluster:
    return frozenset[Hashable]().union(*clusters)


def _change(
    word: str,
    lefts: frozenset[int],
    rights: frozenset[int],
    old: Cluster,
    new: Cluster,
    loss: Fraction,
) -> Change:
    counts = len(old), len(new), len(old & new), len(old - new), len(new - old)
    return Change(word, lefts, rights, *counts, loss)


def _word(
    lefts: Clusters,
    rights: Clusters,
    left_outliers: Cluster,
    right_outliers: Cluster,
    threshold: float,
) -> str:
    old, new = _union(lefts), _union(rights)
    shared = len(old & new)
    if not rights or (lefts and shared / len(old) < threshold <= shared / len(new)):
        gone = old - new
        return "dissolved" if 2 * len(gone & right_outliers) >= len(gone) else "scattered"
    if not lefts or shared / len(new) < threshold <= shared / len(old):
        come = new - old
        return "new" if 2 * len(come & left_outliers) >= len(come) else "gathered"
    if len(lefts) == len(rights) == 1:
        return "same" if old == new else "kept"
    if len(lefts) == 1:
        return "split"
    return "merged" if len(rights) == 1 else "mixed"


# The objects


def object_losses(
    left: Clusters, right: Clusters, universe: Universe, options: Options = DEFAULT
) -> dict[Hashable, Fraction]:
    """Return the share of the loss of every object of the universe."""
    found = dict.fromkeys(universe, ZERO)
    for (item, _), loss in object_reasons(left, right, universe, options).items():
        found[item] += loss
    return found


def losses(
    left: Clusters, right: Clusters, universe: Universe, options: Options = DEFAULT
) -> dict[str, Fraction]:
    """Return the loss by reason, for all of `REASONS`."""
    found = dict.fromkeys(REASONS, ZERO)
    for (_, reason), loss in object_reasons(left, right, universe, options).items():
        found[reason] += loss
    return found


def object_reasons(
    left: Clusters, right: Clusters, universe: Universe, options: Options = DEFAULT
) -> dict[tuple[Hashable, str], Fraction]:
    """Return the loss of each pair of an object and a reason for which it is not 0."""
    found: dict[tuple[Hashable, str], Fraction] = {}
    for row in cluster_rows(left, right, universe, options):
        for item, loss in _charged(row, left, right, options.similarity).items():
            key = item, _reason(row, item, left, right)
            found[key] = found.get(key, ZERO) + loss
    return {key: loss for key, loss in found.items() if loss}


CHARGES: dict[str, Callable[[Cluster, Cluster], tuple[Cluster, int]]] = {
    "jaccard": lambda own, match: (own ^ match, len(own | match)),
    "f1": lambda own, match: (own ^ match, len(own) + len(match)),
    "precision": lambda own, match: (own - match, len(own)),
    "recall": lambda own, match: (match - own, len(match)),
}
"""The objects that a row charges, and the number by which its weight is divided for each."""


def _charged(
    row: ClusterRow, left: Clusters, right: Clusters, similarity: str
) -> dict[Hashable, Fraction]:
    """Return what one row of the table of clusters puts on each object."""
    if row.kind == "none":
        items = _union(right if row.side == "left" else left)
        divisor = len(items)
    elif row.match is None:
        items, divisor = row.own, len(row.own)
    else:
        items, divisor = CHARGES[similarity](row.own, row.match)
    return dict.fromkeys(items, row.weight / divisor)


def _reason(row: ClusterRow, item: Hashable, left: Clusters, right: Clusters) -> str:
    """Return why a row charges an object: left only is gone, right only is come."""
    if row.kind == "outliers":
        return "outliers"
    if row.kind == "none":
        return "no clusters"
    if (item in row.own) == (row.side == "left"):
        return "gone to clusters" if item in _union(right) else "gone to outliers"
    return "come from clusters" if item in _union(left) else "come from outliers"


def moved(
    left: Clusters, right: Clusters, pairs: Pairs
) -> dict[Hashable, tuple[frozenset[int], frozenset[int]]]:
    """Return from which left and to which right clusters each moved object of `left | right` went.

    These are its clusters whose partner does not hold it, or that have no partner. Objects without
    such clusters did not move and are left out.
    """
    found = {}
    for item in _union([*left, *right]):
        held = {(i, j) for i, j in pairs if item in left[i] and item in right[j]}
        came_from = _holding(left, item) - {i for i, _ in held}
        went_to = _holding(right, item) - {j for _, j in held}
        if came_from or went_to:
            found[item] = came_from, went_to
    return found


def _holding(clusters: Clusters, item: Hashable) -> frozenset[int]:
    return frozenset(i for i, cluster in enumerate(clusters) if item in cluster)
