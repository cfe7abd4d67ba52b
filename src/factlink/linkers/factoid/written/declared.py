"""Links that people declare: an account that names another one, in a field of its own or in a text."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.encoders.declared.addresses import network_called
from factlink.encoders.declared.claims import FIELD, MENTION, OTHER_HOST, POST
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.written.declarations import Declarations, read_declarations
from factlink.linkers.factoid.written.same import same_mails, same_sites
from factlink.types import Floats, Ints, Network, Pairs

MUTUAL, OWN_FIELD, IN_TEXT, IN_POST = "both name each other", "a field names it", "a text names it", "a post names it"
SAME_MAIL, SAME_SITE, SAME_ADDRESS = "the same e-mail address", "the same site", "the same address in a text"
"""Ways to declare a link, each trusted as much as it was right here."""

STRONG = (MUTUAL, SAME_MAIL, SAME_SITE, OWN_FIELD)
"""Ways that a run without labels is tested on."""

_TRUST = {
    MUTUAL: (19.8, 0.2),
    SAME_MAIL: (9.5, 0.5),
    SAME_SITE: (9.0, 1.0),
    OWN_FIELD: (9.5, 0.5),
    IN_TEXT: (3.0, 2.0),
    SAME_ADDRESS: (3.0, 2.0),
    IN_POST: (1.0, 4.0),
}
_CONTESTED = 0.5  # of the belief in a claim where names are confident of another pair


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """Pairs that somebody declares: how, and the share of the claim that is about this pair."""

    pairs: Pairs
    ways: pl.Series  # (n,) of MUTUAL …
    shares: npt.NDArray[np.float64]  # (n,) between 0 and 1
    said: pl.Series  # (n,) where, in words: bio names @amy

    def __len__(self) -> int:
        return len(self.pairs)

    def of_rows_from(self, first: int) -> "Declared":
        """Those of left users from a row on, who are counted from there."""
        kept = self.pairs.lefts >= first
        pairs = Pairs(self.pairs.lefts[kept] - first, self.pairs.rights[kept])
        return Declared(pairs, self.ways.filter(kept), self.shares[kept], self.said.filter(kept))


@dataclass(frozen=True, slots=True, eq=False)
class DeclaredLinks:
    """Declared pairs and how far each is believed: evidence rises by that share of what is missing to 1."""

    weighting: ChannelWeight
    declared: Declared
    beliefs: Floats  # (n,) between 0 and 1
    trust: Mapping[str, float] = field(default_factory=dict)  # by way

    @property
    def weight(self) -> float:
        """Beliefs count as they are."""
        return self.weighting.weight

    def beliefs_in(self, pairs: CandidatePairs | Pairs) -> Floats:
        """(n_pairs,): 0 for pairs that nobody declares."""
        if not len(self.declared):
            return np.zeros(len(pairs), np.float32)
        lefts, rights = self.declared.pairs.lefts, self.declared.pairs.rights
        sizes = (
            max(lefts.max(initial=0), pairs.lefts.max(initial=0)),
            max(rights.max(initial=0), pairs.rights.max(initial=0)),
        )
        places = gather_pairs(sizes[0] + 1, sizes[1] + 1, [(lefts, rights)]).places(pairs.lefts, pairs.rights)
        return np.where(places >= 0, self.beliefs[places], np.float32(0))


def raise_evidence(evidence: Floats, beliefs: Floats) -> Floats:
    """Evidence of other channels, with beliefs in declared links in it."""
    return np.asarray(evidence + beliefs * (1 - evidence), np.float32)


def find_declared(left: Network, right: Network) -> Declared:
    """All pairs that either user declares.

    A claim that many make of one account, or one makes of many accounts, is shared out among them.
    """
    return meet(read_declarations(left, right.name), read_declarations(right, left.name))


def meet(left: Declarations, right: Declarations) -> Declared:
    """The same from what the users of both networks declare."""
    forth = _resolved(left, right)
    back = _resolved(right, left).rename({"row": "other", "other": "row"})
    columns = ("row", "other", "way", "share", "said")
    parts = (_mutual(forth, back), forth, back, *_same(left, right))
    found = pl.concat([part.select(columns) for part in parts])
    order = pl.col("way").replace_strict({way: place for place, way in enumerate(_TRUST)}, return_dtype=pl.Int64)
    found = found.sort("row", "other", order, "share", descending=[False, False, False, True])
    found = found.unique(["row", "other"], keep="first", maintain_order=True)
    pairs = Pairs(found["row"].to_numpy().astype(np.int64), found["other"].to_numpy().astype(np.int64))
    return Declared(pairs, found["way"], found["share"].to_numpy().astype(np.float64), found["said"])


def _mutual(forth: pl.DataFrame, back: pl.DataFrame) -> pl.DataFrame:
    """Claims that go both ways; friends name each other in posts, so those do not count."""
    answered = back.filter(pl.col("strength") > POST).select("row", "other", answer="said")
    both = forth.filter(pl.col("strength") > POST).join(answered, on=["row", "other"], maintain_order="left")
    return both.with_columns(way=pl.lit(MUTUAL), share=pl.lit(1.0), said=pl.format("{}; {}", "said", "answer"))


def _same(left: Declarations, right: Declarations) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Users of both sides with the same site, or the same e-mail address."""
    way = pl.when("own").then(pl.lit(SAME_SITE)).otherwise(pl.lit(SAME_ADDRESS))
    mails = same_mails((left.mails, left.hashes), (right.mails, right.hashes))
    return same_sites(left.sites, right.sites).with_columns(way=way), mails.with_columns(way=pl.lit(SAME_MAIL))


def believe(declared: Declared, sizes: tuple[int, int], confident: Pairs) -> DeclaredLinks:
    """How far each declared pair is to be believed, given the pairs that names are confident of."""
    trust = learn_trust(declared, sizes, confident)
    lefts, rights = declared.pairs.lefts, declared.pairs.rights
    mine, theirs = _partners(sizes, confident)
    elsewhere = ((mine[lefts] >= 0) & (mine[lefts] != rights)) | ((theirs[rights] >= 0) & (theirs[rights] != lefts))
    contested = elsewhere & (declared.ways != MUTUAL).to_numpy()
    beliefs = np.array([trust[way] for way in declared.ways]) * declared.shares * np.where(contested, _CONTESTED, 1)
    weighting = ChannelWeight(EvidenceSource.DECLARED, "", "", 1.0, _reason(declared, trust))
    return DeclaredLinks(weighting, declared, beliefs.astype(np.float32), trust)


def believe_new(
    declared: Declared, trust: Mapping[str, float], linked: npt.NDArray[np.bool_], lefts: Ints, rights: Ints
) -> Floats:
    """(n_pairs,): how far pairs of new users are believed; `linked` are users of the other side who have a partner."""
    contested = linked[declared.pairs.rights] & (declared.ways != MUTUAL).to_numpy()
    trusts = np.array([trust.get(way, 0.0) for way in declared.ways])
    beliefs = (trusts * declared.shares * np.where(contested, _CONTESTED, 1)).astype(np.float32)
    weighting = ChannelWeight(EvidenceSource.DECLARED, "", "", 1.0, "")
    return DeclaredLinks(weighting, declared, beliefs).beliefs_in(Pairs(lefts, rights))


def learn_trust(declared: Declared, sizes: tuple[int, int], confident: Pairs) -> dict[str, float]:
    """How often each way to declare agrees with pairs that names are confident of; a few prior claims are right."""
    mine, theirs = _partners(sizes, confident)
    lefts, rights = declared.pairs.lefts, declared.pairs.rights
    seen = (mine[lefts] >= 0) | (theirs[rights] >= 0)
    agree = mine[lefts] == rights
    trust = {}
    for way, (right, wrong) in _TRUST.items():
        chosen = (declared.ways == way).to_numpy() & seen
        shares = declared.shares[chosen]
        n_right = float(shares[agree[chosen]].sum())
        trust[way] = (right + n_right) / (right + wrong + float(shares.sum()))
    return trust


def _partners(sizes: tuple[int, int], confident: Pairs) -> tuple[Ints, Ints]:
    """The confident partner of every left and every right user, −1 for none."""
    mine, theirs = np.full(sizes[0], -1), np.full(sizes[1], -1)
    mine[confident.lefts], theirs[confident.rights] = confident.rights, confident.lefts
    return mine, theirs


def _reason(declared: Declared, trust: dict[str, float]) -> str:
    counts = {way: int((declared.ways == way).sum()) for way in _TRUST}
    return "; ".join(f"{n:,} × {way} (believed {trust[way]:.2f})" for way, n in counts.items() if n)


def _resolved(mine: Declarations, other: Declarations) -> pl.DataFrame:
    """Whom the users of a network name in the other one; `share` falls with the number of claims about one account."""
    called, claims = network_called(other.name), mine.claims
    if called:
        claims = claims.filter(pl.col("network").is_in(["", OTHER_HOST, called]))
    alone = pl.col("other").n_unique().over("handle") == 1
    handles = other.handles.rename({"row": "other"}).with_columns(alone=alone)
    met = claims.join(handles, on="handle", maintain_order="left").filter(_is_meant())
    met = met.sort("row", "other", "strength", descending=[False, False, True])
    met = met.unique(["row", "other"], keep="first", maintain_order=True)
    shared = pl.max_horizontal(pl.len().over("row"), pl.len().over("other"))
    way = pl.col("strength").replace_strict({FIELD: OWN_FIELD, MENTION: IN_TEXT, POST: IN_POST})
    said = pl.format("{} of {} names @{}", "predicate", pl.lit(mine.name), "handle")
    return met.with_columns(share=1.0 / shared, way=way, said=said)


def _is_meant() -> pl.Expr:
    """Whether an account of that name is the one that is named: it is on that host, or alone in its name."""
    there = (pl.col("host") != "") & (pl.col("host") == pl.col("host_right"))
    anywhere = ((pl.col("host") == "") | (pl.col("host_right") == "")) & pl.col("alone")
    return there | (anywhere & (pl.col("network") != OTHER_HOST))
