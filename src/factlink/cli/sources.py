"""How networks are to be read: the options that every command has that reads some."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from factlink.cli.options import assignments
from factlink.errors import SettingError

if TYPE_CHECKING:
    from factlink.data.protocol import SourceOptions

SOURCE = "A network: a folder, a table (CSV, Excel, JSON, Parquet …), a graph, an export or a database address."

_OPTIONS: dict[str, Any] = {
    "kind": Annotated[
        list[str],
        typer.Option(
            "--kind",
            metavar="COLUMN=KIND",
            help="How a column is compared, such as bio=text. May be given several times.",
        ),
    ],
    "id": Annotated[
        list[str],
        typer.Option(
            "--id", metavar="COLUMN", help="The column with the ids of users. For one of two networks: left=COLUMN."
        ),
    ],
    "source": Annotated[
        list[str], typer.Option("--source", metavar="COLUMN", help="In a table of links: the column of who follows.")
    ],
    "target": Annotated[
        list[str],
        typer.Option("--target", metavar="COLUMN", help="In a table of links: the column of who is followed."),
    ],
    "links": Annotated[
        list[str],
        typer.Option(
            "--links", metavar="FILE", help="A table of who follows whom. For one of two networks: left=FILE."
        ),
    ],
    "encoding": Annotated[
        list[str], typer.Option("--encoding", metavar="NAME", help="The encoding of text files, such as cp1251.")
    ],
    "sheet": Annotated[
        list[str], typer.Option("--sheet", metavar="NAME", help="The sheet of a workbook that has the users.")
    ],
    "no_header": Annotated[bool, typer.Option("--no-header", help="Tables have no header: their first line is data.")],
}
_ALONE = {"link": "; for accounts of one person within one network there is factlink duplicates"}
_PREFIX = "reading_"  # of their parameters, so that they meet no other


@dataclass(frozen=True, slots=True)
class Reading:
    """What was given on the command line about networks to read."""

    given: dict[str, list[str]]  # by option
    no_header: bool

    @property
    def kinds(self) -> dict[str, str]:
        """By column."""
        return assignments(self.given.get("kind", []), "--kind")

    def options(self, side: str = "") -> "SourceOptions":
        """Of one network; `side` where a command takes several."""
        from factlink.data.protocol import ROLES, SourceOptions

        said = {option: _of_side(option, words, side) for option, words in self.given.items() if option != "kind"}
        columns = {role: column for role in ROLES if (column := said.pop(role, None)) is not None}
        header = False if self.no_header else None
        return SourceOptions(columns=columns, header=header, side=side, **said)  # type: ignore[arg-type]

    def options_of(self, networks: list[str], command: str) -> "list[SourceOptions]":
        """Of two networks or more."""
        return [self.options(side) for side in _sides_of(networks, command)]


NOTHING = Reading({}, no_header=False)


def reads_networks(*without: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command whose parameter `reading` stands for these options, all but some."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        options = {name: option for name, option in _OPTIONS.items() if name not in without}

        @wraps(command)
        def run(**words: Any) -> None:
            given = {name: words.pop(_PREFIX + name) for name in options}
            command(**words, reading=Reading(given, given.pop("no_header")))

        run.__signature__ = _with_options(inspect.signature(command), options)  # type: ignore[attr-defined]
        return run

    return decorate


def _with_options(signature: inspect.Signature, options: dict[str, Any]) -> inspect.Signature:
    """A signature with options in the place of `reading`."""
    parameters: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        if name != "reading":
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        for option, annotation in options.items():
            default: Any = False if option == "no_header" else []
            parameters.append(
                inspect.Parameter(
                    _PREFIX + option, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
                )
            )
    return signature.replace(parameters=parameters)


def _sides_of(networks: list[str], command: str) -> list[str]:
    """What options call the networks: left and right, or numbers where there are three or more."""
    if len(networks) < 2:
        raise SettingError(f"{command} takes two networks or more, got {len(networks)}{_ALONE.get(command, '')}")
    return ["left", "right"] if len(networks) == 2 else [str(place + 1) for place in range(len(networks))]


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
