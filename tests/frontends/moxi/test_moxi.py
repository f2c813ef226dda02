"""MoXI: verdicts, the finite-trace semantics against a search by hand, JSON, errors with their places."""

from itertools import product
from pathlib import Path
from random import Random

import pytest

from revet.api import check
from revet.errors import InputError, Unsupported
from revet.frontends.moxi import program_of
from revet.frontends.program import ReplayFailed
from revet.logic.sorts import INT
from revet.result import Safe, Unsafe
from revet.result.trace import SystemTrace

EXAMPLES = Path(__file__).parents[3] / "examples/moxi"

DELAY = """(set-logic QF_LIA)
(declare-enum-sort Mode (idle busy))
(declare-const limit Int)
(define-fun small ((n Int)) Bool (<= 0 n limit))
(define-system Delay :input ((i Int)) :output ((o Int)) :local ((|a mode| Mode))
  :init (and (= o 0) (= |a mode| idle))
  :trans (and (= o' i) (= |a mode|' busy)))
(define-system Twice :input ((i Int)) :output ((o Int)) :local ((t Int))
  :subsys (A (Delay i t)) :subsys (B (Delay t o)))
(check-system Twice :input ((x Int)) :output ((y Int)) :local ((z Int))
  :assumption (bounded (and (small x) (= limit 5)))
  :reachable (large (> y 5)) :reachable (five (= y 5)) :reachable (falls (< y' y))
  :query (never (bounded large)) :query (once (bounded five)) :query (both (bounded falls five)))
"""


def program(text, name="test.moxi"):
    return program_of(text, Path(name))


def test_queries_of_one_check():
    loaded = program(DELAY)
    assert [one.name for one in loaded.properties] == ["never", "once", "both"]
    assert len(loaded.problems) == 1
    assert check(loaded, engine="pdr-ia", property="never").status == "safe"
    answer = check(loaded, engine="kind", property="both")
    assert answer.status == "unsafe" and isinstance(answer.verdict, Unsafe)
    states = [dict(state) for state in answer.verdict.trace.states]
    y = next(x for x in states[0] if x.name == "y")
    assert y.sort is INT and 5 in [state[y] for state in states]
    witness = loaded.restricted_to("both").witness(answer.verdict)
    assert witness.startswith("(check-system-response") and "|A.a mode| busy" in witness
    assert loaded.restricted_to("both").witness(Safe) is None


def test_a_run_that_is_none_is_not_confirmed():
    loaded = program(DELAY).restricted_to("once")
    trace = check(loaded, engine="kind").verdict.trace
    assert loaded.problems[0].direct is True
    loaded.replay(trace)
    for number, state in enumerate(trace.states):
        for x, value in state.items():
            states = [dict(one) for one in trace.states]
            states[number][x] = value + 7
            if x.name == "x" and number == len(states) - 1:
                continue  # the last input may be another one, but not outside of the assumption
            with pytest.raises(ReplayFailed):
                loaded.replay(SystemTrace(tuple(states), trace.inputs, trace.violated))


def test_queries_about_different_systems_are_answered_one_by_one():
    more = "(check-system Delay :output ((o Int)) :reachable (r (and (= o 3) (= o' 4))) :query (once (r)))"
    loaded = program(DELAY + more)
    assert [name for name, _ in loaded.questions()] == ["never", "once", "both", "Delay.once"]
    together = check(loaded, engine="kind", property="Delay.once")
    assert together.status == "unsafe"
    union = program(DELAY + more).restricted_to("never", "Delay.once")
    assert len(union.problems) == 2 and set(union.model.properties) == {"never", "Delay.once"}


# ---------------------------------------------------------------------- semantics


def formula(rng: Random, names: list[str], depth: int = 2) -> tuple[str, str]:
    """A random formula in MoXI and in Python."""
    if depth == 0 or rng.random() < 0.2:
        name = rng.choice(names)
        return name, f"v[{name!r}]"
    a, b = formula(rng, names, depth - 1), formula(rng, names, depth - 1)
    match rng.randrange(4):
        case 0:
            return f"(and {a[0]} {b[0]})", f"({a[1]} and {b[1]})"
        case 1:
            return f"(or {a[0]} {b[0]})", f"({a[1]} or {b[1]})"
        case 2:
            return f"(not {a[0]})", f"(not {a[1]})"
    return f"(= {a[0]} {b[0]})", f"({a[1]} == {b[1]})"


def satisfied(init: str, trans: str, inv: str, assumption: str, targets: list[str]) -> bool:
    """Is there a run, by the definition? Explicit search over (state, targets seen)."""
    names = ["i", "o", "l"]
    states = list(product((False, True), repeat=3))

    def holds(text: str, now: tuple[bool, ...], then: tuple[bool, ...] = (False,) * 3) -> bool:
        v = dict(zip(names, now, strict=True)) | {f"{n}'": x for n, x in zip(names, then, strict=True)}
        return bool(eval(text, {"v": v}))

    todo = [(state, frozenset[int]()) for state in states if holds(init, state)]
    seen = set(todo)
    while todo:
        now, reached = todo.pop()
        for then in states:
            if all(holds(one, now, then) for one in (trans, inv, assumption)):
                hit = reached | {n for n, one in enumerate(targets) if holds(one, now, then)}
                if len(hit) == len(targets):
                    return True
                if (then, hit) not in seen:
                    seen.add((then, hit))
                    todo.append((then, hit))
    return False


@pytest.mark.parametrize("seed", range(24))
def test_random_systems_against_the_definition(seed):
    rng = Random(seed)
    now, both = ["i", "o", "l"], ["i", "o", "l", "i'", "o'", "l'"]
    init, inv = formula(rng, now), formula(rng, now)
    trans = [formula(rng, now) for _ in range(2)]
    transition = (f"(and (= o' {trans[0][0]}) (= l' {trans[1][0]}))",
                  f"(v[\"o'\"] == {trans[0][1]} and v[\"l'\"] == {trans[1][1]})")
    if rng.random() < 0.4:
        transition = formula(rng, both, 3)
    assumption = formula(rng, rng.choice([now, [*now, "i'"]]))
    targets = [formula(rng, rng.choice([now, both])) for _ in range(rng.randrange(3))]
    text = f"""(define-system S :input ((i Bool)) :output ((o Bool)) :local ((l Bool))
      :init {init[0]} :trans {transition[0]} :inv {inv[0]})
    (check-system S :input ((i Bool)) :output ((o Bool)) :local ((l Bool)) :assumption (a {assumption[0]})
      {' '.join(f':reachable (r{n} {one[0]})' for n, one in enumerate(targets))}
      :query (q (a {' '.join(f'r{n}' for n in range(len(targets)))})))"""
    expected = satisfied(init[1], transition[1], inv[1], assumption[1], [one[1] for one in targets])
    answer = check(program(text), engine="pdr-ia", timeout=120)
    assert answer.status == ("unsafe" if expected else "safe"), text


DEADLOCK = """(define-system S :output ((n Int)) :init (= n 0) :trans (and (< n 3) (= n' (+ n 1))))
(check-system S :output ((n Int)) :reachable (r (= n {})) :query (q (r)))"""


@pytest.mark.parametrize(("reached", "status"), [(2, "unsafe"), (3, "safe")])
def test_a_state_without_successor_reaches_nothing(reached, status):
    assert check(program(DEADLOCK.format(reached)), engine="kind").status == status


def test_current_replaces_the_initial_condition():
    text = """(define-system S :output ((n Int)) :init (= n 0) :trans (= n' n))
    (check-system S :output ((n Int)) :reachable (r (= n 7)) :current (c (>= n 5))
      :queries ((started (r)) (anywhere (c r))))"""
    assert check(program(text), property="started", engine="kind").status == "safe"
    assert check(program(text), property="anywhere", engine="kind").status == "unsafe"


# ---------------------------------------------------------------------- files


@pytest.mark.parametrize(("name", "status"), [
    ("airlock.moxi", "safe"), ("exchange.moxi", "unsafe"), ("lamp.json", "safe"),
])
def test_the_examples(name, status):
    assert check(str(EXAMPLES / name), engine="kind" if status == "safe" else "bmc").status == status


MEMORY = """{"identifier": "Array", "parameters": [{"identifier": {"symbol": "BitVec", "indices": [2]}},
     {"identifier": {"symbol": "BitVec", "indices": [8]}}]}"""
JSON = """[{"command": "declare-const", "symbol": "c", "sort":
     {"identifier": {"symbol": "BitVec", "indices": [8]}}},
 {"command": "define-system", "symbol": "S",
  "output": [{"symbol": "a b", "sort": MEMORY}],
  "init": {"identifier": "=", "args": [{"identifier": "|a b|"}, {"identifier": {"qualifier": "as",
     "symbol": "const", "sort": MEMORY}, "args": [{"identifier": "#x00"}]}]},
  "trans": {"identifier": "=", "args": [{"identifier": "a b'"},
     {"identifier": {"symbol": "let", "binders": [{"symbol": "one", "term": {"identifier": "#b01"}}]},
      "args": [{"identifier": "store", "args": [{"identifier": "a b"}, {"identifier": "one"},
        {"identifier": "c"}]}]}]}},
 {"command": "check-system", "symbol": "S",
  "output": [{"symbol": "m", "sort": MEMORY}],
  "reachable": [{"symbol": "r", "formula": {"identifier": "=", "args": [{"identifier":
     {"symbol": "extract", "indices": [7, 4]}, "args": [{"identifier": "select", "args": [{"identifier": "m"},
     {"identifier": {"symbol": "bv1", "indices": [2]}}]}]}, {"identifier": "#xA"}]}}],
  "query": [{"symbol": "q", "formulas": ["r"]}]}]
""".replace("MEMORY", MEMORY.replace("\n", " "))


def test_json():
    answer = check(program(JSON, "test.json"), engine="bmc")
    assert answer.status == "unsafe" and "|a b|" not in str(answer.program.source_run(answer.verdict.trace))


@pytest.mark.parametrize(("text", "line", "message"), [
    ("{}", 1, "a list of commands"),
    ('[{"command": "frob"}]', 1, "a command of MoXI"),
    ('[{"command": "set-logic"}]', 1, "logic"),
    ('[\n{"command": "set-logic", "logic": "QF_LIA", "more": 1}]', 2, "key more"),
    ('[{"command": "set-logic", "logic": "QF_LIA",}]', 1, "a key"),
    ('[{"command": "set-logic", "logic": tru}]', 1, "a value"),
    ('[\n\n{"command": "set-logic"', 3, ", or the end"),
    (JSON.replace('"select"', '"selects"'), 14, "unknown function selects"),
    (JSON.replace('"formulas": ["r"]', '"formulas": ["s"]'), 16, "no condition s"),
    ("[" * 100_000, 1, "a value"),
])
def test_json_refused_with_place(text, line, message):
    with pytest.raises(InputError, match=message) as caught:
        program(text, "test.json")
    assert caught.value.position.line == line


def test_deep_json_is_read():
    deep = '{"identifier": "not", "args": [' * 20_000 + '{"identifier": "m"}' + "]}" * 20_000
    text = f"""[{{"command": "define-system", "symbol": "S", "output": [{{"symbol": "m", "sort":
      {{"identifier": "Bool"}}}}], "init": {deep}}}, {{"command": "check-system", "symbol": "S", "query":
      [{{"symbol": "q", "formulas": []}}]}}]"""
    assert program(text, "test.json").property_names == ["q"]


@pytest.mark.parametrize(("change", "message"), [
    (("(= o 0)", "(= o' 0)"), "next values"),
    (("(= o' i)", "(= p' i)"), "p' is not a term"),
    ((":trans (and", ":trans (+ 1 2) :trans (and"), "expected a formula"),
    ((":init (and", ":init true :init (and"), "twice"),
    (("(Delay i t)", "(Delay i)"), "2 inputs and outputs"),
    (("(Delay t o)", "(Delay t i)"), "is an input"),
    (("(Delay t o)", "(Delay t q)"), "q is not a variable"),
    (("(Delay t o)", "(Late t o)"), "no system Late"),
    (("(B (Delay", "(A (Delay"), "two subsystems"),
    ((":output ((y Int))", ":output ((y Bool))"), "o of sort Int"),
    ((":output ((y Int))", ":output ((x Int))"), "declared twice"),
    ((":reachable (large", ":fairness (large"), "fairness"),
    ((":reachable (large", ":justice (large"), "expected one of"),
    (("(bounded large)", "(bounded huge)"), "no condition huge"),
    (("(idle busy)", "()"), "no values"),
    (("(= |a mode| idle)", "(= |a mode| (as @2 Mode))"), "no value 2"),
    (("(= |a mode| idle)", "(< |a mode| idle)"), "Mode"),
    (("(= |a mode| idle)", "(exists ((m Mode)) (= m idle))"), "quantifiers over"),
    ((":local ((|a mode| Mode))", ":local ((|a mode| (Array Int Mode)))"), "arrays with"),
    (("(declare-const limit Int)", "(declare-fun limit (Int) Int)"), "arguments"),
    (("(set-logic QF_LIA)", "(assert true)"), "not supported"),
    ((":query (once", ":queries ((more (bounded large)) (other (five))) :query (once"), "same value"),
    ((":assumption (bounded (and (small x)", ":assumption (bounded (and (small y')"), "next values"),
    ((":query (once", ":query (never"), "two queries"),
])
def test_refused_with_place(change, message):
    assert change[0] in DELAY
    with pytest.raises(InputError, match=message) as caught:
        program(DELAY.replace(*change, 1))
    assert caught.value.position is not None


def test_without_a_query():
    with pytest.raises(InputError, match="no query"):
        program("(define-system S)")
    with pytest.raises(Unsupported, match="not supported"):
        program("(declare-datatype D ((d)))")


def test_many_subsystems_are_refused_in_time():
    text = "(define-system S0 :output ((x Int)) :local ((a Int) (b Int)))"
    for n in range(1, 40):
        text += f"(define-system S{n} :output ((x Int)) :subsys (A (S{n - 1} x)) :subsys (B (S{n - 1} x)))"
    with pytest.raises(Unsupported, match="more than 100000 variables"):
        program(text)
