"""C statements that give a place any value of its type, with the objects that its pointers lead to.

What lies behind a pointer: one structure, or an array of any length where the element is a scalar or the
parameter is used as an array. Structures of few scalars get their values one by one (``revet_any_int()``),
larger objects are made with any contents (``revet_any_object()``), which costs a proof nothing; pointers are
always set one by one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from revet.errors import Position, Unsupported
from revet.frontends.c.entry.shapes import has_pointers, is_opaque, scalars
from revet.frontends.c.types import Array, CType, Field, Floating, Function, Int, Pointer, Record, Void

FEW = 16  # scalars that are drawn one by one
_MOST_OBJECTS = 60
_INTEGERS = {8: "char", 16: "short", 32: "int", 64: "long long", 128: "__int128"}
_BOOL = Int(8, False, True)


@dataclass(frozen=True, slots=True)
class Shape:
    """What is assumed about pointers: see ``Options.entry_pointers``, ``entry_depth``, ``entry_length``."""

    size: Int
    pointers: str = "valid"
    depth: int = 2
    length: int = 1 << 20


@dataclass(frozen=True, slots=True)
class Place:
    """An lvalue: its C text, what people call it, its type, how many pointers lead to it, and the structures
    that it is in. ``spelled`` is the type's text. ``array``: what it points to is an array, even one of
    structures; ``string``: an array of characters with a zero at its end."""

    text: str
    shown: str
    type: CType
    spelled: str
    depth: int = 0
    path: tuple[Record, ...] = ()
    array: bool = False
    string: bool = False

    def part(self, selector: str, type: CType, spelled: str) -> Place:
        return replace(
            self, text=self.text + selector, shown=self.shown + selector, type=type, spelled=spelled,
            array=False, string=False,
        )


@dataclass(eq=False)
class Filling:
    """Collects statements, declarations of the functions that they call, and what they assume."""

    shape: Shape
    at: Position
    lines: list[str] = field(default_factory=list)
    used: dict[str, str] = field(default_factory=dict)  # functions that are called, with their declarations
    callbacks: list[str] = field(default_factory=list)
    lengths: list[str] = field(default_factory=list)  # variables that hold lengths
    arrays: list[str] = field(default_factory=list)
    single: list[str] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)  # pointers that are null for want of depth
    zeroed: list[str] = field(default_factory=list)  # unions with pointers
    _made: list[tuple[str, CType]] = field(default_factory=list)  # pointers that were set, with their targets
    _count: int = 0
    _indent: int = 1

    # ---- values -----------------------------------------------------------------------------

    def fill(self, place: Place) -> None:
        """Give the place any value of its type."""
        match place.type:
            case Int() | Floating():
                self.say(f"{place.text} = {self.draw(place.type)};")
            case Pointer(Function() as function):
                self._callback(place, function)
            case Pointer(target):
                self._pointer(place, target)
            case Record() if not has_pointers(place.type) and (
                place.type.union or scalars(place.type, FEW) > FEW
            ):
                self._copy(place)
            case Record(union=True):
                self.zeroed.append(place.shown)
                self.say(f"__builtin_memset(&{place.text}, 0, sizeof {place.text});")
            case Record(fields=fields):
                for one in fields:
                    self._member(place, ".", one, place.type)
            case Array(element, count) if (count or 0) <= FEW:
                for number in range(count or 0):
                    self.fill(place.part(f"[{number}]", element, element_text(place.spelled, True)))
            case Array(element, count):
                self._elements(place, element, str(count))
            case Void() | Function():
                raise Unsupported(f"a value of type {place.type} as an argument", self.at)

    def draw(self, type: CType) -> str:
        """A call that returns any value of a scalar type."""
        spelled, name = scalar_name(type, self.at)
        self.used[f"revet_any_{name}"] = f"extern {spelled} revet_any_{name}(void);"
        return f"revet_any_{name}()"

    def assume(self, condition: str) -> None:
        self.used["revet_assume"] = "extern void revet_assume(int);"
        self.say(f"revet_assume({condition});")

    def say(self, line: str) -> None:
        self.lines.append("  " * self._indent + line)

    def _member(self, place: Place, how: str, one: Field, record: Record) -> None:
        if isinstance(one.type, Array) and not one.type.count:
            return  # a flexible array member has no elements here
        inside = replace(place, path=(*place.path, record))
        if one.name:
            self.fill(inside.part(how + one.name, one.type, one.spelled))
        elif isinstance(one.type, Record) and not one.type.union:
            for inner in one.type.fields:  # members of an unnamed structure are members of the outer one
                self._member(place, how, inner, record)
        elif isinstance(one.type, Record):  # there is no name for the whole
            first = next((f for f in one.type.fields if f.name and not has_pointers(f.type)), None)
            self.zeroed.append(f"an unnamed union in {place.shown}")
            if first is not None:
                self._member(place, how, first, record)

    def _copy(self, place: Place) -> None:
        """Any bytes: those of a new object."""
        new = self._object(place.shown, f"sizeof {place.text}")
        self.say(f"{place.text} = *({place.spelled} *){new};")

    def _elements(self, place: Place, element: CType, count: str) -> None:
        self._count += 1
        index = f"revet_i{self._count}"
        self.say(f"for (__SIZE_TYPE__ {index} = 0; {index} < {count}; {index}++) {{")
        self._indent += 1
        inner = place.part(f"[{index}]", element, element_text(place.spelled, isinstance(place.type, Array)))
        self.fill(replace(inner, shown=f"{place.shown}[]"))
        self._indent -= 1
        self.say("}")

    # ---- pointers ---------------------------------------------------------------------------

    def _pointer(self, place: Place, target: CType) -> None:
        if place.depth >= self.shape.depth or len(self._made) >= _MOST_OBJECTS:
            self.ended.append(place.shown)
            self.say(f"{place.text} = 0;")
            return
        ways = []
        if self.shape.pointers != "valid" or target in place.path:  # a list ends somewhere
            ways.append(f"if ({self.draw(_BOOL)}) {place.text} = 0;")
        if self.shape.pointers == "may-alias":
            others = [other for other, what in self._made if what == target]
            ways += [f"if ({self.draw(_BOOL)}) {place.text} = {other};" for other in others]
        if ways:
            self.say(" else ".join(ways) + " else {")
        else:
            self.say("{")
        self._indent += 1
        self._target(place, target)
        self._indent -= 1
        self.say("}")
        if "[" not in place.text:
            self._made.append((place.text, target))

    def _target(self, place: Place, target: CType) -> None:
        """A new object, and its contents. It is filled through a pointer that may write."""
        self._count += 1
        new = f"revet_o{self._count}"
        inner = Place(new, place.shown, target, place.spelled, place.depth + 1, place.path)
        kind = "unsigned char *" if is_opaque(target) else place.spelled
        if isinstance(target, Record) and target.complete and not place.array:
            self.single.append(place.shown)
            self.say(f"__typeof__({kind}) {new} = {self._object(place.shown, f'sizeof *{new}')};")
            self._contents(inner, target)
        else:
            length = self._length(place)
            size = f"{length} * sizeof *{new}"
            self.say(f"__typeof__({kind}) {new} = {self._object(place.shown, size)};")
            if place.string:
                self.strings.append(place.shown)
                self.say(f"{new}[{length} - 1] = 0;")
            if has_pointers(target):
                self._elements(inner, target, length)
        self.say(f"{place.text} = (void *){new};")

    def _length(self, place: Place) -> str:
        """A variable with any number of elements."""
        self.arrays.append(place.shown)
        length = f"revet_length_{place.text}" if place.text.isidentifier() else f"revet_length{self._count}"
        self.lengths.append(length)
        self.say(f"{length} = {self.draw(self.shape.size)};")
        self.assume(f"1 <= {length} && {length} <= {self.shape.length}")
        return length

    def _contents(self, place: Place, target: Record) -> None:
        """Scalars one by one if they are few; pointers in any case. ``place`` points to the object."""
        few = scalars(target, FEW) <= FEW
        if target.union:
            if has_pointers(target):
                self.zeroed.append(f"*{place.shown}")
                self.say(f"__builtin_memset({place.text}, 0, sizeof *{place.text});")
            return
        for one in target.fields:
            if few or has_pointers(one.type):
                self._member(place, "->", one, target)

    def _callback(self, place: Place, function: Function) -> None:
        """A function of the driver's own: it returns any value and writes nothing."""
        self._count += 1
        name = f"revet_callback{self._count}"
        result = function.result
        if not isinstance(result, Int | Floating | Void) or function.variadic:
            raise Unsupported(f"a pointer to a function of type {function} as an argument", self.at)
        value = "" if isinstance(result, Void) else f"return {self.draw(result)};"
        spelled = "void" if isinstance(result, Void) else scalar_name(result, self.at)[0]
        parameters = ", ".join(
            f"{'void *' if isinstance(type, Pointer) else scalar_name(type, self.at)[0]} a{number}"
            for number, type in enumerate(function.parameters or ())
        )
        self.callbacks.append(f"static {spelled} {name}({parameters or 'void'}) {{ {value} }}")
        null = f"if ({self.draw(_BOOL)}) {place.text} = 0; else " if self.shape.pointers != "valid" else ""
        self.say(f"{null}{place.text} = (void *){name};")

    def _object(self, name: str, size: str) -> str:
        self.used["revet_any_object"] = "extern void *revet_any_object(const char *, __SIZE_TYPE__);"
        return f'revet_any_object("{name}", {size})'


def element_text(spelled: str, array: bool) -> str:
    """The text of the type of an element of an array, or of what a pointer leads to."""
    if array:
        return re.sub(r"\[\w*\]", "", spelled, count=1).strip()
    return spelled.strip().removesuffix("*").strip()


def scalar_name(type: CType, at: Position) -> tuple[str, str]:
    """A scalar type's spelling, and the end of the name of the function that draws it."""
    match type:
        case Int(boolean=True):
            return "_Bool", "bool"
        case Int(bits=bits, signed=signed) if bits in _INTEGERS:
            word = _INTEGERS[bits]
            prefix = "s" if signed and bits == 8 else "" if signed else "u"
            return f"{'signed' if signed else 'unsigned'} {word}", prefix + word.replace(" ", "").strip("_")
        case Floating(name=name):
            return name, name.replace(" ", "")
    raise Unsupported(f"a value of type {type} as an argument", at)
