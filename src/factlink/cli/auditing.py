"""The command that audits a release."""

from pathlib import Path
from typing import Annotated

import typer

from factlink.cli.options import DEFAULT_LINKER, AsJson, Seed
from factlink.cli.sources import NOTHING, SOURCE, Reading, reads_networks


@reads_networks("source", "target")
def audit(
    left: Annotated[str, typer.Argument(help=f"The release. {SOURCE}")],
    right: Annotated[str, typer.Argument(help="The network that an attacker may have.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for audit.html, audit.json and exposed.csv.")],
    truth: Annotated[
        Path | None, typer.Option(help="A pairs file with the true pairs; without it, the risk is estimated.")
    ] = None,
    known: Annotated[Path | None, typer.Option(help="A pairs file with pairs that the attacker knows.")] = None,
    target: Annotated[
        float, typer.Option(help="The highest acceptable risk; measures are looked for that reach it.")
    ] = 0.05,
    group: Annotated[
        list[str],
        typer.Option(
            "--group",
            help="A column of the release; the risk is given for each of its groups. May be given several times.",
        ),
    ] = [],
    user: Annotated[str | None, typer.Option(help="The id of one account of the release, to see its own risk.")] = None,
    linker: Annotated[str, typer.Option(help="The attacker's linker; factlink linkers lists them.")] = DEFAULT_LINKER,
    seed: Seed = 0,
    reading: Reading = NOTHING,
    drop_dangling: Annotated[bool, typer.Option(help="Ignore links to users who are not in the table.")] = False,
    overwrite: Annotated[bool, typer.Option(help="Replace an earlier audit.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure how linkable a data release is, and what would help."""
    from factlink.audits.auditing import AuditSettings, run_audit
    from factlink.audits.reading import read_release
    from factlink.audits.writing import audit_folder, write_audit
    from factlink.cli.render.audits import print_audit
    from factlink.cli.render.results import watched_stages
    from factlink.linkers.settings import make_linker
    from factlink.runs.inputs import LinkRequest

    asked = AuditSettings(target, tuple(group), user, seed)
    made_by = make_linker(linker, {}, seed)
    said = reading.options("left"), reading.options("right")
    request = LinkRequest(left, right, out, known, reading.kinds, drop_dangling, options=said)
    with watched_stages() as on_stage, audit_folder(out, overwrite=overwrite) as new:
        on_stage("reading")
        found = run_audit(read_release(request, truth), made_by, asked, on_stage)
        on_stage("writing")
        write_audit(found.as_dict(), new)
    print_audit(found, out, as_json=as_json)
