"""CEGAR on the control-flow graph: lazy abstraction with predicates and explicit values.

Papers
    T. Henzinger, R. Jhala, R. Majumdar, G. Sutre, *Lazy abstraction*, POPL 2002; T. Ball, A.
    Podelski, S. Rajamani, *Boolean and Cartesian abstraction for model checking C programs*,
    TACAS 2001; S. Graf, H. Saïdi, *Construction of abstract state graphs with PVS*, CAV 1997;
    T. Henzinger, R. Jhala, R. Majumdar, K. McMillan, *Abstractions from proofs*, POPL 2004
    (interpolants, predicates per location); D. Beyer, S. Löwe, *Explicit-state software model
    checking based on CEGAR and interpolation*, FASE 2013; D. Beyer et al., *Software model
    checking via large-block encoding*, FMCAD 2009.

Idea → where
    the tree, covering by weaker states, cutting below the pivot    ``tree.Tree``
    abstract reachability                                            ``explore.Explorer``
    Cartesian and Boolean predicate abstraction of a step            ``predicates.PredicateAbstraction``
    values of variables, evaluated without a solver                  ``explicit.post``, ``compile``
    differences of variables as values                               ``transform.differences``
    what is tracked where                                            ``precision.Precision``
    is the path real; variables or interpolants that exclude it     ``refine.Refiner``
    the loop; which domain on which graph, in turn                  ``algorithm.Cegar``, ``stages``
    the states of a location as one small formula                    ``diagram.any_of``
    the tree as a picture                                            ``art.Art``, ``explain``

Invariants kept
1. An abstract state contains every concrete state that its path can reach: a step's abstract
   successor contains all its concrete successors, whatever the precision.
2. A node is explored, covered by an uncovered node, or its steps are waiting. Hence, when
   nothing waits, the uncovered states of all locations are inductive: the certificate.
3. After a refinement the path just excluded cannot come again: values fail at the same
   step with the variables found, and interpolants lead from one to the next to *false*.

Deviations: straight pieces of the program are single steps (``graph.Graph``); a variable that gets
too many values is given up for predicates, because tracking it would unwind its loop; after some
refinements all variables are tracked, because one more at a time costs an exploration each; when
interpolants enumerate bounds, the program's own are tried.

Passes and time: unlike other engines it makes large blocks itself (``blocks``), because refinement
also looks at the statements before they were put together (``algorithm._own_atoms``) and because
one run may use both graphs. In the portfolio each domain and graph is a configuration of its own
and the portfolio shares the time; only when the engine is asked for by name with ``blocks=auto``,
or for Horn clauses, does it try them in turn itself.

Limits: no widening other than what interpolants suggest; interpolation that fails (arrays, floats,
some bit-vector operations) ends in *unknown*, with the path.
"""

from revet.engines.cegar.algorithm import check
from revet.engines.cegar.options import Options

__all__ = ["Options", "check"]
