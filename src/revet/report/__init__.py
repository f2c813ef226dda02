"""Answers for people and machines: text, JSON, pictures."""
