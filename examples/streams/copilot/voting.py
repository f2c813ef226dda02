"""Four sensors vote on a value; the alarm needs a candidate that really has a majority."""

from revet.streams import Spec, Word32, extern, forall, implies
from revet.streams.library.voting import count, has_majority, majority


def voting() -> Spec:
    samples = [[3, 3, 7, 7], [3, 4, 7, 1], [3, 5, 2, 1], [1, 3, 7, 1]]
    votes = [extern(f"sensor_{n}", Word32, sample=data) for n, data in enumerate(samples)]
    winner = majority(votes)
    clear = has_majority(winner, votes)
    spec = Spec("voting")
    spec.observer("winner", winner)
    spec.trigger("no_majority", ~clear, [winner])
    spec.prop("the winner has votes", forall(implies(clear, count(winner, votes) >= 3)))
    return spec
