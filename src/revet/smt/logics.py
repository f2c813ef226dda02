"""Which of a solver's specialised procedures a model can be given to.

z3 decides bit-vectors alone by bit-blasting into one incremental SAT solver, if it is told beforehand that
nothing else will come. On a checksum over two bytes bounded model checking took 0.1 s in the solver so, 9 s
without.
"""

from __future__ import annotations

from revet.logic.sorts import BOOL, BitVecSort
from revet.logic.terms import Op, Term
from revet.logic.walk import subterms
from revet.model.cfa import Cfa
from revet.model.system import TransitionSystem

BIT_VECTORS = "QF_BV"


def logic_of(model: Cfa | TransitionSystem, *others: Term) -> str | None:
    """The logic of the model's formulas and of the others that will be asked about, if z3 has a procedure
    of its own for it: an invariant about bits may still be quantified."""
    terms = subterms(*model.formulas(), *model.variables, *others)
    return BIT_VECTORS if all(_made_of_bits(term) for term in terms) else None


def _made_of_bits(term: Term) -> bool:
    plain = term.op != Op.APPLY and not term.quantified
    return plain and (term.sort is BOOL or isinstance(term.sort, BitVecSort))
