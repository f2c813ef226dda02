"""The driver of ``main``: a command line with any number of arguments from one (the program's name, which
Linux always passes), each any string.

The first few strings are made one by one, the others in a loop: a program that looks at ``argv[1]`` can be
proved without an invariant about all elements of ``argv``.
"""

from __future__ import annotations

from revet.errors import Unsupported
from revet.frontends.c import ast
from revet.frontends.c.entry.driver import COMMAND_LINE, PREFIX, Driver
from revet.frontends.c.walk import all_expressions

_NAMES = ("argc", "argv", "envp")
_FEW = 3  # strings that are made outside the loop
_SMALL = 16  # so many need no loop at all


def looks_at_arguments(main: ast.FunctionDef) -> bool:
    """Does ``main`` mention one of its parameters?"""
    return bool(_mentioned(main))


def make_main_driver(main: ast.FunctionDef, unit: int, most: int) -> Driver:
    """The driver of ``main``, which the file number ``unit`` defines: at most ``most`` strings of as many
    bytes. Clang has seen that the parameters are an int and arrays of strings."""
    if len(main.parameters) > len(_NAMES):
        raise Unsupported(f"more than {len(_NAMES)} parameters of main", main.position)
    looked_at = _mentioned(main)
    lines, passed = [_HEAD, f"void {PREFIX}main(void) {{", *_count("argc", 1, most)], ["argc"]
    for name, parameter, spelled in list(zip(_NAMES, main.parameters, main.spelled, strict=False))[1:]:
        if parameter in looked_at:
            lines += _count("envc", 0, most) if name == "envp" else []
            lines += _strings(name, "envc" if name == "envp" else "argc", most)
        passed.append(f"({spelled}){name}" if parameter in looked_at else "0")
    lines += [f"  (void)main({', '.join(passed)});", "}", ""]
    said = f"main gets 1 to {most} arguments, its name first, strings of less than {most} characters"
    said += " (--entry-length)"
    return Driver("main", f"{PREFIX}main", COMMAND_LINE, {unit: "\n".join(lines)}, (said,))


def _mentioned(main: ast.FunctionDef) -> set[ast.Variable]:
    found = {one.variable for one in all_expressions(main.body) if isinstance(one, ast.VarRef)}
    return found & set(main.parameters)


_HEAD = """
extern int revet_any_int(void);
extern __SIZE_TYPE__ revet_any_size(void);
extern void revet_assume(int);
extern void *revet_any_object(const char *, __SIZE_TYPE__);"""


def _count(name: str, least: int, most: int) -> list[str]:
    return [f"  int {name} = revet_any_int();", f"  revet_assume({least} <= {name} && {name} <= {most});"]


def _strings(name: str, count: str, most: int) -> list[str]:
    """An array of as many strings, and a null pointer behind them."""
    few = most if most <= _SMALL else _FEW
    lines = [f'  char **{name} = revet_any_object("{name}", ((__SIZE_TYPE__){count} + 1) * sizeof *{name});']
    lines += [f"  if ({i} < {count}) {{ {_string(name, str(i), f'{name}[{i}]', most)} }}" for i in range(few)]
    if few < most:
        head = f"for (unsigned revet_i = {few}; revet_i < (unsigned){count}; revet_i++)"
        lines.append(f"  {head} {{ {_string(name, 'revet_i', f'{name}[]', most)} }}")
    return [*lines, f"  {name}[{count}] = 0;"]


def _string(name: str, index: str, shown: str, most: int) -> str:
    return (
        f"__SIZE_TYPE__ revet_n = revet_any_size(); revet_assume(1 <= revet_n && revet_n <= {most}); "
        f'char *revet_s = revet_any_object("{shown}", revet_n); revet_s[revet_n - 1] = 0; '
        f"{name}[{index}] = revet_s;"
    )
