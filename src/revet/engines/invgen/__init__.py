"""Invariant generation."""
