"""Run the samples of experiments side by side, in processes."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from time import perf_counter
from typing import NamedTuple

import numpy as np

from coverlap.core.threads import number_of_cores
from coverlap.experiments.experiment import Experiment, Floats, Scale
from coverlap.experiments.results import Values

SEED = 2602_14855
"""The paper's number at arXiv. It was chosen before any result was seen."""

Progress = Callable[[str, int, int], None]
"""Is told the name of an experiment, and how many of its samples are done, of how many."""


class _Drawn(NamedTuple):
    x: Floats
    values: Floats
    seconds: float


def run(
    experiments: Sequence[Experiment],
    scale: Scale,
    *,
    stated: bool = True,
    n_workers: int | None = None,
    progress: Progress | None = None,
) -> list[Values]:
    """Run experiments, and return their values in the same order.

    Every sample has random numbers of its own, so results do not depend on the number of workers.
    ``stated`` asks for the number of samples that the paper states, where the scale has none.
    """
    results = []
    with _workers(n_workers or number_of_cores()) as pool:
        for experiment in experiments:
            n = experiment.n_samples(scale, stated=stated)
            start = perf_counter()
            drawn = _draw_all(pool, experiment, scale, n, progress)
            x, values = (np.array([sample[i] for sample in drawn]) for i in range(2))
            results.append(Values(experiment, x, values, perf_counter() - start))
    return results


@contextmanager
def _workers(n: int) -> Iterator[ProcessPoolExecutor | None]:
    if n == 1:
        yield None
        return
    # To fork a process whose threads hold locks can hang, so workers start afresh.
    with ProcessPoolExecutor(n, mp_context=get_context("spawn")) as pool:
        yield pool


def _draw_all(
    pool: ProcessPoolExecutor | None,
    experiment: Experiment,
    scale: Scale,
    n: int,
    progress: Progress | None,
) -> list[_Drawn]:
    told = progress or (lambda *_: None)
    told(experiment.name, 0, n)
    if pool is None:
        drawn = []
        for i in range(n):
            drawn.append(_draw(experiment, scale, i))
            told(experiment.name, i + 1, n)
        return drawn
    tasks: dict[Future[_Drawn], int] = {
        pool.submit(_draw, experiment, scale, i): i for i in range(n)
    }
    for done, _ in enumerate(as_completed(tasks), 1):
        told(experiment.name, done, n)
    return [task.result() for task in sorted(tasks, key=tasks.__getitem__)]


def _draw(experiment: Experiment, scale: Scale, sample: int) -> _Drawn:
    """Draw one sample; its random numbers are told by the experiment's name and its number."""
    start = perf_counter()
    key = (SEED, *experiment.name.encode(), sample)
    x, values = experiment.sample(np.random.default_rng(key), scale)
    return _Drawn(x, values, perf_counter() - start)
