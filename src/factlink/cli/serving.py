"""The command that answers questions about accounts."""

from pathlib import Path
from typing import Annotated

import typer

from factlink.cli.options import AsJson, OfPair


def serve(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    port: Annotated[int, typer.Option(help="The port to listen on; 0 chooses a free one.")] = 0,
    host: Annotated[
        str, typer.Option(help="The address to listen on; addresses other than this machine need TLS.")
    ] = "127.0.0.1",
    token_file: Annotated[
        Path | None, typer.Option(help="A file with the token that clients must send; it is made if there is none.")
    ] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="A certificate in PEM, to answer over TLS.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="The key of the certificate in PEM.")] = None,
    write: Annotated[bool, typer.Option(help="Let clients add accounts to the run.")] = False,
    workers: Annotated[int, typer.Option(help="How many processes answer; they share the files of the run.")] = 1,
    rate: Annotated[float, typer.Option(help="The most requests per second.")] = 1_000.0,
    exact: Annotated[
        bool, typer.Option(help="Compare a name with every user, however many there are; slower.")
    ] = False,
    mcp: Annotated[bool, typer.Option(help="Answer an MCP client over stdin and stdout; read-only.")] = False,
    pair: OfPair = "",
    as_json: AsJson = False,
) -> None:
    """Answer lookups of single accounts over HTTP or MCP."""
    import json

    from factlink.errors import SettingError
    from factlink.runs.folder.several import choose_pair
    from factlink.serve.serving import ServeSettings, open_service, token_in

    chosen = choose_pair(run, pair)
    if write and chosen != run:
        raise SettingError(f"{run} links several networks; add accounts to it with: factlink add {run} NEW --network A")
    if mcp:
        from factlink.serve.tools import serve_mcp

        serve_mcp(chosen, exact=exact)
        return
    if (tls_cert is None) != (tls_key is None):
        raise SettingError("TLS needs both --tls-cert and --tls-key")
    tls = (tls_cert, tls_key) if tls_cert and tls_key else None
    token = token_in(token_file)
    opened = open_service(chosen, ServeSettings(port, host, token, tls, write, workers, rate, exact))
    shown = {"url": opened.url, "reconcile": f"{opened.url}{opened.place}/right"}
    if token_file is None:
        shown["token"] = token
    typer.echo(json.dumps(shown) if as_json else "\n".join(f"{name} {text}" for name, text in shown.items()))
    typer.get_text_stream("stdout").flush()
    opened.serve()
