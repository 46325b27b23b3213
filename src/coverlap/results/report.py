"""The report of a comparison: one HTML page for a reader who has nothing but a browser."""

from dataclasses import asdict, replace
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from coverlap import __version__
from coverlap.core.html import paragraph, table
from coverlap.core.wording import format_loss, one_line, quantity
from coverlap.measures.registry import MEASURES
from coverlap.report.charts import HATCH, alluvial_svg, bars_svg, heat_map_svg
from coverlap.report.data import (
    NAMELESS,
    DataTable,
    compressed,
    fit,
    fit_names,
    name_texts,
    table_html,
)
from coverlap.report.page import Section, page_html
from coverlap.results import comparison_text
from coverlap.results.pictures import alluvial_of, cluster_losses_of, heat_map_of, overview_of
from coverlap.results.report_tables import OTHER_SETS, change_table, cluster_rows, moved_table
from coverlap.results.text import format_score

if TYPE_CHECKING:
    from coverlap.results.comparison import Comparison

MOST_BYTES = 4_000_000
"""Limit of the size of a page."""

DATA_BYTES = 3_350_000
"""Limit of the compressed tables; pictures and the first rows seldom need more than the rest."""

PARTS = {"names": 0.45, "clusters": 0.27, "changes": 0.17, "moved": 0.11}
"""The share of that limit that each part has; it also has what those before it leave."""

MOST_OBJECTS = 60_000
"""Number of objects that are listed; with more, their names and clusters would not fit."""

N_CLUSTERS, N_FLOWS = 25, 12
"""Number of clusters of each side in the heat map, and in the alluvial picture."""

N_PIXELS, MOST_PIXELS = 400, 20_000
"""Rows and columns of the heat map of all clusters, and the number of pixels that are kept."""

VERDICTS = (
    (1.0, "different, although nothing is lost"), (0.9, "very similar"), (0.7, "similar"),
    (0.4, "partly similar"), (0.0, "mostly different"),
)  # fmt: skip
"""What clusterings that are not equal are in words: the first whose score is reached."""

_SETTINGS = {True: "yes", False: "no", None: "none"}

UNEXPLAINED = "A user-defined similarity has no parts by reason or by object."

CITATION = """@article{dewolfe2026pragmatic,
  title = {A Pragmatic Method for Comparing Clusterings with Overlaps and Outliers},
  author = {DeWolfe, Ryan and Prałat, Paweł and Théberge, François},
  journal = {arXiv preprint arXiv:2602.14855},
  year = {2026}
}"""


def report_html(comparison: "Comparison", title: str | None, command: str | None) -> str:
    """Return the page; see `Comparison.to_html`."""
    page = _Report(comparison, title, command, DATA_BYTES).page()
    excess = len(page.encode()) - MOST_BYTES
    if excess > 0:
        return _Report(comparison, title, command, max(DATA_BYTES - 2 * excess, 0)).page()
    return page


class _Report:
    """The sections of a report, and the data that its script needs."""

    def __init__(
        self, comparison: "Comparison", title: str | None, command: str | None, n_bytes: int
    ) -> None:
        self.comparison, self.command, self.n_bytes = comparison, command, n_bytes
        self.left, self.right = name_texts(comparison.sides)
        self.title = one_line(title or f"{self.left} and {self.right}")
        texts = dict(zip(("left", "right"), map(name_texts, comparison.cluster_names), strict=True))
        losses = dict(zip(texts, cluster_losses_of(comparison), strict=True))
        most = PARTS["names"] * n_bytes
        names, packed, self.is_named = fit_names(texts, losses, most)
        self.n_spare = most - len(packed)
        self.all_names = texts["left"], texts["right"]
        self.names = {**names, "both": [*names["left"], *names["right"], *OTHER_SETS]}
        self.data = {"names": packed}
        self.changes = comparison.changes()
        self.losses = None if comparison.difference.form is None else comparison.losses().columns()

    def page(self) -> str:
        """Return the whole page."""
        edges = self.comparison.edges
        clusters, changes = self._clusters(), self._changes()  # in the order of `PARTS`
        sections = [
            Section("score", "The score and its parts", self._score(self.comparison)),
            Section("changes", "What changed", changes),
            Section("pictures", "Where the objects are", self._pictures()),
            Section("clusters", "Clusters and their best matches", clusters),
            Section("moved", "Objects that moved", self._moved()),
            *([] if edges is None else [Section("edges", "Edges", self._score(edges))]),
            Section("settings", "Universe, outliers and settings", self._settings()),
            Section("about", "How this was made, and how to cite it", self._about()),
        ]
        return page_html(self.title, self._head(), sections, self.data)

    def _head(self) -> str:
        measure = MEASURES[self.comparison.measure].title
        notes = "".join(
            f'<p class="note">{escape(one_line(note))}</p>' for note in self.comparison.notes
        )
        return (
            f"<h1>{escape(self.title)}</h1>"
            f'<p class="score">{measure} = {format_score(self.comparison.score)}</p>'
            f'<p class="verdict">{escape(self._verdict())}</p>{notes}'
        )

    def _verdict(self) -> str:
        """Return what the numbers say, in sentences."""
        score, outliers = self.comparison.score, self.comparison.outliers
        verdict = next(words for least, words in VERDICTS if score >= least)
        said = [f"The two clusterings are {verdict if len(self.changes) else 'equal'}."]
        if self.losses is not None and score < 1:
            loss, share, reason = max(
                zip(self.losses["loss"], self.losses["share"], self.losses["reason"], strict=True)
            )
            if loss > 0:
                said.append(f"The largest part of the loss: {reason} ({share:.0%}).")
        said.append(f"Clusters: {self.changes.summary}.")
        if outliers.n_left or outliers.n_right:
            said.append(
                f"Outliers: {outliers.n_left:,} in {self.left}, {outliers.n_right:,} in "
                f"{self.right}, {outliers.n_shared:,} in both."
            )
        return " ".join(said)

    def _score(self, comparison: "Comparison") -> str:
        parts = comparison_text.parts(comparison, (self.left, self.right))
        html = (
            f"{_table([(title, kind) for title, kind, *_ in parts.columns], parts.rows)}"
            '<p class="soft">Each cluster is matched with the most similar cluster of the other '
            "side, and the outliers with the outliers. The score is the mean of these "
            "similarities, weighted as in the table.</p>"
        )
        if comparison is not self.comparison:
            title = f"{MEASURES[comparison.measure].title} = {format_score(comparison.score)}"
            html = paragraph([(f"{title} of the edges of the graph", "bold")]) + html
        if comparison.difference.form is None or comparison.score == 1:
            return html
        losses = comparison.losses().columns()
        rows = [row for row in zip(*losses.values(), strict=True) if row[1]]
        bars = bars_svg(
            "why the score is below 1",
            [reason for reason, _, _ in rows],
            [loss for _, loss, _ in rows],
            [f"{format_loss(loss)} ({share:.1%})" for _, loss, share in rows],
        )
        return f"{html}<h3>Why the score is {format_loss(1 - comparison.score)} below 1</h3>{bars}"

    def _changes(self) -> str:
        text = paragraph([f"{self.changes.summary} (threshold {self.changes.threshold:g})"])
        if not len(self.changes):
            return text + paragraph(["Nothing changed."])
        return text + self._data_table(change_table(self.changes), "coverlap diff --changes")

    def _clusters(self) -> str:
        made = cluster_rows(self.comparison, self.is_named)
        n_rows = len(np.asarray(self.comparison.table[3][1]))
        return self._data_table(made, "coverlap compare --matches", n_rows)

    def _moved(self) -> str:
        if self.losses is None:
            return paragraph([UNEXPLAINED])
        objects = self.comparison.objects(moved_only=True)
        text = paragraph([f"{objects.n_moved:,} of {quantity(objects.n_objects, 'object')} moved."])
        if not len(objects):
            return text
        made = moved_table(objects, MOST_OBJECTS)
        return text + self._data_table(made, "coverlap diff --moved", len(objects))

    def _data_table(self, made: DataTable, command: str, n_rows: int | None = None) -> str:
        most = PARTS[made.id] * self.n_bytes + self.n_spare
        kept, self.data[made.id] = fit(made, most)
        self.n_spare = most - len(self.data[made.id])
        n_rows = len(made) if n_rows is None else n_rows
        kept = replace(kept, caption=kept.caption + self._left_out())
        return table_html(kept, n_rows, self.names, f"'{command} FILE' writes all")

    def _left_out(self) -> str:
        if self.is_named.all():
            return ""
        return f" {NAMELESS} means: the names of the clusters that cost least are left out."

    def _pictures(self) -> str:
        sides, names = (self.left, self.right), self.all_names
        left, right = escape(self.left), escape(self.right)
        heat_map = heat_map_of(self.comparison, N_CLUSTERS)
        is_cut = heat_map.n_other_left > 0 or heat_map.n_other_right > 0
        cut = f" At most {N_CLUSTERS} clusters of each side are shown: the costliest." * is_cut
        alluvial = alluvial_of(self.comparison, N_FLOWS)
        hidden = (
            f" Bands that are too thin to be drawn: {alluvial.n_hidden:,}, with "
            f"{quantity(alluvial.n_hidden_objects, 'object')}." * (alluvial.n_hidden > 0)
        )
        scaled = any(node.scale < 1 for node in alluvial.nodes)
        return (
            f"{HATCH}<figure>{heat_map_svg(heat_map, sides, *names)}<figcaption>Percentage of each "
            f"cluster of {left} (row) that is in each cluster of {right} (column). Clusters that "
            f"match are side by side.{cut}</figcaption></figure>"
            f"{self._overview() if is_cut else ''}"
            f"<figure>{alluvial_svg(alluvial, sides, *names)}<figcaption>Where the objects of "
            f"{left} are in {right}. Clusters that are each other's best match have the same "
            f"colour.{' The grey sets are not to scale.' * scaled}{hidden}</figcaption></figure>"
        )

    def _overview(self) -> str:
        """Return a canvas with all clusters, which the script draws."""
        overview = overview_of(self.comparison, N_PIXELS)
        what = "Jaccard similarity" if self.comparison.difference.form is None else "similarity"
        first = np.argsort(-overview.similarity, kind="stable")[:MOST_PIXELS]
        kept = first[np.lexsort((overview.column[first], overview.row[first]))]
        self.data["overview"] = compressed(
            {
                "sides": [self.left, self.right],
                "what": what,
                "n_rows": overview.n_rows,
                "n_columns": overview.n_columns,
                "row": overview.row[kept].tolist(),
                "column": overview.column[kept].tolist(),
                "left": overview.left[kept].tolist(),
                "right": overview.right[kept].tolist(),
                "shared": overview.shared[kept].tolist(),
                "similarity": [float(f"{one:.4f}") for one in overview.similarity[kept].tolist()],
            }
        )
        n_left, n_right = self.comparison.n_clusters
        pooled = (
            " A point stands for several pairs of clusters, and shows the most similar one."
            * (max(n_left, n_right) > N_PIXELS)
        )
        n_more = len(first) - len(overview.row)
        more = f" The {-n_more:,} least similar points are left out." * (n_more < 0)
        return (
            '<figure class="screen"><div class="scroll"><canvas width="800" height="800" '
            'tabindex="0" role="application" aria-label="heat map of all clusters; the arrow keys '
            'lead to the next point"></canvas></div><figcaption>'
            f"{what[0].upper()}{what[1:]} of all "
            f"{n_left:,} clusters of {escape(self.left)} (rows) and {n_right:,} of "
            f"{escape(self.right)} (columns).{pooled}{more}{self._left_out()}</figcaption></figure>"
        )

    def _settings(self) -> str:
        comparison = self.comparison
        universe, outliers = comparison.universe, comparison.outliers
        one, other = comparison.clusterings
        sides = [
            ("clusters", one.n_clusters, other.n_clusters),
            ("memberships", one.n_memberships, other.n_memberships),
            ("objects in several clusters", one.n_in_several, other.n_in_several),
            ("outliers", outliers.n_left, outliers.n_right),
            ("objects that the other side does not know", universe.n_only_left,
             universe.n_only_right),
            ("duplicate clusters merged", one.n_merged, other.n_merged),
            ("empty clusters dropped", one.n_dropped, other.n_dropped),
        ]  # fmt: skip
        both = [
            ["objects compared", f"{universe.n_objects:,}"],
            ["universe", universe.rule],
            ["outliers dropped", f"{universe.n_outliers_dropped:,}"],
            ["outliers on both sides", f"{outliers.n_shared:,}"],
            ["similarity of the outliers", format_score(outliers.similarity)],
            ["measure", f"{MEASURES[comparison.measure].title} ({comparison.measure})"],
            *(
                [name.replace("_", " "), _SETTINGS.get(value, str(value))]
                for name, value in asdict(comparison.options).items()
            ),
        ]
        columns = [("", "name"), (self.left, "number"), (self.right, "number")]
        numbers = [[what, f"{left:,}", f"{right:,}"] for what, left, right in sides]
        return _table(columns, numbers) + _table([("setting", "name"), ("value", "name")], both)

    def _about(self) -> str:
        lines = "\n".join(map(one_line, (self.command or "").split("\n")))
        command = f"<pre><code>{escape(lines)}</code></pre>" if self.command else ""
        return (
            f"<p>Made with coverlap {__version__}"
            f"{' by this command:' if command else '.'}</p>{command}"
            "<p>F*_wo is defined in this paper; please cite it:</p>"
            f"<pre>{escape(CITATION)}</pre>"
        )


def _table(columns: list[tuple[str, str]], rows: list[list[str]]) -> str:
    return f'<div class="scroll">{table(columns, rows)}</div>'
