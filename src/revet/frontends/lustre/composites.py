"""Records and arrays of constant size, leaf by leaf, in terms of plain Lustre.

A variable ``r: struct {a: int; b: bool}`` becomes ``r.a`` and ``r.b``, and ``A: int^3`` becomes ``A[0]``
to ``A[2]``. An expression is turned into its leaves; ``pre``, ``->``, ``if`` and ``merge`` go into them,
and equality into a conjunction. A call that returns more than one leaf gets variables of its own. An
index that is not constant becomes a choice; beyond the bounds the element can be any value.

Refused, with their place: slices, definitions of single elements, quantifiers, ``with``, and sizes
that are not constant.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from revet.errors import InputError, Position, Unsupported
from revet.frontends.lustre.rewrite import all_of, map_children, map_property, negated, parts
from revet.frontends.lustre.syntax import (
    Activate,
    ArrayLiteral,
    Binary,
    Call,
    Declaration,
    Equation,
    Expr,
    Field,
    File,
    IfThenElse,
    Index,
    Literal,
    Merge,
    Name,
    Node,
    RecordLiteral,
    Repeat,
    Restart,
    Tuple,
    TypeDefinition,
    TypeName,
    Unary,
    When,
)

_CALLS = (Call, Activate, Restart)


@dataclass(frozen=True)
class Shape:
    """A scalar (``type``), a record (named parts) or an array (numbered parts)."""

    type: TypeName | None = None
    parts: tuple[tuple[str, Shape], ...] = ()
    array: bool = False

    def leaves(self, prefix: str = "") -> list[tuple[str, TypeName]]:
        if self.type is not None:
            return [(prefix, self.type)]
        return [
            leaf
            for name, part in self.parts
            for leaf in part.leaves(prefix + (f"[{name}]" if self.array else f".{name}"))
        ]

    @property
    def size(self) -> int:
        return 1 if self.type is not None else sum(part.size for _, part in self.parts)


@dataclass(frozen=True)
class _Value:
    """An expression as its leaves; ``shape`` is None for scalars of unknown type and for tuples."""

    shape: Shape | None
    leaves: tuple[Expr, ...]


def expand_composites(file: File) -> File:
    """The file in scalars only; the same file if it has no records and arrays."""
    definitions = {definition.name: definition for definition in file.types}
    if not any(d.fields or (d.alias and d.alias.sizes) for d in file.types) and not any(
        _uses(node) for node in file.nodes
    ):
        return file
    shapes = _Shapes(file, definitions)
    nodes = tuple(_NodeExpansion(file, shapes, node).run() for node in file.nodes)
    kept = tuple(d for d in file.types if not d.fields and not shapes.composite(d))
    return replace(file, types=kept, nodes=(*shapes.any_values.values(), *nodes))


def _uses(node: Node) -> bool:
    if any(d.type.sizes for d in (*node.inputs, *node.outputs, *node.locals)):
        return True
    clauses = (*node.properties, *node.assumes, *node.guarantees)
    stack = [*(e.value for e in node.equations), *node.asserts, *(p.formula for p in clauses)]
    while stack:
        expr = stack.pop()
        if isinstance(expr, (Field, Index, RecordLiteral, ArrayLiteral, Repeat)):
            return True
        stack += parts(expr)
    return False


class _Shapes:
    """What the types of a file look like inside."""

    def __init__(self, file: File, definitions: dict[str, TypeDefinition]) -> None:
        self.file = file
        self.definitions = definitions
        self.constants = {constant.name: constant.value for constant in file.constants}
        self.nodes = {node.name: node for node in file.nodes}
        self.any_values: dict[str, Node] = {}

    def beyond(self, type_: TypeName, at: Position) -> Expr:
        """Any value of the type, at every instant: the output of an imported node without a contract."""
        name = f"beyond~{type_.name}"
        if type_.low is not None:
            name += f"~{len(self.any_values)}"
        if name not in self.any_values:
            output = Declaration("value", type_, at)
            self.any_values[name] = Node(
                name, at, (), (output,), (), (), (), (), (), False, None, imported=True
            )
        return Call(at, name, ())

    def composite(self, definition: TypeDefinition) -> bool:
        return self.of(TypeName(definition.name, definition.position)).type is None

    def of(self, written: TypeName, path: tuple[str, ...] = ()) -> Shape:
        if written.sizes:
            size = self.number(written.sizes[0])
            if size < 1:
                raise self.error("an array needs at least one element", written.position)
            element = self.of(replace(written, sizes=written.sizes[1:]), path)
            return Shape(None, tuple((str(n), element) for n in range(size)), True)
        definition = self.definitions.get(written.name)
        if definition is None or definition.enumeration or written.low is not None:
            return Shape(written)
        if written.name in path:
            raise self.error(f"type {written.name} contains itself", written.position)
        inner = (*path, written.name)
        if definition.fields:
            return Shape(None, tuple((f.name, self.of(f.type, inner)) for f in definition.fields))
        assert definition.alias is not None
        found = self.of(definition.alias, inner)
        return Shape(written) if found.type is not None else found

    def number(self, expr: Expr) -> int:
        found = self.constant(expr)
        if found is None:
            line = self.line(expr.position)
            raise Unsupported("the size of an array must be constant", expr.position, line)
        return found

    def constant(self, expr: Expr) -> int | None:
        match expr:
            case Literal(text=text) if text.isdigit():
                return int(text)
            case Name(name=name) if name in self.constants:
                return self.constant(self.constants[name])
            case Binary(operator=("+" | "-" | "*") as operator, left=left, right=right):
                x, y = self.constant(left), self.constant(right)
                if x is not None and y is not None:
                    return {"+": x + y, "-": x - y, "*": x * y}[operator]
        return None

    def line(self, position: Position) -> str | None:
        return self.file.line(position)

    def error(self, message: str, position: Position) -> InputError:
        return InputError(message, position, self.line(position))


class _NodeExpansion:
    def __init__(self, file: File, shapes: _Shapes, node: Node) -> None:
        self.shapes = shapes
        self.node = node
        self.scope = {d.name: shapes.of(d.type) for d in (*node.inputs, *node.outputs, *node.locals)}
        self.locals: list[Declaration] = []
        self.equations: list[Equation] = []

    def run(self) -> Node:
        node = self.node
        equations = [self._equation(equation) for equation in node.equations]

        def scalar(expr: Expr) -> Expr:
            return self._one(expr)

        clauses = [
            tuple(map_property(p, scalar) for p in group)
            for group in (node.properties, node.assumes, node.guarantees)
        ]
        return replace(
            node,
            inputs=self._declared(node.inputs),
            outputs=self._declared(node.outputs),
            asserts=tuple(map(scalar, node.asserts)),
            properties=clauses[0],
            assumes=clauses[1],
            guarantees=clauses[2],
            locals=(*self._declared(node.locals), *self.locals),
            equations=(*equations, *self.equations),
        )

    def _declared(self, declarations: tuple[Declaration, ...]) -> tuple[Declaration, ...]:
        return tuple(
            Declaration(d.name + suffix, type_, d.position)
            for d in declarations
            for suffix, type_ in self.shapes.of(d.type).leaves()
        )

    def _equation(self, equation: Equation) -> Equation:
        value = self._value(equation.value)
        unknown = Shape(TypeName("int", equation.position))  # the type checker refuses it
        names = tuple(
            Name(name.position, name.name + suffix)
            for name in equation.names
            for suffix, _ in self.scope.get(name.name, unknown).leaves()
        )
        if len(value.leaves) == 1:
            return Equation(names, value.leaves[0], equation.position)
        return Equation(names, Tuple(equation.value.position, value.leaves), equation.position)

    # -- expressions

    def _one(self, expr: Expr) -> Expr:
        value = self._value(expr)
        if len(value.leaves) != 1:
            raise self.shapes.error("expected a scalar, this is a record, an array or a tuple", expr.position)
        return value.leaves[0]

    def _value(self, expr: Expr) -> _Value:
        at = expr.position
        match expr:
            case Name(name=name) if name in self.scope:
                shape = self.scope[name]
                return _Value(shape, tuple(Name(at, name + suffix) for suffix, _ in shape.leaves()))
            case Field():
                return self._part(expr.argument, expr.field, at)
            case Index():
                return self._index(expr)
            case RecordLiteral():
                return self._record(expr)
            case ArrayLiteral(items=items):
                return self._array([self._value(item) for item in items], at)
            case Repeat():
                return self._array([self._value(expr.argument)] * self.shapes.number(expr.count), at)
            case Unary(operator="pre"):
                inner = self._value(expr.argument)
                return _Value(inner.shape, tuple(Unary(at, "pre", leaf) for leaf in inner.leaves))
            case Binary(operator="->" | "fby"):
                return self._pairwise(expr.left, expr.right, at, lambda x, y: Binary(at, expr.operator, x, y))
            case Binary(operator="=" | "<>"):
                equal = self._pairwise(expr.left, expr.right, at, lambda x, y: Binary(at, "=", x, y))
                formula = all_of(list(equal.leaves), at)
                return _Value(None, (formula if expr.operator == "=" else negated(formula),))
            case IfThenElse():
                condition = self._one(expr.condition)
                return self._pairwise(
                    expr.then, expr.otherwise, at, lambda x, y: IfThenElse(at, condition, x, y)
                )
            case Merge():
                return self._merge(expr)
            case When():
                inner, clock = self._value(expr.argument), self._one(expr.clock)
                return _Value(inner.shape, tuple(When(at, leaf, clock) for leaf in inner.leaves))
            case Tuple(items=items):
                return _Value(None, tuple(leaf for item in items for leaf in self._value(item).leaves))
            case Call() | Activate() | Restart() if expr.node in self.shapes.nodes:
                return self._call(expr)
        return _Value(None, (map_children(expr, self._one),))

    def _pairwise(self, left: Expr, right: Expr, at: Position, join: object) -> _Value:
        x, y = self._value(left), self._value(right)
        if len(x.leaves) != len(y.leaves):
            raise self.shapes.error("the two sides differ in shape", at)
        assert callable(join)
        return _Value(x.shape or y.shape, tuple(map(join, x.leaves, y.leaves)))

    def _merge(self, expr: Merge) -> _Value:
        values = [self._value(branch) for branch in expr.branches]
        if any(isinstance(branch, Activate) for branch in expr.branches) and len(values[0].leaves) > 1:
            raise Unsupported("merge of activated calls that return records or arrays", expr.position)
        clock = self._one(expr.clock)
        if len({len(value.leaves) for value in values}) != 1:
            raise self.shapes.error("the branches of merge differ in shape", expr.position)
        columns = zip(*(value.leaves for value in values), strict=True)
        return _Value(
            values[0].shape, tuple(Merge(expr.position, clock, expr.labels, column) for column in columns)
        )

    def _part(self, argument: Expr, name: str, at: Position) -> _Value:
        whole = self._value(argument)
        start = 0
        for part_name, part in whole.shape.parts if whole.shape else ():
            if part_name == name:
                return _Value(part, whole.leaves[start : start + part.size])
            start += part.size
        raise self.shapes.error(f"there is no part {name} in this value", at)

    def _index(self, expr: Index) -> _Value:
        at = expr.position
        number = self.shapes.constant(expr.index)
        whole = self._value(expr.argument)
        if whole.shape is None or not whole.shape.array:
            raise self.shapes.error("only arrays can be indexed", at)
        count = len(whole.shape.parts)
        if number is not None:
            if number >= count:
                raise self.shapes.error(f"index {number} is beyond an array of {count}", at)
            return self._part(expr.argument, str(number), at)
        index, element = self._one(expr.index), whole.shape.parts[0][1]
        chosen: list[Expr] = [self.shapes.beyond(type_, at) for _, type_ in element.leaves()]
        for position in reversed(range(count)):
            here = whole.leaves[position * element.size : (position + 1) * element.size]
            test = Binary(at, "=", index, Literal(at, str(position)))
            chosen = [IfThenElse(at, test, x, y) for x, y in zip(here, chosen, strict=True)]
        return _Value(element, tuple(chosen))

    def _array(self, items: list[_Value], at: Position) -> _Value:
        if not items or len({len(item.leaves) for item in items}) != 1:
            raise self.shapes.error("an array has at least one element, all of one shape", at)
        element = next((item.shape for item in items if item.shape), None) or Shape(TypeName("int", at))
        shape = Shape(None, tuple((str(n), element) for n in range(len(items))), True)
        return _Value(shape, tuple(leaf for item in items for leaf in item.leaves))

    def _record(self, expr: RecordLiteral) -> _Value:
        shape = self.shapes.of(TypeName(expr.type, expr.position))
        if shape.type is not None or shape.array:
            raise self.shapes.error(f"{expr.type} is not a record type", expr.position)
        given = dict(expr.fields)
        if given.keys() != {name for name, _ in shape.parts} or len(given) != len(expr.fields):
            names = ", ".join(name for name, _ in shape.parts)
            raise self.shapes.error(f"{expr.type} has the fields {names}", expr.position)
        leaves: list[Expr] = []
        for name, part in shape.parts:
            value = self._value(given[name])
            if len(value.leaves) != part.size:
                message = f"field {name} of {expr.type} has another shape"
                raise self.shapes.error(message, given[name].position)
            leaves += value.leaves
        return _Value(shape, tuple(leaves))

    def _call(self, expr: Call | Activate | Restart) -> _Value:
        """Arguments as leaves; more than one result goes through variables of this call."""
        at = expr.position

        def spread(arguments: tuple[Expr, ...]) -> tuple[Expr, ...]:
            return tuple(leaf for argument in arguments for leaf in self._value(argument).leaves)

        call: Expr
        match expr:
            case Call():
                call = Call(at, expr.node, spread(expr.arguments))
            case Activate():
                defaults = None if expr.defaults is None else spread(expr.defaults)
                call = Activate(at, expr.node, self._one(expr.clock), defaults, spread(expr.arguments))
            case Restart():
                call = Restart(at, expr.node, self._one(expr.condition), spread(expr.arguments))
        outputs = self.shapes.nodes[expr.node].outputs
        shapes = [self.shapes.of(output.type) for output in outputs]
        if len(shapes) == 1 and shapes[0].size == 1:
            return _Value(shapes[0], (call,))
        number = len(self.equations)
        names: list[Name] = []
        for output, shape in zip(outputs, shapes, strict=True):
            for suffix, type_ in shape.leaves():
                name = f"{expr.node}~{number}.{output.name}{suffix}"
                self.locals.append(Declaration(name, type_, at))
                names.append(Name(at, name))
        self.equations.append(Equation(tuple(names), call, at))
        return _Value(shapes[0] if len(shapes) == 1 else None, tuple(names))
