"""Products that were worked out already: a fit asks for most of them more than once."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from factlink.candidates.pairs import CandidatePairs
from factlink.types import Floats, Ints, Pairs


@dataclass(slots=True, eq=False)
class Compared:
    """Products that are known already; a fit asks for most of them more than once."""

    codes: Ints = field(default_factory=lambda: np.empty(0, np.int64))  # pairs as one number each, rising
    values: Floats = field(default_factory=lambda: np.empty(0, np.float32))

    def products(self, pairs: CandidatePairs | Pairs, compare: Callable[[Pairs], Floats]) -> Floats:
        """(n_pairs,): only pairs that are new are compared."""
        codes = pairs.lefts.astype(np.int64) << 32 | pairs.rights
        places = np.minimum(np.searchsorted(self.codes, codes), max(0, len(self.codes) - 1))
        known = self.codes[places] == codes if len(self.codes) else np.zeros(len(codes), np.bool_)
        products = np.empty(len(codes), np.float32)
        products[known] = self.values[places[known]]
        products[~known] = compare(Pairs(pairs.lefts[~known], pairs.rights[~known]))
        order = np.argsort(codes)
        self.codes, self.values = codes[order], products[order]
        return products
