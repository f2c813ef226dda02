"""Logic: sorts, terms and what can be done with them, independent of any solver."""
