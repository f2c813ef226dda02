"""Edits of the lowering that change nothing that a program could observe, with reasons: see mutation.py."""

from __future__ import annotations

_PART = (
    "part = shifted if self.within(shifted, 1, (1 << length) - 1) else b.mod(shifted, b.integer(1 << length))"
)
EQUIVALENT = {  # module, kind of edit, and the line as it was or the statement as it is edited
    ("arithmetic", "a constant off by one", _PART):
        "a number from 0 to 2^n - 1 is its own remainder by 2^n",
    ("blocks", "choice turned round", "return count if count * parts <= _MOST_SCALARS else None"):
        "a loop or one statement for each element: the same elements",
    ("statements", "no settle()", "self.context.flow.settle()"):
        "the assumption waits, and the next edge begins with it",
    ("statements", "no settle()", "context.flow.settle()"): "branch() and jump() settle first",
    ("statements", "no wrap()",
     "first, last = (arithmetic.constant(type, type.wrap(bound)) for bound in (low, high))"):
        "the reader's constants are converted to the type of the switch already",
    ("flow", "choice turned round",
     "target = self.location(self._prefix, self._span.start if self._span else None)"):
        "the place that is shown for a location between two edges of one statement",
    ("blocks", "choice turned round",
     'return node.function.name if isinstance(node.function, ast.FunctionRef) else ""'):
        "the name tells what a model of the library is to write; where it writes is checked, too",
    ("calls", "no settle()", "context.flow.settle()"): "every statement begins by settling",
    ("evaluation", "no settle()", "context.flow.settle()"): "branch() settles first",
    ("heap", "no assume()", 'context.flow.assume(compare("<=", type, self._constant(HEAP), heap))'):
        "the heap begins there and only grows: a hint to the engines",
    ("heap", "no assume()",
     'context.flow.assume(compare("<=", type, self._constant(objects.heap_start), heap))'):
        "the heap begins there and only grows: a hint to the engines",
    ("objects", "a constant off by one",
     "return 2 << (20 if self.context.symbols.address_type.bits == 32 else 40)"):
        "objects are twice as far apart",
    ("objects", "a constant off by one",
     "return self.constant(self.context.memory.base((call, 'block'), 1, 1))"):
        "the number tells activations apart, and a block of a call has none",
    ("jumps", "a constant off by one", "self._count = 0"):
        "the numbers tell calls of setjmp apart, wherever they begin",
    ("places", "a constant off by one", "count = 0"): "one part fewer is the most that is copied",
}
