"""Counterexample-guided abstraction refinement on the control-flow graph (under construction)."""
