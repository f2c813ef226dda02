"""What engines share. Nothing here is an engine, and nothing here imports one.

``context``     what an engine is given besides the model: time, an audience, statistics, news
``options``     what every engine's options check about themselves
``supported``   is a model within what a method can handle?
``runs``        runs of a system from models; ``paths``: runs of an automaton along edges
``frames``      a circuit's time frames from its initial states, folded, in one SAT solver
``unroll``      the same from any state, as copies of the step's clauses
``discrete``    variables that only say one of several
``pdr``         the frames, obligations and answers of the PDR family
"""
