"""Read GraphML files: an attribute of the nodes names their clusters."""

from typing import NamedTuple
from xml.etree.ElementTree import ParseError, XMLParser
from xml.parsers import expat

from coverlap.core.column_names import suggestion
from coverlap.core.errors import CoverlapError, InputError
from coverlap.core.wording import shown, some
from coverlap.files.content import Content
from coverlap.files.formats.vertices import Vertices
from coverlap.files.options import ReadOptions
from coverlap.files.source import DamagedError, Source


def read(source: Source, options: ReadOptions) -> Content:
    """Read the attribute of each node that ``cluster`` names.

    Objects are the nodes' ids, unless ``object`` names another attribute of the nodes; igraph
    keeps names in ``name``. A list such as ``[2, 7]`` means several clusters; a node without a
    value and a default, or with an empty value, is an outlier. Declarations of entities are
    rejected, so the text is never longer than the file.
    """
    named, cluster = options.attributes()
    target = _Target(source, named, cluster)
    parser = XMLParser(target=target)  # noqa: S314 - the target rejects declarations
    block, held, n_pending = b"", bytearray(), 0
    try:
        for block in source.blocks():
            held += block
            # Old Expat parses a token again whenever it gets more of it, at most 2 GiB at once.
            if len(held) < min(n_pending, 1 << 30):
                continue
            target.has_progress = False
            parser.feed(held)
            n_pending = 0 if target.has_progress else n_pending + len(held)
            held.clear()
        if not block:
            raise InputError(f"{source}: the file is empty")
        parser.feed(held)
        parser.close()
    except CoverlapError:
        raise
    except ParseError as error:
        reason = f"not well-formed XML ({expat.ErrorString(error.code)})"
        raise InputError(f"{source}, line {error.position[0]}: {reason}") from None
    except DamagedError as error:
        raise InputError(f"{source}: {error}") from None
    except (LookupError, ValueError) as error:  # the declared encoding
        raise InputError(f"{source}: the encoding cannot be read ({error})") from None
    target.find_requested_keys()
    objects = "the node's id" if named is None else f"attribute {named!r}"
    title = f"GraphML, object in {objects} and cluster in attribute {cluster!r}"
    return target.vertices.content(options, title)


class _Element(NamedTuple):
    """An open element and the children that are kept: values of a node by key, or the last one."""

    name: str
    attributes: dict[str, str]
    text: list[str]
    children: dict[str, "_Element"]


class _Target:
    """What the XML parser calls: it keeps the elements that are open, and collects vertices."""

    def __init__(self, source: Source, named: str | None, cluster: str) -> None:
        self.vertices = Vertices(source)
        self.has_progress = False
        self._source = source
        self._named, self._cluster = named, cluster
        self._attributes: dict[str, str] = {}  # the names of attributes by the ids of their keys
        self._requested: dict[str, str] = {}  # the ids of keys by the names of attributes
        self._defaults: dict[str, str] = {}
        self._open: list[_Element] = []
        self._namespace = ""
        self._has_graph = False
        self._n_nodes = 0

    def doctype(self, *_: str | None) -> None:
        """Reject a declaration. Expat parses the rest of the block; it limits how entities grow."""
        raise self._error(
            "a document type declaration, which could make the text grow without end; remove it"
        )

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element, without a name if it is foreign, such as graphics, or misplaced."""
        self.has_progress = True
        inside = self._open[-1].name if self._open else ""
        namespace, _, name = tag.rpartition("}")
        if not self._open:
            self._namespace = namespace
            if name != "graphml":
                raise self._error(f"the outermost element is {shown(name)}, not 'graphml'")
        if namespace != self._namespace or (name == "node" and inside != "graph"):
            name = ""
        if name == "graph":
            self.find_requested_keys()
            if inside == "graphml" and self._has_graph:
                raise self._error("a second graph; a clustering is read from one")
            self._has_graph |= inside == "graphml"
        self._open.append(_Element(name, attributes, [], {}))

    def data(self, text: str) -> None:
        """Keep text that may be a value."""
        self.has_progress = True
        if self._open[-1].name in ("data", "default"):
            self._open[-1].text.append(text)

    def comment(self, _: str) -> None:
        """Skip a comment."""
        self.has_progress = True

    def end(self, _: str) -> None:
        """Close an element, and drop it unless it is a value."""
        self.has_progress = True
        element = self._open.pop()
        parent = self._open[-1] if self._open else element
        match parent.name, element.name:
            case "graphml", "key":
                self._add_key(element)
            case "graph", "node":
                self._add_node(element)
            case "node", "data":
                self._add_value(parent, element)
            case ("key", "default") | ("data" | "default", _):
                parent.children[""] = element

    def find_requested_keys(self) -> None:
        """Find the keys of the requested attributes, which must be declared before the graph."""
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
                    f"no attribute {name!r} of nodes is declared before the graph, but "
                    f"{some([*known]) or 'none at all'}; {suggestion(name, known, hint)}"
                )
            self._requested[name] = keys[0]

    def _error(self, reason: str) -> InputError:
        return InputError(f"{self._source}: {reason}")

    def _add_key(self, key: _Element) -> None:
        name, label = key.attributes.get("attr.name"), key.attributes.get("id", "")
        if name is None or key.attributes.get("for", "all") not in ("node", "all"):
            return
        if label in self._attributes:
            raise self._error(f"a second key with the id {shown(label)}")
        self._attributes[label] = name
        if key.children and name in (self._named, self._cluster):
            self._defaults[label] = self._text(key.children[""], "'default'")

    def _add_value(self, node: _Element, value: _Element) -> None:
        key = value.attributes.get("key", "")
        if key in node.children:
            name, label = self._attributes[key], node.attributes.get("id", "")
            raise self._error(f"a second value of {name!r} for node {shown(label)}")
        if key in self._requested.values():
            node.children[key] = value

    def _add_node(self, node: _Element) -> None:
        self._n_nodes += 1
        if "id" not in node.attributes:
            raise self._error(f"node {self._n_nodes} has no id")
        label = node.attributes["id"]
        place = f"node {shown(label)}"
        values = self._defaults | {
            key: self._text(value, f"'data' of {place}") for key, value in node.children.items()
        }
        name = label if self._named is None else values.get(self._requested[self._named], "")
        if not name:
            raise self._error(f"{place} has no {self._named or 'id'!r}")
        self.vertices.add(name, [values.get(self._requested[self._cluster], "")], place)

    def _text(self, element: _Element, place: str) -> str:
        if element.children:
            raise self._error(f"an element inside {place}, where text is expected")
        return "".join(element.text).strip()
