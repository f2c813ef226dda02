"""Tokens of Boogie.

ULTIMATE's names and Microsoft's: letters, digits and ``' ~ # $ ^ _ . ? ` \\``. Mathematical symbols
(``∧``, ``∀``, ``≤``) become the ASCII ones here, so that the parser knows one spelling of each.
Words with a meaning in some places only (``finite``, ``yield`` …) stay names.
"""

from __future__ import annotations

from revet.frontends.kit.parsing import Lexer, Source, Token

KEYWORDS = (
    "type", "const", "function", "axiom", "var", "procedure", "implementation", "unique", "returns",
    "where", "free", "ensures", "requires", "modifies", "invariant", "assume", "assert", "havoc", "call",
    "if", "then", "else", "while", "break", "return", "goto", "old", "forall", "exists", "lambda", "bool",
    "int", "real", "false", "true", "div", "mod",
)  # fmt: skip
SPELLINGS = {
    "∀": "forall", "∃": "exists", "λ": "lambda", "∧": "&&", "∨": "||", "¬": "!", "⇒": "==>", "⇐": "<==",
    "⇔": "<==>", "≤": "<=", "≥": ">=", "≠": "!=", "•": "::", "≔": ":=", "%": "mod",
}  # fmt: skip
NAME, NUMBER, DECIMAL, BITS, STRING = "a name", "a number", "a real number", "a bit vector", "a string"


class _BoogieLexer(Lexer):
    def tokens(self, source: Source) -> list[Token]:
        found = super().tokens(source)
        for index, token in enumerate(found):
            if token.kind in SPELLINGS:
                found[index] = token._replace(kind=SPELLINGS[token.kind])
        return found


LEXER = _BoogieLexer(
    classes=[
        (BITS, r"[0-9]+bv[0-9]+"),
        (DECIMAL, r"[0-9]+(?:\.[0-9]+(?:e-?[0-9]+)?|e-?[0-9]+)"),
        (NUMBER, r"[0-9]+"),
        (NAME, r"[^\W\d](?<!λ)[\w'~#$^.?`\\]*|['~#$^.?`\\][\w'~#$^.?`\\]*"),
        (STRING, r'"(?:[^"\\\n]|\\[^\n])*"'),
    ],
    symbols=(
        "<==>", "==>", "<==", "&&", "||", "==", "!=", "<=", ">=", "<:", "<", ">", "++", "+", "-", "**", "*",
        "/", "%", "!", "|", "(", ")", "[", "]", "{", "}", ",", ";", "::", ":=", ":", "=", *SPELLINGS,
    ),
    keywords=KEYWORDS,
)  # fmt: skip
