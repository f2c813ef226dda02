"""The proof cache: evidence of the last run, tried first on the next one.

A run that ends with an answer leaves its certificate or its run of the program in a folder. The next
run of the same question (same files, options and property) hands that evidence to the checker that
every answer passes, on the program *as it is now*: if it passes, it is the answer, in the time of the
check; if not, the engines run as if there were no cache. Nothing in a cache is ever believed.

=============  ======================================================================
``store``      the folder: questions, entries, notes about what is wrong with them
``entry``      one entry as bytes, written in one piece, with a digest against damage
``outline``    the shape of an automaton; which old location is which new one
``carry``      certificates of the old program as claims about the new one
``apart``      the trial in a process of its own
``rerun``      an old run's choices, made again in the new program
=============  ======================================================================
"""

from revet.cache.store import Cache

__all__ = ["Cache"]
