"""Nested containers of arrays, as JAX calls pytrees.

A `Tree` is the structure of a value without its leaves. Containers of Python are handled here, so
that saved programs load without JAX. Others, such as registered classes, need JAX's own structure
and cannot be saved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol


class Tree(Protocol):
    """The structure of a value."""

    def flatten(self, value: Any, name: str) -> list[Any]:
        """Returns the leaves of a value of this structure; ValueError if it has another one."""
        ...

    def unflatten(self, leaves: Sequence[Any]) -> Any:
        """Returns the value with these leaves."""
        ...

    def to_json(self) -> Any:
        """Returns the structure as JSON; TypeError if it has no such form."""
        ...


class PlainTree:
    """A structure of lists, tuples, dictionaries with sorted keys, None, and leaves.

    `spec` is JSON: "leaf", "none", or an object of one kind with the items.
    """

    def __init__(self, spec: Any) -> None:
        self._spec = spec

    def flatten(self, value: Any, name: str) -> list[Any]:
        leaves: list[Any] = []
        _flatten(self._spec, value, name, leaves)
        return leaves

    def unflatten(self, leaves: Sequence[Any]) -> Any:
        return _unflatten(self._spec, iter(leaves))

    def to_json(self) -> Any:
        return self._spec


class JaxTree:
    """A structure that JAX knows."""

    def __init__(self, treedef: Any) -> None:
        self._treedef = treedef

    def flatten(self, value: Any, name: str) -> list[Any]:
        import jax

        leaves, treedef = jax.tree_util.tree_flatten(value)
        if treedef != self._treedef:
            raise ValueError(f"{name}: expected the tree {self._treedef}, found {treedef}")
        return leaves

    def unflatten(self, leaves: Sequence[Any]) -> Any:
        import jax

        return jax.tree_util.tree_unflatten(self._treedef, leaves)

    def to_json(self) -> Any:
        raise TypeError(
            f"the tree {self._treedef} cannot be saved: it has containers other than list, tuple, "
            "dict with str keys, and None"
        )


LEAF = PlainTree("leaf")
"""The structure of an array alone."""


def tuple_of_leaves(count: int) -> PlainTree:
    """Returns the structure of a tuple of arrays."""
    return PlainTree({"tuple": ["leaf"] * count})


def from_treedef(treedef: Any) -> Tree:
    """Returns the tree of a structure of JAX."""
    import jax

    leaves = [_Leaf()] * treedef.num_leaves
    spec = _plain_spec(jax.tree_util.tree_unflatten(treedef, leaves))
    return JaxTree(treedef) if spec is None else PlainTree(spec)


class _Leaf:
    """Stands for an array."""


def _plain_spec(value: Any) -> Any:
    """Returns the spec of a `PlainTree`, or None if there are other containers."""
    if isinstance(value, _Leaf):
        return "leaf"
    if value is None:
        return "none"
    if type(value) in (list, tuple):
        items = [_plain_spec(item) for item in value]
        return None if None in items else {type(value).__name__: items}
    if type(value) is dict and all(type(key) is str for key in value):
        items = [[key, _plain_spec(value[key])] for key in sorted(value)]
        return None if any(item is None for _, item in items) else {"dict": items}
    return None


def _flatten(spec: Any, value: Any, name: str, leaves: list[Any]) -> None:
    if spec == "leaf":
        leaves.append(value)
        return
    if spec == "none":
        if value is not None:
            raise ValueError(f"{name}: expected None, found '{type(value).__name__}'")
        return
    [(kind, items)] = spec.items()
    if type(value).__name__ != kind:
        raise ValueError(f"{name}: expected a {kind}, found '{type(value).__name__}'")
    if kind == "dict":
        keys = [key for key, _ in items]
        if set(keys) != set(value):
            found = sorted(map(str, value))
            raise ValueError(f"{name}: expected the keys {keys}, found {found}")
        for key, item in items:
            _flatten(item, value[key], f"{name}[{key!r}]", leaves)
        return
    if len(value) != len(items):
        raise ValueError(f"{name}: expected {len(items)} items, found {len(value)}")
    for index, (item, below) in enumerate(zip(items, value)):
        _flatten(item, below, f"{name}[{index}]", leaves)


def _unflatten(spec: Any, leaves: Iterator[Any]) -> Any:
    if spec == "leaf":
        return next(leaves)
    if spec == "none":
        return None
    [(kind, items)] = spec.items()
    if kind == "dict":
        return {key: _unflatten(item, leaves) for key, item in items}
    below = [_unflatten(item, leaves) for item in items]
    return below if kind == "list" else tuple(below)
