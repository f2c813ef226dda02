"""Libraries of streams: temporal logic, voting, clocks, stacks, statistics, machines, expressions.

Each is a module of plain functions from streams to streams: ``from revet.streams.library import ptltl``.
"""
