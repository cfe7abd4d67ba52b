"""Tiny model2vec models, made here: nothing is downloaded."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

WORDS: Mapping[str, Sequence[float]] = {
    "cat": [1, 0, 0.1],
    "kitten": [0.9, 0.1, 0],
    "rocket": [0, 0, 1],
    "spacecraft": [0, 0.1, 0.9],
    "car": [0, 1, 0],
    "automobile": [0.1, 0.9, 0],
}


def save_model(folder: Path, words: Mapping[str, Sequence[float]] = WORDS) -> str:
    """A folder with a model that knows these words, each by its vector, and nothing else."""
    model2vec = pytest.importorskip("model2vec", reason="the text extra is not installed")
    tokenizers = pytest.importorskip("tokenizers", reason="the text extra is not installed")
    places = {word: place for place, word in enumerate(["[UNK]", *words])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(places, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    known = np.array(list(words.values()), np.float32)
    vectors = np.concatenate([np.zeros((1, known.shape[1]), np.float32), known])
    model2vec.StaticModel(vectors, tokenizer).save_pretrained(str(folder))
    return str(folder)
