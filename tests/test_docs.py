"""The commands and examples of the documentation run."""

import gzip
import re
import shlex
from pathlib import Path

import duckdb
import numpy as np
import pytest
from click.testing import CliRunner

import coverlap as cv
from coverlap.cli import program
from coverlap.files.registry import FORMATS
from coverlap.results.report import VERDICTS
from tests.test_examples import load

ROOT = Path(__file__).parents[1]
NAMES = (
    "README.md", "docs/command-line.md", "docs/files.md", "docs/graphs.md", "docs/libraries.md",
    "docs/measures.md", "docs/changes.md", "docs/pictures.md", "docs/report.md", "docs/scale.md",
)  # fmt: skip
PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in NAMES}


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", PAGES[page], re.DOTALL)


COMMANDS = [
    (page, line)
    for page in PAGES
    for block in blocks(page, "sh")
    for line in block.splitlines()
    if line.startswith("coverlap ")
]
assert len(COMMANDS) >= 9


def run(page, **names):
    """Run the examples of a page in Python one after another, and return their variables."""
    for code in blocks(page, "python"):
        exec(code, names)  # noqa: S102
    return names


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write small files with the names that the pages use."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "com-dblp.all.cmty.txt.gz": "1\t2\t3\n3\t4\n",
        "com-dblp.ungraph.txt.gz": "# edges\n1\t2\n3\t4\n4\t5\n",
        "found.txt": "1 2\n3 4\n",
        "cells.csv": "cell,leiden_0.5,leiden_1.0\nx,0,0\ny,0,1\nz,1,2\n",
        "community.dat": "1\t1\n2\t2\n3\t2\n4\t3\n",
        "found.tsv": "object\tcluster\n1\t7\n2\t7\n3\t8\n4\t\n",
        "clusters.tsv": "representative\tmember\n1\t1\n1\t2\n3\t3\n3\t4\n",
    }.items():
        data = text.encode()
        Path(name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    for name in ("truth", "found"):
        Path(f"{name}.csv").write_text("object,cluster\nann,x\nbob,x\ncyd,y\n")
        cv.write_clustering(cv.Clustering.from_clusters([{1, 2}, {3}]), f"{name}.parquet")
    for number in (1, 2, 3):
        Path(f"run{number}.txt").write_text(f"0\n0\n1\n{number}\n")
    for name in ("old", "new"):
        records = cv.Clustering.from_clusters({"e1": [1, 2], "e2": [3]})
        cv.write_clustering(records, f"{name}.parquet", object="record_id", cluster="cluster_id")
        Path(f"{name}.csv").write_text("object,cluster\n1,a\n2,a\n3,b\n")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("page", "line"), COMMANDS)
def test_a_command_runs(page, line):
    result = CliRunner().invoke(program, shlex.split(line, comments=True)[1:])
    assert result.exit_code == 0, f"{page}: {result.stderr}"


@pytest.mark.usefixtures("files")
def test_the_python_example_of_the_files_runs(capsys):
    run("docs/files.md")
    assert capsys.readouterr().out.startswith("read as: one cluster per line\n4 objects")
    assert cv.read_clustering("clusters.parquet").to_dict() == {1: {1, 2}, 3: {3, 4}}


def test_every_format_is_in_the_table():
    table = PAGES["docs/files.md"].partition("## Formats")[2].partition("## Options")[0]
    rows = [line for line in table.splitlines() if line.startswith("|")]
    for form in FORMATS.values():
        (row,) = (line for line in rows if f"`{form.name}`" in line.split("|")[1])
        assert row.rstrip("| ").endswith("yes") == form.writable
        assert all(f"`{suffix}`" in row for suffix in form.suffixes)


@pytest.mark.usefixtures("files")
def test_the_python_examples_of_the_measures_run():
    names = run("docs/measures.md")
    sides = names["truth"], names["found"]
    assert names["fair"] == cv.score(*sides, "bcubed_f1", outliers_as="singletons")
    assert names["central"] == "seed 1"


@pytest.mark.usefixtures("files")
def test_the_python_example_of_the_report_runs():
    page = run("docs/report.md")["page"]
    assert "<h1>Cell types, run 7</h1>" in Path("report.html").read_text(encoding="utf-8")
    assert "The two clusterings are partly similar." in page


@pytest.mark.usefixtures("files")
def test_the_python_examples_of_large_tables_run():
    records = cv.Clustering.from_clusters({"e1": [1, 2], "e2": [3]})
    for day in ("01", "02"):
        folder = Path("runs", f"2026-{day}")
        folder.mkdir(parents=True)
        path = folder / "part-0.parquet"
        cv.write_clustering(records, path, object="record_id", cluster="entity_id")
    Path("scratch").mkdir()
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE nodes AS SELECT unnest([1, 2, 3]) AS id, 7 AS community")
        names = {"connection": connection}
        *examples, of_spark = blocks("docs/scale.md", "python")
        for code in examples:
            exec(code, names)  # noqa: S102
    assert names["result"].score == 1.0
    assert "SparkSession" in of_spark
    assert not list(Path("scratch").iterdir())


def test_the_report_has_the_verdicts_that_its_page_describes():
    text = " ".join(PAGES["docs/report.md"].split()).replace(" on,", ",")
    said = ", ".join(f"'{words}' from {least}" for least, words in VERDICTS[1:-1])
    assert f"{said}, and otherwise '{VERDICTS[-1][1]}'" in text


def test_the_python_examples_of_the_graphs_run(capsys):
    names = run("docs/graphs.md")
    said = capsys.readouterr().out
    assert said.startswith(f"F*_wo = {names['by_vertices']:.6f}   truth and found")
    assert f"F*_wo = {names['by_edges']:.6f}   of the graph's edges" in said
    assert said.splitlines()[-1].startswith("right is a clustering of edges: ")
    assert repr(names["graph"]) == "Graph(600 vertices, 2,744 edges)"
    assert (names["truth"].n_clusters, names["truth"].n_outliers) == (9, 30)
    assert names["adjacency"].shape == (600, 600)


def test_the_table_of_measures_is_that_of_the_registry():
    table = PAGES["docs/measures.md"].partition("## All of them")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    assert rows == [described(measure) for measure in cv.MEASURES.values()]


def described(measure):
    low, high = (f"{end:g}".replace("inf", "∞") for end in measure.range)
    chance = "-" if measure.chance is None else f"{measure.chance:g}"
    cells = [
        f"`{measure.name}`", measure.title.replace("*", "\\*"), f"{low} to {high}",
        "same" if measure.symmetric else "differ", measure.overlaps, measure.outliers, chance,
        measure.cost, measure.reference,
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def test_the_search_over_hdbscan_runs_and_prefers_the_best_setting():
    rng = np.random.default_rng(0)
    points = np.vstack([rng.normal(0, 0.3, (40, 2)), rng.normal(5, 0.3, (40, 2)), [[20, -20]]])
    names = run("docs/libraries.md", cv=cv, X=points, y=[0] * 40 + [1] * 40 + [None])
    search = names["search"]
    scores = [
        cv.fstar_score(names["y"], names["HDBSCAN"](**setting, copy=True).fit_predict(points))
        for setting in search.cv_results_["params"]
    ]
    assert search.cv_results_["mean_test_score"].tolist() == scores
    assert search.best_score_ == max(scores) > 0.9


def test_the_table_of_the_example_is_what_the_example_computes():
    """Other versions of scikit-learn assign a few of the 1,200 points differently."""
    example = load("tune_hdbscan")
    points, truth = example.make_points()
    tuned = example.tune_by_grid(points, truth).best_estimator_
    rows = example.score_all(points, truth, tuned)
    for row in rows:
        name = re.escape(row.name.replace("*", r"\*"))
        (cells,) = re.findall(rf"^\| {name} \| (.*) \|$", PAGES["docs/libraries.md"], re.MULTILINE)
        outliers, *scores = cells.split(" | ")
        assert outliers == f"{row.outliers:.0%}"
        expected = [row.fstar_wo, row.ari_clustered, row.ari_classified]
        assert [float(score) for score in scores] == pytest.approx(expected, abs=0.01)
    assert max(row.fstar_wo for row in rows) == next(r.fstar_wo for r in rows if "tuned" in r.name)


def test_the_python_examples_of_the_changes_run(capsys):
    names = run("docs/changes.md")
    assert capsys.readouterr().out == blocks("docs/changes.md", "text")[0]
    assert names["cells"]["moved"].tolist() == [False, False, False, True, False, False]


@pytest.mark.usefixtures("files")
def test_the_python_examples_of_the_pictures_run_and_show_every_function():
    run("docs/pictures.md")
    assert Path("heat_map.png").stat().st_size > 10_000
    assert Path("both.svg").read_text(encoding="utf-8").startswith("<?xml")
    for name in cv.plot.__all__:
        assert f"cv.plot.{name}(" in "".join(blocks("docs/pictures.md", "python"))
        assert f"| `{name}(" in PAGES["docs/pictures.md"]


def test_every_check_of_the_theorems_exists_and_every_theorem_has_one():
    text = (ROOT / "docs/theory.md").read_text(encoding="utf-8")
    named = re.findall(r"`(theorem_\w)\.(\w+)`", text)
    assert {module for module, _ in named} == {f"theorem_{letter}" for letter in "abcde"}
    for module, name in named:
        code = (ROOT / "paper" / "theory" / f"{module}.py").read_text(encoding="utf-8")
        assert re.search(rf"^(def )?{name}\b", code, re.MULTILINE), f"{module}.{name}"


@pytest.mark.parametrize("page", ["docs/paper.md", "docs/theory.md"])
def test_links_within_the_theory_lead_somewhere(page):
    folder = ROOT / "docs"
    text = (ROOT / page).read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\(([\w./-]*)#([\w-]+)\)", text):
        linked = (folder / (target or page.removeprefix("docs/"))).read_text(encoding="utf-8")
        assert anchor in map(anchor_of, re.findall(r"^#+ (.*)$", linked, re.MULTILINE))
    for target in re.findall(r"\]\((?!https?:)([\w./-]+)\)", text):
        assert (folder / target).exists()


def anchor_of(heading):
    """Return the anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_the_tests_that_the_pages_of_the_theory_name_exist():
    pages = [ROOT / "docs/paper.md", ROOT / "docs/theory.md"]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    names = re.findall(r"`[\w/.]*::(test_\w+)`", text)
    assert len(names) >= 5
    tests = "".join(path.read_text() for path in (ROOT / "paper" / "tests").glob("test_*.py"))
    assert [name for name in names if f"def {name}(" not in tests] == []


def test_the_pictures_of_the_changes_have_the_words_beside_them():
    page = PAGES["docs/changes.md"]
    picture = "`([^`.]*)`"
    drawn = re.findall(rf"^\| (\w+)(?:, (\w+))? \| {picture} \| {picture} \|", page, re.MULTILINE)
    assert len(drawn) == 9
    for word, detail, *pictures in drawn:
        universe = set(re.findall(r"\w", "".join(pictures)))
        sides = [
            cv.Clustering.from_clusters(
                map(set, re.findall(r"\[(\w+)\]", picture)), universe=sorted(universe)
            )
            for picture in pictures
        ]
        rows = cv.compare(*sides).changes(same=True).to_dict()["rows"]
        found = [
            (row["change"], row["detail"] or "") for row in rows if row["change"] != "outliers"
        ]
        assert found == [(word, detail)]
