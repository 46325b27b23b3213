"""The HTML form of results and clusterings, which notebooks show."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

import coverlap as cv
from coverlap.results.text import plain
from tests.results.test_results import LEFT, MAKERS, RIGHT

COVER = {"a": {0, 1}, "b": {1, 2, 3}, "c": {4, 5}}
CLUSTERING = {
    "Clustering": lambda: cv.Clustering.from_clusters(COVER, universe=range(7)),
    "Clustering without clusters": lambda: cv.Clustering.from_labels([-1, -1]),
}
EVERY = MAKERS | CLUSTERING
NOT_PRINTED_AS_TABLES = {"Baseline", "Expectation", "Interval", "ObjectScores", "Estimate", "Fates"}

every_result = pytest.mark.parametrize("make", EVERY.values(), ids=EVERY)
SAFE = {"div", "style", "p", "br", "strong", "em", "table", "thead", "tbody", "tr", "th", "td"}


class Page(HTMLParser):
    """Collects what a browser would show, and fails if a tag is not closed in its place."""

    def __init__(self, shown: object) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[list[str]] = []
        self.lines, self.style = [""], ""
        self.feed(shown._repr_html_())
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in {"br", "p"}:
            self.lines.append("")
        if tag == "tr":
            self.rows.append([])
        if tag in {"th", "td"}:
            self.rows[-1].append("")
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] == "style":
            self.style += data
        elif "tr" in self.open:
            self.rows[-1][-1] += data
        else:
            self.lines[-1] += data


@every_result
def test_the_html_is_one_division_of_plain_elements_without_links_and_scripts(make):
    page = Page(make())
    tag, attributes = page.tags[0]
    assert tag == "div"
    # Dollar signs are no formulas.
    assert {"tex2jax_ignore", "mathjax_ignore"} < {*attributes["class"].split()}
    assert [tag for tag, _ in page.tags].count("div") == 1
    assert {tag for tag, _ in page.tags} <= SAFE
    assert {name for _, attributes in page.tags for name in attributes} <= {"class", "scope"}
    assert re.findall(r"url|import|//|expression", page.style) == []


@every_result
def test_the_style_fits_any_background_and_holds_for_coverlap_only(make):
    style = Page(make()).style
    assert {*re.findall(r"color:([^;}]+)", style)} == {"inherit", "currentColor"}
    assert "background" not in style
    assert {*re.findall(r"rgba?\(([^)]*)", style)} == {"128,128,128,.3"}  # a grey, for lines
    selectors = re.findall(r"([^{}]+)\{", style)
    assert len(selectors) > 5
    assert all(one.startswith(".coverlap") for some in selectors for one in some.split(","))


@pytest.mark.parametrize("name", sorted(MAKERS.keys() - NOT_PRINTED_AS_TABLES))
def test_the_html_has_the_tables_and_the_lines_that_are_printed(name):
    result = MAKERS[name]()
    page = Page(result)
    shown = [line.split() for line in [*page.lines, *map(" ".join, page.rows)]]
    printed = [line.split() for line in plain(result, 500).splitlines()]
    rules = [line for line in printed if {*"".join(line)} == {"─"}]
    assert len(rules) == [tag for tag, _ in page.tags].count("table") > 0
    assert sorted(filter(None, [*shown, *rules])) == sorted(filter(None, printed))


@every_result
def test_rows_and_columns_begin_with_their_header(make):
    cells = [(tag, attributes) for tag, attributes in Page(make()).tags if tag in {"th", "td"}]
    assert all((tag == "th") == ("scope" in attributes) for tag, attributes in cells)
    if make is MAKERS["PairwiseScores"]:
        # The names of the three clusterings have no title, and the mean comes before the scores.
        scopes = [attributes.get("scope") for _, attributes in cells]
        assert scopes == [None, *["col"] * 4, *["row", None, None, None, None] * 3]


def test_numbers_are_marked_and_names_are_not():
    page = Page(cv.Clustering.from_labels([7, 7, 8]))
    kinds = [attributes["class"] for tag, attributes in page.tags if tag in {"th", "td"}]
    assert page.rows == [["cluster", "size"], ["7", "2"], ["8", "1"]]
    assert kinds == ["name", "number"] * 3
    assert re.search(r"td\.number[^}]*text-align:right", page.style)
    assert "font-variant-numeric:tabular-nums" in page.style


# Results without a printed table


def test_a_result_of_one_row_has_a_line_for_each_value():
    page = Page(cv.Estimate(0.25, 1.234e-5, 1200))
    assert page.lines == ["", "Estimate"]
    assert page.rows == [
        ["", "value"], ["score", "0.250000"], ["error", "1.23e-05"], ["n_sampled", "1,200"],
    ]  # fmt: skip


def test_the_values_of_inference_are_readable():
    draws = np.array([0.5, 0.5, 1.0, 1.0])
    interval = dict(Page(cv.Interval("ari", 0.75, -0.25, 1.0, 0.95, draws)).rows[1:])
    assert interval == {
        "measure": "ari", "value": "0.750000", "low": "-0.250000", "high": "1.000000",
        "level": "0.950000", "n_draws": "4", "standard_error": "0.288675", "bias": "0.000000",
    }  # fmt: skip
    # Equal draws have no standard deviation, so z is not defined.
    baseline = dict(Page(cv.Baseline("ari", "permute", 0.5, np.zeros(3))).rows[1:])
    assert (baseline["z"], baseline["p"], baseline["quantile_0.5"]) == ("-", "0.250000", "0.000000")


def test_the_ids_of_objects_are_written_as_they_are():
    ids = np.array([10_000, 0.5, None, "x"], dtype=object)
    page = Page(cv.ObjectScores(ids, np.array([1.0, 0.5, 0.25, 0.999_999_9])))
    assert page.rows == [
        ["object", "score"], ["10000", "1.000000"], ["0.5", "0.500000"], ["-", "0.250000"],
        ["x", "0.9999999"],
    ]  # fmt: skip


# Clusterings


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("Clustering", [["cluster", "size"], ["b", "3"], ["a", "2"], ["c", "2"]]),
        ("Clustering without clusters", []),
    ],
)
def test_a_clustering_shows_its_description_and_its_largest_clusters_first(name, rows):
    clustering = CLUSTERING[name]()
    page = Page(clustering)
    assert page.lines == ["", "Clustering", *clustering.describe().splitlines()]
    assert page.rows == rows


# Long and wide tables


def test_the_largest_clusters_are_those_of_a_long_table():
    sizes = [*range(1, 26)]  # cluster i has i + 1 members
    page = Page(cv.Clustering.from_labels(np.repeat(np.arange(25), sizes)))
    assert page.rows[1:] == [[str(i), str(i + 1)] for i in range(24, 4, -1)]
    assert page.lines[-1] == "… 5 more rows"


@pytest.mark.parametrize(
    ("n", "said"), [(20, "ObjectScores"), (21, "… 1 more row"), (1254, "… 1,234 more rows")]
)
def test_long_tables_are_cut_and_say_so(n, said):
    page = Page(cv.ObjectScores(np.arange(n), np.full(n, 0.5)))
    assert page.rows[1:] == [[str(i), "0.500000"] for i in range(20)]
    assert page.lines[-1] == said


def test_wide_tables_are_cut_and_say_so():
    page = Page(cv.pairwise([LEFT] * 45))  # columns: the name, the mean and 45 scores
    assert [len(row) for row in page.rows] == [40] * 41
    assert page.rows[0] == ["", "mean", *map(str, range(38))]
    assert "… 5 more rows and 7 more columns" in page.lines


def test_all_measures_are_shown():
    page = Page(cv.scores([0, 0, 1, 1], [0, 1, 1, 1], cv.MEASURES))
    assert [row[0] for row in page.rows[1:]] == [*cv.MEASURES]


def test_the_middle_of_a_very_long_name_is_left_out():
    for name, shown in (
        ("y" * 200, "y" * 200), (f"first{'x' * 100_000}last", f"first{'x' * 95}…{'x' * 96}last")
    ):  # fmt: skip
        assert Page(cv.Clustering.from_clusters({name: {1, 2}})).rows[1][0] == shown


# Names of users


TABLES = ("contingency", "changes", "objects", "fates", "one_to_one")
HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</style></td>", "&lt;b>"]


@pytest.mark.parametrize("name", HOSTILE)
def test_markup_in_names_is_text(name):
    left = cv.Clustering.from_clusters({name: {1, name}, "b": {3}})
    right = cv.Clustering.from_clusters({"c": {1}, name * 2: {name, 3}})
    compared = cv.compare(left, right, names=(name, "right"))
    pairwise = cv.pairwise({name: LEFT, "b": RIGHT})
    for shown in (
        left, compared, *(getattr(compared, table)() for table in TABLES), pairwise,
        cv.pairwise({name: LEFT, "b": RIGHT}, reference=name), pairwise.stability(of=name),
        cv.ecs_objects(left, right),
    ):  # fmt: skip
        page = Page(shown)
        assert {tag for tag, _ in page.tags} <= SAFE
        assert any(
            name in text for text in [*page.lines, *(cell for row in page.rows for cell in row)]
        )


def test_a_name_takes_one_line_and_can_be_encoded():
    page = Page(cv.Clustering.from_clusters({"a\nb\x1b\u2028\x00\ud800 é聚": {1}}))
    assert page.rows[1] == [r"a\nb\x1b\u2028\x00\ud800 é聚", "1"]
    title = Page(cv.pairwise({"a\x1b\ud800": LEFT, "b": RIGHT}).stability(of="a\x1b\ud800"))
    assert title.lines[1].startswith(r"Clusters of a\x1b\ud800: ")
