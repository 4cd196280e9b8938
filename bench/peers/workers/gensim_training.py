"""Skip-gram of gensim on a file of walks: FILE DIM WINDOW NEGATIVES."""

import json
import sys

from clock import timed
from gensim.models import Word2Vec

path, dim, window, negatives = sys.argv[1], *map(int, sys.argv[2:5])
times = {}
model = Word2Vec(
    vector_size=dim, window=window, negative=negatives, sg=1, hs=0, sample=0, min_count=1, workers=1, epochs=1, seed=1
)
with timed(times, "vocabulary"):
    model.build_vocab(corpus_file=path)
with timed(times, "training"):
    model.train(corpus_file=path, total_words=model.corpus_total_words, total_examples=model.corpus_count, epochs=1)
print(json.dumps({**times, "nodes": len(model.wv)}))
