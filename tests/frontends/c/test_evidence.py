"""Evidence for C programs, end to end: replay, harness, session, witnesses, validation."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.driver.answer import Answer
from revet.driver.run import solve
from revet.engines.common.context import Context
from revet.errors import InputError, Position, UsageError
from revet.frontends.c.evidence import Evidence
from revet.frontends.c.parse import parse_text
from revet.frontends.c.toolchain import works_for
from revet.frontends.c.types import LP64
from revet.frontends.c.witness.annotate import annotate
from revet.frontends.c.witness.reading import read_witness
from revet.frontends.c.witness.validate import Validation, prepare_validation
from revet.frontends.c.witness.writing import Invariant, to_yaml
from revet.frontends.program import ReplayFailed
from revet.frontends.registry import load
from revet.result.certificate import LocationInvariants
from revet.result.trace import CfaTrace
from revet.result.verdict import Safe, Unsafe

needs_compiler = pytest.mark.skipif(not works_for(LP64), reason="no C compiler")

COUNTER = """\
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), n = 0;
  if (x < 0 || x > 10) return 0;
  while (n < x) {
    n++;
    if (n == LIMIT) __VERIFIER_error();
  }
  return 0;
}
"""


OLD = {"property": "assertions", "malloc": "if-too-large"}


def solved(folder: Path, text: str, engine: str, **options: str) -> Answer:
    path = folder / "program.c"
    path.write_text(text)
    program = load([path], {**OLD, "data_model": "lp64", **options})
    return solve(program, engine, None, Context(budget=Budget(30)))


def evidence_of(answer: Answer) -> Evidence:
    evidence = answer.program.evidence
    assert isinstance(evidence, Evidence)
    return evidence


@pytest.fixture(scope="module")
def unsafe(tmp_path_factory: pytest.TempPathFactory) -> Answer:
    return solved(tmp_path_factory.mktemp("unsafe"), COUNTER.replace("LIMIT", "4"), "bmc")


@pytest.fixture(scope="module")
def safe(tmp_path_factory: pytest.TempPathFactory) -> Answer:
    return solved(tmp_path_factory.mktemp("safe"), COUNTER.replace("LIMIT", "11"), "pdr-cfa")


def trace_of(answer: Answer) -> CfaTrace:
    assert isinstance(answer.verdict, Unsafe), answer.verdict
    assert isinstance(answer.verdict.trace, CfaTrace)
    return answer.verdict.trace


@needs_compiler
def test_a_counterexample_is_confirmed_twice(unsafe: Answer) -> None:
    trace_of(unsafe)
    assert unsafe.checked is not None
    first, second = unsafe.checked.notes
    assert first == "confirmed by the interpreter of C"
    assert second.startswith("confirmed by execution of the compiled program (")
    assert second.endswith("; values given to __VERIFIER_nondet_int)")


def test_the_session_shows_lines_values_and_the_error(unsafe: Answer) -> None:
    text = evidence_of(unsafe).render_trace(trace_of(unsafe))
    assert "main() at" in text and "n = 4" in text
    assert "     7  n++ " in text
    assert text.rstrip().endswith("program.c:8:17: call of __VERIFIER_error() in main()")


def test_a_changed_trace_is_not_confirmed(unsafe: Answer) -> None:
    trace, evidence = trace_of(unsafe), evidence_of(unsafe)
    states = [{k: 2 if k.name == "main::x" else v for k, v in state.items()} for state in trace.states]
    inputs = tuple(dict.fromkeys(given, 2) for given in trace.inputs)
    with pytest.raises(ReplayFailed):
        evidence.replay(CfaTrace(trace.locations, tuple(states), trace.edges, inputs))


def test_the_harness_has_the_values(unsafe: Answer) -> None:
    text = evidence_of(unsafe).harness(trace_of(unsafe))
    assert "__VERIFIER_nondet_int" in text and "revet_values" in text


def test_violation_witness(unsafe: Answer) -> None:
    (entry,) = yaml.safe_load(evidence_of(unsafe).violation_witness(trace_of(unsafe)))
    assert entry["entry_type"] == "violation_sequence"
    points = [segment["segment"][-1]["waypoint"] for segment in entry["content"]]
    assert [point["type"] for point in points] == ["assumption", "target"]
    assert points[0]["location"]["line"] == 5 and points[0]["constraint"]["value"].startswith("x == ")
    assert (points[1]["location"]["line"], points[1]["location"]["column"]) == (8, 17)


@needs_compiler
def test_uninitialised_variables_are_confirmed_by_the_interpreter_alone(tmp_path: Path) -> None:
    text = "void reach_error(void);\nint main(void) { int x; if (x == 77) reach_error(); return 0; }\n"
    answer = solved(tmp_path, text, "bmc")
    trace_of(answer)
    assert answer.checked is not None
    assert "read before it is written" in answer.checked.notes[1] or "confirmed" in answer.checked.notes[1]


@needs_compiler
def test_a_run_that_depends_on_padding_counts_only_if_the_compiled_program_shows_it(tmp_path: Path) -> None:
    text = """extern void __VERIFIER_error(void); struct s { char c; int n; };
int main(void) { struct s a = {1, 2}; if (((char *)&a)[1] == 0) __VERIFIER_error(); return 0; }"""
    answer = solved(tmp_path, text, "bmc")
    if isinstance(answer.verdict, Unsafe):  # this compiler leaves zeros there
        evidence = evidence_of(answer)
        evidence.compile = False
        with pytest.raises(ReplayFailed, match=r"what C leaves open: .*padding"):
            evidence.replay(answer.verdict.trace)
    else:
        assert answer.status == "unknown"


def test_uninitialised_memory_has_the_values_of_the_trace(tmp_path: Path) -> None:
    text = """
void reach_error(void);
int pick(int *a, int i) { return a[i]; }
int main(void) { int x[4]; if (pick(x, 1) == 5 && pick(x, 3) == -7) reach_error(); return 0; }
"""
    answer = solved(tmp_path, text, "bmc")
    trace_of(answer)
    assert answer.checked is not None and answer.checked.notes[0] == "confirmed by the interpreter of C"


@needs_compiler
def test_overflow_is_confirmed_by_a_trap(tmp_path: Path) -> None:
    nondet = "int __VERIFIER_nondet_int(void);\n"
    text = nondet + "int main(void) { int x = __VERIFIER_nondet_int(); return x + 1; }\n"
    answer = solved(tmp_path, text, "bmc", property="no-overflow")
    trace_of(answer)
    assert answer.checked is not None and "traps" in answer.checked.notes[1]


# ---- correctness ------------------------------------------------------------------------------


def test_invariants_are_shown_in_c_at_loop_heads(safe: Answer) -> None:
    assert isinstance(safe.verdict, Safe), safe.verdict
    text = evidence_of(safe).render_certificate(safe.verdict.certificate)
    assert "program.c:6:3 in main()" in text and "x" in text


def validated(validation: Validation) -> bool:
    return any(
        check_certificate(validation.model, certificate, budget=Budget(20)).accepted
        for certificate in validation.certificates()
    )


def test_a_correctness_witness_is_validated(safe: Answer, tmp_path: Path) -> None:
    assert isinstance(safe.verdict, Safe) and isinstance(safe.verdict.certificate, LocationInvariants)
    witness = tmp_path / "witness.yml"
    witness.write_text(evidence_of(safe).correctness_witness(safe.verdict.certificate))
    program = safe.program.files[0]
    validation = prepare_validation([program], witness)
    assert not validation.notes and validation.used
    assert validated(validation)


def write_witness(path: Path, *claims: tuple[int, int, str, str]) -> Path:
    content = [
        {
            "invariant": {
                "type": kind,
                "location": {"file_name": "program.c", "line": line, "column": column, "function": "main"},
                "value": value,
                "format": "c_expression",
            }
        }
        for line, column, value, kind in claims
    ]
    path.write_text(to_yaml([{"entry_type": "invariant_set", "content": content}]))
    return path


@pytest.mark.parametrize(
    ("value", "accepted"),
    [
        ("x <= 10", True), ("x <= 10 && n >= 0 && n <= x", True), ("x < 10", False), ("n == 0", False),
        ("1", False), ("(unsigned long)x <= 10ul", True), ("n <= x ? x <= 10 : 0", True),
    ],
)
def test_witnesses_of_others(tmp_path: Path, value: str, accepted: bool) -> None:
    program = tmp_path / "program.c"
    program.write_text(COUNTER.replace("LIMIT", "11"))
    witness = write_witness(tmp_path / "w.yml", (6, 3, value, "loop_invariant"))
    validation = prepare_validation([program], witness, {"arithmetic": "int"})
    assert [claim.value for claim in validation.used] == [value]
    assert validated(validation) is accepted


def test_a_wrong_program_is_not_validated_by_any_witness(tmp_path: Path) -> None:
    program = tmp_path / "program.c"
    program.write_text(COUNTER.replace("LIMIT", "4"))
    for value in ("0", "x <= 3", "n < 4"):
        witness = write_witness(tmp_path / "w.yml", (6, 3, value, "loop_invariant"))
        assert not validated(prepare_validation([program], witness))


def test_claims_that_cannot_be_used_are_noted(tmp_path: Path) -> None:
    program = tmp_path / "program.c"
    program.write_text(COUNTER.replace("LIMIT", "11"))
    witness = write_witness(
        tmp_path / "w.yml", (6, 3, "x <= 10", "loop_invariant"), (6, 3, "nobody > 3", "loop_invariant"),
        (6, 3, "x++ < 10", "loop_invariant"), (6, 3, "1); abort(", "loop_invariant"),
        (99, 1, "x > 0", "location_invariant"), (2, 1, "1", "loop_invariant"),
    )
    validation = prepare_validation([program], witness)
    assert [claim.value for claim in validation.used] == ["x <= 10"]
    assert len(validation.notes) == 5
    assert validated(validation)


def test_for_loops_declare_their_variable_before_the_invariant() -> None:
    from revet.frontends.c.parse import Unit

    text = b"int main(void) {\n  for (int i = 0; i < 3; i++) ;\n  for (;;) break;\n  return 0;\n}\n"
    claims = [
        Invariant(Position("a.c", 2, 3), "main", "i <= 3"), Invariant(Position("a.c", 3, 3), "main", "1"),
        Invariant(Position("a.c", 4, 3), "main", "2", "location_invariant"),
    ]
    done = annotate([Unit(Path("a.c"), text)], claims)
    assert done.used == tuple(claims)
    parse_text(done.units[0].text.decode())


def test_bad_witness_files(tmp_path: Path) -> None:
    path = tmp_path / "w.yml"
    for text in ("", "a: b", "- 3", "- entry_type: invariant_set\n  content: [{invariant: {}}]"):
        path.write_text(text)
        with pytest.raises(InputError):
            read_witness(path)
    path.write_text("- entry_type: violation_sequence\n  content: []\n")
    with pytest.raises(UsageError):
        prepare_validation([tmp_path / "p.c"], path)
