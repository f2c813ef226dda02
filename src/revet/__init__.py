"""Revet proves that programs keep their assertions, or shows a run that breaks them."""

__version__ = "0.1.0"
