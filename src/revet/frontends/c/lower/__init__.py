"""From the typed syntax tree to a control-flow automaton.

``program.py`` starts it; ``statements.py`` makes the control flow, ``expressions.py`` the values and
``assignments.py`` what they change; ``procedures.py`` makes the other model, for recursive functions;
``places.py`` says where an lvalue is stored, ``calls.py`` inlines, ``arithmetic.py`` and
``bitvectors.py`` are the two encodings of integers, ``flow.py`` collects the edges.
"""
