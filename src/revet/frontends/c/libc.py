"""Functions of the C library as C of our own.

A program that mentions one of them without defining it gets its definition (``library/models/*.c``) as
one more file: parsed, lowered and interpreted like the rest. What the standard leaves to the library (the
size of what ``strcmp`` returns, which number ``isalpha`` returns) is drawn, except where the
program asks for sign or truth alone (:func:`sharpen`). Functions that lowering and the interpreter
have themselves get a body that calls the builtin, if the program takes their address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from revet.frontends.c import ast
from revet.frontends.c.checks import Check
from revet.frontends.c.library.classify import library_name
from revet.frontends.c.library.preconditions import without_preconditions
from revet.frontends.c.library.prototypes import fits, fits_call
from revet.frontends.c.library.table import Treatment, rows
from revet.frontends.c.library.typed import UNINTERPRETED
from revet.frontends.c.library.uses import plain_name, sharpen
from revet.frontends.c.types import DataModel, Function
from revet.frontends.c.walk import all_expressions, expressions_below, initial_values

FILE = "<C library>"
FORMATTED = ("sprintf", "snprintf", "swprintf")
"""Functions that write text made from a format: see ``lower/formatting.py`` and
``interpret/formatting.py``."""
WRAPPED = ("malloc", "calloc", "free", "abort", "exit", "fabs", "floor", "ceil", "sqrt", "memcpy", "memset")
"""Functions without a model in C that may be called through pointers: their builtin is called."""

_MODELS = Path(__file__).parent / "library" / "models"
_HEAD = """typedef __SIZE_TYPE__ size_t; typedef __PTRDIFF_TYPE__ ssize_t; typedef __WCHAR_TYPE__ wchar_t;
extern int __VERIFIER_nondet_revet_sign(void), __VERIFIER_nondet_revet_truth(void);
extern int __VERIFIER_nondet_revet_again(void);
extern int __VERIFIER_nondet_revet_input_int(void); extern long __VERIFIER_nondet_revet_input_long(void);
extern size_t __VERIFIER_nondet_revet_input_size(void);
extern int __VERIFIER_nondet_revet_input_character(void);
extern long long __VERIFIER_nondet_revet_input_wide(void);
extern long long __VERIFIER_nondet_revet_scanned(const void *, const void *, int);
extern double __VERIFIER_nondet_revet_input_double(void), __VERIFIER_nondet_revet_value(void);
extern void __VERIFIER_assume(int); extern void *malloc(size_t), *realloc(void *, size_t);
extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t); extern void *memset(void *, int, size_t);
extern void __revet_require(_Bool), __revet_readable(const void *, size_t), __revet_writable(void *, size_t);
extern void __revet_apart(const void *, const void *);
"""
_ERRNO = """static void revet_errno(int number) { *__errno_location() = number; }
static void revet_errno_any(void) {
  int number = __VERIFIER_nondet_revet_input_int();
  __VERIFIER_assume(number > 0);
  *__errno_location() = number;
}
static void revet_errno_computed(void) {
  int number = __VERIFIER_nondet_revet_again();
  __VERIFIER_assume(number == 0 || number == 33 || number == 34);
  if (number) *__errno_location() = number;
}
"""
_TIMES = """struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff; const char *tm_zone; };
struct timespec { long tv_sec, tv_nsec; }; struct timeval { long tv_sec, tv_usec; };
"""
_NO_ERRNO = """static void revet_errno(int number) { }
static void revet_errno_any(void) { }
static void revet_errno_computed(void) { }
"""
_OPENERS = ("fopen", "tmpfile", "open", "creat")
_WIDE = {
    "strncat": "wcsncat", "strcspn": "wcscspn", "strspn": "wcsspn", "strpbrk": "wcspbrk",
    "strrchr": "wcsrchr", "strstr": "wcsstr", "strnlen": "wcsnlen", "stpcpy": "wcpcpy", "stpncpy": "wcpncpy",
    "revet_among": "revet_wide_among",
}
"""The same for wide characters."""
_NAME = re.compile(r"^(?:static )?[\w ]+?[ *]+(\w+)\(")
_WORD = re.compile(r"\b[A-Za-z_]\w*(?=\()")


@cache
def models() -> dict[str, str]:
    """The definitions in ``library/models``, by name."""
    found: dict[str, str] = {}
    for file in ("string", "ctype", "stdlib", "math", "stdio", "time", "bits"):
        for text in (_MODELS / f"{file}.c").read_text("utf-8").strip().split("\n\n"):
            match = _NAME.match(text)
            assert match is not None, text
            found[match[1]] = text
    for name in [name for name in found if rows().get(name + "f") is not None and name + "f" not in found]:
        if re.search(r"\bdouble\b", found[name]):  # double and float alike
            text = re.sub(r"\bdouble\b", "float", found[name]).replace(f"{name}(", f"{name}f(")
            found[name + "f"] = re.sub(r"(__builtin_\w+)\(", r"\1f(", text)
    for name, wide in _WIDE.items():
        text = re.sub(r"\bchar\b|\bint(?= c\))", "wchar_t", found[name])
        found[wide] = re.sub(r"\w+(?=\()", lambda called: _WIDE.get(called[0], called[0]), text)
    return found


def definitions(
    functions: Mapping[str, ast.FunctionDef], mentioned_in: Mapping[str, set[str | None]],
    declared: dict[str, Function], model: DataModel, variables: Iterable[ast.Variable] = (),
    checks: frozenset[Check] = frozenset(),
) -> str | None:
    """The text of what these functions mention and nobody defines; None if there is nothing.
    ``mentioned_in`` says which functions mention a function: most mention none of ours. ``checks`` is what
    the program is checked for: what a function needs is in its model only where somebody asks."""
    concerned = {
        place for name, places in mentioned_in.items()
        if name.startswith("__builtin_") or name in models() or name in rows() or UNINTERPRETED.match(name)
        for place in places
    }
    bodies = [function for name, function in functions.items() if name in concerned]
    known = functions.keys()
    written = sharpen(bodies, known, models(), checks)
    called, mentioned = _names(bodies, variables)
    unusual = _called_otherwise(bodies, model)
    wanted = [name for name in called if name not in known and _ours(name, declared, model)]
    wanted = [name for name in wanted if plain_name(name) not in unusual]
    wrapped = [name for name in mentioned if name in WRAPPED and name not in known]
    wrapped = [name for name in wrapped if _as_declared(name, declared, model)]
    needs = Check.LIBRARY in checks
    return text_of(wanted, wrapped, known, written, needs) if wanted or wrapped or written else None


def text_of(
    wanted: Iterable[str], wrapped: Iterable[str] = (), known: Iterable[str] = (),
    written: Mapping[str, str] | None = None, preconditions: bool = False,
) -> str:
    """Definitions of these functions and of all that they call in turn, except what is ``known``; and those
    that were ``written`` for this program. Without ``preconditions`` the models do what the functions do, and
    no more."""
    def known_text(text: str) -> str:
        return text if preconditions else without_preconditions(text)

    needed = dict.fromkeys(wanted)
    queue = [known_text(models()[name]) for name in needed]
    while queue:
        for name in _WORD.findall(queue.pop()):
            if name in models() and name not in needed and name not in known:
                needed[name] = None
                queue.append(known_text(models()[name]))
    texts = [known_text(text) for text in (*(models()[name] for name in needed), *(written or {}).values())]
    if any(name in needed for name in _OPENERS):  # what a program reads may be what it wrote
        for kind in ("int", "character", "wide", "double"):
            instead = "value" if kind == "double" else "again"
            drawn = f"__VERIFIER_nondet_revet_input_{kind}", f"__VERIFIER_nondet_revet_{instead}"
            texts = [text.replace(*drawn) for text in texts]
    calls = " ".join(texts)
    head = _HEAD
    if "revet_errno" in calls:
        head += _ERRNO if "__errno_location" in needed else _NO_ERRNO
    if "struct t" in calls:
        head = _TIMES + head
    prototypes = [text.partition("{")[0].strip() + ";" for text in texts]
    head = head.replace("static void", "int *__errno_location(void);\nstatic void", 1)
    return "\n".join([head, *prototypes, *texts, *(_wrapper(name) for name in wrapped), ""])


def _names(
    functions: list[ast.FunctionDef], variables: Iterable[ast.Variable]
) -> tuple[dict[str, None], dict[str, None]]:
    """Functions that are mentioned at all, and those mentioned other than as what is called."""
    called: dict[str, None] = {}
    mentioned: dict[str, None] = {}
    for function in functions:
        expressions = list(all_expressions(function.body))
        callees = {e.function for e in expressions if isinstance(e, ast.Call)}
        for expression in expressions:
            if isinstance(expression, ast.FunctionRef):
                called[expression.name] = None
                if expression not in callees:
                    mentioned[expression.name] = None
    for expression in expressions_below(value for v in variables for value in initial_values(v)):
        if isinstance(expression, ast.FunctionRef):
            called[expression.name] = mentioned[expression.name] = None
    return called, mentioned


def _ours(name: str, declared: dict[str, Function], model: DataModel) -> bool:
    """Is there a model, and is the function declared as in its header?"""
    if name not in models():
        return False
    return _as_declared(plain_name(name), declared, model)


def _called_otherwise(functions: list[ast.FunctionDef], model: DataModel) -> set[str]:
    """Library functions that are called as if they were declared otherwise than in their header."""
    found: set[str] = set()
    for function in functions:
        for call in all_expressions(function.body):
            if isinstance(call, ast.Call) and isinstance(call.function, ast.FunctionRef):
                name = plain_name(call.function.name)
                row = rows().get(name) if name in models() else None
                types = [argument.type for argument in call.arguments]
                if row is not None and not fits_call(row.prototype, call.type, types, model):
                    found.add(name)
    return found


def _as_declared(name: str, declared: dict[str, Function], model: DataModel) -> bool:
    row = rows().get(name)
    if row is None or row.treatment is Treatment.REFUSED:
        return False
    types = [declared[each] for each in (name, f"__builtin_{name}") if each in declared]
    return bool(types) and all(fits(row.prototype, type, model) for type in types)


def _wrapper(name: str) -> str:
    """``void *malloc(size_t a0) { return __builtin_malloc(a0); }``"""
    prototype = rows()[name].prototype
    head, _, inside = prototype.partition("(")
    types = [part.strip() for part in inside.rstrip(")").split(",")]
    types = [] if types == ["void"] else types
    parameters = ", ".join(f"{type} a{number}" for number, type in enumerate(types)) or "void"
    arguments = ", ".join(f"a{number}" for number in range(len(types)))
    returned = "" if head.startswith("void ") and "*" not in head else "return "
    return f"{head}({parameters}) {{ {returned}__builtin_{library_name(name)}({arguments}); }}"
