"""From a program to a checked answer: reduce, run an engine, carry back, check."""

from revet.driver.answer import Answer, Checked
from revet.driver.prepare import Preparation, prepare
from revet.driver.run import confirm, run_engine, solve

__all__ = ["Answer", "Checked", "Preparation", "confirm", "prepare", "run_engine", "solve"]
