"""Equivalent of `hycome embed dblp` in Python: WALKS FILE."""

import sys

import hycome

run = hycome.embed("dblp", walks=int(sys.argv[1]), progress=False)
print(run.metrics())
run.save(sys.argv[2])
