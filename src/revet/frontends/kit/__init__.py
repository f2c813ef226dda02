"""What languages are built with; the kit itself knows no language.

==================  ==========================================================================================
``text``            the text of a file, whatever its encoding
``parsing``         source texts with their lines and error messages; tokens
``deep``            room for deep nests: the one answer for all languages
``syntax``          expressions as trees and the operator-precedence parser that makes them from a table
``lowering``        those trees made into terms, type errors at the operator (``lowering_floats``: IEEE's)
``interpreter``     the same trees on values, without terms, to confirm runs
``expressions``     formulas that people type: predicates, hand-written invariants
``theta_notation``  THETA's tokens, types and expressions (``.cfa``, ``.sts``)
``automaton``       automata as written in a file: checked, made into a ``Cfa``, and run (``.aut``, ``.cfa``)
``relations``       systems as written in formulas over ``x`` and ``x'`` (``.vmt``, ``.sts``, ``.moxi``)
``inlining``        which procedures are copied at each call, kept once, or cut off
``procedures``      one flow graph with recorded calls, made into a model with procedures
``bits``            signed division of bit patterns, for interpreters
``source_run``      a run in source terms, as data for reports
``folding``         repeated rounds of a loop in such a run, folded
==================  ==========================================================================================

What is *not* here: evaluators. The languages that define operators of their own (C, Boogie, Lustre, BTOR2,
AIGER) each have their own interpreter, which shares neither terms nor lowering with the model: a mistake
in the lowering shows as a run that the interpreter does not confirm. That independence is why *unsafe* can be
trusted, so evaluators are kept apart even where two of them look alike.
"""
