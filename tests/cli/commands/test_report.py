import gzip
from functools import partial
from pathlib import Path

import pytest

import coverlap as cv
from tests.cli import runner

run = partial(runner.run, "report")
error_line = partial(runner.error_line, "report")


@pytest.fixture(autouse=True)
def files() -> None:
    Path("a.txt").write_text("0\n0\n1\n-1\n", encoding="utf-8")
    Path("b.txt").write_text("1\n1\n2\n2\n", encoding="utf-8")


def expected(command: str, title: str | None = None) -> str:
    comparison = cv.compare([0, 0, 1, -1], [1, 1, 2, 2], names=("a.txt", "b.txt"))
    return comparison.to_html(title=title, command=command)


def test_the_report_is_that_of_the_comparison():
    result = run("a.txt", "b.txt", "-o", "out.html")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "score 0.6875 (fstar_wo); report: out.html" in result.stderr
    page = Path("out.html").read_text(encoding="utf-8")
    assert page == expected("coverlap report a.txt b.txt -o out.html")


def test_by_default_the_file_is_report_html():
    assert run("a.txt", "b.txt", "--quiet").stderr == ""
    assert Path("report.html").read_text(encoding="utf-8") == expected(
        "coverlap report a.txt b.txt --quiet"
    )


def test_a_dash_writes_to_standard_output():
    result = run("a.txt", "b.txt", "-o", "-")
    assert result.exit_code == 0
    assert result.stdout == expected("coverlap report a.txt b.txt -o -")
    assert "score 0.6875 (fstar_wo)\n" in result.stderr


def test_title_and_options_are_passed_on():
    arguments = ("a.txt", "b.txt", "--title", "<Run> 'x'", "--similarity", "f1", "-o", "r.html.gz")
    assert run(*arguments).exit_code == 0
    page = gzip.decompress(Path("r.html.gz").read_bytes()).decode()
    assert "<title>&lt;Run&gt; &#x27;x&#x27;</title>" in page
    comparison = cv.compare([0, 0, 1, -1], [1, 1, 2, 2], similarity="f1")
    assert f"F*_wo = {comparison.score:.6f}" in page
    assert "coverlap report a.txt b.txt --title &#x27;&lt;Run&gt; " in page


def test_graphs_give_a_section_of_edges():
    Path("graph.txt").write_text("0 1\n1 2\n2 3\n", encoding="utf-8")
    assert run("a.txt", "b.txt", "--graph", "graph.txt").exit_code == 0
    assert '<section id="edges">' in Path("report.html").read_text(encoding="utf-8")


def test_inputs_are_not_overwritten():
    before = Path("a.txt").read_bytes()
    assert "a.txt" in error_line("a.txt", "b.txt", "-o", "a.txt")
    assert Path("a.txt").read_bytes() == before


def test_bad_targets_are_reported_before_anything_is_read():
    assert "no/such" in error_line("none.txt", "b.txt", "-o", "no/such/r.html")
