"""Order of evaluation: which parts of an expression C leaves in any order, and where that matters.

C17 6.5 leaves open in which order operands, arguments and side effects inside a full expression are
evaluated, except at ``&&``, ``||``, ``?:`` and the comma; two function calls, or a call and anything
else, are *indeterminately sequenced* (one after the other, in either order), all else is *unsequenced*:
if one side writes what the other one reads or writes, the behaviour is undefined.

:mod:`locations` says what an lvalue may overlap, :mod:`summaries` what a call may read and write, and
:mod:`orders` finds the expressions in which that makes a difference, with the orders to consider.
Lowering considers all of them, the interpreter follows the one that a run chose; both read
:class:`orders.Orders`, so they cannot disagree about what there is to choose.
"""

from revet.frontends.c.sequencing.orders import ORDER, Orders, Unit

__all__ = ["ORDER", "Orders", "Unit"]
