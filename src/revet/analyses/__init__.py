"""Analyses beyond yes and no: realizability of contracts, validity cores, cut sets, tests, assumptions.

Each is a function of a question that returns its findings as data; :mod:`revet.report.document` shows them.
"""
