"""An abstract step over a guard that cannot hold has no successor, whatever is reduced or tracked."""

from __future__ import annotations

import pytest

from revet.budget import Budget
from revet.engines.cegar import Options, check
from revet.engines.common.context import Context
from revet.logic import build as b
from revet.logic.smtlib import print_script
from revet.logic.sorts import INT
from revet.logic.terms import Term
from revet.model.statements import Assign, Assume
from revet.result import Safe
from tests.models import automaton

X = b.var("x", INT)


@pytest.mark.parametrize("guard", [b.FALSE, b.and_(X > 3, X < 2)], ids=["false", "contradiction"])
@pytest.mark.parametrize("domain", ["product", "predicates", "explicit"])
def test_no_successor(guard: Term, domain: str) -> None:
    cfa = automaton((X,), [("a", "b", [Assign(X, b.integer(0))]), ("b", "e", [Assume(guard)])], "a", ("e",))
    given = print_script([X >= 0])
    for predicates in ("", given):
        refine = guard is not b.FALSE and not predicates
        options = Options(domain=domain, predicates=predicates, refine=refine)  # type: ignore[arg-type]
        assert isinstance(check(cfa, options, Context(Budget(60))), Safe)
