"""Links that people declare: an account that names another one, in a field of its own or in a text."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.encoders.declared.addresses import network_called
from factlink.encoders.declared.claims import (
    FIELD,
    claims_of_fields,
    claims_of_texts,
    no_claims,
    plain_addresses,
    plain_handles,
)
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.types import Floats, Ints, Kind, Network, Pairs

MUTUAL, OWN_FIELD, IN_TEXT, SAME_SITE = "both name each other", "a field names it", "a text names it", "the same site"
"""Ways to declare a link, each trusted as much as it was right here."""

_TRUST = {MUTUAL: (19.8, 0.2), SAME_SITE: (9.0, 1.0), OWN_FIELD: (9.5, 0.5), IN_TEXT: (3.0, 2.0)}
_CONTESTED = 0.5  # of the belief in a claim where names are confident of another pair
_SHARED = 3  # users who may have the same site


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """Pairs that somebody declares: how, and the share of the claim that is about this pair."""

    pairs: Pairs
    ways: pl.Series  # (n,) of MUTUAL …
    shares: npt.NDArray[np.float64]  # (n,) between 0 and 1
    said: pl.Series  # (n,) where, in words: bio names @amy

    def __len__(self) -> int:
        return len(self.pairs)


@dataclass(frozen=True, slots=True, eq=False)
class DeclaredLinks:
    """Declared pairs and how far each is believed: evidence rises by that share of what is missing to 1."""

    weighting: ChannelWeight
    declared: Declared
    beliefs: Floats  # (n,) between 0 and 1

    @property
    def weight(self) -> float:
        """Beliefs count as they are."""
        return self.weighting.weight

    def beliefs_in(self, pairs: CandidatePairs | Pairs) -> Floats:
        """(n_pairs,): 0 for pairs that nobody declares."""
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
    forth = _resolved(left, right)
    back = _resolved(right, left).rename({"row": "other", "other": "row"})
    answered = back.select("row", "other", answer="said")
    both = forth.join(answered, on=["row", "other"], maintain_order="left").with_columns(
        way=pl.lit(MUTUAL), share=pl.lit(1.0), said=pl.format("{}; {}", "said", "answer")
    )
    columns = ("row", "other", "way", "share", "said")
    found = pl.concat([part.select(columns) for part in (both, forth, back, _same_sites(left, right))])
    order = pl.col("way").replace_strict({way: place for place, way in enumerate(_TRUST)}, return_dtype=pl.Int64)
    found = found.sort("row", "other", order, "share", descending=[False, False, False, True])
    found = found.unique(["row", "other"], keep="first", maintain_order=True)
    pairs = Pairs(found["row"].to_numpy().astype(np.int64), found["other"].to_numpy().astype(np.int64))
    return Declared(pairs, found["way"], found["share"].to_numpy().astype(np.float64), found["said"])


def believe(declared: Declared, sizes: tuple[int, int], confident: Pairs) -> DeclaredLinks:
    """How far each declared pair is to be believed, given the pairs that names are confident of."""
    trust = learn_trust(declared, sizes, confident)
    lefts, rights = declared.pairs.lefts, declared.pairs.rights
    mine, theirs = _partners(sizes, confident)
    elsewhere = ((mine[lefts] >= 0) & (mine[lefts] != rights)) | ((theirs[rights] >= 0) & (theirs[rights] != lefts))
    contested = elsewhere & (declared.ways != MUTUAL).to_numpy()
    beliefs = np.array([trust[way] for way in declared.ways]) * declared.shares * np.where(contested, _CONTESTED, 1)
    weighting = ChannelWeight(EvidenceSource.DECLARED, "", "", 1.0, _reason(declared, trust))
    return DeclaredLinks(weighting, declared, beliefs.astype(np.float32))


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


def _resolved(network: Network, other: Network) -> pl.DataFrame:
    """Whom the users of a network name in the other one; `share` falls with the number of claims about one account."""
    called = network_called(other.name)
    claims = _claims(network, other.name)
    if called:
        claims = claims.filter(pl.col("network").is_in(["", called]))
    met = claims.join(_handles(other), on="handle", maintain_order="left")
    met = met.sort("row", "other", "strength", descending=[False, False, True])
    met = met.unique(["row", "other"], keep="first", maintain_order=True)
    shared = pl.max_horizontal(pl.len().over("row"), pl.len().over("other"))
    way = pl.when(pl.col("strength") == FIELD).then(pl.lit(OWN_FIELD)).otherwise(pl.lit(IN_TEXT))
    said = pl.format("{} of {} names @{}", "predicate", pl.lit(network.name), "handle")
    return met.with_columns(share=1.0 / shared, way=way, said=said)


def _claims(network: Network, other: str) -> pl.DataFrame:
    parts = [no_claims().with_columns(predicate=pl.lit("", pl.String))]
    for predicate, attribute in network.attributes.items():
        rows = pl.Series(attribute.rows, dtype=pl.Int64)
        if attribute.kind is Kind.TEXT:
            found = claims_of_texts(rows, attribute.objects, other)
        elif attribute.kind in (Kind.HANDLE, Kind.URL) or (attribute.kind is Kind.NAME and network_called(predicate)):
            found = claims_of_fields(rows, attribute.objects, network_called(predicate))
        else:
            continue
        parts.append(found.with_columns(predicate=pl.lit(predicate)))
    return pl.concat(parts)


def _handles(network: Network) -> pl.DataFrame:
    """What the users of a network are called there: ids, and names of one word."""
    named = [(a.rows, a.objects) for a in network.attributes.values() if a.kind is Kind.NAME]
    parts = [(np.arange(len(network)), network.users), *named]
    handles = pl.concat(
        pl.DataFrame({"other": rows, "handle": texts}).cast({"other": pl.Int64}) for rows, texts in parts
    )
    handles = handles.filter(~pl.col("handle").str.contains(r"\s")).with_columns(handle=plain_handles(pl.col("handle")))
    handles = handles.unique()
    return handles.filter(pl.len().over("handle") == 1, pl.col("handle") != "").sort("other", "handle")


def _same_sites(left: Network, right: Network) -> pl.DataFrame:
    """Users of both sides with the same address, which few have."""
    sides = [_sites(network) for network in (left, right)]
    met = sides[0].join(sides[1].rename({"row": "other"}), on="site").sort("row", "other", "site")
    said = pl.format("both have {}", "site")
    return met.select("row", "other", way=pl.lit(SAME_SITE), share=pl.lit(1.0), said=said)


def _sites(network: Network) -> pl.DataFrame:
    held = [a for a in network.attributes.values() if a.kind is Kind.URL]
    parts = [pl.DataFrame({"row": a.rows, "site": a.objects}).cast({"row": pl.Int64}) for a in held]
    sites = pl.concat([pl.DataFrame(schema={"row": pl.Int64, "site": pl.String}), *parts])
    sites = sites.with_columns(site=plain_addresses(pl.col("site"))).unique()
    return sites.filter(pl.len().over("site") <= _SHARED, pl.col("site") != "")
