"""Software floats against the machine's own (through struct) and against exact facts."""

import math
import struct
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revet.errors import SortError
from revet.logic import build as b
from revet.logic import softfloat
from revet.logic.evaluate import evaluate
from revet.logic.pretty import format_value
from revet.logic.sorts import FLOAT32, FLOAT64, REAL, BitVec, Float
from revet.logic.terms import Op
from revet.logic.values import is_value

SMALL = Float(3, 4)


def bits64(value: float) -> int:
    if math.isnan(value):
        return softfloat.nan(FLOAT64)
    return int.from_bytes(struct.pack(">d", value))


def bits32(value: float) -> int:
    """The single nearest to a double: struct rounds correctly but refuses to overflow."""
    if math.isnan(value):
        return softfloat.nan(FLOAT32)
    try:
        return int.from_bytes(struct.pack(">f", value))
    except OverflowError:
        return softfloat.infinity(FLOAT32, value < 0)


doubles = st.floats() | st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1.0, 2.0**-1022, 1.7976931348623157e308])
singles = st.floats(width=32)


def machine_div(x: float, y: float) -> float:
    if y != 0:
        return x / y
    if x == 0 or math.isnan(x):
        return math.nan
    return math.copysign(math.inf, math.copysign(1, x) * math.copysign(1, y))


BINARY = [
    (b.fp_add, lambda x, y: x + y), (b.fp_sub, lambda x, y: x - y), (b.fp_mul, lambda x, y: x * y),
    (b.fp_div, machine_div),
]
COMPARE = [
    (b.fp_le, lambda x, y: x <= y), (b.fp_lt, lambda x, y: x < y), (b.fp_eq, lambda x, y: x == y),
    (b.fp_ge, lambda x, y: x >= y), (b.fp_gt, lambda x, y: x > y),
]


@given(doubles, doubles)
def test_double_arithmetic_is_the_machine_s(x, y):
    left, right = b.double(x), b.double(y)
    assert left.value == bits64(x)
    for ours, machine in BINARY:
        assert ours(left, right).value == bits64(machine(x, y))
    for ours, machine in COMPARE:
        assert ours(left, right).value is machine(x, y)
    if math.isfinite(x) and y != 0 and not math.isnan(y):
        assert b.fp_rem(left, right).value == bits64(math.remainder(x, y))
    else:
        assert b.fp_is_nan(b.fp_rem(left, right)).value


@given(singles, singles)
def test_single_arithmetic_is_the_machine_s(x, y):
    # For one operation on singles, rounding the double result again is innocuous.
    left, right = b.fp_const(x, FLOAT32), b.fp_const(y, FLOAT32)
    for ours, machine in BINARY:
        assert ours(left, right).value == bits32(machine(x, y))


@given(doubles)
def test_unary_operations_are_the_machine_s(x):
    term = b.double(x)
    assert b.fp_neg(term).value == bits64(-x)
    assert b.fp_abs(term).value == bits64(abs(x))
    assert b.fp_sqrt(term).value == bits64(math.sqrt(x) if not x < 0 else math.nan)
    assert b.fp_is_nan(term).value is math.isnan(x)
    assert b.fp_is_inf(term).value is math.isinf(x)
    assert b.fp_is_zero(term).value is (x == 0)
    assert b.fp_is_negative(term).value is (not math.isnan(x) and math.copysign(1, x) < 0)
    tiny = 0 < abs(x) < 2.0**-1022
    assert b.fp_is_subnormal(term).value is tiny
    assert b.fp_is_normal(term).value is (math.isfinite(x) and x != 0 and not tiny)
    assert b.fp_to_fp(FLOAT32, term).value == bits32(x)
    if math.isfinite(x):
        assert b.fp_to_real(term).value == Fraction(x)
        for mode, machine in (("RTN", math.floor), ("RTP", math.ceil), ("RTZ", math.trunc), ("RNE", round)):
            rounded = b.fp_round(term, mode)
            assert b.fp_to_real(rounded).value == machine(x)
            assert b.fp_is_negative(rounded) is b.fp_is_negative(term)


@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_integers_to_double(n):
    assert b.fp_from_sbv(FLOAT64, b.bv(n, 64)).value == bits64(float(n))
    assert b.fp_from_ubv(FLOAT64, b.bv(n, 64)).value == bits64(float(n % (1 << 64)))
    assert b.fp_const(n, FLOAT64).value == bits64(float(n))


@given(doubles, st.sampled_from([8, 32, 64]))
def test_double_to_integers(x, width):
    signed, unsigned = b.fp_to_sbv(width, b.double(x)).value, b.fp_to_ubv(width, b.double(x)).value
    whole = math.trunc(x) if math.isfinite(x) else None
    in_range = whole is not None and -(1 << (width - 1)) <= whole < 1 << (width - 1)
    assert signed == (whole % (1 << width) if in_range else 0)
    assert unsigned == (whole if whole is not None and 0 <= whole < 1 << width else 0)


@given(st.fractions(), st.sampled_from([SMALL, FLOAT32, FLOAT64, Float(2, 5), Float(5, 2)]))
def test_directed_rounding_encloses_and_nearest_is_nearest(number, sort):
    def rounded(mode):
        bits = softfloat.round_rational(number, mode, sort)
        return softfloat.to_rational(bits, sort) if softfloat.is_finite(bits, sort) else None

    down, up, zero = rounded("RTN"), rounded("RTP"), rounded("RTZ")
    assert (down is None and number < 0) or down <= number
    assert (up is None and number > 0) or up >= number
    assert zero == (down if number >= 0 else up)
    for mode in ("RNE", "RNA"):
        nearest = rounded(mode)
        if None not in (nearest, down, up):
            assert abs(nearest - number) == min(number - down, up - number)


def test_every_small_float_is_its_number_and_its_text():
    for sort in (SMALL, Float(2, 2), Float(5, 3)):
        for bits in range(1 << sort.width):
            if is_value(bits, sort) and not softfloat.is_nan(bits, sort):
                text = format_value(bits, sort)
                assert b.fp_const(float(text), sort).value == bits
            if softfloat.is_finite(bits, sort):
                negative = softfloat.is_negative(bits, sort)
                number = softfloat.to_rational(bits, sort)
                for mode in softfloat.MODES:
                    assert softfloat.round_rational(number, mode, sort, negative) == bits


@given(singles)
def test_text_of_singles_reads_back(x):
    assert b.fp_const(float(format_value(bits32(x), FLOAT32)), FLOAT32).value == bits32(x)


def test_known_texts():
    assert str(b.double(0.1)) == "0.1"
    assert str(b.fp_const(Fraction(1, 10), FLOAT32)) == "0.1"
    assert str(b.fp_const(1 << 100, FLOAT32)) == "1.2676506e+30"
    assert str(b.fp_const(-0.0, FLOAT32)) == "-0.0"
    assert str(b.fp_nan(SMALL)) == "NaN"
    assert str(b.fp_inf(SMALL, negative=True)) == "-inf"
    assert format_value(b.fp_const(Fraction(1, 3), Float(15, 113)).value, Float(15, 113)).startswith(
        "0.333333333333333333333333333333333"
    )


def test_operator_spellings_round_to_nearest():
    x = b.var("x", FLOAT64)
    assert (x + 1).op == Op.FP_ADD and (x + 1).args[1] is b.double(1.0)
    assert (x <= 2).op == Op.FP_LE
    assert (-x).op == Op.FP_NEG and b.negate(-x) is x
    assert b.lift(0.5, FLOAT32).value == bits32(0.5)


def test_nan_is_one():
    assert b.fp_bits(0x7FF0_0000_0000_0001, FLOAT64) is b.fp_nan(FLOAT64)
    assert b.fp_from_bits(FLOAT32, b.bv(0xFFFF_FFFF, 32)) is b.fp_nan(FLOAT32)
    assert not is_value(0xFFFF_FFFF, FLOAT32)
    nan = b.fp_nan(FLOAT32)
    assert b.eq(nan, nan) is b.TRUE and b.fp_eq(nan, nan) is b.FALSE
    x = b.var("x", FLOAT32)
    assert b.eq(x, x) is b.TRUE and b.fp_eq(x, x) is not b.TRUE and b.fp_le(x, x) is not b.TRUE


@pytest.mark.parametrize("build", [
    lambda x, i: b.fp_add(x, b.var("y", FLOAT32)),
    lambda x, i: b.fp_add(x, x, "up"),
    lambda x, i: b.fp_neg(i),
    lambda x, i: b.fp_const(1, REAL),
    lambda x, i: b.fp_from_bits(FLOAT64, b.var("v", BitVec(32))),
    lambda x, i: b.fp_from_real(FLOAT64, i),
    lambda x, i: b.fp_to_fp(REAL, x),
    lambda x, i: b.fp_bits(1 << 64, FLOAT64),
    lambda x, i: b.lift(0.5, REAL),
])
def test_sorts_are_checked(build):
    from revet.logic.sorts import INT

    with pytest.raises(SortError):
        build(b.var("x", FLOAT64), b.var("i", INT))


@pytest.mark.parametrize("mode", softfloat.MODES)
def test_simplified_arithmetic_means_the_same_for_every_small_float(mode):
    x = b.var("x", SMALL)
    one, zero = b.fp_const(1, SMALL), b.fp_zero(SMALL)
    for bits in sorted({softfloat.canonical(bits, SMALL) for bits in range(1 << SMALL.width)}):
        number = b.fp_bits(bits, SMALL)  # operators of constants are computed, not simplified
        for factor in (one, zero):
            product = b.fp_mul(number, factor, mode).value
            assert evaluate(b.fp_mul(x, factor, mode), {x: bits}) == product
            assert evaluate(b.fp_mul(factor, x, mode), {x: bits}) == product
        assert evaluate(b.fp_div(x, one, mode), {x: bits}) == b.fp_div(number, one, mode).value
        assert evaluate(b.fp_eq(x, x), {x: bits}) == (not softfloat.is_nan(bits, SMALL))
    assert b.fp_mul(x, one, mode) is x and b.fp_div(x, one, mode) is x
