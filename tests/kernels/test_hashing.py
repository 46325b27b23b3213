"""Nobody can choose ids that all hash alike, and no result depends on the key of the hashes."""

import subprocess
import sys

import numpy as np
import pytest

import coverlap as cv
from coverlap import _kernels
from coverlap.core import coding, incidence, texts, token_table
from coverlap.core.hashing import slot_shift
from coverlap.core.incidence import Runs, frozen
from coverlap.counting.memory import object_groups
from tests.marks import seeds

MODULES = (coding, texts, token_table, incidence, object_groups)
N = 1 << 15

FLOOD = """
import numpy as np
import coverlap as cv
from coverlap.core.token_table import TokenTable

def unfold(x): return x ^ (x >> np.uint64(32))
def inverse(x): return np.uint64(pow(x, -1, 1 << 64))

n, golden, prime = 250_000, 0x9E3779B97F4A7C15, 0xFF51AFD7ED558CCD
alike = np.arange(1, 40 * n, dtype=np.uint64) << np.uint64(22)
labels = unfold(alike[:n]) * inverse(prime) ^ np.uint64(golden)
assert cv.fstar_score(labels.view(np.int64), labels.view(np.int64)) == 1.0

keys = unfold(alike | np.uint64(1)) * inverse(golden)
integers = keys[keys % np.uint64(2) == 1].view(np.int64) >> 1
tokens = integers[np.abs(integers) < 10**18][:n].tolist()
assert len(tokens) == n
open("tokens", "w").write("object,cluster\\n" + "".join(f"{token},0\\n" for token in tokens))
assert cv.read_clustering("tokens", "pairs").n_objects == n

first = np.arange(n, dtype=np.uint64)
second = unfold((np.uint64(16) ^ first) * np.uint64(prime)) ^ np.uint64(12345)
words = np.column_stack((first, second)).astype(">u8")
data = np.frombuffer(words.tobytes() + b"\\n", np.uint8)
begins = np.arange(0, 16 * n, 16)
assert TokenTable().number(data, begins, begins + 16)[-1] == n - 1
"""
"""Ids that had equal hashes when the key was a constant."""


def set_key(monkeypatch: pytest.MonkeyPatch, seed: int) -> np.ndarray:
    key = frozen(np.random.default_rng(seed).integers(0, 2**64, 3, np.uint64) | np.uint64(1))
    for module in MODULES:
        monkeypatch.setattr(module, "KEY", key)
    return key


@pytest.mark.slow
def test_ids_that_once_hashed_alike_take_no_longer_than_others(tmp_path):
    subprocess.run([sys.executable, "-c", FLOOD], check=True, timeout=60, cwd=tmp_path)


FAMILIES = {
    **{f"{N} numbers times 2**{k}": np.arange(N, dtype=np.uint64) << np.uint64(k)
       for k in range(0, 49, 7)},
    "multiples of a million and three": np.arange(N, dtype=np.uint64) * np.uint64(1_000_003),
    "low and high bits": np.arange(N, dtype=np.uint64) * np.uint64(2**40 + 1),
    "random": np.random.default_rng(0).integers(0, 2**64, N, np.uint64),
}  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", seeds(3))
def test_no_family_of_ids_fills_long_runs_of_a_table(monkeypatch, family, seed):
    key = set_key(monkeypatch, seed)
    keys, table = frozen(FAMILIES[family]), np.zeros((4 * N, 2), np.uint64)
    outputs = np.empty(N, np.int64), np.empty(N, np.int32)
    _kernels.coding.number_keys(keys, key[1], slot_shift(len(table)), table, *outputs, 0, 0)
    free = np.flatnonzero(table[:, 1] == 0)
    assert len(free) == 3 * N
    assert np.diff(free).max() < N // 32


def token_of(key: int, head: int, secret: list[int]) -> bytes:
    """Compute a short token from its key and head, by undoing the hash."""
    start, one, two = secret

    def word(number: int) -> bytes:
        return number.to_bytes((number.bit_length() + 7) // 8, "big")

    if head < 1 << 56:
        return word(head)
    before = (start ^ start >> 32) * one + head * two
    before %= 1 << 64
    total = (key ^ key >> 33 << 1) >> 1
    second = (total - (before ^ before >> 32) * one) * pow(two, -1, 1 << 63) % (1 << 63)
    return word(head) + word(second)


@pytest.mark.parametrize("seed", seeds(3))
def test_a_short_token_can_be_computed_from_its_key_and_head(monkeypatch, seed):
    secret = set_key(monkeypatch, seed).tolist()
    rng = np.random.default_rng(seed)
    some = [bytes(rng.integers(1, 256, n % 16).tolist()) for n in range(800)]
    tokens = [*some, *(token[:8] for token in some), *(b"a" * n for n in range(16))]
    tokens = [token for token in tokens if not token.isdigit()]
    ends = np.cumsum([len(token) for token in tokens])
    begins = ends - [len(token) for token in tokens]
    hashed = token_table.hash_tokens(
        frozen(np.frombuffer(b"".join(tokens), np.uint8)), begins, ends
    )
    assert (hashed.n_texts, hashed.n_long) == (len(tokens), 0)
    pairs = zip(hashed.keys.tolist(), hashed.heads.tolist(), strict=True)
    assert [token_of(*pair, secret) for pair in pairs] == tokens


def test_equal_words_before_the_end_do_not_make_tokens_equal():
    words = [b"12345678", b"12345678x", b"12345678x" * 2, b"12345678xx", b"x12345678", b"", b"x"]
    data = np.frombuffer(b"".join(words * 2), np.uint8)
    sizes = np.array([len(word) for word in words * 2])
    ends = np.cumsum(sizes)
    numbers = token_table.TokenTable().number(frozen(data), ends - sizes, ends)
    assert numbers.tolist() == [*range(len(words))] * 2


def results(tmp_path):
    rng = np.random.default_rng(1)
    numbers = rng.integers(0, 50, (2, 400)) * 10**12
    texts = [np.char.add("name", side.astype(str)) for side in numbers]
    clusters = [[rng.choice(60, 8, replace=False).tolist() for _ in range(40)] for _ in "lr"]
    for side, name in zip(clusters, ("left.cmty.txt", "right.cmty.txt"), strict=True):
        lines = ("\t".join(f"{'v' if i % 2 else ''}{i}" for i in cluster) for cluster in side)
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    files = [str(tmp_path / name) for name in ("left.cmty.txt", "right.cmty.txt")]
    pairs = numbers, texts, [list(map(str, side)) for side in texts], clusters, files
    tables = [cv.compare(*pair).columns() for pair in pairs]
    scores = [cv.scores(*pair, ["omega", "ecs", "onmi_max"]).to_dict() for pair in pairs[2:]]
    ids = [list(cv.as_clustering(side).to_clusters()) for pair in pairs for side in pair]
    return repr((tables, scores, ids))


@pytest.mark.slow
def test_no_result_depends_on_the_key(monkeypatch, tmp_path):
    expected = results(tmp_path)
    for seed in range(4):
        set_key(monkeypatch, seed)
        assert results(tmp_path) == expected


def test_the_fingerprints_that_find_equal_clusters_depend_on_the_key(monkeypatch):
    runs = Runs(frozen(np.array([0, 2, 4])), frozen(np.array([0, 1, 0, 2], np.int32)))
    secret = [incidence.fingerprints(runs, set_key(monkeypatch, seed)[0]) for seed in range(2)]
    assert not np.any(secret[0] == secret[1])
    assert np.array_equal(incidence.first_equal(runs), [0, 1])


def test_every_process_draws_its_own_key():
    code = "from coverlap.core.hashing import KEY; print(KEY)"
    command = [sys.executable, "-c", code]
    keys = {subprocess.run(command, capture_output=True, check=True).stdout for _ in range(2)}
    assert len(keys) == 2
