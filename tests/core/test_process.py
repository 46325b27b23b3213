"""Forks while threads work, and threads that work when Python exits."""

import os
import subprocess
import sys

import numpy as np
import pytest

import coverlap as cv
from coverlap.core import threads

FORKS = """
import os, signal, sys, threading, time
import numpy as np
import coverlap as cv

left, right = np.random.default_rng(0).integers(-1, 50, (2, 300_000))
clusters = [{1, 2, 3}, {3, 4}], [{1, 2}, {3, 4, 5}]

def score():
    while True:
        cv.fstar_score(left, right, threads=2)
        cv.scores(*clusters, ["omega", "ecs"], threads=2)

def read():
    while True:
        cv.read_clustering("pairs.csv")
        cv.read_clustering("pairs.parquet")

for work in (score, read):
    threading.Thread(target=work, daemon=True).start()
for step in range(12):
    time.sleep(0.02 * step)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        cv.fstar_score(left, right, threads=2)
        cv.compare(*clusters)
        cv.read_clustering("pairs.csv")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, step
os._exit(0)
"""

EXIT = """
import sys, threading, time
import coverlap as cv

started = threading.Event()

def read():
    while True:
        cv.read_clustering("pairs.parquet")
        started.set()

threading.Thread(target=read, daemon=True).start()
started.wait(60)
time.sleep(float(sys.argv[1]))
"""


@pytest.fixture
def files(tmp_path):
    clustering = cv.Clustering.from_labels(np.arange(100_000) % 977)
    for name in ("pairs.csv", "pairs.parquet"):
        cv.write_clustering(clustering, tmp_path / name)
    return tmp_path


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_children_work_though_the_process_forks_while_threads_work(files):
    command = [sys.executable, "-W", "ignore", "-c", FORKS]
    subprocess.run(command, cwd=files, check=True, timeout=300)


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.0, 0.03, 0.07, 0.11, 0.16])
def test_a_daemon_thread_that_reads_parquet_does_not_abort_the_process(files, delay):
    command = [sys.executable, "-c", EXIT, str(delay)]
    subprocess.run(command, cwd=files, check=True, timeout=120, capture_output=True)


def test_exit_waits_for_blocks_and_a_child_forgets_those_of_its_parent():
    blocks = threads._OpenBlocks()
    blocks.enter()
    blocks.forget()
    blocks.wait()
    assert blocks.exiting


def test_threads_that_cannot_be_started_are_an_error():
    with threads.workers(2) as team:
        team.pool.submit(print).result()
        team.pool.shutdown()
        with pytest.raises(cv.OptionError, match="threads cannot be started"):
            team.run(print, 1)
