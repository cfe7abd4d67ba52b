"""Options that several commands share."""

from typing import TYPE_CHECKING, Annotated

import typer

from factlink.errors import SettingError

if TYPE_CHECKING:
    from factlink.data.protocol import SourceOptions

DEFAULT_LINKER = "factoid"
OfPair = Annotated[
    str, typer.Option("--pair", help="Two networks of a run of three or more, such as twitter:instagram.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines instead of tables.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same links.")]

SOURCE = "A network: a folder, a table (CSV, Excel, JSON, Parquet …), a graph, an export or a database address."
Kinds = Annotated[list[str], typer.Option("--kind", help="COLUMN=KIND: the kind of a column. Repeatable.")]
Ids = Annotated[list[str], typer.Option("--id", help="The column of user ids; of two networks, left=COLUMN.")]
Followers = Annotated[list[str], typer.Option("--source", help="The column of links with the followers; as --id.")]
Followees = Annotated[list[str], typer.Option("--target", help="The column of links with the followees; as --id.")]
LinksFiles = Annotated[list[str], typer.Option("--links", help="A file of links; of two networks, left=FILE.")]
Encodings = Annotated[list[str], typer.Option("--encoding", help="The encoding of text, such as cp1251; as --id.")]
Sheets = Annotated[list[str], typer.Option("--sheet", help="The sheet of a workbook with the users; as --id.")]
NoHeader = Annotated[bool, typer.Option("--no-header", help="The first line of tables is data, not names of columns.")]
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
