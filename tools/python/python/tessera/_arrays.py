"""Conversion between arrays and the tensors of programs.

A program's tensors have the element types of the chips. Some types of arrays are replaced by the
compiler: `bool` and `float16` by bf16, `float64` by f32, `int64` by 32 bits. An array goes in and
comes out in its own type. Integers that the chip's type does not have are errors; floats are
rounded to the nearest value.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from . import _native

_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)

_ELEMENT_TYPES = {
    "bf16": _BFLOAT16,
    "f32": np.dtype(np.float32),
    "si32": np.dtype(np.int32),
    "ui32": np.dtype(np.uint32),
    "ui16": np.dtype(np.uint16),
    "ui8": np.dtype(np.uint8),
}
"""The NumPy type of each element type of a program."""

_REPLACED = {
    np.dtype(np.bool_): "bf16",
    np.dtype(np.float16): "bf16",
    np.dtype(np.float64): "f32",
    np.dtype(np.int64): "si32",
    np.dtype(np.uint64): "ui32",
}
"""The element type that the compiler replaces a NumPy type by, besides those it keeps."""


@dataclass(frozen=True)
class TensorSpec:
    """The name, shape and NumPy type of an array that a program takes or returns.

    `given` is a second type that an argument may have: that of the array for which the program was
    compiled, if JAX replaced it, such as `int64` by `int32`.
    """

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype
    given: np.dtype | None = None

    def dtypes(self) -> list[np.dtype]:
        """Returns the types that an argument may have."""
        return [self.dtype] if self.given is None else [self.dtype, self.given]

    def __str__(self) -> str:
        return f"{self.name}: {self.dtype.name}{list(self.shape)}"


def spec_of_program(name: str, shape: list[int], data_type: str) -> TensorSpec:
    """Returns the spec of a program's own tensor."""
    return TensorSpec(name, tuple(shape), _ELEMENT_TYPES[data_type])


def element_type(dtype: np.dtype) -> str | None:
    """Returns the element type by which programs represent a NumPy type, or None."""
    kept = (name for name, known in _ELEMENT_TYPES.items() if known == dtype)
    return next(kept, _REPLACED.get(dtype))


def to_tensor(value: Any, spec: TensorSpec) -> _native.Tensor:
    """Converts an array or scalar to a tensor.

    Raises TypeError for what is no array, and ValueError for an array other than `spec` says.
    """
    array = _checked(value, spec)
    name = element_type(spec.dtype)
    if name is None:
        raise ValueError(f"{spec.name}: arrays of {spec.dtype.name} are not supported")
    converted = _convert(array, _ELEMENT_TYPES[name], spec)
    return _native.Tensor(spec.shape, name, converted.tobytes())


def _convert(array: np.ndarray, dtype: np.dtype, spec: TensorSpec) -> np.ndarray:
    if array.dtype == dtype:
        return array
    converted = array.astype(dtype)
    if array.dtype.kind in "iu" and not np.array_equal(converted.astype(array.dtype), array):
        limits = np.iinfo(dtype)
        raise ValueError(
            f"{spec.name}: expected integers from {limits.min} to {limits.max}, which programs "
            f"represent {array.dtype.name} by"
        )
    return converted


def to_array(tensor: _native.Tensor, spec: TensorSpec) -> np.ndarray:
    """Converts a tensor to a writable array of the type that `spec` says."""
    dtype = _ELEMENT_TYPES[tensor.data_type]
    array = np.frombuffer(tensor.to_bytes(), dtype=dtype).reshape(spec.shape)
    if array.dtype == spec.dtype:
        return array
    return array != 0 if spec.dtype == np.bool_ else array.astype(spec.dtype)


def _checked(value: Any, spec: TensorSpec) -> np.ndarray:
    """Returns the value as an array of the spec's shape, of one of its types."""
    if isinstance(value, (bool, int, float)) and spec.shape == ():
        return _scalar(value, spec)
    if _is_jax(value):
        array = np.ascontiguousarray(value).reshape(value.shape)
    elif isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
    else:
        found = type(value).__name__
        raise TypeError(f"{spec.name}: expected an array {_describe(spec)}, found '{found}'")
    if array.shape != spec.shape:
        raise ValueError(f"{spec.name}: expected shape {spec.shape}, found {array.shape}")
    if array.dtype.newbyteorder("=") not in spec.dtypes():
        found = array.dtype.name
        raise ValueError(f"{spec.name}: expected dtype {spec.dtype.name}, found {found}")
    if not array.dtype.isnative:
        raise ValueError(
            f"{spec.name}: expected native byte order, found dtype '{array.dtype.str}'; convert "
            f"with .astype('{spec.dtype.name}')"
        )
    if not array.flags.c_contiguous:
        raise ValueError(
            f"{spec.name}: expected a C-contiguous array, found strides {array.strides}; convert "
            "with numpy.ascontiguousarray"
        )
    return array


def _scalar(value: bool | float, spec: TensorSpec) -> np.ndarray:
    """Converts a Python number to a spec's type if that represents its kind of numbers."""
    is_float = spec.dtype.kind == "f" or spec.dtype == _BFLOAT16
    is_accepted = {
        bool: spec.dtype == np.bool_,
        int: spec.dtype.kind in "iu" or is_float,
        float: is_float,
    }[type(value)]
    if not is_accepted:
        found = type(value).__name__
        raise ValueError(f"{spec.name}: expected dtype {spec.dtype.name}, found '{found}'")
    try:
        return np.asarray(value, dtype=spec.dtype)
    except OverflowError:
        raise ValueError(f"{spec.name}: {value} is no {spec.dtype.name}") from None


def _is_jax(value: Any) -> bool:
    """Returns whether the value is an array of JAX, without importing it."""
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(value, jax.Array)


def _describe(spec: TensorSpec) -> str:
    return f"of shape {spec.shape} and dtype {spec.dtype.name}"
