"""Texts in any language as vectors: bios, posts, descriptions; several texts of a user are several objects."""

from dataclasses import dataclass

from factlink.encoders.ngrams.encoder import GramEncoder
from factlink.encoders.ngrams.hashing import PARTS, WORDS
from factlink.encoders.ngrams.rows import Grams

TEXT_GRAMS = Grams(forms=WORDS | PARTS, smallest=3, largest=8, longest_string=20_000)


@dataclass(frozen=True, slots=True)
class TextEncoder(GramEncoder):
    """Words and pieces of words of 3 to 8 characters, ends included, rare ones heavier.

    Hashtags and camel case are read whole and in parts; other scripts are read in Latin letters. Texts are cut
    after 20,000 characters.
    """

    grams: Grams = TEXT_GRAMS
