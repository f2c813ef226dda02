"""``verify_c`` refutes C code that is not what the specification says; terms in C mean what they mean."""

from __future__ import annotations

import ctypes
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from revet.frontends.c.clang.run import system_compiler
from revet.logic import build as b
from revet.logic.evaluate import evaluate
from revet.logic.sorts import BOOL, FLOAT32, FLOAT64, BitVec
from revet.logic.terms import Term
from revet.streams import Double, Int32, Spec, Word8, declare, extern, sin
from revet.streams.c_terms import CTerms, NotInC, c_sort
from revet.streams.simulate import compile_files
from revet.streams.verify import CProof, verify_c


def monitor() -> Spec:
    x = extern("x", Int32)
    n = declare(Word8)
    n.define([3, 4] @ (n + n.drop(1)))
    spec = Spec("watch")
    spec.observer("n", n)
    spec.trigger("first", x < 0, [x])
    spec.trigger("second", n == 7, [n, x // 2])
    return spec


def changed(old: str, new: str) -> CProof:
    spec = monitor()
    program = spec.compile_c()
    assert program.source.count(old) >= 1, program.source
    wrong = replace(program, source=program.source.replace(old, new, 1))
    return verify_c(spec, wrong, "bmc", 200, None)


def test_the_code_as_generated_is_proved(tmp_path: Path) -> None:
    proof = monitor().verify_c(folder=tmp_path, prefix="other", step="go")
    assert proof and str(proof) == "watch: the C code is proved equal to the specification"
    assert "void go(void)" in (tmp_path / "other.h").read_text()
    assert (tmp_path / "other_proof.c").read_text() == proof.program


WRONG = {
    "operator": ("(uint32_t)(uint8_t)x + ", "(uint32_t)(uint8_t)x - "),
    "initial value": ("static uint8_t n_buffer_1 = UINT8_C(4)", "static uint8_t n_buffer_1 = UINT8_C(5)"),
    "reset": ("  n_buffer_1 = UINT8_C(4);\n", ""),
    "update": ("n_buffer_0 = n_buffer_1;", ""),
    "guard": ("return x < y;", "return x <= y;"),
}


@pytest.mark.parametrize("kind", ["operator"])
def test_wrong_code_is_refuted(kind: str) -> None:
    assert changed(*WRONG[kind]).status == "refuted"


@pytest.mark.long
@pytest.mark.parametrize("kind", [kind for kind in WRONG if kind != "operator"])
def test_more_wrong_code_is_refuted(kind: str) -> None:
    assert changed(*WRONG[kind]).status == "refuted"


def test_the_order_of_calls_counts() -> None:
    spec = monitor()
    program = spec.compile_c()
    lines = program.source.splitlines()
    first, second = (
        next(n for n, line in enumerate(lines) if f") {name}(" in line) for name in ("first", "second")
    )
    lines[first], lines[second] = lines[second], lines[first]
    assert verify_c(spec, replace(program, source="\n".join(lines)), "bmc", 200, None).status == "refuted"


@pytest.mark.long
def test_functions_are_applied_to_the_same_arguments() -> None:
    d = extern("d", Double)
    spec = Spec("waves")
    spec.observer("wave", sin(d) * 0.5)
    assert spec.verify_c()
    program = spec.compile_c()
    wrong = replace(program, source=program.source.replace("sin((double)x)", "sin(-(double)x)"))
    assert verify_c(spec, wrong, "bmc", 200, None).status == "unknown"


# -- terms in C


def _terms() -> list[Term]:
    """Every operator that the printer knows, on variables."""
    found: list[Term] = []
    for width in (8, 16, 32, 64):
        x, y = b.var(f"x{width}", BitVec(width)), b.var(f"y{width}", BitVec(width))
        binary = [
            b.bvadd, b.bvsub, b.bvmul, b.bvudiv, b.bvurem, b.bvsdiv, b.bvsrem, b.bvsmod, b.bvand, b.bvor,
            b.bvxor, b.bvshl, b.bvlshr, b.bvashr, b.bvult, b.bvule, b.bvslt, b.bvsle, b.eq,
        ]
        found += [operator(x, y) for operator in binary]
        found += [b.bvnot(x), b.bvneg(x), b.ite(b.bvult(x, y), x, y)]
        found += [b.extract(n - 1, 0, x) for n in (8, 16, 32) if n < width]
        found += [b.extract(width - 1, width - n, x) for n in (8, 16, 32) if n < width]
        found += [extend(n - width, x) for n in (16, 32, 64) if n > width
                  for extend in (b.zero_extend, b.sign_extend)]
        found += [make(sort, x) for sort in (FLOAT32, FLOAT64) for make in (b.fp_from_sbv, b.fp_from_ubv)]
    for sort in (FLOAT32, FLOAT64):
        x, y = b.var(f"f{sort.width}", sort), b.var(f"g{sort.width}", sort)
        found += [b.fp_add(x, y), b.fp_sub(x, y), b.fp_mul(x, y), b.fp_div(x, y), b.fp_neg(x), b.fp_abs(x)]
        found += [b.fp_sqrt(x), b.fp_round(x, "RTN"), b.fp_round(x, "RTP"), b.fp_le(x, y), b.fp_lt(x, y)]
        found += [b.fp_eq(x, y), b.fp_is_nan(x), b.fp_is_zero(x), b.fp_is_inf(x)]
        found += [b.fp_to_fp(FLOAT32 if sort is FLOAT64 else FLOAT64, x)]
        found += [to(width, x) for width in (8, 16, 32, 64) for to in (b.fp_to_sbv, b.fp_to_ubv)]
    p, q = b.var("p", BOOL), b.var("q", BOOL)
    return [*found, b.and_(p, q), b.or_(p, q), b.not_(p), b.eq(p, q), b.xor(p, q)]


def _value(term: Term, rng: random.Random) -> Any:
    if term.sort is BOOL:
        return rng.random() < 0.5
    if isinstance(term.sort, type(FLOAT64)):
        from revet.streams import Float

        type_ = Double if term.sort is FLOAT64 else Float
        corners = [0.0, -0.0, float("inf"), float("nan"), 1.5, -2.5, 255.9, -128.9, -0.9, 2.0**31,
                   -(2.0**31) - 0.5, 2.0**63, -(2.0**63), 2.0**64, rng.gauss(0, 100), rng.gauss(0, 1e10)]
        return type_.to_logic(type_.round(rng.choice(corners)))
    width = term.sort.width  # type: ignore[attr-defined]
    least, ones = 1 << (width - 1), (1 << width) - 1
    return rng.choice([0, 1, 2, 7, least, ones, rng.getrandbits(width), width, width - 1])


def _c_bits(sort: Any, value: Any) -> str:
    if sort is BOOL:
        return "true" if value else "false"
    from revet.streams.c_terms import constant

    return constant(b.const(value, sort))


@pytest.mark.skipif(system_compiler() is None, reason="no C compiler")
def test_terms_in_c_mean_what_they_mean(tmp_path: Path) -> None:
    rng = random.Random(1)
    functions, expected, helpers = [], [], {}
    for term in _terms():
        for _ in range(3):
            values = {x: _value(x, rng) for x in sorted(_variables(term), key=lambda x: x.name)}
            printer = CTerms({x: f"({_c_bits(x.sort, v)})" for x, v in values.items()}, lambda f, n: f)
            result = printer.name(term)
            helpers.update(printer.helpers)
            own = c_sort(term.sort)
            wanted = _c_bits(term.sort, evaluate(term, values))
            same = f"memcmp(&found, &wanted, sizeof found) == 0 || ({own}){result} != ({own}){result}"
            body = f"{' '.join(printer.lines)} const {own} found = {result}, wanted = {wanted}; "
            number = len(functions)
            functions.append(f"int t{number}(void); int t{number}(void) {{ {body}return {same} && "
                             f"(found == found) == (wanted == wanted); }}")
            expected.append((term, values))
    text = ["#include <math.h>", "#include <stdbool.h>", "#include <stdint.h>", "#include <string.h>"]
    (tmp_path / "t.c").write_text("\n".join([*text, *helpers.values(), *functions]))
    compile_files([tmp_path / "t.c"], tmp_path / "t.so", ["-shared", "-fPIC", "-O0", "-Wno-error", "-w"])
    library = ctypes.CDLL(str(tmp_path / "t.so"))
    for number, (term, values) in enumerate(expected):
        assert library[f"t{number}"](), (term, values)


def _variables(term: Term) -> set[Term]:
    from revet.logic.walk import free_vars

    return set(free_vars(term))


def test_what_the_printer_does_not_know_is_refused() -> None:
    x = b.var("x", BitVec(8))
    with pytest.raises(NotInC):
        CTerms({x: "x"}, lambda f, n: f).name(b.bv2nat(x))
    with pytest.raises(NotInC):
        CTerms({x: "x"}, lambda f, n: f).name(b.extract(4, 2, x))
