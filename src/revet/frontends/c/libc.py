"""Functions of the C library that are plain loops over memory, as C of our own.

A program that calls one of them without defining it gets the definition below as one more file:
parsed, lowered and interpreted like the rest. Comparisons return *some* number of the right sign, as
the standard says; compiled programs use the system's library, whose numbers are among these.
``memcmp`` is not here: it compares any objects as bytes, which would force the whole of their
memory into bytes where "any result" mostly does.
"""

from __future__ import annotations

from collections.abc import Iterable

from revet.frontends.c import ast
from revet.frontends.c.types import CType, DataModel, Function, Int, Pointer
from revet.frontends.c.walk import all_expressions

FILE = "<C library>"
FORMATTED = ("sprintf", "snprintf", "swprintf")
"""Functions that write text made from a format: see ``lower/formatting.py`` and
``interpret/formatting.py``."""

_HEAD = "typedef __SIZE_TYPE__ revet_size;\n"
_SIGN = """
extern int __VERIFIER_nondet_revet_sign(void); extern void __VERIFIER_assume(int);
static int revet_order(int less) {
  int sign = __VERIFIER_nondet_revet_sign();
  __VERIFIER_assume(less ? sign < 0 : sign > 0);
  return sign;
}
"""
_TEXTS = {
    "strlen": "revet_size strlen(const char *s) { revet_size n = 0; while (s[n]) n++; return n; }",
    "strcmp": """int strcmp(const char *s, const char *t) {
  revet_size i = 0;
  while (s[i] && s[i] == t[i]) i++;
  if (s[i] == t[i]) return 0;
  return revet_order((unsigned char)s[i] < (unsigned char)t[i]);
}""",
    "strncmp": """int strncmp(const char *s, const char *t, revet_size n) {
  revet_size i = 0;
  while (i < n && s[i] && s[i] == t[i]) i++;
  if (i == n || s[i] == t[i]) return 0;
  return revet_order((unsigned char)s[i] < (unsigned char)t[i]);
}""",
    "strcpy": """char *strcpy(char *d, const char *s) {
  revet_size i = 0;
  while (s[i]) { d[i] = s[i]; i++; }
  d[i] = 0;
  return d;
}""",
    "strncpy": """char *strncpy(char *d, const char *s, revet_size n) {
  revet_size i = 0;
  while (i < n && s[i]) { d[i] = s[i]; i++; }
  while (i < n) { d[i] = 0; i++; }
  return d;
}""",
    "strcat": """char *strcat(char *d, const char *s) {
  revet_size n = 0, i = 0;
  while (d[n]) n++;
  while (s[i]) { d[n + i] = s[i]; i++; }
  d[n + i] = 0;
  return d;
}""",
    "strchr": """char *strchr(const char *s, int c) {
  revet_size i = 0;
  while (s[i] && s[i] != (char)c) i++;
  return s[i] == (char)c ? (char *)s + i : (char *)0;
}""",
}
_ORDERED = ("strcmp", "strncmp")


def definitions(
    functions: Iterable[ast.FunctionDef], declared: dict[str, Function], model: DataModel
) -> str | None:
    """The text of what these functions call and nobody defines; None if there is nothing."""
    bodies = list(functions)
    known = {function.name for function in bodies}
    called = dict.fromkeys(
        expression.name
        for function in bodies
        for expression in all_expressions(function.body)
        if isinstance(expression, ast.FunctionRef) and expression.name in _TEXTS
    )
    wanted = [name for name in called if name not in known and _as_usual(name, declared.get(name), model)]
    if not wanted:
        return None
    head = _HEAD + (_SIGN if any(name in _ORDERED for name in wanted) else "")
    return head + "\n".join(_TEXTS[name] for name in wanted) + "\n"


def _as_usual(name: str, declared: Function | None, model: DataModel) -> bool:
    """Is the function declared as in the header? Another one of that name is none of ours."""
    if declared is None or declared.parameters is None:
        return False
    result: CType = declared.result
    if name == "strlen":
        return result == model.size_type
    if name in _ORDERED:
        return result == model.int
    return isinstance(result, Pointer) and isinstance(result.target, Int) and result.target.bits == 8
