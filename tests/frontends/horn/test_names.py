"""Assertions whose quantifiers and lets bind the same few names again and again: is the meaning kept?

Everything is of sort Bool, so that an assertion can be evaluated in an interpretation of the predicates by
trying all values, without any of the reader's code.
"""

from itertools import product
from pathlib import Path
from random import Random

import pytest

from revet import check
from revet.errors import InputError
from revet.frontends.horn import program_of
from revet.logic.evaluate import Evaluator

ARITY = {"p": 1, "q": 2}
NAMES = ["x", "y"]
ODD = ["p.0", "x!0", "x!in"]


def _formula(rng: Random, depth: int, sign: bool = True):
    """Mostly a Horn clause: few predicates where ``sign`` is positive, and quantifiers that fit it."""
    kinds = ["and", "or", "=>", "not", "quantifier", "quantifier", "let", "atom"]
    kind = rng.choice(kinds) if depth else "atom"
    match kind:
        case "and" | "or":
            return kind, _formula(rng, depth - 1, sign), _formula(rng, depth - 1, sign)
        case "=>":
            return kind, _formula(rng, depth - 1, not sign), _formula(rng, depth - 1, sign)
        case "not":
            return kind, _formula(rng, depth - 1, not sign)
        case "quantifier":
            names = list({_name(rng): 0 for _ in range(rng.randrange(1, 3))})
            return "forall" if sign else "exists", names, _formula(rng, depth - 1, sign)
        case "let":
            return kind, _name(rng), _value(rng), _formula(rng, depth - 1, sign)
    name = rng.choice(["=", "value"] if rng.random() < (0.6 if sign else 0.2) else ["p", "q"])
    if name == "value":
        return _value(rng)
    return "atom", name, [_value(rng) for _ in range(ARITY.get(name, 2))]


def _name(rng: Random) -> str:
    return rng.choice(NAMES if rng.random() < 0.8 else ODD)


def _value(rng: Random):
    return ("value", _name(rng), rng.random() < 0.3)


def _text(formula) -> str:
    match formula:
        case "value", name, negated:
            return f"(not {name})" if negated else name
        case "atom", name, arguments:
            return f"({name} {' '.join(map(_text, arguments))})"
        case ("forall" | "exists") as kind, names, body:
            return f"({kind} ({' '.join(f'({name} Bool)' for name in names)}) {_text(body)})"
        case "let", name, value, body:
            return f"(let (({name} {_text(value)})) {_text(body)})"
    kind, *parts = formula
    return f"({kind} {' '.join(map(_text, parts))})"


def _truth(formula, facts, values: dict[str, bool]) -> bool:
    match formula:
        case "value", name, negated:
            return values[name] is not negated
        case "atom", name, arguments:
            given = tuple(_truth(one, facts, values) for one in arguments)
            return given[0] is given[1] if name == "=" else (name, given) in facts
        case ("forall" | "exists") as kind, names, body:
            choices = product((False, True), repeat=len(names))
            found = [_truth(body, facts, {**values, **dict(zip(names, one, strict=True))}) for one in choices]
            return all(found) if kind == "forall" else any(found)
        case "let", name, value, body:
            return _truth(body, facts, {**values, name: _truth(value, facts, values)})
        case "not", part:
            return not _truth(part, facts, values)
    kind, left, right = formula
    first = _truth(left, facts, values)
    if kind == "=>":
        return not first or _truth(right, facts, values)
    second = _truth(right, facts, values)
    return (first and second) if kind == "and" else (first or second)


def _holds(clause, facts) -> bool:
    """The clause, by trying all values of its variables."""
    def fact(atom, values):
        evaluator = Evaluator(values)
        return (atom.payload.name, tuple(evaluator(x) for x in atom.args)) in facts

    for choice in product((False, True), repeat=len(clause.variables)):
        values = dict(zip(clause.variables, choice, strict=True))
        body = Evaluator(values)(clause.constraint) and all(fact(atom, values) for atom in clause.body)
        if body and (clause.head is None or not fact(clause.head, values)):
            return False
    return True


DECLARED = "(declare-fun p (Bool) Bool)(declare-fun q (Bool Bool) Bool)"
FACTS = [(name, given) for name, count in ARITY.items() for given in product((False, True), repeat=count)]


def _assertion(rng: Random):
    """A closed formula."""
    return "forall", [*NAMES, *ODD], _formula(rng, rng.randrange(2, 5))


def test_clauses_mean_what_the_assertion_means():
    rng = Random(20)
    read = 0
    while read < 1500:
        formula = _assertion(rng)
        try:
            clauses = program_of(f"{DECLARED}(assert {_text(formula)})", Path("test.smt2")).model.clauses
        except InputError:
            continue
        read += 1
        for _ in range(4):
            facts = {one for one in FACTS if rng.random() < 0.5}
            expected = _truth(formula, facts, {})
            assert all(_holds(clause, facts) for clause in clauses) is expected, (_text(formula), facts)


def test_a_variable_of_the_head_is_not_captured():
    text = (
        "(assert (forall ((x Bool)) (or (p x) (forall ((x Bool)) (not (q x x))))))"
        "(assert (q true true))(assert (not (p false)))"
    )
    assert check(program_of(DECLARED + text, Path("test.smt2")), engine="spacer").status == "unsafe"


def _derivable(formulas) -> bool:
    """Is there no interpretation in which all assertions hold?"""
    return not any(
        all(_truth(formula, facts, {}) for formula in formulas)
        for choice in product((False, True), repeat=len(FACTS))
        for facts in [{one for one, chosen in zip(FACTS, choice, strict=True) if chosen}]
    )


@pytest.mark.parametrize("seed", range(12))
def test_answers_are_those_of_all_interpretations(seed):
    rng = Random(seed)
    formulas: list = []
    while len(formulas) < 5:
        formula = _assertion(rng)
        try:
            if program_of(f"{DECLARED}(assert {_text(formula)})", Path("test.smt2")).model.clauses:
                formulas.append(formula)
        except InputError:
            continue
    loaded = program_of(DECLARED + "".join(f"(assert {_text(one)})" for one in formulas), Path("test.smt2"))
    for engine in ["spacer", *(["kind", "bmc"] if loaded.model.linear else [])]:
        result = check(loaded, engine=engine, timeout=30)
        assert result.status == ("unsafe" if _derivable(formulas) else "safe"), (engine, result.reason)


def test_a_predicate_may_have_the_name_of_the_goal():
    text = "(declare-fun query! () Bool)(declare-fun query () Bool)(assert query!)(assert (=> query! query))"
    for claim, verdict in [("", "safe"), ("(assert (not query))", "unsafe")]:
        assert check(program_of(text + claim, Path("test.smt2")), engine="spacer").status == verdict
