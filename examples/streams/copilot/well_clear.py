"""Are two aircraft well clear of each other? Relative position and speed in the plane, as floats."""

from revet.streams import Float, Spec, atan2, extern, forall, is_nan, label, mux


def well_clear() -> Spec:
    x, y = extern("dx", Float, sample=[9000.0, 4000.0]), extern("dy", Float, sample=[0.0, 1000.0])
    u, v = extern("du", Float, sample=[-100.0, -150.0]), extern("dv", Float, sample=[0.0, 20.0])
    distance = label("square of the distance", x * x + y * y)
    closing = label("closing", x * u + y * v)
    angle = atan2(y, x)
    near = distance < 1500.0 * 1500.0
    soon = (closing < 0.0) & (distance < closing * -35.0)
    spec = Spec("well_clear")
    spec.observer("distance", distance)
    spec.trigger("violation", near | soon, [mux(near, 0.0, closing), angle])
    spec.prop("an angle", forall((angle <= 3.2) | is_nan(angle)))
    return spec
