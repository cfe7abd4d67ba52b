"""The text layout of the paper's authors → the tables of one network.

    <prefix>_user_names.txt      user id, a tab, user name; one line for each user of the network
    <prefix>_screen_names.txt    the same with screen names; optional; lines of other users are skipped, and
                                 two lines of one user are two names
    <prefix>_sub_network.txt     id of the follower, white space, id of the followee; optional
    images/<prefix>/<id>.jpg     profile pictures; optional

The name 'None' means no name. Their pairs (`ground_truth.txt`, `fold_*/training.txt`, `fold_*/testing.txt`) are read by
`read_pairs`.
"""

import os
from pathlib import Path

import polars as pl

from factlink.data.formats.text import read_text
from factlink.data.frames import Tables
from factlink.data.protocol import Found, SourceOptions
from factlink.errors import InputError

_USERS = "_user_names.txt"
_NO_NAME = "None"


def is_authors_layout(path: Path) -> bool:
    """Whether `path` is a folder and a prefix, as in 'facebook_twitter/fb'."""
    return not path.is_dir() and _file(path, _USERS).is_file()


def recognises(source: object) -> bool:
    """Whether the source is a folder and a prefix."""
    return isinstance(source, str | os.PathLike) and is_authors_layout(Path(source))


def read(source: object, options: SourceOptions) -> Found:
    """One network of this layout."""
    path = Path(source)  # type: ignore[arg-type]
    return Found(tables_of_authors(path, options.name), home=path.parent)


def prefixes_in(folder: Path) -> list[str]:
    """The networks in a folder of this layout."""
    return sorted(path.name.removesuffix(_USERS) for path in folder.glob(f"*{_USERS}"))


def tables_of_authors(path: Path, name: str) -> Tables:
    """The users (user name, screen name, picture) and links of one network."""
    users = _names(_file(path, _USERS), name).rename({"name": "username"})
    screen_names = _file(path, "_screen_names.txt")
    if screen_names.is_file():
        named = _once(_names(screen_names, name).rename({"name": "screen_name"}))
        users = users.join(named, on="id", how="left", maintain_order="left")
    pictures = _pictures(path)
    if pictures.height:
        users = users.join(pictures, on="id", how="left", maintain_order="left")
    links = _file(path, "_sub_network.txt")
    table = pairs_table(links, f"network '{name}': {links.name}", ("source", "target")) if links.is_file() else None
    return Tables(users, table, path.name + _USERS, links.name)


def pairs_table(path: Path, origin: str, columns: tuple[str, str]) -> pl.DataFrame:
    """The first two words of each line."""
    words = _lines(path, origin).str.split_exact(" ", 1).struct.rename_fields(list(columns))
    table = words.struct.unnest()
    short = table[columns[1]].is_null().arg_true()
    if len(short):
        found = table[columns[0]][short[0]]
        raise InputError(f"{origin} row {short[0] + 1}: '{found}' stands alone; give two ids on each line")
    return table


def _lines(path: Path, origin: str) -> pl.Series:
    lines = pl.Series(read_text(path, origin).split("\n"), dtype=pl.String)
    words = lines.str.strip_chars().str.replace_all(r"\s+", " ")
    return words.filter(words != "")


def _names(path: Path, name: str) -> pl.DataFrame:
    lines = pl.Series(read_text(path, f"network '{name}': {path.name}").split("\n"), dtype=pl.String)
    lines = lines.filter(lines.str.strip_chars() != "")
    table = lines.str.splitn("\t", 2).struct.rename_fields(["id", "name"]).struct.unnest()
    short = table["name"].is_null().arg_true()
    if len(short):
        found = lines[short[0]]
        raise InputError(f"network '{name}': {path.name} row {short[0] + 1}: '{found}' has no tab; write id, tab, name")
    return table.with_columns(pl.when(pl.col("name").str.strip_chars() != _NO_NAME).then(pl.col("name")))


def _once(named: pl.DataFrame) -> pl.DataFrame:
    """One row for each id; where any id has several lines, a list of their names."""
    if named["id"].is_unique().all():
        return named
    return named.group_by("id", maintain_order=True).agg(pl.exclude("id"))


def _pictures(path: Path) -> pl.DataFrame:
    files = sorted(file.name for file in (path.parent / "images" / path.name).glob("*.jpg"))
    names = pl.Series("image", files, dtype=pl.String)
    return pl.DataFrame({"id": names.str.strip_suffix(".jpg"), "image": f"images/{path.name}/" + names})


def _file(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)
