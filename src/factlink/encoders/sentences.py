"""Texts by meaning: an optional sentence encoder, from a model on this machine."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from factlink.encoders.cache import SENTENCES, is_cached, make_once
from factlink.encoders.fingerprints import folder_fingerprint, versions_of
from factlink.encoders.ngrams.projection import centre, subtract
from factlink.errors import InputError, MissingExtraError
from factlink.progress import counted
from factlink.types import Floats

LIBRARIES = ("model2vec", "tokenizers", "sentence-transformers", "transformers", "torch")
_CHUNK = 4096  # texts at a time

Model = Callable[[list[str]], Floats]


@dataclass(frozen=True, slots=True)
class SentenceEncoder:
    """Sentence vectors of the model in a folder, of model2vec or of sentence-transformers; nothing is ever downloaded.

    Without `centred` every text is encoded for itself, whatever the others are.
    """

    model: str
    centred: bool = True

    def __post_init__(self) -> None:
        if not Path(self.model).is_dir():
            raise InputError(
                f"there is not a model folder '{self.model}'; "
                "give the folder of a model2vec or sentence-transformers model"
            )

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        """(n, dim of the model) unit rows; zero for a text that the model has no word of."""
        description = f"{folder_fingerprint(self.model)}, {versions_of(*LIBRARIES)}" if is_cached(SENTENCES) else ""
        vectors = make_once(SENTENCES, description, objects, lambda: {"vectors": self._read(list(objects))})["vectors"]
        return centre(vectors) if self.centred else vectors

    def _read(self, texts: list[str]) -> Floats:
        model = _load(self.model)
        starts = range(0, max(1, len(texts)), _CHUNK)  # the empty text gives the dimension
        parts = [
            model(texts[start : start + _CHUNK]) for start in counted(starts, len(starts), "reading texts, thousands")
        ]
        vectors = np.ascontiguousarray(np.concatenate(parts), np.float32)
        subtract(vectors, np.zeros(vectors.shape[1], np.float32))
        return vectors


def _load(folder: str) -> Model:
    """What encodes texts; a folder that holds no model is refused."""
    load = _load_sentence_transformer if _is_sentence_transformer(Path(folder)) else _load_model2vec
    try:
        return load(folder)
    except MissingExtraError:
        raise
    except Exception as error:  # both libraries raise almost anything on a folder that they cannot read
        raise InputError(
            f"folder '{folder}' holds no model that can be read ({error}); "
            "give the folder of a model2vec or sentence-transformers model"
        ) from error


def _is_sentence_transformer(folder: Path) -> bool:
    """By modules.json, which both libraries write; static vectors are model2vec's."""
    listed = folder / "modules.json"
    try:
        modules = json.loads(listed.read_text("utf-8")) if listed.exists() else []
        return bool(modules) and not str(modules[0]["type"]).endswith("StaticEmbedding")
    except (ValueError, LookupError, TypeError):
        return False


def _load_model2vec(folder: str) -> Model:
    try:
        from model2vec import StaticModel
    except ImportError as error:
        raise MissingExtraError("sentence vectors need model2vec; pip install 'factlink[text]'") from error
    model = StaticModel.from_pretrained(folder)

    def encode(texts: list[str]) -> Floats:
        if not texts:
            return np.zeros((0, model.dim), np.float32)
        return np.asarray(model.encode(texts, use_multiprocessing=False), np.float32)

    return encode


def _load_sentence_transformer(folder: str) -> Model:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingExtraError(
            f"folder '{folder}' holds a model of sentence-transformers; pip install sentence-transformers"
        ) from error
    model = SentenceTransformer(folder, device="cpu", local_files_only=True)

    def encode(texts: list[str]) -> Floats:
        if not texts:
            return np.zeros((0, model.get_sentence_embedding_dimension()), np.float32)
        return np.asarray(model.encode(texts, convert_to_numpy=True, show_progress_bar=False), np.float32)

    return encode
