"""The command that brings networks of any form into folders."""

from pathlib import Path
from typing import Annotated

import typer

from factlink.cli.options import (
    SOURCE,
    AsJson,
    Encodings,
    Followees,
    Followers,
    Ids,
    Kinds,
    LinksFiles,
    NoHeader,
    Sheets,
    assignments,
    source_options,
)


def import_(
    source: Annotated[str, typer.Argument(help=SOURCE)],
    out: Annotated[Path, typer.Option("--out", "-o", help="The network folder to make.")],
    kind: Kinds = [],
    ids: Ids = [],
    followers: Followers = [],
    followees: Followees = [],
    links: LinksFiles = [],
    encoding: Encodings = [],
    sheet: Sheets = [],
    no_header: NoHeader = False,
    drop_dangling: Annotated[
        bool, typer.Option(help="Ignore links to users who are not in the table, and count them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Read data in any form and show what was understood. It is written as a network folder."""
    from factlink.cli.render.readings import print_imported_network
    from factlink.data.frames import ReadOptions
    from factlink.data.sources.importing import import_network

    given = {"id": ids, "source": followers, "target": followees, "links": links, "encoding": encoding, "sheet": sheet}
    options = ReadOptions(assignments(kind, "--kind"), drop_dangling)
    reading = import_network(source, out, source_options(given, no_header), options)
    print_imported_network(reading, out, as_json=as_json)
