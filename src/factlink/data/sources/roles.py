"""Which column holds the ids of users, and which the followers and followees of links, by their names.

A column that is set is taken; the names of the network's own form (`id`, `source`, `target`) come next; then names that
people use. What was guessed is said in a note.
"""

import difflib
import re
from collections.abc import Mapping, Sequence

import polars as pl

from factlink.data.columns import texts
from factlink.data.protocol import SourceOptions
from factlink.errors import InputError

_VOCABULARY: Mapping[str, str] = {
    "ids": "id userid uid accountid profileid memberid personid nodeid idstr useridstr did pk vertexid key nr no "
    "number acct handle screenname username userhandle login loginname nickname nick user account node vertex actor "
    "email name",
    "generic": "id ids user users name username screen screenname handle account node uid acct profile str",
    "followers": "source src from follower sender start begin u a 1 one ego subject who followedby by",
    "followees": "target tgt dst dest destination to followee followed following follows receiver recipient end v b 2 "
    "two alter friend whom",
}
_WORDS = {role: words.split() for role, words in _VOCABULARY.items()}
_IDS, _GENERIC = _WORDS["ids"], frozenset(_WORDS["generic"])
_FOLLOWERS, _FOLLOWEES = frozenset(_WORDS["followers"]), frozenset(_WORDS["followees"])
_WEIGHTS = ("weight", "weights")
_ID_ENDINGS = ("id", "nr", "no", "number")  # of several words, like "Member No."


def words_of(column: str) -> list[str]:
    """'fromUser_ID2' → from, user, id, 2."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)", " ", column.lstrip("~:"))
    return re.findall(r"[^\W_]+", spaced.lower())


def named_column(columns: Sequence[str], role: str, options: SourceOptions, origin: str) -> str:
    """The column that a person named; an error that lists the columns if there is none."""
    wanted = options.columns[role]
    if wanted in columns:
        return wanted
    found = ", ".join(f"'{name}'" for name in columns) or "none"
    near = difflib.get_close_matches(wanted.lower(), [name.lower() for name in columns], 1, 0.6)
    meant = next((name for name in columns if near and name.lower() == near[0]), None)
    remedy = options.flag(role) if meant is None else options.flag(role, f"'{meant}'")
    raise InputError(f"{origin} has no column '{wanted}' (columns found: {found}); set {remedy}")


def id_column(users: pl.DataFrame, options: SourceOptions, origin: str) -> str:
    """The column of ids."""
    if "id" in options.columns:
        return named_column(users.columns, "id", options, origin)
    if "id" in users.columns or not users.width:
        return "id"
    likely = id_columns(users.columns)
    for column in likely:
        if tells_apart(users[column], origin):
            return column
    if likely:
        raise _not_unique(users, likely[0], options, origin)
    raise _no_ids(users, options, origin)


def id_columns(columns: Sequence[str]) -> list[str]:
    """The columns whose names say that they hold ids, likeliest first."""
    joined = {name: "".join(words_of(name)) for name in columns}
    known = [name for word in _IDS for name in columns if joined[name] == word]
    ending = [name for end in _ID_ENDINGS for name in columns if words_of(name)[-1:] == [end] and name not in known]
    return known[:-1] + ending + known[-1:] if known and joined[known[-1]] == "name" else known + ending


def tells_apart(column: pl.Series, origin: str) -> bool:
    """Whether every user has one value here, and no two the same."""
    if isinstance(column.dtype, pl.List | pl.Array | pl.Struct | pl.Binary | pl.Object):
        return False
    values = texts(column, origin)
    return not values.null_count() and bool(values.is_unique().all())


def link_columns(columns: Sequence[str], options: SourceOptions, origin: str) -> tuple[str, str] | None:
    """The columns of the followers and of the followees; None where the names do not say."""
    stated = [role for role in ("source", "target") if role in options.columns]
    set_ends = {role: named_column(columns, role, options, origin) for role in stated}
    if len(set_ends) == 2:
        return set_ends["source"], set_ends["target"]
    if "source" in columns and "target" in columns and not set_ends:
        return "source", "target"
    follower = set_ends.get("source") or _only(columns, _FOLLOWERS)
    followee = set_ends.get("target") or _only(columns, _FOLLOWEES)
    neutral = next(
        (name for name in columns if set(words_of(name)) <= _GENERIC and name not in (follower, followee)), None
    )
    if follower and not followee:
        followee = neutral
    elif followee and not follower:
        follower = neutral
    return (follower, followee) if follower and followee and follower != followee else None


def names_both_ends(columns: Sequence[str]) -> bool:
    """Whether a table that stands alone is one of links: two ends are named, or one and a user in a narrow table."""
    if "id" in columns:
        return False
    both = _only(columns, _FOLLOWERS) and _only(columns, _FOLLOWEES)
    return bool(both) or (len(columns) <= 3 and link_columns(columns, SourceOptions(), "") is not None)


def weight_column(columns: Sequence[str]) -> str | None:
    """A column of weights under another spelling, like 'Weight'."""
    return None if "weight" in columns else next((name for name in columns if name.strip().lower() in _WEIGHTS), None)


def _only(columns: Sequence[str], words: frozenset[str]) -> str | None:
    found = [name for name in columns if _says(name, words)]
    return found[0] if found else None


def _says(column: str, words: frozenset[str]) -> bool:
    said = words_of(column)
    telling = [word for word in said if word not in _GENERIC]
    return bool(telling) and ("".join(telling) in words or (len(said) == 1 and said[0] in words))


def _not_unique(users: pl.DataFrame, column: str, options: SourceOptions, origin: str) -> InputError:
    other = f"or {_other_id(users, options, origin)}"
    if isinstance(users[column].dtype, pl.List | pl.Array | pl.Struct):
        return InputError(f"{origin}: '{column}' looks like the id and holds lists; give one value, {other}")
    values = texts(users[column], origin)
    if values.null_count():
        row = values.is_null().arg_true()[0]
        return InputError(f"{origin} row {row + 1}: '{column}' looks like the id and is empty; fill it in, {other}")
    row = (~values.is_first_distinct()).arg_true()[0]
    first = (values == values[row]).arg_true()[0] + 1
    return InputError(
        f"{origin} row {row + 1}: '{column}' looks like the id, but '{values[row]}' is also in row {first}; "
        f"give each user one row, with a list where there are several values, {other}"
    )


def _other_id(users: pl.DataFrame, options: SourceOptions, origin: str) -> str:
    """What to do where no column is called like an id and holds one."""
    others = [name for name in users.columns if tells_apart(users[name], origin)]
    if others:
        return f"name a column that tells users apart, for example {options.flag('id', repr(others[0]))}"
    return "add a column 'id' with a different value in each row, such as 1, 2, 3"


def _no_ids(users: pl.DataFrame, options: SourceOptions, origin: str) -> InputError:
    found = ", ".join(f"'{name}'" for name in users.columns)
    remedy = _other_id(users, options, origin)
    if users.columns[0] == "column_1":
        return InputError(
            f"{origin} has no names of columns in its first line; add a line such as id,name above it, or {remedy}"
        )
    if 2 <= users.width <= 3:
        first, second = (repr(name) for name in users.columns[:2])
        remedy += f"; if the rows are links, set {options.flag('source', first)} {options.flag('target', second)}"
    return InputError(f"{origin} has no column that is called like an id (columns found: {found}); {remedy}")
