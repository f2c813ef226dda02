"""Types of Lustre and the type checker.

The checker gives every expression its type (kept in :class:`Typing` by identity), so that
translation and interpretation need no error handling of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

from revet.errors import InputError, Position
from revet.frontends.lustre.syntax import (
    Binary,
    Call,
    Constant,
    Expr,
    File,
    IfThenElse,
    Literal,
    Name,
    Node,
    Tuple,
    TypeName,
    Unary,
)
from revet.logic.sorts import BOOL, INT, REAL, BitVec, Sort


@dataclass(frozen=True, slots=True)
class Type:
    """``names`` of an enumeration; ``low`` and ``high`` of a subrange; ``width`` of a machine integer."""

    name: str
    names: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    width: int = 0

    @property
    def sort(self) -> Sort:
        if self.width:
            return BitVec(self.width)
        return {"bool": BOOL, "real": REAL}.get(self.name, INT)

    @property
    def is_integer(self) -> bool:
        return self.name == "int"

    @property
    def is_number(self) -> bool:
        return self.name in ("int", "real") or bool(self.width)

    @property
    def signed(self) -> bool:
        return not self.name.startswith("u")

    def __str__(self) -> str:
        if self.low is not None:
            return f"subrange [{self.low},{self.high}]"
        return self.name


BOOLEAN, INTEGER, REAL_TYPE = Type("bool"), Type("int"), Type("real")
MACHINE = {
    f"{sign}int{width}": Type(f"{sign}int{width}", width=width)
    for sign in ("", "u")
    for width in (8, 16, 32, 64)
}
_BASIC = {"bool": BOOLEAN, "int": INTEGER, "real": REAL_TYPE, **MACHINE}


def compatible(left: Type, right: Type) -> bool:
    """May a value of one be used as the other? Subranges are integers."""
    return left.name == right.name


class Typing:
    """The types of a file: declared names, constants' values, and every expression's type."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.types = dict(_BASIC)
        self.nodes = {node.name: node for node in file.nodes}
        self.constants: dict[str, tuple[Type, Expr]] = {}
        self.enumerators: dict[str, tuple[Type, int]] = {}
        self.of: dict[Expr, tuple[Type, ...]] = {}
        self.variables: dict[Node, dict[str, Type]] = {}
        self._define_types()
        for constant in file.constants:
            self._define_constant(constant, {}, self.constants)
        self.local_constants: dict[Node, dict[str, tuple[Type, Expr]]] = {}
        for node in file.nodes:
            self._declare(node)
        for node in file.nodes:
            self._check_node(node)
        self._refuse_recursion()

    def error(self, message: str, position: Position) -> InputError:
        return InputError(message, position, self.file.line(position))

    def type_of(self, expr: Expr) -> Type:
        """The type of an expression that is not a tuple."""
        return self.of[expr][0]

    # -- declarations

    def _define_types(self) -> None:
        for definition in self.file.types:
            if definition.name in self.types:
                raise self.error(f"type {definition.name} is defined twice", definition.position)
            if definition.alias is not None:
                self.types[definition.name] = self.resolve(definition.alias)
                continue
            type_ = Type(definition.name, definition.enumeration)
            self.types[definition.name] = type_
            for number, name in enumerate(definition.enumeration):
                self.enumerators[name] = (type_, number)

    def resolve(self, written: TypeName) -> Type:
        found = self.types.get(written.name)
        if found is None:
            raise self.error(f"there is no type {written.name}", written.position)
        if written.low is not None and written.high is not None:
            return Type("int", low=self._number(written.low), high=self._number(written.high))
        return found

    def _number(self, expr: Expr) -> int:
        match expr:
            case Literal(text=text) if text.isdigit():
                return int(text)
            case Unary(operator="-", argument=inner):
                return -self._number(inner)
            case Name(name=name) if name in self.constants:
                return self._number(self.constants[name][1])
        raise self.error("a subrange's bounds must be integer constants", expr.position)

    def _define_constant(
        self, constant: Constant, scope: dict[str, Type], into: dict[str, tuple[Type, Expr]]
    ) -> None:
        found = self._one(constant.value, scope, None)
        if constant.type is not None:
            declared = self.resolve(constant.type)
            if not compatible(declared, found):
                raise self.error(f"{constant.name} is a {declared}, its value a {found}", constant.position)
            found = declared
        into[constant.name] = (found, constant.value)

    def _declare(self, node: Node) -> None:
        if self.nodes[node.name] is not node:
            raise self.error(f"two nodes are called {node.name}", node.position)
        scope: dict[str, Type] = {}
        for declaration in (*node.inputs, *node.outputs, *node.locals):
            if declaration.name in scope:
                raise self.error(f"{declaration.name} is declared twice", declaration.position)
            scope[declaration.name] = self.resolve(declaration.type)
        self.variables[node] = scope
        self.local_constants[node] = {}
        for constant in node.constants:
            self._define_constant(constant, {}, self.local_constants[node])

    # -- nodes

    def _check_node(self, node: Node) -> None:
        scope = self.variables[node]
        defined: set[str] = set()
        inputs = {declaration.name for declaration in node.inputs}
        for equation in node.equations:
            types = self._types(equation.value, scope, node)
            if len(types) != len(equation.names):
                raise self.error(
                    f"{len(equation.names)} variables on the left, {len(types)} values on the right",
                    equation.position,
                )
            for name, type_ in zip(equation.names, types, strict=True):
                if name.name not in scope:
                    raise self.error(f"{name.name} is not declared", name.position)
                if name.name in inputs:
                    raise self.error(f"{name.name} is an input and cannot be defined", name.position)
                if name.name in defined:
                    raise self.error(f"{name.name} is defined twice", name.position)
                if not compatible(scope[name.name], type_):
                    raise self.error(
                        f"{name.name} is a {scope[name.name]}, but its definition is a {type_}", name.position
                    )
                defined.add(name.name)
        free = node.outputs if node.imported else ()
        for declaration in (*node.outputs, *node.locals):
            if declaration.name not in defined and declaration not in free:
                raise self.error(f"{declaration.name} has no definition", declaration.position)
        clauses = (*node.properties, *node.assumes, *node.guarantees)
        for formula in (*node.asserts, *(p.formula for p in clauses)):
            self._require(formula, BOOLEAN, self._one(formula, scope, node))

    def _refuse_recursion(self) -> None:
        """Node calls must not form a cycle: they are instantiated."""
        calls: dict[str, list[tuple[str, Position]]] = {name: [] for name in self.nodes}
        for node in self.file.nodes:
            stack: list[Expr] = [e.value for e in node.equations]
            clauses = (*node.properties, *node.assumes, *node.guarantees)
            stack += [*node.asserts, *(p.formula for p in clauses)]
            while stack:
                expr = stack.pop()
                if isinstance(expr, Call) and expr.node != "#":
                    calls[node.name].append((expr.node, expr.position))
                stack += children(expr)
        done: set[str] = set()
        for root in calls:
            path: list[str] = []
            todo: list[tuple[str, bool]] = [(root, False)]
            while todo:
                name, leaving = todo.pop()
                if leaving:
                    done.add(path.pop())
                    continue
                if name in done:
                    continue
                path.append(name)
                todo.append((name, True))
                for callee, position in calls[name]:
                    if callee in path:
                        raise self.error(f"node {callee} calls itself: {' -> '.join(path)}", position)
                    todo.append((callee, False))

    # -- expressions

    def _require(self, expr: Expr, wanted: Type, found: Type) -> None:
        if not compatible(wanted, found):
            raise self.error(f"expected a {wanted}, this is a {found}", expr.position)

    def _one(self, expr: Expr, scope: dict[str, Type], node: Node | None) -> Type:
        types = self._types(expr, scope, node)
        if len(types) != 1:
            raise self.error(f"expected one value, these are {len(types)}", expr.position)
        return types[0]

    def _types(self, expr: Expr, scope: dict[str, Type], node: Node | None) -> tuple[Type, ...]:
        found = self._compute(expr, scope, node)
        self.of[expr] = found
        return found

    def _compute(self, expr: Expr, scope: dict[str, Type], node: Node | None) -> tuple[Type, ...]:
        match expr:
            case Literal(text=text):
                return (_literal_type(text),)
            case Name(name=name):
                return (self._name_type(name, scope, node, expr.position),)
            case Unary(operator="pre", argument=argument):
                return self._types(argument, scope, node)
            case Unary(operator=operator, argument=argument):
                return (self._unary(operator, argument, self._one(argument, scope, node), expr.position),)
            case Binary(operator="->" | "fby", left=left, right=right):
                return self._same_shape(expr, left, right, scope, node)
            case Binary(operator="pre~", left=left, right=right):
                self._require(right, BOOLEAN, self._one(right, scope, node))
                return self._types(left, scope, node)
            case Binary(operator=operator, left=left, right=right):
                sides = self._one(left, scope, node), self._one(right, scope, node)
                return (self._binary(operator, expr, *sides),)
            case IfThenElse(condition=condition, then=then, otherwise=otherwise):
                self._require(condition, BOOLEAN, self._one(condition, scope, node))
                return self._same_shape(expr, then, otherwise, scope, node)
            case Call():
                return self._call(expr, scope, node)
            case Tuple(items=items):
                return tuple(type_ for item in items for type_ in self._types(item, scope, node))
        raise self.error("not an expression", expr.position)

    def _name_type(self, name: str, scope: dict[str, Type], node: Node | None, position: Position) -> Type:
        if name in scope:
            return scope[name]
        if node is not None and name in self.local_constants[node]:
            return self.local_constants[node][name][0]
        if name in self.constants:
            return self.constants[name][0]
        if name in self.enumerators:
            return self.enumerators[name][0]
        raise self.error(f"{name} is not declared", position)

    def _unary(self, operator: str, argument: Expr, type_: Type, position: Position) -> Type:
        if operator == "not":
            self._require(argument, BOOLEAN, type_)
            return BOOLEAN
        if not type_.is_number:
            raise self.error(f"{operator} expects a number, this is a {type_}", argument.position)
        if operator == "-":
            return Type("int") if type_.is_integer else type_
        return _BASIC[operator]

    def _binary(self, operator: str, expr: Binary, left: Type, right: Type) -> Type:
        if operator in ("and", "or", "xor", "=>"):
            self._require(expr.left, BOOLEAN, left)
            self._require(expr.right, BOOLEAN, right)
            return BOOLEAN
        if not compatible(left, right):
            raise self.error(f"{operator} between a {left} and a {right}", expr.position)
        if operator in ("=", "<>"):
            return BOOLEAN
        if not left.is_number:
            raise self.error(f"{operator} expects numbers, these are {left}s", expr.position)
        if operator in ("<", "<=", ">", ">="):
            return BOOLEAN
        if operator in ("div", "mod") and left is REAL_TYPE:
            raise self.error(f"{operator} expects integers", expr.position)
        if operator == "/" and left.is_integer:
            raise self.error("/ is real division; use div on integers", expr.position)
        return INTEGER if left.is_integer else left

    def _same_shape(
        self, expr: Expr, left: Expr, right: Expr, scope: dict[str, Type], node: Node | None
    ) -> tuple[Type, ...]:
        these, those = self._types(left, scope, node), self._types(right, scope, node)
        if len(these) != len(those) or not all(map(compatible, these, those)):
            shown = [", ".join(map(str, types)) for types in (these, those)]
            raise self.error(f"the two sides differ: {shown[0]} and {shown[1]}", expr.position)
        return these

    def _call(self, call: Call, scope: dict[str, Type], node: Node | None) -> tuple[Type, ...]:
        if call.node == "#":
            for argument in call.arguments:
                self._require(argument, BOOLEAN, self._one(argument, scope, node))
            return (BOOLEAN,)
        callee = self.nodes.get(call.node)
        if callee is None:
            raise self.error(f"there is no node {call.node}", call.position)
        given = [type_ for argument in call.arguments for type_ in self._types(argument, scope, node)]
        if len(given) != len(callee.inputs):
            message = f"{call.node} takes {len(callee.inputs)} arguments, not {len(given)}"
            raise self.error(message, call.position)
        for declaration, type_ in zip(callee.inputs, given, strict=True):
            wanted = self.variables[callee][declaration.name]
            if not compatible(wanted, type_):
                message = f"argument {declaration.name} of {call.node} is a {wanted}, this is a {type_}"
                raise self.error(message, call.position)
        return tuple(self.variables[callee][declaration.name] for declaration in callee.outputs)


def _literal_type(text: str) -> Type:
    if text in ("true", "false"):
        return BOOLEAN
    return INTEGER if text.isdigit() else REAL_TYPE


def children(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Unary(argument=argument):
            return (argument,)
        case Binary(left=left, right=right):
            return (left, right)
        case IfThenElse(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case Call(arguments=arguments):
            return arguments
        case Tuple(items=items):
            return items
    return ()
