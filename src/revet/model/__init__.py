"""Models: transition systems, control-flow automata, and one step of either."""
