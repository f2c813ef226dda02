"""Analyses of the syntax tree that lowering asks before it starts."""
