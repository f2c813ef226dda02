"""The type checker's table of types: definitions, instances of polymorphic types, and what it means
for a value to be one of a refined type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from revet.errors import InputError, Position, Unsupported
from revet.frontends.lustre import core
from revet.frontends.lustre.core import (
    Bound,
    Const,
    Expr,
    Global,
    In,
    Op,
    Project,
    Quantify,
    Select,
    Test,
    Var,
)
from revet.frontends.lustre.declarations import (
    File,
    TypeDefinition,
)
from revet.frontends.lustre.fold import fold, number
from revet.frontends.lustre.scopes import Scope
from revet.frontends.lustre.syntax import (
    ArrayType,
    EnumType,
    HistoryType,
    MachineType,
    NamedType,
    RecordType,
    RefinementType,
    SubrangeType,
    TupleType,
    TypeExpr,
)
from revet.frontends.lustre.types import (
    BOOL,
    INT,
    REAL,
    Abstract,
    ArrayOf,
    Constructor,
    Datatype,
    Enum,
    Machine,
    MapOf,
    Record,
    Refined,
    SetOf,
    TupleOf,
    Type,
    compatible,
    has_refinement,
    is_recursive,
    plain,
)
from revet.frontends.lustre.walk import subexpressions

if TYPE_CHECKING:
    from revet.frontends.lustre.check_expressions import Expressions
    from revet.frontends.lustre.syntax import Expr as SyntaxExpr

_BASIC: dict[str, Type] = {"bool": BOOL, "int": INT, "real": REAL}


class Types:
    """The types of a file. ``expressions`` checks the predicates and sizes in them."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.expressions: Expressions
        self.definitions: dict[str, TypeDefinition] = {}
        self.enumerators: dict[str, tuple[Enum, int]] = {}
        self.constructors: dict[str, tuple[TypeDefinition, int]] = {}
        self._enums: dict[TypeExpr, Enum] = {}
        self._data: dict[tuple[str, tuple[Type, ...]], tuple[Constructor, ...]] = {}
        self._open: list[str] = []
        self._count = 0
        for definition in file.types:
            self._define(definition)

    def error(self, message: str, position: Position) -> InputError:
        return InputError(message, position, self.file.line(position))

    def unsupported(self, message: str, position: Position) -> Unsupported:
        return Unsupported(message, position, self.file.line(position))

    def _define(self, definition: TypeDefinition) -> None:
        if definition.name in self.definitions or definition.name in _BASIC:
            raise self.error(f"type {definition.name} is defined twice", definition.position)
        self.definitions[definition.name] = definition
        if isinstance(definition.type, EnumType):
            made = Enum(definition.name, definition.type.values)
            self._enums[definition.type] = made
            for position, value in enumerate(made.values):
                self._new_value(value, definition.position)
                self.enumerators[value] = (made, position)
        for position, constructor in enumerate(definition.constructors):
            self._new_value(constructor.name, constructor.position)
            self.constructors[constructor.name] = (definition, position)

    def _new_value(self, name: str, position: Position) -> None:
        if name in self.enumerators or name in self.constructors:
            raise self.error(f"{name} is already a value of another type", position)

    def check_all(self) -> None:
        """Look at every definition, also at those that nobody uses."""
        for definition in self.file.types:
            arguments = tuple(Abstract(p) for p in definition.parameters)
            found = self._named(definition.name, arguments, definition.position)
            if isinstance(found, Datatype):
                for constructor in found.constructors:
                    for _, part in constructor.fields:
                        self.validate(part, definition.position)
            else:
                self.validate(found, definition.position)

    def validate(self, type_: Type, position: Position) -> None:
        """Have the predicate of a refined type checked."""
        if isinstance(type_, Refined):
            self.validate(type_.base, position)
            type_.predicate(Bound(position, plain(type_.base), "value~"))

    # -- from syntax

    def resolve(self, written: TypeExpr, scope: Scope) -> Type:
        match written:
            case NamedType(name=name, arguments=arguments):
                if name in scope.types and not arguments:
                    return scope.types[name]
                return self._named(name, tuple(self.resolve(a, scope) for a in arguments), written.position)
            case MachineType(width=width, signed=signed):
                return Machine(width, signed)
            case SubrangeType():
                return self._subrange(written, scope)
            case RefinementType():
                return self._refinement(written, scope)
            case ArrayType(element=element, size=size):
                return ArrayOf(self.resolve(element, scope), self._size(size, scope))
            case TupleType(items=items):
                return TupleOf(tuple(self.resolve(item, scope) for item in items))
            case RecordType():
                return self._record("record", written, scope)
            case EnumType():
                if written not in self._enums:
                    raise self.error("an enumeration has a name of its own: write type t = enum {…}",
                                     written.position)
                return self._enums[written]
            case HistoryType():
                raise self.error("history(…) is for variables of quantifiers", written.position)
        raise AssertionError(written)

    def _record(self, name: str, written: RecordType, scope: Scope) -> Type:
        names = [field.name for field in written.fields]
        if len(set(names)) < len(names):
            raise self.error("a record's fields have different names", written.position)
        return Record(name, tuple((f.name, self.resolve(f.type, scope)) for f in written.fields))

    def _named(self, name: str, arguments: tuple[Type, ...], position: Position) -> Type:
        if name in _BASIC and not arguments:
            return _BASIC[name]
        if name == "set" and len(arguments) == 1:
            return SetOf(self.key_type(arguments[0], position))
        if name == "map" and len(arguments) == 2:
            return MapOf(self.key_type(arguments[0], position), arguments[1])
        definition = self.definitions.get(name)
        if definition is None:
            raise self.error(f"there is no type {name}", position)
        if len(definition.parameters) != len(arguments):
            raise self.error(f"type {name} takes {len(definition.parameters)} types", position)
        if definition.constructors:
            return Datatype(name, arguments, lambda: self._constructors(definition, arguments))
        if definition.type is None:
            return Abstract(name)
        if name in self._open:
            raise self.error(f"type {name} contains itself", position)
        self._open.append(name)
        inner = Scope(types=dict(zip(definition.parameters, arguments, strict=True)))
        if isinstance(definition.type, RecordType):
            shown = name if not arguments else f"{name}<{'; '.join(map(str, arguments))}>"
            found = self._record(shown, definition.type, inner)
        else:
            found = self.resolve(definition.type, inner)
        self._open.pop()
        return found

    def key_type(self, type_: Type, position: Position) -> Type:
        """The type, if sets can have such elements."""
        todo = [plain(type_)]
        while todo:
            match todo.pop():
                case SetOf() | MapOf() | ArrayOf():
                    raise self.error("elements of sets and keys of maps have no sets, maps or arrays in them",
                                     position)
                case TupleOf(items=items):
                    todo += items
                case Record(fields=fields):
                    todo += [part for _, part in fields]
        return type_

    def _constructors(
        self, definition: TypeDefinition, arguments: tuple[Type, ...]
    ) -> tuple[Constructor, ...]:
        key = (definition.name, arguments)
        if key not in self._data:
            scope = Scope(types=dict(zip(definition.parameters, arguments, strict=True)))
            self._data[key] = tuple(
                Constructor(c.name, tuple((f.name, self.resolve(f.type, scope)) for f in c.fields))
                for c in definition.constructors
            )
        return self._data[key]

    def _size(self, size: SyntaxExpr, scope: Scope) -> Expr:
        found = fold(self.expressions.one(size, scope, INT))
        if found.type != INT:
            raise self.error(f"the size of an array is an int, this is a {found.type}", size.position)
        value = number(found)
        if value is not None and value < 0:
            raise self.error("the size of an array is not negative", size.position)
        for part in subexpressions(found):
            if not isinstance(
                part, (Const, Global, Var, Op, Project, core.At, core.If, core.Make, core.Fill)
            ):
                raise self.error("the size of an array is constant", size.position)
            if isinstance(part, Var) and not part.constant:
                raise self.error(f"the size of an array is constant, {part.name} is not", size.position)
        return found

    def _subrange(self, written: SubrangeType, scope: Scope) -> Type:
        low = None if written.low is None else fold(self.expressions.one(written.low, scope, INT))
        high = None if written.high is None else fold(self.expressions.one(written.high, scope, INT))
        at = written.position
        for bound in (low, high):
            if bound is not None and plain(bound.type) != INT:
                raise self.error("the bounds of a subrange are of type int", at)
        if low is not None and high is not None:
            least, greatest = number(low), number(high)
            if least is not None and greatest is not None and least > greatest:
                raise self.error(f"no number is between {least} and {greatest}", at)

        def predicate(value: Expr) -> Expr:
            tests: list[Expr] = []
            if low is not None:
                tests.append(Op(at, BOOL, "<=", (low, value)))
            if high is not None:
                tests.append(Op(at, BOOL, "<=", (value, high)))
            return conjunction(tests, at)

        return Refined(INT, predicate)

    def _refinement(self, written: RefinementType, scope: Scope) -> Type:
        base = self.resolve(written.base, scope)

        def predicate(value: Expr) -> Expr:
            found = self.expressions.one(written.predicate, scope.with_names({written.name: value}), BOOL)
            if found.type != BOOL:
                raise self.error("the predicate of a subtype is of type bool", written.position)
            return found

        return Refined(base, predicate)

    # -- membership

    def fresh(self, name: str) -> str:
        self._count += 1
        return f"{name}~{self._count}"

    def bound(self, name: str, type_: Type, position: Position) -> Bound:
        return Bound(position, plain(type_), self.fresh(name))

    def membership(self, type_: Type, value: Expr) -> list[Expr]:
        """What it takes for a value of the plain type to be one of the type."""
        if not has_refinement(type_):
            return []
        at = value.position
        match type_:
            case Refined(base=base):
                return [*self.membership(base, value), type_.predicate(value)]
            case TupleOf(items=items):
                return [m for k, t in enumerate(items)
                        for m in self.membership(t, Project(at, plain(t), value, k))]
            case Record(fields=fields):
                return [m for k, (_, t) in enumerate(fields)
                        for m in self.membership(t, Project(at, plain(t), value, k))]
            case ArrayOf(element=element, size=size):
                index = self.bound("i", INT, at)
                inside = conjunction([
                    Op(at, BOOL, "<=", (Const(at, INT, 0), index)), Op(at, BOOL, "<", (index, size)),
                ], at)
                each = self.membership(element, core.At(at, plain(element), value, index))
                return [for_all((index,), inside, each, at)]
            case SetOf(element=element):
                member = self.bound("e", element, at)
                return [for_all((member,), In(at, BOOL, member, value), self.membership(element, member), at)]
            case MapOf(key=key, value=part):
                member = self.bound("k", key, at)
                inner = core.At(at, plain(part), value, member)
                each = [*self.membership(key, member), *self.membership(part, inner)]
                return [for_all((member,), In(at, BOOL, member, value), each, at)]
            case Datatype():
                if is_recursive(type_):
                    raise self.unsupported("a recursive datatype with refined fields is not supported", at)
                return self._of_constructors(type_, value)
        raise AssertionError(type_)

    def _of_constructors(self, type_: Datatype, value: Expr) -> list[Expr]:
        found: list[Expr] = []
        at = value.position
        for number_, constructor in enumerate(type_.constructors):
            for k, (_, part) in enumerate(constructor.fields):
                inner = Select(at, plain(part), value, number_, k, True)
                found += [
                    core.If(at, BOOL, Test(at, BOOL, value, number_), m, Const(at, BOOL, True), True)
                    for m in self.membership(part, inner)
                ]
        return found


def conjunction(parts: list[Expr], at: Position) -> Expr:
    if not parts:
        return Const(at, BOOL, True)
    found = parts[0]
    for part in parts[1:]:
        found = Op(at, BOOL, "and", (found, part))
    return found


def for_all(variables: tuple[Bound, ...], guard: Expr, each: list[Expr], at: Position) -> Expr:
    body = Op(at, BOOL, "=>", (guard, conjunction(each, at)))
    return Quantify(at, BOOL, True, variables, body)


def unify(formal: Type, actual: Type, found: dict[str, Type]) -> bool:
    """Find types for the type variables (abstract types called ``?T``) of the formal type."""
    formal, actual = plain(formal), plain(actual)
    match formal, actual:
        case (Abstract(name=name), _) if name.startswith("?"):
            known = found.setdefault(name, actual)
            return compatible(known, actual)
        case (TupleOf(), TupleOf()):
            return len(formal.items) == len(actual.items) and all(
                unify(x, y, found) for x, y in zip(formal.items, actual.items, strict=True)
            )
        case (Record(), Record()):
            return len(formal.fields) == len(actual.fields) and all(
                n == m and unify(x, y, found)
                for (n, x), (m, y) in zip(formal.fields, actual.fields, strict=True)
            )
        case (ArrayOf(element=x), ArrayOf(element=y)) | (SetOf(element=x), SetOf(element=y)):
            return unify(x, y, found)
        case (MapOf(), MapOf()):
            return unify(formal.key, actual.key, found) and unify(formal.value, actual.value, found)
        case (Datatype(), Datatype()):
            return formal.name == actual.name and all(
                unify(x, y, found) for x, y in zip(formal.arguments, actual.arguments, strict=True)
            )
    return compatible(formal, actual)


def variables(parameters: tuple[str, ...]) -> Mapping[str, Type]:
    """Type variables that stand for the parameters."""
    return {name: Abstract(f"?{name}") for name in parameters}
