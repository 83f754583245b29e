"""Compiled programs as callables."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from . import _arrays, _golden, _native
from ._arrays import TensorSpec
from ._diagnostics import Diagnostic
from ._golden import GoldenReport
from ._trees import Tree


@dataclass(frozen=True)
class Argument:
    """An argument of a program: its name, the structure of its value, and its arrays."""

    name: str
    tree: Tree
    specs: tuple[TensorSpec, ...]

    def to_tensors(self, value: Any) -> list[_native.Tensor]:
        """Converts a value; ValueError or TypeError if it is not of this structure."""
        leaves = self.tree.flatten(value, self.name)
        return [_arrays.to_tensor(leaf, spec) for leaf, spec in zip(leaves, self.specs)]


@dataclass(frozen=True)
class Signature:
    """The arguments of a program and the structure of its result."""

    arguments: tuple[Argument, ...]
    result: Tree
    results: tuple[TensorSpec, ...]


class _Preparations:
    """What runs with the same bound arguments share, for each device and its options."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[Any, _native.Prepared] = {}

    def get(self, key: Any, prepare: Callable[[], _native.Prepared]) -> _native.Prepared:
        """Returns what is known for a key, prepared by the first call."""
        with self._lock:
            if key not in self._known:
                self._known[key] = prepare()
            return self._known[key]


@dataclass(frozen=True, eq=False)
class Compiled:
    """A compiled program, which is called with arrays and returns arrays.

    Calling it runs the program on the model of the target's chip, in this process. Arguments are
    NumPy or JAX arrays of the shapes and types that it was compiled for; results are NumPy arrays
    in the structure that the function returns.

    >>> import numpy as np, tessera
    >>> double = tessera.compile_ttir('''
    ... func.func @double(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
    ...   %0 = "ttir.add"(%x, %x) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    ...   return %0 : tensor<2x2xf32>
    ... }''', target="mncore")
    >>> double(np.array([[1, 2], [3, 4]], np.float32))
    array([[2., 4.],
           [6., 8.]], dtype=float32)
    >>> double(np.zeros(4, np.float32))
    Traceback (most recent call last):
        ...
    ValueError: argument 0: expected shape (2, 2), found (4,)
    """

    program: bytes
    """The program file, as `ttrt run` reads it."""
    name: str
    """The name of the program in the file."""
    target: str
    """The target that it was compiled for."""
    signature: Signature
    """The arguments and the result."""
    mlir: str = field(repr=False)
    """The module that was compiled: StableHLO or TTIR."""
    ttir: str = field(repr=False)
    """The module in TTIR."""
    diagnostics: tuple[Diagnostic, ...] = field(default=(), repr=False)
    """Warnings and remarks of the compiler."""
    device: str = ""
    """The device that runs it: the target's model, unless `on` selects another one."""
    device_options: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Options of the device; see `on`."""
    bound: Mapping[int, tuple[_native.Tensor, ...]] = field(default_factory=dict, repr=False)
    """The tensors of arguments that `bind` has fixed, by the argument's index."""
    _executable: _native.Executable = field(default=None, repr=False)  # type: ignore[assignment]
    _preparations: _Preparations = field(default_factory=_Preparations, repr=False)

    def __post_init__(self) -> None:
        if self._executable is None:
            executable = _native.Executable(self.program, self.name)
            object.__setattr__(self, "_executable", executable)
            object.__setattr__(self, "device", self.device or self.target)

    def __repr__(self) -> str:
        free = [argument.name for argument in self._free()]
        return f"<Compiled {self.name}({', '.join(free)}) for {self.target}>"

    def __call__(self, *args: Any) -> Any:
        """Runs the program on the arguments that are not bound, and returns the result."""
        tensors = self._free_tensors(args)
        return self._result(self._prepared().run(tensors))

    def bind(self, index: int, value: Any) -> Compiled:
        """Returns the program with one argument fixed, such as weights.

        `index` counts the arguments of the function, bound or not. The arrays are checked and
        converted to tensors here; later changes to them have no effect. The first run converts
        these to the form of the device. It evaluates what depends on them alone, if they were
        compiled as parameters. Later runs begin with both.

        >>> import numpy as np, tessera
        >>> scale = tessera.compile_ttir('''
        ... func.func @scale(%w: tensor<3xf32>, %x: tensor<3xf32>) -> tensor<3xf32> {
        ...   %0 = "ttir.multiply"(%w, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
        ...   return %0 : tensor<3xf32>
        ... }''', target="mncore")
        >>> triple = scale.bind(0, np.full(3, 3, np.float32))
        >>> triple(np.arange(3, dtype=np.float32))
        array([0., 3., 6.], dtype=float32)
        """
        count = len(self.signature.arguments)
        if not 0 <= index < count:
            raise IndexError(f"{self.name} has {count} arguments; {index} is none of them")
        tensors = tuple(self.signature.arguments[index].to_tensors(value))
        bound = {**self.bound, index: tensors}
        return replace(self, bound=bound, _preparations=_Preparations())

    def on(self, device: str, **options: bool | int | str) -> Compiled:
        """Returns the program on another device, such as 'reference', or with device options.

        The reference evaluates operations in float64 and rounds each result once. Options are
        those of `ttrt run`, with underscores: `threads`, `schedule_seed`, ….
        """
        texts = {
            name.replace("_", "-"): str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in options.items()
            if value is not False
        }
        return replace(self, device=device, device_options=texts)

    def stats(self, *args: Any, seed: int = 0) -> list[dict[str, Any]]:
        """Runs the program and returns the statistics of each kernel: instructions, cycles, bytes.

        Kernels that depend on bound arguments alone are not part of a run, if these were compiled
        as parameters. Without arguments, inputs are generated from `seed`.
        """
        tensors = self._free_or_generated(args, seed)
        text = self._prepared().stats(tensors)
        statistics: list[dict[str, Any]] = json.loads(text)
        return statistics

    def golden(self, *args: Any, seed: int = 0) -> GoldenReport:
        """Runs the program and compares each operation with the float64 reference.

        Without arguments, inputs are generated from `seed`. The report is true if every result is
        within the error bound of its operation.

        >>> import tessera
        >>> exp = tessera.compile_ttir('''
        ... func.func @exp(%x: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
        ...   %0 = "ttir.exp"(%x) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
        ...   return %0 : tensor<32x32xbf16>
        ... }''')
        >>> report = exp.golden()
        >>> report.passed, [one.name for one in report.operations]
        (True, ['exp'])
        """
        inputs = self._inputs_or_generated(args, seed)
        return _golden.from_json(self._executable.golden(self.device, inputs, self._options()))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the program with its signature, its MLIR and its bound arguments.

        `tessera.load` reads the file. Raises TypeError if the arguments or the result have
        containers other than lists, tuples, dictionaries with `str` keys, and None.
        """
        from . import _archive

        _archive.save(self, path)

    def _free(self) -> list[Argument]:
        """Returns the arguments that are not bound."""
        numbered = enumerate(self.signature.arguments)
        return [argument for index, argument in numbered if index not in self.bound]

    def _free_tensors(self, args: tuple[Any, ...]) -> list[_native.Tensor]:
        """Returns the tensors of the arguments that are not bound, in order."""
        free = self._free()
        if len(args) != len(free):
            names = ", ".join(argument.name for argument in free)
            raise TypeError(f"{self.name} takes {len(free)} arguments ({names}), found {len(args)}")
        pairs = zip(free, args)
        return [tensor for argument, value in pairs for tensor in argument.to_tensors(value)]

    def _free_or_generated(self, args: tuple[Any, ...], seed: int) -> list[_native.Tensor]:
        """Returns the tensors of the arguments that are not bound; generated if none are given."""
        if args or not self._free():
            return self._free_tensors(args)
        generated = self._executable.generate_inputs(seed)
        pairs = zip(generated, self._bound_tensors())
        return [tensor for tensor, bound in pairs if bound is None]

    def _bound_tensors(self) -> list[_native.Tensor | None]:
        """Returns the bound tensor of each input of the program, or None."""
        bound: list[_native.Tensor | None] = []
        for index, argument in enumerate(self.signature.arguments):
            bound.extend(self.bound.get(index, [None] * len(argument.specs)))
        return bound

    def _inputs_or_generated(self, args: tuple[Any, ...], seed: int) -> list[_native.Tensor]:
        """Returns all inputs of the program; without arguments, the free ones are generated."""
        free = iter(self._free_or_generated(args, seed))
        return [next(free) if bound is None else bound for bound in self._bound_tensors()]

    def _prepared(self) -> _native.Prepared:
        """Returns what runs on this device share."""
        options = self._options()
        return self._preparations.get(
            (self.device, tuple(sorted(options))),
            lambda: self._executable.prepare(self.device, self._bound_tensors(), options),
        )

    def _options(self) -> list[tuple[str, str]]:
        return list(self.device_options.items())

    def _result(self, tensors: list[_native.Tensor]) -> Any:
        specs = self.signature.results
        arrays = [_arrays.to_array(tensor, spec) for tensor, spec in zip(tensors, specs)]
        return self.signature.result.unflatten(arrays)
