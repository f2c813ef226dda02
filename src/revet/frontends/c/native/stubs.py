"""The C file between a program and ``search.c``: every function that the program leaves open.

They follow the interpreter's rules (``interpret/library.py``) one by one, so that the same inputs
give the same run there: the error functions end the run, assumptions end it quietly, allocated
memory holds zeros, and any other function returns a drawn value. The definitions are named
``__wrap_f``; the linker's option ``--wrap=f`` makes the program's calls of ``f`` arrive there, which
keeps them apart from the library's functions that ``search.c`` itself uses. The program's ``main``
is compiled under another name, because ``main`` is the search's.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from revet.frontends.c.ast import CProgram, FunctionDef
from revet.frontends.c.harness import NotExpressible, c_float, c_integer, c_type, condition
from revet.frontends.c.library import Treatment, classify
from revet.frontends.c.library.conventions import (
    ASSERTIONS,
    ASSUMPTIONS,
    ERRORS,
    NOT_LINKED,
    NOTHING,
    OBJECT,
    STREAMS,
)
from revet.frontends.c.library.uses import mentioned_functions
from revet.frontends.c.symbols import harmless
from revet.frontends.c.types import CType, Floating, Int, Pointer, Void, size_of

_HEAD = """\
typedef __SIZE_TYPE__ revet_word;
extern void revet_end(int);
extern long long revet_integer(int), revet_given(int, long long);
extern double revet_float(int);
extern void *revet_allocate(unsigned long);
extern unsigned long revet_size(void *);
extern void *memcpy(void *, const void *, revet_word);
enum { ENDED, STOPPED, CRASHED, LIMIT, REACHED, EXHAUSTED, UNLINKED };
"""

PROGRAM_MAIN = "revet_program_main"
_KNOWN = {
    **dict.fromkeys(("exit", "_exit", "_Exit"), "void {}() {{ revet_end(ENDED); }}"),
    **dict.fromkeys(("abort", *ERRORS), "void {}() {{ revet_end(STOPPED); }}"),
    OBJECT: "void *{}(const char *name, revet_word size) {{ return revet_allocate(size); }}",
    **dict.fromkeys((*NOTHING, "free"), "void {}() {{ }}"),
    "malloc": "void *{}(revet_word size) {{ return revet_allocate(size); }}",
    "calloc": "void *{}(revet_word count, revet_word size) {{ return revet_allocate(count * size); }}",
    "realloc": """void *{}(void *old, revet_word size) {{
  void *block = revet_allocate(size);
  if (old) memcpy(block, old, size < revet_size(old) ? size : revet_size(old));
  return block;
}}""",
}
_CONDITIONS = frozenset((*ASSERTIONS, *ASSUMPTIONS))
_WIDE, _DOUBLE = Int(64, True), Floating(64, 8)


@dataclass
class Stubs:
    """The text, the symbols to be wrapped, and the functions that draw (by their number there)."""

    text: str = ""
    wrapped: list[str] = field(default_factory=list)
    drawing: list[tuple[str, CType]] = field(default_factory=list)


def write_stubs(
    program: CProgram,
    symbols: Sequence[str],
    constants: tuple[Sequence[int], Sequence[float]],
    entry: str,
    errors: Collection[str],
    trap_is_error: bool,
    silent: Collection[str] = (),
) -> Stubs:
    """Definitions for these symbols. Raises :class:`NotExpressible` if there is one that the program
    mentions and declares neither as a function nor as a variable. What only functions mention that no run
    reaches is in none of the program's expressions: a run that comes there all the same ends as UNLINKED."""
    made = Stubs()
    lines = [_HEAD, _table("long long", "integers", [c_integer(_wide(i), _WIDE) for i in constants[0]]),
             _table("double", "floats", [c_float(number, _DOUBLE) for number in constants[1]]),
             f"const int revet_trap_is_error = {int(trap_is_error)};"]
    mentioned = mentioned_functions(program)
    external = {variable.name: variable for variable in program.globals if variable.function is None}
    for name in symbols:
        ours = program.functions.get(name)
        if name in errors:
            lines.append(f"void __wrap_{name}() {{ revet_end(REACHED); }}")
        elif name in silent:
            lines.append(f"int __wrap_{name}() {{ return 0; }}")
        elif name in NOT_LINKED:
            raise NotExpressible(f"{name}() has no definition for compiled programs")
        elif name in _CONDITIONS:
            ending = "REACHED" if name in ASSERTIONS else "STOPPED"
            given = condition(program.declared.get(name))
            lines.append(f"void __wrap_{name}({given}) {{ if (!condition) revet_end({ending}); }}")
        elif name in _KNOWN:
            lines.append(_KNOWN[name].format(f"__wrap_{name}"))
        elif _only_prints(program, name):
            lines.append(f"int __wrap_{name}() {{ return 0; }}")
        elif name in program.declared and ours is None and not harmless(name):
            lines.append(_draws(made, name, program.declared[name].result, f"{{}} __wrap_{name}()"))
        elif name in STREAMS:
            continue
        elif name in external:
            size = size_of(external[name].type)
            lines.append(f"char {name}[{size}] __attribute__((aligned(16)));")
            continue
        elif harmless(name) or name.startswith(("__sanitizer_cov_", "__cyg_profile_", "revet_")):
            continue
        elif name in mentioned or name.startswith("__"):  # those may be other names of what is mentioned
            raise NotExpressible(f"{name}() is not linked into runs that follow each other")
        else:
            lines.append(f"void __wrap_{name}() {{ revet_end(UNLINKED); }}")
        made.wrapped.append(name)
    lines.append(_hooks([name for name in errors if name in program.functions]))
    lines.append(_start(made, program.functions[entry]))
    made.text = "\n".join(lines) + "\n"
    return made


def _only_prints(program: CProgram, name: str) -> bool:
    standing = classify(name, program.declared.get(name), program.data_model)
    return name not in program.functions and standing.treatment in (Treatment.PRINT, Treatment.QUIET)


def known(name: str) -> bool:
    """Is this a function of the C library that has a definition here?"""
    return name in _KNOWN or name in _CONDITIONS


def _wide(value: int) -> int:
    return _WIDE.wrap(value)


def _table(element: str, name: str, values: Sequence[str]) -> str:
    count = f"const unsigned revet_{name[:-1]}_count = {len(values)};"
    return f"const {element} revet_{name}[] = {{ {', '.join(values)} }};\n{count}"


def _number(made: Stubs, name: str, type: CType) -> int:
    made.drawing.append((name, type))
    return len(made.drawing) - 1


def _drawn(made: Stubs, name: str, type: CType) -> str:
    """A C expression that draws a value; pointers are null, as in the interpreted search."""
    number = _number(made, name, type)
    match type:
        case Pointer():
            return f"(void *)(revet_word)revet_given({number}, 0)"
        case Floating(bits=bits) if bits <= 64:
            return f"({c_type(type)})revet_float({number})"
        case Int(bits=bits) if bits <= 64:
            return f"({c_type(type)})revet_integer({number})"
    raise NotExpressible(f"a value of type {type}")


def _draws(made: Stubs, name: str, type: CType, head: str) -> str:
    if isinstance(type, Void):
        return f"{head.format('void')} {{ }}"
    return f"{head.format(c_type(type))} {{ return {_drawn(made, name, type)}; }}"


def _hooks(names: Sequence[str]) -> str:
    """Error functions with a body: entering one ends the run (``-finstrument-functions``)."""
    if not names:
        return ""
    declared = "".join(f"extern void {name}();\n" for name in names)
    tests = " || ".join(f"function == (void *){name}" for name in names)
    return f"""{declared}void __cyg_profile_func_enter(void *function, void *site) {{
  if ({tests}) revet_end(REACHED);
}}
void __cyg_profile_func_exit(void *function, void *site) {{ }}"""


def _start(made: Stubs, entry: FunctionDef) -> str:
    """Calls a driver, which has no parameters, or a main that does not look at its own."""
    types = [c_type(parameter.type) for parameter in entry.parameters]
    name = PROGRAM_MAIN if entry.name == "main" else entry.name
    declared = f"extern {c_type(entry.type.result)} {name}({', '.join(types) or 'void'});"
    return f"{declared}\nvoid revet_start(void) {{\n  {name}({', '.join('0' for _ in types)});\n}}"
