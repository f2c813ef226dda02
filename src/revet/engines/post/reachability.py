"""The main loop: images of the newest layer, until a layer brings nothing new."""

from __future__ import annotations

from revet.engines.common.context import Context
from revet.engines.common.paths import concrete_run
from revet.engines.post.explain import NAME, explained
from revet.engines.post.image import Images
from revet.engines.post.options import Options
from revet.engines.post.reached import Image, Reached
from revet.engines.post.simplify import Simplifier
from revet.events import BoundReached, FrameOpened
from revet.logic.core import disjunction
from revet.logic.terms import FALSE, Term
from revet.model.cfa import Cfa, Location
from revet.result.certificate import LocationInvariants
from revet.result.verdict import Safe, Unknown, Unsafe, Verdict
from revet.smt.z3 import Z3


def check(cfa: Cfa, options: Options, context: Context) -> Verdict:
    """Exact reachability on an automaton; see the package's text."""
    backend = Z3()
    with context.stats.solving(backend):
        return Reachability(cfa, options, context, backend).explore()


class Reachability:
    def __init__(self, cfa: Cfa, options: Options, context: Context, backend: Z3) -> None:
        self.cfa = cfa
        self.options = options
        self.context = context
        self.backend = backend
        self.images = Images(backend, context.budget)
        self.simplifier = Simplifier(backend, context.budget, options.most_cubes)
        self.reached = Reached(backend, context.budget)
        self._errors = frozenset(cfa.errors)

    def explore(self) -> Verdict:
        layer = [
            Image(self.cfa.initial, cube, 0) for cube in self.simplifier.cubes(self.cfa.precondition)
        ]
        for image in layer:
            self.reached.add(image)
        number = 0
        while True:
            self._explain(f"post^{number}", layer)
            error = next((image for image in layer if image.location in self._errors), None)
            if error is not None:
                return self._unsafe(error)
            self.context.observe(BoundReached(NAME, number))
            if all(image.known for image in layer):
                return Safe(LocationInvariants(self._invariants()))
            if number == self.options.max_layers:
                return Unknown("the limit on post images was reached", number)
            number += 1
            self.context.observe(FrameOpened(NAME, number))
            layer = self._next(layer, number)

    def _next(self, layer: list[Image], number: int) -> list[Image]:
        """The images of a layer; those that were known are kept to be shown, or to go on from."""
        found: dict[tuple[Location, Term], Image] = {}
        go_on = self.options.subsumption == "layer"
        for image in layer:
            for edge in self.cfa.outgoing[image.location] if go_on or not image.known else ():
                self.context.budget.poll()
                self.context.stats.counts["images"] += 1
                after = self.images.image(image.states, self.cfa.relation(edge))
                for cube in self.simplifier.cubes(after):
                    if (edge.target, cube) in found:
                        continue
                    known = self.reached.contains(edge.target, cube)
                    new = found[edge.target, cube] = Image(edge.target, cube, number, image, edge, known)
                    self.reached.add(new)
        return list(found.values())

    def _explain(self, title: str, layer: list[Image]) -> None:
        if self.options.explain:
            so_far = {
                location: self.simplifier.without_implied(disjuncts)
                for location, disjuncts in self.reached.disjuncts.items()
            }
            self.context.observe(explained(self.cfa, title, layer, so_far, self.reached.images))

    def _invariants(self) -> dict[Location, Term]:
        reached = self.reached.disjuncts
        return {
            location: disjunction(self.simplifier.without_implied(reached.get(location, [])))
            for location in self.cfa.locations
        } | dict.fromkeys(self.cfa.errors, FALSE)

    def _unsafe(self, error: Image) -> Verdict:
        trace = concrete_run(self.cfa, error.path(), self.backend, self.context.budget)
        if trace is None:
            return Unknown("a path of non-empty images has no run: an image was not exact")
        return Unsafe(trace)
