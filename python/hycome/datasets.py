"""Public graphs by name.

``karate``, ``books``, ``football`` and ``polblogs`` are built in. The others are read from the folder in the
environment variable ``HYCOME_DATA``, by default the folder that ``hycome datasets get`` downloads to. Only
:func:`fetch` downloads.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import sys
import urllib.request
from pathlib import Path

from . import _hycome
from ._convert import Repeated
from .graph import Graph

Dataset = _hycome.Dataset

__all__ = ["Dataset", "fetch", "folder", "info", "load", "names"]


def names() -> list[str]:
    """Names of all public graphs, built-in ones first.

    Returns
    -------
    list of str
        The names.

    Examples
    --------
    >>> names()[:4]
    ['karate', 'books', 'football', 'polblogs']
    """
    return [dataset.name for dataset in _hycome.known_datasets()]


def info(name: str) -> Dataset:
    """Metadata of a public graph: size, citation, licence, files.

    Parameters
    ----------
    name : str
        The name of the graph.

    Returns
    -------
    Dataset
        The metadata.

    Examples
    --------
    >>> info("karate").nodes
    34
    """
    found = _hycome.find_dataset(name)
    if found is None:
        raise ValueError(f"no public graph is called {name!r}; there are {_known(name)}")
    return found


def load(name: str, *, data: str | os.PathLike[str] | None = None) -> Graph:
    """Loads a public graph and its labels, without downloading.

    Parameters
    ----------
    name : str
        The name of the graph.
    data : str or path, optional
        Folder of downloaded graphs, by default :func:`folder`.

    Returns
    -------
    Graph
        The graph.

    Examples
    --------
    >>> load("karate")
    <Graph karate: 34 nodes, 78 edges, 2 classes>
    """
    known = info(name)
    parts = _hycome.load_dataset(known.name, Path(data) if data is not None else folder())
    if parts is None:
        raise FileNotFoundError(_missing(known, data))
    return Graph._of_parts(parts)


def fetch(name: str, *, data: str | os.PathLike[str] | None = None, source: str | None = None) -> Graph:
    """Downloads the files of a public graph if they are missing, and loads it.

    Downloads are verified by their SHA-256 before they get their final name.

    Parameters
    ----------
    name : str
        The name of the graph.
    data : str or path, optional
        Folder for the files, by default :func:`folder`.
    source : str, optional
        Base URL of a mirror with the same folders and files.

    Returns
    -------
    Graph
        The graph.

    Examples
    --------
    >>> fetch("karate")  # built in, so nothing is downloaded
    <Graph karate: 34 nodes, 78 edges, 2 classes>
    """
    known = info(name)
    into = Path(data) if data is not None else folder()
    if into is None:
        raise OSError("there is no home folder to store graphs in; set `data` or HYCOME_DATA")
    if not known.is_built_in:
        for place, addresses, sha256 in known.files:
            if not (into / place).exists():
                urls = addresses if source is None else [f"{source.rstrip('/')}/{place}"]
                _download(urls, into / place, sha256)
    return load(name, data=into)


def folder() -> Path | None:
    """Folder of downloaded graphs.

    Returns
    -------
    pathlib.Path or None
        ``HYCOME_DATA`` if set, else the default of the command; ``None`` if there is no home folder.

    Examples
    --------
    >>> folder() is None or folder().is_absolute() or "HYCOME_DATA" in os.environ
    True
    """
    named = os.environ.get("HYCOME_DATA")
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return Path(base) / "hycome" if base and os.path.isabs(base) else None


def load_or_read(argument: str, repeated: Repeated | None = None, header: bool | None = None) -> Graph:
    """Loads the public graph of this name, or else reads this file; ``./karate`` is always a file."""
    known = _hycome.find_dataset(argument)
    if known is not None:
        parts = _hycome.load_dataset(known.name, folder(), repeated)
        if parts is not None:
            return Graph._of_parts(parts)
    if os.path.exists(argument):
        return Graph.read(argument, repeated=repeated, header=header)
    if known is not None:
        raise FileNotFoundError(_missing(known, None))
    if argument.replace("_", "").isalnum():
        raise FileNotFoundError(f"no file is called {argument!r}, nor a public graph; there are {_known(argument)}")
    return Graph.read(argument, repeated=repeated, header=header)


def _download(urls: list[str], target: Path, sha256: str | None) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    failures = []
    for url in urls:
        try:
            with urllib.request.urlopen(url) as answer, part.open("wb") as file:
                digest = hashlib.sha256()
                while block := answer.read(1 << 20):
                    digest.update(block)
                    file.write(block)
        except OSError as error:
            failures.append(f"{url}: {error}")
            continue
        if sha256 is None or digest.hexdigest() == sha256:
            part.replace(target)
            return
        failures.append(f"{url}: its SHA-256 is {digest.hexdigest()}, not the published {sha256}")
    part.unlink(missing_ok=True)
    raise OSError(f"{target}: cannot download: {'; '.join(failures) or 'no address is known'}")


def _missing(known: Dataset, data: str | os.PathLike[str] | None) -> str:
    where = data if data is not None else folder() or "any folder"
    return (
        f"the files of {known.name!r} are not in {where}; hycome.datasets.fetch({known.name!r}) downloads them, or set "
        f"HYCOME_DATA to a folder that has {known.files[0][0]}"
    )


def _known(name: str) -> str:
    near = difflib.get_close_matches(name.lower(), names(), 1)
    return ", ".join(names()) + (f"; did you mean {near[0]!r}?" if near else "")
