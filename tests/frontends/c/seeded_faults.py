"""Small C programs with one seeded fault in memory or arithmetic, or none: labels by construction.

A program is a handful of *episodes*, each a function that does something harmless with arrays, blocks, lists,
strings or numbers of random size; in at most one of them a fault is built in, which some inputs reach. As a
script it judges many programs: ``python -m tests.frontends.c.seeded_faults FIRST COUNT``.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from revet.budget import Budget
from revet.driver import solve
from revet.engines.common.context import Context
from revet.frontends.c import load
from revet.result.verdict import Unsafe

PROPERTY = "memory,leaks,arithmetic"
EXTENDED = PROPERTY + ",library,uninitialised"  # for half of the programs
HEAD = """typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t), *realloc(void *, size_t), free(void *);
extern void *memcpy(void *, const void *, size_t);
extern char *strcpy(char *, const char *);
extern size_t strlen(const char *);
extern int sprintf(char *, const char *, ...), isdigit(int);
extern int nondet_int(void);
extern double nondet_double(void);
struct node { int value; struct node *next; };
struct record { int count; int items[4]; int last; };
"""


@dataclass(frozen=True)
class Seeded:
    """``label`` is the kind of the fault, empty if there is none; ``property`` what is checked."""

    text: str
    label: str
    property: str = PROPERTY


Episode = Callable[[random.Random, bool, str], tuple[str, str]]
"""Makes the text of a function of this name, with the fault or without; and the fault's label."""


def _function(name: str, body: str, result: str = "int") -> str:
    return f"{result} {name}(void) {{ {body} }}"


def _named_array(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    n, type = r.randint(2, 9), r.choice(("int", "char", "long long"))
    mask = (1 << n.bit_length()) - 1
    guard = "" if fault else f"if (i >= {n}) return 0;"
    body = f"{type} a[{n}] = {{0}}; int i = nondet_int() & {mask}; {guard} return a[i];"
    return _function(name, body), "bounds"


def _filled_block(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    n, type = r.randint(1, 6), r.choice(("int", "char", "short", "long long"))
    less = "<=" if fault else "<"
    loop = f"for (int i = 0; i {less} {n}; i++) p[i] = i;"
    return _function(name, f"{type} *p = malloc({n} * sizeof *p); {loop} free(p); return 0;"), "pointer"


def _list(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    n, kind = r.randint(1, 3), r.choice(("pointer", "leak", "free"))
    build = (f"struct node *h = 0; for (int i = 0; i < {n}; i++) {{ struct node *x = malloc(sizeof *x);"
             " x->value = i; x->next = h; h = x; }")
    walk = "while (h) { struct node *t = h->next; free(h); h = t; }"
    if fault:
        walk = {
            "pointer": "while (h) { free(h); h = h->next; }",
            "leak": "while (h->next) { struct node *t = h->next; free(h); h = t; } h = 0;",
            "free": "while (h) { struct node *t = h->next; free(h); if (!t) free(h); h = t; }",
        }[kind]
    return _function(name, f"{build} {walk} return 0;"), kind


def _member(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    by, mask = r.choice(("r.", "(&r)->")), 7 if fault else 3
    return _function(name, f"struct record r; {by}items[nondet_int() & {mask}] = 1; return 0;"), "bounds"


def _text(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    text = "abcdefgh"[: r.randint(1, 5)]
    room = len(text) + (0 if fault else 1)
    copy = "while ((*d++ = *s++)) ; return b[0];"
    return _function(name, f'char b[{room}], *d = b; const char *s = "{text}"; {copy}'), "pointer"


def _callee(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    n = r.randint(1, 5)
    callee = f"static void {name}_set(int *p, int n) {{ for (int i = 0; i < n; i++) p[i] = n; }}\n"
    body = f"int a[{n}]; {name}_set(a, {n + fault}); return a[0];"
    return callee + _function(name, body), "pointer"


def _returned(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    storage = "" if fault else "static "
    callee = f"static int *{name}_p;\nstatic void {name}_make(void) {{"
    callee += f" {storage}int x = {r.randint(0, 9)}; {name}_p = &x; }}\n"
    return callee + _function(name, f"{name}_make(); return *{name}_p;"), "pointer"


def _inner(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    inner = "int y = 1; p = &y;" if fault else "p = &x;"
    branch = f"if (nondet_int() > {r.randint(0, 9)}) {{ {inner} *p = 3; }}"
    return _function(name, f"int x = 2, *p = &x; {branch} return *p;"), "pointer"


def _division(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    c, op = r.randint(0, 15), r.choice("/%")
    guard = "" if fault else f"if (x == {c}) return 0;"
    return _function(name, f"int x = nondet_int() & 15; {guard} return 100 {op} (x - {c});"), "division"


def _shift(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    op, mask = r.choice(("<<", ">>")), 63 if fault else 31
    return _function(name, f"return {r.randint(1, 9)}u {op} (nondet_int() & {mask});", "unsigned"), "shift"


def _sum(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    c = r.randint(1, 1000)
    guard = "" if fault else f"if (x > 2147483647 - {c}) return 0;"
    return _function(name, f"int x = nondet_int(); {guard} return x + {c};"), "overflow"


def _null(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    guard = "" if fault else "if (!p) return 0;"
    chosen = f"int *p = nondet_int() == {r.randint(0, 99)} ? 0 : &x;"
    return _function(name, f"int x = 1; {chosen} {guard} return *p;"), "pointer"


def _grown(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    n, used = r.randint(1, 4), "p" if fault else "q"
    grown = f"int *q = realloc(p, {n + 2} * sizeof *p); {used}[0] = 2; q[{n + 1}] = 3; free(q);"
    return _function(name, f"int *p = malloc({n} * sizeof *p); p[0] = 1; {grown} return 0;"), "pointer"


def _matrix(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    n, m, less = r.randint(1, 3), r.randint(1, 3), "<=" if fault else "<"
    loops = f"for (int i = 0; i < {n}; i++) for (int j = 0; j {less} {m}; j++) a[i][j] = i;"
    return _function(name, f"int a[{n}][{m}]; {loops} return a[0][0];"), "bounds"


def _inside(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    moved = f"p + {r.randint(1, 3)}" if fault else "p"
    return _function(name, f"char *p = malloc(4); free({moved}); return 0;"), "free"


def _copied(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    n = r.randint(1, 4)
    copy = f"memcpy(b, a, {n + fault} * sizeof(int));"
    return _function(name, f"int a[{n}] = {{0}}, b[{n + 1}]; {copy} return b[0];"), "library"


def _converted(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    c = r.randint(1, 1000)
    guard = "" if fault else f"if (!(d > -{c}.0 && d < {c}.0)) return 0;"
    return _function(name, f"double d = nondet_double(); {guard} return (int)d;"), "conversion"


def _ring(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    n, wrap = r.randint(2, 4), r.randint(0, 3)
    step = "head + 1" if fault else f"(head + 1) % {n}"
    loop = f"for (int i = 0; i < {n + 1 + wrap}; i++) {{ a[head] = i; head = {step}; }}"
    return _function(name, f"int a[{n}] = {{0}}, head = 0; {loop} return a[0];"), "bounds"


def _overlap(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    n = r.randint(2, 4)
    by = f"{n - 1}" if fault else f"{n}"
    return _function(name, f"char b[{2 * n}] = {{0}}; memcpy(b + {by}, b, {n}); return b[0];"), "library"


def _terminator(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    n = r.randint(1, 4)
    end = "1" if fault else "0"
    fill = f"for (int i = 0; i < {n}; i++) b[i] = 1; b[{n}] = {end};"
    return _function(name, f"char b[{n + 1}]; {fill} return strlen(b) == 1;"), "library"


def _string_copy(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    text = "abcdefgh"[: r.randint(1, 5)]
    room = len(text) + (0 if fault else 1)
    return _function(name, f'char b[{room}]; strcpy(b, "{text}"); return b[0];'), "library"


def _formatted(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    limit, digits = r.choice(((7, 1), (63, 2), (511, 3)))
    room = digits + (0 if fault else 1)
    return _function(name, f'char b[{room}]; return sprintf(b, "%d", nondet_int() & {limit});'), "library"


def _character(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    shift = 2 if fault else 1
    drawn = f"int c = (nondet_int() & {r.choice((7, 127))}) - {shift};"
    return _function(name, f"{drawn} return isdigit(c) != 0;"), "library"


def _unset(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    guard = f"if (nondet_int() > {r.randint(-5, 5)}) " if fault else ""
    return _function(name, f"int x; {guard}x = {r.randint(0, 9)}; return x;"), "uninitialised"


def _unset_element(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    n = r.randint(2, 4)
    loop = f"for (int i = 0; i < {n - fault}; i++) a[i] = i;"
    storage = r.choice((f"int a[{n}];", f"int a[{n}], *p = a; if (nondet_int()) p = a + 1;"))
    return _function(name, f"{storage} {loop} return a[nondet_int() & 1 ? 0 : {n - 1}];"), "uninitialised"


def _unset_block(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    n = r.randint(1, 3)
    set_ = "" if fault else f"p[{n}] = 1;"
    body = f"int *p = malloc({n + 1} * sizeof *p); p[0] = 1; {set_} int r = p[{n}]; free(p); return r;"
    return _function(name, body), "uninitialised"


def _unset_member(r: random.Random, fault: bool, name: str) -> tuple[str, str]:
    last = "" if fault else "s.last = 2;"
    return _function(name, f"struct record s, t; s.count = 1; {last} t = s; return t.last;"), "uninitialised"


ADDED: tuple[Episode, ...] = (
    _overlap, _terminator, _string_copy, _formatted, _character, _unset, _unset_element, _unset_block,
    _unset_member,
)
"""Faults of the two groups that are off by default."""
EPISODES: tuple[Episode, ...] = (
    _named_array, _filled_block, _list, _member, _text, _callee, _returned, _inner, _division, _shift, _sum,
    _null, _grown, _matrix, _inside, _copied, _converted, _ring,
)


def seeded(seed: int) -> Seeded:
    """The program of a seed; every third one has no fault."""
    r = random.Random(seed)
    extended = seed // 2 % 2 == 1
    chosen = r.sample((*EPISODES, *ADDED) if extended else EPISODES, r.randint(1, 3))
    faulty = None if seed % 3 == 0 else r.randrange(len(chosen))
    texts, label = [], ""
    for number, episode in enumerate(chosen):
        text, kind = episode(r, number == faulty, f"f{number}")
        texts.append(text)
        label = kind if number == faulty else label
    guards = [f"if (nondet_int() > {r.randint(-9, 9)}) " if r.random() < 0.3 else "" for _ in chosen]
    calls = " ".join(f"{guard}f{number}();" for number, guard in enumerate(guards))
    label = "pointer" if label == "library" and not extended else label
    text = f"{HEAD}{chr(10).join(texts)}\nint main(void) {{ {calls} return 0; }}\n"
    return Seeded(text, label, EXTENDED if extended else PROPERTY)


def judged(folder: Path, program: Seeded, bits: int = 64, seconds: float = 120) -> str:
    """What is wrong with the answer; empty if it is right, ``unknown`` if there is none."""
    path = folder / "program.c"
    path.write_text(program.text)
    model = "lp64" if bits == 64 else "ilp32"
    options = {"property": program.property, "data_model": model, "validate_translation": "off"}
    loaded = load([path], {**options, "malloc": "if-too-large"})
    loaded.evidence.compile = False
    answer = solve(loaded, "bmc", context=Context(budget=Budget(seconds)))
    if answer.status == "unknown":
        return f"unknown: {getattr(answer.verdict, 'reason', '')}"
    if not program.label:
        return "" if answer.status == "safe" else f"{answer.status}, though there is no fault"
    if not isinstance(answer.verdict, Unsafe):
        return f"{answer.status}, though there is a fault: {program.label}"
    violated = answer.verdict.trace.violated
    return "" if violated.startswith(f"{program.label}@") else f"{violated} instead of {program.label}"


def main() -> None:
    first, count = int(sys.argv[1]), int(sys.argv[2])
    tally: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            program = seeded(seed)
            problem = judged(Path(folder), program, 32 if seed % 2 else 64)
            tally[problem.split(":")[0] or "right"] = tally.get(problem.split(":")[0] or "right", 0) + 1
            if problem:
                print(f"seed {seed}: {problem}\n{program.text.removeprefix(HEAD)}", flush=True)
    print(tally)


if __name__ == "__main__":
    main()
