import shlex
from importlib.resources import files
from pathlib import Path

import pytest

from coverlap import as_clustering
from coverlap.cli.commands.demo import EXAMPLES
from tests.cli import runner


def run(*args: str) -> str:
    result = runner.run(*args)
    assert result.exit_code == 0
    return result.stdout


def example(folder: str, name: str) -> str:
    return str(files("coverlap.cli") / "examples" / folder / name)


def test_each_command_line_of_the_demo_gives_what_the_demo_shows():
    shown = run("demo")
    commands = [line for line in shown.splitlines() if line.startswith("coverlap compare ")]
    assert len(commands) == len(EXAMPLES)
    for command in commands:
        _, *args = shlex.split(command)
        assert all(Path(path).is_file() for path in args[1:])
        assert f"{command}\n\n{run(*args)}" in shown


def test_each_comparison_of_the_demo_says_what_it_is():
    shown = run("demo")
    for _, _, title in EXAMPLES:
        assert title in shown


def test_the_text_of_the_demo_fits_80_columns():
    lines = [line for line in run("demo").splitlines() if not line.startswith("coverlap ")]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("folder", "name", "expected"),
    [
        ("labels", "truth.txt", (300, 6, 14, False)),
        ("labels", "found.txt", (300, 6, 29, False)),
        ("clubs", "truth.csv", (120, 10, 9, True)),
        ("clubs", "found.csv", (120, 10, 14, True)),
    ],
)
def test_the_examples_hold_what_they_are_for(folder: str, name: str, expected: tuple):
    c = as_clustering(example(folder, name))
    assert (c.n_objects, c.n_clusters, c.n_outliers, c.has_overlaps) == expected


def test_the_examples_split_one_cluster_and_merge_two():
    truth = as_clustering(example("labels", "truth.txt")).to_dict()
    found = as_clustering(example("labels", "found.txt")).to_dict()

    def home(members: set) -> object:
        return max(found, key=lambda name: len(found[name] & members))

    assert home(truth["CD4 T cell"]) == home(truth["CD8 T cell"])
    monocytes = [len(members & truth["Monocyte"]) for members in found.values()]
    assert sorted(monocytes)[-2] >= 10
