#!/usr/bin/env python3
"""Writes the malformed files beside this script. `expected.tsv` lists for each the kind of the error, with the line if it
has one, and a fact that the error mentions. Needs only Python and the `zstd` command."""

import gzip
import json
import struct
import subprocess
import zlib
from pathlib import Path

HERE = Path(__file__).parent
TEXTS = {
    "empty.txt": "",
    "only-comments.txt": "# nothing\n% here\n\n",
    "only-self-loops.txt": "1 1\n2 2\n",
    "only-a-header.csv": "source,target\n",
    "only-zero-weights.txt": "1 2 0\n",
    "one-column.txt": "1 2\n3\n",
    "four-columns.csv": "1,2,1.0,1234567890\n",
    "nan-weight.txt": "1 2 1\n2 3 NaN\n",
    "negative-weight.txt": "1 2 -0.5\n",
    "infinite-weight.txt": "a b inf\n",
    "huge-weight.txt": "1 2 1e39\n",
    "tiny-weight.txt": "1 2 1e-60\n",
    "weight-word.txt": "1 2 heavy\n",
    "uneven-weights.txt": "1 2 1\n2 3\n",
    "zero-byte.txt": "a b\nc\0 d\n",
    "terminal-escape.txt": "a b\n\x1b]0;owned\x07\x1b[31mred\n",
    "long-line.txt": "x" * 500 + "\n",
    "graphml.xml": '<?xml version="1.0"?><graphml></graphml>\n',
    "no-graph.gml": 'Creator "nobody"\n',
    "two-graphs.gml": "graph [ ]\ngraph [ ]\n",
    "no-nodes.gml": "graph [ ]\n",
    "unknown-node.gml": "graph [\n  node [ id 1 ]\n  edge [ source 1 target 9 ]\n]\n",
    "no-id.gml": 'graph [\n  node [ label "a" ]\n]\n',
    "repeated-id.gml": "graph [\n  node [ id 1 ]\n  node [ id 1 ]\n]\n",
    "word-id.gml": "graph [\n  node [ id one ]\n]\n",
    "id-beyond-64-bits.gml": "graph [\n  node [ id 9223372036854775808 ]\n]\n",
    "no-target.gml": "graph [\n  edge [ source 1 ]\n]\n",
    "open-string.gml": 'graph [\n  node [ id 1 label "a ]\n]\n',
    "open-bracket.gml": "graph [\n  node [ id 1 ]\n",
    "close-bracket.gml": "graph [ ]\n]\n",
    "deep.gml": "graph [ a " + "[ a " * 1000,
    "nan-weight.gml": "graph [\n  node [ id 1 ] node [ id 2 ]\n  edge [ source 1 target 2 value nan ]\n]\n",
    "not-square.mtx": "%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 2\n",
    "beyond-32-bits.mtx": "%%MatrixMarket matrix coordinate pattern general\n4294967296 4294967296 1\n1 2\n",
    "lying-size.mtx": "%%MatrixMarket matrix coordinate pattern general\n4000000000 4000000000 1\n1 2\n",
    "fewer-entries.mtx": "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n",
    "more-entries.mtx": "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n2 3\n",
    "row-zero.mtx": "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n0 2\n",
    "row-outside.mtx": "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n4 2\n",
    "negative-weight.mtx": "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 -1\n",
    "array.mtx": "%%MatrixMarket matrix array real general\n1 1\n1\n",
    "complex.mtx": "%%MatrixMarket matrix coordinate complex general\n3 3 1\n1 2 1 1\n",
    "skew.mtx": "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 1 1\n",
    "no-header.mtx": "3 3 1\n2 1\n",
    "no-size.mtx": "%%MatrixMarket matrix coordinate pattern general\n% nothing\n",
    "labels-unknown-node.txt": "8 a\n4 b\n",
    "labels-too-many.txt": "a\nb\na\nb\n",
    "labels-empty-line.txt": "a\n\nb\n",
    "labels-none.txt": "# none\n",
    "labels-wide.csv": "1,x,a\n2,y,b\n",
}


def mat_element(kind, data):
    return struct.pack("<II", kind, len(data)) + data + b"\0" * (-len(data) % 8)


def mat_file(rows, columns, values, version=0x0100):
    body = mat_element(6, struct.pack("<II", 6, 0)) + mat_element(5, struct.pack("<ii", rows, columns))
    body += mat_element(1, b"network") + mat_element(9, struct.pack(f"<{len(values)}d", *values))
    return b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H", version) + b"IM" + mat_element(14, body)


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


def graph_file(offsets, targets, version="1", rows="3", weights=(), form="U32"):
    """A triangle's graph file, or what is made of it, with a checksum that is right."""
    parts = [("offsets", "U64", struct.pack(f"<{len(offsets)}Q", *offsets)), ("names.first", "U64", bytes(8))]
    unsummed = [("targets", form, struct.pack(f"<{len(targets)}I", *targets))]
    if weights:
        unsummed.append(("weights", "F32", struct.pack(f"<{len(weights)}f", *weights)))
    metadata = {"format": "hycome-graph", "checksum": "0" * 8, "format_version": version, "program": "hycome 9.9.9"}
    metadata |= {"rows": rows, "self_loops": "0", "repeats": "0", "zero_weights": "0"}
    header, end = {"__metadata__": metadata}, 0
    for name, dtype, data in parts + unsummed:
        shape = [len(data) // (8 if dtype == "U64" else 4)]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [end, end + len(data)]}
        end += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    start = struct.pack("<Q", len(text)) + text
    checksum = zlib.crc32(start + b"".join(data for _, _, data in parts))
    start = start.replace(b'"checksum":"00000000"', b'"checksum":"%08x"' % checksum)
    return start + b"".join(data for _, _, data in parts + unsummed)


ROWS, TRIANGLE = [0, 2, 4, 6], [1, 2, 0, 2, 0, 1]
EDGES = "".join(f"{i} {i * i % 101}\n" for i in range(200)).encode()
BYTES = {
    "latin-1.txt": "a b\ncafé d\n".encode("latin-1"),
    "utf-16.txt": "1 2\n".encode("utf-16"),
    "garbage": bytes(i * 167 % 256 for i in range(512)),
    "cut.txt.gz": gzip.compress(EDGES, mtime=0)[:-20],
    "cut-in-header.gz": b"\x1f\x8b\x08",
    "cut.txt.zst": zstd(EDGES)[:-20],
    "trailing.gz": gzip.compress(EDGES, mtime=0) + b"garbage",
    "twice.gz": gzip.compress(gzip.compress(EDGES, mtime=0), mtime=0),
    "cut.mat": mat_file(2, 2, [0, 1, 1, 0])[:-8],
    "only-header.mat": mat_file(2, 2, [0, 1, 1, 0])[:128],
    "not-square.mat": mat_file(1, 2, [1, 1]),
    "fewer-values.mat": mat_file(2, 2, [1]),
    "negative-size.mat": mat_file(-1, -1, [1]),
    "nan-weight.mat": mat_file(2, 2, [0, 1, float("nan"), 0]),
    "version-7.3.mat": mat_file(1, 1, [1], version=0x0200),
    "version-4.mat": struct.pack("<IIIII", 0, 1, 1, 0, 2) + b"A\0" + struct.pack("<d", 1),
    "text.mat": b"1 2\n2 3\n",
    "cut.hyg": graph_file(ROWS, TRIANGLE)[:-1],
    "longer.hyg": graph_file(ROWS, TRIANGLE) + b"\0",
    "only-start.hyg": graph_file(ROWS, TRIANGLE)[:80],
    "changed-header.hyg": graph_file(ROWS, TRIANGLE).replace(b"9.9.9", b"9.9.8"),
    "newer.hyg": graph_file(ROWS, TRIANGLE, version="2"),
    "word-version.hyg": graph_file(ROWS, TRIANGLE, version="x"),
    "word-rows.hyg": graph_file(ROWS, TRIANGLE, rows="x"),
    "no-edges.hyg": graph_file([0, 0], []),
    "no-offsets.hyg": graph_file([], []),
    "offsets-beyond.hyg": graph_file([0, 2, 4, 2**63], TRIANGLE),
    "offsets-falling.hyg": graph_file([0, 4, 2, 6], TRIANGLE),
    "targets-beyond.hyg": graph_file(ROWS, [1, 3, 0, 2, 0, 1]),
    "targets-unsorted.hyg": graph_file(ROWS, [2, 1, 0, 2, 0, 1]),
    "targets-one-way.hyg": graph_file([0, 2, 3, 4], [1, 2, 2, 0]),
    "targets-own.hyg": graph_file([0, 2, 4, 6], [0, 1, 0, 1, 0, 1]),
    "targets-floats.hyg": graph_file(ROWS, TRIANGLE, form="F32"),
    "weights-differ.hyg": graph_file(ROWS, TRIANGLE, weights=[1, 2, 1, 3, 2, 4]),
    "weights-fewer.hyg": graph_file(ROWS, TRIANGLE, weights=[1, 2]),
    "weights-nan.hyg": graph_file(ROWS, TRIANGLE, weights=[1, 2, 1, 3, 2, float("nan")]),
    "text.hyg": b"1 2\n2 3\n",
    "archive.zip": b"PK\x03\x04" + bytes(30),
    "hdf5.bin": b"\x89HDF\r\n\x1a\n" + bytes(30),
}

for name, text in TEXTS.items():
    (HERE / name).write_bytes(text.encode())
for name, data in BYTES.items():
    (HERE / name).write_bytes(data)
