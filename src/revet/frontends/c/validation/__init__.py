"""Validation of the translation: does the automaton do what the compiled program does?

A certificate is checked, but it is about the automaton; that the automaton means what the C program
means is the word of the front end alone. After *safe*, both are run with the same inputs and
compared:

| part | what it does |
|---|---|
| :mod:`checkpoints` | chooses places of the source; writes calls there that tell place and variables |
| :mod:`runs` | runs the automaton by evaluation, with given inputs, and notes the same |
| :mod:`steering` | asks a solver for inputs that take a branch no run has taken |
| :mod:`compare` | finds the first difference of two runs |
| :mod:`remember` | keeps what was validated, by content |
| :mod:`validate` | compiles, runs both, and says what came of it |

Every scalar variable in scope is compared at every checkpoint on the way, and so is the order of the
checkpoints, which fixes the branches between them; where the certificate has an invariant, it must hold.
A run is compared up to where C says that it is undefined.

The two sides share nothing: one is the source text, the compiler and the machine, the other is reader,
lowering and evaluation. What cannot be compared is refused, with the reason.
"""

from __future__ import annotations
