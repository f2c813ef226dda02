"""The typed syntax tree of a C program: what every later stage reads.

Differences from the text: promotions and conversions are explicit :class:`Cast` nodes, arrays
that become pointers are :class:`Decay` nodes, ``sizeof``, enumerators and character literals are
:class:`IntConst`, parentheses are gone, ``p->f`` is ``Member(Deref(p), f)``, ``p[i]`` on a pointer
is ``Deref(PointerAdd(p, i))`` and on an array ``Index(a, i)``. Initialiser lists have one entry
for every scalar that is written (a path to it and its value); the rest is zero.

An *lvalue* (:class:`VarRef`, :class:`Deref`, :class:`Index`, :class:`Member`,
:class:`StringConst`, :class:`CompoundLiteral`) stands for its object where an object is wanted
(left of an assignment, below ``&``, ``Decay``, ``Member``, ``Index``) and for its value elsewhere.
Nodes are compared by identity.
"""

from revet.frontends.c.ast.expressions import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Comma,
    CompoundAssign,
    CompoundLiteral,
    Conditional,
    Decay,
    Deref,
    Expr,
    FloatConst,
    FunctionRef,
    Increment,
    Index,
    InitEntry,
    Initialiser,
    IntConst,
    Logical,
    Member,
    PointerAdd,
    PointerDiff,
    StatementExpr,
    Step,
    StringConst,
    Unary,
    Unmodelled,
    VaArg,
    Variable,
    VarRef,
)
from revet.frontends.c.ast.program import (
    CProgram,
    FunctionDef,
)
from revet.frontends.c.ast.statements import (
    Asm,
    Block,
    Break,
    Case,
    Continue,
    Declare,
    DoWhile,
    Empty,
    Evaluate,
    For,
    Goto,
    If,
    Label,
    Return,
    Span,
    Stmt,
    Switch,
    While,
)

__all__ = [
    "AddressOf", "Asm", "Assign", "Binary", "Block", "Break", "CProgram", "Call", "Case", "Cast",
    "Comma", "CompoundAssign", "CompoundLiteral", "Conditional", "Continue", "Decay", "Declare",
    "Deref", "DoWhile", "Empty", "Evaluate", "Expr", "FloatConst", "For", "FunctionDef", "FunctionRef",
    "Goto", "If", "Increment", "Index", "InitEntry", "Initialiser", "IntConst", "Label", "Logical",
    "Member", "PointerAdd", "PointerDiff", "Return", "Span", "StatementExpr", "Step", "Stmt",
    "StringConst", "Switch", "Unary", "Unmodelled", "VaArg", "VarRef", "Variable", "While",
]
