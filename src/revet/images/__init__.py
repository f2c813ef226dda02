"""Images of formulas under single steps, and what predicates say of them.

The blackboard's side of model checking (lecture notes *Model Checking*, lectures 3 and 4, TU München), for
one step at a time where an engine would run to the end:

``post``      the states that a step leads to from a formula's states;
``pre``       the states from which some step leads into them;
``wp``        the states from which every step leads into them (weakest liberal precondition);
``abstract``  which predicates a formula entails, and their conjunction.

``at l2`` (or ``at_l2``) in a formula says where the automaton is. The results are exact: old values are
eliminated, not approximated; a theory that has no elimination is refused.
"""

from revet.images.api import abstract, abstract_reachability, post, pre, wp

__all__ = ["abstract", "abstract_reachability", "post", "pre", "wp"]
