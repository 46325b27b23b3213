"""The tables of a report in a browser: sorting, filtering and turning pages."""

import numpy as np
import pytest

import coverlap as cv
from coverlap.generate import random_clustering, shuffled
from tests.report.reading import (
    all_pages,
    all_rows,
    expected_tables,
    section_of,
    shown_rows,
    sort_by,
    wait_for_status,
)

pytestmark = pytest.mark.slow  # a page is opened for each test


def named(labels, prefix):
    return [None if label < 0 else f"{prefix}{label}" for label in labels]


def covers(**options):
    """Compare overlapping clusters whose members and names are the same numbers."""
    sides = [random_clustering(60, 30, memberships=2.5, seed=seed) for seed in (0, 1)]
    return cv.compare(*sides, **options)


LEFT = random_clustering(300, 42, outliers=0.05, seed=0).to_labels().tolist()
RIGHT = shuffled(LEFT, 0.3, seed=0).to_labels().tolist()


@pytest.fixture(scope="module")
def comparison():
    return cv.compare(LEFT, RIGHT, names=("truth", "found"))


@pytest.fixture(scope="module")
def html(comparison):
    return comparison.to_html()


def test_every_table_sorts_by_every_column_in_both_directions(open_page, comparison, html):
    page = open_page(html)
    expected = expected_tables(comparison)
    assert {name: len(table.cells) > 80 for name, table in expected.items()} == {
        "changes": False, "clusters": True, "moved": True
    }  # fmt: skip
    for name, table in expected.items():
        for column in range(len(table.keys)):
            for descending in (False, True):
                sort_by(page, name, column, descending=descending)
                assert all_rows(page, name) == table.order(column, descending=descending)


def test_at_first_tables_are_sorted_by_loss_and_numbers_sort_from_the_largest_on(open_page, html):
    page = open_page(html)
    section = section_of(page, "clusters")
    heads = section.locator("thead th")
    states = [head.get_attribute("aria-sort") for head in heads.all()]
    assert states == [*[None] * 7, "descending"]
    section.get_by_role("button", name="size", exact=True).click()
    section.locator("th[aria-sort=descending]", has_text="size").wait_for()
    section.get_by_role("button", name="cluster").click()
    section.locator("th[aria-sort=ascending]", has_text="cluster").wait_for()
    assert heads.nth(2).get_attribute("aria-sort") is None
    section.get_by_role("button", name="cluster").press("Enter")
    section.locator("th[aria-sort=descending]", has_text="cluster").wait_for()


ELEMENTS = """section => [...section.querySelectorAll('tbody *')].map(element => [
    element.tagName, element.children.length ? '' : element.textContent,
    ...element.getAttributeNames().sort().map(name => [name, element.getAttribute(name)])])"""


def test_next_and_previous_lead_through_all_rows(open_page, comparison, html):
    page = open_page(html)
    table = expected_tables(comparison)["clusters"]
    n = len(table.cells)
    section = section_of(page, "clusters")
    status = section.get_by_role("status")
    following, before = (section.get_by_role("button", name=name) for name in ("next", "previous"))
    assert status.text_content() == f"rows 1 to 40 of {n}"
    assert before.is_disabled()
    assert len(shown_rows(page, "clusters")) == 40
    following.click()
    wait_for_status(page, "clusters", f"rows 41 to 80 of {n}")
    assert shown_rows(page, "clusters") == table.order(7, descending=True)[40:80]
    assert section.locator("tbody tr").first.get_attribute("aria-rowindex") == "42"
    before.click()
    wait_for_status(page, "clusters", f"rows 1 to 40 of {n}")
    assert shown_rows(page, "clusters") == table.order(7, descending=True)[:40]
    pages = all_pages(page, "clusters")
    assert pages[-1][0] == f"rows {n - n % 40 + 1} to {n} of {n}"
    assert [len(rows) for _, rows in pages] == [40] * (n // 40) + [n % 40]
    assert section.get_by_role("table").get_attribute("aria-rowcount") == str(n + 1)


@pytest.mark.parametrize("text", ["1", "TRUTH", "(out", "no such name"])
def test_the_filter_finds_the_rows_with_a_text_in_their_names(open_page, comparison, html, text):
    page = open_page(html)
    for name, table in expected_tables(comparison).items():
        words = {"changes": (0, 1, 2), "clusters": (0, 1, 3), "moved": (0, 1, 2)}[name]
        last = len(table.keys) - 1
        rows = [
            row
            for row in table.order(last, descending=True)
            if any(text.lower() in row[i].lower() for i in words)
        ]
        section = section_of(page, name)
        section.get_by_role("searchbox").fill(text)
        n, n_all = len(rows), len(table.cells)
        count = f"rows 1 to {min(n, 40)} of {n}" if n else "no rows"
        if n < n_all:
            count += f" found among {n_all}"
        wait_for_status(page, name, count)
        assert all_rows(page, name) == rows
        assert section.get_by_role("table").get_attribute("aria-rowcount") == str(n + 1)
        section.get_by_role("searchbox").fill("")
        assert len(all_rows(page, name)) == n_all


def test_a_filtered_table_can_be_sorted(open_page, comparison, html):
    page = open_page(html)
    section_of(page, "clusters").get_by_role("searchbox").fill("truth")
    sort_by(page, "clusters", 2, descending=False)
    order = expected_tables(comparison)["clusters"].order(2, descending=False)
    assert all_rows(page, "clusters") == [row for row in order if row[1] == "truth"]


OPTIONS = {
    **{similarity: {"similarity": similarity} for similarity in ("jaccard", "f1", "precision")},
    "recall, equal": {"similarity": "recall", "average": "equal"},
    "f1, equal": {"similarity": "f1", "average": "equal"},
    "balance": {"balance": 0.2, "similarity": "recall"},
    "without outliers": {"outliers": False},
    "user-defined similarity": {
        "similarity": lambda shared, own, other: np.sqrt(shared / (own + other - shared))
    },
    "one name for both sides": {"names": ("same", "same")},
    "sides named like columns": {"names": ("loss", "shared")},
}
CASES = {
    **{
        case: lambda options=options: cv.compare(LEFT, RIGHT, **options)
        for case, options in OPTIONS.items()
    },
    "left without clusters": lambda: cv.compare([-1] * 5, [0, 0, 0, 1, -1]),
    "left without clusters or outliers": lambda: cv.compare(
        [-1] * 5, [0, 0, 0, 1, -1], outliers=False
    ),
    "right without clusters": lambda: cv.compare([0, 0, 0, 1, -1], [-1] * 5, average="equal"),
    "only outliers": lambda: cv.compare([-1, -1], [-1, -1]),
    "equal": lambda: cv.compare(LEFT, LEFT),
    "overlapping clusters": covers,
    "overlapping clusters, f1": lambda: covers(similarity="f1", average="equal"),
    "text": lambda: cv.compare(named(LEFT, "c"), named(RIGHT, "C"), names=("a", "b")),
    "tuples": lambda: cv.compare(
        cv.Clustering.from_labels([(i % 3, str(i)) for i in LEFT]),
        cv.Clustering.from_labels([None if i < 0 else (i, 1.5) for i in RIGHT]),
    ),
    "names like no name": lambda: cv.compare(
        cv.Clustering.from_clusters({"None": {"nan", "-"}, "": {"…"}, "-": {"a"}, "…": {"b"}}),
        cv.Clustering.from_clusters({"(outliers)": {"nan", "a"}, "null": {"-", "b", "c"}}),
    ),
    "huge integers": lambda: cv.compare(
        [None if i < 0 else 10**30 + i for i in LEFT],
        [None if i < 0 else 10**18 + i for i in RIGHT],
    ),
    "ties of half a digit": lambda: cv.compare([0] * 32 + [1] * 96, [0] + [1] * 127),
    "other ties of half a digit": lambda: cv.compare(
        [0] * 32 + [1] * 32, [0] * 5 + [1] * 59, similarity="recall", average="equal"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_script_writes_every_row_as_python_does(open_page, case):
    comparison = CASES[case]()
    page = open_page(comparison.to_html())
    tables = expected_tables(comparison)
    assert section_of(page, "changes").count() == ("changes" in tables)
    for name, table in tables.items():
        last = len(table.keys) - 1
        written = section_of(page, name).evaluate(ELEMENTS)
        for descending in (False, True):
            sort_by(page, name, last, descending=descending)
            shown = section_of(page, name).evaluate(ELEMENTS)
            assert all_rows(page, name) == table.order(last, descending=descending)
        assert shown == written


def test_ties_of_half_a_digit_are_among_the_cases():
    # Python rounds these to an even digit; JavaScript's toFixed would round them up.
    assert 1 / 32 in CASES["ties of half a digit"]().columns()["similarity"]
    assert f"{1 / 32:.4f}" == "0.0312"


def test_names_sort_as_numbers_or_as_text_and_not_by_their_position(open_page):
    left = cv.Clustering.from_clusters({"b": {"9"}, "a": {"10", "x"}, "10": {"2"}, "9": {"1"}})
    right = cv.Clustering.from_clusters({"z": {"9", "10", "x", "2"}, "y": {"1", "w"}})
    page = open_page(cv.compare(left, right).to_html())
    for table, expected in (
        ("clusters", ["9", "10", "(outliers)", "a", "b", "y", "z"]), ("moved", ["2", "9", "w"])
    ):  # fmt: skip
        sort_by(page, table, 0, descending=False)
        assert [row[0] for row in all_rows(page, table)] == expected
