"""What may be at hand of the users of a side before anybody asks about them."""

from typing import Protocol

from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.transliteration import PackedStrings
from factlink.evidence import ChannelWeight
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.written.versions import Versions
from factlink.types import Ints


class Prepared(Protocol):
    """Strings of the users of a side that were put into Latin letters before."""

    def name_channel(
        self, weighting: ChannelWeight, asked: tuple[Versions, Ints], space: GramSpace, rows: Ints
    ) -> Channel:
        """Names of new users, left, beside those of users in some rows; `asked` are versions and their buckets."""

    def texts(self, predicate: str, rows: Ints) -> tuple[Ints, PackedStrings] | None:
        """Whose each object of a predicate is, as places in `rows`, and the objects; None if they were not prepared."""
