"""What the PDR engines share: ``pdr`` (circuits), ``pdr-ia``, ``ic3-qe`` (systems), ``pdr-cfa`` (automata).

================  =====================================================================================
``loop``          the main loop: strengthen the last frame, open the next, propagate; all four
``block``         blocking an obligation and everything that leads into it; the three that use terms
``obligations``   obligations and their queue
``frames``        lemmas by level, stored once, at the highest level where they are known to hold
``answers``       what a query for consecution says: blocked (and why), or reached (and how)
================  =====================================================================================

An engine's folder has one file for each idea, under the same name in every engine: ``algorithm`` (its
strengthen, block, learn, push, propagate), ``queries`` (the questions to the solver: initiation,
consecution), ``lift`` (from one predecessor to a cube of them), ``generalize`` (from a blocked cube to a
larger one). ``pdr`` has its queries in its ``frames``: there, they are the hot path.
"""
