"""What the tables of a report must show, by the tables of a Comparison, and what a page shows."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import coverlap as cv
from coverlap.core.wording import one_line, text_of

Row = tuple[str, ...]


class Expected(NamedTuple):
    """The cells of a table in the order of the public table, and what each column is sorted by."""

    cells: list[Row]
    keys: list[list[Any]]

    def order(self, column: int, *, descending: bool) -> list[Row]:
        keys = self.keys[column]
        order = sorted(range(len(keys)), key=keys.__getitem__, reverse=descending)
        return [self.cells[i] for i in order]


def expected_tables(comparison: cv.Comparison) -> dict[str, Expected]:
    tables = {"changes": _changes(comparison), "clusters": _clusters(comparison)}
    if comparison.difference.form is not None:
        tables["moved"] = _moved(comparison)
    return {name: table for name, table in tables.items() if table.cells}


def _table(columns: list[tuple[list[str], list[Any]]]) -> Expected:
    texts, keys = zip(*columns, strict=True)
    return Expected(list(zip(*texts, strict=True)), list(keys))


def _words(texts: list[str]) -> tuple[list[str], list[Any]]:
    return texts, [name_key(text) for text in texts]


def _numbers(values: list[Any], write: Callable[[Any], str]) -> tuple[list[str], list[Any]]:
    return [write(value) for value in values], values


def name_text(name: Any) -> str:
    """Return a name as a page shows it: with at most 201 characters, and no control characters."""
    text = one_line(text_of(name))
    return text if len(text) <= 200 else f"{text[:100]}…{text[-100:]}"


def name_key(text: str) -> tuple[Any, ...]:
    """Return what names are sorted by: numbers by value and before text, the missing name first."""
    if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text):
        return (1, float(text), text)
    return (2, text)


def _lists(values: list[Any], missing: str) -> tuple[list[str], list[Any]]:
    lists = [
        value if isinstance(value, list) else [] if value is None else [value] for value in values
    ]
    texts = [", ".join(map(name_text, names[:8])) if names else missing for names in lists]
    texts = [
        f"{text}, {len(names) - 8:,} more" if len(names) > 8 else text
        for text, names in zip(texts, lists, strict=True)
    ]
    return texts, [name_key(name_text(names[0])) if names else (0,) for names in lists]


def integer(value: int) -> str:
    return f"{value:,}"


def ratio(value: float) -> str:
    return f"{value:.4f}"


def loss(value: float) -> str:
    return f"{value:.6f}" if value >= 1e-4 or value == 0 else f"{value:.2e}"


def _losses(values: list[float]) -> tuple[list[str], list[Any]]:
    """Return losses that a page stores, with 12 digits after the point."""
    rounded = [round(value, 12) for value in values]
    return [loss(value) for value in rounded], rounded


def _changes(comparison: cv.Comparison) -> Expected:
    columns = list(comparison.changes().columns().values())
    change, detail, left, _, n_left, right, _, n_right, shared, gone, come, lost = columns
    return _table([
        _words([f"{one} ({two})" if two else one for one, two in zip(change, detail, strict=True)]),
        _lists(left, "-"), _lists(right, "-"),
        *(_numbers(values, integer) for values in (n_left, n_right, shared, gone, come)),
        _losses(lost),
    ])  # fmt: skip


def _clusters(comparison: cv.Comparison) -> Expected:
    columns = comparison.columns()
    special = {"outliers": "(outliers)", "none": "(no clusters)"}
    names = [
        special.get(kind) or name_text(name)
        for kind, name in zip(columns["kind"], columns["cluster"], strict=True)
    ]
    matches, match_keys = _lists(
        [
            ["(outliers)"] if kind == "outliers" else [] if size == 0 else [name]
            for kind, name, size in zip(
                columns["kind"], columns["match"], columns["match_size"], strict=True
            )
        ],
        "-",
    )
    return _table([
        _words(names), _words([name_text(side) for side in columns["side"]]),
        _numbers(columns["size"], integer), (matches, match_keys),
        _numbers(columns["match_size"], integer), _numbers(columns["shared"], integer),
        _numbers(columns["similarity"], ratio), _numbers(columns["loss"], loss),
    ])  # fmt: skip


def _moved(comparison: cv.Comparison) -> Expected:
    item, left, right, _, _, _, lost = comparison.objects(moved_only=True).columns().values()
    return _table([
        _words([name_text(name) for name in item]), _lists(left, "(outlier)"),
        _lists(right, "(outlier)"), _losses(lost),
    ])  # fmt: skip


# What the page shows; each function runs in the browser.

SHOWN = """section => [...section.querySelectorAll('tbody tr')]
    .filter(row => getComputedStyle(row).display !== 'none')
    .map(row => [...row.cells].map(cell => cell.textContent))"""

PAUSE = """pause = () => new Promise(done => {
    const channel = new MessageChannel();  // unlike a timeout, it does not wait
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
})"""

ALL_PAGES = f"""async section => {{
    const shown = {SHOWN}, {PAUSE};
    const [, next] = section.querySelectorAll('.controls button');
    const status = section.querySelector('[role=status]');
    const pages = [[status.textContent, shown(section)]];
    while (!next.disabled) {{
        const before = status.textContent;
        next.click();
        while (status.textContent === before) await pause();
        pages.push([status.textContent, shown(section)]);
    }}
    return pages;
}}"""

SORT = f"""async (section, [column, wanted]) => {{
    const {PAUSE};
    const heads = [...section.querySelectorAll('thead th')];
    const head = heads[column];
    for (let i = 0; i < 2 && head.getAttribute('aria-sort') !== wanted; i++) {{
        const state = () => head.getAttribute('aria-sort'), before = state();
        head.querySelector('button').click();
        while (state() === before) await pause();
    }}
    return heads.map(head => head.getAttribute('aria-sort'));
}}"""


def section_of(page: Any, table: str) -> Any:
    return page.locator(f"[data-table={table}]")


def shown_rows(page: Any, table: str) -> list[Row]:
    return [tuple(row) for row in section_of(page, table).evaluate(SHOWN)]


def all_pages(page: Any, table: str) -> list[tuple[str, list[Row]]]:
    """Return the status and the rows of each page, from the current one to the last."""
    pages = section_of(page, table).evaluate(ALL_PAGES)
    return [(status, [tuple(row) for row in rows]) for status, rows in pages]


def all_rows(page: Any, table: str) -> list[Row]:
    return [row for _, rows in all_pages(page, table) for row in rows]


def wait_for_status(page: Any, table: str, text: str) -> None:
    """Wait until a table says so; the first action on it decodes its rows, which takes a while."""
    page.wait_for_function(
        "([id, text]) => document.querySelector(`[data-table=${id}] [role=status]`)"
        ".textContent === text",
        arg=[table, text],
    )


def sort_by(page: Any, table: str, column: int, *, descending: bool) -> None:
    wanted = "descending" if descending else "ascending"
    states = section_of(page, table).evaluate(SORT, [column, wanted])
    assert states == [wanted if i == column else None for i in range(len(states))]
