"""Calls of library functions with generated arguments: every function that the headers declare.

The headers are the machine's own, as the front end's compiler reads them, so nothing depends on what the
table of known functions lists.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from random import Random

from revet.frontends.c.clang.nodes import declarations
from revet.frontends.c.clang.run import Input
from revet.frontends.c.types import LP64

HEADERS = ("ctype", "stdlib", "string", "strings", "math", "fenv", "stdio", "time", "wchar", "wctype",
           "inttypes", "errno")
HEAD = "#define _GNU_SOURCE\n" + "".join(f"#include <{name}.h>\n" for name in HEADERS)
_TYPE = re.compile(r"(?P<result>.*?)\s?\((?P<parameters>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)"
                   r"(?: __attribute__.*)?$")
_TEXTS = ('""', '"abc"', '" -42x"', '"0x1fz"', '"+3.75e2q"', '"077"', '"a,b;c"', '"zzz"')
_FLOATS = ("0.0", "-0.0", "1.0", "-2.5", "0.3", "7.75", "-1e300", "1e-310", "49.999", "2147483648.5")
_LOCALS = {
    "b": ('char b[16] = "hello, you";', "b[0] + b[1] * 3 + b[2] * 5 + b[3] * 7 + b[4] * 11 + b[5] * 13"),
    "c": ('char c[16] = "abc";', "c[0] + c[1] * 3 + c[2] * 5 + c[3] * 7"),
    "w": ('wchar_t w[8] = L"wide";', "w[0] + w[1] * 3 + w[2] * 5"), "e": ("char *e = b;", "e == 0"),
    "n": ("int n = 0;", "n"), "d": ("double d = 0;", "d"), "f": ("float f = 0;", "f"),
    "v": ("int v[4] = { 5, 1, 7, 3 };", "v[0] + v[1] * 3 + v[2] * 5 + v[3] * 7"), "k": ("int k = 5;", "k"),
}
COMPARE = "static int compare(const void *p, const void *q) { return *(const int *)p - *(const int *)q; }\n"
# Arguments that mean something to one function: formats, ranges, pointers that must fit each other.
_OWN = {
    "qsort": ["v, 4, sizeof(int), compare"], "bsearch": ["&k, v, 4, sizeof(int), compare"],
    "printf": ['"%d|%s", 42, "ab"'], "fprintf": ['stderr, "%5d", 42'], "sprintf": ['b, "%d-%x", 42, 255'],
    "snprintf": ['b, 4, "%s", "longer"'], "swprintf": ['w, 8, L"%d", 42'], "memset": ["b, 120, 5"],
    "realloc": ["malloc(4), 8"], "free": ["malloc(3)"], "malloc": ["5"], "calloc": ["2, 3"], "alloca": ["4"],
    "valloc": ["4"], "time": ["0"], "strtok": ['b, ","'], "strtok_r": ['b, ",", &e'],
    "strsep": ['&e, ","'], "memccpy": ["b, c, 'b', 4"], "strcpy": ["b, c"], "strcat": ["b, c"],
    "strncat": ["b, c, 2"], "stpcpy": ["b, c"], "wcscpy": ['w, L"ab"'], "wcscat": ['w, L"ab"'],
    "wcsncat": ['w, L"abc", 2'],
    "strlcat": ["b, c, 16"], "bcopy": ["c, b, 3"], "rawmemchr": ["b, 'l'"], "memmem": ['b, 10, "llo", 3'],
    "fwrite": ["b, 1, 2, stderr"], "feraiseexcept": ["0"], "div": ["7, -2"], "ldiv": ["-7, 2"],
    "lldiv": ["7, 2"], "imaxdiv": ["7, 2"], "abs": ["-3", "7"], "aligned_alloc": ["16, 32"],
    "wmemcpy": ['w, L"abc", 3'], "wmempcpy": ['w, L"abc", 3'], "wmemmove": ["w + 1, w, 3"],
    "wmemcmp": ['w, L"wids", 4', 'L"wide", w, 5'], "wmemchr": ["w, 'd', 4", "w, 'd', 2"],
    "mempcpy": ["b, c, 3"], "memcpy": ["b, c, 3"], "memmove": ["b + 2, b, 5"],
    "strdup": ["b"], "strndup": ["b, 3"], "fputs": ['"x", stderr'], "fputc": ["120, stderr"],
    "gmtime": ["(time_t[1]){1000000}"], "localtime": ["(time_t[1]){1000000}"],
    "ctime": ["(time_t[1]){86400}"],
    "gmtime_r": ["(time_t[1]){1000000}, (struct tm[1]){{0}}"], "mktime": ["(struct tm[1]){{.tm_year = 100}}"],
    "localtime_r": ["(time_t[1]){1000000}, (struct tm[1]){{0}}"], "asctime": ["(struct tm[1]){{0}}"],
    "strftime": ['b, 16, "%d", (struct tm[1]){{.tm_mday = 3}}', 'b, 2, "%d", (struct tm[1]){{.tm_mday = 3}}'],
    "putc": ["120, stderr"], "fflush": ["stderr"], "fmemopen": ["b, 4, \"r\""],
}


@dataclass(frozen=True)
class Declared:
    """A function that a header declares, with the texts of its types."""

    name: str
    result: str
    parameters: tuple[str, ...]


def declared() -> dict[str, Declared]:
    """Every function that the headers declare, but for those with types that the reader refuses."""
    output, _ = Input(Path("headers.c"), HEAD.encode(), LP64).dump()
    found: dict[str, Declared] = {}
    for each in declarations(output.text, output.start):
        head = each.head
        if head.kind != "FunctionDecl" or head.type is None or head.is_implicit:
            continue
        if "float128" in head.type.qual_type.lower():
            continue
        match = _TYPE.match(head.type.qual_type)
        assert match is not None, head.type.qual_type
        found[head.name] = Declared(head.name, match["result"], _split(match["parameters"]))
    return found


def _split(text: str) -> tuple[str, ...]:
    parts: list[str] = []
    depth = 0
    for piece in text.split(","):
        if depth:
            parts[-1] += "," + piece
        else:
            parts.append(piece.strip())
        depth += piece.count("(") - piece.count(")")
    return tuple(part for part in parts if part not in ("", "void", "..."))


def arguments(function: Declared, random: Random) -> str:
    own = _OWN.get(function.name)
    if own is not None:
        return random.choice(own)
    return ", ".join(_argument(function, type, random) for type in function.parameters)


def _argument(function: Declared, type: str, random: Random) -> str:
    plain = re.sub(r"\b(?:restrict|__restrict)\b", "", type).strip()
    match plain:
        case "int" if function.name.startswith(("ldexp", "scalbn")):
            return str(random.randint(-40, 40))
        case "float" | "double" | "long double" | "_Float32" | "_Float64" | "_Float32x":
            return random.choice(_FLOATS)
        case "const char *":
            return random.choice(_TEXTS)
        case "const wchar_t *" | "const int *":
            return f"L{random.choice(_TEXTS)}"
        case "char *" | "void *" | "const void *":
            return random.choice(("b", "c"))
        case "wchar_t *":
            return "w"
        case "char **":
            return random.choice(("&e", "0"))
        case "int *" | "double *" | "float *":
            return {"i": "&n", "d": "&d", "f": "&f"}[plain[0]]
        case "size_t" | "__size_t" | "unsigned long":
            return str(random.randint(0, 4))
        case "int" if function.name.startswith(("is", "to", "_to")):
            return random.choice((str(random.randint(-1, 255)), "'a'", "'Z'", "'7'"))
        case "int" if function.name.startswith(("strto", "wcsto")):
            return random.choice(("0", "10", "16", "8", "36"))
        case "FILE *" | "struct _IO_FILE *":
            return "stderr"
    if "*" in plain or "(" in plain:
        return "0"
    return str(random.randint(-9, 127)) if _is_integer(plain) else f"*({plain} *)b"


def _is_integer(type: str) -> bool:
    words = set(type.split())
    return type == "__size_t" or bool(words & {"int", "long", "short", "char", "unsigned", "signed"}) or (
        type.endswith("_t") and type not in ("div_t", "ldiv_t", "lldiv_t", "imaxdiv_t", "mbstate_t", "fpos_t",
                                             "locale_t", "__locale_t", "cookie_io_functions_t")
    )


def observations(function: Declared, call: str) -> list[tuple[str, bool]]:
    """Expressions that tell what a call did, each with whether it is a float. The first makes the call."""
    floating = {"float": "double", "double": "double", "long double": "double"}.get(function.result)
    if function.result == "void":
        first = [(f"({call}, 0)", False)]
    elif floating is not None:
        first = [(f"(double)({call})", True)]
    elif "*" in function.result:
        first = [(f"({call}) != 0", False)]
    elif _is_integer(function.result):
        first = [(f"(long long)({call})", False)]
    elif function.result in ("div_t", "ldiv_t", "lldiv_t", "imaxdiv_t"):
        first = [(f"({call}).quot", False)]
    else:
        first = [(f"({call}, 0)", False)]
    return [*first, *((_LOCALS[name][1], name in "df") for name in _used(call))]


def _used(call: str) -> list[str]:
    """The variables that a call is given."""
    names = set(re.findall(r"\b[a-z]\b", re.sub(r'"[^"]*"|\'.\'', "", call.partition("(")[2])))
    return [name for name in _LOCALS if name in names or (name == "b" and "e" in names)]


def body(call: str, statements: str) -> str:
    """The body, on one line, of a function that makes the call."""
    return " ".join(("{", *(_LOCALS[name][0] for name in _used(call)), statements, "}"))
