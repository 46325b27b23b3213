"""Random tables of objects and clusters, and the engines that compare them."""

import datetime as dt
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyarrow.parquet import write_table

import coverlap as cv
from coverlap.counting.matching import SIMILARITIES
from tests.strategies import pairs

IDS = {
    "dense": (pa.int32(), lambda i: i),
    "negative": (pa.int64(), lambda i: i - 7),
    "sparse": (pa.int64(), lambda i: (i * 2**40 + 17) * (-1) ** i),
    "huge": (pa.uint64(), lambda i: 2**64 - 1 - i),
    "float": (pa.float64(), float),
    "text": (pa.string(), lambda i: f"object 'é' {i}"),
    "digits": (pa.string(), lambda i: f"{i:03d}"),
    "date": (pa.date32(), lambda i: dt.date(2026, 11, i + 1)),
}
LABELS = {
    "dense": (pa.int32(), lambda c: c),
    "negative": (pa.int32(), lambda c: c - 2),
    "sparse": (pa.int64(), lambda c: c * 2**33),
    "float": (pa.float64(), float),
    "text": (pa.string(), lambda c: ["-1", "b", "10", "9", "ä", "", "NA", "a b"][c]),
    "date": (pa.date32(), lambda c: dt.date(2025, 1, c + 1)),
}
UNIVERSES = ("union", "intersection", "left", "right", "given", "number", "n_objects")
SLOWNESS = {"memory": 2, "duckdb": 1, "spark": 12}
EXPLAINED = ("losses", "fates", "one_to_one", "contingency")


class Table(NamedTuple):
    """Pairs of object and cluster (None for outliers), the types of both, options of reading."""

    rows: list
    types: tuple[Any, Any]
    hints: dict[str, Any]

    @property
    def frame(self):
        columns = zip(*self.rows, strict=True) if self.rows else ([], [])
        arrays = [pa.array(column, kind) for column, kind in zip(columns, self.types, strict=True)]
        return pa.table(arrays, names=["object", "cluster"])


class Engine(NamedTuple):
    """An engine; `session` is that of Spark."""

    name: str
    session: Any = None

    def read(self, path, **hints):
        """Return what this engine compares."""
        source = self.session.read.parquet(str(path)) if self.session else path
        return cv.Table(source, **hints)

    def call(self, verb, *tables, **options):
        """Return the result of a verb, or the error; no views are left in Spark."""
        result = attempt(verb, *tables, engine=self.name, **options)
        assert not (self.session and self.session.catalog.listTables())
        return result

    def for_random_tables(self, check, n, universe="union"):
        """Check `n` random pairs of tables and options, fewer if a comparison takes long."""
        kinds = [kind for kind in IDS if not (self.session and kind == "huge")]
        given_tables = given(comparisons(universe, kinds))
        quick = settings(
            max_examples=max(n // SLOWNESS[self.name], 3), derandomize=True, deadline=None,
            suppress_health_check=[*HealthCheck], phases=[Phase.generate],
        )  # fmt: skip
        quick(given_tables(check))()


class Case(NamedTuple):
    """Two tables, and the options to compare them by."""

    tables: list[Table]
    rules: dict[str, Any]
    options: dict[str, Any]

    def written(self, engine, folder):
        """Return what the engine compares."""
        paths = (folder / "le'ft; DROP.parquet", folder / "right.parquet")
        for table, path in zip(self.tables, paths, strict=True):
            write_table(table.frame, path)
        return [
            engine.read(path, **table.hints) for table, path in zip(self.tables, paths, strict=True)
        ]

    def both(self, engine, folder, verb, **options):
        """Return the results for clusterings of the rows and for the tables, or the errors."""
        rules = self.rules | options
        sides = [cv.Clustering.from_memberships(table.rows, **table.hints) for table in self.tables]
        return attempt(verb, *sides, **rules), engine.call(
            verb, *self.written(engine, folder), **rules
        )


@st.composite
def comparisons(draw, universe, kinds):
    """Draw tables with overlaps, outliers, equal clusters and repeated rows, or with nothing."""
    n, *sides = draw(pairs())
    if universe == "number":
        kinds = ["dense", "dense", "float", "float", "sparse"]
    kind, to_id = IDS[draw(st.sampled_from(kinds))]
    tables = [_table(draw, n, clusters, kind, to_id) for clusters in sides]
    rules = {"drop_outliers": draw(st.sampled_from([None, "left", "right", "either", "both"]))}
    more = draw(st.sampled_from([0, 0, 4, -1]))
    if universe == "given" and kind != pa.date32():
        rules["universe"] = [to_id(i) for i in draw(st.permutations(range(max(n + more, 1))))]
    elif universe == "number":
        rules["universe"] = max(n + more, 0)
    elif universe == "n_objects":
        rules["n_objects"] = max(n + more, 0)
    elif universe != "given":
        rules["universe"] = universe
    options = {
        "similarity": draw(st.sampled_from([*SIMILARITIES])),
        "average": draw(st.sampled_from(["size", "equal"])),
        "balance": draw(st.sampled_from([0.5, 1])),
        "outliers": draw(st.sampled_from([True, True, False])),
        "threads": draw(st.sampled_from([1, 2, 3])),
        "names": ("old 'n'", 'new "n"'),
    }
    return Case(tables, rules, options)


def _table(draw, n, clusters, kind, to_id):
    label_kind, to_label = LABELS[draw(st.sampled_from([*LABELS]))]
    first = draw(st.integers(0, 7))
    if any(clusters) and draw(st.booleans()):  # equal clusters that may leave the universe
        clusters = [*clusters, min(filter(None, clusters), key=len)]
    rows = [(i, (first + 3 * c) % 8) for c, members in enumerate(clusters) for i in members]
    rows += [(i, None) for i in range(n) if draw(st.integers(0, 3)) == 0]
    if rows:
        rows += draw(st.lists(st.sampled_from(rows), max_size=3))
    if draw(st.integers(0, 3)) == 0:
        rows = [*dict(rows).items()]  # without overlaps
    named = [(to_id(i), None if c is None else to_label(c)) for i, c in draw(st.permutations(rows))]
    chosen = draw(st.sampled_from([False] * 4 + [True]))
    hints = {"outlier_label": [to_label(c) for c in (1, 3)]} if chosen else {}
    return Table(named, (kind, label_kind), hints)


def attempt(verb, *arguments, **options):
    """Return the result of a verb, or the error."""
    try:
        return verb(*arguments, **options)
    except cv.CoverlapError as error:
        return error


def compared(left, right, **options):
    """Return the comparison, or the error."""
    return attempt(cv.compare, left, right, **options)


def facts(comparison):
    """Return all that a comparison says, with similarities to the bit."""
    if isinstance(comparison, Exception):
        return type(comparison).__name__, str(comparison)
    notes = [note for note in comparison.notes if "DuckDB" not in note]
    matching = comparison.matching
    return (
        comparison.score.hex(), comparison.columns(), comparison.universe, comparison.outliers,
        comparison.clusterings, comparison.cluster_names, comparison.left, comparison.right, notes,
        [np.asarray(column).tolist() for side in matching[:2] for column in side],
    )  # fmt: skip


def explained(comparison):
    """Return the tables that explain a comparison."""
    options = ((0, True), (0.5, True), (0.5, False), (1, True))
    changes = [comparison.changes(threshold, same=same) for threshold, same in options]
    tables = [*changes, *(getattr(comparison, name)() for name in EXPLAINED)]
    return [table.columns() for table in tables], changes[1].counts, comparison.n_moved
