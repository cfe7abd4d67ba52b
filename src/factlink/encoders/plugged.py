"""What reads texts by meaning: the model in a folder, or an encoder of another package, named plugin:NAME."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.encoders.ngrams.projection import centre
from factlink.encoders.sentences import SentenceEncoder
from factlink.errors import InputError
from factlink.plugins import ENCODERS, load_plugin
from factlink.protocols import Encoder
from factlink.types import Floats
from factlink.vectors import unit_rows

PREFIX = "plugin:"


@dataclass(frozen=True, slots=True)
class PluggedEncoder:
    """An encoder found by its entry point; its rows are checked and made unit rows."""

    model: str  # plugin:NAME
    centred: bool = True

    def __post_init__(self) -> None:
        self._load()

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        """(n, dim) unit rows; zero rows stay zero."""
        texts = list(objects)
        vectors = np.array(self._load().encode(texts), np.float32)
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise InputError(
                f"encoder '{self.model}' gave an array of shape {vectors.shape} for {len(texts)} texts; it must give "
                "one row of finite numbers for each"
            )
        return centre(unit_rows(vectors)) if self.centred else unit_rows(vectors)

    def _load(self) -> Encoder:
        encoder: Encoder = load_plugin(ENCODERS, self.model.removeprefix(PREFIX), ("encode",))()
        return encoder


def text_encoder(model: str, *, centred: bool = True) -> SentenceEncoder | PluggedEncoder:
    """The encoder that a setting `text_model` names: a folder, or plugin:NAME."""
    return PluggedEncoder(model, centred) if model.startswith(PREFIX) else SentenceEncoder(model, centred)
