"""Options of the compiler as keyword arguments.

Each target's pipeline declares its options. Here they have underscores instead of hyphens, and the
prefix `compute_cfg_` is left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from . import _native

_ARCH = "mock-system-desc-arch"
_PREFIX = "compute-cfg-"


@dataclass(frozen=True)
class Option:
    """An option of the compiler.

    `values` has the accepted words, or is the type that the option takes.
    """

    name: str
    description: str
    values: tuple[str, ...] | type
    default: str


def options(target: str = "tensix") -> dict[str, Option]:
    """Returns the options that `compile` accepts for a target, by name.

    >>> import tessera
    >>> tessera.options("tensix")["fusion"].values
    ('none', 'epilogue', 'auto', 'all')
    >>> tessera.options("mncore")["arch"].default
    'mncore2'
    """
    return {option.name: option for _, option in _declared(target)}


def targets() -> tuple[str, ...]:
    """Returns the names of all targets, the default first.

    >>> import tessera
    >>> tessera.targets()
    ('tensix', 'mncore')
    """
    return tuple(_native.targets())


def to_pipeline(
    target: str, arch: str | None, given: Mapping[str, bool | int | str]
) -> list[tuple[str, str]]:
    """Returns the names and values that the pipeline takes.

    Raises TypeError for an unknown option or a value that is neither bool, int nor str.
    """
    names = {option.name: name for name, option in _declared(target)}
    all_given = {**given} if arch is None else {"arch": arch, **given}
    converted = []
    for name, value in all_given.items():
        if name not in names:
            known = ", ".join(sorted(names))
            raise TypeError(f"target '{target}' has no option '{name}'; known: {known}")
        if not isinstance(value, (bool, int, str)):
            found = type(value).__name__
            raise TypeError(f"option '{name}': expected bool, int or str, found '{found}'")
        text = str(value).lower() if isinstance(value, bool) else str(value)
        converted.append((names[name], text))
    return converted


def _declared(target: str) -> list[tuple[str, Option]]:
    """Returns the options of a target's pipeline, each with its name there."""
    types = {"bool": bool, "int": int, "str": str}
    declared = []
    for option in json.loads(_native.pipeline_options(target)):
        name, values = option["name"], option["values"]
        option["values"] = types[values] if isinstance(values, str) else tuple(values)
        option["name"] = _python_name(name)
        declared.append((name, Option(**option)))
    return declared


def _python_name(name: str) -> str:
    return "arch" if name == _ARCH else name.removeprefix(_PREFIX).replace("-", "_")
