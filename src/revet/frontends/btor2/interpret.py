"""What BTOR2's operators do to numbers: the interpreter that confirms counterexamples.

Independent of the translation to terms. Bit-vectors are numbers from 0, arrays
:class:`~revet.logic.values.ArrayValue`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from revet.frontends.btor2.file import Btor2File, Node
from revet.frontends.kit.bits import sdiv, signed, smod, srem
from revet.logic.sorts import ArraySort, BitVecSort, Sort
from revet.logic.values import ArrayValue, same


def _rotate(a: int, b: int, w: int) -> int:
    b %= w
    return (a << b | a >> (w - b)) & ((1 << w) - 1)


def _beyond(value: int, w: int) -> bool:
    return not -(1 << (w - 1)) <= value < 1 << (w - 1)


# Functions of two numbers and their width; results are taken modulo the width of the node's sort.
_OPERATIONS: dict[str, Callable[[int, int, int], int]] = {
    "iff": lambda a, b, w: a == b,
    "implies": lambda a, b, w: not a or b,
    "ugt": lambda a, b, w: a > b,
    "ugte": lambda a, b, w: a >= b,
    "ult": lambda a, b, w: a < b,
    "ulte": lambda a, b, w: a <= b,
    "sgt": lambda a, b, w: signed(a, w) > signed(b, w),
    "sgte": lambda a, b, w: signed(a, w) >= signed(b, w),
    "slt": lambda a, b, w: signed(a, w) < signed(b, w),
    "slte": lambda a, b, w: signed(a, w) <= signed(b, w),
    "and": lambda a, b, w: a & b,
    "nand": lambda a, b, w: ~(a & b),
    "or": lambda a, b, w: a | b,
    "nor": lambda a, b, w: ~(a | b),
    "xor": lambda a, b, w: a ^ b,
    "xnor": lambda a, b, w: ~(a ^ b),
    "rol": _rotate,
    "ror": lambda a, b, w: _rotate(a, -b, w),
    "sll": lambda a, b, w: a << b if b < w else 0,
    "srl": lambda a, b, w: a >> b if b < w else 0,
    "sra": lambda a, b, w: signed(a, w) >> min(b, w),
    "add": lambda a, b, w: a + b,
    "sub": lambda a, b, w: a - b,
    "mul": lambda a, b, w: a * b,
    "udiv": lambda a, b, w: a // b if b else -1,
    "urem": lambda a, b, w: a % b if b else a,
    "sdiv": sdiv,
    "srem": srem,
    "smod": smod,
    "uaddo": lambda a, b, w: a + b >= 1 << w,
    "saddo": lambda a, b, w: _beyond(signed(a, w) + signed(b, w), w),
    "usubo": lambda a, b, w: a < b,
    "ssubo": lambda a, b, w: _beyond(signed(a, w) - signed(b, w), w),
    "umulo": lambda a, b, w: a * b >= 1 << w,
    "smulo": lambda a, b, w: _beyond(signed(a, w) * signed(b, w), w),
    "sdivo": lambda a, b, w: signed(a, w) == -(1 << (w - 1)) and signed(b, w) == -1,
}

_UNARY: dict[str, Callable[[int, int], int]] = {
    "not": lambda a, w: ~a,
    "inc": lambda a, w: a + 1,
    "dec": lambda a, w: a - 1,
    "neg": lambda a, w: -a,
    "redand": lambda a, w: a == (1 << w) - 1,
    "redor": lambda a, w: a != 0,
    "redxor": lambda a, w: a.bit_count() & 1,
}


class Machine:
    """One step at a time: :meth:`read` gives values to inputs and states, then all nodes follow."""

    def __init__(self, file: Btor2File) -> None:
        self.file = file
        self.values: dict[int, Any] = {}

    def read(self, given: Mapping[int, Any]) -> None:
        """Values of (at least) the inputs and states of this step, by node."""
        self.values = dict(given)
        for node in self.file.nodes.values():
            if node.id not in self.values:
                self.values[node.id] = self._evaluate(node)

    def value(self, reference: int) -> Any:
        found = self.values[abs(reference)]
        if reference < 0:
            return found ^ ((1 << _width(self.file.nodes[-reference].sort)) - 1)
        return found

    def initial(self, state: int) -> Any:
        """What the state's line ``init`` says in this step."""
        value, sort = self.value(self.file.init[state]), self.file.nodes[state].sort
        if isinstance(sort, ArraySort) and not isinstance(value, ArrayValue):
            return ArrayValue(value)
        return value

    def _evaluate(self, node: Node) -> Any:
        tag, arguments = node.tag, [self.value(a) for a in node.arguments]
        match tag:
            case "const":
                return node.payload[0]
            case "input" | "state":
                return zero(node.sort)
            case "read":
                return arguments[0].select(arguments[1])
            case "write":
                return arguments[0].store(arguments[1], arguments[2])
            case "ite":
                return arguments[1] if arguments[0] else arguments[2]
            case "eq" | "neq":
                equal = same(arguments[0], arguments[1], self.file.nodes[abs(node.arguments[0])].sort)
                return int(equal == (tag == "eq"))
        widths = [_width(self.file.nodes[abs(a)].sort) for a in node.arguments]
        match tag:
            case "slice":
                result = arguments[0] >> node.payload[1]
            case "uext":
                result = arguments[0]
            case "sext":
                result = signed(arguments[0], widths[0])
            case "concat":
                result = arguments[0] << widths[1] | arguments[1]
            case _ if tag in _UNARY:
                result = _UNARY[tag](arguments[0], widths[0])
            case _:
                result = _OPERATIONS[tag](arguments[0], arguments[1], widths[0])
        return int(result) & ((1 << _width(node.sort)) - 1)


def zero(sort: Sort) -> Any:
    return ArrayValue(0) if isinstance(sort, ArraySort) else 0


def _width(sort: Sort) -> int:
    assert isinstance(sort, BitVecSort)
    return sort.width
