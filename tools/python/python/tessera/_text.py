"""Compiling MLIR texts."""

from __future__ import annotations

from . import _archive, _diagnostics, _options
from ._compiled import Compiled
from ._compiler import Request, compile_here, compile_in_child


def compile_ttir(
    text: str,
    *,
    target: str = "tensix",
    arch: str | None = None,
    program: str | None = None,
    name: str = "<ttir>",
    isolated: bool = True,
    **options: bool | int | str,
) -> Compiled:
    """Compiles a module of TTIR.

    `arch` selects the chip of the target, `program` the function if there are several public ones,
    and `name` is the file's name in diagnostics. Other options are those of `tessera.options`.

    MLIR's parser can crash on malformed text. With `isolated`, a child process compiles, and a
    crash is a `CompileError`. Without, it ends this process, but small programs compile faster.

    >>> import tessera
    >>> text = '''
    ... func.func @product(%a: tensor<32x64xbf16>, %b: tensor<64x32xbf16>) -> tensor<32x32xbf16> {
    ...   %0 = "ttir.matmul"(%a, %b)
    ...     : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
    ...   return %0 : tensor<32x32xbf16>
    ... }'''
    >>> product = tessera.compile_ttir(text, target="tensix", arch="blackhole", math_fidelity="lofi")
    >>> product
    <Compiled product(argument 0, argument 1) for tensix>
    >>> tessera.compile_ttir(text, target="mncore", precission="half")
    Traceback (most recent call last):
        ...
    TypeError: target 'mncore' has no option 'precission'; known: allow_lossy_constants, arch, ...
    """
    return _compile(text, False, target, arch, program, name, isolated, options)


def compile_stablehlo(
    text: str,
    *,
    target: str = "tensix",
    arch: str | None = None,
    program: str | None = None,
    name: str = "<stablehlo>",
    isolated: bool = True,
    **options: bool | int | str,
) -> Compiled:
    """Compiles a module of StableHLO in MLIR's generic form; see `compile_ttir`."""
    return _compile(text, True, target, arch, program, name, isolated, options)


def _compile(
    text: str,
    is_stablehlo: bool,
    target: str,
    arch: str | None,
    program: str | None,
    name: str,
    isolated: bool,
    options: dict[str, bool | int | str],
) -> Compiled:
    pipeline = _options.to_pipeline(target, arch, options)
    request = Request(text, name, is_stablehlo, target, pipeline)
    module = (compile_in_child if isolated else compile_here)(request)
    _diagnostics.warn(module.diagnostics, stacklevel=3)
    return _archive.from_program(
        module.program,
        program,
        target=target,
        mlir=text,
        ttir=module.ttir,
        diagnostics=module.diagnostics,
    )
