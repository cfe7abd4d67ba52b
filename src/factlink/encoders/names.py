"""Names and handles as vectors."""

from dataclasses import dataclass

from factlink.encoders.ngrams.encoder import GramEncoder


@dataclass(frozen=True, slots=True)
class NameEncoder(GramEncoder):
    """Character n-grams of a name in several spellings, rare ones heavier."""
