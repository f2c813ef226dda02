"""Preconditions of library functions as a property: named with the call, and proved where they hold."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import revet
from revet.errors import Unsupported
from revet.frontends.c import load
from revet.frontends.c.interpret import run
from revet.frontends.c.interpret.draws import Random
from revet.result.verdict import Unsafe

HEAD = """typedef __SIZE_TYPE__ size_t;
extern void *memcpy(void *, const void *, size_t), *memset(void *, int, size_t);
extern char *strcpy(char *, const char *), *strcat(char *, const char *);
extern char *strncpy(char *, const char *, size_t);
extern size_t strlen(const char *); extern int strcmp(const char *, const char *);
extern int sprintf(char *, const char *, ...), snprintf(char *, size_t, const char *, ...);
extern int printf(const char *, ...);
extern int isalpha(int), abs(int); extern int nondet_int(void);
extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
int *none;
int order(const void *a, const void *b) { return *none; }
"""
CASES = {  # the function; the body of main with a call that it does not take, and one that it does
    "no terminator": ("strlen", "char a[2] = {1, 2}; return strlen(a);",
                      "char a[2] = {1, 0}; return strlen(a);"),
    "null": ("strcmp", 'char *p = nondet_int() ? "a" : 0; return strcmp("b", p) == 0;',
             'char *p = nondet_int() ? "a" : "c"; return strcmp("b", p) == 0;'),
    "no room": ("strcpy", 'char b[3]; strcpy(b, "abc");', 'char b[4]; strcpy(b, "abc");'),
    "no room at the end": ("strcat", 'char b[6] = "abc"; strcat(b, "def");',
                           'char b[7] = "abc"; strcat(b, "def");'),
    "short source": ("memcpy", "char a[3] = {0}, b[4]; memcpy(b, a, 4);",
                     "char a[4] = {0}, b[4]; memcpy(b, a, 4);"),
    "overlap": ("memcpy", "char b[8] = {0}; memcpy(b, b + (nondet_int() & 3), 2);",
                "char b[8] = {0}; memcpy(b, b + 2 + (nondet_int() & 3), 2);"),
    "overlapping strings": ("strcpy", 'char b[8] = "abc"; strcpy(b + 1, b);',
                            'char b[8] = "abc"; strcpy(b + 4, b);'),
    "overlap to the left": ("strcpy", 'char b[8] = "abc"; strcpy(b, b + 1);',
                            'char b[8] = "abc"; strcpy(b, b + 3);'),
    "overlap in padding": ("strncpy", 'char b[8] = "a"; strncpy(b, b + 4, 6);',
                           'char b[8] = "a"; strncpy(b, b + 4, 4);'),
    "literal": ("memset", 'memset("abc", 0, 1);', 'char a[] = "abc"; memset(a, 0, 1);'),
    "sprintf": ("sprintf", 'char b[3]; sprintf(b, "%d", nondet_int() & 127);',
                'char b[4]; sprintf(b, "%d", nondet_int() & 127);'),
    "sprintf of a negative number": ("sprintf", 'char b[11]; sprintf(b, "%d", nondet_int());',
                                     'char b[12]; sprintf(b, "%d", nondet_int());'),
    "sprintf of a string": ("sprintf", 'char b[6]; sprintf(b, "<%s>", "abcd");',
                            'char b[7]; sprintf(b, "<%s>", "abcd");'),
    "snprintf": ("snprintf", 'char b[3]; snprintf(b, 4, "%x", nondet_int());',
                 'char b[3]; snprintf(b, 3, "%x", nondet_int());'),
    "arguments": ("printf", 'printf("%d %s", 1);', 'printf("%d %s", 1, "a");'),
    "types": ("printf", 'printf("%d", 1.0);', 'printf("%f", 1.0);'),
    "printed string": ("printf", 'char a[1] = {1}; printf("%s", a);', 'char a[1] = {1}; printf("%.1s", a);'),
    "wide string": ("printf", 'printf("%ls", "a");', 'printf("%ls", L"a");'),
    "character": ("isalpha", "return isalpha((nondet_int() & 1) - 2) != 0;",
                  "return isalpha((nondet_int() & 1) - 1) != 0;"),
    "absolute value": ("abs", "return abs(nondet_int()) & 1;", "return abs(nondet_int() & 3);"),
}


def answer(folder: Path, body: str, property: str, bits: int = 64) -> revet.Result:
    path = folder / "p.c"
    path.write_text(f"{HEAD}int main(void) {{\n{body}\nreturn 0; }}\n")
    model = "lp64" if bits == 64 else "ilp32"
    text = path.read_text() if bits == 64 else path.read_text().replace("__SIZE_TYPE__", "unsigned")
    path.write_text(text)
    return revet.check(
        path, engine="bmc", timeout=120, property=property, data_model=model, validate_translation="off",
    )


@pytest.mark.parametrize("name", CASES)
def test_a_wrong_call_is_found_and_a_right_one_proved(tmp_path: Path, name: str) -> None:
    function, wrong, right = CASES[name]
    bits = 32 if len(name) % 2 else 64
    found = answer(tmp_path, wrong, "library", bits)
    assert isinstance(found.verdict, Unsafe), found
    line = HEAD.count("\n") + 2
    assert found.verdict.trace.violated == f"library@p.c:{line}"
    assert f"{function}() needs " in found.program.render_trace(found.verdict.trace)
    assert answer(tmp_path, right, "library", bits).status == "safe"


def test_without_the_group_the_pointer_is_blamed_at_the_call(tmp_path: Path) -> None:
    """An access in a library function is one through a pointer, and its place is in the program."""
    _, wrong, _ = CASES["no terminator"]
    found = answer(tmp_path, wrong, "pointers")
    assert isinstance(found.verdict, Unsafe)
    assert found.verdict.trace.violated == f"pointer@p.c:{HEAD.count(chr(10)) + 2}"


def test_what_a_function_does_that_the_library_calls_is_its_own(tmp_path: Path) -> None:
    body = "int a[2] = {1, 2}; qsort(a, 2, sizeof *a, order);"
    found = answer(tmp_path, body, "library,pointers")
    assert isinstance(found.verdict, Unsafe)
    assert found.verdict.trace.violated == f"pointer@p.c:{HEAD.count(chr(10))}"


def test_a_format_that_is_not_modelled_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(f'{HEAD}int main(void) {{ char b[90];\n  sprintf(b, "%f", 1.0); return 0; }}\n')
    with pytest.raises(Unsupported) as refused:
        load([path], {"property": "pointers"})
    assert refused.value.position is not None and refused.value.position.line == HEAD.count("\n") + 2


def test_what_sprintf_writes_is_what_c_writes(tmp_path: Path) -> None:
    """The models that are written for a format, against Python's formatting."""
    r = random.Random(7)
    formats = [f"%{flags}{width}{kind}" for kind in ("d", "u", "x", "X", "o", "hd", "hhu", "lld", "llx", "c")
               for flags in ("", "-", "0") for width in ("", "4", "9") if not (kind == "c" and flags == "0")]
    checks = []
    for format in formats:
        size = "long long" if "ll" in format else "int"
        value = r.choice((0, 7, -1, 255, -32768, 65535, 2147483647, -2147483648, 123456))
        value = 65 + value % 26 if format.endswith("c") else value
        literal = f"({size})({value}LL)"
        text = _text(format, value)
        different = f'n != {len(text)} || strcmp(b, "{text}")'
        checks.append(f'  n = sprintf(b, "{format}", {literal});\n  if ({different}) return 1;\n')
    path = tmp_path / "p.c"
    path.write_text(f"{HEAD}int main(void) {{ char b[40]; int n;\n{''.join(checks)}  return 0; }}\n")
    tree = load([path], {"property": "pointers"}).tree
    assert any(name.startswith("revet_typed_sprintf") for name in tree.functions)
    assert run(tree, Random(1)).status == 0


def _text(format: str, value: int) -> str:
    """What C writes."""
    kind = format.lstrip("%-0123456789").replace("l", "").replace("h", "")
    bits = 64 if "ll" in format else 8 if "hh" in format else 16 if "h" in format else 32
    number = value & ((1 << bits) - 1)
    if kind == "d" and number >> (bits - 1):
        number -= 1 << bits
    shape = format.lstrip("%").rstrip("lhduxXoc")
    width = int(shape.lstrip("-0") or 0)
    if kind == "c":
        text = chr(value)
    else:
        text = f"{number:{'d' if kind in 'du' else kind}}"
    if "-" in shape:
        return text.ljust(width)
    if shape.startswith("0"):
        sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
        return sign + digits.rjust(width - len(sign), "0")
    return text.rjust(width)
