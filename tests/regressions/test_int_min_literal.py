"""``-2147483648`` is no ``int``: 2147483648 does not fit, so the minus is applied to a wider or
unsigned type, and nothing overflows. gcc's UBSan agrees in gnu89 and gnu11, 32 and 64 bit. The
smallest int is written ``(-2147483647 - 1)``, and with that the same sums do overflow."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.driver import solve
from revet.frontends import load


@pytest.mark.parametrize(("smallest", "verdict"), [("-2147483648", "safe"), ("(-2147483647 - 1)", "unsafe")])
@pytest.mark.parametrize("model", ["ilp32", "lp64"])
@pytest.mark.parametrize("expression", ["({} + -1) + 23", "({} / -1) - 1"])
def test_no_overflow(tmp_path: Path, smallest: str, verdict: str, model: str, expression: str) -> None:
    path = tmp_path / "minimum.c"
    path.write_text(f"int main(void) {{ int x = {expression.format(smallest)}; return x; }}\n")
    program = load([path], {"property": "no-overflow", "data_model": model})
    answer = solve(program, "bmc")
    assert answer.status == verdict, answer.reason
