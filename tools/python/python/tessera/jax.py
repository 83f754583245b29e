"""Compiling functions of JAX. Needs the extra `jax`: `pip install tessera[jax]`."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from . import _arrays, _diagnostics, _options, _trees
from ._arrays import TensorSpec
from ._compiled import Argument, Compiled, Signature
from ._compiler import Request, compile_here

__all__ = ["compile", "export"]


def compile(
    fn: Callable[..., Any],
    /,
    *args: Any,
    target: str = "tensix",
    arch: str | None = None,
    parameters: int | Sequence[int] = (),
    **options: bool | int | str,
) -> Compiled:
    """Compiles a function for arguments of the given shapes and types.

    `args` are arrays, or `jax.ShapeDtypeStruct`s, in lists, tuples, dictionaries or other pytrees.
    The result takes arguments of the same structure and returns what the function returns, with
    NumPy arrays. Arrays that the function closes over are constants of the program.

    `parameters` are the positions of arguments that hold weights. What depends on them alone is
    compiled to functions of their own. A program with these arguments bound evaluates them once.

    `target` is 'tensix' or 'mncore', `arch` the chip. Other options are those of `tessera.options`.

    Raises `tessera.CompileError` for what cannot be compiled. Its text shows the Python line.

    >>> import jax, numpy as np, tessera.jax
    >>> def layer(params, x):
    ...     return jax.nn.relu(x @ params["w"] + params["b"])
    >>> params = {"w": np.eye(4, dtype=np.float32), "b": np.full(4, -1, np.float32)}
    >>> x = np.array([[1, 2, 3, 4]], np.float32)
    >>> compiled = tessera.jax.compile(layer, params, x, target="mncore", parameters=0)
    >>> compiled
    <Compiled main(params, x) for mncore>
    >>> compiled(params, x)
    array([[0., 1., 2., 3.]], dtype=float32)
    >>> bound = compiled.bind(0, params)
    >>> bound(x)
    array([[0., 1., 2., 3.]], dtype=float32)
    """
    pipeline = _options.to_pipeline(target, arch, options)
    lowered = _lower(fn, args)
    signature = Signature(
        arguments=_arguments(fn, lowered, args),
        result=_trees.from_treedef(lowered.out_tree),
        results=tuple(
            _spec(f"result {index}", leaf)
            for index, leaf in enumerate(jax.tree_util.tree_leaves(lowered.out_info))
        ),
    )
    text = _text(lowered)
    name = f"<{getattr(fn, '__name__', 'function')}>"
    indices = _parameter_indices(signature.arguments, parameters)
    module = compile_here(Request(text, name, True, target, pipeline, indices))
    _diagnostics.warn(module.diagnostics, stacklevel=2)
    return Compiled(
        program=module.program,
        name="main",
        target=target,
        signature=signature,
        mlir=text,
        ttir=module.ttir,
        diagnostics=module.diagnostics,
    )


def _parameter_indices(
    arguments: tuple[Argument, ...], parameters: int | Sequence[int]
) -> list[int]:
    """Returns the indices of the arrays of these arguments among all arrays."""
    given = [parameters] if isinstance(parameters, int) else parameters
    positions = [operator.index(position) for position in given]
    for position in positions:
        if not 0 <= position < len(arguments):
            count = len(arguments)
            raise IndexError(f"the function has {count} arguments; {position} is none of them")
    owners = [index for index, argument in enumerate(arguments) for _ in argument.specs]
    return [index for index, owner in enumerate(owners) if owner in positions]


def export(fn: Callable[..., Any], /, *args: Any) -> str:
    """Returns the StableHLO of a function, in the generic form that the compiler reads.

    >>> import jax.numpy as jnp, numpy as np, tessera.jax
    >>> text = tessera.jax.export(jnp.tanh, np.zeros(4, np.float32))
    >>> '"stablehlo.tanh"' in text
    True
    """
    return _text(_lower(fn, args))


def _lower(fn: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    # Unused arguments stay, so that the program takes the arguments of the function.
    return jax.jit(fn, keep_unused=True).lower(*args)


def _text(lowered: Any) -> str:
    operation = lowered.compiler_ir("stablehlo").operation
    text: str = operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
    return text


def _arguments(fn: Callable[..., Any], lowered: Any, args: tuple[Any, ...]) -> tuple[Argument, ...]:
    positional, _ = lowered.args_info
    names = _argument_names(fn, len(positional))
    return tuple(map(_argument, names, positional, args))


def _argument(name: str, info: Any, value: Any) -> Argument:
    leaves, treedef = jax.tree_util.tree_flatten_with_path(info)
    specs = (
        _spec(f"{name}{jax.tree_util.keystr(path)}", leaf, getattr(given, "dtype", None))
        for (path, leaf), given in zip(leaves, jax.tree_util.tree_leaves(value), strict=True)
    )
    return Argument(name, _trees.from_treedef(treedef), tuple(specs))


def _argument_names(fn: Callable[..., Any], count: int) -> list[str]:
    """Returns the names of the first positional parameters, as far as the function has names."""
    try:
        parameters = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [parameter.name for parameter in parameters if parameter.kind in kinds]
    return names[:count] + [f"argument {index}" for index in range(len(names), count)]


def _spec(name: str, info: Any, given: Any = None) -> TensorSpec:
    dtype = np.dtype(info.dtype)
    if _arrays.element_type(dtype) is None:
        raise ValueError(f"{name}: arrays of {dtype.name} are not supported")
    is_replaced = given is not None and given != dtype
    return TensorSpec(name, tuple(info.shape), dtype, np.dtype(given) if is_replaced else None)
