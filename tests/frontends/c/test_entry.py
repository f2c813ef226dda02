"""Functions checked on their own: what a driver passes and assumes, and that its runs can be repeated."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import revet
from revet.budget import Budget
from revet.driver import solve
from revet.driver.answer import Answer
from revet.engines.common.context import Context
from revet.errors import InputError, Unsupported, UsageError
from revet.frontends.c import load
from revet.frontends.c.source import CSource
from revet.frontends.c.toolchain import system_compiler
from revet.result.verdict import Unsafe

MODULE = """
#include <assert.h>
#include <stddef.h>
enum mode { OFF, HEAT, COOL };
typedef struct { int heater, cooler; enum mode mode; } furnace;
struct ring { unsigned head, count; unsigned char buf[8]; };
struct node { int value; struct node *next; };
struct table { int *cells; size_t length; int kept[100]; };
union number { int whole; float part; };
static int calls = 3;
int limit;

int plain(int x, char c, _Bool b, double d) { assert(!(x == 42 && c == 7 && b && d == 1.5)); return 0; }
int find(const int *a, size_t n, int x) {
  for (size_t i = 0; i < n; i++) if (a[i] == x) { assert(i != 2 || x != 77); return 1; }
  return 0;
}
void put(struct ring *r, unsigned char x) {
  if (r->count >= 8) return;
  r->buf[(r->head + r->count) % 8] = x;
  r->count++;
  assert(r->count <= 8);
}
void steer(furnace *f, const furnace *old) {
  if (old->mode == HEAT) f->heater = 1;
  assert(!(f->heater && f->cooler) || old->mode != HEAT);
}
int both(furnace f) { assert(f.heater + f.cooler != 42); return 0; }
int length(struct node *n) { int k = 0; while (n) { n = n->next; k++; } assert(k != 2); return k; }
int apply(int (*f)(int), int x) { int y = f(x); assert(y != x); return y; }
size_t size(const char *s) { size_t n = 0; while (s[n]) n++; assert(n < 3); return n; }
void same(int *a, int *b) { *a = 1; *b = 2; assert(*a == 1); }
int known(int *p) { assert(p); return 0; }
int table(struct table *t) { assert(t->kept[50] != 5 || t->cells[0] != 6); return 0; }
int words(char **names) { assert(names[1][0] != 'x'); return 0; }
int united(union number u) { assert(u.whole != 99); return 0; }
int globals(void) { assert(calls == 3 && limit == 0); return 0; }
int bounded(int *a, size_t n) { assert(n < 5); return a[0]; }
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "module.c"
    path.write_text(MODULE)
    return path


def check(path: Path, entry: str, engine: str = "bmc", **options: object) -> Answer:
    given = {"property": "assertions", "entry_assume": IN_BOUNDS.get(entry, ()), **options}
    program = load([path], {"entry": entry, "data_model": "lp64", **given})
    return solve(program, engine, context=Context(budget=Budget(60)))


IN_BOUNDS = {
    "find": ("n <= revet_length(a)",),
    "words": ("revet_length(names) == 2",),
}
UNSAFE = ["plain", "find", "steer", "both", "length", "apply", "size", "table", "words", "united"]


@pytest.mark.parametrize("entry", UNSAFE)
def test_every_kind_of_argument_is_drawn_and_the_run_is_confirmed(module: Path, entry: str) -> None:
    found = check(module, entry)
    assert found.status == "unsafe"
    assert found.checked is not None
    assert found.checked.notes[0] == "confirmed by the interpreter of C"
    assert found.program.assumptions[0].startswith(f"the run starts in {entry}()")


@pytest.mark.parametrize("entry", ["find", "table", "words"])
def test_the_harness_compiles_and_reaches_the_error(module: Path, entry: str, tmp_path: Path) -> None:
    if system_compiler() is None:
        pytest.skip("no C compiler of the system")
    found = check(module, entry)
    assert isinstance(found.program, CSource) and isinstance(found.verdict, Unsafe)
    text = found.program.harness(found.verdict.trace)
    (tmp_path / "harness.c").write_text(text)
    commands = re.findall(r"^     (cc .*)$", text, re.M)
    assert len(commands) == 2
    for command in commands:
        subprocess.run(command.replace("cc ", f"{system_compiler()} ", 1).split(), cwd=tmp_path, check=True)
    done = subprocess.run(["./a.out"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 107
    assert "the error is reached" in done.stderr


def test_the_run_is_told_in_terms_of_the_source_without_the_driver(module: Path) -> None:
    found = check(module, "steer")
    assert isinstance(found.program, CSource) and isinstance(found.verdict, Unsafe)
    text = found.program.render_trace(found.verdict.trace)
    assert "revet_" not in text
    assert text.startswith("given: f->heater = ")
    assert "old->mode = HEAT" in text
    assert "steer(f = object f, old = object old)" in text
    assert "assertion `!(f->heater && f->cooler) || old->mode != HEAT` fails in steer()" in text


def test_what_an_array_holds_is_told(module: Path) -> None:
    found = check(module, "find")
    assert isinstance(found.program, CSource) and isinstance(found.verdict, Unsafe)
    run = found.program.source_run(found.verdict.trace)
    (held,) = [value for name, value in run.start if name.startswith("a[")]
    assert held.strip("{}").split(", ")[2] == "77"


def test_pointers_are_valid_and_lead_to_objects_of_their_own_unless_asked(module: Path) -> None:
    assert check(module, "known").status == "safe"
    assert check(module, "same").status == "safe"
    null = check(module, "known", entry_pointers="may-be-null")
    assert null.status == "unsafe"
    aliased = check(module, "same", entry_pointers="may-alias")
    assert aliased.status == "unsafe"
    assert any("--entry-pointers may-alias" in line for line in aliased.program.assumptions)


def test_globals_are_initialised_unless_asked(module: Path) -> None:
    assert check(module, "globals").status == "safe"
    found = check(module, "globals", entry_globals="any")
    assert found.status == "unsafe"
    assert "any globals" in found.program.assumptions[0]


def test_a_condition_of_the_user_is_assumed_and_listed(module: Path) -> None:
    assert check(module, "bounded").status == "unsafe"
    given = ("n <= revet_length(a)", "revet_length(a) < 5")
    found = check(module, "bounded", entry_assume=given)
    assert found.status == "safe"
    assert "n <= revet_length(a) (--entry-assume)" in found.program.assumptions


def test_a_condition_that_is_no_c_is_refused_with_the_driver(module: Path) -> None:
    with pytest.raises(Unsupported, match="nobody"):
        check(module, "bounded", entry_assume=("n < nobody",))


def test_depth_and_length_can_be_chosen(module: Path) -> None:
    assert check(module, "length", entry_depth=1).status == "safe"
    assert check(module, "size", entry_length=3).status == "safe"


def test_no_violation_is_invented_for_a_right_function(module: Path) -> None:
    assert check(module, "put", "kind").status == "safe"


def test_a_name_that_is_not_there_brings_the_candidates(module: Path) -> None:
    with pytest.raises(InputError, match="there is no function fnd; did you mean find"):
        check(module, "fnd")


def test_static_functions_of_two_files_are_told_apart(tmp_path: Path) -> None:
    for number in (1, 2):
        text = f"#include <assert.h>\nstatic int f(int x) {{ assert(x != {number}); return x; }}\n"
        (tmp_path / f"m{number}.c").write_text(text + f"int use{number}(int x) {{ return f(x); }}\n")
    paths = [tmp_path / "m1.c", tmp_path / "m2.c"]
    with pytest.raises(UsageError, match=r"m1\.c:f or m2\.c:f"):
        load(paths, {"entry": "f"})
    program = load(paths, {"entry": "m2.c:f", "data_model": "lp64"})
    found = solve(program, "bmc", context=Context(budget=Budget(60)))
    assert isinstance(found.verdict, Unsafe)
    shown = program.render_trace(found.verdict.trace)
    assert "x = 2" in shown and "#" not in shown  # the second file's f is shown as f


ANY = {  # parameters, and what some argument makes true
    "scalars": ("unsigned char c, short s, _Bool b", "c == 255 && s == -7 && b"),
    "enumeration": ("enum mode m", "m == COOL"),
    "enumeration, no enumerator": ("enum mode m", "m == 7"),
    "float": ("float d", "d != d"),
    "union": ("union number n", "n.whole == 0x04030201"),
    "pointer to a union": ("union number *n", "n->whole == 0x04030201"),
    "bit-fields": ("struct bits b", "b.a == -4 && b.c == 3"),
    "pointer to bit-fields": ("struct bits *b", "b->a == -4 && b->c == 3"),
    "large structure": ("struct large l", "l.many[30] == 5 && l.tag == 'x'"),
    "pointer to a large structure": ("struct large *l", "l->many[30] == 5 && l->tag == 'x'"),
    "union in a structure": ("struct tagged t", "t.tag == 1 && t.value.whole == 9"),
    "string": ("const char *s", "s[0] == 'a' && s[1] == 0"),
    "array of arrays": ("int (*rows)[3]", "rows[0][2] == 7"),
    "bytes": ("void *p", "*(unsigned char *)p == 255"),
    "callback": ("int (*f)(int)", "f(3) == 4 && f(3) == 5"),
    "list": ("struct node *n", "n->next && n->next->value == 5 && !n->next->next"),
}
RECORDS = """struct bits { int a : 3; unsigned c : 2; };
struct large { int many[40]; char tag; };
struct tagged { int tag; union number value; };
"""


@pytest.mark.parametrize("engine", ["explore", "bmc"])
@pytest.mark.parametrize("case", ANY)
def test_every_argument_is_possible(tmp_path: Path, case: str, engine: str) -> None:
    """Whatever a parameter's type, its value is not taken for zeros."""
    parameters, condition = ANY[case]
    path = tmp_path / "p.c"
    path.write_text(f"{MODULE}{RECORDS}void any({parameters}) {{ assert(!({condition})); }}\n")
    answer = revet.check(path, engine=engine, timeout=2 if engine == "explore" else 60, entry="any",
                         property="assertions")
    assert answer.status in ("unsafe", "unknown" if engine == "explore" else "unsafe"), answer.verdict


FREED = {  # a body, and the answer where its parameter is a buffer
    "free(b->bytes); b->bytes = 0;": "safe",
    "char *p = realloc(b->bytes, 9); if (p) { p[8] = 1; b->bytes = p; }": "safe",
    "free(b);": "safe",
    "free(b->bytes); free(b->bytes);": "unsafe",
    "free(b->bytes + 1);": "unsafe",
    "free(b->bytes); b->bytes[0] = 1;": "unsafe",
}


@pytest.mark.parametrize("engine", ["explore", "bmc"])
@pytest.mark.parametrize("body", FREED)
def test_what_a_driver_passes_may_be_freed_once(tmp_path: Path, body: str, engine: str) -> None:
    """Model and interpreter agree: an argument is a block of its own."""
    path = tmp_path / "freed.c"
    path.write_text(
        "#include <stdlib.h>\nstruct buffer { char *bytes; size_t length; };\n"
        f"void use(struct buffer *b) {{ {body} }}\n"
    )
    answer = revet.check(path, engine=engine, timeout=3 if engine == "explore" else 60, entry="use",
                         property="memory")
    assert answer.status in (FREED[body], "unknown" if engine == "explore" else FREED[body]), answer.verdict


LISTS = """
#include <stdlib.h>
struct node { int value; struct node *next; };
struct list { struct node *head; };
int sum(struct node *n) { int *s = malloc(4), r; if (!s) return 0; *s = 0;
  for (; n; n = n->next) *s ^= n->value; r = *s; free(s); return r; }
int used(int *given) { int *own = malloc(4); free(own); free(given); return 0; }
int lost(struct node *n) { int *s = malloc(4); return s != 0 && n->value; }
int mixed(int *given, int own) { int *p = own ? malloc(4) : given; if (own) free(p); else free(given);
  return 0; }
struct node *made(void) { return calloc(1, sizeof(struct node)); }
void push(struct list *l) { struct node *n = made(); if (n) { n->next = l->head; l->head = n; } }
"""


@pytest.mark.parametrize(("entry", "status"), [
    ("sum", "safe"), ("used", "safe"), ("lost", "unsafe"), ("mixed", "safe"), ("made", "unknown"),
    ("push", "unknown"),
])  # fmt: skip
def test_what_is_passed_and_what_is_returned_is_no_leak(tmp_path: Path, entry: str, status: str) -> None:
    file = tmp_path / "lists.c"
    file.write_text(LISTS)
    found = revet.check(
        file, entry=entry, property="leaks", malloc="never-fails", engine="bmc", timeout=120,
        validate_translation="off",
    )
    assert found.status == status, found.reason
    if status == "unknown":
        assert f"{entry}() returned, and something still leads to allocated memory" in found.reason
    if status == "unsafe":
        assert found.verdict.trace.violated == "leak@lists.c:8"


def test_the_strings_of_the_command_line_are_no_leaks(tmp_path: Path) -> None:
    file = tmp_path / "words.c"
    file.write_text(
        "#include <stdlib.h>\nint main(int argc, char **argv) { char *p = malloc(2); if (!p) return 1;\n"
        "  p[0] = argc > 1 ? argv[1][0] : 0; free(p); return 0; }\n"
    )
    found = revet.check(
        file, property="leaks", entry_length=2, engine="bmc", timeout=120, validate_translation="off"
    )
    assert found.status == "safe", found.reason
