"""The tables of a report: changes, clusters with their best matches, objects that moved."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coverlap.core.frames import AnyColumn
from coverlap.core.wording import cut, one_line
from coverlap.explain.losses import unit_weight
from coverlap.report.data import DataTable, Names, Numbers, Words, name_texts
from coverlap.results.changes import Changes
from coverlap.results.object_changes import ObjectChanges

if TYPE_CHECKING:
    from coverlap.results.comparison import Comparison

OTHER_SETS = ["(outliers)", "(no clusters)"]
"""What follows the names of both sides in one list; the script adds these, too."""


LONGEST_TITLE = 32
"""Number of characters of the name of a side above a column."""


def change_table(changes: Changes) -> DataTable:
    """Return one row for each change."""
    columns: dict[str, Any] = {column.name: column for column in changes.table}
    left, right = changes.names
    titles = [_title(name) for name in changes.names]
    words = zip(columns["change"].tolist(), columns["detail"].tolist(), strict=True)
    return DataTable(
        "changes", "What became of the clusters, the costliest change first.",
        [
            Words("change", [f"{word} ({detail})" if detail else word for word, detail in words]),
            _names(columns[left], "left", "-"),
            _names(columns[right], "right", "-"),
            *(
                Numbers(title, columns[name].items, "integer")
                for title, name in (
                    (f"{titles[0]} objects", f"{left}_objects"),
                    (f"{titles[1]} objects", f"{right}_objects"),
                    ("shared", "shared"), ("gone", "gone"), ("come", "come"),
                )
            ),
        ],
        Numbers("loss", columns["loss"].items, "loss"),
    )  # fmt: skip


def _title(side: str) -> str:
    """Return the name of a side as the title of a column, shortened if it is long."""
    return cut(one_line(side), LONGEST_TITLE)


def _names(column: Any, pool: str, missing: str) -> Names:
    return Names(_title(column.name), pool, column.codes, column.pointers, missing)


def cluster_rows(comparison: "Comparison", is_named: NDArray[np.bool_]) -> DataTable:
    """Return one row for each cluster and each set of outliers, if its name is on the page."""
    columns: dict[str, Any] = {column.name: column for column in comparison.table}
    kind, side = columns["kind"].codes, columns["side"].codes
    n_names = len(is_named)
    cluster = np.where(kind > 0, n_names - 1 + kind, columns["cluster"].codes)
    match = np.where(kind == 1, n_names, columns["match"].codes)
    facts, derived = _formula(comparison), comparison.difference.form is not None
    table = DataTable(
        "clusters", "Each cluster with the most similar cluster of the other side.",
        [
            Names("cluster", "both", cluster),
            Words("side", _side_texts(columns["side"])),
            Numbers("size", columns["size"].items, "integer", "size"),
            Names("best match", "both", match, None, "-"),
            Numbers("its size", columns["match_size"].items, "integer", "match_size"),
            Numbers("shared", columns["shared"].items, "integer", "shared"),
            Numbers("similarity", columns["similarity"].items, "ratio", "similarity", derived),
        ],
        Numbers("loss", columns["loss"].items, "loss", "loss", derived),
        facts, {"unit": 3 * side + kind} if facts else {},
    )  # fmt: skip
    named = np.append(is_named, [True] * len(OTHER_SETS))[cluster]
    return table if named.all() else table.taken(np.flatnonzero(named))


def _side_texts(column: Any) -> list[str]:
    texts = name_texts(column.names)
    return [texts[code] for code in column.codes.tolist()]


def _formula(comparison: "Comparison") -> dict[str, Any]:
    """Return what the script needs to compute the similarity and the loss of a cluster.

    The unit of a row has the weight of each of its objects, and a weight that does not depend on
    their number.
    """
    form, average = comparison.difference.form, comparison.options.average
    if form is None:
        return {}
    units = []
    for direction, side in (
        (comparison.left, comparison.matching.left), (comparison.right, comparison.matching.right)
    ):  # fmt: skip
        unit = unit_weight(direction, side.sizes, average)
        without = direction.weight * direction.cluster_share
        units += [
            [0.0, unit] if average == "equal" else [unit, 0.0],
            [0.0, direction.weight * direction.outlier_share],
            [0.0, without],
        ]
    formula = {"own": form.own, "other": form.other, "both": form.both, "factor": form.factor}
    return {"formula": formula, "units": units}


def moved_table(objects: ObjectChanges, most: int) -> DataTable:
    """Return one row for each object, at most so many: the costliest."""
    costliest = np.sort(np.argsort(-_array(objects.table[-1]), kind="stable")[:most])
    item, left, right, *_, loss = (column.taken(costliest) for column in objects.table)
    return DataTable(
        "moved", "The objects that moved, with their clusters.",
        [
            Words("object", name_texts(item.tolist()), "name"),
            _names(left, "left", "(outlier)"),
            _names(right, "right", "(outlier)"),
        ],
        Numbers("loss", _array(loss), "loss"),
    )  # fmt: skip


def _array(column: AnyColumn) -> NDArray[Any]:
    return np.asarray(column[1])
