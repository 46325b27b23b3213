"""Read GraphML files: an attribute of the nodes names their clusters."""

from typing import Any, NamedTuple
from xml.parsers import expat

from coverlap.core.column_names import suggestion
from coverlap.core.errors import CoverlapError, InputError
from coverlap.core.wording import shown, some
from coverlap.files.content import Content
from coverlap.files.formats.vertices import Vertices
from coverlap.files.options import ReadOptions
from coverlap.files.source import DamagedError, Source

FOREIGN = "?"
"""The name given to other elements, such as the graphics of an editor, and misplaced nodes."""


def read(source: Source, options: ReadOptions) -> Content:
    """Read the attribute of each node that ``cluster`` names.

    Objects are the nodes' ids, unless ``object`` names another attribute of the nodes; igraph
    keeps names in ``name``. A list such as ``[2, 7]`` means several clusters; a node without a
    value and a default, or with an empty value, is an outlier. Declarations of entities are
    rejected, so the text is never longer than the file.
    """
    named, cluster = options.attributes()
    document = _Document(source, named, cluster)
    document.parse()
    objects = "the node's id" if named is None else f"attribute {named!r}"
    title = f"GraphML, object in {objects} and cluster in attribute {cluster!r}"
    return document.vertices.content(options, title)


class _Node(NamedTuple):
    """A node that is still open, with the values of its attributes by the ids of their keys."""

    id: str
    line: int
    values: dict[str, str]


class _Document:
    """The vertices of a document, filled by the handlers of an XML parser."""

    def __init__(self, source: Source, named: str | None, cluster: str) -> None:
        self.vertices = Vertices(source)
        self._source = source
        self._named, self._cluster = named, cluster
        self._attributes: dict[str, str] = {}  # the names of attributes by the ids of their keys
        self._requested: dict[str, str] = {}  # the ids of keys by the names of attributes
        self._defaults: dict[str, str] = {}
        self._open: list[str] = []
        self._nodes: list[_Node] = []
        self._namespace = ""
        self._has_graph = False
        self._key = ""  # the key whose default or value is being read
        self._has_requested_default = False
        self._text: list[str] | None = None
        parser = self._parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._add_text
        parser.StartDoctypeDeclHandler = self._reject_declaration
        parser.EntityDeclHandler = self._reject_declaration

    def parse(self) -> None:
        """Parse the file."""
        held, n_parsed, n_pending = bytearray(), 0, 0
        try:
            for block in self._source.blocks():
                held += block
                if len(held) < n_pending:  # Expat parses a token again whenever it gets more of it
                    continue
                self._parser.Parse(bytes(held), False)  # noqa: FBT003 - not the last block
                n_parsed += len(held)
                n_pending = n_parsed - self._parser.CurrentByteIndex
                held.clear()
            if n_parsed == 0:
                raise self._error("the file is empty")
            self._parser.Parse(bytes(held), True)  # noqa: FBT003 - the end
        except CoverlapError:
            raise
        except expat.ExpatError as error:
            reason = f"not well-formed XML ({expat.ErrorString(error.code)})"
            raise InputError(f"{self._source}, line {error.lineno}: {reason}") from None
        except DamagedError as error:
            raise self._error(str(error)) from None
        except (LookupError, ValueError) as error:  # the declared encoding
            raise self._error(f"the encoding cannot be read ({error})") from None
        self._find_requested_keys()

    def _error(self, reason: str) -> InputError:
        return InputError(f"{self._source}, line {self._parser.CurrentLineNumber}: {reason}")

    def _reject_declaration(self, *_: Any) -> None:
        raise self._error(
            "a document type declaration, which could make the text grow without end; remove it"
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        namespace, _, name = tag.rpartition("}")
        if not self._open:
            self._namespace = namespace
            if name != "graphml":
                raise self._error(f"the outermost element is {shown(name)}, not 'graphml'")
        inside = self._open[-1] if self._open else ""
        if self._text is not None:
            raise self._error(f"an element inside {inside!r}, where text is expected")
        self._open.append(name if namespace == self._namespace else FOREIGN)
        match inside, self._open[-1]:
            case "graphml", "key":
                self._start_key(attributes)
            case "key", "default":
                self._text = [] if self._has_requested_default else None
            case "graphml", "graph":
                self._start_graph()
            case "graph", "node":
                self._start_node(attributes)
            case _, "node":
                self._open[-1] = FOREIGN
            case "node", "data":
                self._start_value(attributes.get("key", ""))

    def _start_key(self, attributes: dict[str, str]) -> None:
        self._has_requested_default = False
        if attributes.get("for", "all") not in ("node", "all") or "attr.name" not in attributes:
            return
        key, name = attributes.get("id", ""), attributes["attr.name"]
        if key in self._attributes:
            raise self._error(f"a second key with the id {shown(key)}")
        self._attributes[key] = name
        self._key, self._has_requested_default = key, name in (self._named, self._cluster)

    def _start_graph(self) -> None:
        if self._has_graph:
            raise self._error("a second graph; a clustering is read from one")
        self._has_graph = True

    def _start_node(self, attributes: dict[str, str]) -> None:
        self._find_requested_keys()
        if "id" not in attributes:
            raise self._error("a node without an id")
        self._nodes.append(_Node(attributes["id"], self._parser.CurrentLineNumber, {}))

    def _start_value(self, key: str) -> None:
        if key not in self._requested.values():
            return
        node = self._nodes[-1]
        if key in node.values:
            name = self._attributes[key]
            raise self._error(f"a second value of {name!r} for node {shown(node.id)}")
        self._key, self._text = key, []

    def _add_text(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _end(self, _: str) -> None:
        name = self._open.pop()
        if self._text is not None:
            values = self._defaults if name == "default" else self._nodes[-1].values
            values[self._key] = "".join(self._text).strip()
            self._text = None
        elif name == "node":
            self._end_node(self._nodes.pop())

    def _end_node(self, node: _Node) -> None:
        values = self._defaults | node.values
        name = node.id if self._named is None else values.get(self._requested[self._named], "")
        if not name:
            raise self._error(f"node {shown(node.id)} has no {self._named or 'id'!r}")
        self.vertices.add(name, [values.get(self._requested[self._cluster], "")], node.line)

    def _find_requested_keys(self) -> None:
        """Find the keys of the requested attributes, which must be declared before all nodes."""
        for name in (self._named, self._cluster):
            if name is None or name in self._requested:
                continue
            keys = [key for key, declared in self._attributes.items() if declared == name]
            if len(keys) > 1:
                raise self._error(f"two attributes of nodes are called {name!r}")
            if not keys:
                known = [*self._attributes.values()]
                hint = self._source.hint("object" if name == self._named else "cluster")
                raise self._error(
                    f"no attribute {name!r} of nodes is declared before this, but "
                    f"{some([*known]) or 'none at all'}; {suggestion(name, known, hint)}"
                )
            self._requested[name] = keys[0]
