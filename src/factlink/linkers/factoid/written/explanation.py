"""How names met that have several readings, in words."""

import numpy as np
import polars as pl

from factlink.candidates.pairs import gather_pairs
from factlink.encoders.readings.written import Flags, Written
from factlink.explanations.frames import Met, part_frame, sum_parts
from factlink.explanations.user_names import best_names, user_names
from factlink.linkers.factoid.written.declared import DeclaredLinks
from factlink.linkers.factoid.written.versions import Versions, best_versions
from factlink.types import Floats, Ints, Kind, Network


def explain_versions(
    versions: tuple[Versions, Versions],
    texts: tuple[Written, pl.Series],
    networks: tuple[Network, Network],
    pairs: tuple[Ints, Ints],
    scale: float,
) -> tuple[pl.DataFrame, Flags]:
    """One part for each pair whose names have several readings; and which pairs those are.

    `texts` are the names as compared, and as the users wrote them.
    """
    products, *rows = best_versions(pairs, *versions)
    plain = [np.diff(side.starts)[users] == 1 for side, users in zip(versions, pairs, strict=True)]
    read = ~(plain[0] & plain[1])
    left, right = (
        _described(side, users[read], places[read], texts, network)
        for side, users, places, network in zip(versions, pairs, rows, networks, strict=True)
    )
    weights: Floats = scale * products[read]
    return part_frame(np.flatnonzero(read), weights, Kind.NAME, "names", Met(left, right)), read


def explain_declared(
    links: DeclaredLinks,
    networks: tuple[Network, Network],
    asked: tuple[Ints, Ints],
    parts: pl.DataFrame,
    unit: float,
) -> pl.DataFrame:
    """What declared links add to the parts of the other channels: their belief of what is missing to certainty."""
    pairs = gather_pairs(len(networks[0]), len(networks[1]), [asked])
    places = pairs.places(*asked)
    beliefs = links.products(pairs)[places].astype(np.float64)
    declared = links.declared
    ways = np.full(len(pairs), "", object)
    at = pairs.places(declared.pairs.lefts, declared.pairs.rights)
    ways[at[at >= 0]] = declared.ways.to_numpy()[at >= 0]
    weights = beliefs * (unit - sum_parts(parts, len(places)))
    left, right = (user_names(network, rows) for network, rows in zip(networks, asked, strict=True))
    note = pl.Series(ways[places].tolist(), dtype=pl.String)
    return part_frame(np.arange(len(places)), weights, Kind.HANDLE, "declared link", Met(left, right, note))


def _described(
    side: Versions, users: Ints, places: Ints, texts: tuple[Written, pl.Series], network: Network
) -> pl.Series:
    """魏雅凯 read as Wei Yakai; the name alone where it counts as written."""
    written, shown = texts
    n_users = len(side.foreign)
    further = np.append(side.places, -1)[side.starts[:-1] + 1]  # of foreign users: the version with the first reading
    first = np.where(side.foreign & (further >= n_users), further, -1)
    spelled = np.append(np.full(n_users, -1), side.spelled)
    spelled[:n_users] = np.where(first >= 0, spelled[first], -1)
    spelled = spelled[places]
    read = np.maximum(spelled, 0)
    found = pl.DataFrame(
        {
            "name": best_names(network, users),
            "object": shown.gather(written.sources[read]),
            "text": written.more.gather(read),
            "read": spelled >= 0,
        }
    )
    text = pl.when("read").then(pl.format("{} read as {}", "object", "text")).otherwise("name")
    return found.select(text.alias("shown"))["shown"]
