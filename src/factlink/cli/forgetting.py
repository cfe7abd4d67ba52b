"""The command that removes a person's data from a run."""

from pathlib import Path
from typing import Annotated

import typer

from factlink.cli.options import AsJson


def forget(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    user: Annotated[str, typer.Argument(help="The id of the account to remove.")],
    side: Annotated[
        str, typer.Option(help="The network of the account: left, right or both. Needed if both have that id.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Remove a person's account from a run. Its data, links, evidence, vectors and judgements go; then every file is
    searched for what is left."""
    from factlink.cli.render.forgetting import print_forgotten
    from factlink.cli.render.results import watched_stages
    from factlink.runs.forgetting.forget import forget as forget_account

    with watched_stages() as on_stage:
        forgotten = forget_account(run, user, side, on_stage)
    print_forgotten(forgotten, as_json=as_json)
