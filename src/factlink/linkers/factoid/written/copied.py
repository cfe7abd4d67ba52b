"""The channel of bare handles on both sides: what one copies from the other, by how surprising that is here."""

from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from factlink.candidates.pairs import CandidatePairs
from factlink.encoders.handles.background import Background
from factlink.encoders.handles.copies import compare_handles, copied_pieces
from factlink.encoders.handles.pieces import Handles
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.execution.workers import HERE, Workers, spans
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.written.compared import Compared
from factlink.linkers.factoid.written.letters import read_handles
from factlink.types import Floats, Pairs

WEIGHT = 2.0
"""Beside names, times the mean reciprocal rank of confident pairs."""


@dataclass(frozen=True, slots=True, eq=False)
class CopyChannel(Channel):
    """How much of the surprise of two handles each explains of the other; products come from letters, not rows."""

    handles: tuple[Handles, Handles] | None = None
    compared: Compared | None = None  # of users who are called otherwise
    renamings: "dict[int, tuple[pl.Series, CopyChannel]]" = field(default_factory=dict)  # the last by side

    def products(self, pairs: CandidatePairs | Pairs, workers: Workers = HERE) -> Floats:
        """(n_pairs,) between 0 and 1."""
        if self.compared is None:
            return self._products(pairs, workers)
        return self.compared.products(pairs, lambda new: self._products(new, workers))

    def renamed(self, side: int, texts: pl.Series) -> "CopyChannel":
        """The channel with other users on one side, who are called so; the same again for the same series."""
        assert self.handles is not None
        last = self.renamings.get(side)
        if last is None or last[0] is not texts:
            handles = list(self.handles)
            handles[side] = read_handles(texts, handles[side].background)
            renamed = replace(self, handles=(handles[0], handles[1]), compared=Compared(), renamings={})
            last = self.renamings[side] = texts, renamed
        return replace(last[1], weighting=self.weighting)

    def copied(self, left: int, right: int) -> list[str]:
        """The pieces of a left handle that are copied from a right one."""
        assert self.handles is not None
        return copied_pieces(left, right, *self.handles)

    def _products(self, pairs: CandidatePairs | Pairs, workers: Workers) -> Floats:
        parts = [
            (pairs.lefts[start:stop], pairs.rights[start:stop]) for start, stop in spans(len(pairs), workers.parts)
        ]
        return workers.stack(compare_handles, parts, *(self.handles or ()))


def copy_channel(
    texts: tuple[pl.Series, pl.Series],
    weight: float,
    backgrounds: tuple[Background | None, Background | None] = (None, None),
) -> CopyChannel:
    """The channel of users who are called so, against the backgrounds given or each other."""
    left, right = (read_handles(text, background) for text, background in zip(texts, backgrounds, strict=True))
    weighting = ChannelWeight(EvidenceSource.HANDLES, "", "", weight, "")
    lefts, rights = (np.zeros((len(text), 0), np.float32) for text in texts)
    return CopyChannel(weighting, lefts, rights, handles=(left, right))
