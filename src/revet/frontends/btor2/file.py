"""Reading BTOR2: lines to nodes, with sorts checked.

A node is a line; arguments refer to earlier lines, and a negative reference is a bitwise negation.
So a file is its own topological order, and everything here and later is a loop over the nodes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from revet.errors import InputError, Position, Unsupported
from revet.logic.sorts import Array, ArraySort, BitVec, BitVecSort, Sort

UNARY = ("not", "inc", "dec", "neg")
REDUCTIONS = ("redand", "redor", "redxor")
LOGICAL = ("iff", "implies")
COMPARISONS = ("ugt", "ugte", "ult", "ulte", "sgt", "sgte", "slt", "slte")
OVERFLOWS = ("uaddo", "saddo", "usubo", "ssubo", "umulo", "smulo", "sdivo")
BINARY = (
    "and", "nand", "or", "nor", "xor", "xnor", "rol", "ror", "sll", "sra", "srl",
    "add", "mul", "sub", "udiv", "sdiv", "urem", "srem", "smod",
)
_DIGITS = {"const": (2, "01"), "constd": (10, "0123456789"), "consth": (16, "0123456789abcdefABCDEF")}
_WIDEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Node:
    """``arguments`` are node numbers, negative for negated ones; ``payload`` the numbers of slice
    (upper, lower), uext and sext (bits added), and the value of a constant."""

    id: int
    tag: str
    sort: Sort
    arguments: tuple[int, ...] = ()
    payload: tuple[int, ...] = ()
    symbol: str = ""


@dataclass(slots=True)
class Btor2File:
    """``nodes`` in the order of the file, with inputs, states, constants and operators."""

    nodes: dict[int, Node] = field(default_factory=dict)
    inputs: list[int] = field(default_factory=list)
    states: list[int] = field(default_factory=list)
    init: dict[int, int] = field(default_factory=dict)
    next: dict[int, int] = field(default_factory=dict)
    bad: list[int] = field(default_factory=list)
    constraints: list[int] = field(default_factory=list)
    symbols: list[str] = field(default_factory=list)
    """Of the bad states, '' where there is none."""


def read_btor2(text: str, path: str) -> Btor2File:
    reader = _Reader(path)
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split(";", 1)[0].split()
        if words:
            reader.line(number, line, words)
    if not reader.file.bad:
        raise InputError("there is no property: no line 'bad'", Position(path, 1))
    return reader.file


class _Reader:
    def __init__(self, path: str) -> None:
        self.path = path
        self.file = Btor2File()
        self.sorts: dict[int, Sort] = {}
        self.used: set[int] = set()
        self.number = 0
        self.text = ""

    def error(self, message: str) -> InputError:
        return InputError(message, Position(self.path, self.number), self.text[:200])

    def line(self, number: int, text: str, words: list[str]) -> None:
        self.number, self.text = number, text
        if len(words) < 2:
            raise self.error("expected a number, a tag and arguments")
        identity, tag, rest = self.natural(words[0]), words[1], words[2:]
        if identity == 0 or identity in self.used:
            raise self.error(f"the number {identity} is not new")
        self.used.add(identity)
        if tag == "sort":
            self.sorts[identity] = self.declared_sort(rest)
        elif tag in ("init", "next"):
            self.state_line(tag, rest)
        elif tag in ("bad", "constraint", "output"):
            self.property_line(tag, rest)
        elif tag in ("fair", "justice"):
            raise Unsupported(f"{tag} properties are not supported", Position(self.path, number), text[:200])
        else:
            self.node(identity, tag, rest)

    # Numbers and references

    def natural(self, word: str) -> int:
        if not word.isascii() or not word.isdigit() or len(word) > 15:
            raise self.error(f"expected a number, got {word}")
        return int(word)

    def sort(self, words: list[str]) -> Sort:
        if not words:
            raise self.error("the sort is missing")
        found = self.sorts.get(self.natural(words[0]))
        if found is None:
            raise self.error(f"there is no sort {words[0]}")
        return found

    def reference(self, word: str) -> int:
        number = self.natural(word.removeprefix("-"))
        node = self.file.nodes.get(number)
        if node is None:
            raise self.error(f"node {number} is not defined before this line")
        if word.startswith("-"):
            if not isinstance(node.sort, BitVecSort):
                raise self.error("an array cannot be negated")
            return -number
        return number

    def sort_of(self, reference: int) -> Sort:
        return self.file.nodes[abs(reference)].sort

    def width(self, reference: int) -> int:
        sort = self.sort_of(reference)
        if not isinstance(sort, BitVecSort):
            raise self.error(f"node {abs(reference)} is an array, where a bit-vector is needed")
        return sort.width

    # Lines

    def declared_sort(self, words: list[str]) -> Sort:
        if len(words) >= 2 and words[0] == "bitvec":
            width = self.natural(words[1])
            if not 1 <= width <= _WIDEST:
                raise self.error(f"a bit-vector of {width} bits")
            return BitVec(width)
        if len(words) >= 3 and words[0] == "array":
            index, element = self.sort(words[1:]), self.sort(words[2:])
            if isinstance(index, ArraySort) or isinstance(element, ArraySort):
                raise Unsupported("arrays of arrays are not supported", Position(self.path, self.number),
                                  self.text[:200])
            return Array(index, element)
        raise self.error("expected 'sort bitvec width' or 'sort array index element'")

    def state_line(self, tag: str, words: list[str]) -> None:
        sort = self.sort(words)
        if len(words) < 3:
            raise self.error(f"expected: {tag} sort state value")
        state, value = self.reference(words[1]), self.reference(words[2])
        table = self.file.init if tag == "init" else self.file.next
        if state not in self.file.states or self.sort_of(state) is not sort:
            raise self.error(f"{words[1]} is not a state of that sort")
        if state in table:
            raise self.error(f"state {state} has two lines '{tag}'")
        spread = tag == "init" and isinstance(sort, ArraySort) and self.sort_of(value) is sort.element
        if self.sort_of(value) is not sort and not spread:
            raise self.error(f"the value's sort is {self.sort_of(value)}, not {sort}")
        table[state] = value

    def property_line(self, tag: str, words: list[str]) -> None:
        if not words:
            raise self.error(f"'{tag}' of what?")
        value = self.reference(words[0])
        if tag == "output":
            return
        if self.width(value) != 1:
            raise self.error(f"'{tag}' needs a single bit")
        if tag == "bad":
            self.file.bad.append(value)
            self.file.symbols.append(words[1] if len(words) > 1 else "")
        else:
            self.file.constraints.append(value)

    def node(self, identity: int, tag: str, words: list[str]) -> None:
        sort, rest = self.sort(words), words[1:]
        if tag in ("input", "state"):
            node = Node(identity, tag, sort, symbol=rest[0] if rest else "")
            (self.file.inputs if tag == "input" else self.file.states).append(identity)
        elif tag in ("zero", "one", "ones") or tag in _DIGITS:
            node = Node(identity, "const", sort, payload=(self.constant(tag, sort, rest),))
        else:
            node = self.operation(identity, tag, sort, rest)
        self.file.nodes[identity] = node

    def constant(self, tag: str, sort: Sort, rest: list[str]) -> int:
        if not isinstance(sort, BitVecSort):
            raise self.error("a constant must be a bit-vector")
        full = (1 << sort.width) - 1
        if tag not in _DIGITS:
            return {"zero": 0, "one": 1, "ones": full}[tag]
        base, digits = _DIGITS[tag]
        word = rest[0] if rest else ""
        plain = word[1:] if tag == "constd" and word.startswith("-") else word
        if not plain or plain.strip(digits) or len(plain) > 4000:
            raise self.error(f"expected digits to base {base}")
        value = int(word, base)
        if (tag == "const" and len(word) != sort.width) or not -(full // 2 + 1) <= value <= full:
            raise self.error(f"{word} does not have {sort.width} bits")
        return value & full

    def operation(self, identity: int, tag: str, sort: Sort, rest: list[str]) -> Node:
        count, numbers = self.shape(tag)
        if len(rest) < count + numbers:
            also = f" and {numbers} numbers" if numbers else ""
            raise self.error(f"'{tag}' needs {count} arguments{also}")
        arguments = tuple(self.reference(word) for word in rest[:count])
        payload = tuple(self.natural(word) for word in rest[count : count + numbers])
        found = self.result_sort(tag, arguments, payload)
        if found is not sort:
            raise self.error(f"'{tag}' of these arguments has sort {found}, not {sort}")
        return Node(identity, tag, sort, arguments, payload)

    def shape(self, tag: str) -> tuple[int, int]:
        """How many arguments and numbers a tag takes."""
        if tag in UNARY or tag in REDUCTIONS:
            return 1, 0
        if tag in ("slice", "uext", "sext"):
            return 1, 2 if tag == "slice" else 1
        if tag in ("ite", "write"):
            return 3, 0
        if tag in ("eq", "neq", "concat", "read") or tag in (*LOGICAL, *COMPARISONS, *OVERFLOWS, *BINARY):
            return 2, 0
        raise self.error(f"unknown tag {tag}")

    def result_sort(self, tag: str, arguments: tuple[int, ...], payload: tuple[int, ...]) -> Sort:
        first = self.sort_of(arguments[0])
        bit: Sort = BitVec(1)
        if tag in ("read", "write"):
            if not isinstance(first, ArraySort):
                raise self.error(f"'{tag}' needs an array")
            wanted = [first.index] if tag == "read" else [first.index, first.element]
            if [self.sort_of(a) for a in arguments[1:]] != wanted:
                raise self.error(f"'{tag}': index or value does not fit the array's sort {first}")
            return first.element if tag == "read" else first
        if tag == "ite":
            if self.width(arguments[0]) != 1 or self.sort_of(arguments[1]) is not self.sort_of(arguments[2]):
                raise self.error("'ite' needs a bit and two values of one sort")
            return self.sort_of(arguments[1])
        if tag in ("eq", "neq"):
            if first is not self.sort_of(arguments[1]):
                raise self.error(f"'{tag}' compares values of different sorts")
            return bit
        widths = [self.width(a) for a in arguments]
        if tag == "slice":
            upper, lower = payload
            if not lower <= upper < widths[0]:
                raise self.error(f"there are no bits {upper} … {lower} in {widths[0]} bits")
            return BitVec(upper - lower + 1)
        if tag in ("uext", "sext"):
            if widths[0] + payload[0] > _WIDEST:
                raise self.error("too wide")
            return BitVec(widths[0] + payload[0])
        if tag == "concat":
            return BitVec(sum(widths))
        if len(set(widths)) != 1 or (tag in LOGICAL and widths[0] != 1):
            raise self.error(f"'{tag}': arguments of {' and '.join(map(str, widths))} bits")
        return first if tag in UNARY or tag in BINARY else bit
