"""Links given by a username instead of an id → links by id, through any column that tells users apart."""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from factlink.data.columns import texts
from factlink.data.sources.roles import tells_apart

_ENOUGH = 0.5
"""Share of the ends that must be users by a column for it to be the one that was meant."""
_SAMPLE = 50_000


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """A column by which users may be known, written in the same way as the ends of links are."""

    ids: pl.Series
    keys: pl.Series
    said: str  # how, for a note; empty where the ends are ids
    written: str = ""

    def resolve(self, ends: pl.Series) -> pl.Series:
        table = pl.DataFrame({"key": self.keys, "id": self.ids})
        asked = pl.DataFrame({"key": _spelt(ends, self.written)})
        return asked.join(table, on="key", how="left", maintain_order="left")["id"]


def resolved_ends(links: pl.DataFrame, users: pl.DataFrame, origin: str) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The links with ids at both ends (others stay as they are), and notes on how they were found."""
    if not links.height or not {"source", "target"} <= set(links.columns) or "id" not in users.columns:
        return links, ()
    notes: list[str] = []
    for role, end in (("source", "followers"), ("target", "followees")):
        if isinstance(links[role].dtype, pl.List):
            continue
        ends = texts(links[role], origin)
        column, said = _ids_of(ends, users, origin)
        if said:
            links = links.with_columns(column.alias(role))
            notes.append(f"{end} are given by {said}")
    return links, tuple(dict.fromkeys(_joined(notes)))


def _joined(notes: list[str]) -> list[str]:
    said = {note.partition(" are given by ")[2] for note in notes}
    return [f"the ends of links are given by {said.pop()}"] if len(notes) == 2 and len(said) == 1 else notes


def _ids_of(ends: pl.Series, users: pl.DataFrame, origin: str) -> tuple[pl.Series, str]:
    some = ends.drop_nulls()
    distinct = some.gather_every(max(1, len(some) // _SAMPLE)).unique()
    best, best_share = None, 0.0
    for way in _ways(users, origin):
        share = 1 - way.resolve(distinct).null_count() / max(1, len(distinct))
        if not way.said and share >= _ENOUGH:
            return ends, ""
        if share > best_share:
            best, best_share = way, share
        if share == 1:
            break
    if best is None or not best.said or best_share < _ENOUGH:
        return ends, ""
    found = best.resolve(ends)
    table = pl.DataFrame({"found": found, "given": ends})
    return table.select(pl.coalesce("found", "given")).to_series(), best.said


def _ways(users: pl.DataFrame, origin: str) -> Iterator[_Way]:
    """Ids as written, other columns as written, then ids without '.0' and names without '@' and capitals."""
    ids = texts(users["id"], origin)
    if ids.null_count() or not ids.is_unique().all():
        return
    yield _Way(ids, ids, "")
    others = [users[name] for name in users.columns if name != "id" and tells_apart_partly(users[name], origin)]
    named = [(column.name, texts(column, origin)) for column in others]
    for name, keys in named:
        yield from _if_unique(ids, keys, f"'{name}', not by id", "")
    yield from _if_unique(ids, ids, "id with '.0' behind it", ".0")
    for name, keys in [("id", ids), *named]:
        yield from _if_unique(ids, keys, f"'{name}', apart from '@' and capitals", "@")


def tells_apart_partly(column: pl.Series, origin: str) -> bool:
    """Whether no two users have the same value here; some may have none."""
    if isinstance(column.dtype, pl.List | pl.Array | pl.Struct | pl.Binary | pl.Object):
        return False
    values = texts(column, origin).drop_nulls()
    return bool(len(values)) and tells_apart(values, origin)


def _if_unique(ids: pl.Series, keys: pl.Series, said: str, written: str) -> Iterator[_Way]:
    table = pl.DataFrame({"key": _spelt(keys, written), "id": ids}).drop_nulls("key")
    if table["key"].is_unique().all():
        yield _Way(table["id"], table["key"], said, written)


def _spelt(texts_: pl.Series, written: str) -> pl.Series:
    if written == ".0":
        return texts_.str.replace(r"^(-?\d+)\.0+$", "$1")
    return texts_.str.strip_chars().str.strip_prefix("@").str.to_lowercase() if written == "@" else texts_
