"""Codes of ids that are text, given while the rows of both tables are scanned once."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coverlap import _kernels
from coverlap.core.hashing import KEY, slot_shift
from coverlap.core.incidence import frozen
from coverlap.core.threads import Workers

START = 1 << 12
"""Initial number of slots of a table."""

GROWTH = 1.5


class TooManyIdsError(Exception):
    """The ids take more memory than is allowed."""


class _Part:
    """The ids of one thread; see `coverlap._kernels.id_codes`."""

    def __init__(self) -> None:
        self.slots = np.zeros(START, np.uint64)
        self.spans = np.zeros(START + 2, np.int64)
        self.arena = np.zeros(16 * START, np.uint8)
        self.known = np.zeros(2, np.uint64)
        self.chosen = np.empty(_kernels.id_codes.BATCH + 1, np.int64)

    def __len__(self) -> int:
        return int(self.known[0])

    @property
    def n_bytes(self) -> int:
        """The memory that the ids take."""
        return self.slots.nbytes + self.spans.nbytes + self.arena.nbytes

    def grow(self, n_more: int) -> None:
        """Make room for at least one more id, of which all have so many bytes."""
        n_known = len(self)
        used = int(self.spans[n_known])
        if used + n_more >= len(self.arena):
            self.arena = _extended(self.arena, used, int(GROWTH * used) + n_more + 1)
        if n_known >= len(self.spans) - 2:
            self.spans = _extended(self.spans, n_known + 1, int(GROWTH * n_known) + 2)
        if 16 * (n_known + 1) > 11 * len(self.slots):
            self.slots = np.zeros(2 * len(self.slots), np.uint64)
            _kernels.id_codes.fill_slots(
                n_known, self.spans, self.arena, KEY, slot_shift(len(self.slots)), self.slots
            )

    def number(
        self, part: int, n_parts: int, data: NDArray[np.uint8], offsets: NDArray[np.int32],
        hashes: NDArray[np.uint64], codes: NDArray[np.uint32],
    ) -> None:  # fmt: skip
        """Write the codes of the texts that belong to this part."""
        at = 0
        while True:
            at = _kernels.id_codes.number_ids(
                at, part, n_parts, data, offsets, hashes, slot_shift(len(self.slots)), self.slots,
                self.spans, self.arena, self.known, self.chosen, codes,
            )  # fmt: skip
            if at == len(codes):
                return
            self.grow(len(data))


class IdCodes:
    """Codes of texts, the same for equal ones; not all codes below `n_codes` are used."""

    def __init__(self, team: Workers, memory: int) -> None:
        self._team, self._memory = team, memory
        self._parts = [_Part() for _ in range(team.threads)]

    @property
    def n_codes(self) -> int:
        """One more than the largest code."""
        return max(map(len, self._parts)) * len(self._parts)

    def code(self, data: NDArray[np.uint8], offsets: NDArray[np.int32]) -> NDArray[np.uint32]:
        """Return the codes of texts, each from an offset to the next one."""
        n_texts, parts, team = len(offsets) - 1, self._parts, self._team
        hashes, codes = np.empty(n_texts, np.uint64), np.empty(n_texts, np.uint32)
        data, offsets = frozen(data), frozen(offsets)
        team.run(_kernels.id_codes.hash_texts, *team.ranges(n_texts), data, offsets, KEY, hashes)
        number = [part.number for part in parts]
        team.run(
            lambda call, i: call(i, len(parts), data, offsets, frozen(hashes), codes),
            number, list(range(len(parts))),
        )  # fmt: skip
        if sum(part.n_bytes for part in parts) > self._memory:
            raise TooManyIdsError
        return codes

    def texts(self, codes: Sequence[int]) -> list[str]:
        """Return the texts of some codes."""
        found = []
        for code in codes:
            number, part = divmod(int(code), len(self._parts))
            first, last = self._parts[part].spans[number : number + 2]
            found.append(self._parts[part].arena[first:last].tobytes().decode())
        return found


def _extended(array: NDArray[Any], n_used: int, length: int) -> NDArray[Any]:
    longer = np.zeros(length, array.dtype)
    longer[:n_used] = array[:n_used]
    return longer
