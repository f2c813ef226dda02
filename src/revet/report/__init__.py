"""Answers for people and machines: text, JSON, pictures."""

SCHEMA = 2
"""The version of the JSON answer (docs/json.md)."""
