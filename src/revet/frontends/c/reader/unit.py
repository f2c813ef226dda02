"""One translation unit: declarations, and the tables that the other readers share.

Bodies and initialisers are read from the entry on: when something that is read mentions them.
Headers define functions that nobody calls, and what nobody calls need not be understood.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from revet.errors import Position, Unsupported
from revet.frontends.c import ast
from revet.frontends.c.clang.nodes import Declaration, Node, Reference, TypeText, declarations, walk
from revet.frontends.c.clang.run import Output
from revet.frontends.c.reader.attributes import attribute, check_attributes
from revet.frontends.c.reader.cleanups import Cleanups, with_cleanups
from revet.frontends.c.reader.endings import with_end
from revet.frontends.c.reader.entries import Resolved
from revet.frontends.c.reader.expanded import ExpandedTexts
from revet.frontends.c.reader.expressions import ExpressionReader
from revet.frontends.c.reader.initialisers import InitialiserReader
from revet.frontends.c.reader.labels import LabelReader
from revet.frontends.c.reader.linkage import Linkage
from revet.frontends.c.reader.source import Sources
from revet.frontends.c.reader.statements import StatementReader
from revet.frontends.c.reader.type_reader import TypeReader
from revet.frontends.c.reader.type_text import UnknownType
from revet.frontends.c.reader.variables import VariableReader
from revet.frontends.c.types import VOID, CType, DataModel, Function

_TYPES = ("RecordDecl", "EnumDecl", "TypedefDecl")
_WITHOUT_MEANING = ("EmptyDecl", "StaticAssertDecl")
_ENDS = re.compile(rb'"kind": (?:"DestructorAttr"|"FunctionDecl",\s*"name": "atexit")')  # not a declaration
_DEFAULT_PRIORITY = 65535  # of constructors: last


class UnitReader:
    """Reads what is wanted of a translation unit into ``linkage``. ``printed``: clang's own text of it."""

    def __init__(
        self, output: Output, sources: Sources, model: DataModel, linkage: Linkage, number: int,
        printed: Callable[[], bytes] = bytes,
    ) -> None:
        self.sources = sources
        self.model = model
        self.linkage = linkage
        self.types = TypeReader(
            model, output.layouts, linkage.records, self._printed_place, self.position, self._all_records
        )
        self.expressions = ExpressionReader(self)
        self.initialisers = InitialiserReader(self)
        self.labels = LabelReader(self)
        self.statements = StatementReader(self)
        self.variables = VariableReader(self)
        self.current: str | None = None
        self.result: CType = VOID  # of the current function
        self.temporaries: list[ast.Variable] = []
        self.number = number
        self._ignored = output.ignored
        self.by_id: dict[str, Declaration] = {}
        self.by_name: dict[str, list[Declaration]] = {}
        self._bodies: dict[str, Declaration] = {}
        self.order: dict[str, int] = {}
        self._constructors: dict[str, None] = {}
        self._started: set[str] = set()
        self.cleanups: Cleanups = {}  # of the function that is read
        self._queue: list[Callable[[], None]] = []
        self._scan(output, printed)

    # ---- places -----------------------------------------------------------------------------

    def position(self, node: Node) -> Position:
        return self.sources.start(node)

    def unsupported(self, node: Node, message: str) -> Unsupported:
        begin = node.begin
        return Unsupported(message, self.sources.position(begin), self.sources.line_text(begin))

    def _printed_place(self, node: Node) -> str:
        """How clang names the place of an unnamed record or enumeration."""
        spot = node.spot
        at = self.sources.position(spot)
        return f"{spot.file or self.sources.file}:{at.line}:{at.column}"

    def resolved(self, node: Node, text: TypeText | None = None) -> Resolved:
        """The type that a node has (or that its text says), or a refusal."""
        text = text or node.type
        if text is None:
            raise self.unsupported(node, f"{node.kind} without a type")
        try:
            return self.types.read(text)
        except UnknownType as problem:
            raise self.unsupported(node, str(problem)) from problem

    # ---- the list of declarations -----------------------------------------------------------

    def _scan(self, output: Output, printed: Callable[[], bytes]) -> None:
        found = self._all = list(declarations(output.text, output.start, self.sources.file))
        self._has_constructors = output.text.find(b"structorAttr") >= 0
        may_end = self._has_constructors or output.text.find(b'"atexit"') >= 0  # quicker than the pattern
        if may_end and _ENDS.search(output.text):
            self.linkage.ends = True
        self.expanded = ExpandedTexts(found, printed)
        for order, declaration in enumerate(found):
            head = declaration.head
            if head.kind in _TYPES:
                self.declare_type(declaration.node)
            elif head.kind in ("FunctionDecl", "VarDecl"):
                self.by_id[head.id] = declaration
                self.by_name.setdefault(head.name, []).append(declaration)
                self.order.setdefault(head.name, order)
                if head.kind == "FunctionDecl":
                    self._scan_function(declaration)
            elif head.kind not in _WITHOUT_MEANING:
                raise self.unsupported(declaration.node, f"{head.kind} is not modelled")

    def _all_records(self) -> Iterator[Node]:
        """Every definition of a structure or union in the file, in order."""
        for declaration in self._all:
            if declaration.mentions("RecordDecl"):
                for node in walk(declaration.node):
                    if node.kind == "RecordDecl" and node.complete_definition:
                        yield node

    def declare_type(self, node: Node) -> None:
        if node.kind == "TypedefDecl" and attribute(node, "Aligned") is not None:
            self.linkage.aligned_types.append(self.position(node))
        try:
            self.types.declare(node)
        except UnknownType as problem:
            raise self.unsupported(node, str(problem)) from problem

    def _scan_function(self, declaration: Declaration) -> None:
        name = declaration.head.name
        if declaration.head.is_implicit or self._is_system(declaration):
            self.linkage.system.add(name)
        if declaration.has_body:
            self._bodies[name] = declaration
        if self._has_constructors and (
            declaration.mentions("ConstructorAttr") or declaration.mentions("DestructorAttr")
        ):
            self._constructors[name] = None

    def _is_system(self, declaration: Declaration) -> bool:
        return self.sources.is_system(*declaration.place)

    def is_static(self, name: str) -> bool:
        return any(found.head.storage_class == "static" for found in self.by_name.get(name, ()))

    # ---- what is wanted ---------------------------------------------------------------------

    def read_all(self) -> None:
        """Every function and object that the file itself (not a header of the system) defines."""
        for name, found in list(self.by_name.items()):
            if not self._is_system(found[-1]):
                if name in self._bodies:
                    self._start(name)
                elif found[0].head.kind == "VarDecl":
                    self.variables.at_file_scope(name)
        self.drain()

    def defined(self, here: bool = False) -> list[str]:
        """The functions that the file or a header of its own defines; ``here``: the file itself."""
        return [
            name for name, found in self._bodies.items()
            if not self._is_system(found) and (not here or self.sources.is_main(found.node.spot))
        ]

    def read_entry(self, name: str) -> None:
        if name in self._bodies:
            self._start(name)
        self.drain()

    def read_constructors(self) -> None:
        for name in self._constructors:
            for declaration in self.by_name[name]:
                for kind, listed in (
                    ("Constructor", self.linkage.constructors), ("Destructor", self.linkage.destructors)
                ):
                    found = attribute(declaration.node, kind)
                    entry = self._function_name(name)
                    if found is not None and name in self._bodies and entry not in [one for _, one in listed]:
                        given = [int(str(part.value)) for part in found.inner if part.value]
                        listed.append((given[0] if given else _DEFAULT_PRIORITY, entry))
                        self._start(name)
        self.drain()

    def define(self, names: Iterable[str]) -> bool:
        """Read the definitions of these external names; is there one that had not been read?"""
        before = len(self._started) + len(self.variables.own)
        for name in names:
            if self.is_static(name) or name not in self.by_name:
                continue
            if name in self._bodies:
                self._start(name)
            elif self.by_name[name][0].head.kind == "VarDecl":
                self.variables.at_file_scope(name)
        self.drain()
        return len(self._started) + len(self.variables.own) > before

    def declare_functions(self) -> None:
        """The types of functions without a body that the program's own files declare."""
        for name, found in self.by_name.items():
            head = found[0].head
            if head.kind == "FunctionDecl" and name not in self._bodies and not self._is_system(found[0]):
                try:
                    self._declare(name, head.type)
                except UnknownType:
                    continue  # nobody mentions it: that would have been refused

    def later(self, work: Callable[[], None]) -> None:
        """Read something, but not now: what is read first may be what it needs."""
        self._queue.append(work)

    def drain(self) -> None:
        while self._queue:
            self._queue.pop()()

    def _start(self, name: str) -> None:
        if name not in self._started:
            self._started.add(name)
            declaration = self._bodies[name]
            self._queue.append(lambda: self._function(name, declaration.node))

    # ---- checks ----------------------------------------------------------------------------

    def declare_local_function(self, node: Node) -> None:
        self.types.hide_name(node.name)
        self.check(node)
        self.check_name(node)

    def check_name(self, node: Node) -> None:
        """A declaration that means something else than its name says is refused."""
        for name in ("WeakRef", "AsmLabel", "IFunc"):
            if attribute(node, name) is not None:
                raise self.unsupported(node, f"{node.name} may have another definition elsewhere ({name})")
        if attribute(node, "Weak") is None:
            return
        if node.name in self.linkage.system:
            raise self.unsupported(node, f"{node.name}, a weak symbol that the C library has, too")
        if node.name not in self.linkage.definitions:
            raise self.unsupported(node, f"{node.name}, a weak symbol without a definition")
        what = "weak symbols have no other definition than those in the files"
        self.linkage.note(what, self.position(node))

    def external_definitions(self) -> Iterator[tuple[str, bool]]:
        """The external names that the file defines, and whether another file may define them instead."""
        for name, found in self.by_name.items():
            function = found[0].head.kind == "FunctionDecl"
            defined = name in self._bodies if function else any(
                one.head.storage_class != "extern" or one.node.init is not None for one in found
            )
            if defined and not self.is_static(name):
                yield name, any(one.mentions("WeakAttr") for one in found)

    def yield_to(self, name: str) -> None:
        """Another file's definition of a function is the one that counts."""
        if name not in self._bodies:
            raise self.unsupported(self.by_name[name][0].node, f"{name}, a weak object with two definitions")
        del self._bodies[name]

    def require_one(self, name: str, other: UnitReader) -> None:
        """Of an inline function in a header that both files include, this file's body counts. Any other
        function with two bodies is refused: no linker knows which one is meant."""
        mine, theirs = self._bodies.get(name), other._bodies.get(name)
        if other is self or mine is None or theirs is None:
            return
        if not (mine.head.inline and theirs.head.inline and mine.place == theirs.place):
            what = f"{name} is defined twice, the first time at {self.position(mine.node)}"
            raise other.unsupported(theirs.node, what)
        other.yield_to(name)

    def check(self, node: Node) -> None:
        """Refuse a declaration with an attribute that we or clang do not know."""
        at = self.position(node)
        check_attributes(node, at)
        if self._ignored:
            last = self.sources.position(node.end)
            for one in self._ignored:
                if one.position.file == at.file and at.line <= one.position.line <= last.line:
                    raise Unsupported(one.message, one.position)

    # ---- functions --------------------------------------------------------------------------

    def function(self, reference: Reference, node: Node) -> tuple[str, Function]:
        """The name in the program and the type of a function that is mentioned."""
        name = reference.name
        declaration = self.by_id.get(reference.id)
        aliased = attribute(declaration.node, "Alias") if declaration is not None else None
        if aliased is not None:
            if aliased.aliasee not in self._bodies:
                raise self.unsupported(node, f"{name} is another name of a function that is not here")
            name = aliased.aliasee
        for one in self.by_name.get(name, ()):
            if not self._is_system(one):
                self.check_name(one.node)
        if name in self._bodies:
            self._start(name)
        else:
            self.linkage.wanted[name] = None
            if name not in self.by_name:
                self._note_attributes(name, reference.type)
        if declaration is not None and name not in self._bodies:
            self.check(declaration.node)
        try:
            type = self._declare(name, self._best_type(name) or reference.type)
        except UnknownType as problem:
            raise self.unsupported(node, str(problem)) from problem
        full = self._function_name(name)
        self.linkage.mentioned.setdefault(full, set()).add(self.current)
        return full, type

    def _note_attributes(self, name: str, type: TypeText | None) -> None:
        if name.startswith("__builtin_"):
            self.linkage.system.add(name)
        if type is not None and "noreturn" in type.qual_type:
            self.linkage.noreturn.add(name)

    def _best_type(self, name: str) -> TypeText | None:
        """Of several declarations, the one that says most: a definition, else one with parameters."""
        body = self._bodies.get(name)
        if body is not None:
            return body.head.type
        types = [found.head.type for found in self.by_name.get(name, ()) if found.head.type is not None]
        with_parameters = [type for type in types if not type.qual_type.endswith("()")]
        return next(iter((*with_parameters, *types)), None)

    def _declare(self, name: str, text: TypeText | None) -> Function:
        if text is None:
            raise UnknownType(f"the type of {name} is not known")
        with self.types.at_file_scope():
            type = self.types.read(text).type
        if not isinstance(type, Function):
            raise UnknownType(f"the type {text.qual_type} is not modelled")
        full = self._function_name(name)
        known = self.linkage.declared.get(full)
        if known is None or known.parameters is None:
            self.linkage.declared[full] = type
        for found in self.by_name.get(name, ()):
            text_of_type = found.head.type.qual_type if found.head.type else ""
            if "noreturn" in text_of_type or attribute(found.node, "C11NoReturn") is not None:
                self.linkage.noreturn.add(full)
        return type

    def _function_name(self, name: str) -> str:
        """A function's name in the program; static ones of later files get a suffix."""
        return f"{name}#{self.number}" if self.number and self.is_static(name) else name

    def _function(self, name: str, node: Node) -> None:
        full = self._function_name(name)
        if full in self.linkage.functions:
            raise self.unsupported(node, f"{name} is defined twice")
        for declaration in self.by_name[name]:
            self.check(declaration.node)
        try:
            type = self._declare(name, node.type)
        except UnknownType as problem:
            raise self.unsupported(node, str(problem)) from problem
        self.linkage.declared[full] = type
        self.current, self.temporaries, self.result = full, [], type.result
        self.cleanups = {}
        mentions = self._bodies[name].mentions
        self.labels.enter(node, mentions("LabelStmt"), mentions("AddrLabelExpr"))
        self.types.push()
        given = [child for child in node.inner if child.kind == "ParmVarDecl"]
        parameters = tuple(map(self.variables.parameter, given))
        compound = next(child for child in node.inner if child.kind == "CompoundStmt")
        body = self.statements.read(compound)
        assert isinstance(body, ast.Block)
        if self.cleanups:
            body = with_cleanups(self, body, self.cleanups)
        if full == "main" and self.linkage.ends:
            body = with_end(self, body)
        if self.temporaries:
            hidden = tuple(ast.Declare(variable, body.span) for variable in self.temporaries)
            body = ast.Block((*hidden, *body.body), body.span)
        self.types.pop()
        self.current = None
        position = self.sources.position(node.spot)
        spelled = tuple(
            child.type.spelled if child.type else "" for child in node.inner if child.kind == "ParmVarDecl"
        )
        self.linkage.functions[full] = ast.FunctionDef(full, type, parameters, body, position, spelled)
        self.linkage.order[full] = (self.number, self.order[name])
