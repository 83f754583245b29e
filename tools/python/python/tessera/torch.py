"""Compiling modules of PyTorch. Needs the extra `torch`: `pip install tessera[torch]`.

A module is traced by torchax, which evaluates PyTorch's operations by those of JAX.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import torch
import torch.utils._pytree as pytree
import torchax

from . import jax as _frontend
from ._compiled import Compiled
from ._golden import GoldenReport

__all__ = ["CompiledModule", "compile"]


@dataclass(frozen=True)
class CompiledModule:
    """A compiled module, which is called with tensors and returns tensors.

    `compiled` is the program with the module's parameters and buffers bound; see
    `tessera.Compiled`.
    """

    compiled: Compiled

    def __call__(self, *args: Any) -> Any:
        """Runs the program. Arguments and results are tensors in main memory."""
        return pytree.tree_map(_to_torch, self.compiled(*pytree.tree_map(_to_numpy, args)))

    @property
    def mlir(self) -> str:
        """The StableHLO."""
        return self.compiled.mlir

    @property
    def ttir(self) -> str:
        """The module in TTIR."""
        return self.compiled.ttir

    @property
    def program(self) -> bytes:
        """The program file."""
        return self.compiled.program

    def stats(self, *args: Any, seed: int = 0) -> list[dict[str, Any]]:
        """Runs the program and returns the statistics of each kernel."""
        return self.compiled.stats(*pytree.tree_map(_to_numpy, args), seed=seed)

    def golden(self, *args: Any, seed: int = 0) -> GoldenReport:
        """Runs the program and compares each operation with the float64 reference."""
        return self.compiled.golden(*pytree.tree_map(_to_numpy, args), seed=seed)

    def save(self, path: str) -> None:
        """Saves the program with its weights; `tessera.load` reads it and needs no PyTorch."""
        self.compiled.save(path)


def compile(
    module: torch.nn.Module,
    /,
    *args: Any,
    target: str = "tensix",
    arch: str | None = None,
    **options: bool | int | str,
) -> CompiledModule:
    """Compiles a module for arguments of the given shapes and types.

    The module's parameters and buffers become bound arguments of the program. They are converted
    once, and what depends on them alone is evaluated once. Later training of the module has no
    effect on the program. The module is compiled in the mode that it is in, `module.train()` or
    `module.eval()`.

    >>> import torch, tessera.torch
    >>> module = torch.nn.Sequential(torch.nn.Linear(8, 4), torch.nn.ReLU()).eval()
    >>> x = torch.ones(2, 8)
    >>> compiled = tessera.torch.compile(module, x, target="mncore")
    >>> torch.allclose(compiled(x), module(x), atol=1e-3)
    True
    """
    states, function = torchax.extract_jax(module)

    def forward(parameters: Any, *inputs: Any) -> Any:
        return function(parameters, inputs)

    arrays = pytree.tree_map(_to_numpy, args)
    compiled = _frontend.compile(
        forward, states, *arrays, target=target, arch=arch, parameters=0, **options
    )
    return CompiledModule(compiled.bind(0, states))


def _to_numpy(value: Any) -> Any:
    """Converts a tensor to an array; returns other values as they are."""
    if not isinstance(value, torch.Tensor):
        return value
    tensor = value.detach().cpu()
    if tensor.dtype == torch.bfloat16:
        return tensor.contiguous().view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()


def _to_torch(array: np.ndarray) -> torch.Tensor:
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)
