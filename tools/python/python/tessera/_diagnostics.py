"""Diagnostics of the compiler as values and exceptions.

Programs of frameworks have locations in Python files. Rendering a diagnostic shows that line.
"""

from __future__ import annotations

import json
import linecache
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Diagnostic:
    """A message of the compiler.

    Lines and columns count from 1; `file` is None if the compiler knows no location.
    """

    severity: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    notes: tuple[Diagnostic, ...] = ()

    def __str__(self) -> str:
        """Returns the message with its location, the source line and the notes."""
        place = "" if self.file is None else f"{self.file}:{self.line}:{self.column}: "
        lines = [f"{place}{self.severity}: {self.message}", *self._source()]
        return "\n".join([*lines, *map(str, self.notes)])

    def _source(self) -> list[str]:
        """Returns the source line and a caret under the column, if the file can be read."""
        if self.file is None or self.line is None or self.column is None:
            return []
        line = linecache.getline(self.file, self.line).rstrip("\n")
        if not line.strip():
            return []
        # Tabs stay tabs, so that the caret stands where a terminal shows the column.
        before = "".join("\t" if letter == "\t" else " " for letter in line[: self.column - 1])
        return [line, f"{before}^"]


class CompileError(Exception):
    """A program that the compiler rejects.

    The text has the place of each error and the line of Python or MLIR it is about.
    `diagnostics` has the same as values.

    >>> import tessera
    >>> try:
    ...     tessera.compile_ttir("func.func @f(%a: tensor<2x2xbf16>) { return %b }")
    ... except tessera.CompileError as error:
    ...     print(error.diagnostics[0].severity, error.diagnostics[0].line)
    error 1
    """

    def __init__(self, text: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(text)
        self.diagnostics = diagnostics


class CompileWarning(UserWarning):
    """A warning of the compiler about a program that it accepts."""


def from_json(text: str, name: str) -> tuple[Diagnostic, ...]:
    """Returns the diagnostics that the native module gives as JSON.

    `name` is the file name of the module. Locations in other files are those of frameworks, which
    count columns from 0.
    """
    return tuple(_from_object(value, name) for value in json.loads(text))


def _from_object(value: dict[str, Any], name: str) -> Diagnostic:
    notes = tuple(_from_object(note, name) for note in value["notes"])
    column = value["column"]
    if column is not None and value["file"] != name:
        column += 1
    return Diagnostic(**{**value, "column": column, "notes": notes})


def rejection(rendered: str, diagnostics: tuple[Diagnostic, ...]) -> CompileError:
    """Returns the exception for a module that was rejected.

    `rendered` shows lines of the module; diagnostics about Python files show lines of these.
    """
    is_python = any(one.severity == "error" and one._source() for one in diagnostics)
    text = "\n".join(map(str, diagnostics)) if is_python else rendered.rstrip("\n")
    return CompileError(text, diagnostics)


def warn(diagnostics: Iterable[Diagnostic], stacklevel: int) -> None:
    """Emits the warnings among the diagnostics as Python warnings."""
    for diagnostic in diagnostics:
        if diagnostic.severity == "warning":
            warnings.warn(str(diagnostic), CompileWarning, stacklevel=stacklevel + 1)
