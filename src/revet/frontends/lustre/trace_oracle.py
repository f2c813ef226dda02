"""What a program leaves open, as a trace of its transition system says: from terms to values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from revet.frontends.lustre.core import Expr, Node, Pre, Stream
from revet.frontends.lustre.interpret import Machine, Oracle, Place
from revet.frontends.lustre.lower import Lowering
from revet.frontends.lustre.lower_context import Bindings, Instance, Path
from revet.frontends.lustre.shapes import Table, Value, terms
from revet.frontends.lustre.types import (
    Abstract,
    ArrayOf,
    Datatype,
    MapOf,
    Record,
    SetOf,
    TupleOf,
    Type,
    plain,
)
from revet.frontends.lustre.types import Machine as MachineInteger
from revet.frontends.lustre.values import (
    Data,
    combined,
    key_types,
    lookup,
    nothing,
    nowhere,
    same,
    scalars,
    unusual,
)
from revet.frontends.program import ReplayFailed
from revet.logic.evaluate import Evaluator
from revet.logic.semantics import to_signed
from revet.logic.terms import Term
from revet.logic.values import ArrayValue
from revet.result.trace import SystemTrace


class TraceOracle(Oracle):
    """What the program leaves open, as a trace of the model says."""

    def __init__(self, lowering: Lowering, trace: SystemTrace, top: Instance) -> None:
        self.lowering = lowering
        self.trace = trace
        self.top = top
        self._evaluators: dict[int, Evaluator] = {}
        self._strangers: dict[tuple[str, Any], Data] = {}

    def _evaluator(self, instant: int) -> Evaluator:
        if instant not in self._evaluators:
            self._evaluators[instant] = Evaluator(
                {**self.trace.states[instant], **self.trace.inputs[instant]}
            )
        return self._evaluators[instant]

    def read(self, type_: Type, value: Value, instant: int) -> Any:
        evaluator = self._evaluator(instant)
        return self._built(type_, value, lambda term: evaluator(term))

    def input(self, stream: Stream, instant: int) -> Any:
        value = self.lowering.input_values.get((self.top, stream.name))
        return nothing(stream.type) if value is None else self.read(stream.type, value, instant)

    def _source(self, key: tuple[object, ...], type_: Type, instant: int) -> Any:
        found = self.lowering.sources.get(key)
        if found is None:
            found = self.lowering.sources.get((*key[:-1], None))
        if found is None:
            return nothing(type_)
        initial, value = found
        return self.read(type_, value, 0 if initial else instant)

    def _owner(self, path: Path) -> Instance | None:
        return self.top if path else None

    def parameter(self, name: str, type_: Type) -> Any:
        return self.read(type_, self.lowering.parameters[name], 0)

    def domain(self, type_: Abstract) -> ArrayValue:
        found = self.lowering.domains.get(type_)
        value = super().domain(type_) if found is None else self._evaluator(0)(found)
        assert isinstance(value, ArrayValue)
        return value

    def pre(self, path: Path, expr: Pre, bindings: Bindings, instant: int) -> Any:
        return self._source(("pre", path, expr, bindings, self._owner(path)), expr.type, instant)

    def free(self, path: Path, expr: Expr, bindings: Bindings, instant: int) -> Any:
        return self._source(("any", path, expr, bindings, self._owner(path)), expr.type, instant)

    def stream(self, path: Path, stream: Stream, instant: int) -> Any:
        return self._source(("stream", path, stream.name, (), self.top), stream.type, instant)

    def function(self, name: str, arguments: Sequence[tuple[Type, Any]], type_: Type) -> Any:
        table = self.lowering.functions.get(name)
        if table is None:
            return self._applied(name, arguments, type_)
        keys = [k for t, v in arguments for k in self._key(t, v)]
        evaluator = self._evaluator(0)
        return self._built(type_, table, lambda term: lookup(evaluator(term), keys))

    def _applied(self, name: str, arguments: Sequence[tuple[Type, Any]], type_: Type) -> Any:
        """The result of a function without a table: what it is for these arguments wherever it is applied."""
        found: list[Any] = []
        for one in self.lowering.applications.get(name, ()):
            for instant in range(len(self.trace.inputs)):
                actual = [self.read(part, value, instant) for part, value in one.arguments]
                if all(same(t, x, y) for (t, x), y in zip(arguments, actual, strict=True)):
                    found.append(self.read(type_, one.result, instant))
        if any(not same(type_, found[0], other) for other in found[1:]):
            raise ReplayFailed(f"{name} has two results for the same arguments")
        return found[0] if found else nothing(type_)

    def _key(self, type_: Type, value: Any) -> list[Any]:
        match plain(type_):
            case ArrayOf(element=element):
                return [k for part in value for k in self._key(element, part)]
            case TupleOf(items=items):
                return [k for t, v in zip(items, value, strict=True) for k in self._key(t, v)]
            case Record(fields=fields):
                return [k for (_, t), v in zip(fields, value, strict=True) for k in self._key(t, v)]
            case MachineInteger(width=width):
                return [value % (1 << width)]
            case Datatype() as data if str(data) in self.lowering.tables:
                return [self._code(data, value)]
            case Datatype() as data:
                parts = scalars(data, value)
                return [k for t, v in zip(key_types(data), parts, strict=True) for k in self._key(t, v)]
        return [value]

    def _code(self, type_: Datatype, value: Data) -> Any:
        for (name, code), stranger in self._strangers.items():
            if name == str(type_) and stranger == value:
                return code
        tables = self.lowering.tables[str(type_)]
        declared = type_.constructors[value.constructor].fields
        parts = [k for (_, t), v in zip(declared, value.fields, strict=True) for k in self._key(t, v)]
        return lookup(self._evaluator(0)(tables.made[value.constructor]), parts)

    def beyond(
        self, path: Path, what: object, bindings: Bindings, type_: ArrayOf, index: int, instant: int
    ) -> Any:
        evaluator, beyond = self._evaluator(instant), self.lowering.beyond
        table: Value | None = beyond.get((self.top, path, what)) or beyond.get(
            (self.top, path, what, bindings)
        )
        instance = self._instance(path)
        if table is None and isinstance(what, str) and instance is not None:
            table = self.lowering.known_stream(instance, what)
        if not isinstance(table, Table):
            return nothing(type_.element)
        return self._built(type_.element, table.value, lambda term: lookup(evaluator(term), [index]))

    def _instance(self, path: Path) -> Instance | None:
        return next((i for i in self.lowering.instances if i.path == path and (i.top or i) is self.top), None)

    def no_entry(self, path: Path, expr: Expr, bindings: Bindings, instant: int) -> Any:
        found = self.lowering.empty_values.get((self._instance(path), expr, bindings))
        type_ = plain(expr.type)
        assert isinstance(type_, MapOf)
        if found is None:
            return None
        evaluator = self._evaluator(instant)
        return self._family(type_.value, found, type_.key, evaluator)

    # -- from terms to values

    def _built(self, type_: Type, value: Value, at: Callable[[Term], Any]) -> Any:
        match plain(type_):
            case TupleOf(items=items):
                return self._each(items, value, at)
            case Record(fields=fields):
                return self._each([t for _, t in fields], value, at)
            case ArrayOf(element=element) as array:
                return self._array(array, element, value, at)
            case SetOf(element=element):
                assert isinstance(value, Term)
                return self._keyed(at(value), key_types(element))
            case MapOf(key=key, value=part):
                assert isinstance(value, tuple)
                domain, table = value
                assert isinstance(domain, Term) and isinstance(table, Table)
                return (self._keyed(at(domain), key_types(key)), self._family(part, table.value, key, at))
            case Datatype(constructors=constructors) as data:
                if isinstance(value, Term):
                    return self._decoded(data, at(value), 0)
                assert isinstance(value, tuple) and isinstance(value[0], Term)
                tag = at(value[0])
                if not 0 <= tag < len(constructors):
                    return nothing(data)
                return Data(tag, self._each([t for _, t in constructors[tag].fields], value[tag + 1], at))
        assert isinstance(value, Term)
        match plain(type_):
            case MachineInteger(width=width, signed=True):
                return to_signed(int(at(value)), width)
        return at(value)

    def _each(self, types: Sequence[Type], value: Value, at: Callable[[Term], Any]) -> tuple[Any, ...]:
        assert isinstance(value, tuple)
        return tuple(self._built(type_, part, at) for type_, part in zip(types, value, strict=True))

    def _array(self, type_: ArrayOf, element: Type, value: Value, at: Callable[[Term], Any]) -> Any:
        if isinstance(value, tuple):
            return tuple(self._built(element, part, at) for part in value)
        assert isinstance(value, Table)
        size = self._size(type_)
        if size > 5_000:
            raise ReplayFailed(f"an array of {size} elements")
        inner = value.value

        def element_at(k: int) -> Any:
            return self._built(element, inner, lambda term: at(term).select(k))

        return tuple(map(element_at, range(size)))

    def _size(self, type_: ArrayOf) -> int:
        """The size of an array of unknown size: of parameters and of constant inputs of the top node."""
        machine = Machine(self.lowering.program, self.top.node, self)
        machine.inputs = _Inputs(self, self.top.node)
        return max(0, int(machine.evaluate(type_.size, Place(self.top.node, ()))))

    def _keyed(self, array: Any, types: Sequence[Type]) -> Any:
        """A nested array over terms' values as one over the parts of keys."""
        if not types:
            return array
        first, rest = types[0], types[1:]
        entries = {self._part(first, at): self._keyed(inner, rest) for at, inner in array.entries.items()}
        return ArrayValue(self._keyed(array.default, rest), entries)

    def _part(self, type_: Type, value: Any) -> Any:
        match type_:
            case MachineInteger(width=width, signed=True):
                return to_signed(int(value), width)
            case Datatype():
                return self._decoded(type_, value, 0)
        return value

    def _family(self, type_: Type, value: Value, key: Type, at: Callable[[Term], Any]) -> Any:
        """A table of structured values as a nested array of values."""
        found, types = list(terms(value)), key_types(key)
        depth = len(types)
        arrays = [at(term) for term in found]
        if not arrays:
            return nowhere((), depth)

        def build(*parts: Any) -> Any:
            known = dict(zip(found, parts, strict=True))
            return self._built(type_, value, lambda term: known[term])

        return self._keyed(combined(build, depth, *arrays), types)

    def _decoded(self, type_: Datatype, code: Any, depth: int) -> Any:
        if depth > 100:
            raise ReplayFailed(f"a value of type {type_} contains itself")
        tables = self.lowering.tables[str(type_)]
        evaluator: Callable[[Term], Any] = self._evaluator(0)
        tag = evaluator(tables.tag).select(code)
        if not 0 <= tag < len(type_.constructors):
            return self._stranger(type_, code)
        keys = [evaluator(term).select(code) for table in tables.fields[tag] for term in terms(table)]
        if lookup(evaluator(tables.made[tag]), keys) != code:
            return self._stranger(type_, code)
        parts = []
        for (_, part), table in zip(type_.constructors[tag].fields, tables.fields[tag], strict=True):
            flat = plain(part)
            if isinstance(flat, Datatype) and isinstance(table, Term) and str(flat) in self.lowering.tables:
                parts.append(self._decoded(flat, evaluator(table).select(code), depth + 1))
            else:
                parts.append(self._built(part, table, lambda term: evaluator(term).select(code)))
        return Data(tag, tuple(parts))

    def _stranger(self, type_: Datatype, code: Any) -> Data:
        """A value for a code of which the tables say nothing: no two of them have the same."""
        key = (str(type_), code)
        if key not in self._strangers:
            self._strangers[key] = unusual(type_, len(self._strangers))
        return self._strangers[key]


class _Inputs(Mapping[str, Any]):
    """The constant inputs of the top node, looked up by need."""

    def __init__(self, oracle: TraceOracle, node: Node) -> None:
        self.oracle = oracle
        self.node = node

    def __getitem__(self, name: str) -> Any:
        stream = next(s for s in self.node.inputs if s.name == name)
        return self.oracle.input(stream, 0)

    def __iter__(self) -> Any:
        return iter(stream.name for stream in self.node.inputs)

    def __len__(self) -> int:
        return len(self.node.inputs)
