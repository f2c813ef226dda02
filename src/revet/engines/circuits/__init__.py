"""What the engines for circuits share: time frames."""
