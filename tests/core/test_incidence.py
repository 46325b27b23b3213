"""Every step over objects or memberships gives the same arrays in any number of threads."""

from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest

from coverlap.core import incidence, threads
from coverlap.core.incidence import Codes, Runs, frozen

THREADS = (1, 2, 3, 7)
SIZES = (0, 1, 2, 3, 5, 8, 64, 701)


@pytest.fixture(params=THREADS)
def team(request, monkeypatch):
    """Use this many threads, even for few objects."""
    monkeypatch.setattr(threads, "SMALL", 0)
    with threads.workers(request.param) as workers:
        yield workers


@pytest.fixture(params=SIZES)
def labels(request):
    """Return labels from -2 on, some of them unused."""
    rng = np.random.default_rng(request.param)
    return rng.integers(-2, 1 + request.param // 9, request.param) * 2


def codes_of(labels):
    return Codes(frozen(labels), int(labels.max(initial=-1)) + 1)


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


def draw_lists(rng, n_lists, n_members):
    """Draw lists, some of them empty, with repeated members in any order."""
    lengths = rng.integers(0, 9, n_lists) * (rng.random(n_lists) < 0.8)
    return [rng.integers(0, n_members, length).tolist() for length in lengths]


@pytest.mark.usefixtures("team")
def test_codes_are_counted_grouped_and_numbered(labels):
    codes, members = codes_of(labels), members_of(labels)
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


@pytest.mark.usefixtures("team")
@pytest.mark.parametrize("n_lists", SIZES)
def test_runs_are_transposed_and_built_from_pairs_in_any_order(n_lists):
    rng = np.random.default_rng(n_lists)
    lists = draw_lists(rng, n_lists, 50)
    expected = [[i for i, run in enumerate(lists) if member in run] for member in range(50)]
    assert lists_of(incidence.transposed(runs_of(lists), 50)) == expected
    pairs = [(member, i) for i, run in enumerate(lists) for member in run]
    objects, clusters = np.array(pairs, np.int64).reshape(-1, 2)[rng.permutation(len(pairs))].T
    built = incidence.runs_of_pairs(objects, clusters, 50, n_lists)
    assert lists_of(built) == [sorted(set(run)) for run in lists]


@pytest.mark.usefixtures("team")
@pytest.mark.parametrize("together", [1, 100, 10**6])
@pytest.mark.parametrize("first", [0, 2**31 - 50, 2**40])
def test_runs_of_many_pairs_are_sorted_and_distinct(first, together, monkeypatch):
    """Also those of one large cluster, and of objects of many bits."""
    monkeypatch.setattr(incidence, "SMALL", 0)
    monkeypatch.setattr(incidence, "SORTED_TOGETHER", together)
    rng = np.random.default_rng(together)
    lists = [*draw_lists(rng, 200, 50), rng.integers(0, 50, 900).tolist(), [], [3]]
    pairs = [(member + first, i) for i, run in enumerate(lists) for member in run]
    objects, clusters = np.array(pairs)[rng.permutation(len(pairs))].T
    built = incidence.runs_of_pairs(objects, clusters, first + 50, len(lists))
    assert lists_of(built) == [sorted({member + first for member in run}) for run in lists]


@pytest.mark.usefixtures("team")
@pytest.mark.parametrize("n_lists", SIZES)
def test_objects_in_several_clusters_are_counted(n_lists):
    lists = [sorted(set(run)) for run in draw_lists(np.random.default_rng(n_lists), n_lists, 50)]
    several = [i for i in range(50) if sum(i in run for run in lists) > 1]
    assert incidence.n_in_several_runs(runs_of(lists), 50) == len(several)


@pytest.mark.usefixtures("team")
@pytest.mark.parametrize("n_lists", SIZES)
def test_runs_are_sorted_only_if_every_run_is(n_lists):
    rng = np.random.default_rng(n_lists)
    lists = [sorted(set(run)) for run in draw_lists(rng, n_lists, 50)]
    assert incidence.are_sorted(runs_of(lists), 50)
    top = max((member for run in lists for member in run), default=0)
    assert incidence.are_sorted(runs_of(lists), top) == (not any(lists))
    for i in [i for i, run in enumerate(lists) if len(run) > 1][:5]:
        assert not incidence.are_sorted(runs_of([*lists[:i], lists[i][::-1], *lists[i + 1 :]]), 50)


@pytest.mark.parametrize("n_lists", SIZES)
def test_fingerprints_do_not_depend_on_threads(n_lists, monkeypatch):
    runs = runs_of([sorted(run) for run in draw_lists(np.random.default_rng(1), n_lists, 50)])
    alone = incidence.fingerprints(runs).tolist()
    monkeypatch.setattr(threads, "SMALL", 0)
    for n_threads in THREADS:
        with threads.workers(n_threads):
            assert incidence.fingerprints(runs).tolist() == alone
    equal = [alone.index(value) for value in alone]
    assert equal == [lists_of(runs).index(run) for run in lists_of(runs)]
