"""Horn clauses: forms of clauses, verdicts by all engines, evidence that is checked, and its faults."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest

from revet.api import check
from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.checker.replay import ReplayError, replay
from revet.engines import spacer
from revet.engines.common.context import Context
from revet.errors import InputError, Unsupported
from revet.events import Note
from revet.frontends.horn import program_of
from revet.frontends.program import ReplayFailed
from revet.logic import build as b
from revet.logic.smtlib import read_script
from revet.model.horn_automaton import automaton_of, solve_equations
from revet.result import Safe, Unsafe
from revet.result.certificate import HornModel
from revet.result.files import read_evidence, write_evidence
from revet.result.serialize import dump_verdict, load_verdict
from revet.result.trace import Derivation, DerivationStep
from revet.smt import Status
from revet.smt.z3 import Z3

EXAMPLES = Path(__file__).parents[3] / "examples/horn"

LOOP = """(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(declare-fun |the end| (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x 0))))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (inv x y) (< x 4) (= z (+ y 2))) (inv (+ x 1) z))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (not (< x 4))) (|the end| y))))
(assert (forall ((y Int)) (=> (and (|the end| y) (> y {limit})) false)))
(check-sat)
"""

TREE = """(set-logic HORN)
(declare-fun size (Int) Bool)
(assert (size 1))
(assert (forall ((a Int) (b Int)) (=> (and (size a) (size b) (< a 9)) (size (+ a b 1)))))
(assert (forall ((n Int)) (=> (and (size n) {claim}) false)))
"""

BITS = """(set-logic HORN)
(declare-fun at (Bool (_ BitVec 4)) Bool)
(assert (forall ((v (_ BitVec 4))) (=> (= v #x0) (at false v))))
(assert (forall ((p Bool) (v (_ BitVec 4)))
  (=> (at p v) (at (not p) (bvadd v #x2)))))
(assert (forall ((p Bool) (v (_ BitVec 4))) (=> (and (at p v) (= v {bad})) false)))
"""

CELLS = """(set-logic HORN)
(declare-fun fill (Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (fill 0 a)))
(assert (forall ((i Int) (a (Array Int Int)))
  (=> (and (fill i a) (< i 3)) (fill (+ i 1) (store a i {value})))))
(assert (forall ((i Int) (a (Array Int Int))) (=> (and (fill i a) (= i 3)) (= (select a 1) 7))))
"""


def program(text: str):
    return program_of(text, Path("test.smt2"))


@pytest.mark.parametrize("engine", [
    "spacer", "pdr-cfa", "kind", "pdr-ia", "bmc", "cegar", "ic3-qe", "post", "imc",
])
@pytest.mark.parametrize(("limit", "verdict"), [(8, "safe"), (7, "unsafe")])
def test_linear_clauses_go_to_all_engines(engine, limit, verdict):
    result = check(program(LOOP.format(limit=limit)), engine=engine)
    assert result.status == verdict, result.reason
    if verdict == "unsafe":
        assert isinstance(result.verdict.trace, Derivation) and len(result.verdict.trace) == 7
    elif engine not in ("kind", "bmc"):
        assert isinstance(result.verdict.certificate, HornModel)


@pytest.mark.parametrize(("text", "verdict"), [
    (TREE.format(claim="(= (mod n 2) 0)"), "safe"),
    (TREE.format(claim="(> n 12)"), "unsafe"),
    (BITS.format(bad="#x7"), "safe"),
    (BITS.format(bad="#xe"), "unsafe"),
    (CELLS.format(value=7), "safe"),
    (CELLS.format(value="(+ i 7)"), "unsafe"),
])
def test_verdicts(text, verdict):
    result = check(program(text), engine="spacer")
    assert result.status == verdict, result.reason
    assert result.checked.accepted


def test_bits_become_circuits():
    assert check(program(BITS.format(bad="#x7")), engine="pdr").status == "safe"
    assert check(program(BITS.format(bad="#xe")), engine="pdr").status == "unsafe"


def test_the_examples():
    assert check(str(EXAMPLES / "fibonacci.smt2"), engine="spacer").status == "safe"
    assert check(str(EXAMPLES / "race.smt2"), engine="pdr-cfa").status == "unsafe"


@pytest.mark.parametrize(("clause", "bodies", "heads"), [
    ("(forall ((x Int)) (or (not (p x)) (q x)))", [["p"]], ["q"]),
    ("(forall ((x Int)) (not (and (p x) (< x 0))))", [["p"]], [None]),
    ("(not (exists ((x Int)) (and (p x) (q x))))", [["p", "q"]], [None]),
    ("(forall ((x Int)) (=> (or (p x) (q x)) (r)))".replace("(r)", "r"), [["p"], ["q"]], ["r", "r"]),
    ("(forall ((x Int)) (=> (p x) (and (q x) r)))", [["p"], ["p"]], ["q", "r"]),
    ("(forall ((x Int)) (=> (p x) (=> (> x 1) (q x))))", [["p"]], ["q"]),
    ("(forall ((x Int)) (=> (exists ((y Int)) (and (p y) (= x (* 2 y)))) (q x)))", [["p"]], ["q"]),
    ("(forall ((x Int)) (=> (p x) (> x 0)))", [["p"]], [None]),
    ("(= r (p 0))", [["r"], ["p"]], ["p", "r"]),
    ("r", [[]], ["r"]),
])
def test_forms_of_clauses(clause, bodies, heads):
    text = "(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(declare-fun r () Bool)"
    clauses = program(f"{text}(assert {clause})").model.clauses
    assert [[atom.payload.name for atom in one.body] for one in clauses] == bodies
    assert [None if one.head is None else one.head.payload.name for one in clauses] == heads


@pytest.mark.parametrize(("text", "line", "column", "message"), [
    ("(declare-fun p (Int) Int)", 1, 22, "not a predicate"),
    ("(declare-fun p () Bool)(declare-fun q () Bool)\n (assert (or p q))", 2, 2, "two heads"),
    ("(declare-fun p (Int) Bool)\n(assert (=> (forall ((y Int)) (p y)) false))", 2, 1, "wrong kind"),
    ("(declare-fun p (Bool) Bool)(declare-fun q () Bool)\n(assert (p q))", 2, 1, "inside"),
    ("(declare-datatypes ((L 0)) (((nil))))", 1, 1, "datatypes"),
    ("(declare-fun p (Int) Bool)(assert (p y))", 1, 38, "unknown name y"),
    ("(set-logic HORN)(check-sat) )", 1, 29, "closing"),
    ("\n (set-logic QF_LIA)(declare-fun p () Bool)", 2, 2, "QF_LIA"),
    ("(declare-fun p () Bool)(check-sat)\n(assert p)", 2, 1, "several questions"),
    (" (declare-rel p (Int))", 1, 2, "fixedpoint"),
    ("(declare-fun p (Int) Bool)\n(assert (=> (and "
     + " ".join(f"(or (p {i}) (p {i + 1}))" for i in range(30)) + ") false))", 2, 1, "very many clauses"),
    ("(declare-fun p ((Array (Array Bool Int) Int)) Bool)", 1, 17, "finitely many indices"),
    ("(define-sort S (T) (Array T U))", 1, 14, "unknown sort U"),
    ("(define-sort S (T T) (Array T T))", 1, 14, "different names"),
    ("(define-sort S (T) (Array T T))(declare-fun p ((S Int Int)) Bool)", 1, 48, "takes 1 sorts"),
    ("(define-sort S0 (T) (Array Int T))\n" + "".join(
        f"(define-sort S{i} (T) (S{i - 1} (S{i - 1} T)))\n" for i in range(1, 30)),
     11, 14, "too deeply"),
])
def test_what_is_no_horn_clause_is_refused_with_its_place(text, line, column, message):
    with pytest.raises(InputError, match=message) as caught:
        program(text)
    assert (caught.value.position.line, caught.value.position.column) == (line, column)


def test_other_logics_are_refused():
    with pytest.raises(InputError, match="QF_LIA"):
        program("(set-logic QF_LIA)(declare-fun p () Bool)(assert p)")


def test_division_by_zero_is_an_assumption():
    text = "(declare-fun p (Int Int) Bool)(assert (forall ((x Int) (y Int)) (p x (div x {})))) "
    assert program(text.format("y")).assumptions and program(text.format("0")).assumptions
    assert not program(text.format("3")).assumptions


@pytest.mark.parametrize(("body", "claim", "verdict"), [
    ("(= x (div y 0))", "(p 0 3)", "unknown"),  # satisfiable if (div 3 0) is not 0
    ("(= x (mod y (- z z)))", "(p 3 3)", "unknown"),
    ("(= y (* 0 (div z y)))", "(p 5 0)", "unsafe"),
    ("(and (not (= y 0)) (= x (div 10 y)))", "(p 3 3)", "unsafe"),
    ("(= x (ite (= y 0) 7 (div 10 y)))", "(p 7 0)", "unsafe"),
    ("(or (= x 1) (= 0 (div x 0)))", "(p 1 1)", "unsafe"),
    ("(= x (rem 7 (- 2)))", "(p (- 1) 1)", "unsafe"),
])
def test_no_derivation_rests_on_what_a_division_by_zero_gives(body, claim, verdict):
    loaded = program(f"""(declare-fun p (Int Int) Bool)(declare-fun q (Bool) Bool)
    (assert (forall ((x Int) (y Int) (z Int)) (=> {body} (p x y))))(assert (=> {claim} (q true)))
    (assert (not (q true)))""")
    answer = check(loaded, engine="pdr-cfa")
    assert answer.status == verdict
    assert verdict == "unsafe" or "division by zero" in answer.verdict.reason


def test_a_division_by_zero_in_a_predicate_is_any_fact():
    loaded = program("""(declare-fun p (Int Int) Bool)(assert (forall ((x Int)) (p x 0)))
    (assert (forall ((x Int)) (=> (p (div x 0) 0) (p x 1))))(assert (forall ((x Int)) (not (p x 1))))""")
    assert check(loaded, engine="pdr-cfa").status == "unknown"


def test_a_closed_formula_can_be_named():
    text = "(declare-fun p () Bool)(declare-fun q () Bool)(assert (=> (! p :named |a b|) q))(assert {})"
    assert check(program(text.format("|a b|") + "(assert (not q))"), engine="pdr-cfa").status == "unsafe"
    with pytest.raises(InputError, match="unknown name c"):
        program(text.format("(forall ((x Int)) (=> (! (> x 0) :named c) c))"))


def test_names_with_line_breaks_are_written():
    loaded = program("(declare-fun |a\nb| (Int) Bool)(assert (|a\nb| 0))(assert (not (|a\nb| 1)))")
    assert "define-fun |a\nb| " in loaded.smtlib_model(check(loaded, engine="spacer").verdict)


def test_the_size_of_a_declared_sort_is_an_assumption():
    text = "(declare-sort U 0)(declare-fun p (U) Bool)(assert (forall ((x U) (y U)) (or (= x y) (p x))))"
    loaded = program(f"{text}(assert (forall ((x U)) (not (p x))))")
    assert "no end of elements of U" in loaded.assumptions[0]
    answer = check(loaded, engine="bmc")
    assert answer.status == "unsafe"  # with one element only there would be a model
    proof = loaded.smtlib_proof(answer.verdict)
    assert "(declare-sort U 0)" in proof and "(assert (distinct " in proof
    solver = Z3().solver()
    for assertion in read_script(proof).assertions:
        solver.add(assertion)
    assert solver.check() is Status.UNSAT


def test_sorts_with_parameters():
    text = "(define-sort Memory (T) (Array Int T))(define-sort Table (A B) (Array A (Memory B)))"
    (predicate,) = program(f"{text}(declare-fun p ((Table Bool Real)) Bool)").model.predicates
    assert predicate.domain[0].name == "(Array Bool (Array Int Real))"


def test_equations_are_solved():
    x, y, z = (b.var(name, b.integer(0).sort) for name in "xyz")
    rest, found = solve_equations([b.eq(x, y + 1), b.eq(y, z), x < 5], {x, y})
    assert not rest[1:] and found[x] is z + 1 and found[y] is z
    assert rest == [z + 1 < 5]


def test_evidence_survives_files_and_processes(tmp_path):
    for limit in (8, 7):
        loaded = program(LOOP.format(limit=limit))
        verdict = check(loaded, engine="pdr-cfa").verdict
        again = load_verdict(dump_verdict(verdict, loaded.model), loaded.model)
        write_evidence(tmp_path / "e.json", verdict, loaded.model)
        for one in (again, read_evidence(tmp_path / "e.json", loaded.model)):
            if isinstance(one, Safe):
                assert check_certificate(loaded.model, one.certificate).accepted
            else:
                replay(loaded.model, one.trace)
                loaded.replay(one.trace)


def test_wrong_models_are_rejected():
    loaded = program(LOOP.format(limit=8))
    model = check(loaded, engine="spacer").verdict.certificate
    assert isinstance(model, HornModel)
    for predicate in loaded.model.predicates:
        for formula in (b.boolean(True), b.boolean(False), b.not_(model.formulas[predicate])):
            wrong = HornModel({**model.formulas, predicate: formula})
            assert not check_certificate(loaded.model, wrong).accepted
    (inv, end) = loaded.model.predicates
    assert not check_certificate(loaded.model, HornModel({inv: model.formulas[inv]})).accepted
    stranger = b.var("stranger", b.integer(0).sort)
    assert not check_certificate(loaded.model, HornModel({**model.formulas, end: stranger <= 0})).accepted


def _mutations(trace: Derivation):
    for number, step in enumerate(trace.steps):
        others = [one for n, one in enumerate(trace.steps) if n != number]
        yield Derivation(tuple(others), trace.violated)
        for x, value in step.values.items():
            changed = {**step.values, x: (not value) if isinstance(value, bool) else value + 1}
            yield Derivation(
                (*trace.steps[:number], DerivationStep(step.clause, changed, step.premises),
                 *trace.steps[number + 1 :]), trace.violated)
    yield Derivation(trace.steps[:-1], trace.violated)


def test_wrong_derivations_are_rejected():
    for text in (LOOP.format(limit=7), TREE.format(claim="(> n 12)")):
        loaded = program(text)
        trace = check(loaded, engine="spacer").verdict.trace
        replay(loaded.model, trace)
        rejected = 0
        for wrong in _mutations(trace):
            with pytest.raises(ReplayError):
                replay(loaded.model, wrong)
            rejected += 1
        assert rejected > 10
        with pytest.raises(ReplayFailed):
            loaded.replay(Derivation(trace.steps[1:], trace.violated))


STEPS = """
(declare-fun start (Int) Bool)(declare-fun leaf (Int Int) Bool)(declare-fun step (Int Int) Bool)
(declare-fun main (Int Int) Bool)(declare-fun bad (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (start x))))
(assert (forall ((x Int) (y Int)) (=> (= y (+ x 1)) (leaf x y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (leaf x y) (leaf y z) (< x 9)) (step x z))))
(assert (forall ((x Int)) (=> (start x) (main x x))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (main x y) (step y z)) (main x z))))
(assert (forall ((x Int) (y Int)) (=> (and (main x y) (> y {most})) (bad y))))
(assert (forall ((x Int)) (=> (bad x) false)))
"""


@pytest.mark.parametrize(("most", "verdict"), [(10, "safe"), (6, "unsafe")])
def test_what_z3_inlines_is_made_up_for(most, verdict):
    """Its proof then knows neither ``bad`` nor ``step`` nor ``leaf``; nothing is asked again."""
    notes: list[Note] = []
    context = Context(Budget(60), lambda event: notes.append(event) if isinstance(event, Note) else None)
    loaded = program(STEPS.format(most=most))
    found = spacer.check(loaded.model, spacer.Options(preprocess=True), context)
    assert not notes
    if verdict == "unsafe":
        assert isinstance(found, Unsafe) and loaded.replay(found.trace)
    else:
        assert isinstance(found, Safe) and check_certificate(loaded.model, found.certificate).accepted


def test_printed_models_and_proofs_are_smtlib():
    loaded = program(LOOP.format(limit=8))
    text = loaded.smtlib_model(check(loaded, engine="spacer").verdict)
    assert "declare-fun" not in text
    clauses = LOOP.format(limit=8).split("(assert")[1:]
    for clause in clauses:
        clause = clause.replace("(check-sat)", "").strip().removesuffix(")")
        solver = Z3().solver()
        solver.add(read_script(f"{text}(assert (not {clause}))").assertions[0])
        assert solver.check() is Status.UNSAT
    loaded = program(TREE.format(claim="(> n 12)"))
    proof = read_script(loaded.smtlib_proof(check(loaded, engine="spacer").verdict))
    solver = Z3().solver()
    for assertion in proof.assertions:
        solver.add(assertion)
    assert solver.check() is Status.UNSAT


def _random_clauses(rng: Random) -> tuple[str, bool]:
    """A system over small numbers, and whether false can be derived: by saturation."""
    top, names = 3, ["p", "q"]
    rules = []
    for _ in range(rng.randrange(3, 6)):
        body = [(rng.choice(names), rng.randrange(2)) for _ in range(rng.randrange(0, 3))]
        guard, add = rng.randrange(top + 1), rng.randrange(1, 3)
        head = rng.choice([*names, None]) if body else rng.choice(names)
        rules.append((body, guard, add, head))
    facts: set[tuple[str, int]] = set()
    while True:
        new = set()
        for body, guard, add, head in rules:
            for x, y in product(range(top + 1), repeat=2):
                value = (x, y)
                if all((name, value[which]) in facts for name, which in body) and x + y >= guard:
                    new.add((head, (x + add) % (top + 1)))
        if new <= facts:
            break
        facts |= new
    lines = ["(declare-fun p (Int) Bool)", "(declare-fun q (Int) Bool)"]
    for body, guard, add, head in rules:
        atoms = " ".join(f"({name} {'xy'[which]})" for name, which in body)
        to = "false" if head is None else f"({head} (mod (+ x {add}) {top + 1}))"
        ranges = f"(<= 0 x {top}) (<= 0 y {top}) (>= (+ x y) {guard})"
        lines.append(f"(assert (forall ((x Int) (y Int)) (=> (and {ranges} {atoms}) {to})))")
    return "\n".join(lines), any(head is None for head, _ in facts)


@pytest.mark.parametrize("seed", range(30))
def test_generated_clauses_against_saturation(seed):
    text, derivable = _random_clauses(Random(seed))
    loaded = program(text)
    for engine in ["spacer", *(["pdr-cfa", "bmc"] if loaded.model.linear else [])]:
        result = check(loaded, engine=engine, timeout=30)
        assert result.status == ("unsafe" if derivable else "safe"), (engine, result.reason, text)


def test_arguments_that_are_passed_on_share_a_variable():
    made = automaton_of(program(LOOP.format(limit=8)).model)
    assert len(made.cfa.variables) == 2


def test_unsupported_is_an_input_error():
    with pytest.raises(Unsupported):
        program("(declare-fun p () Bool)(declare-fun q () Bool)(assert (or p q))")
    assert issubclass(Unsupported, InputError) and Unsafe is not Safe
