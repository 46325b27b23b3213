"""Notes on two clusterings that were compared: what a reader of the scores may not expect."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from coverlap.core.align import SIDES
from coverlap.core.wording import quantity, some
from coverlap.counting.counts import Counts
from coverlap.counting.table_counts import TableCounts
from coverlap.measures.measure import Measure

MANY = 3
"""A note is due if more than one in this many objects are outliers on one side only."""


class Facts(NamedTuple):
    """What notes are made of: of both sides, or of the universe.

    ``n_own_outliers`` returns the number of objects that are outliers on one side only.
    """

    outlier_texts: tuple[tuple[Any, ...], tuple[Any, ...]]
    rule: str
    n_objects: int
    n_only: tuple[int, int]
    n_outliers: tuple[int, int]
    n_outliers_dropped: int
    disjoint: bool
    n_own_outliers: Callable[[], tuple[int, int]]


def notes_of(counts: Counts, names: tuple[str, str] = SIDES) -> tuple[str, ...]:
    """Return the notes on two clusterings; ``names`` are those of the sides.

    They tell which text labels made outliers, that no object is on both sides, and that many
    objects are outliers on one side only, as if that side had labels for some objects only.
    """
    pair = counts.pair

    def n_own_outliers() -> tuple[int, int]:
        left, right = pair.left.outlier_mask(), pair.right.outlier_mask()
        return int(np.count_nonzero(left & ~right)), int(np.count_nonzero(right & ~left))

    return _notes(
        Facts(
            (pair.left.outlier_texts, pair.right.outlier_texts), pair.rule, pair.n_objects,
            (pair.n_only_left, pair.n_only_right), counts.n_outliers, pair.n_outliers_dropped,
            pair.disjoint, n_own_outliers,
        ),
        names,
    )  # fmt: skip


def notes_of_tables(counts: TableCounts, names: tuple[str, str] = SIDES) -> tuple[str, ...]:
    """Return the notes on two tables, as `notes_of` does."""
    matching = counts.matching
    n_outliers = matching.n_left_outliers, matching.n_right_outliers
    n_left, n_right = (n - matching.n_shared_outliers for n in n_outliers)
    return _notes(
        Facts(
            (counts.left.outlier_texts, counts.right.outlier_texts), counts.rule,
            matching.n_objects, (counts.n_only_left, counts.n_only_right), n_outliers,
            counts.n_outliers_dropped, counts.disjoint, lambda: (n_left, n_right),
        ),
        names,
    )  # fmt: skip


def _notes(facts: Facts, names: tuple[str, str]) -> tuple[str, ...]:
    notes = [
        _note_on_texts(texts, name)
        for texts, name in zip(facts.outlier_texts, names, strict=True)
        if texts
    ]
    if facts.rule == "union" and not facts.disjoint:
        own = zip(names, facts.n_only[::-1], strict=True)
        notes += [f"{name} has no objects" for name, n in own if n == facts.n_objects > 0]
    if facts.disjoint:
        notes.append(
            f"{names[0]} and {names[1]} have no object in common; check that their ids are the same"
        )
    elif not facts.n_outliers_dropped:
        notes += _notes_on_outliers(facts, names)
    return tuple(notes)


def notes_on_duplicates(n_merged: tuple[int, int], measures: Iterable[Measure]) -> tuple[str, ...]:
    """Return a note for each side on which clusters were merged, if some measures count them."""
    counting = [measure.name for measure in measures if measure.duplicates == "counted"]
    return tuple(
        f"{name}: {quantity(n, 'duplicate cluster')} merged, although these measures "
        f"count duplicates by definition: {', '.join(counting)}; to keep them, pass "
        f'as_clustering({name}, duplicates="keep") (--duplicates-{name} keep)'
        for name, n in zip(SIDES, n_merged, strict=True)
        if n and counting
    )


def _note_on_texts(texts: tuple[Any, ...], name: str) -> str:
    return (
        f"{name}: text labels that mean outliers: {some(list(texts))}; "
        "outlier_label= of as_clustering and from_labels (--outlier-label) chooses others"
    )


def _notes_on_outliers(facts: Facts, names: tuple[str, str]) -> list[str]:
    """Return a note for a side with many outliers of its own, if the other side has few."""
    most = facts.n_objects // MANY
    if max(facts.n_outliers) <= most:
        return []
    own = facts.n_own_outliers()
    unknown = facts.n_only[::-1] if facts.rule == "union" else (0, 0)
    return [
        _note_on_outliers(own[i], facts.n_objects, unknown[i], names[i], side)
        for i, side in enumerate(SIDES)
        if own[i] > most >= own[1 - i] and facts.n_outliers[i] < facts.n_objects
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
