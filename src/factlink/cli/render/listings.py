"""Lists on a terminal: users that are meant, linkers, settings, and what was exported."""

import sys
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from factlink.cli.render.as_json import print_json
from factlink.export.exporting import Exported
from factlink.linkers.catalogue import LinkerEntry, SettingEntry
from factlink.runs.finding import FoundUser


def print_found(asked: str, found: Sequence[FoundUser], *, as_json: bool) -> None:
    """Users who may be meant."""
    if as_json:
        print_json({"asked": asked, "found": [asdict(user) for user in found]})
        return
    table = Table("network", "id", "name", title=f"Users called '{escape(asked)}'", title_justify="left")
    for user in found:
        table.add_row(*map(escape, (user.network, user.user, user.name)))
    _console().print(table)


def print_linkers(linkers: Sequence[LinkerEntry], *, as_json: bool) -> None:
    """What --linker takes."""
    if as_json:
        print_json([asdict(linker) for linker in linkers])
        return
    table = Table("linker", "known pairs", "how it links", title="Linkers (--linker)", title_justify="left")
    for linker in linkers:
        table.add_row(linker.name, "needed" if linker.needs_known_pairs else "not needed", escape(linker.summary))
    table.caption = "factlink settings LINKER lists what --set takes"
    table.caption_justify = "left"
    _console().print(table)


def print_settings(linker: str, settings: Sequence[SettingEntry], *, as_json: bool) -> None:
    """What --set takes."""
    if as_json:
        print_json({"linker": linker, "settings": [asdict(setting) for setting in settings]})
        return
    title = f"Settings of linker '{escape(linker)}' (--set KEY=VALUE)"
    table = Table("key", "default", "takes", "meaning", title=title, title_justify="left")
    for setting in settings:
        table.add_row(*map(escape, (setting.key, setting.default or "–", setting.takes, setting.meaning)))
    _console().print(table)


def print_export(exported: Exported, *, as_json: bool) -> None:
    """What was written, and what had to be left out."""
    if as_json:
        print_json(asdict(exported))
        return
    what = "accounts to follow" if exported.is_follows else "rows"
    console = _console()
    line = f"{exported.rows:,} {what}  {escape(exported.file)}  ({exported.format})"
    console.print(line, soft_wrap=True, highlight=False)
    if exported.unaddressed:
        console.print(
            f"{exported.unaddressed:,} linked accounts have no address there and are left out.", highlight=False
        )


def _console() -> Console:
    return Console(file=sys.stdout)
