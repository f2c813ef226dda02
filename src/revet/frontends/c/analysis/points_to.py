"""Which objects may a pointer point at? Steensgaard's analysis, by unification.

B. Steensgaard, "Points-to analysis in almost linear time", POPL 1996. Every object (variable,
string, allocation site) belongs to a class. For each field of a structure, and once for scalars that
are no fields, a class has a class that these may point into; where pointers to a class are cast
between types that are not simply parts of each other, fields are not told apart (:meth:`_collapse`).
Assignments unify. Calls are not distinguished, integers may carry addresses like pointers do.

A class also collects what is needed to choose how it is stored: its objects, the kinds of scalars
read and written in it, the types pointers into it are cast between, and whether memory that the
program does not declare may be in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard

from revet.frontends.c import ast
from revet.frontends.c.analysis.block_operations import (
    ALLOCATORS,
    COPIERS,
    FILLERS,
    REALLOCATORS,
    ZEROED,
    is_zero,
)
from revet.frontends.c.analysis.call_graph import mentioned_functions, reached_through
from revet.frontends.c.analysis.classes import Node
from revet.frontends.c.analysis.lvalues import Key, element_of, key_of, key_of_path, root_of, source_of
from revet.frontends.c.analysis.mixed import MixedClasses
from revet.frontends.c.analysis.named_blocks import name_blocks
from revet.frontends.c.analysis.outside import join_outside
from revet.frontends.c.libc import FORMATTED
from revet.frontends.c.library.conventions import ABOUT_MEMORY, OBJECT
from revet.frontends.c.library.table import rows
from revet.frontends.c.library.uses import plain_name
from revet.frontends.c.types import Array, CType, Field, Int, Pointer, Record, Void
from revet.frontends.c.walk import before_and_value, expressions_of, statements

FUNCTIONS = ("function",)
"""The object that stands for all functions."""
_EXTRA = "the variable arguments of all calls"  # no name of an object


class PointsTo(MixedClasses):
    """Run once over a program; ``target`` and ``object_of`` answer afterwards."""

    def __init__(self, program: ast.CProgram, entry: str = "main", blocks_alike: bool = False) -> None:
        super().__init__()
        self.program = program
        self.static_blocks: dict[ast.Call, ast.Variable] = {}
        self.made: dict[ast.Call, CType] = {}  # as pointers to what new blocks are taken at once
        self.functions = mentioned_functions(program)  # whose address is taken
        self.reallocates = False  # so sizes of blocks matter
        self.variable_index: set[ast.Variable] = set()  # arrays with an index that is not constant
        self._pointer_calls: list[ast.Call] = []
        self._extra: dict[Pointer, None] = {}  # types of pointers among variable arguments
        self._taken: dict[Pointer, None] = {}  # as which va_arg takes them
        for variable in program.globals:
            self._initial(variable)
        for function in program.functions.values():
            for statement in statements(function.body):
                self._statement(function, statement)
        for call in self._pointer_calls:
            for name in reached_through(program, call, self.functions):
                self._bind(program.functions[name], call)
            if any(name not in program.functions for name in self.functions):
                self._from_outside(self._object(call), [self.value(argument) for argument in call.arguments])
        for taken in self._taken:
            for given in self._extra:
                if taken != given:
                    self._retyped(self._pointee(self._object(_EXTRA)), taken, given)
        self.settle()
        join_outside(self)
        if self.allocates and not self.reallocates:
            name_blocks(self, program, entry, blocks_alike)

    # ---- answers ----------------------------------------------------------------------------

    def target(self, pointer: ast.Expr) -> Node:
        """The class that a dereferenced pointer points into."""
        return self.value(pointer).find()

    def add_variable(self, variable: ast.Variable, node: Node) -> None:
        """One more object, in a class and with an address."""
        self._objects[variable] = node
        node.variables[variable] = None
        self.address_taken[variable] = None

    # ---- statements -------------------------------------------------------------------------

    def _statement(self, function: ast.FunctionDef, statement: ast.Stmt) -> None:
        if isinstance(statement, ast.Declare):
            self._initial(statement.variable)
            return
        if isinstance(statement, ast.Return) and statement.value is not None:
            self._flow(self._object(function.name), statement.value)
            return
        for expression in expressions_of(statement):
            self.value(expression)

    def _initial(self, variable: ast.Variable) -> None:
        if variable.initialiser is None:
            return
        for entry in variable.initialiser.entries:
            type = variable.type
            for step in entry.path:
                if isinstance(step, Field):
                    if isinstance(type, Record) and type.union:
                        self.union_members.setdefault(type, {})[step] = None
                    type = step.type
                elif isinstance(type, Array):
                    type = type.element
            if isinstance(entry.value, ast.StringConst) and isinstance(type, Array):
                self._access(self._object(variable), type)
            else:
                self._flow(self._object(variable), entry.value, key_of_path(variable.type, entry.path))
                self._access(self._object(variable), entry.value.type)

    def _flow(self, target: Node, value: ast.Expr, key: Key = None) -> None:
        """The value (a scalar or a record) is stored in an object of class ``target``."""
        if isinstance(value.type, Record):
            self._copies.append((target, self.place(value)))
            self._access(self.place(value), value.type)
            self._access(target, value.type)
        else:
            self.unify(self._pointee(target, key), self.value(value))

    # ---- lvalues ----------------------------------------------------------------------------

    def place(self, expression: ast.Expr) -> Node:
        """The class of the object that an lvalue is in (or a record value comes from)."""
        match expression:
            case ast.VarRef(variable):
                return self._object(variable)
            case ast.Member(record, member):
                node = self.place(record)
                if isinstance(record.type, Record) and record.type.union:
                    self.union_members.setdefault(record.type, {})[member] = None
                    node.find().unions[record.type] = None
                if member.width is not None:
                    node.find().bit_fields = True
                return node
            case ast.Index(array, index):
                self.value(index)
                if not isinstance(index, ast.IntConst):
                    root = source_of(array)
                    if root is not None:
                        self.variable_index.add(root)
                    else:
                        self.place(array).find().indexed = True
                if isinstance(array, ast.StringConst):
                    self._object(array).find().dereferenced = True
                return self.place(array)
            case ast.Deref(pointer):
                node = self.value(pointer).find()
                node.dereferenced = True
                node.pointed_types[expression.type] = None
                return node
            case ast.StringConst():
                return self._object(expression)
            case ast.CompoundLiteral(variable):
                self._initial(variable)
                return self._object(variable)
            case ast.Conditional(condition, then, otherwise):
                self.value(condition)
                first, second = self.place(then), self.place(otherwise)
                self._copies.append((first, second))
                return first
            case ast.Comma(first_part, second_part):
                self.value(first_part)
                return self.place(second_part)
            case ast.Assign(target, value):
                self._flow(self.place(target), value, key_of(target))
                self._access(self.place(target), value.type)
                return self.place(target)
            case ast.Cast(operand):
                return self.place(operand)
            case ast.StatementExpr(body) if isinstance(expression.type, Record):
                node = self._block(body, self.place)
                self._copies.append((self._object(expression), node))
                return node
            case ast.Call():
                return self._call(expression)
            case ast.VaArg(operand):
                self.value(operand)
                self._copies.append((self._object(expression), self._object(_EXTRA)))
                return self._object(expression)
        self.value(expression)
        return self._object(expression)

    # ---- values -----------------------------------------------------------------------------

    def value(self, expression: ast.Expr) -> Node:
        """The class that the value may point into."""
        node = self._values.get(expression)
        if node is None:
            node = self._values[expression] = self._value(expression)
        return node.find()

    def _value(self, expression: ast.Expr) -> Node:
        match expression:
            case ast.VarRef() | ast.Deref() | ast.Index() | ast.Member() | ast.CompoundLiteral():
                node = self.place(expression)
                self._access(node, expression.type)
                return self._pointee(node, key_of(expression))
            case ast.AddressOf(operand) | ast.Decay(operand):
                return self._address(operand)
            case ast.Cast(operand, type):
                return self._cast(operand, type)
            case ast.Binary(op, left, right):
                first, second = self.value(left), self.value(right)
                if op in ("<", "<=", ">", ">=", "==", "!="):
                    return Node()
                self.unify(first, second)
                return first
            case ast.Unary(_, operand):
                return self.value(operand)
            case ast.PointerAdd(pointer, index):
                self.value(index)
                if not is_zero(index):
                    self._moved(self.value(pointer), pointer.type)
                return self.value(pointer)
            case ast.Conditional(condition, then, otherwise):
                self.value(condition)
                first, second = self.value(then), self.value(otherwise)
                self.unify(first, second)
                return first
            case ast.Comma(first_part, second_part):
                self.value(first_part)
                return self.value(second_part)
            case ast.Logical(_, left, right) | ast.PointerDiff(left, right):
                self.value(left)
                self.value(right)
                return Node()
            case ast.Assign() | ast.CompoundAssign() | ast.Increment():
                return self._assignment(expression)
            case ast.Call():
                return self._pointee(self._call(expression))
            case ast.StatementExpr(body):
                self.unify(self._pointee(self._object(expression)), self._block(body, self.value))
                return self._pointee(self._object(expression))
            case ast.VaArg(operand, type):
                self.value(operand)
                if isinstance(type, Pointer):
                    self._taken[type] = None
                    return self._pointee(self._object(_EXTRA))
                return Node()
        return Node()

    def _address(self, operand: ast.Expr) -> Node:
        root = root_of(operand)
        if root is not None:
            self.address_taken[root] = None
        if isinstance(operand, ast.FunctionRef):
            return self._object(FUNCTIONS)
        node = self.place(operand)
        if root is None and isinstance(operand, ast.Member | ast.Index):
            node.find().inner = True
        key = key_of(operand)
        if key is not None and not isinstance(element_of(operand.type), Record):
            # The field is a scalar among others for whoever dereferences this pointer.
            self.unify(self._pointee(node, key), self._pointee(node))
        return node

    def _cast(self, operand: ast.Expr, type: CType) -> Node:
        if isinstance(operand.type, Record | Array | Void) or isinstance(type, Void):
            return self.place(operand) if isinstance(operand.type, Record | Array) else self.value(operand)
        node = self.value(operand)
        if self._is_new(operand):
            self.made[operand] = type
        self._retyped(node, operand.type, type, harmless=operand in self.made or is_zero(operand))
        if isinstance(operand.type, Pointer) and isinstance(type, Int) and not type.boolean:
            node.numbered = True
        if isinstance(type, Pointer) and not isinstance(operand.type, Pointer) and not (
            isinstance(operand, ast.IntConst)
        ):
            node.unknown = True
            back = isinstance(operand, ast.Cast) and isinstance(operand.operand.type, Pointer)
            node.computed |= not back
        return node

    def _is_new(self, expression: ast.Expr) -> TypeGuard[ast.Call]:
        """Is it a call that allocates a block, which has no type yet?"""
        if not (isinstance(expression, ast.Call) and isinstance(expression.function, ast.FunctionRef)):
            return False
        name = expression.function.name
        return name in ALLOCATORS and name not in (OBJECT, *self.program.functions)

    def _assignment(self, expression: ast.Assign | ast.CompoundAssign | ast.Increment) -> Node:
        target = self.place(expression.target)
        self._access(target, expression.target.type)
        match expression:
            case ast.Assign(_, value):
                self._flow(target, value, key_of(expression.target))
            case ast.CompoundAssign(_, _, value):
                self.unify(self._pointee(target, key_of(expression.target)), self.value(value))
        result = self._pointee(target, key_of(expression.target))
        if not isinstance(expression, ast.Assign):
            self._moved(result, expression.target.type)
        return result

    def _block(self, body: ast.Block, result: Callable[[ast.Expr], Node]) -> Node:
        before, value = before_and_value(body)
        for statement in before:
            self._inner(statement)
        return Node() if value is None else result(value)

    def _inner(self, statement: ast.Stmt) -> None:
        if isinstance(statement, ast.Declare):
            self._initial(statement.variable)
            return
        for expression in expressions_of(statement):
            node = self.value(expression)
            if isinstance(statement, ast.Return):  # of the enclosing function, whichever it is
                for name in self.program.functions:
                    self.unify(self._pointee(self._object(name)), node)

    # ---- calls ------------------------------------------------------------------------------

    def _call(self, call: ast.Call) -> Node:
        """The class of the object that holds the call's result."""
        if not isinstance(call.function, ast.FunctionRef):
            self.value(call.function)
            for argument in call.arguments:
                self.place(argument) if isinstance(argument.type, Record) else self.value(argument)
            if call not in self._objects:
                self._pointer_calls.append(call)
            return self._object(call)
        name = call.function.name
        function = self.program.functions.get(name)
        if function is not None:
            self._bind(function, call)
            return self._object(name)
        return self._external(name, call)

    def _bind(self, function: ast.FunctionDef, call: ast.Call) -> None:
        for parameter, argument in zip(function.parameters, call.arguments, strict=False):
            self._flow(self._object(parameter), argument)
            if parameter.type != argument.type and isinstance(parameter.type, Pointer):
                self._cast(argument, parameter.type)  # without a prototype clang inserts no cast
        for argument in call.arguments[len(function.parameters) :]:
            if isinstance(argument.type, Record):
                self._copies.append((self._object(_EXTRA), self.place(argument)))
            elif isinstance(argument.type, Pointer):
                self._extra[argument.type] = None
                self._flow(self._object(_EXTRA), argument)
            else:
                self.value(argument)
        if isinstance(call.type, Pointer) and call.type != function.type.result:
            self._retyped(self._pointee(self._object(function.name)), call.type, function.type.result)
        result, caller = self._object(function.name), self._object(call)
        self.unify(self._pointee(result), self._pointee(caller))
        if isinstance(function.type.result, Record):
            self._copies.append((caller, result))

    def _external(self, name: str, call: ast.Call) -> Node:
        if name == "free" or name in ABOUT_MEMORY:
            for argument in call.arguments:
                self._unread(argument)
        values = [
            self.place(argument) if isinstance(argument.type, Record) else self.value(argument)
            for argument in call.arguments
        ]
        result = self._object(call)
        if name in ALLOCATORS or (name in REALLOCATORS and len(values) == 2):
            heap = self._object((call, "heap"))
            heap.find().blocks[call] = None
            heap.find().zeroed |= name in ZEROED
            self.unify(self._pointee(result), heap)
            if name in REALLOCATORS:
                self.unify(heap, values[0])
                self.reallocates = heap.find().copied = True
        elif name in (*COPIERS, *FILLERS) and len(values) == 3:
            self._copy(name, call, values)
            self.unify(self._pointee(result), values[0])
        else:
            if name in FORMATTED and values:
                self._printed(values[0], call.arguments[0].type, name == "swprintf")
            if plain_name(name) not in rows() and name not in ABOUT_MEMORY:
                # what the C library gets it does not keep
                self._from_outside(result, values)
        return result

    def _unread(self, argument: ast.Expr) -> None:
        """Nothing is read or written through this pointer: its conversion to ``void *`` does not matter."""
        if isinstance(argument, ast.Cast) and isinstance(argument.operand.type, Pointer):
            self._values[argument] = self.value(argument.operand)

    def _from_outside(self, result: Node, values: list[Node]) -> None:
        """A function without a body was given these values and returned something."""
        outside = self._pointee(result)
        outside.unknown = outside.foreign = True
        for value in values:
            value.find().escaped = True
