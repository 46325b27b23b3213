"""Notes on two clusterings that were compared: what a reader of the scores may not expect."""

from collections.abc import Iterable

import numpy as np

from coverlap.core.memberships import Memberships
from coverlap.core.wording import quantity, some
from coverlap.counting.counts import Counts
from coverlap.measures.measure import Measure

MANY = 3
"""A note is due if more than one in this many objects are outliers on one side only."""

SIDES = ("left", "right")


def notes_of(counts: Counts, names: tuple[str, str] = SIDES) -> tuple[str, ...]:
    """Return the notes on two clusterings; ``names`` are those of the sides.

    They tell which text labels made outliers, that no object is on both sides, and that many
    objects are outliers on one side only, as if that side had labels for some objects only.
    """
    pair = counts.pair
    notes = [
        _note_on_texts(side, name)
        for side, name in zip((pair.left, pair.right), names, strict=True)
        if side.outlier_texts
    ]
    if pair.rule == "union" and not pair.disjoint:
        own = zip(names, (pair.n_only_right, pair.n_only_left), strict=True)
        notes += [f"{name} has no objects" for name, n in own if n == counts.n_objects > 0]
    if pair.disjoint:
        notes.append(
            f"{names[0]} and {names[1]} have no object in common; check that their ids are the same"
        )
    elif not pair.n_outliers_dropped:
        notes += _notes_on_outliers(counts, names)
    return tuple(notes)


def notes_on_duplicates(counts: Counts, measures: Iterable[Measure]) -> tuple[str, ...]:
    """Return a note for each side on which clusters were merged, if some measures count them."""
    counting = [measure.name for measure in measures if measure.duplicates == "counted"]
    sides = zip(SIDES, (counts.pair.left, counts.pair.right), strict=True)
    return tuple(
        f"{name}: {quantity(side.n_merged, 'duplicate cluster')} merged, although these measures "
        f"count duplicates by definition: {', '.join(counting)}; to keep them, pass "
        f'as_clustering({name}, duplicates="keep") (--duplicates-{name} keep)'
        for name, side in sides
        if side.n_merged and counting
    )


def _note_on_texts(side: Memberships, name: str) -> str:
    return (
        f"{name}: text labels that mean outliers: {some(list(side.outlier_texts))}; "
        "outlier_label= of as_clustering and from_labels (--outlier-label) chooses others"
    )


def _notes_on_outliers(counts: Counts, names: tuple[str, str]) -> list[str]:
    """Return a note for a side with many outliers of its own, if the other side has few."""
    pair, most = counts.pair, counts.n_objects // MANY
    if max(counts.n_outliers) <= most:
        return []
    masks = pair.left.outlier_mask(), pair.right.outlier_mask()
    own = [int(np.count_nonzero(mask & ~masks[1 - i])) for i, mask in enumerate(masks)]
    unknown = (pair.n_only_right, pair.n_only_left) if pair.rule == "union" else (0, 0)
    return [
        _note_on_outliers(own[i], counts.n_objects, unknown[i], names[i], side)
        for i, side in enumerate(SIDES)
        if own[i] > most >= own[1 - i] and counts.n_outliers[i] < counts.n_objects
    ]


def _note_on_outliers(n_own: int, n_objects: int, n_unknown: int, name: str, side: str) -> str:
    if 2 * n_unknown > n_own:
        remedy = (
            f'{name} does not contain {n_unknown:,} of them, and universe="{side}" '
            f"(--universe {side}) leaves these out"
        )
    else:
        remedy = (
            f"if {name} has no labels for them, and did not mark them as noise, "
            f'drop_outliers="{side}" (--drop-outliers {side}) leaves them out'
        )
    return f"{n_own:,} of {n_objects:,} objects are outliers in {name} only; {remedy}"
