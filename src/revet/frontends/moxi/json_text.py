"""MoXI's JSON as the tokens of its text, so that one reader does for both; places are those in the JSON.

The keys of a command or a term are those of the language's JSON schema; others are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from revet.errors import InputError, Position
from revet.logic.sexpr import Mark, Source, Tokens, spelling

_JSON = re.compile(
    r"""[ \t\r\n]*(?:([{}\[\],:])|("(?:[^"\\\x00-\x1f]|\\.)*")|(-?[0-9]+(?![0-9.eE]))|([^ \t\r\n]|\Z))"""
)
_LITERAL = re.compile(r"[0-9]+(\.[0-9]+)?\Z|#b[01]+\Z|#x[0-9A-Fa-f]+\Z|true\Z|false\Z")


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON value and where it begins; members are nodes, too."""

    offset: int
    value: Any


def parse(source: Source) -> Node:
    """The JSON value that is the text: objects, lists, texts and whole numbers.

    Raises :class:`InputError`."""
    root: Node | None = None
    inside: list[Node] = []
    key: str | None = None
    wanted = "a value"
    for match in _JSON.finditer(source.text):
        mark, text, number = match[1], match[2], match[3]
        offset = match.end() if match[4] == "" else match.start(match.lastindex or 0)
        if match[4] == "" and wanted == "the end":
            assert root is not None
            return root
        if wanted in ("a key", "a key or }") and text is not None:
            key = _text(source, text, offset)
            if key in inside[-1].value:
                raise source.error(f"the key {key} is given twice", offset)
            wanted = ":"
            continue
        if mark == wanted == ":":
            wanted = "a value"
            continue
        closing = inside and mark == ("}" if isinstance(inside[-1].value, dict) else "]")
        if closing and (wanted == ", or the end" or wanted.endswith(str(mark))):
            inside.pop()
        elif mark == "," and wanted == ", or the end":
            wanted = "a key" if isinstance(inside[-1].value, dict) else "a value"
            continue
        elif wanted.startswith("a value") and (mark in ("{", "[") or text is not None or number is not None):
            found: Any = {} if mark == "{" else [] if mark == "[" else None
            if mark is None:
                found = _text(source, text, offset) if text is not None else int(number)
            node = Node(offset, found)
            if not inside:
                root = node
            elif key is not None and isinstance(inside[-1].value, dict):
                inside[-1].value[key] = node
            else:
                inside[-1].value.append(node)
            if mark is not None:
                inside.append(node)
                wanted = "a key or }" if mark == "{" else "a value or ]"
                continue
        else:
            raise source.error(f"not the JSON of a MoXI file: expected {wanted}", offset)
        wanted = ", or the end" if inside else "the end"
    raise source.error("the JSON ends too early", len(source.text))


def _text(source: Source, quoted: str, offset: int) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        raise source.error("not a text of JSON", offset) from None


class JsonTokens(Tokens):
    """The tokens of the text that says the same."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        made = list(_Writer(source).tokens(parse(source)))
        self._tokens = [token for token, _ in made]
        self._offsets = [offset for _, offset in made]

    def _pieces(self) -> Iterator[Iterator[str]]:
        self._current = iter(self._tokens)
        yield self._current

    def offset(self, mark: Mark) -> int:
        return self._offsets[mark.number] if mark.number < len(self._offsets) else len(self.source.text)

    def positions(self, marks: Sequence[Mark]) -> list[Position]:
        return [self.position(mark) for mark in marks]

    def opening(self, upto: Mark | None) -> int:
        opened: list[int] = []
        end = len(self._tokens) if upto is None else upto.number
        for number in range(self.since.number, end):
            if self._tokens[number] == "(":
                opened.append(self._offsets[number])
            elif self._tokens[number] == ")" and opened:
                opened.pop()
        return opened[-1] if opened else self.offset(self.since)


_Item = tuple[str, Any]
"""What is still to be written: ("", (token, offset)), or a kind of thing and its node."""

_COMMANDS: Mapping[str, Sequence[tuple[str, str]]] = {
    "set-logic": [("logic", "symbol")],
    "declare-sort": [("symbol", "symbol"), ("arity", "number")],
    "define-sort": [("symbol", "symbol"), ("parameters", "symbols"), ("definition", "sort")],
    "declare-enum-sort": [("symbol", "symbol"), ("values", "symbols")],
    "declare-const": [("symbol", "symbol"), ("sort", "sort")],
    "declare-fun": [("symbol", "symbol"), ("inputs", "sorts"), ("output", "sort")],
    "define-fun": [("symbol", "symbol"), ("inputs", "variables"), ("output", "sort"), ("body", "term")],
}
_SIGNATURE = [("input", "variables"), ("output", "variables"), ("local", "variables")]
_ATTRIBUTES: Mapping[str, Sequence[tuple[str, str]]] = {
    "define-system": [
        *_SIGNATURE, ("subsys", "each instance"), ("init", "term"), ("trans", "term"), ("inv", "term"),
    ],
    "check-system": [
        *_SIGNATURE, ("assumption", "each condition"), ("fairness", "each condition"),
        ("reachable", "each condition"), ("current", "each condition"), ("query", "each query"),
        ("queries", "each queries"),
    ],
}
_LISTS = {"symbols": "symbol", "sorts": "sort", "variables": "variable", "queries": "query"}


class _Writer:
    def __init__(self, source: Source) -> None:
        self.source = source

    def tokens(self, root: Node) -> Iterator[tuple[str, int]]:
        """Without recursion: ``stack`` has what is still to be written, the next one last."""
        if not isinstance(root.value, list):
            raise self._error(root, "a list of commands")
        stack: list[_Item] = [("command", node) for node in reversed(root.value)]
        while stack:
            kind, item = stack.pop()
            if not kind:
                yield item
            else:
                stack += reversed(self._parts(kind, item))

    def _error(self, node: Node, expected: str) -> InputError:
        return self.source.error(f"not the JSON of a MoXI file: expected {expected}", node.offset)

    def _fields(self, node: Node, needed: Sequence[str], more: Sequence[str] = ()) -> dict[str, Node]:
        found = node.value
        if not isinstance(found, dict) or any(key not in found for key in needed):
            raise self._error(node, f"an object with {', '.join(needed)}")
        for key, member in found.items():
            if key not in needed and key not in more:
                raise self.source.error(f"the key {key} is not known here", member.offset)
        return found

    def _parts(self, kind: str, node: Node) -> list[_Item]:
        match kind:
            case "symbol":
                return [_token(self._symbol(node), node)]
            case "number":
                if not isinstance(node.value, int):
                    raise self._error(node, "a number")
                return [_token(str(node.value), node)]
            case "command":
                return self._command(node)
            case "term":
                return self._term(node)
            case "sort":
                return self._sort(node)
            case "variable" | "binder":
                last = "sort" if kind == "variable" else "term"
                fields = self._fields(node, ("symbol", last))
                return _list(node, ("symbol", fields["symbol"]), (last, fields[last]))
            case "instance":
                fields = self._fields(node, ("symbol", "target"))
                return _list(node, ("symbol", fields["symbol"]), ("target", fields["target"]))
            case "target":
                fields = self._fields(node, ("symbol", "arguments"))
                arguments = self._members(fields["arguments"])
                return _list(node, ("symbol", fields["symbol"]), *(("symbol", one) for one in arguments))
            case "condition":
                fields = self._fields(node, ("symbol", "formula"))
                return _list(node, ("symbol", fields["symbol"]), ("term", fields["formula"]))
            case "query":
                fields = self._fields(node, ("symbol", "formulas"))
                return _list(node, ("symbol", fields["symbol"]), ("symbols", fields["formulas"]))
        return _list(node, *((_LISTS[kind], one) for one in self._members(node)))

    def _members(self, node: Node) -> list[Node]:
        if not isinstance(node.value, list):
            raise self._error(node, "a list")
        return node.value

    def _symbol(self, node: Node) -> str:
        name = node.value
        if not isinstance(name, str):
            raise self._error(node, "a name")
        if len(name) > 2 and name[0] == name[-1] == "|":
            name = name[1:-1]
        if not name or "|" in name or "\\" in name:
            raise self._error(node, "a name")
        return spelling(name)

    def _command(self, node: Node) -> list[_Item]:
        name = node.value.get("command") if isinstance(node.value, dict) else None
        if name is None:
            raise self._error(node, "a command")
        known = _COMMANDS.get(name.value) if isinstance(name.value, str) else None
        if known is not None:
            fields = self._fields(node, ("command", *(key for key, _ in known)))
            return _list(node, _token(name.value, name), *((kind, fields[key]) for key, kind in known))
        attributes = _ATTRIBUTES.get(name.value) if isinstance(name.value, str) else None
        if attributes is None:
            raise self._error(name, "a command of MoXI")
        fields = self._fields(node, ("command", "symbol"), [key for key, _ in attributes])
        items = [_token(name.value, name), ("symbol", fields["symbol"])]
        for key, kind in attributes:
            if key in fields:
                given = [fields[key]]
                if kind.startswith("each "):
                    given, kind = self._members(fields[key]), kind.removeprefix("each ")
                for one in given:
                    items += [_token(f":{key}", one), (kind, one)]
        return _list(node, *items)

    def _sort(self, node: Node) -> list[_Item]:
        fields = self._fields(node, ("identifier",), ("parameters",))
        name = self._identifier(fields["identifier"])
        parameters = self._members(fields["parameters"]) if "parameters" in fields else []
        return _list(node, *name, *(("sort", one) for one in parameters)) if parameters else name

    def _term(self, node: Node) -> list[_Item]:
        fields = self._fields(node, ("identifier",), ("args",))
        head = fields["identifier"]
        given = self._members(fields["args"]) if "args" in fields else []
        args: list[_Item] = [("term", one) for one in given]
        if isinstance(head.value, dict) and "binders" in head.value:
            let = self._fields(head, ("symbol", "binders"))
            if let["symbol"].value != "let":
                raise self._error(let["symbol"], "let")
            binders = [("binder", one) for one in self._members(let["binders"])]
            return _list(node, _token("let", head), *_list(head, *binders), *args)
        return _list(node, *self._identifier(head), *args) if args else self._identifier(head)

    def _identifier(self, node: Node) -> list[_Item]:
        """A name or literal, ``(_ name indices)`` or ``(as name sort)``."""
        if isinstance(node.value, int):
            literal = _token(str(abs(node.value)), node)
            return [literal] if node.value >= 0 else _list(node, _token("-", node), literal)
        if isinstance(node.value, str):
            return [_token(self._name(node), node)]
        if isinstance(node.value, dict) and "qualifier" in node.value:
            fields = self._fields(node, ("qualifier", "symbol", "sort"))
            if fields["qualifier"].value != "as":
                raise self._error(fields["qualifier"], "as")
            return _list(node, _token("as", node), ("symbol", fields["symbol"]), ("sort", fields["sort"]))
        fields = self._fields(node, ("symbol",), ("indices",))
        indices = self._members(fields["indices"]) if "indices" in fields else []
        name = _token(self._name(fields["symbol"]), fields["symbol"])
        if not indices:
            return [name]
        return _list(node, _token("_", node), name, *(("number", one) for one in indices))

    def _name(self, node: Node) -> str:
        name = node.value
        if isinstance(name, str):
            if _LITERAL.match(name):
                return name
            if name.endswith("'") and len(name) > 1:
                name = name[:-1].strip("|")
                quoted = spelling(name)
                return f"{name}'" if quoted[0] != "|" else f"|{name}'|"
        return self._symbol(node)


def _token(text: str, node: Node) -> _Item:
    return "", (text, node.offset)


def _list(node: Node, *items: _Item) -> list[_Item]:
    return [_token("(", node), *items, _token(")", node)]
