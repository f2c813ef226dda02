"""Names and types of Boogie: what the checker fills in, and what it refuses."""

from __future__ import annotations

from revet.frontends.boogie.parser import parse_text
from revet.frontends.boogie.syntax import Checked
from revet.frontends.boogie.types import check


def checked(text: str) -> Checked:
    return check(parse_text(text, "a.bpl"))


def test_procedures_have_their_implementations() -> None:
    program = checked(
        "procedure p(x: int) returns (y: int); implementation p(a: int) returns (b: int) { b := a; }"
        "procedure q() { var z: int; call z := p(1); }"
    )
    own = program.procedures["p"].implementations[0]
    assert own.procedure is program.procedures["p"] and own.inputs[0].name == "a"
    (body,) = program.procedures["q"].implementations
    assert body.inputs is program.procedures["q"].inputs
