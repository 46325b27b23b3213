"""Random text files are the same table in memory and by DuckDB, or are refused with a reason."""

import random

import pytest

import coverlap as cv
from tests.counting.test_streaming import compared, facts
from tests.tables.test_sources import LIMITS, MEMORY, message, write

N_PAIRS = 60

IDS = ["1", "2", "3", "4", "7", "a", "b", "ü", "a b", "-1", "0", "007", "1.0", "NA", "", "x,y",
       'q"q', "a\nb", " a", "b ", "99999999999999999999", "-0", "+1", "#c", "\xa0a",
       "\v1"]  # fmt: skip
LABELS = ["1", "2", "3", "-1", "", "a", "b", "NA", "1.0", "x y", "nan", "01", "A,B", 'say "hi"',
          " 3", "1 ", "99999999999999999999", "None", "2.5", "a\nb"]  # fmt: skip
WEIGHTS = [9] * 5 + [2] * 5 + [0.4] * 16
DAMAGE = [b"\xff", b"\0", b'"', b"\n", b"\r", b"\xc3", b",", b" "]


def random_file(rng):
    """Return the bytes of a file, and the options to read it by."""
    delimiter = rng.choice([",", ",", "\t", ";", "|"])
    quoting = rng.choice(["few", "few", "all", "some", "none"])
    names = ["object", "cluster", "more", "still more"][: rng.choice([2, 2, 2, 3, 4])]
    rng.shuffle(names)
    known = {
        "object": rng.choices(IDS, WEIGHTS[: len(IDS)], k=7),
        "cluster": rng.choices(LABELS, WEIGHTS[: len(LABELS)], k=4),
    }
    has_header = rng.random() < 0.85
    rows = [names] if has_header else []
    rows += [
        [rng.choice(known.get(name, ["", "x", 'a"b', "u v"])) for name in names]
        for _ in range(rng.choice([0, 1, 3, 6, 12]))
    ]
    lines = [delimiter.join(field(rng, text, delimiter, quoting) for text in row) for row in rows]
    if lines and rng.random() < 0.06:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(["", " ", '"', "#x"]))
    if lines and rng.random() < 0.06:
        lines[rng.randrange(len(lines))] += rng.choice([delimiter, delimiter + "x", '"', " "])
    end = rng.choice(["\n", "\n", "\r\n", "\r"])
    data = (end.join(lines) + rng.choice([end, end, "", end * 2])).encode()
    if rng.random() < 0.1:
        data = b"\xef\xbb\xbf" + data
    if data and rng.random() < 0.05:
        at = rng.randrange(len(data))
        data = data[:at] + rng.choice(DAMAGE) + data[at:]
    options = {"delimiter": delimiter} if delimiter == "|" or rng.random() < 0.1 else {}
    if not has_header:
        options |= {"object": names.index("object"), "cluster": names.index("cluster")}
    if rng.random() < 0.15:
        options["outlier_label"] = rng.choice([1, "a", [2, "b"], ()])
    return data, options


def field(rng, text, delimiter, quoting):
    is_special = quoting != "none" and any(sign in text for sign in (delimiter, '"', "\n"))
    if quoting == "all" or is_special or (quoting == "some" and rng.random() < 0.3):
        text = '"' + text.replace('"', '""') + '"'
    if rng.random() < 0.02:
        text = rng.choice([" ", "\t", "\v"]) + text
    return text + rng.choice([" ", "\f"]) if rng.random() < 0.02 else text


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
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
