"""A stack of the last three commands; undo takes the top away."""

from revet.streams import Bool, Spec, Word8, extern, forall, implies
from revet.streams.library.stacks import stack


def undo() -> Spec:
    command = extern("command", Word8, sample=[5, 6, 7, 0, 0, 8])
    given = extern("given", Bool, sample=[True, True, False, False])
    back = extern("back", Bool, sample=[False, False, False, True, True])
    top = stack(3, Word8, 0, given, back, command)
    spec = Spec("undo")
    spec.observer("top", top)
    spec.trigger("nothing_left", back & (top == 0))
    spec.prop("what is given lies on top", forall(implies(given, top == command)))
    return spec
