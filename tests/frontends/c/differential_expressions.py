"""Random C expressions over all integer types, many to a program.

Undefined behaviour is filtered with the interpreter: an expression whose line it reports is
replaced, until a program is clean.
"""

from __future__ import annotations

import random

from differential_run import Case, interpreted, is_clean, parsed

from revet.frontends.c.types import DataModel

INTEGER_TYPES = (
    "_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int",
    "long", "unsigned long", "long long", "unsigned long long",
)
_ARITHMETIC = ("+", "-", "*", "+", "-")
_COMPARE = ("<", "<=", ">", ">=", "==", "!=")
_BITS = ("&", "|", "^")
_BITS_OF = {"char": 8, "short": 16, "int": 32, "long": 31, "long long": 64, "_Bool": 1}


class Expressions:
    """``bits``: with bit operations on variables, which only the bit-vector encoding has."""

    def __init__(self, seed: object, *, bits: bool = True, floats: bool = False) -> None:
        self.rng = random.Random(f"expressions {seed}")
        self.bits = bits
        self.floats = floats
        self.variables: list[tuple[str, str]] = []
        for number, type in enumerate(INTEGER_TYPES * 2):
            self.variables.append((f"v{number}", type))
        if floats:
            self.variables += [(f"x{n}", type) for n, type in enumerate(("float", "double") * 3)]

    # ---- variables --------------------------------------------------------------------------

    def declarations(self) -> list[str]:
        return [f"{type} {name} = {self.initial(type)};" for name, type in self.variables]

    def initial(self, type: str) -> str:
        rng = self.rng
        if type in ("float", "double"):
            return f"{rng.choice((rng.uniform(-100, 100), rng.randint(-9, 9) / 4, 0.1))!r}"
        if rng.random() < 0.5:
            return str(rng.randint(-10 if "unsigned" not in type else 0, 20))
        bits = _BITS_OF[type.replace("unsigned ", "").replace("signed ", "")]
        edge = rng.choice((0, 1 << (bits - 1), (1 << bits) - 1)) + rng.randint(-2, 2)
        value = rng.choice((edge, rng.getrandbits(bits))) % (1 << bits)
        return f"({type}){value}ULL"

    # ---- expressions ------------------------------------------------------------------------

    def expression(self, depth: int) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.12:
            return self.leaf()
        choice = rng.random()
        if choice < 0.34:
            return f"({self.expression(depth - 1)} {rng.choice(_ARITHMETIC)} {self.expression(depth - 1)})"
        if choice < 0.44:
            return self.division(depth)
        if choice < 0.54:
            return f"({self.expression(depth - 1)} {rng.choice(_COMPARE)} {self.expression(depth - 1)})"
        if choice < 0.64:
            return self.shift(depth)
        if choice < 0.72:
            return self.bitwise(depth)
        if choice < 0.82:
            return f"({self.cast_type()}){self.expression(depth - 1)}"
        if choice < 0.88:
            operators = ("-", "!", "-", "!") if self.floats else ("-", "!", "~", "-")
            return f"({rng.choice(operators)}{self.expression(depth - 1)})"
        if choice < 0.94:
            parts = [self.expression(depth - 1) for _ in range(3)]
            return f"({parts[0]} ? {parts[1]} : {parts[2]})"
        return f"({self.expression(depth - 1)} {rng.choice(('&&', '||'))} {self.expression(depth - 1)})"

    def leaf(self) -> str:
        rng = self.rng
        if rng.random() < 0.75:
            return rng.choice(self.variables)[0]
        value = rng.choice((rng.randint(0, 9), rng.randint(0, 300), 2147483647, 65535, 128))
        return f"{value}{rng.choice(('', '', 'u', 'l', 'll', 'ull'))}"

    def cast_type(self) -> str:
        if self.floats and self.rng.random() < 0.3:
            return self.rng.choice(("float", "double"))
        return self.rng.choice(INTEGER_TYPES)

    def integer(self, depth: int) -> str:
        """An operand that must be an integer."""
        text = self.expression(depth)
        return f"({self.rng.choice(INTEGER_TYPES)}){text}" if self.floats else text

    def division(self, depth: int) -> str:
        rng = self.rng
        if self.floats and rng.random() < 0.5:
            return f"({self.expression(depth - 1)} / {rng.choice(self.variables[-6:])[0]})"
        left, operator = self.integer(depth - 1), rng.choice(("/", "%"))
        if rng.random() < 0.5:
            return f"({left} {operator} {rng.choice((1, 2, 3, 7, 10, 100, '(-3)', '5u', '8ll'))})"
        return f"({left} {operator} {self.integer(depth - 1)})"

    def shift(self, depth: int) -> str:
        rng = self.rng
        left, operator = self.integer(depth - 1), rng.choice(("<<", ">>", ">>"))
        if not self.bits or rng.random() < 0.5:
            return f"({left} {operator} {rng.choice((0, 1, 3, 7, '13', '2u', '5ll'))})"
        return f"({left} {operator} ({self.integer(depth - 1)} & 15))"

    def bitwise(self, depth: int) -> str:
        rng = self.rng
        left = self.integer(depth - 1)
        if not self.bits:
            return f"({left} & {rng.choice((1, 3, 7, 255, '1u', '15ll'))})"
        return f"({left} {rng.choice(_BITS)} {self.integer(depth - 1)})"


def expression_case(
    seed: object, model: DataModel, count: int, *, bits: bool = True, floats: bool = False
) -> Case:
    """A program with ``count`` expressions, one to a line, free of undefined behaviour."""
    source = Expressions(seed, bits=bits, floats=floats)
    declarations = source.declarations()
    result = "double" if floats else "unsigned long long"
    outputs = tuple(f"r{number}" for number in range(count))
    head = [*declarations, *(f"{result} {name};" for name in outputs), "int main(void) {"]
    lines = [source.expression(source.rng.randint(1, 4)) for _ in range(count)]
    while True:
        body = [f"{name} = ({result})({line});" for name, line in zip(outputs, lines, strict=True)]
        case = Case("\n".join([*head, *body, "return 0;", "}"]) + "\n", outputs, seed)
        ended, _ = interpreted(parsed(case, model), outputs)
        if is_clean(ended):
            return case
        bad = {met.at.line for met in ended.undefined}
        assert bad, f"{seed}: {ended}"
        for number in range(count):
            if len(head) + 1 + number in bad:
                lines[number] = source.expression(source.rng.randint(1, 3))
