"""2. Networks → one `FactoidTable`: clean objects, equal ones shared, one joint set of user rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np
import polars as pl

from factlink.canonical.colours import Crossing
from factlink.canonical.networks import in_canonical_order
from factlink.canonical.orders import Canonical, Orders
from factlink.errors import InputError, SettingError
from factlink.types import Attribute, FactoidTable, Follows, Has, Ints, Kind, Network, Objects, Pairs

Known = Mapping[tuple[str, str], Pairs]
"""Known pairs by the names of the two networks that they connect."""


@dataclass(frozen=True, slots=True)
class Factoid:
    """One claim, as a person reads it: ⟨user, predicate, object⟩."""

    user: str
    predicate: str
    object: str


def build_table(networks: Sequence[Network], known: Known | None = None) -> FactoidTable:
    """All factoids of two or more networks over joint user rows; known pairs share one row."""
    _check_names(networks)
    rows = _joint_rows(networks, known or {})
    objects: dict[str, Objects] = {}
    has: dict[str, Has] = {}
    for predicate in _predicates(network.attributes for network in networks):
        kind = _shared_kind(predicate, networks)
        if kind not in (Kind.HANDLE, Kind.URL, Kind.IGNORE):
            objects[predicate], has[predicate] = _user_objects(predicate, kind, networks, rows)
    links = {predicate: _joint_links(predicate, networks, rows) for predicate in _predicates(n.links for n in networks)}
    n_rows = 1 + max(int(joint.max()) for joint in rows.values())
    return FactoidTable(n_rows, rows, objects, has, {name: follows for name, follows in links.items() if len(follows)})


def build_table_by_content(networks: Sequence[Network], known: Known | None = None) -> FactoidTable:
    """The same with joint rows in canonical order: whatever the order of the networks' rows, there is one table."""
    if all(isinstance(network, Canonical) for network in networks):
        return build_table(networks, known)
    _check_names(networks)
    places = {network.name: place for place, network in enumerate(networks)}
    pairs = {names: Crossing(places[names[0]], places[names[1]], some) for names, some in (known or {}).items()}
    ordered = in_canonical_order(networks, list(pairs.values()))
    orders = {network.name: network.order for network in ordered}
    inner = {(a, b): Orders(orders[a], orders[b]).pairs(crossing.pairs) for (a, b), crossing in pairs.items()}
    table = build_table(ordered, inner)
    return replace(table, rows={name: rows[orders[name].places] for name, rows in table.rows.items()})


def list_factoids(table: FactoidTable, networks: Sequence[Network]) -> Iterator[Factoid]:
    """Every factoid as a person reads it."""
    users = joint_users(table, networks)
    for predicate, has in table.has.items():
        values = table.objects[predicate].values.gather(has.objects)
        for user, value in zip(users.gather(has.users), values, strict=True):
            yield Factoid(user, f"has_{predicate}", value)
    for predicate, follows in table.links.items():
        pairs = zip(users.gather(follows.followers), users.gather(follows.followees), strict=True)
        for follower, followee in pairs:
            yield Factoid(follower, predicate, followee)


def joint_users(table: FactoidTable, networks: Sequence[Network]) -> pl.Series:
    """The id behind each joint row; a user with several accounts is named by all their ids, joined by `=`."""
    parts = [pl.DataFrame({"row": table.rows[n.name], "user": n.users}) for n in networks]
    ids = pl.concat(parts).group_by("row").agg(pl.col("user").unique(maintain_order=True).str.join("="))
    return ids.sort("row")["user"]


def _check_names(networks: Sequence[Network]) -> None:
    names = [network.name for network in networks]
    if len(names) < 2:
        raise InputError(f"linking needs two or more networks, found {len(names)}")
    if len(set(names)) < len(names):
        raise InputError(f"networks need names of their own, found {', '.join(names)}; rename one (name=...)")


def _predicates(columns: Iterator[Mapping[str, object]]) -> list[str]:
    """Predicates over all networks, in order of first appearance."""
    return list(dict.fromkeys(predicate for mapping in columns for predicate in mapping))


def _shared_kind(predicate: str, networks: Sequence[Network]) -> Kind:
    kinds = {n.name: n.attributes[predicate].kind for n in networks if predicate in n.attributes}
    if len(set(kinds.values())) > 1:
        found = ", ".join(f"{kind} in '{name}'" for name, kind in kinds.items())
        raise SettingError(f"predicate '{predicate}' is {found}; set one kind for both (--kind {predicate}=KIND)")
    return next(iter(kinds.values()))


def _joint_rows(networks: Sequence[Network], known: Known) -> dict[str, Ints]:
    """The joint row of each user, numbered by first appearance; chains of known pairs end in one row."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    starts = dict(zip([n.name for n in networks], accumulate([0, *map(len, networks)]), strict=False))
    n_accounts = sum(map(len, networks))
    ends = [(pairs.lefts + starts[left], pairs.rights + starts[right]) for (left, right), pairs in known.items()]
    lefts = np.concatenate([np.empty(0, np.int64), *(left for left, _ in ends)])
    rights = np.concatenate([np.empty(0, np.int64), *(right for _, right in ends)])
    graph = coo_array((np.ones(len(lefts), np.int8), (lefts, rights)), shape=(n_accounts, n_accounts))
    _, component = connected_components(graph, directed=False)
    _, first, inverse = np.unique(component, return_index=True, return_inverse=True)
    joint = np.argsort(np.argsort(first)).astype(np.int32)[inverse]
    return {n.name: joint[starts[n.name] : starts[n.name] + len(n)] for n in networks}


def _user_objects(
    predicate: str, kind: Kind, networks: Sequence[Network], rows: Mapping[str, Ints]
) -> tuple[Objects, Has]:
    """The distinct objects of one predicate, sorted, and who has which, each factoid once."""
    parts = [
        pl.DataFrame({"user": rows[n.name][attribute.rows], "object": _clean(attribute)})
        for n in networks
        if (attribute := n.attributes.get(predicate)) is not None
    ]
    factoids = pl.concat(parts).filter(pl.col("object") != "").unique(maintain_order=True)
    values = factoids["object"].unique().sort()
    numbered = pl.DataFrame({"object": values, "row": pl.arange(len(values), dtype=pl.Int32, eager=True)})
    factoids = factoids.join(numbered, on="object", maintain_order="left")
    return Objects(kind, values), Has(factoids["user"].to_numpy(), factoids["row"].to_numpy())


def _clean(attribute: Attribute) -> pl.Series:
    """One spelling per object: composed Unicode, single spaces, none at the ends; file paths stay as they are."""
    if attribute.kind is Kind.IMAGE:
        return attribute.objects
    return attribute.objects.str.normalize("NFC").str.replace_all(r"\s+", " ").str.strip_chars()


def _joint_links(predicate: str, networks: Sequence[Network], rows: Mapping[str, Ints]) -> Follows:
    """All links of one predicate in joint rows; links that merging made equal are summed, loops are removed."""
    parts = [
        pl.DataFrame(
            {
                "follower": rows[n.name][follows.followers],
                "followee": rows[n.name][follows.followees],
                "weight": follows.weights,
            }
        )
        for n in networks
        if (follows := n.links.get(predicate)) is not None
    ]
    ends = ["follower", "followee"]
    frame = pl.concat(parts).filter(pl.col("follower") != pl.col("followee"))
    frame = frame.group_by(ends, maintain_order=True).agg(pl.col("weight").sum())
    return Follows(*(frame[column].to_numpy() for column in [*ends, "weight"]))
