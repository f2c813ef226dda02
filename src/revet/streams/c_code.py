"""C99 from a specification: constant space, no allocation, one ``step()`` per instant.

A delay of n values is n static variables, or a ring buffer if n is more than ``MOVED``. ``step`` reads the
externs once, computes every shared value once, sets the observers, calls the triggers, and then moves all
buffers on together.

=======================  ==================================================================
``NAME.h``               externs to be provided, trigger functions to be provided, observers
``NAME.c``               ``void NAME_step(void)`` and ``void NAME_reset(void)``
``NAME_driver.c``        an example: defines the externs, prints every call
=======================  ==================================================================

Structs are passed to triggers as structs, arrays as pointers to their first element, which are valid
during the call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from revet.streams.c_operators import c_type, helper, helper_name, literal
from revet.streams.c_types import (
    declaration,
    extern_variables,
    initializer,
    parameter,
    struct_definitions,
)
from revet.streams.core import Apply, Cell, Constant, Delay, Extern, Node
from revet.streams.flatten import Flat, flatten, schedule
from revet.streams.places import error
from revet.streams.types import Array, Scalar, Struct, Type, leaf_paths

if TYPE_CHECKING:
    from revet.streams.spec import Spec, Trigger

_KEYWORDS = frozenset(
    [
        "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
        "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
        "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
        "union", "unsigned", "void", "volatile", "while", "bool", "true", "false", "main", "sin",
        "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "floor",
        "ceil", "fabs", "pow", "round", "trunc", "fmod", "remainder", "gamma", "lgamma", "erf",
        "atan2", "asinh", "acosh", "atanh", "fabsf", "sqrtf", "floorf", "ceilf",
    ]
)
_GENERATED = re.compile(
    r"v\d+|a\d+|\w+_buffer(_at|_\d+)?|[a-z]+(_[biuf]\d*)+|revet_\w+|(U?INT\d+_C|NAN|INFINITY)"
)


MOVED = 32


def is_ring(delay: Delay) -> bool:
    """Are the values of the delay in a ring buffer (and not in variables that are moved on at each step)?"""
    return len(delay.buffer) > MOVED


def cell(buffer: str, delay: Delay, position: int) -> str:
    """Where the code keeps the value that comes after ``position`` others."""
    if not is_ring(delay):
        return f"{buffer}_{position}"
    return f"{buffer}[({buffer}_at + {position}) % {len(delay.buffer)}]"


@dataclass(frozen=True)
class CProgram:
    """The three files' texts and what they define: ``name`` begins the names of the files, ``step`` and
    ``reset`` are the functions; ``observers`` map names to C variables and their types, ``buffers`` the
    delays to the names of their buffers. ``flat`` is what the code was made from."""

    name: str
    step: str
    reset: str
    header: str
    source: str
    driver: str
    observers: dict[str, tuple[str, Scalar]]
    buffers: dict[Delay, str]
    flat: Flat

    def write(self, folder: str | Path) -> list[Path]:
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        texts = {
            f"{self.name}.h": self.header,
            f"{self.name}.c": self.source,
            f"{self.name}_driver.c": self.driver,
        }
        for file, text in texts.items():
            (folder / file).write_text(text)
        return [folder / file for file in texts]


def compile_c(
    spec: Spec, folder: str | Path | None = None, prefix: str | None = None, step: str | None = None
) -> CProgram:
    prefix = spec.name if prefix is None else prefix
    step = f"{prefix}_step" if step is None else step
    for name, taken in ((prefix, frozenset[str]()), (step, _KEYWORDS | {f"{prefix}_reset"})):
        if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) or name in taken:
            raise error(f"{name!r} cannot be a name in the C code")
    program = _Generator(spec, prefix, step).program()
    if folder is not None:
        program.write(folder)
    return program


class _Generator:
    def __init__(self, spec: Spec, prefix: str, step: str) -> None:
        self.spec = spec
        self.prefix = prefix
        self.step, self.reset = step, f"{prefix}_reset"
        roots = spec.outputs()
        if not roots:
            raise error(f"{spec.name} has no trigger and no observer: there is nothing to compile")
        self.flat: Flat = flatten(roots)
        self.flat_of = dict(zip(roots, self.flat.roots, strict=True))
        self.names: dict[Node, str] = {}
        self.helpers: dict[str, str] = {}
        self.variables = extern_variables(self.flat.externs.values())
        self.buffers = {delay: f"{_identifier(name)}_buffer" for delay, name in self.flat.names.items()}
        self.observers = {
            name: (f"{prefix}_{_identifier(name)}", node.type) for name, node in spec.observers.items()
        }
        self._refuse_names()

    def _refuse_names(self) -> None:
        """What C, or the rest of the code, has another use for."""
        own = [self.step, self.reset]
        for name in (*self.variables, *self.spec.calls()):
            if name in _KEYWORDS or _GENERATED.fullmatch(name) or name in own:
                raise error(f"{name} cannot name an extern or trigger: the C code has another use for it")
        taken = [*own, *self.variables, *self.spec.calls()]
        for name, (variable, _) in self.observers.items():
            if variable in taken:
                raise error(f"observer {name}: the name is taken in the C code")
            taken.append(variable)
        for type_ in self._types():
            for name in _names_in(type_):
                if name in _KEYWORDS or not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
                    raise error(f"{name} cannot name a struct or its field in C")

    def _types(self) -> list[Type]:
        return [*self.variables.values(), *(t for trigger in self.spec.triggers for t in trigger.types)]

    def program(self) -> CProgram:
        source = self._source()
        return CProgram(
            self.prefix, self.step, self.reset, self._header(), source, self._driver(), self.observers,
            self.buffers, self.flat,
        )

    # -- the header

    def _header(self) -> str:
        guard = f"{self.prefix.upper()}_H"
        calls = {name: stated[0].types for name, stated in self.spec.calls().items()}
        prototypes = [
            f"void {name}({', '.join(parameter('', t).strip() for t in types) or 'void'});"
            for name, types in calls.items()
        ]
        lines = [
            f"/* Monitor {self.spec.name}, generated by Revet. */",
            f"#ifndef {guard}", f"#define {guard}", "", "#include <stdbool.h>", "#include <stdint.h>", "",
            *struct_definitions(self._types()),
            *(["/* Defined by the monitored program, read once a step. */"] if self.variables else []),
            *(f"extern {declaration(name, type_)};" for name, type_ in self.variables.items()),
            *(["/* Defined by you, called by the monitor. */"] if calls else []),
            *prototypes,
            *(["/* The observed streams, as of the last step. */"] if self.observers else []),
            *(f"extern {c_type(type_)} {variable};" for variable, type_ in self.observers.values()),
            "", "/* One instant. */", f"void {self.step}(void);",
            "/* Back to the start. */", f"void {self.reset}(void);", "", "#endif", "",
        ]
        return "\n".join(lines)

    # -- the source

    def _source(self) -> str:
        body = self._step()
        lines = [f'#include "{self.prefix}.h"', "", "#include <math.h>", "#include <stddef.h>", ""]
        lines += [*sorted(self.helpers.values()), ""]
        for delay, buffer in self.buffers.items():
            values = [literal(value, delay.type) for value in delay.buffer]
            if is_ring(delay):
                initial = ", ".join(values)
                lines.append(f"static {c_type(delay.type)} {buffer}[{len(values)}] = {{{initial}}};")
                lines.append(f"static size_t {buffer}_at = 0;")
                continue
            for position, value in enumerate(values):
                lines.append(f"static {c_type(delay.type)} {buffer}_{position} = {value};")
        lines += [f"{c_type(type_)} {variable};" for variable, type_ in self.observers.values()]
        lines += ["", f"void {self.step}(void) {{", *(f"  {line}" for line in body), "}", ""]
        lines += [f"void {self.reset}(void) {{", *(f"  {line}" for line in self._reset()), "}", ""]
        return "\n".join(lines)

    def _step(self) -> list[str]:
        lines = []
        order = schedule([*self.flat.roots, *self.flat.updates.values()])
        for number, node in enumerate(order):
            if isinstance(node, Constant):
                self.names[node] = literal(node.value, node.type)
                continue
            self.names[node] = f"v{number}"
            value = self._expression(node)
            labels = [re.sub(r"[^\w .\[\]-]", "_", label) for label in self.flat.labels.get(node, ())]
            note = f" /* {', '.join(labels)} */" if labels else ""
            lines.append(f"const {c_type(node.type)} v{number} = {value};{note}")
        for name, observed in self.spec.observers.items():
            lines.append(f"{self.observers[name][0]} = {self._name(observed)};")
        for trigger in self.spec.triggers:
            lines += self._call(trigger)
        for delay, update in self.flat.updates.items():
            buffer, size = self.buffers[delay], len(delay.buffer)
            if is_ring(delay):
                lines.append(f"{buffer}[{buffer}_at] = {self.names[update]};")
                lines.append(f"{buffer}_at = ({buffer}_at + 1) % {size};")
                continue
            lines += [f"{buffer}_{n} = {buffer}_{n + 1};" for n in range(size - 1)]
            lines.append(f"{buffer}_{size - 1} = {self.names[update]};")
        return lines

    def _call(self, trigger: Trigger) -> list[str]:
        leaves = (self._name(node) for node in trigger.arguments)
        prepared, arguments = [], []
        for number, type_ in enumerate(trigger.types):
            value = initializer(type_, leaves)
            if not isinstance(type_, Scalar):
                prepared.append(f"  const {declaration(f'a{number}', type_)} = {value};")
                value = f"a{number}"
            arguments.append(value)
        call = f"{trigger.name}({', '.join(arguments)});"
        guard = self._name(trigger.guard)
        return [f"if ({guard}) {{", *prepared, f"  {call}", "}"] if prepared else [f"if ({guard}) {call}"]

    def _name(self, node: Node) -> str:
        return self.names[self.flat_of[node]]

    def _expression(self, node: Node) -> str:
        match node:
            case Extern():
                return node.name
            case Cell():
                return cell(self.buffers[node.delay], node.delay, node.position)
            case Apply():
                types = [arg.type for arg in node.args]
                helper_ = helper_name(node.operator, node.type, types)
                if helper_ not in self.helpers:
                    self.helpers[helper_] = helper(node.operator, node.type, types)
                return f"{helper_}({', '.join(self.names[arg] for arg in node.args)})"
        raise AssertionError(f"not flat: {node}")

    def _reset(self) -> list[str]:
        lines = []
        for delay, buffer in self.buffers.items():
            lines += [f"{buffer}_at = 0;"] if is_ring(delay) else []
            for position, value in enumerate(delay.buffer):
                place = f"{buffer}[{position}]" if is_ring(delay) else f"{buffer}_{position}"
                lines.append(f"{place} = {literal(value, delay.type)};")
        return lines

    # -- the example driver

    def _driver(self) -> str:
        lines = [
            "/* An example of use: constant inputs, ten steps. Adapt it. */",
            f'#include "{self.prefix}.h"', "", "#include <stdio.h>", "",
            *(f"{declaration(name, type_)};" for name, type_ in self.variables.items()), "",
        ]
        for name, stated in self.spec.calls().items():
            types = stated[0].types
            parameters = [parameter(f"a{n}", type_) for n, type_ in enumerate(types)]
            lines.append(f"void {name}({', '.join(parameters) or 'void'}) {{")
            lines.append(f'  printf("{name}");')
            for n, type_ in enumerate(types):
                lines += [f'  printf(" %g", (double)a{n}{path});' for path, _ in leaf_paths(type_)]
            lines += ['  printf("\\n");', "}", ""]
        lines += ["int main(void) {", "  for (int instant = 0; instant < 10; instant++) {"]
        lines.append(f"    {self.step}();")
        for observer, (variable, _) in self.observers.items():
            lines.append(f'    printf("{observer} = %g\\n", (double){variable});')
        lines += ["  }", "  return 0;", "}", ""]
        return "\n".join(lines)


def _names_in(type_: Type) -> list[str]:
    if isinstance(type_, Struct):
        return [type_.name, *type_.fields, *(n for part in type_.fields.values() for n in _names_in(part))]
    return _names_in(type_.element) if isinstance(type_, Array) else []


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_")
