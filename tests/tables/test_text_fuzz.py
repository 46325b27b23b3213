"""Random text files are the same table in memory and by DuckDB, or are refused with a reason."""

import random

import pytest

import coverlap as cv
from tests.counting.test_in_duckdb import compared, facts
from tests.files.mutants import mutated
from tests.files.support import BOM
from tests.marks import seeds
from tests.tables.test_sources import BROKEN, LIMITS, MEMORY, REFUSED, SAME, message, write

N_PAIRS = 60

GOOD, BAD = (
    sorted(
        {row for text in texts if text[:15] == "object,cluster\n" for row in text.split("\n")[1:]}
    )
    for texts in (SAME.values(), {**BROKEN, **REFUSED}.values())
)


def random_file(rng):
    """Return the bytes of a file, and the options to read it by."""
    has_header, is_turned = rng.random() < 0.85, rng.random() < 0.3
    names = ["cluster", "object"] if is_turned else ["object", "cluster"]
    lines = [",".join(names)] * has_header + rng.choices(GOOD[1:], k=rng.choice([0, 1, 3, 6, 12]))
    if rng.random() < 0.06:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(BAD))
    end = rng.choice(["\n", "\n", "\r\n", "\r"])
    delimiter = rng.choice(",,\t;|")
    text = end.join(lines) + rng.choice([end, end, "", end * 2])
    data = BOM * (rng.random() < 0.1) + text.replace(",", delimiter).encode()
    if rng.random() < 0.1:
        data = mutated(rng, data)
    options = {"delimiter": delimiter} if delimiter == "|" or rng.random() < 0.1 else {}
    if not has_header:
        options |= {name: at for at, name in enumerate(names)}
    if rng.random() < 0.15:
        options["outlier_label"] = rng.choice([1, "x", [2, "y"], ()])
    return data, options


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(3))
def test_random_text_files_are_the_same_tables(tmp_path, seed):
    rng = random.Random(seed)
    n_same = n_refused = 0
    for _ in range(N_PAIRS):
        sides = []
        for name in ("left.csv", "right.txt"):
            data, options = random_file(rng)
            sides.append(cv.Table(write(tmp_path / name, data), format="pairs", **options))
        wanted, found = compared(*sides), compared(*sides, **LIMITS)
        if isinstance(found, Exception):
            is_refused = not isinstance(wanted, Exception)
            assert not is_refused or MEMORY in message(found), (found, data)
            n_refused += is_refused
        else:
            assert facts(found) == facts(wanted), (sides, data)
            n_same += 1
    assert n_same > N_PAIRS / 5
    assert n_refused < N_PAIRS / 4
