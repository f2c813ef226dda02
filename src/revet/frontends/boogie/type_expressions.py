"""Names and types of expressions: one walk over the tree, from the leaves up, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from revet.errors import Position
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.type_resolution import TypeResolver, instantiate, match, unknown, variables
from revet.frontends.kit.syntax import WIDEST


class Scope:
    """The variables and type parameters that an expression may use.

    Quantifiers add theirs while the walk is inside them (:meth:`enter`, :meth:`leave`); a table of
    its own for each of 10,000 nested quantifiers would be quadratic.
    """

    def __init__(
        self, names: dict[str, s.Variable], types: dict[str, s.Type], place: str = "", old: bool = False
    ) -> None:
        self.names = dict(names)
        self.types = dict(types)
        self.place = place  # what may not see the program's state, e.g. "an axiom"
        self.old = old
        self._hidden: list[tuple[dict[str, Any], list[tuple[str, Any]]]] = []

    def enter(self, names: dict[str, s.Variable], types: dict[str, s.TypeVariable]) -> None:
        tables: list[tuple[dict[str, Any], dict[str, Any]]] = [(self.names, names), (self.types, types)]
        for table, more in tables:
            self._hidden.append((table, [(name, table.get(name)) for name in more]))
            table.update(more)

    def leave(self) -> None:
        for _ in range(2):
            table, before = self._hidden.pop()
            for name, value in before:
                if value is None:
                    del table[name]
                else:
                    table[name] = value


class ExpressionChecker:
    """Fills in the ``type``, ``variable``, ``function`` and ``instance`` of expressions."""

    def __init__(self, program: s.Program, resolver: TypeResolver, functions: dict[str, s.Function]) -> None:
        self.program = program
        self.resolver = resolver
        self.functions = functions
        self.integer_division: Position | None = None  # the first '/' that was read as 'div'
        self._rules: dict[type[s.Expr], Callable[[Any, Scope], s.Type]] = {
            s.BoolLiteral: lambda expr, scope: s.BOOL,
            s.IntLiteral: lambda expr, scope: s.INT,
            s.RealLiteral: lambda expr, scope: s.REAL,
            s.BitVectorLiteral: lambda expr, scope: s.bit_vector(expr.width),
            s.Old: lambda expr, scope: expr.argument.type,
            s.Name: self._name,
            s.Unary: self._unary,
            s.Binary: self._binary,
            s.IfThenElse: self._if_then_else,
            s.Application: self._application,
            s.Coercion: self._coercion,
            s.Select: self._select,
            s.Store: self._store,
            s.Extract: self._extract,
            s.Quantifier: self._quantifier,
            s.StructLiteral: self._struct,
            s.Field: lambda expr, scope: self.field(expr.argument.type, expr.name, expr.position),
        }

    def check(self, root: s.Expr, scope: Scope) -> s.Type:
        """The type of an expression, and of all its parts."""
        stack: list[tuple[s.Expr, bool]] = [(root, False)]
        while stack:
            expr, done = stack.pop()
            if done or isinstance(expr, s.Name):
                expr.type = self._rules[type(expr)](expr, scope)
                continue
            stack.append((expr, True))
            parts = s.children(expr)
            if isinstance(expr, s.Quantifier):
                self._open(expr, scope)
                parts = (*(term for trigger in expr.triggers for term in trigger), *parts)
            elif isinstance(expr, s.Old) and not scope.old:
                raise self.program.error("'old' has no meaning here", expr.position)
            stack += [(part, False) for part in reversed(parts)]
        return root.type

    def require(self, expr: s.Expr, scope: Scope, wanted: s.Type, what: str) -> None:
        found = self.check(expr, scope)
        if found is not wanted:
            raise self.program.error(f"{what} must be {a(wanted)}, this is {a(found)}", expr.position)

    # -- names

    def _name(self, expr: s.Name, scope: Scope) -> s.Type:
        variable = scope.names.get(expr.name)
        if variable is None:
            if expr.name in self.functions:
                message = f"{expr.name} is a function; its arguments are missing"
                raise self.program.error(message, expr.position)
            raise unknown(self.program, "variable", expr.name, scope.names, expr.position)
        if scope.place and variable.kind not in ("constant", "bound"):
            raise self.program.error(f"{scope.place} must not use the variable {expr.name}", expr.position)
        expr.variable = variable
        return variable.type

    def _application(self, expr: s.Application, scope: Scope) -> s.Type:
        function = self.functions.get(expr.name)
        if function is None:
            raise unknown(self.program, "function", expr.name, self.functions, expr.position)
        expr.function = function
        wanted = [parameter.type for parameter in function.parameters]
        what, open_ = f"function {expr.name}", function.type_variables
        binding = self.arguments(what, expr.position, expr.arguments, wanted, open_)
        expr.instance = self.instance(what, expr.position, binding, open_)
        return instantiate(function.result_type, binding)

    def arguments(
        self,
        what: str,
        position: Position,
        given: Sequence[s.Expr | None],
        wanted: Sequence[s.Type],
        type_variables: tuple[s.TypeVariable, ...],
    ) -> dict[s.TypeVariable, s.Type]:
        """Compare arguments (already checked) with parameters; the choice of the type parameters."""
        if len(given) != len(wanted):
            raise self.program.error(f"{what} takes {len(wanted)} arguments, not {len(given)}", position)
        binding: dict[s.TypeVariable, s.Type] = {}
        open_ = set(type_variables)
        for number, (expr, type_) in enumerate(zip(given, wanted, strict=True), 1):
            if expr is not None and not match(type_, expr.type, binding, open_):
                message = f"argument {number} of {what} must be {a(type_)}, this is {a(expr.type)}"
                raise self.program.error(message, expr.position)
        return binding

    def instance(
        self, what: str, position: Position, binding: dict[s.TypeVariable, s.Type],
        of: tuple[s.TypeVariable, ...],
    ) -> tuple[s.Type, ...]:
        """The type arguments, all of which must be known."""
        for variable in of:
            if variable not in binding:
                message = f"the arguments of {what} do not determine its type parameter {variable}"
                raise self.program.unsupported(message, position)
        return tuple(binding[variable] for variable in of)

    # -- quantifiers

    def _open(self, expr: s.Quantifier, scope: Scope) -> None:
        types = variables(self.program, expr.type_parameters, expr.position)
        names: dict[str, s.Variable] = {}
        scope.enter({}, types)
        for variable in expr.variables:
            if variable.name in names:
                raise self.program.error(f"{variable.name} is declared twice", variable.position)
            variable.type = self.resolver.resolve(variable.written, scope.types)
            names[variable.name] = variable
        scope.leave()
        scope.enter(names, types)

    def _quantifier(self, expr: s.Quantifier, scope: Scope) -> s.Type:
        scope.leave()
        if expr.kind == "lambda":
            if expr.type_parameters:
                raise self.program.unsupported("polymorphic maps are not supported", expr.position)
            return s.map_type(tuple(variable.type for variable in expr.variables), expr.body.type)
        self._must_be(s.BOOL, expr.body, f"the body of '{expr.kind}'")
        return s.BOOL

    # -- operators

    def _must_be(self, wanted: s.Type, expr: s.Expr, what: str) -> None:
        if expr.type is not wanted:
            raise self.program.error(f"{what} must be {a(wanted)}, this is {a(expr.type)}", expr.position)

    def _unary(self, expr: s.Unary, scope: Scope) -> s.Type:
        if expr.operator == "!":
            self._must_be(s.BOOL, expr.argument, "the operand of '!'")
        elif expr.argument.type not in (s.INT, s.REAL):
            message = f"the operand of '-' must be a number, this is {a(expr.argument.type)}"
            raise self.program.error(message, expr.argument.position)
        return expr.argument.type

    def _binary(self, expr: s.Binary, scope: Scope) -> s.Type:
        operator, left, right = expr.operator, expr.left.type, expr.right.type
        if operator in ("&&", "||", "==>", "<==>"):
            for side in (expr.left, expr.right):
                self._must_be(s.BOOL, side, f"an operand of '{operator}'")
            return s.BOOL
        if operator == "++":
            if isinstance(left, s.BitVectorType) and isinstance(right, s.BitVectorType):
                if left.width + right.width > WIDEST:
                    message = f"a bit vector of {left.width + right.width} bits is not supported"
                    raise self.program.unsupported(message, expr.position)
                return s.bit_vector(left.width + right.width)
            raise self._operands(expr, "bit vectors")
        if left is not right:
            hint = " (int(…) and real(…) convert)" if {left, right} == {s.INT, s.REAL} else ""
            raise self.program.error(f"'{operator}' between {a(left)} and {a(right)}{hint}", expr.position)
        if operator in ("==", "!="):
            return s.BOOL
        if operator in ("div", "mod") and left is not s.INT:
            raise self._operands(expr, "integers")
        if operator == "**" and left is not s.REAL:
            raise self._operands(expr, "reals")
        if left is not s.INT and left is not s.REAL:
            raise self._operands(expr, "numbers")
        if operator == "/" and left is s.INT:
            expr.operator = "div"
            self.integer_division = self.integer_division or expr.position
        return s.BOOL if operator in ("<", "<=", ">", ">=") else left

    def _operands(self, expr: s.Binary, wanted: str) -> Exception:
        left, right = expr.left.type, expr.right.type
        found = f"two of {left}" if left is right else f"{a(left)} and {a(right)}"
        return self.program.error(f"the operands of '{expr.operator}' must be {wanted}, these are {found}",
                                  expr.position)  # fmt: skip

    def _if_then_else(self, expr: s.IfThenElse, scope: Scope) -> s.Type:
        self._must_be(s.BOOL, expr.condition, "the condition")
        self._must_be(expr.then.type, expr.otherwise, "like 'then', the value of 'else'")
        return expr.then.type

    def _coercion(self, expr: s.Coercion, scope: Scope) -> s.Type:
        source, target = (s.REAL, s.INT) if expr.target == "int" else (s.INT, s.REAL)
        self._must_be(source, expr.argument, f"the argument of {expr.target}(…)")
        return target

    # -- maps and bit vectors

    def element(self, type_: s.Type, indices: tuple[s.Expr, ...], position: Position) -> s.Type:
        """The type of ``m[indices]`` (checked) for a map of this type."""
        if not isinstance(type_, s.MapType):
            raise self.program.error(f"only maps are indexed, this is {a(type_)}", position)
        if len(indices) != len(type_.domain):
            message = f"a map {type_} takes {len(type_.domain)} indices, not {len(indices)}"
            raise self.program.error(message, position)
        for index, wanted in zip(indices, type_.domain, strict=True):
            self._must_be(wanted, index, "the index")
        return type_.range

    def _select(self, expr: s.Select, scope: Scope) -> s.Type:
        return self.element(expr.map.type, expr.indices, expr.position)

    def _store(self, expr: s.Store, scope: Scope) -> s.Type:
        self._must_be(self.element(expr.map.type, expr.indices, expr.position), expr.value, "the value")
        return expr.map.type

    def _extract(self, expr: s.Extract, scope: Scope) -> s.Type:
        argument = expr.argument.type
        if not isinstance(argument, s.BitVectorType):
            raise self.program.error(f"only bit vectors have bits, this is {a(argument)}", expr.position)
        if not 0 <= expr.low <= expr.high <= argument.width:
            message = f"there are no bits [{expr.high}:{expr.low}] in {a(argument)}"
            raise self.program.error(message, expr.position)
        if expr.low == expr.high:
            raise self.program.unsupported("a bit vector of 0 bits is not supported", expr.position)
        return s.bit_vector(expr.high - expr.low)


    # -- structs

    def _struct(self, expr: s.StructLiteral, scope: Scope) -> s.Type:
        if len(set(expr.names)) != len(expr.names):
            raise self.program.error("a field has two values", expr.position)
        self.resolver.structs = True
        types = (value.type for value in expr.values)
        return s.struct_type(tuple(zip(expr.names, types, strict=True)))

    def field(self, type_: s.Type, name: str, position: Position) -> s.Type:
        """The type of a field of a struct of this type."""
        if not isinstance(type_, s.StructType):
            raise self.program.error(f"only structs have fields, this is {a(type_)}", position)
        found = dict(type_.fields).get(name)
        if found is None:
            raise unknown(self.program, "field", name, dict(type_.fields), position)
        return found


def a(type_: s.Type) -> str:
    """A type with its article."""
    return f"an {type_}" if type_.text[0] in "aeiouAEIOU" else f"a {type_}"
