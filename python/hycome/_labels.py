"""Classes of nodes out of whatever the user has."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _hycome


def native_labels(labels: Any, nodes: Sequence[Any] | npt.NDArray[Any], what: str = "labels") -> _hycome.Labels:
    """Labels of these nodes: a mapping or a Series by name, a sequence in the order of the nodes, a table of zeros and ones,
    or a label file. A node may have one class, several (a list, tuple or set of them) or none (``None`` or NaN).
    """
    if isinstance(labels, _hycome.Labels):
        return labels
    if isinstance(labels, str | os.PathLike):
        return _hycome.Labels.read(labels, native_names(nodes))
    lists = _lists(labels, nodes, what)
    classes = sorted_classes(label for list_ in lists for label in list_)
    index = {label: id_ for id_, label in enumerate(classes)}
    starts = np.zeros(len(lists) + 1, np.uint64)
    np.cumsum([len(list_) for list_ in lists], out=starts[1:])
    ids = np.fromiter((index[label] for list_ in lists for label in list_), np.uint32)
    return _hycome.Labels([str(label) for label in classes], starts, ids)


def partition(communities: Any, nodes: Sequence[Any] | npt.NDArray[Any]) -> tuple[npt.NDArray[np.uint32], list[Any]]:
    """One community for each of these nodes as numbers from zero, and what the numbers stand for."""
    if isinstance(communities, np.ndarray) and communities.ndim == 1 and communities.dtype.kind in "iu":
        _check_length(len(communities), len(nodes), "communities")
        values, ids = np.unique(communities, return_inverse=True)
        return ids.astype(np.uint32), values.tolist()
    lists = _lists(communities, nodes, "communities")
    several = next((row for row, list_ in enumerate(lists) if len(list_) != 1), None)
    if several is not None:
        count = len(lists[several]) or "no"
        raise ValueError(f"each node must have one community, but {nodes[several]!r} has {count}")
    found = sorted_classes(list_[0] for list_ in lists)
    index = {community: id_ for id_, community in enumerate(found)}
    return np.fromiter((index[list_[0]] for list_ in lists), np.uint32, len(lists)), found


def native_names(nodes: Sequence[Any] | npt.NDArray[Any]) -> _hycome.Names:
    """What files and pictures call these nodes."""
    if isinstance(nodes, np.ndarray) and nodes.dtype.kind in "iu" and (len(nodes) == 0 or nodes.min() >= 0):
        return _hycome.Names.from_numbers(np.ascontiguousarray(nodes, np.uint64))
    return _hycome.Names.from_strings([str(node) for node in nodes])


def sorted_classes(labels: Iterable[Hashable]) -> list[Any]:
    """Distinct labels in their own order or, where they have none, in that of their texts."""
    distinct = set(labels)
    try:
        return sorted(distinct)
    except TypeError:
        return sorted(distinct, key=lambda label: (str(label), str(type(label))))


def _lists(labels: Any, nodes: Sequence[Any] | npt.NDArray[Any], what: str) -> list[list[Any]]:
    if hasattr(labels, "to_dict") and hasattr(labels, "index") and getattr(labels, "ndim", 1) == 1:
        labels = labels.to_dict()  # a pandas Series, by its index
    if isinstance(labels, Mapping):
        known = [node for node in _objects(nodes) if node in labels]
        if not known:
            raise ValueError(f"`{what}` must name nodes of the graph, but names none of them")
        return [_of_node(labels.get(node)) for node in _objects(nodes)]
    if hasattr(labels, "toarray"):
        labels = labels.toarray()
    if getattr(labels, "ndim", 1) == 2:
        table = np.asarray(labels)
        _check_length(len(table), len(nodes), what)
        return [np.flatnonzero(row).tolist() for row in table]
    values = labels.tolist() if hasattr(labels, "tolist") else list(labels)
    _check_length(len(values), len(nodes), what)
    return [_of_node(value) for value in values]


def _objects(nodes: Sequence[Any] | npt.NDArray[Any]) -> Sequence[Any]:
    return nodes.tolist() if isinstance(nodes, np.ndarray) else nodes


def _of_node(label: Any) -> list[Any]:
    if label is None or (isinstance(label, float) and label != label):
        return []
    if isinstance(label, list | tuple | set | frozenset | np.ndarray):
        return list(dict.fromkeys(label))
    return [label]


def _check_length(found: int, expected: int, what: str) -> None:
    if found != expected:
        raise ValueError(f"`{what}` must have one entry for each of the {expected} nodes, but has {found}")
