"""Read GML files: an attribute of the nodes names their clusters."""

import html
import re
from typing import NamedTuple

from coverlap.core.column_names import suggestion
from coverlap.core.errors import InputError
from coverlap.core.wording import shown, some
from coverlap.files.content import Content
from coverlap.files.formats.vertices import Vertices
from coverlap.files.options import ReadOptions
from coverlap.files.source import Source
from coverlap.files.text.lines import read_lines

SPACE = r"(?:\s++|\#[^\n]*+)*+"
WORD = r'[^\s\[\]"\#]++'
ITEM = re.compile(
    rf"""{SPACE}(?:
        (?P<close>\])
        |edge{SPACE}(?P<edge>\[[^\[\]"\#]*+(?:"[^"]*+"[^\[\]"\#]*+)*+\])
        |(?P<key>[A-Za-z_](?:{WORD})?+){SPACE}
            (?:(?P<open>\[)|"(?P<text>[^"]*+)"|(?P<number>{WORD}))
        |(?P<end>\Z)
        |(?P<unclosed>(?=(?:{WORD}{SPACE})?"[^"]*+\Z))
        |(?P<wrong>[^\n]{{1,60}})
    )""",
    re.VERBOSE,
)
"""A key with its value or the begin of a list, the end of a list, a whole edge, or an error.

A comment extends from '#' to the end of its line. Matching an edge as a whole, if it has no lists
and comments, saves 40 % of the time.
"""

NUMBER = re.compile(
    r"[+-]?(?:(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:e[+-]?[0-9]++)?+|inf|nan)", re.IGNORECASE
)
ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]*|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")

LIST_START = "_networkx_list_start"
"""The value that networkx writes before the only item of a list."""


class Node(NamedTuple):
    """The values of the requested attributes of a node, and the line where the node begins."""

    values: dict[str, list[str]]
    line: int

    def first(self, name: str) -> str:
        """Return the first value of an attribute, or an empty string."""
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
    graph.parse(b"".join(block.data for block in read_lines(source)).decode())
    if graph.nodes and cluster not in graph.attributes:
        raise InputError(
            f"{source}, line {graph.nodes[0].line}: no node has the attribute {cluster!r}, but "
            f"{some([*sorted(graph.attributes)])}; "
            f"{suggestion(cluster, graph.attributes, source.hint('cluster'))}"
        )
    called = named or ("label" if all(node.first("label") for node in graph.nodes) else "id")
    flag = source.flag("object")
    hint = f"; say object='id' ({flag} id) if labels repeat" if called == "label" else ""
    vertices = Vertices(source, hint)
    for node in graph.nodes:
        if not node.first(called) or len(node.values[called]) > 1:
            raise InputError(f"{source}, line {node.line}: a node must have one {called!r}")
        vertices.add(node.first(called), node.values.get(cluster, ()), f"line {node.line}")
    title = f"GML, object in attribute {called!r} and cluster in attribute {cluster!r}"
    return vertices.content(options, title)


class _Graph:
    """The nodes of the only graph in a file, and the names of all their attributes."""

    def __init__(self, source: Source, requested: set[str]) -> None:
        self.nodes: list[Node] = []
        self.attributes: set[str] = set()
        self._source = source
        self._requested = requested
        self._open: list[str] = []
        self._n_graphs = 0

    def parse(self, text: str) -> None:
        """Parse a text whose last character is a newline."""
        line = 1
        for item in ITEM.finditer(text):
            line += item[0].count("\n")
            if problem := self._problem(item, line):
                raise InputError(f"{self._source}, line {line}: {problem}")
        if self._open:
            problem = f"the file ends inside '{self._open[-1]} ['"
            raise InputError(f"{self._source}, line {line - 1}: {problem}")
        if self._n_graphs == 0:
            problem = "no graph, such as: graph [ node [ id 1 cluster 3 ] ]"
            raise InputError(f"{self._source}, line 1: {problem}")

    def _problem(self, item: re.Match[str], line: int) -> str:
        """Process an item; return what is wrong with it, or an empty string."""
        match item.lastgroup:
            case "text":
                self._add_value(item["key"], item["text"])
            case "number" if NUMBER.fullmatch(item["number"]):
                is_nan = item["number"].lower().endswith("nan")
                self._add_value(item["key"], "" if is_nan else item["number"])
            case "number":
                return f"{shown(item['number'])} is no number, and text must stand in quotes"
            case "open":
                return self._open_list(item["key"], line)
            case "edge":
                return self._open_list("edge", line) or self._close_list()
            case "close":
                return self._close_list()
            case "unclosed":
                return "a quote is opened and never closed"
            case "wrong":
                wrong = shown(item["wrong"])
                return f"{wrong} is no key with a value: a number, text in quotes or [ a list ]"
        return ""

    def _open_list(self, key: str, line: int) -> str:
        self._open.append(key)
        if self._open == ["graph", "node"]:
            self.nodes.append(Node({}, line))
        elif self._open == ["graph"]:
            self._n_graphs += 1
            return "a second graph; a clustering is read from one" if self._n_graphs > 1 else ""
        elif self._open == ["graph", "node", key] and key in self._requested:
            return f"{key!r} must be a number or text in quotes, not a list in brackets"
        return ""

    def _close_list(self) -> str:
        if not self._open:
            return "a closing bracket where none is open"
        if self._open == ["graph", "node"] and not self.nodes[-1].first("id"):
            return "a node without an id"
        self._open.pop()
        return ""

    def _add_value(self, key: str, value: str) -> None:
        if self._open != ["graph", "node"]:
            return
        self.attributes.add(key)
        if key in self._requested and value != LIST_START:
            value = ENTITY.sub(lambda entity: html.unescape(entity[0]), value)
            self.nodes[-1].values.setdefault(key, []).append(value)
