"""An encoder of texts: how often each letter occurs."""

from collections.abc import Sequence

import numpy as np


class LetterEncoder:
    """One row of 26 numbers for each text."""

    def encode(self, objects: Sequence[str]) -> np.ndarray:
        """(n, 26); factlink makes the rows unit rows."""
        texts = [text.lower() for text in objects]
        counts = [[text.count(chr(97 + letter)) for letter in range(26)] for text in texts]
        return np.array(counts, np.float32).reshape(len(texts), 26)
