"""The part of z3's C API that we use, bound with ctypes.

The library comes with the ``z3-solver`` wheel; its Python package is not imported (0.1 s, and
its objects cost ten times a C call). Handles are plain integers (``void *``). Signatures are
written as strings, result first: p pointer, P array of pointers, u unsigned, i int, I int64 by
reference, U uint64 by reference, s C string, b bool, d double, v nothing, Q uint64, q int64.

z3 reports errors through a handler and an error code; the handler does nothing (the default one
ends the process) and :meth:`Api.check_error` raises.
"""

from __future__ import annotations

import ctypes
import importlib.util
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int64, c_uint, c_uint64, c_void_p
from pathlib import Path
from typing import Any

from revet.smt.protocol import SolverError

_CODES: dict[str, Any] = {
    "p": c_void_p, "P": POINTER(c_void_p), "u": c_uint, "i": c_int, "I": POINTER(c_int64),
    "U": POINTER(c_uint64), "s": c_char_p, "b": c_bool, "d": c_double, "v": None,
    "Q": c_uint64, "q": c_int64,
}

_SIGNATURES = """
mk_config p: | del_config v:p | set_param_value v:pss | mk_context_rc p:p | del_context v:p
global_param_set v:ss | interrupt v:p | get_error_code i:p | get_error_msg s:pi
get_full_version s:
inc_ref v:pp | dec_ref v:pp | mk_string_symbol p:ps | get_symbol_string s:pp | get_symbol_kind i:pp
get_symbol_int i:pp
mk_bool_sort p:p | mk_int_sort p:p | mk_real_sort p:p | mk_bv_sort p:pu | mk_array_sort p:ppp
mk_fpa_sort p:puu | mk_uninterpreted_sort p:pp | get_sort p:pp | get_sort_kind i:pp
get_bv_sort_size u:pp | get_array_sort_domain p:pp | get_array_sort_range p:pp
fpa_get_ebits u:pp | fpa_get_sbits u:pp | get_sort_name p:pp
mk_const p:ppp | mk_func_decl p:ppuPp | mk_app p:ppuP | mk_fresh_const p:psp
mk_true p:p | mk_false p:p | mk_not p:pp | mk_and p:puP | mk_or p:puP | mk_ite p:pppp
mk_eq p:ppp | mk_implies p:ppp | mk_add p:puP | mk_mul p:puP | mk_div p:ppp | mk_mod p:ppp
mk_le p:ppp | mk_lt p:ppp | mk_int2real p:pp | mk_real2int p:pp | mk_numeral p:psp | mk_int64 p:pqp
mk_unsigned_int64 p:pQp
mk_bvadd p:ppp | mk_bvsub p:ppp | mk_bvmul p:ppp | mk_bvneg p:pp | mk_bvudiv p:ppp
mk_bvurem p:ppp | mk_bvsdiv p:ppp | mk_bvsrem p:ppp | mk_bvsmod p:ppp | mk_bvand p:ppp
mk_bvor p:ppp | mk_bvxor p:ppp | mk_bvnot p:pp | mk_bvshl p:ppp | mk_bvlshr p:ppp
mk_bvashr p:ppp | mk_bvult p:ppp | mk_bvule p:ppp | mk_bvslt p:ppp | mk_bvsle p:ppp
mk_concat p:ppp | mk_extract p:puup | mk_zero_ext p:pup | mk_sign_ext p:pup
mk_bv2int p:ppb | mk_int2bv p:pup
mk_select p:ppp | mk_store p:pppp | mk_const_array p:ppp
mk_forall_const p:puuPuPp | mk_exists_const p:puuPuPp
mk_fpa_round_nearest_ties_to_even p:p | mk_fpa_round_toward_zero p:p
mk_fpa_round_toward_positive p:p | mk_fpa_round_toward_negative p:p
mk_fpa_round_nearest_ties_to_away p:p
mk_fpa_add p:pppp | mk_fpa_sub p:pppp | mk_fpa_mul p:pppp | mk_fpa_div p:pppp | mk_fpa_rem p:ppp
mk_fpa_fma p:ppppp | mk_fpa_neg p:pp | mk_fpa_abs p:pp | mk_fpa_sqrt p:ppp | mk_fpa_round_to_integral p:ppp
mk_fpa_leq p:ppp | mk_fpa_lt p:ppp | mk_fpa_eq p:ppp
mk_fpa_is_nan p:pp | mk_fpa_is_infinite p:pp | mk_fpa_is_zero p:pp | mk_fpa_is_negative p:pp
mk_fpa_is_normal p:pp | mk_fpa_is_subnormal p:pp
mk_fpa_to_fp_float p:pppp | mk_fpa_to_fp_real p:pppp | mk_fpa_to_fp_signed p:pppp
mk_fpa_to_fp_unsigned p:pppp | mk_fpa_to_fp_bv p:ppp
mk_fpa_to_sbv p:pppu | mk_fpa_to_ubv p:pppu | mk_fpa_to_real p:pp | mk_fpa_to_ieee_bv p:pp
mk_solver p:p | mk_simple_solver p:p | mk_solver_for_logic p:pp | solver_inc_ref v:pp
solver_dec_ref v:pp | solver_assert v:ppp | solver_push v:pp | solver_pop v:ppu | solver_reset v:pp
solver_check_assumptions i:ppuP | solver_check i:pp | solver_get_model p:pp
solver_get_unsat_core p:pp | solver_get_reason_unknown s:pp | solver_interrupt v:pp
solver_set_params v:ppp
mk_params p:p | params_inc_ref v:pp | params_dec_ref v:pp | params_set_bool v:pppb
params_set_uint v:pppu | params_set_symbol v:pppp | params_set_double v:pppd
ast_vector_inc_ref v:pp | ast_vector_dec_ref v:pp | ast_vector_size u:pp | ast_vector_get p:ppu
mk_ast_vector p:p | ast_vector_push v:ppp
model_inc_ref v:pp | model_dec_ref v:pp | model_get_const_interp p:ppp | model_eval b:pppbP
model_get_func_interp p:ppp | model_has_interp b:ppp
func_interp_inc_ref v:pp | func_interp_dec_ref v:pp | func_interp_get_num_entries u:pp
func_interp_get_entry p:ppu | func_interp_get_else p:pp | func_entry_inc_ref v:pp
func_entry_dec_ref v:pp | func_entry_get_value p:pp | func_entry_get_num_args u:pp
func_entry_get_arg p:ppu
get_ast_kind i:pp | get_bool_value i:pp | get_numeral_int64 b:ppI | get_numeral_string s:pp
get_numeral_uint64 b:ppU | is_numeral_ast b:pp | is_algebraic_number b:pp | is_as_array b:pp
get_as_array_func_decl p:pp | get_app_decl p:pp | get_app_num_args u:pp | get_app_arg p:ppu
get_decl_kind i:pp | get_decl_name p:pp | get_decl_num_parameters u:pp
get_decl_int_parameter i:ppu | get_decl_parameter_kind i:ppu | get_range p:pp
get_domain p:ppu | get_domain_size u:pp
get_ast_id u:pp | is_quantifier_forall b:pp | is_quantifier_exists b:pp | is_lambda b:pp
get_quantifier_body p:pp | get_quantifier_num_bound u:pp | get_quantifier_bound_name p:ppu
get_quantifier_bound_sort p:ppu | get_index_value u:pp | substitute_vars p:ppuP
simplify p:pp | ast_to_string s:pp | qe_model_project p:ppuPp | qe_lite p:ppp
mk_goal p:pbbb | goal_inc_ref v:pp | goal_dec_ref v:pp | goal_assert v:ppp | goal_size u:pp
goal_formula p:ppu
mk_tactic p:ps | tactic_inc_ref v:pp | tactic_dec_ref v:pp | tactic_apply p:ppp
tactic_apply_ex p:pppp | tactic_and_then p:ppp
apply_result_inc_ref v:pp | apply_result_dec_ref v:pp | apply_result_get_num_subgoals u:pp
apply_result_get_subgoal p:ppu
mk_optimize p:p | optimize_inc_ref v:pp | optimize_dec_ref v:pp | optimize_assert v:ppp
optimize_minimize u:ppp | optimize_maximize u:ppp | optimize_check i:ppuP | optimize_set_params v:ppp
optimize_get_lower_as_vector p:ppu | optimize_get_upper_as_vector p:ppu
mk_fixedpoint p:p | fixedpoint_inc_ref v:pp | fixedpoint_dec_ref v:pp
fixedpoint_register_relation v:ppp | fixedpoint_add_rule v:pppp | fixedpoint_query i:ppp
fixedpoint_get_answer p:pp | fixedpoint_get_reason_unknown s:pp | fixedpoint_set_params v:ppp
fixedpoint_get_cover_delta p:ppip | fixedpoint_get_num_levels u:ppp
"""


def _package() -> Path:
    spec = importlib.util.find_spec("z3")
    if spec is None or not spec.submodule_search_locations:
        raise SolverError("the z3-solver package is not installed")
    return Path(next(iter(spec.submodule_search_locations)))


def constants() -> dict[str, int]:
    """The enumerations of the installed version (``Z3_OP_ADD`` …), without importing z3."""
    spec = importlib.util.spec_from_file_location("_revet_z3consts", _package() / "z3consts.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: value for name, value in vars(module).items() if name.startswith("Z3_")}


def _library() -> Any:
    folder = _package() / "lib"
    for name in ("libz3.so", "libz3.dylib", "libz3.dll"):
        if (folder / name).exists():
            return ctypes.CDLL(str(folder / name))
    raise SolverError(f"no z3 library in {folder}")


_HANDLER_TYPE = ctypes.CFUNCTYPE(None, c_void_p, c_int)
_NO_OP_HANDLER = _HANDLER_TYPE(lambda context, code: None)


class Api:
    """The functions, as attributes without the ``Z3_`` prefix."""

    def __init__(self) -> None:
        library = _library()
        for entry in _SIGNATURES.replace("\n", "|").split("|"):
            if not entry.strip():
                continue
            name, signature = entry.split()
            result, arguments = signature.split(":")
            function = getattr(library, "Z3_" + name)
            function.restype = _CODES[result]
            function.argtypes = [_CODES[code] for code in arguments]
            setattr(self, name, function)
        library.Z3_set_error_handler.argtypes = [c_void_p, _HANDLER_TYPE]
        library.Z3_set_error_handler.restype = None
        self._set_error_handler = library.Z3_set_error_handler

    def __getattr__(self, name: str) -> Any:  # the functions set above, for the type checker
        raise AttributeError(f"Z3_{name} is not in the table of z3 functions")

    def new_context(self, parameters: dict[str, str]) -> int:
        config = self.mk_config()
        for key, value in parameters.items():
            self.set_param_value(config, key.encode(), value.encode())
        context: int = self.mk_context_rc(config)
        self.del_config(config)
        self._set_error_handler(context, _NO_OP_HANDLER)
        return context

    def check_error(self, context: int) -> None:
        code = self.get_error_code(context)
        if code != 0:
            raise SolverError(self.get_error_msg(context, code).decode(errors="replace"))


_api: Api | None = None


def api() -> Api:
    """The bound library; loaded at first use (35 ms)."""
    global _api
    if _api is None:
        _api = Api()
    return _api


def array(items: list[int]) -> Any:
    """A C array of handles."""
    return (c_void_p * len(items))(*items)
