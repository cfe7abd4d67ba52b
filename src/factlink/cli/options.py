"""Options that several commands share."""

from typing import TYPE_CHECKING, Annotated

import typer

from factlink.errors import SettingError

if TYPE_CHECKING:
    from factlink.data.protocol import SourceOptions

DEFAULT_LINKER = "factoid"
OfPair = Annotated[
    str,
    typer.Option(
        "--pair", metavar="A:B", help="In a run of three networks or more: which two, such as twitter:instagram."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Seed = Annotated[int, typer.Option("--seed", help="A number for random choices; the same seed gives the same result.")]

SOURCE = "A network: a folder, a table (CSV, Excel, JSON, Parquet …), a graph, an export or a database address."
Kinds = Annotated[
    list[str],
    typer.Option(
        "--kind", metavar="COLUMN=KIND", help="How a column is compared, such as bio=text. May be given several times."
    ),
]
Ids = Annotated[
    list[str],
    typer.Option(
        "--id", metavar="COLUMN", help="The column with the ids of users. For one of two networks: left=COLUMN."
    ),
]
Followers = Annotated[
    list[str], typer.Option("--source", metavar="COLUMN", help="In a table of links: the column of who follows.")
]
Followees = Annotated[
    list[str], typer.Option("--target", metavar="COLUMN", help="In a table of links: the column of who is followed.")
]
LinksFiles = Annotated[
    list[str],
    typer.Option("--links", metavar="FILE", help="A table of who follows whom. For one of two networks: left=FILE."),
]
Encodings = Annotated[
    list[str], typer.Option("--encoding", metavar="NAME", help="The encoding of text files, such as cp1251.")
]
Sheets = Annotated[
    list[str], typer.Option("--sheet", metavar="NAME", help="The sheet of a workbook that has the users.")
]
NoHeader = Annotated[bool, typer.Option("--no-header", help="Tables have no header: their first line is data.")]
Given = dict[str, list[str]]  # by option, what was given


def source_options(given: Given, no_header: bool, side: str = "") -> "SourceOptions":
    """What was said of one network; `side` where a command takes two."""
    from factlink.data.protocol import ROLES, SourceOptions

    said = {option: _of_side(option, words, side) for option, words in given.items()}
    columns = {role: column for role in ROLES if (column := said.pop(role, None)) is not None}
    header = False if no_header else None
    return SourceOptions(columns=columns, header=header, side=side, **said)  # type: ignore[arg-type]


def sides_of(networks: list[str], command: str) -> list[str]:
    """What options call the networks: left and right, or numbers where there are three or more."""
    if len(networks) < 2:
        raise SettingError(f"{command} takes two networks or more, got {len(networks)}")
    return ["left", "right"] if len(networks) == 2 else [str(place + 1) for place in range(len(networks))]


def parse_pairs(pairs: str) -> list[str]:
    """`A:B,A:C` as a list."""
    return [pair.strip() for pair in pairs.split(",") if pair.strip()]


def _of_side(option: str, words: list[str], side: str) -> str | None:
    """The value that is meant for a side: its own, or else the one for both."""
    found = None
    for word in words:
        prefix, equals, value = word.partition("=")
        if equals and side and (prefix in ("left", "right") or prefix.isdigit()):
            found = value if prefix == side else found
        elif option == "links" and side:
            raise SettingError(f"--links takes left=FILE or right=FILE, found '{word}'; say whose links they are")
        elif found is None:
            found = word
    return found


def assignments(words: list[str], option: str) -> dict[str, str]:
    """`KEY=VALUE` words as a mapping."""
    pairs = [word.partition("=") for word in words]
    for word, (key, equals, _) in zip(words, pairs, strict=True):
        if not key or not equals:
            raise SettingError(f"{option} takes KEY=VALUE, found '{word}'")
    return {key.strip(): value.strip() for key, _, value in pairs}
