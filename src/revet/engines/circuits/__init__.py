"""What the engines for circuits share: the encoding of one step as clauses, and time frames."""
