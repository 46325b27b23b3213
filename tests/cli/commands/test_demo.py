import shlex
from importlib.resources import files
from pathlib import Path

import pytest

from coverlap import Clustering, as_clustering
from coverlap.cli.commands.demo import EXAMPLES
from tests.cli.runner import run


def example(folder: str, name: str) -> Clustering:
    return as_clustering(str(files("coverlap.cli") / "examples" / folder / name))


def test_each_command_line_of_the_demo_gives_what_the_demo_shows_below_its_title():
    shown = run("demo").stdout
    commands = [line for line in shown.splitlines() if line.startswith("coverlap compare ")]
    assert len(commands) == len(EXAMPLES)
    for command in commands:
        _, *args = shlex.split(command)
        assert all(Path(path).is_file() for path in args[1:])
        assert f"{command}\n\n{run(*args).stdout}" in shown
    assert all(title in shown for _, _, title in EXAMPLES)


@pytest.mark.parametrize(
    ("folder", "name", "expected"),
    [
        ("labels", "truth.txt", (300, 6, 14, False)),
        ("labels", "found.txt", (300, 6, 29, False)),
        ("clubs", "truth.csv", (120, 10, 9, True)),
        ("clubs", "found.csv", (120, 10, 14, True)),
        ("network", "truth.csv", (600, 9, 30, True)),
    ],
)
def test_the_examples_hold_what_they_are_for(folder: str, name: str, expected: tuple):
    c = example(folder, name)
    assert (c.n_objects, c.n_clusters, c.n_outliers, c.has_overlaps) == expected


def test_the_examples_split_one_cluster_and_merge_two():
    truth = example("labels", "truth.txt").to_dict()
    found = example("labels", "found.txt").to_dict()

    def home(members: set) -> object:
        return max(found, key=lambda name: len(found[name] & members))

    assert home(truth["CD4 T cell"]) == home(truth["CD8 T cell"])
    monocytes = [len(members & truth["Monocyte"]) for members in found.values()]
    assert sorted(monocytes)[-2] >= 10
