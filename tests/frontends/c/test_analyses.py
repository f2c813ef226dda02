"""The analyses before lowering: points-to classes, calls made once, functions that are shared."""

from __future__ import annotations

from revet.frontends.c import ast
from revet.frontends.c.analysis.call_graph import recursion_limits
from revet.frontends.c.analysis.inlining import shared_functions
from revet.frontends.c.analysis.once import calls_made_once
from revet.frontends.c.analysis.points_to import PointsTo
from revet.frontends.c.analysis.storage import Mode, Storage
from revet.frontends.c.lower.program import lower
from revet.frontends.c.options import Options
from revet.frontends.c.parse import parse_text
from revet.frontends.c.walk import all_expressions, statements


def variable(program: ast.CProgram, name: str) -> ast.Variable:
    found = {v.name: v for v in program.globals}
    for function in program.functions.values():
        found.update((p.name, p) for p in function.parameters)
        for statement in statements(function.body):
            if isinstance(statement, ast.Declare):
                found[statement.variable.name] = statement.variable
    return found[name]


def together(points_to: PointsTo, program: ast.CProgram, one: str, other: str) -> bool:
    first, second = (points_to.object_of(variable(program, name)) for name in (one, other))
    return first is second


# ---- points-to ----------------------------------------------------------------------------------


def test_what_one_pointer_may_reach_is_one_class() -> None:
    program = parse_text("""int a, b, c;
    int main(void) { int *p = &a; int *q = &c; if (a) p = &b; return *p + *q; }""")
    found = PointsTo(program)
    assert together(found, program, "a", "b")
    assert not together(found, program, "a", "c")
    assert set(found.address_taken) == {variable(program, name) for name in "abc"}


def test_pointers_flow_through_calls_returns_and_structures() -> None:
    program = parse_text("""struct s { int *first; int *second; }; int a, b, c, d;
    int *same(int *x) { return x; }
    int main(void) { struct s s, t; s.first = same(&a); s.second = &c; t = s; t.first = &b;
      int *p = &d; return *t.first + *t.second + *p; }""")
    found = PointsTo(program)
    assert together(found, program, "a", "b")
    assert not together(found, program, "a", "c")  # fields are told apart
    assert not together(found, program, "a", "d")


def test_function_pointers_bind_their_arguments() -> None:
    program = parse_text("""int a, b; void set(int *x) { *x = 1; } void (*f)(int *) = set;
    int main(void) { f(&a); set(&b); return 0; }""")
    assert together(PointsTo(program), program, "a", "b")


def test_a_cast_between_different_structures_makes_fields_one() -> None:
    program = parse_text("""struct s { int *p; int *q; }; struct t { int *q; int *p; }; int a, b;
    int main(void) { struct s s; s.p = &a; s.q = &b; struct t *t = (struct t *)&s; return *t->p; }""")
    assert together(PointsTo(program), program, "a", "b")


def test_indices_that_are_not_constant_are_noticed() -> None:
    program = parse_text("int a[4], b[4]; int main(void) { int i = 2; a[i] = b[1]; return 0; }")
    assert PointsTo(program).variable_index == {variable(program, "a")}


def test_how_classes_are_stored() -> None:
    program = parse_text("""union u { int i; float f; } u; int x, big[100], plain;
    int main(void) { int *p = &x; int *q = big; int i = x; q[i] = *p; u.i = 1; union u *r = &u;
      return r->f > 0 ? plain : 1; }""")
    storage = Storage(program)
    objects = {name: storage.points_to.object_of(variable(program, name)) for name in ("x", "big", "u")}
    modes = {name: storage.mode(node) for name, node in objects.items()}
    assert modes == {"x": Mode.EXPLICIT, "big": Mode.TYPED, "u": Mode.BYTES}
    assert not storage.in_memory(variable(program, "plain"))


# ---- calls that are made once ------------------------------------------------------------------


def names_made_once(text: str) -> set[str]:
    program = parse_text(text)
    calls = calls_made_once(program, "main")
    return {call.function.name for call in calls if isinstance(call.function, ast.FunctionRef)}


def test_calls_outside_loops_of_functions_that_are_entered_once() -> None:
    found = names_made_once("""void *malloc(unsigned); void leaf(void) { malloc(1); }
    void twice(void) { free(0); }
    int main(void) { int i; leaf(); twice(); twice(); for (i = 0; i < 3; i++) exit(0); return 0; }""")
    assert found == {"leaf", "malloc", "twice"}


def test_a_jump_back_is_a_loop() -> None:
    assert names_made_once("int main(void) { again: abort(); goto again; }") == set()
    assert names_made_once("int main(void) { goto on; on: abort(); return 0; }") == {"abort"}


def test_functions_called_through_pointers_or_recursively_may_run_often() -> None:
    assert "malloc" not in names_made_once(
        "void *malloc(unsigned); void f(void) { malloc(1); } void (*p)(void) = f; int main(void) { f(); }"
    )
    assert names_made_once("void f(void) { abort(); main(); } int main(void) { f(); return 0; }") == set()


# ---- inlining -----------------------------------------------------------------------------------


def chain(length: int, calls: int, statements_each: int) -> ast.CProgram:
    """``f0`` calls ``f1`` several times, that ``f2``, …"""
    work = " x++;" * statements_each
    texts = [f"void f{length}(void) {{{work} }}"]
    for n in reversed(range(length)):
        texts.append(f"void f{n}(void) {{{work}{f' f{n + 1}();' * calls} }}")
    return parse_text("int x;\n" + "\n".join(texts) + "\nint main(void) { f0(); return 0; }")


def test_small_programs_are_copied() -> None:
    assert shared_functions(chain(3, 3, 10), frozenset(), "main") == frozenset()


def test_what_would_explode_is_shared() -> None:
    program = chain(6, 8, 10)  # 8^6 copies of the last function
    shared = shared_functions(program, frozenset(), "main")
    assert shared and "main" not in shared and shared <= set(program.functions)


def test_recursive_functions_are_never_shared() -> None:
    program = parse_text("int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(3); }")
    limits = recursion_limits(program)
    assert set(limits) == {"f"}
    assert shared_functions(program, frozenset(limits), "main") == frozenset()


TWO = """int odd(int n); int even(int n) { return n < 2 ? n : odd(n - 1) + odd(n - 2); }
int odd(int n) { return n < 2 ? n : even(n - 1) + even(n - 2); } int main(void) { return odd(9); }"""


def test_functions_that_call_each_other_go_as_deep_as_one_alone() -> None:
    one = "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } int main(void) { return f(9); }"
    alone = recursion_limits(parse_text(one))
    assert sum(recursion_limits(parse_text(TWO)).values()) == alone["f"]


def test_recursion_with_orders_of_evaluation_is_copied_to_what_stays_small() -> None:
    checked = Options.from_mapping({"property": "assertions,overflow"})
    lowered = lower(parse_text(TWO), checked)  # either call may fail first: 4 copies at each level
    assert lowered.open_ends and len(lowered.cfa.edges) < 30_000


def test_taking_an_address_is_no_call() -> None:
    program = parse_text("""void (*hook)(int *); void done(void);
    void f(int *x) { hook = f; done(); } void g(int *x) { hook(x); }
    void main(void) { int a; f(&a); g(&a); }""")
    assert recursion_limits(program) == {}


def test_a_pointer_calls_functions_of_its_type_only() -> None:
    text = """int (*hook)(int TYPE); int start(int *p) { return hook(0); } int step(int n) { return n; }
    int main(void) { int (*other)(int *) = start; hook = (void *)step; return other(0); }"""
    assert recursion_limits(parse_text(text.replace("TYPE", "n"))) == {}
    assert set(recursion_limits(parse_text(text.replace("TYPE", "*p")))) == {"start"}


def test_pointers_bind_the_arguments_of_functions_of_their_type_only() -> None:
    program = parse_text("""int a, b; void set(int *x) { *x = 1; } void two(int *x, int n) { *x = n; }
    void (*f)(int *) = set; void (*g)(int *, int) = two; int main(void) { f(&a); g(&b, 2); return 0; }""")
    assert not together(PointsTo(program), program, "a", "b")


def test_every_expression_is_visited_once() -> None:
    text = "int main(void) { int x = 1; while (x < 3) { x = x + ({ int y = 2; y; }); } return x; }"
    program = parse_text(text)
    seen = list(all_expressions(program.functions["main"].body))
    assert len(seen) == len(set(map(id, seen)))
    assert sum(isinstance(e, ast.StatementExpr) for e in seen) == 1
