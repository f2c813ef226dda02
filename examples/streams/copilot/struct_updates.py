"""A structure with other values in some of its fields, at any depth."""

from revet.streams import Array, Int16, Spec, Struct, constant, extern, forall, update

POSE = Struct("pose", height=Int16, angles=Array(Int16, 2))


def struct_updates() -> Spec:
    data = [{"height": 5, "angles": [10, 20]}, {"height": -5, "angles": [30, 40]}]
    pose = extern("pose", POSE, sample=data)
    raised = update(pose, "height", lambda height: height + 100)
    turned = update(raised, "angles", lambda angles: update(angles, 1, constant(-1, Int16)))
    spec = Spec("struct_updates")
    spec.trigger("moved", pose.height < 0, [turned])
    spec.prop("the rest is as it was", forall(turned.angles[0] == pose.angles[0]))
    spec.prop("the field is new", forall(turned.angles[1] == -1))
    return spec
