"""Run command lines inside the test process."""

import json

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
