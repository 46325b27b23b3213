"""Random command lines: the exit code is 0, 1 or 2, and bad input gives one line of error."""

import os
from pathlib import Path
from random import Random

import click
from click.testing import CliRunner

from coverlap.cli import program
from tests.fuzz.files import ALL_BASES, SUFFIXES, damaged_file

WORDS = [
    "", "0", "1", "-1", "0.5", "2", "nan", "inf", "1e400", "9" * 30, "a", "object", "cluster", "x",
    "é", "\udcff", "-", "--", "left", "union", "jaccard", "ari", "nmi", "comma", "tab", ",",
    "ari=0.5", "vi=0.1", "omega=2", "x=", "keep", "m.parquet", "m.tsv", "m.json",
    "/dev/null", "/", ".", "no/such/file", "*", "%s", "{}", "\n",
]  # fmt: skip


def run(random: Random, folder: Path) -> str:
    """Run a random command on good and on damaged files."""
    names = [_file(random, folder, number) for number in range(3)]
    name = random.choice(list(program.commands))
    command = program.commands[name]
    args = [name]
    for param in command.params:
        if isinstance(param, click.Argument):
            times = random.choice((1, 2, 3)) if param.nargs == -1 else 1
            args += [_word(random, names, 0.9) for _ in range(times)]
        elif isinstance(param, click.Option) and random.random() < 0.1:
            args.append(random.choice(param.opts))
            if not param.is_flag:
                args.append(_value(random, param, names))
    if random.random() < 0.1:
        args.insert(random.randint(0, len(args)), random.choice(WORDS))
    stdin = damaged_file(random)[1] if "-" in args else b""
    before = Path.cwd()
    os.chdir(folder)
    try:
        result = CliRunner().invoke(program, args, prog_name="coverlap", input=stdin)
    finally:
        os.chdir(before)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise AssertionError(args) from result.exception
    assert result.exit_code in (0, 1, 2), (args, result.exit_code)
    if result.exit_code == 2:
        line = result.stderr.rstrip("\n").split("\n")[-1]
        assert line.startswith("coverlap: error: "), (args, result.stderr)
        assert "Traceback" not in result.stderr, args
    assert not list(folder.rglob("*.part")), args
    return ("answered", "below", "rejected")[result.exit_code]


def _file(random: Random, folder: Path, number: int) -> str:
    name = f"{number}{random.choice(SUFFIXES)}"
    if random.random() < 0.5:
        data = damaged_file(random)[1]
    else:
        data = random.choice(random.choice(list(ALL_BASES.values())))
    (folder / name).write_bytes(data)
    return name


def _word(random: Random, names: list[str], share: float) -> str:
    return random.choice(names) if random.random() < share else random.choice(WORDS)


def _value(random: Random, param: click.Option, names: list[str]) -> str:
    if isinstance(param.type, click.Choice) and random.random() < 0.8:
        return str(random.choice(list(param.type.choices)))
    return _word(random, names, 0.3)
