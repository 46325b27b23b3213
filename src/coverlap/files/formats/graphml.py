"""GraphML: an attribute of the vertices names their clusters."""

from typing import Any
from xml.parsers import expat

from coverlap.core.errors import CoverlapError, InputError
from coverlap.core.wording import shown, some
from coverlap.files.content import Content
from coverlap.files.formats.vertices import Vertices
from coverlap.files.options import ReadOptions
from coverlap.files.source import DamagedError, Source

FOREIGN = "?"
"""Stands for an element of another namespace, such as the graphics of an editor."""


def read(source: Source, options: ReadOptions) -> Content:
    """Read the attribute of each node that ``cluster`` names.

    Objects are the nodes' ids, unless ``object`` names another attribute of the nodes; igraph
    keeps names in ``name``. A list such as ``[2, 7]`` means several clusters; a node for which
    there is no value and no default, or an empty value, is an outlier. Declarations of entities
    are refused, so the text is never longer than the file.
    """
    document = _Document(source, options)
    document.parse()
    named, cluster = options.attributes()
    objects = "the node's id" if named is None else f"attribute {named!r}"
    title = f"GraphML, object in {objects} and cluster in attribute {cluster!r}"
    return document.vertices.content(options, title)


class _Key:
    """The declaration of an attribute of the nodes."""

    def __init__(self, id: str, name: str) -> None:
        self.id = id
        self.name = name
        self.default = ""


class _Node:
    """A node that is not yet closed, and the values of its attributes by the id of their key."""

    def __init__(self, name: str, line: int) -> None:
        self.name = name
        self.line = line
        self.values: dict[str, str] = {}


class _Document:
    """What the parser calls: the open elements, the keys so far, and the vertices so far."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.vertices = Vertices(source)
        self._source = source
        self._named, self._cluster = options.attributes()
        self._keys: dict[str, _Key] = {}
        self._wanted: dict[str, _Key] | None = None
        self._open: list[str] = []
        self._nodes: list[_Node] = []
        self._namespace = ""
        self._n_graphs = 0
        self._text: list[str] | None = None
        self._key: _Key | None = None
        parser = self._parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse_declaration
        parser.EntityDeclHandler = self._refuse_declaration

    def parse(self) -> None:
        """Read all of the file."""
        is_empty = True
        try:
            for block in self._source.blocks():
                is_empty = False
                self._parser.Parse(block, False)  # noqa: FBT003 - not the last block
            if is_empty:
                raise self._error("the file is empty")
            self._parser.Parse(b"", True)  # noqa: FBT003 - the end
        except CoverlapError:
            raise
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise InputError(
                f"{self._source}, line {error.lineno}: not well-formed XML ({reason})"
            ) from None
        except DamagedError as error:
            raise self._error(str(error)) from None
        except (LookupError, ValueError) as error:  # the declared encoding
            raise self._error(f"the encoding cannot be read ({error})") from None
        self._keys_of_nodes()

    def _error(self, reason: str) -> InputError:
        line = self._parser.CurrentLineNumber
        return InputError(f"{self._source}, line {line}: {reason}")

    def _refuse_declaration(self, *_: Any) -> None:
        raise self._error(
            "a document type declaration, which could make the text grow without end; remove it"
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        namespace, _, name = tag.rpartition("}")
        if not self._open:
            self._namespace = namespace
            if name != "graphml":
                raise self._error(f"the outermost element is {shown(name)}, not 'graphml'")
        if namespace != self._namespace:
            name = FOREIGN
        inside = self._open[-1] if self._open else ""
        self._open.append(name)
        if self._text is not None:
            raise self._error(f"an element inside {inside!r}, where text is expected")
        self._open_element(name, inside, attributes)

    def _open_element(self, name: str, inside: str, attributes: dict[str, str]) -> None:
        if (name, inside) == ("key", "graphml"):
            self._open_key(attributes)
        elif (name, inside) == ("default", "key"):
            wanted = self._key is not None and self._key.name in (self._named, self._cluster)
            self._text = [] if wanted else None
        elif (name, inside) == ("graph", "graphml"):
            self._n_graphs += 1
            if self._n_graphs > 1:
                raise self._error("a second graph; a clustering is read from one")
        elif (name, inside) == ("node", "graph"):
            self._keys_of_nodes()
            if "id" not in attributes:
                raise self._error("a node without an id")
            self._nodes.append(_Node(attributes["id"], self._parser.CurrentLineNumber))
        elif (name, inside) == ("data", "node"):
            self._open_value(attributes.get("key", ""))

    def _open_key(self, attributes: dict[str, str]) -> None:
        self._key = None
        if attributes.get("for", "all") not in ("node", "all") or "attr.name" not in attributes:
            return
        key = _Key(attributes.get("id", ""), attributes["attr.name"])
        if key.id in self._keys:
            raise self._error(f"a second key with the id {shown(key.id)}")
        self._key = self._keys[key.id] = key

    def _open_value(self, key: str) -> None:
        self._key = self._keys_of_nodes().get(key)
        if self._key is None:
            return
        node = self._nodes[-1]
        if key in node.values:
            raise self._error(f"a second value of {self._key.name!r} for node {shown(node.name)}")
        self._text = []

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _end(self, _: str) -> None:
        name = self._open.pop()
        if self._text is not None and self._key is not None:
            text, self._text = "".join(self._text).strip(), None
            if name == "default":
                self._key.default = text
            else:
                self._nodes[-1].values[self._key.id] = text
        elif name == "node" and self._open[-1] == "graph":
            self._close_node(self._nodes.pop())

    def _close_node(self, node: _Node) -> None:
        value = {
            key.name: node.values.get(key.id, key.default) for key in self._keys_of_nodes().values()
        }
        name = node.name if self._named is None else value[self._named]
        if not name:
            raise self._error(f"node {shown(node.name)} has no {self._named or 'id'!r}")
        self.vertices.add(name, [value[self._cluster]], node.line)

    def _keys_of_nodes(self) -> dict[str, _Key]:
        """Return the keys of the attributes that are wanted; all are declared before a node."""
        if self._wanted is None:
            wanted = [name for name in (self._named, self._cluster) if name is not None]
            found = [self._find_key(name) for name in wanted]
            self._wanted = {key.id: key for key in found}
        return self._wanted

    def _find_key(self, name: str) -> _Key:
        found = [key for key in self._keys.values() if key.name == name]
        if len(found) == 1:
            return found[0]
        if found:
            raise self._error(f"two attributes of nodes are called {name!r}")
        raise self._error(
            f"no attribute {name!r} of nodes is declared before this, but "
            f"{some([key.name for key in self._keys.values()]) or 'none at all'}; say which by "
            "cluster= and object= (--cluster, --object)"
        )
