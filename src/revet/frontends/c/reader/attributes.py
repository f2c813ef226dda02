"""Attributes: what is known to change nothing that we model. Every other one is refused."""

from __future__ import annotations

from revet.errors import Position, Unsupported
from revet.frontends.c.clang.nodes import Node

# Advice to optimisers, linkers and warnings, and layouts (which clang computes).
_HARMLESS = frozenset((
    "NoThrow", "Builtin", "NoBuiltin", "Const", "Pure", "Format", "FormatArg", "NonNull", "WarnUnusedResult",
    "Deprecated", "Unused", "Used", "Retain", "AllocSize", "AllocAlign", "AssumeAligned", "Restrict",
    "ReturnsNonNull", "AlwaysInline", "NoInline", "GNUInline", "Aligned", "Packed", "MaxFieldAlignment",
    "ReturnsTwice", "Cold", "Hot", "Leaf", "Section", "Visibility", "MayAlias", "Sentinel", "Artificial",
    "FallThrough", "Likely", "Unlikely", "C11NoReturn", "NoReturn", "AnalyzerNoReturn",
    "NoInstrumentFunction", "DisableTailCalls", "OptimizeNone", "MinSize", "Error", "FlagEnum",
    "EnumExtensibility", "NoSanitize", "NoStackProtector", "TLSModel", "Common", "NoCommon", "Unavailable",
    "Availability", "NoEscape", "NoProfileFunction", "ArgumentWithTypeTag", "DiagnoseIf",
    "NoMerge", "StrictFP", "Constructor", "Destructor", "Alias", "Cleanup", "TransparentUnion",
    "NoDebug", "Flatten", "NoDuplicate", "NoSplitStack", "Annotate", "CDecl", "StdCall", "FastCall",
    "RegParm", "PreferredName", "Uninitialized", "CountedBy", "Mode",
    "NonString", "AsmLabel", "Weak",
))

def check_attributes(node: Node, at: Position) -> None:
    """Refuse a declaration with an attribute that is not known."""
    for child in node.inner:
        kind = child.kind
        if kind.endswith("Attr"):
            name = kind.removesuffix("Attr")
            if name not in _HARMLESS:
                raise Unsupported(f"the attribute {name} is not modelled", at)


def declared_alignment(*nodes: Node) -> int | None:
    """What ``_Alignas(n)`` or ``aligned(n)`` in the declarations of an object asks for; None where nothing
    does, and for ``_Alignas(type)`` and ``aligned`` without a number, which only make it more."""
    found = [
        int(value.value) for node in nodes for child in node.inner if child.kind == "AlignedAttr"
        for value in child.inner if value.kind == "ConstantExpr" and isinstance(value.value, str)
    ]
    return max(found, default=None)


def attribute(node: Node, name: str) -> Node | None:
    return next((child for child in node.inner if child.kind == f"{name}Attr"), None)
