"""Loop invariants of a certificate, in C over the variables that are visible at the loop."""

from __future__ import annotations

from dataclasses import dataclass

from revet.errors import Position
from revet.frontends.c import libc
from revet.frontends.c.ast import CProgram
from revet.frontends.c.ast.program import spoken
from revet.frontends.c.expression import Name, NotExpressible, c_conjuncts, c_expression
from revet.frontends.c.lower.flow import Loop
from revet.frontends.c.lower.program import Lowered
from revet.frontends.c.lower.symbols import Meaning
from revet.frontends.c.scopes import Scopes
from revet.frontends.c.types import Array, Floating, Int, Pointer
from revet.frontends.c.witness.writing import Invariant
from revet.logic.core import var
from revet.logic.sorts import INT
from revet.logic.terms import FALSE, Op, Term
from revet.logic.walk import substitute, subterms
from revet.model.cfa import Cfa, Location
from revet.result.certificate import Cases, Certificate, LocationInvariants, ProcedureContracts


@dataclass(frozen=True, slots=True)
class Found:
    """``notes``: what C could not say. Conjuncts that are left out make an invariant weaker."""

    invariants: tuple[Invariant, ...]
    notes: tuple[str, ...]


def loop_invariants(lowered: Lowered, program: CProgram, certificate: LocationInvariants) -> Found:
    """One invariant for every loop; a loop that was inlined several times holds their disjunction."""
    copies: dict[tuple[Position, str, bool], list[str]] = {}
    notes: list[str] = []
    scopes = Scopes(program)
    for head, loop in lowered.loops.items():
        if loop.at.file == libc.FILE:
            continue  # a loop of ours, which the reader of a witness does not have
        formula = _formula_at(lowered.cfa, head, certificate)
        if formula is None:  # nothing is known of this copy of the loop
            copies.setdefault((loop.at, loop.function, loop.label), []).append("1")
            continue
        if loop.do:
            notes.append(f"{loop.at}: an invariant of a do loop, which witnesses cannot say")
            continue
        names = _names(lowered, scopes, loop)
        if formula is FALSE:
            continue  # this copy of the loop is never reached
        said, left_out = c_conjuncts(formula, names)
        for part, reason in left_out:
            if part.op == Op.FORALL:
                notes.append(f"{loop.at}: {_for_every(part, names)}")
            else:
                notes.append(f"{loop.at}: not said in C: {str(part)[:80]} ({reason})")
        text = " && ".join(f"({part})" for part in said) if len(said) > 1 else (said or ["1"])[0]
        copies.setdefault((loop.at, loop.function, loop.label), []).append(text)
    known = [(where, _either(texts)) for where, texts in copies.items()]
    invariants = [
        Invariant(at, function, text, "location_invariant" if label else "loop_invariant")
        for (at, function, label), text in known
        if text != "1"
    ]
    invariants.sort(key=lambda invariant: invariant.at)
    return Found(tuple(invariants), tuple(notes))


def _for_every(quantified: Term, names: dict[Term, Name]) -> str:
    """A quantified formula, for people: C has no word for it, but can say the rest."""
    letters = {x: letter for x, letter in zip(quantified.payload, "kmnpqr", strict=False) if x.sort is INT}
    known = {**names, **{x: Name(letter, Int(32, True)) for x, letter in letters.items()}}
    (body,) = quantified.args
    try:
        elements: dict[Term, Term] = {}
        for node in subterms(body):
            if node.op == Op.SELECT and node.args[0] in known:
                array = known[node.args[0]]
                element = elements[node] = var(f"element!{len(elements)}", node.sort)
                known[element] = Name(f"{array.text}[{_index(node.args[1], known)}]", array.type)
        said = c_expression(substitute(body, elements), known)
        return f"for every {' and '.join(letters.values())}: {said}"
    except NotExpressible:
        return str(quantified)[:200]


def _index(index: Term, names: dict[Term, Name]) -> str:
    return names[index].text if index in names else c_expression(index, names)


def _formula_at(cfa: Cfa, location: Location, certificate: LocationInvariants) -> Term | None:
    """The location's formula, or that of the first location that empty edges inevitably lead to:
    every state here is a state there."""
    passed: set[Location] = set()
    while location not in certificate.formulas:
        passed.add(location)
        edges = cfa.outgoing[location]
        if len(edges) != 1 or edges[0].statements or edges[0].target in passed:
            return None
        location = edges[0].target
    return certificate.formulas[location]


def _either(texts: list[str]) -> str:
    different = list(dict.fromkeys(texts))
    if "1" in different:
        return "1"
    return different[0] if len(different) == 1 else " || ".join(f"({text})" for text in different)


def _names(lowered: Lowered, scopes: Scopes, loop: Loop) -> dict[Term, Name]:
    """The automaton's variables that are variables of the source in scope at a loop."""
    visible = scopes.names(loop.function, loop.at)
    found: dict[Term, Name] = {}
    for term, meaning in lowered.meanings.items():
        variable = meaning.variable
        if meaning.expression is None or variable is None or visible.get(variable.name) is not variable:
            continue
        if not variable.is_global and meaning.depth != loop.depth:
            continue  # the same variable of another activation
        if isinstance(meaning.type, Int | Floating | Pointer):
            found[term] = Name(meaning.expression, meaning.type, _count(meaning))
    return found


def _count(meaning: Meaning) -> int | None:
    """The number of elements of a one-dimensional array of scalars."""
    if not meaning.array or meaning.variable is None or not isinstance(meaning.variable.type, Array):
        return None
    one = meaning.variable.type
    return one.count if one.element == meaning.type else None


def certificate_text(lowered: Lowered, tree: CProgram, certificate: Certificate) -> str:
    """A certificate for people: the invariants at the source's loop heads, in C."""
    if isinstance(certificate, ProcedureContracts):
        return _contracts(certificate)
    if isinstance(certificate, Cases):
        return f"in each of {certificate.leaves} cases of the floats drawn, intervals exclude the error"
    if not isinstance(certificate, LocationInvariants):
        return f"no loop needs an invariant: {certificate.text(lowered.cfa)}"
    found = loop_invariants(lowered, tree, certificate)
    lines = [
        f"invariant of the loop at {i.at} in {spoken(i.function or '')}()\n   {_one_a_line(i.value)}"
        for i in found.invariants
    ]
    lines += [f"note: {note}" for note in found.notes]
    return "\n".join(lines or ["no loop needs an invariant"])


def _contracts(certificate: ProcedureContracts) -> str:
    lines = ["contracts of the recursive functions (x@entry: the value of x at the call)"]
    for name, contract in certificate.contracts.items():
        lines.append(f"  {name}() is called with  {contract.requires}")
        lines.append(f"  {name}() ensures  {contract.ensures}")
    return "\n".join(lines)


def _one_a_line(conjunction: str) -> str:
    """A long conjunction, broken where its parts meet."""
    return conjunction.replace(") && (", ")\n&& (").replace("\n", "\n   ")
