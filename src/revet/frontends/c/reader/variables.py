"""Variables: objects at file scope, which declarations and files may share, and those of functions.

``_Thread_local`` changes nothing: functions that make threads are refused, so there is one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from revet.errors import Position, Unsupported
from revet.frontends.c import ast
from revet.frontends.c.reader.attributes import attribute, declared_alignment
from revet.frontends.c.reader.edits import LENGTH, Edited, length_edits, mentions
from revet.frontends.c.reader.linkage import incomplete, initial_value, is_constant, is_constant_target
from revet.frontends.c.reader.rows import product
from revet.frontends.c.types import Array, CType, Pointer

if TYPE_CHECKING:
    from revet.frontends.c.clang.nodes import Node, Reference
    from revet.frontends.c.reader.entries import Resolved
    from revet.frontends.c.reader.unit import UnitReader

_LENGTHS = re.compile(rb"\[[^;]*\]", re.S)
_CHANGE = re.compile(rb"\+\+|--|(?<![=!<>])=(?!=)|\b(?P<called>\w+)\s*\(")


class VariableReader:
    """The variables of one translation unit."""

    def __init__(self, unit: UnitReader) -> None:
        self._unit = unit
        self.open_types: list[str] = []  # names of types of variable length
        self._variables: dict[str, ast.Variable] = {}  # by their declaration's id
        self.own: dict[str, ast.Variable] = {}  # at file scope, by name

    def new(self, name: str, type: CType, at: Position) -> ast.Variable:
        """An object without a declaration (a compound literal)."""
        variable = ast.Variable(name, type, self._unit.current, at, self._next_number(), made=True)
        if self._unit.current is None:
            self._add_global(variable, len(self._unit.order))
        return variable

    def unnamed_global(self, name: str, type: CType, at: Position) -> ast.Variable:
        """An object that lives for ever and that the text does not have."""
        variable = ast.Variable(name, type, None, at, self._next_number(), static=True, made=True)
        self._add_global(variable, len(self._unit.order))
        return variable

    def temporary(self, type: CType, at: Position) -> ast.Variable:
        """A local variable that the text does not have: declared at the start of the function."""
        variable = self.new("$value", type, at)
        self._unit.temporaries.append(variable)
        return variable

    def _next_number(self) -> int:
        self._unit.linkage.counter += 1
        return self._unit.linkage.counter

    def _add_global(self, variable: ast.Variable, order: int) -> None:
        self._unit.linkage.globals.append(((self._unit.number, order), variable))

    def mentioned(self, reference: Reference, node: Node) -> ast.Variable:
        """The object that a mention means."""
        found = self._variables.get(reference.id)
        if found is not None:
            return found
        if reference.id not in self._unit.by_id:
            raise self._unit.unsupported(node, f"{reference.name} is not declared where it could be found")
        return self.at_file_scope(reference.name)

    def at_file_scope(self, name: str) -> ast.Variable:
        """An object at file scope: all its declarations together."""
        found = self.own.get(name)
        if found is not None:
            return found
        nodes = [declaration.node for declaration in self._unit.by_name[name]]
        for node in nodes:
            self._unit.check(node)
            self._unit.check_name(node)
            if attribute(node, "Alias") is not None:
                raise self._unit.unsupported(node, f"{name} is another name of a variable")
        with self._unit.types.at_file_scope():
            types = [self._unit.resolved(node) for node in nodes]
        complete = [one for one in types if not isinstance(one.type, Array) or one.type.count is not None]
        chosen = (complete or types)[-1]
        at = self._unit.sources.position(nodes[0].spot)
        variable = self._linked(name, chosen.type, at, self._unit.is_static(name), self._unit.order[name])
        variable.volatile = variable.volatile or any(one.volatile for one in types)
        variable.constant = any(is_constant(node.type) for node in nodes)
        variable.spelled = next((node.type.spelled for node in nodes if node.type), "")
        asked = declared_alignment(*nodes)
        variable.alignment = variable.alignment if asked is None else min(asked, variable.alignment or asked)
        self.own[name] = variable
        defining = next((node for node in nodes if node.init is not None), None)
        if defining is None:
            defining = next((node for node in nodes if node.storage_class != "extern"), None)
        if defining is not None:
            if incomplete(chosen.type):
                raise self._unit.unsupported(defining, f"the members of {chosen.type} are not known")
            variable.external = False
            self._unit.later(lambda: self._initialise(variable, defining))
        elif variable.external:
            self._unit.linkage.wanted[name] = None
        return variable

    def _linked(self, name: str, type: CType, at: Position, static: bool, order: int) -> ast.Variable:
        shared = None if static else self._unit.linkage.variables.get(name)
        if shared is not None:
            if isinstance(type, Array) and isinstance(shared.type, Array) and shared.type.count is None:
                shared.type = type
            if shared.type != type and not (isinstance(type, Array) and type.count is None):
                raise Unsupported(f"{name} has different types in different files", at)
            return shared
        variable = ast.Variable(name, type, None, at, self._next_number(), static, external=not static)
        if not static:
            self._unit.linkage.variables[name] = variable
        self._add_global(variable, order)
        return variable

    def _initialise(self, variable: ast.Variable, node: Node) -> None:
        value = initial_value(node)
        if value is not None:
            if variable.initialiser is not None:
                raise self._unit.unsupported(node, f"{variable.name} is defined twice")
            variable.initialiser = self._unit.initialisers.read(value, variable.type)

    def declare(self, node: Node, statement: Node | None) -> ast.Variable:
        """A declaration in a function: a local, a static or an external object. ``statement``: where
        it stands, if another declaration can stand before it."""
        self._unit.check(node)
        if attribute(node, "AsmLabel") is not None:
            raise self._unit.unsupported(node, "a register's variable is not modelled")
        if node.storage_class == "extern":
            return self._external_local(node)
        resolved = self._unit.resolved(node)
        if incomplete(resolved.type):
            raise self._unit.unsupported(node, f"the members of {resolved.type} are not known")
        static = node.storage_class == "static"
        at, number = self._unit.sources.position(node.spot), self._next_number()
        variable = ast.Variable(node.name, resolved.type, self._unit.current, at, number, static)
        variable.volatile = resolved.volatile
        variable.constant = static and is_constant(node.type)
        variable.made = node.name.startswith(LENGTH)
        variable.alignment = declared_alignment(node)
        self._variables[node.id] = variable
        self._unit.types.declare_name(node.name, variable)
        cleanup = attribute(node, "Cleanup")
        if cleanup is not None and cleanup.cleanup_function is not None:
            self._unit.cleanups[variable] = ast.FunctionRef(
                *self._unit.function(cleanup.cleanup_function, node), at
            )
        if static:
            self._add_global(variable, self._unit.order.get(self._unit.current or "", 0))
        if resolved.open:
            variable.rows = self._lengths(node, resolved, statement)
            if isinstance(resolved.type, Array):
                variable.length = product(variable.rows)
        elif isinstance(resolved.type, Array) and resolved.type.count is None:
            raise self._unit.unsupported(node, "an array whose length is not known")
        value = initial_value(node)
        if value is not None:
            variable.initialiser = self._unit.initialisers.read(value, variable.type)
        return variable

    def _external_local(self, node: Node) -> ast.Variable:
        self._unit.types.hide_name(node.name)
        if node.name in self._unit.by_name:
            variable = self.at_file_scope(node.name)
        else:
            resolved = self._unit.resolved(node)
            at = self._unit.sources.position(node.spot)
            variable = self._linked(node.name, resolved.type, at, False, len(self._unit.order))
            variable.volatile = variable.volatile or resolved.volatile
            self._unit.linkage.wanted[node.name] = None
        self._variables[node.id] = variable
        return variable

    def name_type(self, node: Node, statement: Node | None) -> None:
        """A typedef in a function: the lengths of a type of variable length are those of its place."""
        text = node.type.qual_type if node.kind == "TypedefDecl" and node.type is not None else ""
        if "[" in text or mentions(text, self.open_types):
            resolved = self._unit.resolved(node)
            if resolved.open:
                self._lengths(node, resolved, statement)
                self.open_types.append(node.name)

    def _lengths(self, node: Node, resolved: Resolved, statement: Node | None) -> tuple[ast.Expr, ...]:
        """The lengths of an array of (arrays of) variable length, each in a variable of its own."""
        named = [self._unit.types.named_variable(text) for text in resolved.open]
        held = [one for one in named if one is not None and one.name.startswith(LENGTH)]
        if len(held) == len(named):
            return tuple(ast.VarRef(one, one.type, self._unit.position(node)) for one in held)
        refusal = self._unit.unsupported(node, f"an array of the variable length {' x '.join(resolved.open)}")
        main = self._unit.sources.main
        way = main.way or int
        if statement is None or statement.in_macro or node.in_macro:
            raise refusal
        names = [child.name for child in statement.inner]
        others = [child for child in statement.inner if child is not node]
        initialised = any(child.kind != "VarDecl" or child.init is not None for child in others)
        here = self._unit.sources.is_main(node.spot)
        if initialised or not here or mentions(" ".join(resolved.open), names):
            raise refusal
        number, first = way(node.spot.offset), way(statement.begin.offset)
        edits = length_edits(main.text, first, number + len(node.name.encode()), number)
        if edits is None:
            raise refusal
        raise Edited(self._unit.number, edits)

    def parameter(self, node: Node) -> ast.Variable:
        self._unit.check(node)
        self._check_lengths(node)
        resolved = self._unit.resolved(node)
        type = self._unit.types.adjusted(resolved.type)
        at, number = self._unit.sources.position(node.spot), self._next_number()
        variable = ast.Variable(node.name, type, self._unit.current, at, number, parameter=True)
        variable.volatile = resolved.volatile
        variable.constant = is_constant_target(node.type)
        self._variables[node.id] = variable
        self._unit.types.declare_name(node.name, variable)
        if isinstance(resolved.type, Pointer):
            lengths = self._unit.expressions.rows.lengths(node, resolved)
            variable.rows = tuple(map(self._at_entry, lengths))
        return variable

    def _check_lengths(self, node: Node) -> None:
        """The lengths of a parameter that is declared as an array are evaluated when the function is entered;
        clang's tree does not have the first one."""
        lengths = _LENGTHS.search(self._unit.sources.text(node))
        for change in _CHANGE.finditer(lengths[0]) if lengths is not None else ():
            known = self._unit.by_name.get((change["called"] or b"").decode(), ())
            if change["called"] is None or any(one.head.kind == "FunctionDecl" for one in known):
                raise self._unit.unsupported(node, "an effect in the length of a parameter")

    def _at_entry(self, length: ast.Expr) -> ast.Expr:
        """What it is when the function is entered; the variable may change later."""
        held = self.temporary(length.type, length.at)
        held.initialiser = ast.Initialiser((ast.InitEntry((), length),), True, length.at)
        return ast.VarRef(held, held.type, length.at)
