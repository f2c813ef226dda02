"""Formulas as C expressions, for invariants in witnesses and for people.

A C parser must read the same truth value in every state: operands are cast so that nothing
overflows, promotes or compares in another type than the formula means. What C cannot say (or not
within reason) raises :class:`NotExpressible`; of a conjunction the other parts are kept.

:mod:`integers` prints mathematical integers, :mod:`bits` bit-vectors, :mod:`formulas` the
Boolean structure around them.
"""

from revet.frontends.c.expression.formulas import c_conjuncts, c_expression
from revet.frontends.c.expression.names import Name, NotExpressible

__all__ = ["Name", "NotExpressible", "c_conjuncts", "c_expression"]
