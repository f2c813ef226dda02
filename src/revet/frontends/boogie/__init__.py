"""Boogie, ULTIMATE's and Microsoft's intermediate verification language."""
