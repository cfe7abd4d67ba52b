"""The command that removes a person's data from a run."""

from pathlib import Path
from typing import Annotated

import typer

from factlink.cli.options import AsJson


def forget(
    run: Annotated[Path, typer.Argument(help="A run folder made by factlink link.")],
    user: Annotated[str, typer.Argument(help="The id of the account to remove.")],
    side: Annotated[
        str, typer.Option(help="left, right or both: which network, where both have an account of that id.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Remove an account from a run: its data, links, evidence, vectors and judgements. Every file is searched after."""
    from factlink.cli.render.forgetting import print_forgotten
    from factlink.cli.render.results import watched_stages
    from factlink.runs.forgetting.forget import forget as forget_account

    with watched_stages() as on_stage:
        forgotten = forget_account(run, user, side, on_stage)
    print_forgotten(forgotten, as_json=as_json)
