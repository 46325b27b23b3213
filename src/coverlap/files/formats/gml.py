"""GML: an attribute of the vertices names their clusters."""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from coverlap.core.errors import InputError
from coverlap.core.wording import shown, some
from coverlap.files.content import Content
from coverlap.files.formats.vertices import Vertices
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.lines import read_lines

SKIPPED = r"(?:\s++|\#[^\n]*+)*+"
BARE = r'[^\s\[\]"\#]++'
PAIR = re.compile(
    rf"{SKIPPED}(?:(?P<close>\])|(?P<key>[A-Za-z_](?:{BARE})?+){SKIPPED}"
    rf'(?:(?P<open>\[)|"(?P<text>[^"]*+)"|(?P<number>{BARE})))'
)
"""A key and its value, or the end of a list. A comment goes from '#' to the end of its line."""

EDGE = re.compile(rf'{SKIPPED}edge{SKIPPED}\[[^\[\]"#]*+(?:"[^"]*+"[^\[\]"#]*+)*+\]')
"""An edge without lists and comments: there are many, and they mean nothing here."""

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|[+-]?inf", re.IGNORECASE)
NOT_A_NUMBER = re.compile(r"[+-]?nan", re.IGNORECASE)
ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]*|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")

LIST_START = "_networkx_list_start"
"""What networkx writes in front of the only item of a list."""


class Pair(NamedTuple):
    """A key and its value (None: a list begins), or the end of a list; and its place."""

    key: str | None
    value: str | None
    at: int


class Node(NamedTuple):
    """The attributes of a node that are wanted, and its line."""

    values: dict[str, list[str]]
    line: int

    def first(self, name: str) -> str:
        """Return the first value of an attribute, or nothing."""
        return next(iter(self.values.get(name, ())), "").strip()


def read(source: Source, options: ReadOptions) -> Content:
    """Read the attribute of each node that ``cluster`` names.

    Objects are the nodes' labels if every node has one, as in files of networkx, and their ids
    otherwise, unless ``object`` names an attribute (``id`` and ``label`` included; igraph keeps
    names in ``name``). A repeated attribute, or a list such as ``"[2, 7]"``, means several
    clusters; a node without a value, or with an empty one, is an outlier.
    """
    named, cluster = options.attributes()
    graph = _Graph(source, {"id", "label", cluster, named or "id"})
    graph.parse()
    if graph.nodes and cluster not in graph.attributes:
        raise InputError(
            f"{source}, line {graph.nodes[0].line}: no node has the attribute {cluster!r}, but "
            f"{some([*sorted(graph.attributes)])}; say which by cluster= (--cluster)"
        )
    called = named or ("label" if all(node.first("label") for node in graph.nodes) else "id")
    hint = "; say object='id' (--object id) if labels repeat" if called == "label" else ""
    vertices = Vertices(source, hint)
    for node in graph.nodes:
        if not node.first(called) or len(node.values[called]) > 1:
            raise InputError(f"{source}, line {node.line}: a node must have one {called!r}")
        vertices.add(node.first(called), node.values.get(cluster, ()), node.line)
    title = f"GML, object in attribute {called!r} and cluster in attribute {cluster!r}"
    return vertices.content(options, title)


class _Graph:
    """The nodes of the one graph in a file, and the names of all their attributes."""

    def __init__(self, source: Source, wanted: set[str]) -> None:
        self.nodes: list[Node] = []
        self.attributes: set[str] = set()
        self._source = source
        self._wanted = wanted
        self._text = ""
        self._line, self._counted = 1, 0
        self._open: list[str] = []
        self._n_graphs = 0

    def parse(self) -> None:
        """Read all of the file."""
        self._text = b"".join(block.data for block in read_lines(self._source)).decode()
        for pair in self._pairs():
            if pair.key is None:
                self._close(pair.at)
            elif pair.value is None:
                self._begin(pair.key, pair.at)
            elif self._open == ["graph", "node"]:
                self._add_value(pair.key, pair.value)
        if self._open:
            raise self._error(len(self._text) - 1, f"the file ends inside '{self._open[-1]} ['")
        if self._n_graphs == 0:
            raise self._error(0, "no graph, such as: graph [ node [ id 1 cluster 3 ] ]")

    def _pairs(self) -> Iterator[Pair]:
        at = 0
        while pair := PAIR.match(self._text, at):
            if self._open == ["graph"] and (edge := EDGE.match(self._text, at)):
                at = edge.end()
                continue
            at = pair.end()
            key, place = pair["key"], pair.end() - 1
            value = pair["text"]
            if pair["number"] is not None:
                value = self._number(pair["number"], place)
            yield Pair(key, value, place)
        rest = re.compile(SKIPPED).match(self._text, at)
        at = rest.end() if rest else at
        if at < len(self._text):
            raise self._error(at, self._reason(at))

    def _reason(self, at: int) -> str:
        """Say why no pair begins at a place."""
        key = re.compile(rf"(?:{BARE}{SKIPPED})?").match(self._text, at)
        value = self._text[key.end() :] if key else ""
        if value.startswith('"') and '"' not in value[1:]:
            return "a quote is opened and never closed"
        found = self._text[at : at + 60].split("\n")[0]
        return f"{shown(found)} is no key with a value: a number, text in quotes or [ a list ]"

    def _number(self, word: str, at: int) -> str:
        if NOT_A_NUMBER.fullmatch(word):
            return ""
        if not NUMBER.fullmatch(word):
            raise self._error(at, f"{shown(word)} is no number, and text must stand in quotes")
        return word

    def _begin(self, key: str, at: int) -> None:
        path = [*self._open, key]
        if path == ["graph"]:
            self._n_graphs += 1
            if self._n_graphs > 1:
                raise self._error(at, "a second graph; a clustering is read from one")
        if path == ["graph", "node"]:
            self.nodes.append(Node({}, self._line_of(at)))
        if len(path) == 3 and path[:2] == ["graph", "node"] and key in self._wanted:
            raise self._error(
                at, f"{key!r} must be a number or text in quotes, not a list in brackets"
            )
        self._open.append(key)

    def _close(self, at: int) -> None:
        if not self._open:
            raise self._error(at, "a closing bracket where none is open")
        if self._open == ["graph", "node"] and not self.nodes[-1].first("id"):
            raise self._error(at, "a node without an id")
        self._open.pop()

    def _add_value(self, key: str, value: str) -> None:
        self.attributes.add(key)
        if key in self._wanted and value != LIST_START:
            value = ENTITY.sub(lambda entity: html.unescape(entity[0]), value)
            self.nodes[-1].values.setdefault(key, []).append(value)

    def _line_of(self, at: int) -> int:
        """Return the line of a place that does not come before those asked for until now."""
        self._line += self._text.count("\n", self._counted, at)
        self._counted = at
        return self._line

    def _error(self, at: int, reason: str) -> InputError:
        line = self._text.count("\n", 0, at) + 1
        return InputError(f"{self._source}, line {line}: {reason}")
