"""A certificate of the old program as a claim about the new one.

Formulas move with their locations; conjuncts over variables that are gone are dropped. The result may
be wrong in any way: it is for the checker to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from revet.logic.core import conjunction
from revet.logic.terms import Term
from revet.logic.walk import conjuncts, free_vars
from revet.model.cfa import Location
from revet.model.kind import Model
from revet.result.certificate import Certificate, Exhausted, KInductive, LocationInvariants


def carry(
    certificate: Certificate, model: Model, counterparts: Mapping[Location, Location]
) -> Certificate:
    """The certificate with the locations and variables of ``model``."""
    match certificate:
        case LocationInvariants(formulas):
            variables = _variables(model)
            moved = {
                counterparts[place]: _known(formula, variables)
                for place, formula in formulas.items()
                if place in counterparts
            }
            return replace(certificate, formulas=moved)
        case KInductive(formula):
            return replace(certificate, formula=_known(formula, _variables(model)))
        case Exhausted(cuts=cuts) if cuts is not None:
            return replace(certificate, cuts=frozenset(counterparts[p] for p in cuts if p in counterparts))
        case _:
            return certificate


def _variables(model: Model) -> frozenset[Term]:
    return frozenset(model.variables)


def _known(formula: Term, variables: frozenset[Term]) -> Term:
    return conjunction(part for part in conjuncts(formula) if free_vars(part) <= variables)
