"""Loops at speed: the assignments and tests of a body as one Python function.

Runs of a million steps take the interpreter a minute, and compiled Python less than a second. A
:class:`FastBody` executes assignments, conditions and jumps from a given instruction on. It stops before
every instruction that needs the interpreter: calls, draws, choices, and **whatever does not hold**. So
nothing is ever reported here: an assertion that seems to fail is evaluated once more by the interpreter,
which knows the meaning of expressions from :mod:`interpret_values` alone.

A map of one index is a dictionary while the function runs, and changed in place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.interpret_code import Instruction
from revet.logic.values import ArrayValue

_DEEPEST = 40  # parentheses that Python's parser is asked to read
_LONGEST = 4000  # characters of an expression
_ROW = 64  # instructions of a block

_PATTERNS = {
    "&&": "({} and {})", "||": "({} or {})", "==>": "(not {} or {})", "<==>": "({} == {})",
    "==": "({} == {})", "!=": "({} != {})", "<": "({} < {})", "<=": "({} <= {})", ">": "({} > {})",
    ">=": "({} >= {})", "+": "({} + {})", "-": "({} - {})", "*": "({} * {})",
}


class _Unfit(Exception):
    """This expression is left to the interpreter."""


class FastBody:
    """``entries`` are the instructions at which it may take over."""

    def __init__(self, code: Sequence[Instruction]) -> None:
        self._keys: dict[s.Variable, str] = {}
        self._written: dict[s.Variable, None] = {}
        self._literals: dict[str, Any] = {"div": _div, "mod": _mod, "ArrayValue": ArrayValue}
        lines = {number: self._line(number, one) for number, one in enumerate(code)}
        blocks = _blocks(code, {number for number, line in lines.items() if line is not None})
        self.entries = frozenset(start for start, block in blocks.items() if block)
        self._function: Callable[..., tuple[int, int]] | None = None
        if self.entries:
            known = {number: line for number, line in lines.items() if line is not None}
            self._function = self._compiled(blocks, known)

    def run(
        self, shared: dict[s.Variable, Any], local: dict[s.Variable, Any], counter: int, fuel: int
    ) -> tuple[int, int]:
        """From ``counter`` on, through at most ``fuel`` blocks: where it stopped, and the fuel left."""
        assert self._function is not None
        return self._function(shared, local, counter, fuel)

    # ---- instructions -----------------------------------------------------------------------

    def _line(self, number: int, instruction: Instruction) -> list[str] | None:
        """An instruction as Python, or None; the last line of a branch or jump sets ``pc``."""
        statement = instruction.statement
        try:
            if instruction.kind == "jump":
                return [f"pc = {instruction.targets[0]}"]
            if instruction.kind == "invariant" and instruction.clause is not None:
                return self._tested(number, instruction.clause.formula)
            match statement:
                case s.If(condition=condition) | s.While(condition=condition) if instruction.kind == "branch":
                    if condition is None:
                        return None
                    yes, no = instruction.targets
                    return [f"pc = {yes} if {self._text(condition)} else {no}"]
                case s.Assert(formula=formula) | s.Assume(formula=formula):
                    return self._tested(number, formula)
                case s.Assign():
                    return [self._assignment(statement)]
        except _Unfit:
            return None
        return None

    def _tested(self, number: int, formula: s.Expr) -> list[str]:
        return [f"if not {self._text(formula)}:", f" pc = {number}", " break"]

    def _assignment(self, statement: s.Assign) -> str:
        """All values and indices are evaluated before anything changes."""
        values: list[str] = []
        places: list[str] = []
        for target, value in zip(statement.targets, statement.values, strict=True):
            variable = target.variable.variable
            if target.indices:
                indices = [index for group in target.indices for index in group]
                if len(indices) != 1 or not _is_plain_map(variable.type):
                    raise _Unfit
                index = self._text(indices[0])
                if len(statement.targets) > 1:
                    values.append(index)
                    index = f"i{len(values)}"
                    places.append(index)
                places.append(f"{self._name(variable)}[{index}]")
            elif isinstance(variable.type, s.MapType):
                raise _Unfit
            else:
                places.append(self._name(variable))
            values.append(self._text(value))
        self._written |= {target.variable.variable: None for target in statement.targets}
        # Python assigns from left to right, so that an index is known when its map's turn comes
        return f"{', '.join(places)} = {', '.join(values)}"

    # ---- expressions ------------------------------------------------------------------------

    def _name(self, variable: s.Variable) -> str:
        return self._keys.setdefault(variable, f"v{len(self._keys)}")

    def _text(self, expr: s.Expr) -> str:
        nodes = s.postorder(expr)
        if any(isinstance(node, s.Quantifier | s.Old | s.Application | s.Store) for node in nodes):
            raise _Unfit
        maps = {node.map for node in nodes if isinstance(node, s.Select)}
        if any(isinstance(node.type, s.MapType) and node not in maps for node in nodes):
            raise _Unfit  # a whole map
        stack: list[tuple[str, int]] = []  # with how deep it nests
        for node in nodes:
            count = len(s.children(node))
            parts = stack[len(stack) - count :]
            del stack[len(stack) - count :]
            text = self._node(node, [part for part, _ in parts])
            depth = 1 + max((below for _, below in parts), default=0)
            if depth > _DEEPEST or len(text) > _LONGEST:
                raise _Unfit
            stack.append((text, depth))
        return stack[0][0]

    def _node(self, node: s.Expr, parts: list[str]) -> str:
        match node:
            case s.Name(variable=variable):
                return self._name(variable)
            case s.BoolLiteral(value=value) | s.IntLiteral(value=value):
                return f"({value})"
            case s.RealLiteral(value=value):
                name = f"r{len(self._literals)}"
                self._literals[name] = value
                return name
            case s.Unary(operator=operator):
                return f"(not {parts[0]})" if operator == "!" else f"(-{parts[0]})"
            case s.IfThenElse():
                return f"({parts[1]} if {parts[0]} else {parts[2]})"
            case s.Select(map=s.Name(variable=variable)) if _is_plain_map(variable.type):
                return f"{parts[0]}.get({parts[1]}, {parts[0]}d)"
            case s.Binary(operator=operator, left=left, right=right):
                if operator in ("div", "mod") and isinstance(right, s.IntLiteral) and right.value > 0:
                    return f"{operator}({parts[0]}, {parts[1]})"
                literal = isinstance(left, s.IntLiteral) or isinstance(right, s.IntLiteral)
                if operator == "*" and not literal:  # may explode: the interpreter watches it
                    raise _Unfit
                if operator in _PATTERNS and not isinstance(left.type, s.MapType):
                    return _PATTERNS[operator].format(*parts)
        raise _Unfit

    # ---- the function -----------------------------------------------------------------------

    def _compiled(
        self, blocks: dict[int, list[int]], lines: dict[int, list[str]]
    ) -> Callable[..., tuple[int, int]]:
        source = ["def fast(S, L, pc, fuel):"]
        names = dict(self._literals)
        for variable, name in self._keys.items():
            names[f"k_{name}"] = variable
            where = f"{'S' if variable.kind in ('global', 'constant') else 'L'}[k_{name}]"
            if isinstance(variable.type, s.MapType):
                source.append(f" {name}, {name}d = dict({where}.entries), {where}.default")
            else:
                source.append(f" {name} = {where}")
        source += [" while fuel > 0:", "  fuel -= 1"]
        self._dispatch(sorted(self.entries), blocks, lines, source, "  ")
        for variable in self._written:
            name = self._keys[variable]
            value = f"ArrayValue({name}d, {name})" if isinstance(variable.type, s.MapType) else name
            source.append(f" {'S' if variable.kind == 'global' else 'L'}[k_{name}] = {value}")
        source.append(" return pc, fuel")
        exec(compile("\n".join(source), "<fast body>", "exec"), names)
        made: Callable[..., tuple[int, int]] = names["fast"]
        return made

    def _dispatch(
        self, starts: list[int], blocks: dict[int, list[int]], lines: dict[int, list[str]],
        source: list[str], indent: str,
    ) -> None:
        """Find the block that begins at ``pc`` by halving; the depth is a logarithm."""
        if len(starts) > 1:
            middle = len(starts) // 2
            source.append(f"{indent}if pc < {starts[middle]}:")
            self._dispatch(starts[:middle], blocks, lines, source, indent + " ")
            source.append(f"{indent}else:")
            self._dispatch(starts[middle:], blocks, lines, source, indent + " ")
            return
        block = blocks[starts[0]]
        source.append(f"{indent}if pc != {starts[0]}: break")
        for number, following in zip(block, [*block[1:], None], strict=True):
            if following in (None, number + 1):  # a jump inside a block needs no line
                source += [indent + line for line in lines[number]]
        if not lines[block[-1]][-1].startswith("pc = "):  # neither a branch nor a jump
            source.append(f"{indent}pc = {block[-1] + 1}")


def _is_plain_map(type: s.Type) -> bool:
    """From one index to a value that is no map."""
    return isinstance(type, s.MapType) and len(type.domain) == 1 and not isinstance(type.range, s.MapType)


def _blocks(code: Sequence[Instruction], fit: set[int]) -> dict[int, list[int]]:
    """From every place that something leads to, the instructions that are done in a row. A jump goes
    on with what it leads to, so that a turn of a loop is one block."""
    starts = {0} | {target for one in code for target in one.targets}
    starts |= {number + 1 for number in range(len(code)) if number not in fit}
    found: dict[int, list[int]] = {}
    for start in sorted(starts):
        block: list[int] = []
        number = start
        while number < len(code) and number in fit and number not in block and len(block) < _ROW:
            block.append(number)
            number = code[number].targets[0] if code[number].kind == "jump" else number + 1
            if code[block[-1]].kind == "branch" or (number in starts and number == block[-1] + 1):
                break
        found[start] = block
    return found


def _div(one: int, two: int) -> int:
    return one // two


def _mod(one: int, two: int) -> int:
    return one % two
