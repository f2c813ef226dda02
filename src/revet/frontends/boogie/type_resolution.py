"""From types as written to types: synonyms expanded, names looked up.

A synonym is expanded once for each choice of its arguments: ``type t1 = [t0]t0; type t2 = [t1]t1; …``
has types whose text doubles with every line, but few of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from revet.errors import InputError, Position
from revet.frontends.boogie import syntax as s
from revet.frontends.kit.syntax import WIDEST

_BASIC = {"bool": s.BOOL, "int": s.INT, "real": s.REAL}
_BIT_VECTOR = re.compile(r"bv(0|[1-9][0-9]*)")

TypeScope = Mapping[str, s.Type]
"""The type parameters in scope."""


def unknown(program: s.Program, what: str, name: str, known: Iterable[str], position: Position) -> InputError:
    """The error for a name that nothing has, with the nearest name that something has."""
    near = get_close_matches(name, [one for one in known if one], 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return program.error(f"there is no {what} {name}{hint}", position)


class TypeResolver:
    """The types a program declares."""

    def __init__(self, program: s.Program) -> None:
        self.program = program
        self.structs = False  # are there any?
        self.declarations: dict[str, s.TypeDeclaration] = {}
        self._expanded: dict[tuple[s.TypeDeclaration, tuple[s.Type, ...]], s.Type] = {}
        self._expanding: set[s.TypeDeclaration] = set()
        for declaration in program.types:
            self._declare(declaration)
        for declaration in program.types:
            if declaration.synonym is not None:
                scope = variables(program, declaration.parameters, declaration.position)
                self._expand(declaration, tuple(scope.values()), declaration.position)

    def _declare(self, declaration: s.TypeDeclaration) -> None:
        name = declaration.name
        if name in self.declarations or name in _BASIC or _BIT_VECTOR.fullmatch(name):
            raise self.program.error(f"type {name} is declared twice", declaration.position)
        self.declarations[name] = declaration

    def resolve(self, written: s.TypeSyntax, scope: TypeScope) -> s.Type:
        if isinstance(written, s.WrittenName) and not written.arguments and written.name in _BASIC:
            return _BASIC[written.name]
        return self._resolve(written, scope)

    def _resolve(self, written: s.TypeSyntax, scope: TypeScope) -> s.Type:
        if isinstance(written, s.WrittenMap):
            if written.parameters:
                raise self.program.unsupported("polymorphic maps are not supported", written.position)
            domain = tuple(self._resolve(index, scope) for index in written.domain)
            return s.map_type(domain, self._resolve(written.range, scope))
        if isinstance(written, s.Given):
            return written.type
        if isinstance(written, s.WrittenStruct):
            return self._struct(written, scope)
        assert isinstance(written, s.WrittenName)
        known = self._known(written, scope)
        if known is not None:
            if written.arguments:
                raise self.program.error(f"type {written.name} takes no arguments", written.position)
            return known
        declaration = self.declarations.get(written.name)
        if declaration is None:
            names = [*scope, *self.declarations, *_BASIC]
            raise unknown(self.program, "type", written.name, names, written.position)
        if len(written.arguments) != len(declaration.parameters):
            wanted, given = len(declaration.parameters), len(written.arguments)
            message = f"type {written.name} takes {wanted} arguments, not {given}"
            raise self.program.error(message, written.position)
        arguments = tuple(self._resolve(argument, scope) for argument in written.arguments)
        return self._expand(declaration, arguments, written.position)

    def _struct(self, written: s.WrittenStruct, scope: TypeScope) -> s.Type:
        fields: dict[str, s.Type] = {}
        for name, field in written.fields:
            if name in fields:
                raise self.program.error(f"field {name} is declared twice", field.position)
            fields[name] = self._resolve(field, scope)
        self.structs = True
        return s.struct_type(tuple(fields.items()))

    def _known(self, written: s.WrittenName, scope: TypeScope) -> s.Type | None:
        """A basic type, bit vector or type parameter."""
        if written.name in scope:
            return scope[written.name]
        if written.name in _BASIC:
            return _BASIC[written.name]
        match = _BIT_VECTOR.fullmatch(written.name)
        if match is None:
            return None
        digits = match.group(1)
        if len(digits) > 6 or not 0 < int(digits) <= WIDEST:
            message = f"a bit vector of {digits[:10]} bits is not supported"
            raise self.program.unsupported(message, written.position)
        return s.bit_vector(int(digits))

    def _expand(
        self, declaration: s.TypeDeclaration, arguments: tuple[s.Type, ...], position: Position
    ) -> s.Type:
        if declaration.synonym is None:
            return s.named_type(declaration, arguments)
        known = self._expanded.get((declaration, arguments))
        if known is not None:
            return known
        if declaration in self._expanding:
            raise self.program.error(f"type {declaration.name} is defined by itself", position)
        self._expanding.add(declaration)
        scope = dict(zip(declaration.parameters, arguments, strict=True))
        result = self._resolve(declaration.synonym, scope)
        self._expanding.remove(declaration)
        self._expanded[declaration, arguments] = result
        return result


def variables(program: s.Program, parameters: Iterable[str], position: Position) -> dict[str, s.TypeVariable]:
    """New type variables for the type parameters of a declaration."""
    found: dict[str, s.TypeVariable] = {}
    for name in parameters:
        if name in found:
            raise program.error(f"type parameter {name} is declared twice", position)
        found[name] = s.TypeVariable(name)
    return found


# -- polymorphism: types as patterns


def match(
    pattern: s.Type, actual: s.Type, binding: dict[s.TypeVariable, s.Type], open_: set[s.TypeVariable]
) -> bool:
    """Can the variables of ``open_`` in the pattern be chosen so that it is the actual type?

    Adds the choice to ``binding``.
    """
    stack = [(pattern, actual)]
    seen: set[tuple[s.Type, s.Type]] = set()
    while stack:
        pair = stack.pop()
        left, right = pair
        if isinstance(left, s.TypeVariable) and left in open_:
            if binding.setdefault(left, right) is not right:
                return False
        elif left is right or pair in seen:
            continue
        elif isinstance(left, s.MapType) and isinstance(right, s.MapType):
            if len(left.domain) != len(right.domain):
                return False
            stack += [(left.range, right.range), *zip(left.domain, right.domain, strict=True)]
        elif isinstance(left, s.NamedType) and isinstance(right, s.NamedType):
            if left.declaration is not right.declaration:
                return False
            stack += zip(left.arguments, right.arguments, strict=True)
        else:
            return False
        seen.add(pair)
    return True


def instantiate(type_: s.Type, binding: Mapping[s.TypeVariable, s.Type]) -> s.Type:
    """The type with its variables replaced."""
    if not binding:
        return type_
    return _instantiate(type_, binding, {})


def _instantiate(
    type_: s.Type, binding: Mapping[s.TypeVariable, s.Type], made: dict[s.Type, s.Type]
) -> s.Type:
    if type_ in made:
        return made[type_]
    result = type_
    if isinstance(type_, s.TypeVariable):
        result = binding.get(type_, type_)
    elif isinstance(type_, s.MapType):
        domain = tuple(_instantiate(index, binding, made) for index in type_.domain)
        result = s.map_type(domain, _instantiate(type_.range, binding, made))
    elif isinstance(type_, s.NamedType):
        arguments = tuple(_instantiate(argument, binding, made) for argument in type_.arguments)
        result = s.named_type(type_.declaration, arguments)
    made[type_] = result
    return result
