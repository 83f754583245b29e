"""Saved programs: a zip archive of the program file, its signature, its MLIR and bound tensors.

| member | content |
|---|---|
| `program.ttnn` | the program file, as `ttrt run` reads it |
| `signature.json` | target, arguments and results |
| `module.mlir`, `module.ttir.mlir` | the module that was compiled, and its TTIR |
| `bound/I.J` | the elements of array J of argument I |
"""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import ml_dtypes  # noqa: F401  (defines the name 'bfloat16' for NumPy)
import numpy as np

from . import _arrays, _native
from ._arrays import TensorSpec
from ._compiled import Argument, Compiled, Signature
from ._trees import LEAF, PlainTree, tuple_of_leaves

_FORMAT = 1


def save(compiled: Compiled, path: str | os.PathLike[str]) -> None:
    """Writes the archive. Raises TypeError if a structure cannot be saved."""
    manifest = json.dumps(_manifest(compiled), indent=1)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("signature.json", manifest)
        archive.writestr("program.ttnn", compiled.program)
        archive.writestr("module.mlir", compiled.mlir)
        archive.writestr("module.ttir.mlir", compiled.ttir)
        for index, tensors in compiled.bound.items():
            for number, tensor in enumerate(tensors):
                archive.writestr(f"bound/{index}.{number}", bytes(tensor.to_bytes()))


def load(path: str | os.PathLike[str], program: str | None = None) -> Compiled:
    """Loads a saved program, or a program file that `ttmlir-translate` wrote.

    A program file has neither names of containers nor MLIR: the program takes its inputs as
    separate arrays and returns a tuple, or an array if there is one. If the file has several
    programs, `program` selects one. Raises ValueError for other files.

    >>> import tempfile, numpy as np, tessera
    >>> negate = tessera.compile_ttir('''
    ... func.func @negate(%x: tensor<4xf32>) -> tensor<4xf32> {
    ...   %0 = "ttir.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    ...   return %0 : tensor<4xf32>
    ... }''', target="mncore")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     negate.save(f"{folder}/negate.tessera")
    ...     loaded = tessera.load(f"{folder}/negate.tessera")
    >>> loaded(np.array([1, 2, 3, 4], np.float32))
    array([-1., -2., -3., -4.], dtype=float32)
    """
    data = Path(path).read_bytes()
    if not data.startswith(b"PK"):
        target = _native.device_names(data)[0]
        return from_program(data, program, target=target, mlir="", ttir="")
    try:
        with zipfile.ZipFile(path) as archive:
            return _read(archive, program)
    except (KeyError, IndexError, TypeError, zipfile.BadZipFile, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is no saved program, or is damaged: {error}") from error


def from_program(
    program: bytes, name: str | None, *, target: str, mlir: str, ttir: str, **more: Any
) -> Compiled:
    """Returns a program of a file with the file's own names and types."""
    executable = _native.Executable(program, name)
    inputs = [
        _arrays.spec_of_program(_input_name(tensor_name, index), shape, data_type)
        for index, (tensor_name, shape, data_type) in enumerate(executable.inputs)
    ]
    results = [
        _arrays.spec_of_program(f"result {index}", shape, data_type)
        for index, (_, shape, data_type) in enumerate(executable.outputs)
    ]
    result = LEAF if len(results) == 1 else tuple_of_leaves(len(results))
    arguments = tuple(Argument(spec.name, LEAF, (spec,)) for spec in inputs)
    signature = Signature(arguments, result, tuple(results))
    return Compiled(program, executable.name, target, signature, mlir, ttir, **more)


def _input_name(name: str | None, index: int) -> str:
    return name or f"argument {index}"


def _manifest(compiled: Compiled) -> dict[str, Any]:
    signature = compiled.signature
    return {
        "format": _FORMAT,
        "name": compiled.name,
        "target": compiled.target,
        "arguments": [
            {
                "name": argument.name,
                "tree": argument.tree.to_json(),
                "specs": list(map(_spec_to_json, argument.specs)),
            }
            for argument in signature.arguments
        ],
        "result": signature.result.to_json(),
        "results": list(map(_spec_to_json, signature.results)),
        "bound": sorted(compiled.bound),
    }


def _spec_to_json(spec: TensorSpec) -> list[Any]:
    given = [] if spec.given is None else [spec.given.name]
    return [spec.name, list(spec.shape), spec.dtype.name, *given]


def _spec_from_json(value: list[Any]) -> TensorSpec:
    name, shape, dtype, *given = value
    return TensorSpec(name, tuple(shape), np.dtype(dtype), *map(np.dtype, given))


def _read(archive: zipfile.ZipFile, program: str | None) -> Compiled:
    manifest = json.loads(archive.read("signature.json"))
    if manifest["format"] != _FORMAT:
        found = manifest["format"]
        raise ValueError(f"saved in format {found}; this version of Tessera reads {_FORMAT}")
    if program not in (None, manifest["name"]):
        raise ValueError(f"the file has the program '{manifest['name']}', not '{program}'")
    arguments = tuple(
        Argument(
            argument["name"],
            PlainTree(argument["tree"]),
            tuple(map(_spec_from_json, argument["specs"])),
        )
        for argument in manifest["arguments"]
    )
    results = tuple(map(_spec_from_json, manifest["results"]))
    signature = Signature(arguments, PlainTree(manifest["result"]), results)
    compiled = Compiled(
        program=archive.read("program.ttnn"),
        name=manifest["name"],
        target=manifest["target"],
        signature=signature,
        mlir=archive.read("module.mlir").decode(),
        ttir=archive.read("module.ttir.mlir").decode(),
        bound={index: _bound(archive, arguments[index], index) for index in manifest["bound"]},
    )
    _check(compiled)
    return compiled


def _bound(archive: zipfile.ZipFile, argument: Argument, index: int) -> tuple[_native.Tensor, ...]:
    return tuple(
        _native.Tensor(
            spec.shape,
            _arrays.element_type(spec.dtype) or "",
            archive.read(f"bound/{index}.{number}"),
        )
        for number, spec in enumerate(argument.specs)
    )


def _check(compiled: Compiled) -> None:
    """Raises ValueError if the signature is not that of the program file."""
    executable = compiled._executable
    arguments = compiled.signature.arguments
    inputs = [spec for argument in arguments for spec in argument.specs]
    for specs, tensors in (
        (inputs, executable.inputs),
        (compiled.signature.results, executable.outputs),
    ):
        expected = [(list(spec.shape), _arrays.element_type(spec.dtype)) for spec in specs]
        if expected != [(shape, data_type) for _, shape, data_type in tensors]:
            raise ValueError("the signature is not that of the program file; save it again")
