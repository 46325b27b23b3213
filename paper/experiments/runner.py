"""Run the samples of experiments in parallel processes."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from threading import Thread, current_thread, main_thread
from time import perf_counter

import numpy as np

from paper.experiments.experiment import Experiment, Sample, Scale, Values

SEED = 2602_14855
"""The arXiv number of the paper, chosen before any result was known."""

Progress = Callable[[str, int, int], None]
"""A function of the name of an experiment, the number of finished samples, and of all samples."""


def run_experiments(
    experiments: Sequence[Experiment],
    scale: Scale,
    *,
    stated: bool = True,
    n_workers: int | None = None,
    progress: Progress = lambda *_: None,
) -> list[Values]:
    """Run experiments and return their values in the same order.

    Each sample has its own random generator, so results do not depend on the number of workers.
    An error, Ctrl-C, or the end of this process by any signal ends all workers.

    Parameters
    ----------
    experiments : sequence of Experiment
    scale : Scale
    stated : bool
        Whether to run the number of samples that the paper states, not the number that it
        stored. A number of samples in the scale has precedence over both.
    n_workers : int, optional
        Number of processes, by default the number of cores.
    progress : function
        Called before the first sample of an experiment and after each one.
    """
    results = []
    with _process_pool(n_workers or number_of_cores()) as pool:
        for experiment in experiments:
            n_samples = experiment.n_samples(scale, stated=stated)
            start = perf_counter()
            samples = _draw_samples(pool, experiment, scale, n_samples, progress)
            x = np.array([sample.x for sample in samples])
            values = np.array([sample.values for sample in samples])
            results.append(Values(experiment, x, values, perf_counter() - start))
    return results


def number_of_cores() -> int:
    """Return the number of cores that this process may use."""
    known = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1


@contextmanager
def _process_pool(n_workers: int) -> Iterator[ProcessPoolExecutor | None]:
    """Start worker processes, or none if one is enough, and end them whatever happens."""
    if n_workers == 1:
        yield None
        return
    context = get_context("spawn")  # a fork of a process whose threads hold locks can hang
    # Only this process has the end of the pipe that is never written to, so workers see that it
    # is closed even if this process is killed.
    watched, held = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        n_workers, mp_context=context, initializer=_exit_when_closed, initargs=(watched,)
    )
    try:
        yield pool
        pool.shutdown()
    finally:
        held.close()
        pool.shutdown(cancel_futures=True)
        watched.close()


def _exit_when_closed(pipe: Connection) -> None:
    """End this worker, in the middle of a sample if need be, when the pipe is closed."""

    def watch() -> None:
        wait([pipe])
        os._exit(1)

    Thread(target=watch, daemon=True).start()


@contextmanager
def _interrupts_delayed() -> Iterator[None]:
    """Delay Ctrl-C in this process, and disable it in processes started meanwhile.

    A terminal sends it to all processes, and workers would print tracebacks.
    """
    if not hasattr(signal, "pthread_sigmask") or current_thread() is not main_thread():
        yield
        return
    seen: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: seen.append(number))
    # Workers inherit the mask. It is not enough here: threads of libraries receive signals, too.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
        if seen:
            signal.raise_signal(signal.SIGINT)


def _draw_samples(
    pool: ProcessPoolExecutor | None,
    experiment: Experiment,
    scale: Scale,
    n_samples: int,
    progress: Progress,
) -> list[Sample]:
    progress(experiment.name, 0, n_samples)
    if pool is None:
        samples = []
        for i in range(n_samples):
            samples.append(_draw_sample(experiment, scale, i))
            progress(experiment.name, i + 1, n_samples)
        return samples
    with _interrupts_delayed():
        tasks = [pool.submit(_draw_sample, experiment, scale, i) for i in range(n_samples)]
    for n_done, task in enumerate(as_completed(tasks), 1):
        task.result()  # raises the error of a sample before the others are finished
        progress(experiment.name, n_done, n_samples)
    return [task.result() for task in tasks]


def _draw_sample(experiment: Experiment, scale: Scale, number: int) -> Sample:
    """Draw one sample; its name and number determine its random generator."""
    key = (SEED, *experiment.name.encode(), number)
    return experiment.sample(np.random.default_rng(key), scale)
