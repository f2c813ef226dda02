"""The trusted base: the certificate checker and the trace replay. Knows no engine."""
