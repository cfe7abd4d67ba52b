"""The command that brings networks of any form into folders."""

from pathlib import Path
from typing import Annotated

import typer

from factlink.cli.options import AsJson
from factlink.cli.sources import NOTHING, SOURCE, Reading, reads_networks


@reads_networks()
def import_(
    source: Annotated[str, typer.Argument(help=SOURCE)],
    out: Annotated[Path, typer.Option("--out", "-o", help="The network folder to make.")],
    reading: Reading = NOTHING,
    drop_dangling: Annotated[
        bool, typer.Option(help="Ignore links to users who are not in the table, and count them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Read data in any form and show what was understood. It is written as a network folder."""
    from factlink.cli.render.readings import print_imported_network
    from factlink.data.frames import ReadOptions
    from factlink.data.sources.importing import import_network

    options = ReadOptions(reading.kinds, drop_dangling)
    imported = import_network(source, out, reading.options(), options)
    print_imported_network(imported, out, as_json=as_json)
