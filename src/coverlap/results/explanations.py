"""The tables that explain a comparison, by name, for files."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from coverlap.core.threads import all_threads
from coverlap.results.cluster_pairs import contingency_parts
from coverlap.results.object_changes import moved_parts
from coverlap.results.table_files import Part

if TYPE_CHECKING:
    from coverlap.results.comparison import Comparison

TABLES = {
    "changes": "the changes, one row each",
    "moved": "the objects that moved, with their clusters in both files",
    "objects": "all objects, with their clusters in both files",
    "contingency": "the pairs of clusters that share objects",
    "fates": "where the objects of each cluster are in the other file",
    "one_to_one": "matches in which each cluster has at most one",
    "losses": "why the score is not 1",
}
"""The tables that can be written; the last five are methods of `Comparison`."""


def table_parts(comparison: "Comparison", name: str, threshold: float = 0.5) -> Iterator[Part]:
    """Yield a table in parts; of tables, those that can be large are never all in memory."""
    with all_threads(comparison.difference.threads):
        if name == "moved":
            yield from moved_parts(comparison)
        elif name == "contingency":
            yield from contingency_parts(comparison)
        elif name == "changes":
            yield comparison.changes(threshold).table
        else:
            yield getattr(comparison, name)().table
