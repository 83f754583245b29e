"""Tessera: compiles tensor programs to Tensix and MN-Core 2, and runs them on models of both chips.

* `tessera.jax.compile` compiles functions of JAX, `tessera.torch.compile` modules of PyTorch.
* `compile_ttir` and `compile_stablehlo` compile MLIR texts.
* `load` loads saved programs and program files.

All of them return a `Compiled`, which is called with arrays. Compiler and runtime are part of this
package; it needs neither a chip nor other software.
"""

from importlib.metadata import version as _version

from ._archive import load
from ._arrays import TensorSpec
from ._compiled import Argument, Compiled, Signature
from ._diagnostics import CompileError, CompileWarning, Diagnostic
from ._golden import Comparison, GoldenReport, OperationReport
from ._native import ExecutionError, InternalError, llvm_version
from ._options import Option, options, targets
from ._text import compile_stablehlo, compile_ttir

__version__ = _version("tessera")

__all__ = [
    "Argument",
    "Comparison",
    "CompileError",
    "CompileWarning",
    "Compiled",
    "Diagnostic",
    "ExecutionError",
    "GoldenReport",
    "InternalError",
    "OperationReport",
    "Option",
    "Signature",
    "TensorSpec",
    "compile_stablehlo",
    "compile_ttir",
    "llvm_version",
    "load",
    "options",
    "targets",
]
