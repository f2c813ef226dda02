"""A monitor for a cooler: simulate it, and prove what it promises. Run with ``python``."""

from revet.streams import Bool, Spec, Word8, declare, exists, extern, forall, minimum, mux

temperature = extern("temperature", Word8, sample=[240, 251, 253, 252, 249])
cooler = extern("cooler", Bool, sample=[False, False, False, True, True])

hot = declare(Word8)  # instants in a row above the limit, at most 3
hot.define(mux(temperature > 250, minimum(([0] @ hot) + 1, 3), 0))

monitor = Spec("cooler")
monitor.observer("hot", hot)
monitor.trigger("shutoff", (hot >= 2) & ~cooler, [temperature])
monitor.prop("hot stays small", forall(hot <= 3))
monitor.prop("shutoff can happen", exists((hot >= 2) & ~cooler))
monitor.prop("never hot", forall(hot < 2))

if __name__ == "__main__":
    print(monitor.interpret(5))
    for proof in monitor.prove().values():
        print(proof)
