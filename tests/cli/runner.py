"""Run command lines inside the test process."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from click.testing import CliRunner, Result

from coverlap.cli import program


def run(*args: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(program, args, prog_name="coverlap", input=stdin)


def run_json(*args: str) -> dict:
    result = run(*args, "--json", "--quiet")
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def error_line(*args: str, stdin: str | bytes | None = None) -> str:
    """Run a command line with a mistake, and return the one line that reports it."""
    result = run(*args, stdin=stdin)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert isinstance(result.exception, SystemExit)
    assert result.stderr.startswith("coverlap: error: ")
    assert result.stderr.count("\n") == 1
    assert result.stderr.endswith("\n")
    return result.stderr.removeprefix("coverlap: error: ").rstrip("\n")


def write(name: str, *lines: str) -> None:
    Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read_rows(path: str) -> list[dict[str, Any]]:
    """Return the rows of a table in a Parquet, Arrow or JSON file."""
    if path.endswith((".parquet", ".pq")):
        return pq.read_table(path).to_pylist()
    if path.endswith((".arrow", ".feather")):
        return pa.ipc.open_file(path).read_all().to_pylist()
    return json.loads(Path(path).read_text(encoding="utf-8"))
