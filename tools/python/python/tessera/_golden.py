"""Reports of the comparison with the reference."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Comparison:
    """Distances between a result and the reference.

    `nrms` is the root mean square of the errors relative to that of the reference, `pcc` the
    Pearson correlation coefficient, and `max_ulp` the greatest distance in units in the last place.
    Each is None where it is undefined.
    """

    equal: bool
    max_abs_error: float
    nrms: float | None
    pcc: float | None
    max_ulp: int | None


@dataclass(frozen=True)
class OperationReport:
    """The comparison of one result of an operation with the reference.

    `isolated` compares with the reference on the operands that the device had, `chained` with the
    reference from the program's inputs on. `used` is the greatest ratio of an error to its bound.
    Elements are `undetermined` if nothing bounds them for these inputs.
    """

    operation: int
    name: str
    location: str
    bound: str
    used: float
    elements: int
    undetermined: int
    passed: bool
    isolated: Comparison
    chained: Comparison


@dataclass(frozen=True)
class GoldenReport:
    """The comparison of a run with the float64 reference, operation by operation.

    It is true if every result is within its bound.
    """

    operations: tuple[OperationReport, ...]

    @property
    def passed(self) -> bool:
        """Whether every result is within its bound."""
        return all(operation.passed for operation in self.operations)

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        """Returns a line for each result and the verdict."""
        lines = [
            f"{'ok' if one.passed else 'FAIL':4}  {100 * one.used:6.1f}%  {one.name}  {one.location}"
            for one in self.operations
        ]
        passed = sum(one.passed for one in self.operations)
        verdict = f"golden: {passed} of {len(lines)} results are within their bounds"
        return "\n".join([*lines, verdict])


def from_json(text: str) -> GoldenReport:
    """Returns the report that the native module gives as JSON."""
    return GoldenReport(tuple(map(_from_object, json.loads(text))))


def _from_object(value: dict[str, Any]) -> OperationReport:
    return OperationReport(
        operation=value["operation"],
        name=value["name"],
        location=value["loc"],
        bound=value["bound"],
        # JSON has no infinity.
        used=math.inf if value["used"] is None else value["used"],
        elements=value["elements"],
        undetermined=value["undetermined"],
        passed=value["pass"],
        isolated=_comparison(value["isolated"]),
        chained=_comparison(value["chained"]),
    )


def _comparison(value: dict[str, Any]) -> Comparison:
    error = value["max_abs_error"]
    return Comparison(**{**value, "max_abs_error": math.inf if error is None else error})
