"""Compiling MLIR texts to program files, in this process or in a child.

MLIR's parser can crash on some malformed texts. So texts that a user gives are compiled in a child
process, whose end is an error here. Texts that a framework exports are compiled in this process.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass, field

from . import _diagnostics, _native
from ._diagnostics import CompileError, Diagnostic


@dataclass(frozen=True)
class Request:
    """A module to compile.

    `options` are names and values of the target's pipeline, `parameters` the indices of the
    function's arguments that hold weights.
    """

    text: str
    name: str
    is_stablehlo: bool
    target: str
    options: list[tuple[str, str]]
    parameters: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Module:
    """A compiled module: its TTIR, its program file, and warnings and remarks."""

    ttir: str
    program: bytes
    diagnostics: tuple[Diagnostic, ...]


def compile_here(request: Request) -> Module:
    """Compiles in this process. Raises CompileError if the module is rejected."""
    try:
        module = _compile(request)
    except _native.RejectedModule as error:
        diagnostics = _diagnostics.from_json(error.args[1], request.name)
        raise _diagnostics.rejection(error.args[0], diagnostics) from None
    diagnostics = _diagnostics.from_json(module.diagnostics, request.name)
    return Module(module.ttir, module.program, diagnostics)


def compile_in_child(request: Request) -> Module:
    """Compiles in a child process. Raises CompileError if the module is rejected or MLIR crashes."""
    # The child finds this package where this process found it, and nothing in its folder.
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PYTHONSAFEPATH": "1",
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        [sys.executable, "-c", "from tessera._compiler import serve; serve()"],
        input=json.dumps(asdict(request)).encode(),
        capture_output=True,
        env=environment,
        check=False,
    )
    if done.returncode != 0:
        raise CompileError(_describe_end(done.returncode, done.stderr.decode(errors="replace")))
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise ValueError(answer["error"])
    diagnostics = _diagnostics.from_json(answer["diagnostics"], request.name)
    if "rejected" in answer:
        raise _diagnostics.rejection(answer["rejected"], diagnostics)
    return Module(answer["ttir"], base64.b64decode(answer["program"]), diagnostics)


def serve() -> None:
    """Compiles the request on standard input and writes the answer to standard output."""
    _native.report_crashes()
    fields = json.load(sys.stdin)
    request = Request(**{**fields, "options": [tuple(pair) for pair in fields["options"]]})
    try:
        module = _compile(request)
    except _native.RejectedModule as error:
        answer = {"rejected": error.args[0], "diagnostics": error.args[1]}
    except ValueError as error:
        answer = {"error": str(error)}
    else:
        program = base64.b64encode(module.program).decode()
        answer = {"ttir": module.ttir, "program": program, "diagnostics": module.diagnostics}
    json.dump(answer, sys.stdout)


def _compile(request: Request) -> _native.CompiledModule:
    return _native.compile(
        request.text,
        request.name,
        request.is_stablehlo,
        request.target,
        request.options,
        request.parameters,
    )


def _describe_end(code: int, messages: str) -> str:
    """Returns the error of a child that ended without an answer."""
    if code > 0:
        return messages.rstrip("\n")
    name = signal.Signals(-code).name
    return f"{messages}error: the compiler failed (signal {name}) on this input"
