"""The address of a database: `postgresql://amy:secret@localhost/forum?users=accounts&links=follows`.

`users` and `links` name a table or hold a query. All other parameters go to the driver. A file of SQLite or DuckDB may
be given by its path alone, with or without parameters: `forum.sqlite?users=accounts`.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from factlink.errors import InputError

SCHEMES: Mapping[str, str] = {
    "postgresql": "postgresql",
    "postgres": "postgresql",
    "mysql": "mysql",
    "mariadb": "mysql",
    "sqlite": "sqlite",
    "duckdb": "duckdb",
}
_FILES = ("sqlite", "duckdb")
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9.-]*)(\+\w+)?://")
_OTHER = ("http", "https", "file", "ftp")
_MAGIC = {"sqlite": (0, b"SQLite format 3\0"), "duckdb": (8, b"DUCK")}
_FORM = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE?users=TABLE&links=TABLE"


@dataclass(frozen=True, slots=True)
class DatabaseUrl:
    """An address taken apart."""

    system: str  # postgresql, mysql, sqlite or duckdb
    database: str  # its name, or the path of its file
    host: str = ""  # with the port, as given
    user: str = ""
    password: str = field(default="", repr=False)
    users: str | None = None  # a table or a query
    links: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)  # for the driver

    def shown(self) -> str:
        """The address without its password and parameters, for messages."""
        if self.system in _FILES:
            return f"{self.system}:///{self.database}"
        return f"{self.system}://{self.user + '@' if self.user else ''}{self.host}/{self.database}"

    def without_password(self, text: str) -> str:
        """The text with stars in place of the password, however it is encoded."""
        for spelling in {self.password, quote(self.password, safe=""), quote_plus(self.password)} - {""}:
            text = text.replace(spelling, "***")
        return text


def is_database(source: object) -> bool:
    """Whether the source is an address that is not a web address, or a file that begins as databases do."""
    if not isinstance(source, str | os.PathLike):
        return False
    text = os.fsdecode(source)
    address = _ADDRESS.match(text)
    if address:
        return address[1].lower() not in _OTHER
    return _system_of_file(text) is not None


def parse_url(source: object) -> DatabaseUrl:
    """The address, or the path of a database file, taken apart."""
    text = os.fsdecode(source) if isinstance(source, str | os.PathLike) else str(source)
    address = _ADDRESS.match(text)
    if address is None:
        system = _system_of_file(text)
        if system is None:
            raise InputError(f"'{text.partition('?')[0]}' is not a database; give an address like {_FORM}")
        path, _, query = _path_and_query(text)
        return _with_parameters(system, path, query)
    system = SCHEMES.get(address[1].lower())
    if system is None:
        there = ", ".join(sorted(SCHEMES))
        raise InputError(f"no database is called '{address[1]}'; there are: {there}")
    if system in _FILES:
        path, _, query = text[address.end() :].partition("?")
        return _with_parameters(system, unquote(path.removeprefix("/")), query)
    return _server(system, text[address.end() :])


def _server(system: str, text: str) -> DatabaseUrl:
    try:
        parts = urlsplit(f"//{text}", allow_fragments=False)
        parts.port if "," not in parts.netloc else None  # noqa: B018
    except ValueError:
        raise _unclear(system) from None
    login, at, host = parts.netloc.rpartition("@")
    if not at and "@" in parts.path:
        raise _unclear(system)
    user, _, password = login.partition(":")
    database = unquote(parts.path.removeprefix("/"))
    return _with_parameters(system, database, parts.query, host, (unquote(user), unquote(password)))


def _with_parameters(
    system: str, database: str, query: str, host: str = "", login: tuple[str, str] = ("", "")
) -> DatabaseUrl:
    given = parse_qsl(query, keep_blank_values=True)
    parameters = dict(given)
    for name in parameters:
        if [key for key, _ in given].count(name) > 1:
            raise InputError(f"the address of the {system} database has '{name}' twice; write & in a query as %26")
    users, links = parameters.pop("users", None), parameters.pop("links", None)
    user, password = parameters.pop("user", login[0]), parameters.pop("password", login[1])
    if system in _FILES and parameters:
        there = ", ".join(f"'{name}'" for name in parameters)
        raise InputError(f"{system}:///{database} has parameters that are not known: {there}; there are: users, links")
    return DatabaseUrl(system, database, host, user, password, users, links, parameters)


def _unclear(system: str) -> InputError:
    return InputError(
        f"the {system} address cannot be taken apart; write it like {_FORM}, "
        "with / ? # @ : in the password as %2F %3F %23 %40 %3A"
    )


def _system_of_file(text: str) -> str | None:
    path = _path_and_query(text)[0]
    try:
        if not os.path.isfile(path):  # a pipe would be waited for
            return None
        with open(path, "rb") as file:
            head = file.read(16)
    except (OSError, ValueError):
        return None
    return next((name for name, (start, magic) in _MAGIC.items() if head[start:].startswith(magic)), None)


def _path_and_query(text: str) -> tuple[str, str, str]:
    """A file may have a question mark in its name."""
    try:
        there = Path(text).exists()
    except (OSError, ValueError):
        there = False
    return (text, "", "") if there else text.partition("?")
