"""The example files of a network are what the generators of this package write."""

from importlib.resources import files

from paper.generate.example import write_network


def test_the_bundled_files_are_those_that_are_written(tmp_path):
    write_network(tmp_path)
    network = files("coverlap") / "cli/examples/network"
    for name in ("edges.txt", "truth.csv"):
        assert (tmp_path / name).read_bytes() == (network / name).read_bytes()
