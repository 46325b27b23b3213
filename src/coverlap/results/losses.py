"""Losses: why the score is not 1."""

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

from coverlap.core.errors import UndefinedError
from coverlap.core.frames import Column
from coverlap.core.wording import format_loss
from coverlap.explain.losses import LossRows, loss_rows, losses_by_reason
from coverlap.results.table import TableResult
from coverlap.results.text import TEXT, Block, Table, numbers

if TYPE_CHECKING:
    from coverlap.results.comparison import Comparison


@dataclass(frozen=True, eq=False)
class Losses(TableResult):
    """The result of `Comparison.losses`: the loss for each reason; the sum is 1 - score."""

    def _blocks(self) -> list[Block]:
        table = loss_table(self)
        return [table] if table.rows else [["nothing is lost"]]

    def __repr__(self) -> str:
        reasons, losses = (column.tolist() for column in self.table[:2])
        shown = [f"{reason}: {loss:.6g}" for reason, loss in zip(reasons, losses, strict=True)]
        return f"Losses({', '.join(shown)})"


def find_losses(comparison: "Comparison") -> Losses:
    """Return the loss of a comparison by reason; see `Comparison.losses`."""
    found = losses_by_reason(comparison.difference, loss_rows_of(comparison))
    total = fsum(found.values())
    return Losses((
        Column("reason", list(found), "text"),
        Column("loss", list(found.values()), "float"),
        Column("share", [loss / total if total else 0.0 for loss in found.values()], "float"),
    ))  # fmt: skip


def loss_table(losses: Losses) -> Table:
    """Return the reasons that are not 0 as a printed table."""
    rows = zip(*(column.tolist() for column in losses.table), strict=True)
    return Table(
        [("reason", TEXT), *numbers("loss", "share")],
        [[reason, format_loss(loss), f"{share:.1%}"] for reason, loss, share in rows if loss],
    )


def loss_rows_of(comparison: "Comparison") -> tuple[LossRows, LossRows]:
    """Return what each cluster costs each object; reject user-defined similarities."""
    form = comparison.difference.form
    if form is None:
        raise UndefinedError(
            "the loss of a user-defined similarity has no parts by object or by reason; for this "
            "table, compare with a built-in similarity"
        )
    directions = comparison.left, comparison.right
    return loss_rows(comparison.difference, directions, comparison.options.average, form)
