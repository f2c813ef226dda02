"""Passes over models. Each returns the new model and how to carry answers back."""

from revet.transform.reduction import Reduction, chain

__all__ = ["Reduction", "chain"]
