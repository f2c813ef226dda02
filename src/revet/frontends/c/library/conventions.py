"""Names by which verifiers say what a program must do: lowering and the interpreter agree on these."""

from __future__ import annotations

ERRORS = ("__VERIFIER_error", "reach_error", "__assert_fail", "__assert", "__assert_rtn", "_assert")
ASSERTIONS = ("assert", "__VERIFIER_assert", "__ESBMC_assert", "__CPROVER_assert", "revet_assert")
ASSUMPTIONS = (
    "__VERIFIER_assume", "assume_abort_if_not", "assume", "__ESBMC_assume", "__CPROVER_assume", "klee_assume",
    "revet_assume",
)
ENDS = (
    "abort", "exit", "_exit", "_Exit", "__builtin_unreachable", "__builtin_trap", "quick_exit",
    "pthread_exit",
    "klee_silent_exit",
)
ANYHOW = frozenset((*ERRORS, *ASSERTIONS, *ASSUMPTIONS, *ENDS, "swprintf"))
"""However they are declared: what they do does not depend on arguments or result; or, as for swprintf, which
has no size on some systems, the declaration says which one it is."""
STREAMS = ("stdin", "stdout", "stderr")
"""Variables of the C library that point to open streams."""
OBJECT = "revet_any_object"
"""``void *revet_any_object(const char *name, size_t)``: a new object with any contents."""
MODEL_DRAWS = "__VERIFIER_nondet_revet_"
"""How the names begin of what our models of the C library draw: what a file or the user gives, and what the
library chooses. The real library takes these values from elsewhere."""
CHARACTER = f"{MODEL_DRAWS}input_character"
"""What is read from a stream: a character, or -1 at its end."""
CHOICE = f"{MODEL_DRAWS}input_int"
"""What else reading gives: does it fail, say."""
SCANNED = f"{MODEL_DRAWS}scanned"
"""What ``sscanf`` reads from a text: any value in the model, the right one in the interpreter."""
VOLATILE = f"{MODEL_DRAWS}volatile"
"""What a read of a volatile object gives."""
FILLS = ("__ESBMC_init_object", "klee_make_symbolic")
"""Give an object any contents."""
IS_READABLE, IS_WRITABLE, OBJECT_SIZE = "__revet_is_readable", "__revet_is_writable", "__revet_object_size"
QUESTIONS = (IS_READABLE, IS_WRITABLE, OBJECT_SIZE)
"""What a program may ask about its memory: are so many bytes from a pointer on there (to be written), how
large is the object that it leads to."""
ASKED = {
    "__CPROVER_r_ok": IS_READABLE, "__CPROVER_w_ok": IS_WRITABLE, "__CPROVER_rw_ok": IS_WRITABLE,
    "__CPROVER_OBJECT_SIZE": OBJECT_SIZE,
}
"""How programs ask it."""
NOT_LINKED = (*FILLS, *ASKED)
"""What no definition in a compiled program could do."""
VALUE = f"{MODEL_DRAWS}value"
"""What ``sin`` and its kin give, within bounds."""
ANYTHING = "__VERIFIER_nondet_revet_anything"
"""What inline assembly gives its outputs."""
LEFT_OPEN = (
    "__VERIFIER_nondet_revet_sign", "__VERIFIER_nondet_revet_truth", "__VERIFIER_nondet_revet_again",
    VALUE, ANYTHING,
)
"""What the models of ``strcmp``, ``isalpha`` and ``sin`` draw, and ``rand`` after another ``srand``: numbers
that are the library's choice, or were before; and what nobody knows."""
REQUIRE, READABLE, WRITABLE, APART = (
    "__revet_require", "__revet_readable", "__revet_writable", "__revet_apart",
)
PRECONDITIONS = (REQUIRE, READABLE, WRITABLE, APART)
"""How our models of the C library say what a function needs: a condition; that a pointer leads to so many
bytes; that two pointers do not lead to the same byte."""
ABOUT_MEMORY = (*PRECONDITIONS, *QUESTIONS)
"""What looks at pointers and neither reads nor writes through them, nor keeps them."""
NOTHING = (
    "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "__ESBMC_atomic_begin", "__ESBMC_atomic_end",
    "__ESBMC_unroll", "__ESBMC_unreachable",
    "__CPROVER_atomic_begin", "__CPROVER_atomic_end", "perror", "clearerr",
    "rewind", "sync",
)
"""Without any effect on what is checked, and without a result."""
FAILURE = "an allocation fails"
"""What is drawn where ``malloc`` may fail: zero if it does not."""
ALLOCATIONS = (
    "malloc", "calloc", "realloc", "valloc", "__builtin_malloc", "__builtin_calloc", "__builtin_realloc",
)
"""What may fail because there is no memory; others (``strdup``) are models that call these."""
