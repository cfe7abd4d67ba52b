"""Accounts added later whose handles, declarations or scripts say who they are: linked as if there from the start."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.adding import AddRequest, add_users
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run

N, NEW = 150, 20
Columns = Mapping[str, list[str]]


def partners(left: Columns, right: Columns, place: Path, side: str) -> tuple[list[str], list[str]]:
    """The likeliest partners of the last users of a side if they are added, and if they were there from the start."""
    whole = {"left": pl.DataFrame(left), "right": pl.DataFrame(right)}
    new = whole[side].tail(NEW)
    for name, table in {**whole, "old": whole[side].head(-NEW), "new": new}.items():
        table.write_csv(place / f"{name}.csv")
    other = "right" if side == "left" else "left"
    sides = ("old", other) if side == "left" else (other, "old")
    make_run(LinkRequest(place / f"{sides[0]}.csv", place / f"{sides[1]}.csv", place / "run"), FactoidLinker())
    added = add_users(AddRequest(place / "run", place / "new.csv", side), lambda stage: None).outcomes
    make_run(LinkRequest(place / "left.csv", place / "right.csv", place / "all"), FactoidLinker())
    links = pl.read_parquet(place / "all" / "links.parquet").select(side, other).drop_nulls()
    there = new.select("id").join(links, left_on="id", right_on=side, how="left", maintain_order="left")
    return added["partner"].fill_null("").to_list(), there[other].fill_null("").to_list()


def syllables(rng: np.random.Generator, n: int) -> str:
    return "".join(rng.choice([a + b for a in "bcdfghklmnprstvw" for b in "aeiou"], n))


def handled() -> tuple[Columns, Columns]:
    """Names of three words; handles of given name and surname, and for every fifth of initials alone."""
    rng = np.random.default_rng(2)
    names = [tuple(syllables(rng, n).capitalize() for n in (2, 3, 3)) for _ in range(N)]
    handles = [
        "Gov" + "".join(word[0] for word in name) if row % 5 == 4 else (name[0] + name[2]).lower()
        for row, name in enumerate(names)
    ]
    left = {"id": [f"l{row}" for row in range(N)], "name": [" ".join(name) for name in names]}
    return left, {"id": [f"r{row}" for row in range(N)], "username": handles}


def declaring() -> tuple[Columns, Columns]:
    """Every other user has an unlike name on the right; half of those name it, half have the same address of mail."""
    rng = np.random.default_rng(3)
    names = [f"{syllables(rng, 2)} {syllables(rng, 3)}".title() for _ in range(N)]
    others = [name if row % 2 else f"{syllables(rng, 3)} {syllables(rng, 2)}".title() for row, name in enumerate(names)]
    handles = [syllables(rng, 5) for _ in range(N)]
    bios = [f"cats. right: @{handle}" if row % 4 == 0 else "books" for row, handle in enumerate(handles)]
    mails = [f"{syllables(rng, 4)}@example.org" if row % 4 == 2 else None for row in range(N)]
    left = {"id": [f"l{row}" for row in range(N)], "name": names, "bio": bios, "email": mails}
    return left, {"id": [f"r{row}" for row in range(N)], "name": others, "username": handles, "mail": mails}


def written() -> tuple[Columns, Columns]:
    """Korean, Russian and Hebrew names, and English ones with nicknames, against Latin letters."""
    rng = np.random.default_rng(4)
    korean = {"김": "Kim", "박": "Park", "최": "Choi", "정": "Jung", "강": "Kang"}
    given = {"영": "young", "수": "soo", "민": "min", "호": "ho", "진": "jin", "아": "a", "미": "mi", "태": "tae"}
    russian = dict(zip("абвгдезиклмнопрст", "abvgdeziklmnoprst", strict=True))
    nicks = {"Tim": "Timothy", "Bob": "Robert", "Bill": "William", "Liz": "Elizabeth", "Kate": "Katherine"}
    left, right = [], []
    for row in range(N):
        if row % 3 == 0:
            family, one, two = rng.choice(list(korean)), *rng.choice(list(given), 2)
            left.append(family + one + two)
            right.append(f"{korean[family]} {given[one]} {given[two]}".title())
        elif row % 3 == 1:
            words = ["".join(rng.choice(list(russian), 7)) for _ in range(2)]
            left.append(" ".join(words).title())
            right.append(" ".join("".join(russian[letter] for letter in word) for word in words).title())
        else:
            nick, family = rng.choice(list(nicks)), syllables(rng, 3).capitalize()
            left.append(f"{nick} {family}")
            right.append(f"{nicks[nick]} {family}")
    return {"id": [f"l{row}" for row in range(N)], "name": left}, {"id": [f"r{row}" for row in range(N)], "name": right}


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("world", [handled, declaring, written])
def test_added_accounts_are_linked_as_if_they_had_been_there(world: object, side: str, tmp_path: Path) -> None:
    assert callable(world)
    added, there = partners(*world(), tmp_path, side)
    true = [f"{'r' if side == 'left' else 'l'}{row}" for row in range(N - NEW, N)]
    right = [found == wanted for found, wanted in zip(added, true, strict=True)]
    right_there = [found == wanted for found, wanted in zip(there, true, strict=True)]
    assert sum(right) >= 0.85 * NEW
    assert sum(right) >= sum(right_there) - 2  # two may have the same initials, and then it is luck who is named
