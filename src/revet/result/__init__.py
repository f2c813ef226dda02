"""Verdicts and their evidence: certificates for safe, traces for unsafe."""

from revet.result.certificate import (
    Cases,
    Certificate,
    CircuitInvariant,
    Exhausted,
    FewRuns,
    KInductive,
    LocationInvariants,
    OnlyRun,
    ProcedureContracts,
)
from revet.result.trace import CfaTrace, CircuitTrace, InputTrace, State, SystemTrace, Trace
from revet.result.verdict import Safe, Unknown, Unsafe, Verdict

__all__ = [
    "Cases", "Certificate", "CfaTrace", "CircuitInvariant", "CircuitTrace", "Exhausted", "FewRuns",
    "InputTrace", "KInductive", "LocationInvariants", "OnlyRun", "ProcedureContracts", "Safe", "State",
    "SystemTrace", "Trace", "Unknown", "Unsafe", "Verdict",
]
