"""What every solver must do: the operators as our semantics says, assumptions, cores, models."""

import contextlib
import threading
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from revet.budget import Budget, OutOfBudget
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT, REAL, Array, BitVec, FloatSort, Uninterpreted
from revet.logic.terms import FunctionSymbol, Op
from revet.logic.walk import free_vars
from revet.smt import SolverError, Status
from revet.smt.cvc5 import Cvc5
from revet.smt.z3 import Z3
from tests.logic.table import ROWS, trees, valuations, values, variable

pytest.importorskip("cvc5")
BACKENDS = {"z3": Z3, "cvc5": Cvc5}
backends = pytest.mark.parametrize("make", BACKENDS.values(), ids=BACKENDS)
relaxed = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
x, y, z = (b.var(name, INT) for name in "xyz")
p, q = b.var("p", BOOL), b.var("q", BOOL)


def supported(name, row):
    # cvc5 converts only constants between floats and reals, has constant arrays of values only,
    # and its fp.rem is experimental.
    missing = (Op.FP_FROM_REAL, Op.FP_REM, Op.FP_TO_REAL, Op.CONST_ARRAY)
    return not (name == "cvc5" and row.op in missing)


@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_operators_mean_what_our_semantics_says(name, row, backend_of):
    if not supported(name, row):
        pytest.skip("not in this solver")
    backend = backend_of(name)
    variables = [variable(sort, number) for number, sort in enumerate(row.args)]
    term = row.build(*variables)
    solver = backend.solver()

    @settings(max_examples=4, deadline=None, database=None)
    @given(st.tuples(*(values(sort) for sort in row.args)))
    def agree(arguments):
        expected = b.const(row.value(*arguments), row.sort)
        fixed = [b.eq(v, b.const(value, v.sort)) for v, value in zip(variables, arguments, strict=True)]
        solver.push()
        try:
            for equation in fixed:
                solver.add(equation)
            right = solver.check([b.eq(term, expected)])
            wrong = solver.check([b.not_(b.eq(term, expected))])
        finally:
            solver.pop()
        assert (wrong, right) == (Status.UNSAT, Status.SAT), (arguments, expected)

    agree()


@pytest.fixture(scope="module")
def backend_of():
    made = {}

    def get(name):
        if name not in made:
            made[name] = BACKENDS[name]()
        return made[name]

    return get


HARD = (Op.MUL, Op.DIV, Op.MOD, Op.RDIV, Op.FP_FROM_REAL, Op.FP_REM)
LINEAR = tuple(row for row in ROWS if row.op not in HARD)


@relaxed
@given(trees(BOOL, 3, LINEAR), valuations())
def test_ground_formulas_have_the_truth_value_we_compute(tree, valuation):
    formula = tree.term()
    solver = Z3().solver()
    for v in sorted(free_vars(formula), key=lambda v: v.id):
        solver.add(b.eq(v, b.const(valuation[v], v.sort)))
    expected = tree.value(valuation)
    assert solver.check([formula]) is (Status.SAT if expected else Status.UNSAT)


PLAIN = tuple(
    row
    for row in LINEAR
    if not row.op.startswith(("fp", "to_fp")) and row.op != Op.INT2BV
    and not any(isinstance(sort, FloatSort) for sort in (*row.args, row.sort))
)


@relaxed
@given(trees(BOOL, 3, PLAIN))
def test_terms_survive_the_way_through_z3(tree):
    formula = tree.term()
    backend = Z3()
    again = backend.reader.term(backend.translator.ast(formula))
    solver = backend.solver(budget=Budget(5))
    with contextlib.suppress(OutOfBudget):
        assert solver.check([b.xor(formula, again)]) is not Status.SAT

SIMPLE = tuple(row for row in PLAIN if row.op != Op.CONST_ARRAY)


@backends
@relaxed
@given(st.lists(trees(BOOL, 2, SIMPLE), min_size=1, max_size=4))
def test_models_satisfy_and_cores_are_unsatisfiable(make, some):
    formulas = [tree.term() for tree in some]
    backend = make()
    solver = backend.solver(budget=Budget(5))
    # cvc5 says so where it cannot relate two constant arrays.
    with contextlib.suppress(OutOfBudget, *([SolverError] if make is Cvc5 else [])):
        status = solver.check(formulas)
        if status is Status.SAT:
            model = solver.model()
            assert all(model.holds(formula) for formula in formulas)
        elif status is Status.UNSAT:
            core = solver.core()
            assert set(core) <= set(formulas)
            again = backend.solver(budget=Budget(5))
            for formula in core:
                again.add(formula)
            assert again.check() is not Status.SAT


@backends
def test_assumptions_scopes_and_proxies(make):
    solver = make().solver()
    solver.add(x >= 0)
    assert solver.check([x + y <= 3, y >= 4]) is Status.UNSAT
    assert set(solver.core()) == {x + y <= 3, y >= 4}
    solver.push()
    solver.add(p)
    low = x <= 5
    assert solver.check([low, b.or_(b.not_(p), x >= 6)]) is Status.UNSAT
    assert solver.check([low, p]) is Status.SAT
    solver.pop()
    # the proxies made inside are gone with their definitions, and come back when asked for
    assert solver.check([low, b.or_(b.not_(p), x >= 6)]) is Status.SAT
    assert solver.model().value(p) is False
    assert solver.check([low, x >= 6]) is Status.UNSAT
    assert set(solver.core()) == {low, x >= 6}
    assert solver.check([b.FALSE]) is Status.UNSAT and solver.core() == [b.FALSE]
    assert solver.check([p, b.not_(p)]) is Status.UNSAT
    assert solver.check([]) is Status.SAT


@backends
def test_misuse_is_an_error(make):
    backend = make()
    solver = backend.solver()
    with pytest.raises(SolverError):
        solver.add(x)
    with pytest.raises(SolverError):
        solver.check([x + 1])
    with pytest.raises(SolverError):
        solver.model()
    with pytest.raises(SolverError):
        solver.pop()
    assert solver.check([p]) is Status.SAT
    with pytest.raises(SolverError):
        solver.core()
    node = Uninterpreted("Node")
    with pytest.raises(SolverError):
        solver.add(b.eq(b.var("n", node), b.const(3, node)))


@backends
def test_models_stay_valid_and_read_every_sort(make):
    solver = make().solver()
    a = b.var("a", Array(INT, INT))
    r, v = b.var("r", REAL), b.var("v", BitVec(70))
    formulas = [
        b.eq(b.select(b.store(a, x, y), z), b.integer(5)), b.not_(b.eq(x, z)),
        b.eq(b.select(a, x), b.integer(7)), b.eq(r * 3, b.real(1)), b.eq(v, b.bv(-2, 70)),
        b.eq(y, b.integer(10**30)),
    ]
    assert solver.check(formulas) is Status.SAT
    model = solver.model()
    assert solver.check([x <= -5, y <= 0]) is Status.SAT
    assert all(model.holds(formula) for formula in formulas)
    assert model.value(v) == (1 << 70) - 2 and model.value(y) == 10**30
    assert model.value(b.var("never_seen", INT)) == 0


def test_functions_and_elements_in_models():
    solver = Z3().solver()
    node = Uninterpreted("Node")
    f = FunctionSymbol("f", (node, INT), INT)
    m, n = b.var("m", node), b.var("n", node)
    formulas = [b.eq(b.apply(f, m, x), b.integer(1)), b.eq(b.apply(f, n, x), b.integer(2)), x >= 3]
    assert solver.check(formulas) is Status.SAT
    model = solver.model()
    assert all(model.holds(formula) for formula in formulas)
    assert model.value(m) != model.value(n)


def test_z3_and_cvc5_agree_on_quantifiers():
    formula = b.forall([x], b.exists([y], b.and_(x < y, y < x + z)))
    for make in BACKENDS.values():
        backend = make()
        assert backend.solver().check([formula, b.eq(z, b.integer(1))]) is Status.UNSAT


# ---------------------------------------------------------------------- budgets

def hard(backend, budget):
    """Factoring a product of two 61-bit primes: more than a few seconds for anyone."""
    solver = backend.solver(budget=budget)
    u, v = b.var("u", BitVec(128)), b.var("w", BitVec(128))
    product = 2305843009213693951 * 2305843009213693921
    solver.add(b.eq(b.bvmul(u, v), b.bv(product, 128)))
    for factor in (u, v):
        solver.add(b.bvult(b.bv(1, 128), factor))
        solver.add(b.bvult(factor, b.bv(1 << 62, 128)))
    solver.add(b.bvult(u, v))
    return solver


@backends
def test_a_limit_that_ends_a_moment_early_is_still_out_of_budget(make):
    backend = make()
    for milliseconds in range(20, 26):
        with pytest.raises(OutOfBudget):
            hard(backend, Budget(milliseconds / 1000 + 0.0009)).check()


@backends
def test_deadlines_reach_into_queries(make):
    backend = make()
    start = time.process_time()
    with pytest.raises(OutOfBudget):
        hard(backend, Budget(0.3)).check()
    assert time.process_time() - start < 3
    assert backend.solver(budget=Budget(10)).check([p]) is Status.SAT
    with pytest.raises(OutOfBudget):
        backend.solver(budget=Budget(0)).check([p])


def test_cancelling_reaches_into_queries():
    backend, budget = Z3(), Budget()
    timer = threading.Timer(0.2, budget.cancel)
    timer.start()
    start = time.process_time()
    with pytest.raises(OutOfBudget):
        hard(backend, budget).check()
    assert time.process_time() - start < 3
    timer.join()
    assert backend.solver().check([p]) is Status.SAT


def test_budgets_share_one_thread():
    backend = Z3()
    solvers = [backend.solver(budget=Budget(100)) for _ in range(50)]
    for solver in solvers:
        assert solver.check([p]) is Status.SAT
    assert sum(thread.name == "revet-watchdog" for thread in threading.enumerate()) <= 1


def test_a_signal_for_one_budget_spares_the_others():
    backend = Z3()
    expired, fresh = Budget(0.05), Budget(100)
    time.sleep(0.1)
    with pytest.raises(OutOfBudget):
        backend.solver(budget=expired).check([p])
    assert backend.solver(budget=fresh).check([p]) is Status.SAT


def test_interrupts_leave_no_wrong_answers_behind():
    """z3's context-wide interrupt stays set, and made this unsatisfiable formula come back sat."""
    r, s = b.var("r", REAL), b.var("s", REAL)
    body = b.and_(
        b.or_(b.lt(s, 3 * r), b.rdiv(r, s) <= r), b.or_(r + s <= 1, b.lt(b.real(2), b.ite(r <= s, r, s)))
    )
    formula = b.and_(b.lt(b.real(2), r), b.not_(b.exists([s], body)))
    backend = Z3()
    solver = backend.solver()
    assert solver.check([p]) is Status.SAT
    solver._interrupt()  # idle
    assert solver.check([formula]) is Status.UNSAT
    with pytest.raises(OutOfBudget):
        hard(backend, Budget(0.2)).check()
    assert backend.solver().check([formula]) is Status.UNSAT
    assert solver.check([formula]) is Status.UNSAT
    backend.interrupt()
    with pytest.raises(SolverError):
        solver.check([formula])
