"""Functions whose model depends on the types of the call: written as C for each combination.

| what | how |
|---|---|
| ``scanf``, ``fscanf`` with a literal format | any number of assignments up to all, any values |
| ``sscanf`` | the same; what it really reads the interpreter knows, of floats the compiled program alone |
| ``__builtin_add_overflow`` and its kin | computed in 128 bits, cut to the result's type |
| ``__CPROVER_uninterpreted_f`` and ESBMC's | any value, the same for the same arguments |
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.types import CType, Floating, Int, Pointer

if TYPE_CHECKING:
    from collections.abc import Sequence

PREFIX = "revet_typed_"
UNINTERPRETED = re.compile(r"__(?:CPROVER|ESBMC)_uninterpreted_\w+$")
_MOST_CALLS = 16
SCANNERS = ("scanf", "fscanf", "sscanf")
_VARIANT = re.compile(r"__isoc(?:99|23)_(?=\w*scanf$)")
_OVERFLOW = re.compile(r"__builtin_(?:[su](?P<typed>add|sub|mul)(?:l|ll)?|(?P<any>add|sub|mul))_overflow$")
_CONVERSION = re.compile(r"%(?P<none>\*?)(?P<width>\d*)(?P<size>hh|h|ll|l|j|z|t|L|)(?P<what>.?)", re.DOTALL)
_INTEGERS = {"": 32, "hh": 8, "h": 16, "ll": 64, "j": 64}  # "l", "z" and "t" depend on the data model
_NAMES = {8: "char", 16: "short", 32: "int", 64: "long long"}
_WORDS = ("l", "z", "t")
_OPERATORS = {"add": "+", "sub": "-", "mul": "*"}


def specialised(call: ast.Call) -> tuple[str, str] | None:
    """A name for the model of this call, and its definition; None if there is none."""
    assert isinstance(call.function, ast.FunctionRef)
    name = _VARIANT.sub("", call.function.name)
    if name in SCANNERS:
        return _scanner(name, call)
    overflow = _OVERFLOW.match(name)
    if overflow is not None:
        return _overflowing(overflow["typed"] or overflow["any"], call)
    if UNINTERPRETED.match(name):
        return _uninterpreted(name, call)
    return None


def scalar_name(type: CType) -> str | None:
    """How C writes the type, up to what a value may be."""
    match type:
        case Int(boolean=True):
            return "_Bool"
        case Int(bits, signed) if bits in (8, 16, 32, 64):
            return f"{'signed' if signed else 'unsigned'} {_NAMES[bits]}"
        case Floating(name=name):
            return name
    return None


def _pointed(type: CType) -> str | None:
    return scalar_name(type.target) if isinstance(type, Pointer) else None


def _named(stem: str, types: Sequence[str]) -> str:
    return PREFIX + "_".join((stem, *(type.replace(" ", "") for type in types)))


# ---- input --------------------------------------------------------------------------------------


def _scanner(name: str, call: ast.Call) -> tuple[str, str] | None:
    """Each conversion stores any value, as far as the result says that it was made. Text (``%s``, ``%[``)
    and what else a format may ask for is left alone."""
    first = 0 if name == "scanf" else 1
    formatted = call.arguments[first : first + 1]
    text = literal_text(formatted[0]) if formatted else None
    targets = call.arguments[first + 1 :]
    if not all(isinstance(argument.type, Pointer) for argument in call.arguments):
        return None
    wanted = _conversions(text) if text is not None else None
    if wanted is None or len(wanted) != len(targets):
        return None
    types: list[str] = []
    for (size, what), target in zip(wanted, targets, strict=True):
        type = _pointed(target.type)
        if type is None or not _suits(size, what, target.type):
            return None
        types.append(type)
    parameters = [f"void *a{number}" for number in range(first + 1)]
    parameters += [f"{type} *p{number}" for number, type in enumerate(types)]
    kind = "again" if name == "sscanf" else "input"
    if name == "sscanf" and not {"float", "double"} & set(types):
        kind = "scanned"
    stores = "".join(_store(number, type, kind) for number, type in enumerate(types))
    own = _named(name, types)
    drawn = _draw("int", kind, -1)
    return own, (
        f"int {own}({', '.join(parameters)}) {{\n  int n = {drawn};\n"
        f"  __VERIFIER_assume(n >= -1 && n <= {len(types)});\n{stores}  return n;\n}}"
    )


def _draw(type: str, kind: str, number: int) -> str:
    if kind == "scanned":
        return f"__VERIFIER_nondet_revet_scanned(a0, a1, {number})"
    if kind == "again":
        return f"__VERIFIER_nondet_revet_{'value' if type in ('float', 'double') else 'again'}()"
    if type in ("float", "double"):
        return "__VERIFIER_nondet_revet_input_double()"
    return f"__VERIFIER_nondet_revet_input_{'wide' if 'long' in type else 'int'}()"


def _store(number: int, type: str, kind: str) -> str:
    return f"  if (n > {number}) *p{number} = ({type}){_draw(type, kind, number)};\n"


def literal_text(expression: ast.Expr) -> str | None:
    """The characters of a string literal before its first zero."""
    while isinstance(expression, ast.Cast | ast.Decay):
        expression = expression.operand if isinstance(expression, ast.Cast) else expression.array
    if not isinstance(expression, ast.StringConst):
        return None
    return bytes(each & 255 for each in expression.data).split(b"\0")[0].decode("latin-1")


def _conversions(text: str) -> list[tuple[str, str]] | None:
    found: list[tuple[str, str]] = []
    for match in _CONVERSION.finditer(text):
        if match["what"] == "%":
            continue
        if not match["what"] or match["what"] not in "diouxXcfFeEgGaA":
            return None
        if match["what"] == "c" and match["width"] not in ("", "1"):
            return None
        if not match["none"]:
            found.append((match["size"], match["what"]))
    return found


def _suits(size: str, what: str, pointer: CType) -> bool:
    """Does the pointer point to what the conversion stores?"""
    target = pointer.target if isinstance(pointer, Pointer) else None
    if what in "fFeEgGaA":
        return isinstance(target, Floating) and target.bits == {"": 32, "l": 64}.get(size)
    if not isinstance(target, Int) or target.boolean:
        return False
    if what == "c":
        return size == "" and target.bits == 8
    bits = pointer.size * 8 if size in _WORDS and isinstance(pointer, Pointer) else _INTEGERS.get(size)
    return target.bits == bits


# ---- builtins of compilers ------------------------------------------------------------------------


def _overflowing(what: str, call: ast.Call) -> tuple[str, str] | None:
    """All exact results fit in 128 bits: those of unsigned products in unsigned ones."""
    if len(call.arguments) != 3:
        return None
    one, other, target = (argument.type for argument in call.arguments)
    types = [scalar_name(one), scalar_name(other), _pointed(target)]
    if any(type is None or type in ("float", "double", "_Bool") for type in types):
        return None
    left, right, result = map(str, types)
    own = _named(f"{what}_overflow", (left, right, result))
    wide = "unsigned __int128" if what == "mul" and "unsigned" in left and "unsigned" in right else "__int128"
    return own, (
        f"_Bool {own}({left} a, {right} b, {result} *r) {{\n"
        f"  {wide} x = ({wide})a {_OPERATORS[what]} ({wide})b;\n"
        f"  *r = ({result})x;\n  return ({wide})*r != x;\n}}"
    )


# ---- conventions of other verifiers ---------------------------------------------------------------


def _uninterpreted(name: str, call: ast.Call) -> tuple[str, str] | None:
    """A function that nothing is known of: calls are remembered; the model ends where they are too many."""
    result = scalar_name(call.type)
    given = [
        "const void *" if isinstance(argument.type, Pointer) else scalar_name(argument.type)
        for argument in call.arguments
    ]
    if not given or any(type in (None, "float", "double") for type in (result, *given)):
        return None
    types = list(map(str, given))
    own = _named(name.strip("_"), [one.replace("*", "pointer") for one in (*types, str(result))])
    numbered = list(enumerate(types))
    kept = "".join(f"  static {type} k{number}[{_MOST_CALLS}];\n" for number, type in numbered)
    same = " && ".join(f"k{number}[i] == a{number}" for number, _ in numbered)
    stored = "".join(f"  k{number}[count] = a{number};\n" for number, _ in numbered)
    return own, (
        f"_Noreturn static void {own}_beyond(void) {{ }}\n"
        f"{result} {own}({', '.join(f'{type} a{number}' for number, type in numbered)}) {{\n"
        f"  static int count;\n  static {result} results[{_MOST_CALLS}];\n{kept}"
        f"  for (int i = 0; i < count; i++) if ({same}) return results[i];\n"
        f"  if (count == {_MOST_CALLS}) {own}_beyond();\n"
        f"  {result} drawn = ({result})__VERIFIER_nondet_revet_input_wide();\n"
        f"{stored}  results[count] = drawn;\n  count++;\n  return drawn;\n}}"
    )
