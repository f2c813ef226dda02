"""Evidence in files: what is written is read back and still accepted; faults are named."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from revet.checker.certificate import check_certificate
from revet.checker.replay import ReplayError, replay
from revet.errors import InputError
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT, REAL, Array, BitVec
from revet.logic.values import ArrayValue
from revet.model.relation import Relation
from revet.model.statements import Assign, Assume, Havoc
from revet.model.system import TransitionSystem
from revet.result import CfaTrace, Exhausted, Safe, Unknown, Unsafe
from revet.result.files import read_evidence, write_evidence
from tests.generators import random_cfa, random_system, search_cfa, search_system
from tests.models import MODELS, X, automaton

BY_NAME = {tiny.name: tiny for tiny in MODELS}
PROGRAM = BY_NAME["notes, program"].model
SYSTEM = BY_NAME["count to 5"].model


@pytest.mark.parametrize("tiny", [t for t in MODELS if t.certificate], ids=lambda t: t.name)
def test_certificates_round_trip(tiny, tmp_path):
    path = tmp_path / "evidence.json"
    write_evidence(path, Safe(tiny.certificate), tiny.model)
    verdict = read_evidence(path, tiny.model)
    assert check_certificate(tiny.model, verdict.certificate).accepted
    write_evidence(tmp_path / "again.json", verdict, tiny.model)
    assert (tmp_path / "again.json").read_text() == path.read_text()


def test_traces_round_trip(tmp_path):
    path = tmp_path / "evidence.json"
    count = 0
    for seed in range(60):
        for model, found in (
            ((cfa := random_cfa(seed)), search_cfa(cfa)), ((ts := random_system(seed)), search_system(ts)),
        ):
            if found.trace is not None:
                write_evidence(path, Unsafe(found.trace), model)
                replay(model, read_evidence(path, model).trace)
                count += 1
    assert count > 30


def test_values_of_every_sort(tmp_path):
    r, v, p, a = b.var("r", REAL), b.var("v", BitVec(8)), b.var("p", BOOL), b.var("a", Array(INT, REAL))
    cfa = automaton((r, v, p, a), [("s", "e", [Havoc(a), Assume(p)])], "s", ("e",))
    start = {r: Fraction(-3, 4), v: 255, p: True, a: ArrayValue(Fraction(0), {-1: Fraction(1, 3)})}
    after = {**start, a: ArrayValue(Fraction(2))}
    s, e = cfa.locations
    path = tmp_path / "t.json"
    write_evidence(path, Unsafe(CfaTrace((s, e), (start, after), cfa.edges)), cfa)
    trace = read_evidence(path, cfa).trace
    assert trace.states == (start, after)
    replay(cfa, trace)


def test_written_by_hand(tmp_path):
    path = tmp_path / "hand.json"
    path.write_text('{"revet": 1, "kind": "invariants", "k": 1, "locations": {"l2": "(>= y z)"}}')
    assert check_certificate(PROGRAM, read_evidence(path, PROGRAM).certificate).accepted
    path.write_text('{"revet": 1, "kind": "invariants", "locations": {"l2": "(>= x z)"}}')
    report = check_certificate(PROGRAM, read_evidence(path, PROGRAM).certificate)
    assert report.status == "rejected" and report.condition == "consecution"
    run = {"revet": 1, "kind": "trace", "violated": "small", "steps": [{"state": {"x": n}} for n in range(6)]}
    path.write_text(json.dumps(run))
    replay(SYSTEM, read_evidence(path, SYSTEM).trace)
    run["steps"][3]["state"]["x"] = 7
    path.write_text(json.dumps(run))
    with pytest.raises(ReplayError, match="step 3: x is 3, but the trace says 7"):
        replay(SYSTEM, read_evidence(path, SYSTEM).trace)


def test_several_draws_of_one_variable(tmp_path):
    statements = [Havoc(X), Assume(X.eq(5)), Havoc(X), Assign(X, X + 1), Assume(X.eq(3))]
    cfa = automaton((X,), [("s", "e", statements)], "s", ("e",))
    steps = [{"location": "s", "state": {"x": 0}, "drawn": [5, 2]}, {"location": "e", "state": {"x": 3}}]
    path = tmp_path / "t.json"
    path.write_text(json.dumps({"revet": 1, "kind": "trace", "steps": steps}))
    replay(cfa, read_evidence(path, cfa).trace)
    del steps[0]["drawn"]
    path.write_text(json.dumps({"revet": 1, "kind": "trace", "steps": steps}))
    with pytest.raises(ReplayError, match="assumption"):
        replay(cfa, read_evidence(path, cfa).trace)


HEAD = '{"revet": 1, "kind": '
FAULTS = [
    ("", "not JSON"),
    ("[]", "expected a JSON object"),
    ("{\"revet\": 1,\n oops}", ":2:2: not JSON"),
    ("{}", '"revet" must be 1'),
    ('{"revet": 2, "kind": "trace"}', '"revet" must be 1'),
    (HEAD + '"proof"}', '"kind" is "proof"'),
    (HEAD + '"invariants"}', '"locations" must be an object'),
    (HEAD + '"invariants", "location": {}}', '"location" is unknown'),
    (HEAD + '"invariants", "locations": {"l9": "true"}}', 'no location "l9"; there are: l1, l2'),
    (HEAD + '"invariants", "locations": {"l2": 3}}', "as text, got 3"),
    (HEAD + '"invariants", "locations": {"l2": "(<= w 1)"}}', "formula of l2:1:5"),
    (HEAD + '"invariants", "locations": {"l2": "(+ x 1)"}}', "a term of sort Int"),
    (HEAD + '"invariants", "locations": {"l2": "(<= x"}}', "formula of l2"),
    (HEAD + '"invariants", "locations": {"l2": "true", "l2": "false"}}', '"l2" occurs twice'),
    (HEAD + '"invariants", "k": -1, "locations": {}}', '"k" must be a natural number'),
    (HEAD + '"invariants", "simple_path": 1, "locations": {}}', "must be true or false"),
    (HEAD + '"k-inductive", "formula": "true"}', "for transition systems"),
    (HEAD + '"exhausted"}', '"depth" is missing'),
    (HEAD + '"exhausted", "depth": 1, "cuts": ["l9"]}', 'no location "l9"'),
    (HEAD + '"trace"}', '"steps" must be a list'),
    (HEAD + '"trace", "steps": [{"location": "l9"}]}', 'step 0: there is no location "l9"'),
    (HEAD + '"trace", "steps": [{"location": "l1", "state": {"w": 1}}]}', "no variable w"),
    (HEAD + '"trace", "steps": [{"location": "l1", "state": {"x": true}}]}', "not a value of x"),
    (HEAD + '"trace", "violated": "l5", "steps": [{"location": "l1", "state": {}}]}', "ends in l1"),
]


@pytest.mark.parametrize(("text", "message"), FAULTS)
def test_faults_are_named(text, message, tmp_path):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_evidence(path, PROGRAM)
    assert message in str(caught.value)
    assert "bad.json" in str(caught.value)


def test_unreadable_files(tmp_path):
    with pytest.raises(InputError, match="cannot read"):
        read_evidence(tmp_path / "missing.json", PROGRAM)
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a text file"):
        read_evidence(tmp_path / "binary.json", PROGRAM)
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(InputError):
        read_evidence(tmp_path / "deep.json", PROGRAM)
    with pytest.raises(InputError, match="cannot write"):
        write_evidence(tmp_path / "no" / "where.json", Safe(Exhausted(1)), PROGRAM)
    with pytest.raises(InputError, match="no evidence"):
        write_evidence(tmp_path / "u.json", Unknown("bored"), PROGRAM)


@pytest.mark.parametrize("kind", [[], ["trace"], {}, 3, None, True, "proof"])
def test_a_kind_that_is_none_is_refused(tmp_path: Path, kind: object) -> None:
    path = tmp_path / "claim.json"
    path.write_text(json.dumps({"revet": 1, "kind": kind, "k": 1, "formula": "true"}))
    with pytest.raises(InputError, match=r'"kind" is .*, but must be one of'):
        read_evidence(path, TransitionSystem((), b.TRUE, Relation(), {}))
