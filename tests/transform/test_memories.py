"""Arrays on the bit level: as the words of their cells, and as if anything were read from them."""

from __future__ import annotations

from random import Random

import pytest

from revet.api import as_program
from revet.budget import Budget
from revet.driver.answer import Answer
from revet.driver.options import parse_options
from revet.driver.prepare import Preparation
from revet.driver.run import solve
from revet.engines.common.context import Context
from revet.engines.registry import engine as registered
from revet.errors import UsageError
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT, Array, BitVec, Sort
from revet.logic.terms import Term
from revet.logic.values import ArrayValue, same
from revet.model.circuit import evaluate, literal_value
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result import KInductive, Safe, Unknown, Unsafe
from revet.transform.bit_operations import bits_of, is_made_of_bits, value_of, width_of
from revet.transform.bitblast import bit_blast
from revet.transform.reads import arbitrary_reads
from revet.transform.reduction import Spurious

MEMORY = Array(BitVec(2), BitVec(3))
FLAGS = Array(BOOL, BOOL)
M, N = b.var("m", MEMORY), b.var("n", MEMORY)
F = b.var("f", FLAGS)
A, D, P = b.var("a", BitVec(2)), b.var("d", BitVec(3)), b.var("p", BOOL)


def answer(system: TransitionSystem, name: str, *, bits: bool = False, **options: int) -> Answer:
    """In this process, and confirmed on the system."""
    texts = {key: str(value) for key, value in options.items()}
    how = Preparation(bits=bits)
    context = Context(budget=Budget(60))
    return solve(as_program(system), name, parse_options(registered(name), texts), context, how)


def random_value(sort: Sort, random: Random) -> object:
    return value_of([random.getrandbits(1) for _ in range(width_of(sort))], sort)


@pytest.mark.parametrize("sort", [MEMORY, FLAGS, BitVec(5), BOOL, Array(BitVec(1), BitVec(2))])
def test_bits_and_values(sort: Sort) -> None:
    random = Random(1)
    for _ in range(20):
        bits = [random.getrandbits(1) for _ in range(width_of(sort))]
        assert bits_of(value_of(bits, sort), sort) == bits


@pytest.mark.parametrize("term", [
    b.select(M, A), b.select(b.store(M, A, D), b.bv(2, 2)), b.store(M, A, D), b.ite(P, M, N),
    b.eq(M, N), b.const_array(MEMORY, D), b.select(F, P), b.store(F, P, b.eq(M, N)),
    b.select(b.store(b.ite(P, M, N), A, b.select(N, A)), b.bvadd(A, b.bv(1, 2))),
])
def test_array_operators(term: Term) -> None:
    """The gates of a term say what the evaluator says."""
    random = Random(2)
    variables = [M, N, F, A, D, P]
    target = b.var("target", term.sort)
    system = TransitionSystem((*variables, target), b.TRUE, Relation(), {"p": b.eq(term, target)})
    circuit = bit_blast(system).model
    for _ in range(30):
        state = {x: random_value(x.sort, random) for x in variables}
        if random.random() < 0.3:
            state[N] = state[M]
        value = Evaluator(state)(term)  # type: ignore[arg-type]
        other = random_value(term.sort, random)
        for given in (value, other):
            bits = [x for v in variables for x in bits_of(state[v], v.sort)]  # type: ignore[arg-type]
            values = evaluate(circuit, [], [*bits, *bits_of(given, term.sort)])  # type: ignore[arg-type]
            equal = same(value, given, term.sort)  # type: ignore[arg-type]
            assert literal_value(values, circuit.bad["p"]) == (not equal)


def memory_system(seed: int) -> TransitionSystem:
    """A memory that is written and read; an input that the property and a constraint depend on."""
    random = Random(seed)
    wanted = b.var("wanted", BitVec(2))  # takes any value in every step
    fresh = b.var("wanted.next", BitVec(2))
    data = b.var("data", BitVec(3))
    writes = random.choice([P, b.bvult(A, wanted), b.eq(wanted, b.bv(random.randrange(4), 2))])
    written = random.choice([D, b.bvadd(D, b.bv(1, 3)), b.select(M, A), b.bvand(data, b.bv(5, 3))])
    step = Relation(
        b.TRUE,
        {M: b.ite(writes, b.store(M, wanted, written), M), A: b.bvadd(A, b.bv(1, 2)),
         D: random.choice([b.select(M, wanted), b.bvxor(D, b.select(M, A)), D]), wanted: fresh},
        (fresh, data),
    )
    init = b.and_(b.eq(M, b.const_array(MEMORY, b.bv(random.randrange(2), 3))), b.eq(D, b.bv(1, 3)),
                  b.bvult(A, b.bv(2, 2)))
    goal = random.choice([
        b.bvult(b.select(M, wanted), b.bv(random.randrange(3, 8), 3)),
        b.or_(b.bvult(D, b.bv(5, 3)), b.eq(wanted, A)),
        b.not_(b.and_(b.eq(b.select(M, wanted), b.bv(6, 3)), b.eq(D, b.bv(7, 3)))),
    ])
    constraint = b.not_(b.eq(wanted, b.bv(random.randrange(4), 2)))
    return TransitionSystem((M, A, D, P, wanted), init, step, {"goal": goal}, (constraint,))


@pytest.mark.parametrize("seed", range(8))
def test_memories_as_words(seed: int) -> None:
    """The checker and the replay work on the system itself, so that an answer is a right one."""
    system = memory_system(seed)
    found = answer(system, "pdr")
    assert found.status in ("safe", "unsafe")
    shallow = answer(system, "bmc", bound=6)
    wide = answer(system, "bmc", bits=True, bound=6, stride=3)
    assert (shallow.status == "unsafe") == (wide.status == "unsafe")
    if shallow.status == "unsafe":
        assert found.status == "unsafe"
        assert isinstance(shallow.verdict, Unsafe) and isinstance(wide.verdict, Unsafe)
        assert len(shallow.verdict.trace) <= len(wide.verdict.trace)


def test_what_takes_any_value_is_an_input() -> None:
    system = memory_system(0)
    circuit = bit_blast(system).model
    assert circuit.inputs == 2 + 3  # wanted, data
    assert circuit.latches == 12 + 2 + 3 + 1 + 1  # m, a, d, p, and whether it has started


def test_large_arrays_are_refused() -> None:
    large = b.var("large", Array(BitVec(30), BitVec(8)))
    system = TransitionSystem((large,), b.TRUE, Relation(), {"p": b.eq(large, large)})
    assert not is_made_of_bits(large.sort)
    with pytest.raises(UsageError):
        bit_blast(system)
    assert not is_made_of_bits(Array(INT, BitVec(2)))


def with_memory(goal: Term) -> TransitionSystem:
    """A counter that stops at 5, and a large memory that is addressed with it."""
    memory = b.var("memory", Array(BitVec(30), BitVec(3)))
    address = b.concat(b.bv(0, 27), D)
    more = b.ite(b.bvult(D, b.bv(5, 3)), b.bvadd(D, b.bv(1, 3)), D)
    step = Relation(b.TRUE, {memory: b.store(memory, address, D), D: more})
    init = b.and_(b.eq(D, b.bv(0, 3)), b.eq(memory, b.const_array(memory.sort, b.bv(0, 3))))
    return TransitionSystem((memory, D), init, step, {"goal": b.or_(goal, b.eq(
        b.select(memory, address), b.select(memory, b.bv(7, 30))))})


@pytest.mark.parametrize("seed", range(6))
def test_k_induction_on_words(seed: int) -> None:
    """Also its proofs about paths without repeated states."""
    found = answer(memory_system(seed), "kind", bits=True, max_k=5)
    assert "not accepted" not in getattr(found.verdict, "reason", "")
    if found.status != "unknown":
        assert found.status == answer(memory_system(seed), "pdr").status


def test_reads_of_anything() -> None:
    """A proof that does not need the memory is one of the system; a run that does says nothing, nor does
    a proof about paths without repeated states."""
    how = Preparation(any_reads=True, bits=True)
    safe = solve(as_program(with_memory(b.bvult(D, b.bv(6, 3)))), "pdr", how=how)
    assert isinstance(safe.verdict, Safe) and safe.checked is not None and safe.checked.accepted
    unclear = solve(as_program(with_memory(b.bvult(D, b.bv(4, 3)))), "pdr", how=how)
    assert isinstance(unclear.verdict, Unknown) and "too coarse" in unclear.verdict.reason
    back = arbitrary_reads(with_memory(b.bvult(D, b.bv(6, 3)))).certificate_back
    with pytest.raises(Spurious):
        back(KInductive(b.TRUE, 2, simple_path=True))


def test_systems_without_arrays_stay() -> None:
    system = TransitionSystem((D,), b.TRUE, Relation(), {"p": b.eq(D, D)})
    assert arbitrary_reads(system).model is system
    assert ArrayValue(0) == value_of([0] * 12, MEMORY)
