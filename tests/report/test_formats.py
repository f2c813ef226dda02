"""Models written in the notations of other tools mean the same when they are read again."""

import re
from itertools import product
from pathlib import Path
from random import Random

import pytest

from revet.api import check
from revet.errors import ModelError, RevetError
from revet.frontends.aiger import program_of as aiger_of
from revet.frontends.aiger.writer import write_aiger
from revet.frontends.btor2 import program_of as btor2_of
from revet.frontends.horn import program_of as horn_of
from revet.frontends.moxi import program_of as moxi_of
from revet.frontends.sts import program_of as sts_of
from revet.frontends.vmt import program_of as vmt_of
from revet.logic import build as b
from revet.logic.smtlib_print import print_term, sort_text
from revet.logic.sorts import BOOL, INT, Array, BitVec
from revet.model.cfa import Cfa, Edge, Location
from revet.model.relation import Relation
from revet.model.statements import Assign, Assume
from revet.model.system import TransitionSystem
from revet.report.formats import as_bits, btor2, chc, moxi, vmt
from revet.transform.bitblast import bit_blast
from tests.generators import random_cfa, random_system, search_cfa, search_system


def sts(system: TransitionSystem) -> str:
    """In THETA's lisp-like notation; inputs are variables that nothing is said about."""
    variables = (*system.variables, *system.inputs)
    declared = " ".join(f"(var {x.name.replace('!', '_')} {sort_text(x.sort)})" for x in variables)

    def text(term):
        return re.sub(r"\|(\w+)'\|", r"(prime \1)", print_term(term)).replace("!", "_")

    goals = " ".join(f"(prop {text(one)})" for one in system.properties.values())
    init = b.and_(system.init, system.invariant)
    return f"(system {declared} (init {text(init)}) (trans {text(system.trans)}) {goals})"


def in_every_notation(system: TransitionSystem):
    return {
        "python": system,
        "vmt": vmt_of(vmt(system), Path("s.vmt")),
        "chc": horn_of(chc(system), Path("s.smt2")),
        "moxi": moxi_of(moxi(system), Path("s.moxi")),
        "sts": sts_of(sts(system), Path("s.sts")),
    }


WRITTEN = {"vmt": (vmt, vmt_of), "smt2": (chc, horn_of), "moxi": (moxi, moxi_of)}
COMPLETE = ("kind", "pdr-ia", "spacer")
OTHERS = ("ic3-qe", "imc", "bmc", "pdr-cfa", "cegar", "absint", "post", "invgen", "houdini")


@pytest.mark.parametrize("seed", range(4))
def test_systems_keep_their_verdict(seed):
    """By an engine that answers and by one that may not; the seeds go through all of them."""
    system = random_system(seed)
    expected = "unsafe" if search_system(system).trace is not None else "safe"
    for notation, program in in_every_notation(system).items():
        answer = check(program, engine=COMPLETE[seed % 3], timeout=120)
        assert answer.status == expected, (notation, answer.engine, answer.reason)
        agree(program, OTHERS[seed % len(OTHERS)], expected)


def agree(program, engine, expected):
    try:
        assert check(program, engine=engine, timeout=5).status in (expected, "unknown")
    except RevetError as error:
        assert engine in str(error)  # it takes no such model


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 200))
@pytest.mark.parametrize("engine", [*COMPLETE, *OTHERS])
def test_every_engine_says_the_same_of_every_notation(seed, engine):
    system = random_system(seed)
    expected = "unsafe" if search_system(system).trace is not None else "safe"
    for program in in_every_notation(system).values():
        agree(program, engine, expected)


@pytest.mark.parametrize("names", [
    ("select", "and"), ("state", "System"), ("bad0", ".init"), (".variable0", ".ended"),
    ("a b", "a b.next"), ("at L0", "P"),
])
def test_names_mean_nothing(names):
    """Variables that are called like an operator, or like what a writer makes up."""
    x, y = b.var(names[0], INT), b.var(names[1], BOOL)
    step = Relation(y, {x: b.ite(y, x + 1, x)}, ())
    system = TransitionSystem((x, y), b.and_(b.eq(x, b.integer(0)), y), step, {"a |b|": x < 3})
    place, error = Location("L0"), Location("E")
    edges = (Edge(place, place, (Assume(y), Assign(x, x + 1))), Edge(place, error, (Assume(x > 2),)))
    cfa = Cfa((x, y), (place, error), edges, place, (error,), b.eq(x, b.integer(0)))
    for model, (suffix, (write, read)) in product((system, cfa), WRITTEN.items()):
        text = write(model)
        assert check(read(text, Path(f"s.{suffix}")), engine="bmc").status == "unsafe", text


def test_a_stuck_state_counts_also_in_moxi():
    """MoXI's runs go on for a step, ours need not."""
    x = b.var("x", INT)
    step = Relation(x < 2, {x: x + 1}, ())
    system = TransitionSystem((x,), b.eq(x, b.integer(0)), step, {"small": x < 2}, (x <= 2,))
    assert check(moxi_of(moxi(system), Path("s.moxi")), engine="kind").status == "unsafe"


# ---------------------------------------------------------------------- words


A, C, M = b.var("a b", BitVec(3)), b.var("c", BOOL), b.var("m", Array(BitVec(2), BitVec(3)))
DRAWN = b.var("i", BitVec(3))


def random_words(seed: int, arrays: bool) -> TransitionSystem:
    rng = Random(seed)
    binary = [b.bvadd, b.bvsub, b.bvmul, b.bvudiv, b.bvurem, b.bvsdiv, b.bvsrem, b.bvsmod, b.bvand, b.bvor,
              b.bvxor, b.bvshl, b.bvlshr, b.bvashr]

    def word(depth: int):
        if depth == 0:
            return rng.choice([A, DRAWN, b.bv(rng.randrange(8), 3)])
        x, y = word(depth - 1), word(depth - 1)
        match rng.randrange(6):
            case 0:
                return b.ite(truth(depth - 1), x, y)
            case 1:
                return b.extract(3, 1, b.concat(b.extract(1, 0, x), b.extract(2, 1, y)))
            case 2:
                return rng.choice([b.bvnot, b.bvneg])(x)
            case 3 if arrays:
                return b.select(M, b.extract(1, 0, x))
            case 4:
                return b.extract(2, 0, rng.choice([b.zero_extend, b.sign_extend])(2, x))
        return rng.choice(binary)(x, y)

    def truth(depth: int):
        if depth == 0:
            return rng.choice([C, b.not_(C)])
        compare = rng.choice([b.bvult, b.bvule, b.bvslt, b.bvsle, b.eq])
        return rng.choice([b.and_, b.or_])(compare(word(depth - 1), word(depth - 1)), truth(depth - 1))

    updates = {A: word(2), C: truth(1)}
    variables = [A, C]
    init = [b.eq(A, b.bv(rng.randrange(8), 3)) if rng.random() < 0.5 else b.bvsle(A, b.bv(2, 3))]
    if arrays:
        variables.append(M)
        init.append(b.eq(M, b.store(b.const_array(M.sort, b.bv(1, 3)), b.bv(2, 2), A)) if rng.random() < 0.5
                    else b.eq(M, b.const_array(M.sort, b.bv(2, 3))))
        updates[M] = b.store(M, b.extract(1, 0, word(1)), word(1))
    step = Relation(truth(1) if rng.random() < 0.5 else b.TRUE, updates, (DRAWN,))
    goal = b.not_(b.and_(b.eq(A, b.bv(rng.randrange(8), 3)), C))
    bound = b.bvule(A, b.bv(6, 3))
    return TransitionSystem(tuple(variables), b.conjunction(init), step, {"goal": goal}, (bound,))


@pytest.mark.parametrize("seed", range(14))
def test_word_level_systems_keep_their_verdict(seed):
    arrays = seed % 2 == 1
    system = random_words(seed, arrays)
    expected = check(system, engine="kind", timeout=120).status
    assert expected in ("safe", "unsafe")
    read = btor2_of(btor2(system), Path("s.btor2"))
    assert check(read, engine="spacer" if arrays else "pdr", timeout=120).status == expected, btor2(system)
    assert btor2(read.model).count("state") >= len(system.variables)
    if not arrays:
        circuit = aiger_of(write_aiger(bit_blast(read.model).model), "s.aag")
        assert check(circuit, engine="pdr", timeout=120).status == expected


def test_automata_of_bits_are_written_in_btor2_and_aiger():
    text = """(declare-fun p ((_ BitVec 3)) Bool)(declare-fun q ((_ BitVec 3)) Bool)(assert (p #b000))
    (assert (forall ((x (_ BitVec 3))) (=> (p x) (p (bvadd x #b010)))))
    (assert (forall ((x (_ BitVec 3))) (=> (and (p x) (bvult #b100 x)) (q x))))
    (assert (not (q #b{})))"""
    for end, verdict in (("110", "unsafe"), ("101", "safe")):
        model = horn_of(text.format(end), Path("s.smt2")).model
        assert check(btor2_of(btor2(model), Path("s.btor2")), engine="kind").status == verdict
        circuit = write_aiger(bit_blast(as_bits(model)).model)
        assert check(aiger_of(circuit, Path("s.aag")), engine="pdr").status == verdict


def test_declared_sorts_are_declared():
    text = """(declare-sort U 0)(declare-fun x () U)(declare-fun w () U)(define-fun s () U (! x :next y))
    (define-fun i () Bool (! (= x w) :init true))(define-fun t () Bool (! (= x y) :trans true))
    (define-fun p () Bool (! (= x w) :invar-property 0))"""
    model = vmt_of(text, Path("s.vmt")).model
    for suffix in ("vmt", "smt2"):
        write, read = WRITTEN[suffix]
        assert check(read(write(model), Path(f"s.{suffix}")), engine="bmc").status == "unsafe"
    assert "(declare-sort U 0)" in moxi(model)
    moxi_of(moxi(model), Path("s.moxi"))


def test_integers_have_no_place_in_btor2():
    with pytest.raises(ModelError, match="sort Int"):
        btor2(random_system(1))


@pytest.mark.parametrize("seed", range(12))
def test_automata_keep_their_verdict(seed):
    cfa = random_cfa(seed)
    expected = "unsafe" if search_cfa(cfa).trace is not None else "safe"
    for program in (vmt_of(vmt(cfa), Path("a.vmt")), horn_of(chc(cfa), Path("a.smt2"))):
        result = check(program, engine="spacer", timeout=120)
        assert result.status == expected, result.reason


@pytest.mark.parametrize("seed", range(6))
def test_clauses_written_again_are_the_same_clauses(seed):
    first = horn_of(chc(random_cfa(seed)), Path("a.smt2")).model
    again = horn_of(chc(first), Path("a.smt2")).model
    assert [(c.body, c.constraint, c.head) for c in again.clauses] == [
        (c.body, c.constraint, c.head) for c in first.clauses
    ]
    assert vmt(first)
