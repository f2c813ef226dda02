"""Exact reachability: post images, one location at a time, until nothing new is found.

Papers
    Lecture notes *Model Checking*, lectures 3 and 4 (TUM): the post-condition function, the
    disjunction of its powers, Examples 1, 2 and 4. N. Bjørner, M. Janota, *Playing with
    quantified satisfaction*, LPAR 2015: the elimination that z3 does for us.

Idea → where
    ``post(S, edge) = exists old values. S and edge``, eliminated         ``image.Images.image``
    an image in readable cubes                                            ``simplify.Simplifier``
    layers ``post^0, post^1, …`` and the disjunction so far               ``reachability.Reachability``
    an image inside what is known brings nothing (subsumption)            ``reached.Reached.contains``
    the disjunction so far, in simplified form                            ``explain.explained``

Invariants kept
    1. The disjunction at a location is exactly the set of states that runs of at most as many
       edges as there are layers reach there: nothing is abstracted, nothing is lost.
    2. Every disjunct knows the disjunct and the edge it is the image of; a disjunct at an error
       location therefore has a run, which one query over the path makes concrete.

A layer that adds nothing closes the disjunction under all edges: it is the strongest inductive
invariant, and the certificate.

Limits: without abstraction most loops have no end (the notes' Example 4), so this engine is for
learning and for finite loops; theories without quantifier elimination give *unknown*.
"""

from revet.engines.post.options import Options
from revet.engines.post.reachability import check

__all__ = ["Options", "check"]
