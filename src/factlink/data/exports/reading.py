"""A folder, a zip or a file → the export that it is, as users and links."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

from factlink.data.exports import bluesky, facebook, github, instagram, linkedin, mastodon, twitter
from factlink.data.exports.bundles import Bundle, open_bundle
from factlink.data.exports.ego_network import UNKNOWN_PERSON, EgoNetwork
from factlink.data.protocol import Found
from factlink.errors import InputError

_SUFFIXES = (".zip", ".json", ".csv", ".car", ".js", ".tgz", ".tar", ".html")
_ARCHIVE = "archive-"  # as Mastodon calls its tars


class Export(Protocol):
    """A module that knows one kind of export."""

    def is_here(self, bundle: Bundle) -> bool:
        """Whether its files are there, by their names and first lines."""
        ...

    def read_ego(self, bundle: Bundle) -> EgoNetwork:
        """The network around the person."""
        ...


EXPORTS = cast(Sequence[Export], (twitter, mastodon, bluesky, instagram, facebook, linkedin, github))


def is_export(source: object) -> bool:
    """Whether one of the known exports is there."""
    if not isinstance(source, str | os.PathLike):
        return False
    try:
        path = Path(os.fsdecode(source))
        if not _is_worth_a_look(path):
            return False
        with open_bundle(path, with_damaged=True) as bundle:
            return _export_in(bundle) is not None
    except (InputError, OSError, ValueError):
        return False


def read_export(source: object) -> Found:
    """The network around the person whose export it is."""
    path = Path(os.fsdecode(cast(str, source)))
    with open_bundle(path) as bundle:
        export = _export_in(bundle)
        if export is None:
            raise InputError(f"{path} is not an export that is known; docs/own-data.md lists them and their files")
        ego = export.read_ego(bundle)
    notes = [ego.summary(), *ego.notes]
    if ego.person == UNKNOWN_PERSON:
        notes.append(f"the files do not say whose export it is: the person has the id '{UNKNOWN_PERSON}'")
    return Found(ego.tables(), tuple(notes), home=path if path.is_dir() else None)


def _is_worth_a_look(path: Path) -> bool:
    if path.is_dir():
        return True
    name = path.name.lower()
    return path.is_file() and (name.endswith(_SUFFIXES) or (name.startswith(_ARCHIVE) and name.endswith(".tar.gz")))


def _export_in(bundle: Bundle) -> Export | None:
    return next((export for export in EXPORTS if export.is_here(bundle)), None)
