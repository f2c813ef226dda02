"""What library functions need of their arguments, in words.

The models say it in C: they read and write what the function does, and where that is not all,
:data:`revet.frontends.c.library.conventions.PRECONDITIONS` say the rest. Those are there only where
preconditions are checked (:func:`without_preconditions`).
"""

from __future__ import annotations

import re

from revet.frontends.c.library.typed import PREFIX
from revet.frontends.c.library.uses import plain_name

_PRECONDITION = re.compile(r"\s*\b__revet_(?:require|readable|writable|apart)\((?:[^;\"]|\"[^\"]*\")*\);")

_STRING = "a string that ends with a zero"
_STRINGS = "strings that end with a zero"
_COPY = "a string that ends with a zero, a target with room for it, and that they do not overlap"
_BLOCKS = "objects with that many bytes that do not overlap"
_CHARACTER = "EOF or a character as unsigned char"
_NEEDS = {
    **dict.fromkeys(("strlen", "strchr", "strrchr", "index", "rindex", "strchrnul", "wcslen", "wcschr",
                     "wcsrchr", "atoi", "atol", "atoll", "atof", "strtol", "strtoul", "strtoll", "strtoull",
                     "strtod", "strdup", "getenv", "fopen", "remove", "unlink", "access", "open"), _STRING),
    **dict.fromkeys(("strcmp", "strcasecmp", "strspn", "strcspn", "strpbrk", "strstr", "wcscmp", "rename"),
                    _STRINGS),
    **dict.fromkeys(("strcpy", "stpcpy", "strcat", "wcscpy", "wcscat"), _COPY),
    **dict.fromkeys(("strncpy", "stpncpy", "strncat", "wcsncpy", "wcsncat"),
                    "a source and a target that are long enough and do not overlap"),
    **dict.fromkeys(("memcpy", "mempcpy", "memccpy", "wmemcpy"), _BLOCKS),
    **dict.fromkeys(("memmove", "memset", "memcmp", "memchr", "bcopy", "bzero", "fread", "fwrite", "read",
                     "write"), "objects with that many bytes"),
    **dict.fromkeys(("sprintf", "snprintf", "vsprintf", "vsnprintf", "strftime"),
                    "a buffer with room for the text, and arguments that fit it"),
    **dict.fromkeys(("printf", "fprintf"), "arguments as its format says"),
    **dict.fromkeys(("abs", "labs", "llabs", "imaxabs"), "a number whose absolute value there is"),
    **dict.fromkeys(("gmtime", "localtime", "ctime"), "a pointer to a time"),
    **dict.fromkeys(("mktime", "asctime"), "a pointer to a time in its parts"),
    "fgets": "a buffer of that size",
}


def called_name(name: str) -> str:
    """The name by which the program calls a function of ours: ``revet_typed_sprintf_1f`` is ``sprintf``."""
    plain = plain_name(name)
    return plain.removeprefix(PREFIX).partition("_")[0] if plain.startswith(PREFIX) else plain


def needs(name: str) -> str:
    """What the function needs, for a message."""
    plain = called_name(name)
    if plain.startswith(("is", "to")) and plain not in _NEEDS:
        return _CHARACTER
    return _NEEDS.get(plain.removeprefix("__builtin_"), "valid arguments")


def without_preconditions(text: str) -> str:
    """A model that does what the function does and no more."""
    return _PRECONDITION.sub("", text)
