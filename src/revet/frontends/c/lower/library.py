"""Functions with a meaning of their own: errors, assumptions, ends of the run, the C library.

Errors: ``__VERIFIER_error``, ``reach_error``, ``__assert_fail``, and ``assert``/``__VERIFIER_assert``
where they have no body. Functions of the C library that write through their pointers must not be
taken for functions without effect: those that are not modelled are unsupported.
"""

from __future__ import annotations

from collections.abc import Callable

from revet.frontends.c import ast
from revet.frontends.c.libc import FORMATTED
from revet.frontends.c.lower import floating_library
from revet.frontends.c.lower.context import Context
from revet.frontends.c.lower.flow import Annotation
from revet.frontends.c.lower.formatting import is_null, print_into
from revet.frontends.c.types import Void
from revet.logic.terms import Term

ERRORS = ("__VERIFIER_error", "reach_error", "__assert_fail", "__assert", "__assert_rtn", "_assert")
ASSERTIONS = ("assert", "__VERIFIER_assert")
ASSUMPTIONS = ("__VERIFIER_assume", "assume_abort_if_not", "assume")
ENDS = ("abort", "exit", "_exit", "_Exit", "__builtin_unreachable", "__builtin_trap", "quick_exit")
QUIET = (
    "printf", "fprintf", "vprintf", "puts", "putchar", "fflush", "perror", "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end", "srand", "free", "fputs", "putc", "fputc", "ldv_stop_", "printk",
)
SILENT = ("free", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", *ENDS)  # no result to draw
# Library functions that write through a pointer or take and call one: no silent skip.
UNMODELLED = (
    "sprintf", "snprintf", "vsprintf", "vsnprintf", "scanf", "sscanf", "fscanf", "fgets", "gets", "read",
    "fread", "strcpy", "strncpy", "strlcpy", "wcscpy", "vscanf", "vsscanf", "getcwd", "gettimeofday",
    "frexp", "modf", "pipe", "stat", "fstat", "recv", "getdelim",
    "strcat", "strncat", "strdup", "strtok", "qsort", "bsearch", "setjmp",
    "_setjmp", "longjmp", "getline", "realloc", "pthread_create", "strtol", "strtoul", "strtod",
    "bcopy", "swab", "memccpy", "stpcpy", "signal", "atexit", "bzero", "explicit_bzero", "mempcpy",
    "stpncpy", "strsep", "strtok_r", "strlcat", "strndup", "strxfrm", "strcoll_l", "strftime", "strptime",
    "strtoll", "strtoull", "strtof", "strtold", "strtoimax", "strtoumax", "wcstol", "wcstod", "wcsncpy",
    "wcscat", "wmemcpy", "wmemmove", "wmemset", "mbstowcs", "wcstombs", "mbtowc", "wctomb", "mbrtowc",
    "asprintf", "vasprintf", "swprintf", "vfscanf", "fgetws", "pread", "readlink", "realpath", "recvfrom",
    "recvmsg", "lstat", "ioctl", "select", "poll", "getrusage", "getrlimit", "getsockname", "getpeername",
    "accept", "getsockopt", "getaddrinfo", "gethostname", "getlogin_r", "ttyname_r", "uname", "times", "time",
    "localtime_r", "gmtime_r", "asctime_r", "ctime_r", "clock_gettime", "clock_getres", "nanosleep",
    "getitimer", "setitimer", "wait", "waitpid", "pthread_join", "pthread_mutex_init", "pthread_attr_init",
    "pthread_cond_wait", "pthread_once", "sem_getvalue", "sigaction", "sigprocmask", "sigemptyset",
    "sigfillset", "sigaddset", "sigdelset", "posix_memalign", "aligned_alloc", "memalign", "reallocarray",
    "getopt", "getopt_long", "rand_r", "drand48_r", "random_r", "frexpf", "frexpl", "modff", "modfl",
    "remquo", "remquof", "sincos", "sincosf", "lgamma_r", "qsort_r", "lfind", "lsearch", "tsearch", "twalk",
    "ftw", "nftw", "glob", "regcomp", "regexec", "iconv", "getpwnam_r", "sigsetjmp", "__sigsetjmp",
    "siglongjmp", "on_exit", "bsd_signal", "fstatat", "fgetpos", "setvbuf", "setbuf", "ungetwc",
)
# Those that write through one argument only, and not where it is null: then any result, no effect.
THROUGH = {
    "time": 0, "wait": 0,
    **dict.fromkeys(("strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof", "strtold"), 1),
}
# The same under the names that compilers and headers give them, checked or built in.
_PREFIXES = ("__builtin___", "__builtin_", "__")
_CHECKED = "_chk"
CLAIM = "__revet_invariant_"  # what witness/annotate.py puts into the text
EVERYWHERE = ("__VERIFIER_error", "reach_error", "__VERIFIER_assume", "abort", "exit", "__assert_fail")


class Library:
    def __init__(self, context: Context) -> None:
        self.context = context
        self._handlers: dict[str, Callable[[str, ast.Call, bool], Term | None]] = {}
        self._errors = frozenset(context.options.errors)
        for names, handler in (
            ((*ERRORS, *context.options.errors), self._error),
            (ASSERTIONS, self._assert), (ASSUMPTIONS, self._assume),
            (ENDS, self._end), (QUIET, self._quiet), (UNMODELLED, self._unmodelled),
            (FORMATTED, self._formatted),
            (floating_library.NAMES, self._float), (("__builtin_expect",), self._first),
        ):
            self._handlers.update(dict.fromkeys(names, handler))

    def knows(self, name: str, definition: ast.FunctionDef | None) -> bool:
        """Is the name handled here? A body in the program comes first, except for the property's."""
        if name in EVERYWHERE or name in self._errors or name.startswith(CLAIM):
            return True
        if definition is not None:
            return False
        return name in self._handlers or name in self.context.heap.handlers or _plain(name) in UNMODELLED

    def call(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        if name.startswith(CLAIM):
            return self._claim(name, node)
        handler = self._handlers.get(name)
        if handler is not None:
            return handler(name, node, wanted)
        if name in self.context.heap.handlers:
            return self.context.heap.handlers[name](node)
        return self._unmodelled(name, node, wanted)

    # ---- properties -------------------------------------------------------------------------

    def _error(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        """``__assert_fail("x > 0", …)`` is what the macro ``assert`` becomes."""
        context = self.context
        kind = "assert" if "assert" in name else name
        if context.options.property == "unreach-call":
            context.flow.jump(context.error(kind, node.at))
        else:
            context.statements.dead_end()
        return context.expressions.zero(context.model.int) if wanted else None

    def _assert(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        context = self.context
        holds, fails = (context.flow.split(context.function) for _ in range(2))
        context.expressions.branch(node.arguments[0], holds, fails)
        context.flow.resume(fails)
        if context.options.property == "unreach-call":
            context.flow.jump(context.error("assert", node.at))
        context.flow.resume(holds)
        return context.expressions.zero(context.model.int) if wanted else None

    def _assume(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        context = self.context
        context.flow.assume(context.expressions.truth(node.arguments[0]))
        return context.expressions.zero(context.model.int) if wanted else None

    def _end(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        self._quiet(name, node, False)
        self.context.statements.dead_end()
        return self.context.expressions.zero(self.context.model.int) if wanted else None

    def _claim(self, name: str, node: ast.Call) -> Term:
        """A witness's invariant: remembered as a formula, no part of the program. What evaluating
        it would require is dropped: the checker decides whether the formula is an invariant."""
        context = self.context
        if len(node.arguments) != 1 or context.effects(node.arguments[0]):
            raise context.unsupported(node.at, "an invariant must be an expression without side effects")
        here = context.flow.settle()
        formula = context.expressions.truth(node.arguments[0])
        context.flow.drop_pending()
        context.flow.annotations.append(Annotation(int(name.removeprefix(CLAIM)), here, formula))
        return context.expressions.zero(context.model.int)

    # ---- the C library ----------------------------------------------------------------------

    def _quiet(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        """No effect but that of evaluating the arguments; any result."""
        context = self.context
        for argument in node.arguments:
            if context.effects(argument):
                context.expressions.effect(argument)
        if isinstance(node.type, Void) or name in SILENT:
            return None
        value = context.temporary(node, name, node.type)
        context.calls.draw(value, node.type, name, node)
        return value

    def _unmodelled(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        written = THROUGH.get(name)
        if written is not None and written < len(node.arguments) and is_null(node.arguments[written]):
            return self._quiet(name, node, wanted)
        raise self.context.unsupported(node.at, f"the library function {name} is not modelled")

    def _formatted(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        return print_into(self.context, name, node)

    def _first(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        values = self.context.expressions.sequence(node.arguments)
        return values[0]

    def _float(self, name: str, node: ast.Call, wanted: bool) -> Term | None:
        values = self.context.expressions.sequence(node.arguments)
        return floating_library.call(self.context, name, node, values)


def _plain(name: str) -> str:
    """``__builtin___strcpy_chk`` is ``strcpy``."""
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            name = name.removeprefix(prefix)
            break
    return name.removesuffix(_CHECKED)
