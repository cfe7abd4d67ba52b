"""What a set of vectors was made from, as a short hash: the name to keep them under."""

import hashlib
from collections.abc import Sequence

import polars as pl

from factlink.types import Encoder


def fingerprint(encoder: Encoder, objects: Sequence[str] | pl.Series) -> str:
    """32 hex digits that change with the encoder, its settings, and the objects or their order.

    An encoder is known by its `repr`, which for a frozen dataclass is its name and all its settings. Objects that
    are paths of files count by their path, not by what is in the file.
    """
    digest = hashlib.blake2b(f"{type(encoder).__module__}.{encoder!r}\0".encode(), digest_size=16)
    for value in objects:
        encoded = value.encode()
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()
