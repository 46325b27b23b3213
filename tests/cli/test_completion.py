"""Completion in shells, through the classes of click and in bash."""

import gzip
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.shell_completion import BashComplete

import coverlap as cv
from coverlap.cli import program
from coverlap.files.registry import FORMATS

BASH = shutil.which("bash")


@pytest.fixture(autouse=True)
def files() -> None:
    Path("left.csv").write_text('unique_id,"size, in m",entity\n1,2,3\n')
    Path("right.tsv").write_text("record\tentity\n1\t2\n")
    table = pa.table({"node": [1], "community": [1]})
    pq.write_table(table, "found.parquet")
    with pa.ipc.new_file("found.arrow", table.schema) as writer:
        writer.write_table(table)


def completed(*words: str) -> list[str]:
    *args, incomplete = words
    complete = BashComplete(program, {}, "coverlap", "_COVERLAP_COMPLETE")
    return [item.value for item in complete.get_completions(args, incomplete)]


def test_commands_and_options_are_completed():
    assert completed("c") == ["compare", "convert"]
    assert completed("scores", "--fail") == ["--fail-below", "--fail-above"]


def test_measures_and_those_of_bars_are_completed():
    for words in (["a", "b", "--measure"], ["-m", "ari", "-m"]):
        assert completed("scores", *words, "") == [*cv.MEASURES, *cv.MEASURES.aliases]
        assert completed("scores", *words, "pair_p") == ["pair_precision"]
    for option in ("--fail-below", "--fail-above"):
        assert completed("scores", "a", "b", option, "nmi_m") == ["nmi_max=", "nmi_min="]
    assert completed("scores", "a", "b", "--fail-below", "ari=") == []


def test_formats_and_rules_are_completed():
    assert completed("compare", "--format", "") == ["auto", *FORMATS]
    assert completed("compare", "--format-right", "pa") == ["pairs", "parquet"]
    assert completed("convert", "--to", "pa") == ["pairs", "parquet"]
    assert completed("compare", "--universe", "int") == ["intersection", "int"]  # or a file


def test_columns_of_the_files_are_completed():
    both = ["compare", "left.csv", "right.tsv"]
    every = ["unique_id", "size, in m", "entity", "record"]
    assert completed(*both, "--object", "") == every
    assert completed(*both, "--object-right", "") == ["record", "entity"]
    assert completed(*both, "--object", "x", "--cluster-left", "e") == ["entity"]
    assert completed(*both, "--cluster-left", "x", "--object", "u") == ["unique_id"]
    assert completed("describe", "found.parquet", "--cluster", "") == ["node", "community"]
    assert completed("convert", "found.arrow", "new.csv", "--object", "n") == ["node"]
    several = completed("matrix", "left.csv", "found.arrow", "--object", "")
    assert several == [*every[:3], "node", "community"]


def test_a_compressed_parquet_file_is_not_copied_to_complete_its_columns():
    Path("a.parquet.gz").write_bytes(gzip.compress(Path("found.parquet").read_bytes()))
    Path("b.parquet").write_bytes(Path("a.parquet.gz").read_bytes())
    for name in ("a.parquet.gz", "b.parquet"):
        assert cv.read_clustering(name).to_dict() == {1: {1}}
        assert completed("describe", name, "--object", "") == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.parquet", b"PAR1 broken"), ("a.arrow", b"ARROW1 broken"), ("a.csv", b""),
        ("a.csv", b"\xff\xfe\0"), ("a.csv.gz", b"\x1f\x8bbroken"), ("a.json", b"[1, 2]"),
    ],
)  # fmt: skip
def test_files_without_columns_and_damaged_ones_complete_nothing_and_are_no_error(
    name: str, content: bytes
):
    Path(name).write_bytes(content)
    assert completed("describe", name, "--object", "") == []


def test_what_is_not_a_file_is_not_opened():
    os.mkfifo("pipe.csv")
    for name in ("pipe.csv", "none.csv", "-", "."):
        assert completed("describe", name, "--object", "") == []


@pytest.mark.skipif(BASH is None, reason="needs bash")
def test_completion_works_in_bash(tmp_path: Path):
    tool = tmp_path / "bin" / "coverlap"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m coverlap "$@"\n')
    tool.chmod(0o755)
    script = """
        eval "$(_COVERLAP_COMPLETE=bash_source coverlap)"
        complete -p coverlap
        COMP_WORDS=(coverlap compare left.csv right.tsv --object-right r)
        COMP_CWORD=5
        _coverlap_completion coverlap
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    environment = {**os.environ, "PATH": f"{tool.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [BASH, "--norc", "-c", script], capture_output=True, text=True, check=False,
        env=environment, timeout=60,
    )  # fmt: skip
    assert done.stderr == ""
    setting, *found = done.stdout.splitlines()
    assert "_coverlap_completion coverlap" in setting
    assert found == ["record"]
