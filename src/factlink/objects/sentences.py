"""Texts by meaning: an optional sentence encoder, from a model on this machine."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from factlink.errors import InputError, MissingExtraError
from factlink.objects.projection import centre
from factlink.types import Floats

_EXTRA = "pip install 'factlink[text]'"


@dataclass(frozen=True, slots=True)
class SentenceEncoder:
    """Sentence vectors of the model2vec static model in a folder; nothing is ever downloaded."""

    model: str

    def __post_init__(self) -> None:
        if not Path(self.model).is_dir():
            raise InputError(f"there is no model folder '{self.model}'; give the folder of a model2vec model")

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        """(n, dim of the model) unit rows, centred; zero for a text that the model has no word of."""
        try:
            from model2vec import StaticModel
        except ImportError as error:
            raise MissingExtraError(f"sentence vectors need model2vec; {_EXTRA}") from error
        model = StaticModel.from_pretrained(self.model)
        if len(objects) == 0:
            return np.zeros((0, model.dim), np.float32)
        return centre(np.ascontiguousarray(model.encode(list(objects)), np.float32))
