"""Options that several commands share."""

from typing import Annotated

import typer

from factlink.errors import SettingError

DEFAULT_LINKER = "factoid"
OfPair = Annotated[
    str,
    typer.Option(
        "--pair", metavar="A:B", help="In a run of three networks or more: which two, such as twitter:instagram."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def _checked_seed(seed: int) -> int:
    from factlink.linkers.settings import check_seed

    return check_seed(seed)


Seed = Annotated[
    int,
    typer.Option(
        "--seed", help="A number for random choices; the same seed gives the same result.", callback=_checked_seed
    ),
]


def parse_pairs(pairs: str) -> list[str]:
    """`A:B,A:C` as a list."""
    return [pair.strip() for pair in pairs.split(",") if pair.strip()]


def assignments(words: list[str], option: str) -> dict[str, str]:
    """`KEY=VALUE` words as a mapping."""
    pairs = [word.partition("=") for word in words]
    for word, (key, equals, _) in zip(words, pairs, strict=True):
        if not key or not equals:
            raise SettingError(f"{option} takes KEY=VALUE, found '{word}'")
    return {key.strip(): value.strip() for key, _, value in pairs}
