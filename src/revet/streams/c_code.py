"""C99 from a specification: constant space, no allocation, one ``step()`` per instant.

A delay of n values is a static ring buffer of n; ``step`` reads the externs once, computes every
shared value once, calls the triggers, sets the observers, and then moves all buffers on together.

=======================  ==================================================================
``NAME.h``               externs to be provided, trigger functions to be provided, observers
``NAME.c``               ``void NAME_step(void)`` and ``void NAME_reset(void)``
``NAME_driver.c``        an example: defines the externs, prints every call
=======================  ==================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from revet.streams.c_operators import c_type, helper, helper_name, literal
from revet.streams.core import Apply, Cell, Constant, Delay, Extern, Node
from revet.streams.flatten import Flat, flatten, schedule
from revet.streams.places import error
from revet.streams.types import Array, Scalar, Type

if TYPE_CHECKING:
    from revet.streams.spec import Spec

_KEYWORDS = frozenset(
    [
        "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
        "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
        "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
        "union", "unsigned", "void", "volatile", "while", "bool", "true", "false", "main", "sin",
        "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "floor",
        "ceil", "fabs", "pow", "round", "trunc", "fmod", "remainder", "gamma", "lgamma", "erf",
    ]
)
_GENERATED = re.compile(r"v\d+|\w+_buffer(_at)?|[a-z]+(_[biuf]\d*)+|revet_\w+|(U?INT\d+_C|NAN|INFINITY)")


@dataclass(frozen=True)
class CProgram:
    """The three files' texts; ``externs`` and ``observers`` map names to C expressions and types."""

    name: str
    header: str
    source: str
    driver: str
    externs: dict[str, tuple[str, Scalar]]
    observers: dict[str, tuple[str, Scalar]]

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


def compile_c(spec: Spec, folder: str | Path | None = None) -> CProgram:
    program = _Generator(spec).program()
    if folder is not None:
        program.write(folder)
    return program


class _Generator:
    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        roots = list(spec.observers.values())
        for trigger in spec.triggers.values():
            roots += [trigger.guard, *trigger.arguments]
        if not roots:
            raise error(f"{spec.name} has no trigger and no observer: there is nothing to compile")
        self.flat: Flat = flatten(roots)
        self.flat_of = dict(zip(roots, self.flat.roots, strict=True))
        self.names: dict[Node, str] = {}
        self.helpers: dict[str, str] = {}
        self._refuse_keywords()

    def _refuse_keywords(self) -> None:
        own = [f"{self.spec.name}_{verb}" for verb in ("step", "reset")]
        names = [node.variable for node in self.flat.externs.values()]
        for name in (*dict.fromkeys(names), *self.spec.triggers):
            if name in _KEYWORDS or _GENERATED.fullmatch(name) or name in own:
                raise error(f"{name} cannot name an extern or trigger: the C code has another use for it")
        observers = [_identifier(name) for name in self.spec.observers]
        for name in observers:
            if observers.count(name) > 1 or name in ("step", "reset") or f"{self.spec.name}_{name}" in names:
                raise error(f"observer {name}: the name is taken in the C code")

    def program(self) -> CProgram:
        spec = self.spec
        externs = {name: (name, node.type) for name, node in self.flat.externs.items()}
        observers = {
            name: (f"{spec.name}_{_identifier(name)}", node.type) for name, node in spec.observers.items()
        }
        self.observers = observers
        source = self._source()
        return CProgram(spec.name, self._header(), source, self._driver(), externs, observers)

    # -- the header

    def _prototypes(self) -> list[str]:
        lines = []
        for trigger in self.spec.triggers.values():
            types = ", ".join(c_type(node.type) for node in trigger.arguments) or "void"
            lines.append(f"void {trigger.name}({types});")
        return lines

    def _header(self) -> str:
        name = self.spec.name
        guard = f"{name.upper()}_H"
        structs, variables = extern_declarations(self.flat.externs.values())
        lines = [
            f"/* Monitor {name}, generated by Revet. */",
            f"#ifndef {guard}", f"#define {guard}", "", "#include <stdbool.h>", "#include <stdint.h>", "",
            *structs,
            *(["/* Defined by the monitored program, read once a step. */"] if variables else []),
            *(f"extern {variable};" for variable in variables),
            *(["/* Defined by you, called by the monitor. */"] if self.spec.triggers else []),
            *self._prototypes(),
            *(["/* The observed streams, as of the last step. */"] if self.observers else []),
            *(f"extern {c_type(type_)} {variable};" for variable, type_ in self.observers.values()),
            "", "/* One instant. */", f"void {name}_step(void);",
            "/* Back to the start. */", f"void {name}_reset(void);", "", "#endif", "",
        ]
        return "\n".join(lines)

    # -- the source

    def _source(self) -> str:
        name = self.spec.name
        body = self._step()
        lines = [f'#include "{name}.h"', "", "#include <math.h>", "#include <stddef.h>", ""]
        lines += [*sorted(self.helpers.values()), ""]
        for delay, buffer in self._buffers().items():
            values = ", ".join(literal(value, delay.type) for value in delay.buffer)
            size = len(delay.buffer)
            lines.append(f"static {c_type(delay.type)} {buffer}[{size}] = {{{values}}};")
            if size > 1:
                lines.append(f"static size_t {buffer}_at = 0;")
        lines += [f"{c_type(type_)} {variable};" for variable, type_ in self.observers.values()]
        lines += ["", f"void {name}_step(void) {{", *(f"  {line}" for line in body), "}", ""]
        lines += [f"void {name}_reset(void) {{", *(f"  {line}" for line in self._reset()), "}", ""]
        return "\n".join(lines)

    def _buffers(self) -> dict[Delay, str]:
        return {delay: f"{_identifier(name)}_buffer" for delay, name in self.flat.names.items()}

    def _step(self) -> list[str]:
        lines = []
        buffers = self._buffers()
        order = schedule([*self.flat.roots, *self.flat.updates.values()])
        for number, node in enumerate(order):
            if isinstance(node, Constant):
                self.names[node] = literal(node.value, node.type)
                continue
            self.names[node] = f"v{number}"
            value = self._expression(node, buffers)
            lines.append(f"const {c_type(node.type)} v{number} = {value};")
        for name, observed in self.spec.observers.items():
            lines.append(f"{self.observers[name][0]} = {self._name(observed)};")
        for trigger in self.spec.triggers.values():
            arguments = ", ".join(self._name(node) for node in trigger.arguments)
            lines.append(f"if ({self._name(trigger.guard)}) {trigger.name}({arguments});")
        for delay, update in self.flat.updates.items():
            buffer, size = buffers[delay], len(delay.buffer)
            place = "0" if size == 1 else f"{buffer}_at"
            lines.append(f"{buffer}[{place}] = {self.names[update]};")
            if size > 1:
                lines.append(f"{buffer}_at = ({buffer}_at + 1) % {size};")
        return lines

    def _name(self, node: Node) -> str:
        return self.names[self.flat_of[node]]

    def _expression(self, node: Node, buffers: dict[Delay, str]) -> str:
        match node:
            case Extern():
                return node.name
            case Cell():
                buffer, size = buffers[node.delay], len(node.delay.buffer)
                if size == 1:
                    return f"{buffer}[0]"
                shift = f" + {node.position}" if node.position else ""
                return f"{buffer}[({buffer}_at{shift}) % {size}]"
            case Apply():
                types = [arg.type for arg in node.args]
                helper_ = helper_name(node.operator, node.type, types)
                if helper_ not in self.helpers:
                    self.helpers[helper_] = helper(node.operator, node.type, types)
                return f"{helper_}({', '.join(self.names[arg] for arg in node.args)})"
        raise AssertionError(f"not flat: {node}")

    def _reset(self) -> list[str]:
        lines = []
        for delay, buffer in self._buffers().items():
            for position, value in enumerate(delay.buffer):
                lines.append(f"{buffer}[{position}] = {literal(value, delay.type)};")
            if len(delay.buffer) > 1:
                lines.append(f"{buffer}_at = 0;")
        return lines

    # -- the example driver

    def _driver(self) -> str:
        name = self.spec.name
        _, variables = extern_declarations(self.flat.externs.values())
        lines = [
            "/* An example of use: constant inputs, ten steps. Adapt it. */",
            f'#include "{name}.h"', "", "#include <stdio.h>", "",
            *(f"{variable};" for variable in variables), "",
        ]
        for trigger in self.spec.triggers.values():
            parameters = [f"{c_type(node.type)} a{n}" for n, node in enumerate(trigger.arguments)]
            lines.append(f"void {trigger.name}({', '.join(parameters) or 'void'}) {{")
            lines.append(f'  printf("{trigger.name}");')
            lines += [f'  printf(" %g", (double)a{n});' for n in range(len(parameters))]
            lines += ['  printf("\\n");', "}", ""]
        lines += ["int main(void) {", "  for (int instant = 0; instant < 10; instant++) {"]
        lines.append(f"    {name}_step();")
        for observer, (variable, _) in self.observers.items():
            lines.append(f'    printf("{observer} = %g\\n", (double){variable});')
        lines += ["  }", "  return 0;", "}", ""]
        return "\n".join(lines)


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_")


def extern_declarations(externs: Iterable[Extern]) -> tuple[list[str], list[str]]:
    """Struct definitions and the declarations of the variables that the externs are parts of."""
    structs: dict[str, str] = {}
    variables = {node.variable: node.whole for node in externs}
    declared = [_declare(name, type_, structs) for name, type_ in variables.items()]
    return list(structs.values()), declared


def _declare(name: str, type_: Type, structs: dict[str, str]) -> str:
    if isinstance(type_, Scalar):
        return f"{c_type(type_)} {name}"
    if isinstance(type_, Array):
        return _declare(f"{name}[{type_.length}]", type_.element, structs)
    members = [_declare(field, part, structs) for field, part in type_.fields.items()]
    structs[type_.name] = f"struct {type_.name} {{ {' '.join(member + ';' for member in members)} }};"
    return f"struct {type_.name} {name}"
