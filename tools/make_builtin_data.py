#!/usr/bin/env python3
"""Generates the built-in graphs of hycome from packages of public registries.

    pip install -r tools/requirements.txt
    python3 tools/make_builtin_data.py            # downloads, checks, writes

Sources: karate from networkx (installed), football from the nxviz source distribution on PyPI, books and
polblogs from the Debian package python3-graph-tool, fetched with `apt-get download`. Pass --nxviz FILE or
--graph-tool FILE to use an existing archive, for example on a system without apt-get.

For each graph two text files are written to crates/hycome/src/datasets/:

    NAME.nodes   id <TAB> name <TAB> class      ids count from 0 in the order of the source
    NAME.edges   id <TAB> id                    one line per row of the source, including self loops and repeats

Lines that begin with # are comments. The script fails if a count differs from the published one.
"""

import argparse
import gzip
import hashlib
import re
import struct
import subprocess
import tarfile
import tempfile
import urllib.request
from collections import Counter
from pathlib import Path

import networkx

TARGET = Path(__file__).resolve().parent.parent / "crates/hycome/src/datasets"

NXVIZ = "nxviz-0.9.0.tar.gz"
NXVIZ_SHA256 = "c124805acf97b8b66a70be51299967dac5ad92ad8e9987971a5b74c196235e40"
GRAPH_TOOL = "python3-graph-tool"
COLLECTION = "usr/lib/python3/dist-packages/graph_tool/collection"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nxviz", type=Path, help=f"{NXVIZ}, if already downloaded")
    parser.add_argument("--graph-tool", type=Path, help=f"{GRAPH_TOOL}_*.deb, if already downloaded")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        nxviz = arguments.nxviz or download_nxviz(scratch)
        collection = unpack_graph_tool(arguments.graph_tool or download_graph_tool(scratch), scratch)
        write("karate", *karate(), nodes=34, rows=78, edges=78, classes=[17, 17])
        write("football", *football(nxviz), nodes=115, rows=613, edges=613,
              classes=[13, 12, 12, 11, 10, 10, 10, 9, 8, 8, 7, 5])
        write("books", *books(collection), nodes=105, rows=441, edges=441, classes=[49, 43, 13])
        write("polblogs", *polblogs(collection), nodes=1490, rows=19090, edges=16715, classes=[758, 732])


# --- the four graphs: each returns names, classes and pairs of ids -----------------------------------

def karate():
    """Members 1 to 34 as in Zachary's paper; the class is the club joined after the split."""
    graph = networkx.karate_club_graph()
    names = [str(node + 1) for node in graph]
    return names, [graph.nodes[node]["club"] for node in graph], list(graph.edges())


def football(archive):
    """Teams; the class is the conference, whose names are in the accompanying text file."""
    with tarfile.open(archive) as files:
        folder = NXVIZ.removesuffix(".tar.gz") + "/docs/data/football"
        gml = files.extractfile(folder + ".gml").read().decode()
        note = files.extractfile(folder + ".txt").read().decode()
    conferences = dict(re.findall(r"^ +(\d+) = (.+?)\s*$", note, re.MULTILINE))
    nodes = re.findall(r'id (\d+)\s+label "(.*?)"\s+value (\d+)', gml)
    pairs = re.findall(r"source (\d+)\s+target (\d+)", gml)
    if [int(node[0]) for node in nodes] != list(range(len(nodes))):
        raise SystemExit("football: ids do not count from 0")
    names = [name for _, name, _ in nodes]
    return names, [conferences[value] for _, _, value in nodes], [(int(u), int(v)) for u, v in pairs]


def books(collection):
    """Titles; the class is the political leaning."""
    pairs, properties = read_gt(collection / "polbooks.gt.gz")
    leaning = {"l": "liberal", "n": "neutral", "c": "conservative"}
    return properties["label"], [leaning[value] for value in properties["value"]], pairs


def polblogs(collection):
    """Blogs; the class is the political leaning. An edge is a link from the first blog to the second.

    Trailing spaces of two addresses are removed.
    """
    pairs, properties = read_gt(collection / "polblogs.gt.gz")
    leaning = {0: "liberal", 1: "conservative"}
    names = [name.strip() for name in properties["label"]]
    return names, [leaning[int(value)] for value in properties["value"]], pairs


# --- graph-tool's binary format ----------------------------------------------------------------------

def read_gt(path):
    """Reads the edges, ordered by source, and the vertex properties of a .gt.gz file."""
    data = gzip.decompress(path.read_bytes())
    if data[:8] != "⛾ gt".encode() + b"\x01\x00":
        raise SystemExit(f"{path.name}: not graph-tool's format, version 1, little endian")
    position = 8

    def take(letter):
        nonlocal position
        (value,) = struct.unpack_from("<" + letter, data, position)
        position += struct.calcsize("<" + letter)
        return value

    def text():
        nonlocal position
        length = take("Q")
        position += length
        return data[position - length:position].decode()

    def values(kind, count):
        scalar = {0: lambda: take("B"), 1: lambda: take("h"), 2: lambda: take("i"), 3: lambda: take("q"),
                  4: lambda: take("d"), 6: text}
        if kind in scalar:
            return [scalar[kind]() for _ in range(count)]
        return [[scalar[kind - 7]() for _ in range(take("Q"))] for _ in range(count)]

    text()  # comment
    take("B")  # whether directed
    node_count = take("Q")
    width = next(letter for letter, bits in (("B", 8), ("H", 16), ("I", 32), ("Q", 64))
                 if node_count < 1 << bits)
    pairs = [(source, take(width)) for source in range(node_count) for _ in range(take("Q"))]
    properties = {}
    for _ in range(take("Q")):
        key, name, kind = take("B"), text(), take("B")
        content = values(kind, {0: 1, 1: node_count, 2: len(pairs)}[key])
        if key == 1:
            properties[name] = content
    return pairs, properties


# --- the archives ------------------------------------------------------------------------------------

def download_nxviz(scratch):
    """Downloads the source distribution from the index; pip would require a newer Python."""
    with urllib.request.urlopen("https://pypi.org/simple/nxviz/") as page:
        address = re.search(rf'href="([^"#]+/{re.escape(NXVIZ)})', page.read().decode()).group(1)
    with urllib.request.urlopen(address) as answer:
        content = answer.read()
    if hashlib.sha256(content).hexdigest() != NXVIZ_SHA256:
        raise SystemExit(f"{NXVIZ}: the SHA-256 is not {NXVIZ_SHA256}")
    archive = scratch / NXVIZ
    archive.write_bytes(content)
    return archive


def download_graph_tool(scratch):
    subprocess.run(["apt-get", "download", GRAPH_TOOL], cwd=scratch, check=True)
    return next(scratch.glob(GRAPH_TOOL + "_*.deb"))


def unpack_graph_tool(archive, scratch):
    subprocess.run(["dpkg-deb", "-x", archive, scratch / "deb"], check=True)
    return scratch / "deb" / COLLECTION


# --- output ---------------------------------------------------------------------------------------

def write(name, names, labels, pairs, *, nodes, rows, edges, classes):
    """Checks the counts against the published ones, then writes both files."""
    simple = {frozenset(pair) for pair in pairs if pair[0] != pair[1]}
    found = (len(names), len(pairs), len(simple), sorted(Counter(labels).values(), reverse=True))
    if found != (nodes, rows, edges, classes):
        raise SystemExit(f"{name}: expected {(nodes, rows, edges, classes)}, found {found}")
    if len(set(names)) != nodes or any(set("\t\n\r") & set(word) for word in names + labels):
        raise SystemExit(f"{name}: names must be distinct and without tabs or line breaks")

    lines = ["# id\tname\tclass"] + [f"{i}\t{n}\t{c}" for i, (n, c) in enumerate(zip(names, labels))]
    (TARGET / f"{name}.nodes").write_text("\n".join(lines) + "\n", encoding="utf-8")
    lines = ["# id\tid"] + [f"{u}\t{v}" for u, v in pairs]
    (TARGET / f"{name}.edges").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{name}: {nodes} nodes, {rows} rows, {edges} edges, {len(classes)} classes")


if __name__ == "__main__":
    main()
