"""The file of a report: its bytes, its size, and where it is written."""

import gzip
import re
import subprocess
import sys

import numpy as np
import pytest

import coverlap as cv
from coverlap.generate import random_clustering, shuffled
from tests.report.reading import section_of, sort_by

MOST_BYTES = 4_000_000


def comparison(**options):
    return cv.compare([0, 0, 0, 1, 1, -1], [0, 0, 1, 1, 1, 1], **options)


def test_the_same_comparison_gives_the_same_bytes(tmp_path):
    page = comparison().to_html(title="T", command="c")
    assert page == comparison().to_html(title="T", command="c")
    comparison().to_html(tmp_path / "a.html", title="T", command="c")
    assert (tmp_path / "a.html").read_bytes() == page.encode()
    assert page.startswith("<!DOCTYPE html>\n")
    assert page.endswith("</html>\n")


def test_a_name_that_ends_in_gz_is_compressed(tmp_path):
    comparison().to_html(tmp_path / "a.html.gz")
    assert gzip.decompress((tmp_path / "a.html.gz").read_bytes()).decode() == comparison().to_html()
    assert [path.name for path in tmp_path.iterdir()] == ["a.html.gz"]


def test_a_report_that_fails_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "a.html"
    path.write_text("before", encoding="utf-8")
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "disk full")))
    with pytest.raises(cv.FileError, match="disk full"):
        comparison().to_html(path)
    assert path.read_text(encoding="utf-8") == "before"
    assert [one.name for one in tmp_path.iterdir()] == ["a.html"]


def test_a_page_keeps_its_limit_though_pictures_and_first_rows_are_large(monkeypatch):
    left = random_clustering(20_000, 2_000, seed=0)
    names = [f"{i:0100}" for i in range(2_000)]
    result = cv.compare(left, [names[i] for i in shuffled(left, seed=0).to_labels()])
    monkeypatch.setattr("coverlap.results.report.DATA_BYTES", 400_000)
    limit = 450_000
    assert len(result.to_html().encode()) > limit
    monkeypatch.setattr("coverlap.results.report.MOST_BYTES", limit)
    assert len(result.to_html().encode()) <= limit


@pytest.mark.parametrize("name", ["no/such/folder/a.html", "", "a\x00b.html"])
def test_bad_paths_are_reported(tmp_path, name):
    with pytest.raises(cv.FileError):
        comparison().to_html(f"{tmp_path}/{name}")


@pytest.mark.parametrize("option", ["title", "command"])
def test_title_and_command_must_be_text(option):
    with pytest.raises(cv.OptionError, match=f"{option} must be a str, not 5"):
        comparison().to_html(**{option: 5})


def test_a_title_has_a_limit():
    assert "x" * 1000 in comparison().to_html(title="x" * 1000)
    with pytest.raises(cv.OptionError, match="at most 1,000 characters, not 1,001"):
        comparison().to_html(title="x" * 1001)


def test_without_a_title_the_names_of_the_sides_are_the_title():
    page = comparison(names=("<a>", "b")).to_html()
    assert "<title>&lt;a&gt; and b</title>" in page
    assert "<h1>&lt;a&gt; and b</h1>" in page
    assert "<title>x &amp; \\n\\ud800</title>" in comparison().to_html(title="x & \n\ud800")


def test_the_command_is_shown_only_if_there_is_one():
    assert "by this command:" not in comparison().to_html()
    assert "<pre><code>&lt;x&gt;\n\\ud800</code></pre>" in comparison().to_html(
        command="<x>\n\ud800"
    )


def test_reports_are_imported_only_when_they_are_made():
    code = (
        "import sys, coverlap as cv; c = cv.compare([0, 1], [0, 0]); c.changes(); print(c);"
        "assert not [m for m in sys.modules if m.startswith(('coverlap.report', 'coverlap.pictures'"
        ", 'coverlap.results.report'))]; c.to_html(); assert 'coverlap.report.page' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_a_page_asks_for_nothing_from_elsewhere():
    page = comparison().to_html()
    addresses = set(re.findall(r"""(?:https?:)?//[\w.][^\s"'<]*""", page))
    assert not {one for one in addresses if one.startswith("http")}
    assert "src=" not in page.replace("img-src", "").replace("script-src", "")


# Many clusters; each test prints what it measures.


def million(n_clusters=100_000):
    left = random_clustering(1_000_000, n_clusters, seed=0)
    return [left, shuffled(left, 0.3, seed=0)]


def hexadecimal(n, seed):
    data = np.random.default_rng(seed).bytes(16 * n).hex()
    return [data[i : i + 32] for i in range(0, len(data), 32)]


def random_names():
    objects, sides = hexadecimal(1_000_000, 1), []
    for seed, side in enumerate(million(), 2):
        names = hexadecimal(100_000, seed)
        clusters = [names[label] for label in side.to_labels()]
        sides.append(cv.Clustering.from_labels(clusters, objects=objects))
    return cv.compare(*sides)


def long_names():
    """Compare clusterings whose names have 200 characters, each of which takes five in HTML."""
    names = [f"{'&' * 168}{name}" for name in hexadecimal(20_000, 5)]
    sides = [[names[i] for i in side.to_labels()[:200_000]] for side in million(20_000)]
    return cv.compare(*sides, names=("&" * 200, '"' * 200))


LARGE = {
    "random names": random_names,
    "long names": long_names,
    "one cluster": lambda: cv.compare(million()[0], np.zeros(1_000_000, int)),
    "all in clusters of one": lambda: cv.compare(np.arange(1_000_000), np.arange(1_000_000) // 2),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", LARGE)
def test_large_reports_are_small_and_all_their_rows_can_be_seen(open_page, tmp_path, case):
    made = LARGE[case]()
    path = tmp_path / "large.html"
    made.to_html(path)
    size = path.stat().st_size
    page = open_page(path)
    timing = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    sys.stdout.write(f"{case}: {size:,} bytes, loaded in {timing:.0f} ms\n")
    assert size < MOST_BYTES
    for name in ("changes", "clusters", "moved"):
        section = section_of(page, name)
        if not section.count():
            continue
        caption = section.locator("caption").inner_text()
        sys.stdout.write(f"  {name}: {section.get_by_role('status').inner_text()}; {caption}\n")
        sort_by(page, name, 0, descending=True)
        n_rows = int(section.get_by_role("table").get_attribute("aria-rowcount")) - 1
        assert n_rows > 100 or case == "one cluster"
        section.get_by_role("searchbox").fill("zzzzzz")
        section.get_by_text(f"no rows found among {n_rows:,}").first.wait_for()
    left_out = page.get_by_text("the names of the clusters that cost least are left out").count()
    assert (left_out > 0) == (case in {"random names", "all in clusters of one"})
