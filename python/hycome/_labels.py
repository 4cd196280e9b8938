"""Converts labels and communities from the types of other libraries."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _hycome
from ._arrays import is_missing
from ._label_tables import is_table, lists_of_table
from ._warnings import warn_of_notes

Nodes = Sequence[Any] | npt.NDArray[Any]


class Labels(NamedTuple):
    """Labels of the extension module, and the user's objects that its classes represent."""

    native: _hycome.Labels
    classes: list[Any]


def labels_of(labels: Any, nodes: Nodes, what: str = "labels", *, many_classes: bool = True) -> Labels:
    """Converts the labels of these nodes.

    Labels are a mapping or a Series by name, a sequence in the order of the nodes, a table (see
    :mod:`hycome._label_tables`) or a label file. A node may have one class, several (a list, tuple or set) or none
    (``None``, NaN or ``NA``).
    """
    if isinstance(labels, _hycome.Labels):
        return Labels(labels, labels.names)
    if isinstance(labels, str | os.PathLike):
        native = _read(labels, nodes, many_classes)
        return Labels(native, native.names)
    lists = _lists(labels, nodes, what)
    classes = sorted_classes(label for list_ in lists for label in list_)
    index = {label: id_ for id_, label in enumerate(classes)}
    starts = np.zeros(len(lists) + 1, np.uint64)
    np.cumsum([len(list_) for list_ in lists], out=starts[1:])
    ids = np.fromiter((index[label] for list_ in lists for label in list_), np.uint32)
    return Labels(_hycome.Labels([str(label) for label in classes], starts, ids), classes)


def native_labels(labels: Any, nodes: Nodes, what: str = "labels") -> _hycome.Labels:
    """Labels of these nodes as the type of the extension module."""
    return labels_of(labels, nodes, what).native


def partition(communities: Any, nodes: Nodes) -> tuple[npt.NDArray[np.uint32], list[Any]]:
    """Community id of each node, counted from 0, and the communities that the ids represent."""
    is_vector = isinstance(communities, np.ndarray) and communities.ndim == 1 and communities.dtype.kind in "iu"
    if is_vector and not np.ma.is_masked(communities):
        _check_length(len(communities), len(nodes), "communities")
        values, ids = np.unique(np.asarray(communities), return_inverse=True)
        return ids.astype(np.uint32), values.tolist()
    lists = _lists(communities, nodes, "communities")
    several = next((row for row, list_ in enumerate(lists) if len(list_) != 1), None)
    if several is not None:
        count = len(lists[several]) or "no"
        raise ValueError(f"each node must have one community, but {_objects(nodes)[several]!r} has {count}")
    found = sorted_classes(list_[0] for list_ in lists)
    index = {community: id_ for id_, community in enumerate(found)}
    return np.fromiter((index[list_[0]] for list_ in lists), np.uint32, len(lists)), found


def community_ids(communities: Any, nodes: Nodes, count: int) -> npt.NDArray[np.uint32]:
    """Community id of each node, where the communities are given as ids below ``count``."""
    ids, found = partition(communities, nodes)
    for community in found:
        if isinstance(community, bool) or not isinstance(community, int) or not 0 <= community < count:
            raise ValueError(
                f"`communities` must be ids from 0 to {count - 1} with `communities_count`, but one is {community!r}"
            )
    return np.asarray(found, np.uint32)[ids]


def by_position(values: Any) -> Any:
    """Drops an index, for functions that pair rows by position as scikit-learn does."""
    if not is_sequence(values):
        raise TypeError(f"expected a sequence with an entry for each node, found {values!r}, a {type(values).__name__}")
    if isinstance(values, Iterator):
        return list(values)
    if _is_series(values):
        return values.tolist()
    return values.reset_index(drop=True) if hasattr(values, "reset_index") else values


def is_sequence(values: Any) -> bool:
    """Whether values are iterable and ordered; strings do not count."""
    return isinstance(values, Iterable) and not isinstance(values, str | bytes | set | frozenset)


def of_attribute(graph: Any, labels: Any) -> Any:
    """Values of the node attribute ``labels`` of a NetworkX or igraph graph; ``labels`` itself if there is none."""
    if not isinstance(labels, str):
        return labels
    if type(graph).__module__.startswith("networkx") and hasattr(graph, "nodes"):
        found = dict(graph.nodes(data=labels))
        return labels if all(value is None for value in found.values()) else found
    if hasattr(graph, "vs") and labels in graph.vs.attributes():
        return list(graph.vs[labels])
    return labels


def native_names(nodes: Nodes) -> _hycome.Names:
    """Names of these nodes in files and figures."""
    return native_numbers(nodes) or _hycome.Names.from_strings([str(node) for node in nodes])


def native_numbers(nodes: Nodes) -> _hycome.Names | None:
    """Names of nodes that are an array of non-negative integers; ``None`` for other nodes."""
    if isinstance(nodes, np.ndarray) and nodes.dtype.kind in "iu" and len(nodes) and nodes.min() >= 0:
        return _hycome.Names.from_numbers(np.ascontiguousarray(nodes, np.uint64))
    return None


def sorted_classes(labels: Iterable[Hashable]) -> list[Any]:
    """Distinct labels in ascending order; labels that cannot be compared are ordered as strings."""
    distinct = set(labels)
    try:
        return sorted(distinct)
    except TypeError:
        return sorted(distinct, key=lambda label: (str(label), str(type(label))))


def _read(path: str | os.PathLike[str], nodes: Nodes, many_classes: bool) -> _hycome.Labels:
    try:
        found, notes = _hycome.Labels.read(path, native_names(nodes), many_classes)
    except FileNotFoundError as error:
        if not isinstance(path, str):
            raise
        raise FileNotFoundError(
            f"{error}; a node attribute of this name is read where `graph` is a NetworkX or igraph graph that has it"
        ) from None
    except ValueError as error:
        raise ValueError(str(error).replace("(-k)", "(`communities`)")) from None
    warn_of_notes(notes, ("header",))
    return found


def _lists(labels: Any, nodes: Nodes, what: str) -> list[list[Any]]:
    if is_table(labels):
        labels = lists_of_table(labels, what)
    if _is_series(labels):
        labels = _by_index(labels, nodes, what)
    if isinstance(labels, Mapping):
        objects = _objects(nodes)
        if not any(node in labels for node in objects):
            raise ValueError(f"`{what}` must name nodes of the graph, but names none of them")
        return [_of_node(labels.get(node)) for node in objects]
    if hasattr(labels, "to_pylist"):
        labels = labels.to_pylist()  # Arrow
    values = labels.tolist() if hasattr(labels, "tolist") else list(labels) if is_sequence(labels) else labels
    if not isinstance(values, list):
        raise ValueError(f"`{what}` must have one entry for each of the {len(nodes)} nodes, but is {values!r}")
    _check_length(len(values), len(nodes), what)
    return [_of_node(value) for value in values]


def _is_series(labels: Any) -> bool:
    """Whether labels are a pandas Series."""
    return hasattr(labels, "to_dict") and hasattr(labels, "index") and getattr(labels, "ndim", 1) == 1


def _by_index(series: Any, nodes: Nodes, what: str) -> dict[Any, Any]:
    """Values of a Series by index."""
    index = series.index
    if not index.is_unique:
        raise ValueError(
            f"the index of `{what}` must name each node once, but names {index[index.duplicated()].tolist()[0]!r} twice"
        )
    objects = _objects(nodes)
    is_default = getattr(index, "start", None) == 0 and getattr(index, "step", None) == 1
    if is_default and len(series) == len(objects) and any(node not in index for node in objects):
        raise ValueError(
            f"`{what}` is a Series whose index 0, 1, … does not name the nodes, so nodes and values could be "
            f"mismatched; give {what}.to_numpy() if they are in the order of the nodes, or set the index to the nodes' "
            "names"
        )
    found: dict[Any, Any] = series.to_dict()
    return found


def _objects(nodes: Nodes) -> Sequence[Any]:
    return nodes.tolist() if isinstance(nodes, np.ndarray) else nodes


def _of_node(label: Any) -> list[Any]:
    if isinstance(label, list | tuple | set | frozenset | np.ndarray):
        each = label.tolist() if isinstance(label, np.ndarray) else label
        return [one for one in dict.fromkeys(each) if not is_missing(one)]
    return [] if is_missing(label) else [label.item() if isinstance(label, np.generic) else label]


def _check_length(found: int, expected: int, what: str) -> None:
    if found != expected:
        raise ValueError(f"`{what}` must have one entry for each of the {expected} nodes, but has {found}")
