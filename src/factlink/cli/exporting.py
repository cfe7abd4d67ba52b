"""Commands that hand a run to other programs, and lists to choose from."""

from pathlib import Path
from typing import Annotated

import typer

from factlink.cli.options import AsJson, OfPair
from factlink.errors import SettingError


def export(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    out: Annotated[
        str,
        typer.Option(
            "--out",
            "-o",
            help="The file to write; its ending names the format: .csv, .xlsx, .parquet, .jsonl, .graphml, .gexf or "
            ".ftm.json (FollowTheMoney). Or a database: .sqlite, .duckdb, or a URL such as postgresql://…",
        ),
    ],
    decision: Annotated[str, typer.Option(help="Only rows with this decision: link, unknown or no account.")] = "",
    min_probability: Annotated[float, typer.Option(help="Only rows with at least this probability.")] = 0.0,
    form: Annotated[str, typer.Option("--format", help="The format, if the ending does not name it.")] = "",
    follows: Annotated[
        str,
        typer.Option(help="Write the accounts to follow on the right network, as a file for mastodon or bluesky."),
    ] = "",
    user: Annotated[str, typer.Option(help="With --follows: only accounts that this left user follows.")] = "",
    table: Annotated[str, typer.Option(help="In a database: the table to write.")] = "links",
    replace: Annotated[bool, typer.Option(help="In a database: replace the table if there is one.")] = False,
    as_json: AsJson = False,
    pair: OfPair = "",
) -> None:
    """Write the links for other programs. Spreadsheets, databases, Gephi, FollowTheMoney, Mastodon, Bluesky."""
    from factlink.cli.render.listings import print_export
    from factlink.export.databases import Target, export_to_database, is_database
    from factlink.export.exporting import export_follows, export_run
    from factlink.export.selection import Selection
    from factlink.runs.folder.several import choose_pair

    run = choose_pair(run, pair)
    selection = Selection(decision, min_probability)
    if user and not follows:
        raise SettingError("--user needs --follows: it chooses whose follows are written")
    if follows:
        exported = export_follows(run, Path(out), follows, selection, user)
    elif is_database(out):
        exported = export_to_database(run, Target(out, table, replace), selection)
    else:
        exported = export_run(run, Path(out), selection, form)
    print_export(exported, as_json=as_json)


def linkers(as_json: AsJson = False) -> None:
    """List the methods that --linker takes."""
    from factlink.cli.render.listings import print_linkers
    from factlink.linkers.catalogue import list_linkers

    print_linkers(list_linkers(), as_json=as_json)


def settings(
    linker: Annotated[str, typer.Argument(help="The name of a linker; factlink linkers lists them.")],
    as_json: AsJson = False,
) -> None:
    """List the settings of a linker, with defaults and meanings."""
    from factlink.cli.render.listings import print_settings
    from factlink.linkers.catalogue import list_settings

    print_settings(linker, list_settings(linker), as_json=as_json)
