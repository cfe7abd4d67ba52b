"""What was removed from a run, and what is left to do elsewhere."""

from dataclasses import asdict

import typer

from factlink.cli.render.as_json import print_json
from factlink.runs.forgetting.forget import Forgotten


def print_forgotten(forgotten: Forgotten, *, as_json: bool) -> None:
    """Sentences for people, or JSON."""
    if as_json:
        print_json(asdict(forgotten))
        return
    for account in forgotten.accounts:
        typer.echo(f"removed  {account.user}  (network '{account.network}')  from {forgotten.run}")
    typer.echo(f"{forgotten.judgements} judgements were removed, and the run's report and its cached vectors.")
    typer.echo(f"Every file was searched: none of the account's {forgotten.searched} own values is left.")
    if forgotten.shared:
        typer.echo(f"{forgotten.shared} values are too short to search, or other accounts have them too and keep them.")
    for side, network, user in forgotten.partners:
        typer.echo(
            f"It was linked with {user} of '{network}'. If that is the same person: "
            f"factlink forget {forgotten.run} {user} --side {side}"
        )
    for source in dict.fromkeys(forgotten.inputs):
        typer.echo(
            f"Not touched: the input {source}, exports, and reports written elsewhere. Remove the account there."
        )
