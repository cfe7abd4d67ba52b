"""Commands that show a run to people and take their judgements."""

from pathlib import Path
from typing import Annotated

import typer

from factlink.cli.options import AsJson, OfPair
from factlink.errors import InputError, SettingError


def explain(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    users: Annotated[
        list[str],
        typer.Argument(
            help="Two users, one of each network; or one user, to see the five best candidates. By id, name or handle."
        ),
    ],
    as_json: AsJson = False,
    pair: OfPair = "",
) -> None:
    """Show why two accounts were linked, or not."""
    from factlink.cli.render.explanations import announce_refit, print_explanations
    from factlink.cli.render.listings import print_found
    from factlink.runs.explaining import explain_run
    from factlink.runs.finding import resolve_users
    from factlink.runs.folder.several import choose_pair

    run = choose_pair(run, pair)
    if len(users) > 2:
        raise SettingError(f"explain takes one or two users, got {len(users)}")
    meant = resolve_users(run, users)
    if meant.several:
        print_found(meant.asked, meant.several, as_json=as_json)
        raise InputError(f"{len(meant.several)} users are called '{meant.asked}'; name one of them by its id")
    print_explanations(explain_run(run, meant.users, announce_refit), as_json=as_json)


def report(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The HTML file; by default RUN/report.html.")] = None,
    truth: Annotated[
        Path | None, typer.Option(help="A table of the true pairs; adds hit rates and calibration.")
    ] = None,
    as_json: AsJson = False,
    pair: OfPair = "",
) -> None:
    """Write a report: one HTML file that opens offline."""
    from factlink.cli.render.as_json import print_json
    from factlink.cli.render.results import watched_stages
    from factlink.report.gathering import gather_report
    from factlink.report.page import write_report
    from factlink.report.persons import gather_persons_report, write_persons_report
    from factlink.runs.folder.several import choose_pair, is_several

    if is_several(run) and not pair:
        if truth is not None:
            raise SettingError("--truth compares two networks in a report; choose them with --pair A:B")
        if as_json:
            print_json(gather_persons_report(run))
            return
        file = out or run / "report.html"
        with watched_stages() as on_stage:
            write_persons_report(run, file, on_stage)
        typer.echo(f"report  {file}  ({file.stat().st_size / 1e6:.1f} MB)")
        return
    run = choose_pair(run, pair)
    if as_json:
        print_json(gather_report(run, truth))
        return
    file = out or run / "report.html"
    with watched_stages() as on_stage:
        write_report(run, file, truth, on_stage)
    typer.echo(f"report  {file}  ({file.stat().st_size / 1e6:.1f} MB)")


def review(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    port: Annotated[int, typer.Option(help="The port on this machine; 0 chooses a free one.")] = 0,
    reviewer: Annotated[str, typer.Option(help="Your name; it is kept with your judgements.")] = "reviewer",
    blind: Annotated[
        bool, typer.Option("--blind", help="Hide scores, evidence, decisions and the judgements of others.")
    ] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address; do not open a browser.")] = False,
    pair: OfPair = "",
) -> None:
    """Judge links, or persons of three networks or more, in your browser."""
    from factlink.cli.render.results import watched_stages
    from factlink.cli.render.reviews import announced_review
    from factlink.review.serving import Service, open_review
    from factlink.runs.folder.several import choose_pair, is_several

    run = run if is_several(run) and not pair else choose_pair(run, pair)
    with watched_stages() as on_stage:
        opened = open_review(run, Service(port, reviewer, blind), on_stage)
    with announced_review(opened.url, open_page=not no_browser):
        opened.serve()


def judgements(
    run: Annotated[Path, typer.Argument(help="The folder of a run that was reviewed.")],
    export: Annotated[
        Path | None, typer.Option(help="Write the judged pairs to this file, ready for factlink link --known.")
    ] = None,
    verdict: Annotated[
        str, typer.Option(help="With --export: which pairs to write: match, unknown or non-match.")
    ] = "match",
    file: Annotated[
        Path | None,
        typer.Option(
            "--import", help="Add the judgements in this table: left, right, verdict; optionally reviewer, note."
        ),
    ] = None,
    reviewer: Annotated[str, typer.Option(help="With --import: the reviewer, if the table names none.")] = "reviewer",
    as_json: AsJson = False,
    pair: OfPair = "",
) -> None:
    """Show, export or import judgements."""
    from factlink.cli.render.reviews import print_exported, print_imported, print_judgements
    from factlink.runs.folder.several import choose_pair
    from factlink.runs.importing import import_judgements
    from factlink.runs.reviewing import export_pairs, summarise_judgements

    run = choose_pair(run, pair)
    if file is not None and export is not None:
        raise SettingError("--import and --export were both given; import first, then export")
    if file is not None:
        print_imported(import_judgements(run, file, reviewer), file, as_json=as_json)
    elif export is None:
        print_judgements(summarise_judgements(run), as_json=as_json)
    else:
        print_exported(export_pairs(run, verdict, export), export, as_json=as_json)


def persons(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    changes: Annotated[
        Path | None, typer.Option(help="An earlier run: list the accounts that now belong to another person.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show each person with all accounts. Links that join nobody and links that disagree are listed too."""
    from factlink.cli.render.persons import print_changes, print_persons
    from factlink.runs.several.again import changed_persons
    from factlink.runs.several.gathering import gather_persons

    if changes is not None:
        print_changes(changed_persons(run, changes), as_json=as_json)
    else:
        print_persons(gather_persons(run), as_json=as_json)
