"""Running the compiled monitor from Python: build a shared library, load it with ctypes, step it.

A small harness defines the externs and records what the triggers are called with.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from revet.errors import UsageError
from revet.frontends.c.clang.run import system_compiler
from revet.streams.c_code import CProgram, compile_c
from revet.streams.c_operators import c_type
from revet.streams.c_recorder import count_variable, leaf_variable, recorder
from revet.streams.c_types import declaration, extern_variables
from revet.streams.core import Extern
from revet.streams.interpret import Interpreter, argument_types, assemble_call, call_rows, spread_inputs
from revet.streams.table import Table
from revet.streams.types import Scalar

if TYPE_CHECKING:
    from revet.streams.spec import Spec, Trigger

FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1")


def simulate(spec: Spec, steps: int, inputs: Mapping[str, Sequence[Any]] | None = None) -> Table:
    """The same table as the interpreter's, made by the C code."""
    program = compile_c(spec)
    externs = program.flat.externs
    given = Interpreter(spread_inputs(inputs, spec.flat().externs))
    with tempfile.TemporaryDirectory(prefix="revet-streams-") as folder:
        library = ctypes.CDLL(str(_build(spec, program, externs, Path(folder))))
        return _Monitor(spec, program, externs, library).run(steps, given)


def harness(spec: Spec, externs: Mapping[str, Extern]) -> str:
    """C that stands for the monitored program: variables, setters, and triggers that take notes."""
    variables = extern_variables(externs.values())
    lines = [f'#include "{spec.name}.h"', *(f"{declaration(*variable)};" for variable in variables.items())]
    for number, node in enumerate(externs.values()):
        lines.append(f"void revet_set_{number}({c_type(node.type)} v);")
        lines.append(f"void revet_set_{number}({c_type(node.type)} v) {{ {node.name} = v; }}")
    return "\n".join([*lines, *recorder(spec)]) + "\n"


def _build(spec: Spec, program: CProgram, externs: Mapping[str, Extern], folder: Path) -> Path:
    program.write(folder)
    (folder / "revet_harness.c").write_text(harness(spec, externs))
    target = folder / "monitor.so"
    # Symbolic: a trigger called like a function of libc (alarm, exit) must not end up there.
    flags = ("-shared", "-fPIC", "-Wl,-Bsymbolic")
    compile_files([folder / f"{spec.name}.c", folder / "revet_harness.c"], target, flags)
    return target


def compile_files(sources: Sequence[Path], target: Path, flags: Sequence[str] = ()) -> None:
    compiler = system_compiler()
    if compiler is None:
        raise UsageError("running the generated C needs a C compiler: $CC, cc, gcc or clang")
    command = [compiler, *FLAGS, *flags, *map(str, sources), "-o", str(target), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the generated C was not accepted: {done.stderr}")


def _ctype(type_: Scalar) -> Any:
    if type_.kind == "bool":
        return ctypes.c_bool
    if type_.kind == "float":
        return ctypes.c_float if type_.width == 32 else ctypes.c_double
    return getattr(ctypes, f"c_{'' if type_.signed else 'u'}int{type_.width}")


class _Monitor:
    """A loaded library."""

    def __init__(
        self, spec: Spec, program: CProgram, externs: Mapping[str, Extern], library: ctypes.CDLL
    ) -> None:
        self.spec = spec
        self.program = program
        self.externs = externs
        self.library = library
        self.setters = []
        for number, node in enumerate(externs.values()):
            setter = library[f"revet_set_{number}"]
            setter.argtypes = [_ctype(node.type)]
            self.setters.append((node, setter))

    def run(self, steps: int, given: Interpreter) -> Table:
        observers = self.program.observers
        watched = {name: node.type for name, node in self.externs.items()}
        watched.update({name: type_ for name, (_, type_) in observers.items()})
        streams: dict[str, list[Any]] = {name: [] for name in watched}
        triggers: dict[str, list[tuple[Any, ...] | None]] = {row: [] for row in argument_types(self.spec)}
        step = self.library[self.program.step]
        for instant in range(steps):
            for node, setter in self.setters:
                value = given.value(node, instant)
                streams[node.name].append(value)
                setter(value)
            for name in self.spec.calls():
                self._variable(count_variable(name), ctypes.c_uint).value = 0
            step()
            for name, (variable, type_) in observers.items():
                streams[name].append(self._variable(variable, _ctype(type_)).value)
            for name, stated in self.spec.calls().items():
                for number, row in enumerate(call_rows(name, len(stated))):
                    triggers[row].append(self._call(stated[0], number, len(stated)))
        return Table(streams, triggers, watched, argument_types(self.spec))

    def _variable(self, name: str, type_: Any) -> Any:
        return type_.in_dll(self.library, name)

    def _call(self, trigger: Trigger, number: int, count: int) -> tuple[Any, ...] | None:
        """The arguments of the function's call of this number at this instant, if there was one."""
        if self._variable(count_variable(trigger.name), ctypes.c_uint).value <= number:
            return None
        leaves = [
            self._variable(leaf_variable(trigger.name, n), _ctype(node.type) * count)[number]
            for n, node in enumerate(trigger.arguments)
        ]
        return assemble_call(trigger, leaves)
