"""A frame of bits: parity, the number of bits set, and one bit put right."""

from revet.streams import Spec, Word16, extern, forall
from revet.streams.library import bits


def parity() -> Spec:
    frame = extern("frame", Word16, sample=[0b1011, 0xFFFF, 0b100])
    ones = bits.pop_count(frame)
    odd = ones % 2 == 1
    fixed = bits.complement_bit(frame, 15)
    spec = Spec("parity")
    spec.observer("ones", ones)
    spec.observer("rotated", bits.rotate_left(frame, 3))
    spec.trigger("repair", odd, [fixed])
    spec.prop("one bit makes the difference", forall((bits.pop_count(fixed) % 2 == 1) != odd))
    return spec
