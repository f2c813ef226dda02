"""How every variable and every class of memory is stored.

==============  ===================================================================================
split           a variable that no pointer reaches: one automaton variable for each scalar, an SMT
                array for an array, or (small, constant indices only) one variable an element
explicit        a class of few scalars, all of them declared variables: split as well, and an access
                through a pointer chooses among them by address
typed           one SMT array for each kind of scalar, indexed by byte address: sound as long as no
                pointer is used to read a scalar as one of another kind
bytes           one SMT array of bytes: for classes where pointer casts, unions or memcpy may do that
==============  ===================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cached_property

from revet.frontends.c import ast
from revet.frontends.c.analysis.call_graph import retyped_functions
from revet.frontends.c.analysis.classes import Node
from revet.frontends.c.analysis.lvalues import source_of
from revet.frontends.c.analysis.points_to import FUNCTIONS, PointsTo
from revet.frontends.c.analysis.views import is_confused, same_scalar, shows_pointers
from revet.frontends.c.analysis.written_addresses import written_addresses
from revet.frontends.c.types import Array, CType, Field, Function, Record, Void, size_of
from revet.frontends.c.walk import all_expressions

_MOST_CELLS = 24  # of an explicit class,
_MOST_SCALARS = 1000  # or, if every pointer into it has few targets of its type, of any kind
_MOST_TARGETS = 8
_MOST_UNFOLDED = 64  # elements of an unfolded array


class Mode(Enum):
    SPLIT = "split"
    EXPLICIT = "explicit"
    TYPED = "typed"
    BYTES = "bytes"


class Storage:
    def __init__(
        self, program: ast.CProgram, limits: Mapping[str, int] | None = None, shared: Iterable[str] = (),
        entry: str = "main", blocks_alike: bool = False,
    ) -> None:
        self.limits = dict(limits or {})  # activations of recursive functions
        self.shared = frozenset(shared)  # functions that are not copied: see inlining.py
        self.points_to = PointsTo(program, entry, blocks_alike)
        self.functions_with_address = self.points_to.functions
        self.retyped_functions = retyped_functions(program, self.points_to.functions)
        self._modes: dict[Node, Mode] = {}
        self._regions: dict[Node, int] = {}
        self._unfold_memo: dict[ast.Variable, bool] = {}
        self._written_memo: dict[str, frozenset[ast.Variable | None]] = {}

    # ---- variables --------------------------------------------------------------------------

    def in_memory(self, variable: ast.Variable) -> bool:
        if variable.number < 0:  # our own
            mixed = [record for record in _unions_in(variable.type) if self.points_to.is_mixed(record)]
            if mixed:
                self.points_to.object_of(variable).unions.update(dict.fromkeys(mixed))
            return bool(mixed)
        if variable not in self.points_to.address_taken:
            return self.has_mixed_union(variable.type)
        return self.mode(self.points_to.object_of(variable)) in (Mode.TYPED, Mode.BYTES)

    def only_read(self, parameter: ast.Variable, function: ast.FunctionDef) -> bool:
        """Does a parameter of the function keep the value that it is called with?"""
        known = self._written_memo.get(function.name)
        if known is None:
            known = self._written_memo[function.name] = frozenset(
                source_of(e.target) for e in all_expressions(function.body)
                if isinstance(e, ast.Assign | ast.CompoundAssign | ast.Increment)
            )
        return parameter not in known and parameter not in self.points_to.address_taken

    def unfolded(self, variable: ast.Variable) -> bool:
        """Are the arrays in the variable split into their elements?"""
        known = self._unfold_memo.get(variable)
        if known is None:
            known = self._unfold_memo[variable] = self._unfold(variable)
        return known

    def _unfold(self, variable: ast.Variable) -> bool:
        if variable.number < 0 or variable in self.points_to.variable_index:
            return False
        if variable in self.points_to.address_taken:
            return self.mode(self.points_to.object_of(variable)) is Mode.EXPLICIT
        cells = _count_cells(variable.type, _MOST_UNFOLDED)
        return cells is not None and cells <= _MOST_UNFOLDED

    def activations(self, variable: ast.Variable) -> int:
        """How many copies of a variable there are (one for each activation of its function)."""
        if variable.lives_forever or variable.function is None:
            return 1
        return self.limits.get(variable.function, 1)

    # ---- unions -----------------------------------------------------------------------------

    def union_member(self, record: Record) -> Field | None:
        """The member through which a union is used, if it is only one (or all have one type)."""
        used = list(self.points_to.union_members.get(record, ()))
        return used[0] if used and not self.points_to.is_mixed(record) else None

    def has_mixed_union(self, type: CType) -> bool:
        return any(self.points_to.is_mixed(record) for record in _unions_in(type))

    # ---- classes ----------------------------------------------------------------------------

    def has_objects(self, node: Node) -> bool:
        """May a pointer into the class lead to an object or a function?"""
        node = node.find()
        known = node.strings or node.blocks or node.foreign or self.addressed(node)
        return bool(known) or node is self.points_to.object_of(FUNCTIONS)

    @cached_property
    def written_addresses(self) -> list[int]:
        """The addresses that the program writes as numbers."""
        return written_addresses(self.points_to.program)

    @cached_property
    def shows_addresses(self) -> bool:
        """Is a pointer to an object ever made a number?"""
        roots = self.points_to.roots()
        return self.bytes_are_numbers or any(node.numbered and self.has_objects(node) for node in roots)

    @cached_property
    def bytes_are_numbers(self) -> bool:
        """Are bytes of a pointer to an object ever read as something else?"""
        return any(
            ("pointer", 0) in node.kinds and any(map(self.has_objects, node.pointees.values()))
            and shows_pointers(node, self.points_to.object_types(node), self.points_to.is_mixed)
            for node in self.points_to.roots()
        )

    def region(self, node: Node) -> int:
        node = node.find()
        return self._regions.setdefault(node, len(self._regions))

    def mode(self, node: Node) -> Mode:
        node = node.find()
        mode = self._modes.get(node)
        if mode is None:
            mode = self._modes[node] = self._choose(node)
        return mode

    def _choose(self, node: Node) -> Mode:
        if self._is_punned(node):
            return Mode.BYTES
        if not node.dereferenced and not node.heap:
            return Mode.SPLIT
        if not (node.heap or node.unknown or node.strings or node.copied) and self._is_small(node):
            return Mode.EXPLICIT
        return Mode.TYPED

    def _is_small(self, node: Node) -> bool:
        total = 0
        for variable in self.addressed(node):
            cells = _count_cells(variable.type, _MOST_SCALARS)
            if cells is None or (variable in self.points_to.variable_index):
                return False
            if self.has_mixed_union(variable.type):
                return False
            total += cells * self.activations(variable)
        if 0 < total <= _MOST_CELLS:
            return True
        if node.indexed or total > _MOST_SCALARS:
            return False
        return all(0 < self._targets(node, type) <= _MOST_TARGETS for type in node.pointed_types)

    def _targets(self, node: Node, type: CType) -> int:
        """How many (parts of) variables of the class have a type."""
        if isinstance(type, Array | Void | Function):
            return 0
        return sum(
            _count_parts(variable.type, type) * self.activations(variable)
            for variable in self.addressed(node)
        )

    def trusts_casts(self, node: Node) -> bool:
        """Do casts between different structure types rest on their common beginning alone?"""
        node = node.find()
        if self.mode(node) is Mode.BYTES or not node.retyped:
            return False
        records = {_innermost(type) for type in node.casts} | {
            _innermost(variable.type) for variable in self.addressed(node)
        }
        return len(records) > 1 and any(isinstance(type, Record) for type in records)

    def addressed(self, node: Node) -> list[ast.Variable]:
        """The variables of a class that pointers may reach."""
        return [variable for variable in node.find().variables if variable in self.points_to.address_taken]

    def _is_punned(self, node: Node) -> bool:
        """Also where no member of such a union is accessed: it is zeroed and copied by bytes all the same."""
        if any(self.has_mixed_union(variable.type) for variable in node.variables):
            return True
        return is_confused(node, self.points_to.object_types(node), self.points_to.is_mixed)


def _count_cells(type: CType, limit: int) -> int | None:
    """The number of scalars, or None if unknown or beyond the limit."""
    if isinstance(type, Array):
        if type.count is None or type.count > limit:
            return None
        inner = _count_cells(type.element, limit)
        return None if inner is None or inner * type.count > limit else inner * type.count
    if isinstance(type, Record):
        total = 0
        for field in type.fields:
            inner = _count_cells(field.type, limit)
            if inner is None:
                return None
            total += inner
        return total if total <= limit else None
    return 1


def _count_parts(whole: CType, part: CType) -> int:
    """How often a type occurs in another (scalars: any of the same kind)."""
    count = 0
    stack = [(whole, 1)]
    while stack:
        current, times = stack.pop()
        if current == part or same_scalar(current, part):
            count += times
        if isinstance(current, Array):
            stack.append((current.element, times * (current.count or 0)))
        elif isinstance(current, Record):
            stack += [(field.type, times) for field in current.fields]
    return count


def _unions_in(type: CType) -> list[Record]:
    found: list[Record] = []
    stack = [type]
    while stack:
        current = stack.pop()
        if isinstance(current, Array):
            stack.append(current.element)
        elif isinstance(current, Record):
            if current.union:
                found.append(current)
            stack += [field.type for field in current.fields]
    return found


def _innermost(type: CType) -> CType:
    while isinstance(type, Array):
        type = type.element
    return type


def bytes_of(type: CType) -> int:
    """Address space to reserve for a variable; arrays of unknown length get plenty."""
    if isinstance(type, Array) and type.count is None:
        return 1 << 24
    return size_of(type)
