"""Every step over objects or memberships gives the same arrays in any number of threads."""

from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest

from coverlap.core import incidence, threads
from coverlap.core.incidence import Codes, Runs, frozen

THREADS = (1, 2, 3, 7)
SIZES = (0, 1, 2, 3, 5, 8, 64, 701)


@pytest.fixture(params=THREADS, autouse=True)
def _team(request, monkeypatch):
    """Use this many threads, even for few objects."""
    monkeypatch.setattr(threads, "SMALL", 0)
    with threads.workers(request.param):
        yield


def members_of(labels):
    """Return the members of each label that is not negative, sorted by label."""
    found = defaultdict(list)
    for i, label in enumerate(labels.tolist()):
        if label >= 0:
            found[label].append(i)
    return [found[label] for label in sorted(found)]


def runs_of(lists, dtype=np.int32):
    pointers = np.cumsum([0, *map(len, lists)])
    members = [member for run in lists for member in run]
    return Runs(frozen(pointers), frozen(np.array(members, dtype)))


def lists_of(runs):
    bounds = runs.pointers.tolist()
    return [runs.members[a:b].tolist() for a, b in pairwise(bounds)]


def draw_lists(rng, n_lists):
    """Draw lists of 0..49, some of them empty, with repeated members in any order."""
    lengths = rng.integers(0, 9, n_lists) * (rng.random(n_lists) < 0.8)
    return [rng.integers(0, 50, length).tolist() for length in lengths]


@pytest.fixture(params=SIZES)
def lists(request):
    return draw_lists(np.random.default_rng(request.param), request.param)


@pytest.fixture
def distinct(lists):
    return [sorted(set(run)) for run in lists]


@pytest.mark.parametrize("size", SIZES)
def test_codes_are_counted_grouped_and_numbered(size):
    """Labels begin at -2, and some are not used."""
    labels = np.random.default_rng(size).integers(-2, 1 + size // 9, size) * 2
    codes, members = Codes(frozen(labels), int(labels.max(initial=-1)) + 1), members_of(labels)
    assert incidence.largest_code(codes.codes) == max([-1, *labels.tolist()])
    sizes = incidence.code_sizes(codes)
    assert sizes.tolist() == [labels.tolist().count(code) for code in range(codes.n_codes)]
    assert lists_of(incidence.runs_of_codes(codes, sizes)) == members
    numbers = [0] * len(labels)
    for number, cluster in enumerate(members, 1):
        for member in cluster:
            numbers[member] = number
    assert incidence.numbers_of_codes(codes, sizes).tolist() == numbers
    runs = runs_of(members)
    assert incidence.numbers_of_runs(runs, len(labels)).tolist() == numbers
    assert incidence.outliers_of_runs(runs, len(labels)).tolist() == [n == 0 for n in numbers]


def test_runs_are_transposed_and_built_from_pairs_in_any_order(lists, distinct):
    rng = np.random.default_rng(len(lists))
    expected = [[i for i, run in enumerate(lists) if member in run] for member in range(50)]
    assert lists_of(incidence.transposed(runs_of(lists), 50)) == expected
    pairs = [(member, i) for i, run in enumerate(lists) for member in run]
    objects, clusters = np.array(pairs, np.int64).reshape(-1, 2)[rng.permutation(len(pairs))].T
    assert lists_of(incidence.runs_of_pairs(objects, clusters, 50, len(lists))) == distinct


@pytest.mark.parametrize("together", [1, 100, 10**6])
@pytest.mark.parametrize("first", [0, 2**31 - 50, 2**40])
def test_runs_of_many_pairs_are_sorted_and_distinct(first, together, monkeypatch):
    """Also those of one large cluster, and of objects of many bits."""
    monkeypatch.setattr(incidence, "SMALL", 0)
    monkeypatch.setattr(incidence, "SORTED_TOGETHER", together)
    rng = np.random.default_rng(together)
    lists = [*draw_lists(rng, 200), rng.integers(0, 50, 900).tolist(), [], [3]]
    pairs = [(member + first, i) for i, run in enumerate(lists) for member in run]
    objects, clusters = np.array(pairs)[rng.permutation(len(pairs))].T
    built = incidence.runs_of_pairs(objects, clusters, first + 50, len(lists))
    assert lists_of(built) == [sorted({member + first for member in run}) for run in lists]


def test_objects_in_several_clusters_are_counted(distinct):
    several = [i for i in range(50) if sum(i in run for run in distinct) > 1]
    assert incidence.n_in_several_runs(runs_of(distinct), 50) == len(several)


def test_runs_are_sorted_only_if_every_run_is(distinct):
    assert incidence.are_sorted(runs_of(distinct), 50)
    top = max((member for run in distinct for member in run), default=0)
    assert incidence.are_sorted(runs_of(distinct), top) == (not any(distinct))
    for i in [i for i, run in enumerate(distinct) if len(run) > 1][:5]:
        turned = [*distinct[:i], distinct[i][::-1], *distinct[i + 1 :]]
        assert not incidence.are_sorted(runs_of(turned), 50)


def test_fingerprints_of_equal_runs_are_equal_in_any_number_of_threads(lists):
    runs = runs_of(list(map(sorted, lists)))
    found = incidence.fingerprints(runs).tolist()
    with threads.workers(1):
        assert incidence.fingerprints(runs).tolist() == found
    equal = [found.index(value) for value in found]
    assert equal == [lists_of(runs).index(run) for run in lists_of(runs)]
