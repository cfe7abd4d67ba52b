"""The command line: parse, call, print. Exit codes: 0 done, 2 a user's mistake, 1 ours."""

import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from factlink.errors import FactlinkError, SettingError, describe_os_error, one_line
from factlink.execution.memory import check_address_space

app = typer.Typer(
    name="factlink",
    help="Finds which accounts on different networks belong to the same person, without labelled pairs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

DEFAULT_LINKER = "factoid"
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines instead of tables.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same links.")]


def main() -> None:
    """Runs the command line; a user's mistake, or what the system refuses, is one sentence on stderr."""
    os.umask(0o077)  # what is written speaks of people
    for word in sys.argv:
        if not word.isascii() and any("\ud800" <= letter <= "\udfff" for letter in word):
            _refuse(f"'{word}' is not UTF-8; type it again, or rename the file")
    try:
        check_address_space()
        try:
            app()
        finally:
            _flush()
    except FactlinkError as error:
        _refuse(str(error))
    except OSError as error:
        _refuse(describe_os_error(error))
    except MemoryError:
        _refuse("there is not enough memory; see factlink plan, give --memory, or link parts of the networks")
    except KeyboardInterrupt:
        typer.echo("factlink: interrupted; the same command continues where training stood", err=True)
        sys.exit(130)


def _flush() -> None:
    """Prints what is left; what cannot be printed is not tried again when Python ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _refuse(message: str) -> NoReturn:
    typer.echo(f"factlink: {one_line(message)}", err=True)
    sys.exit(2)


@app.callback(invoke_without_command=True)
def _version(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"factlink {installed('factlink')}")
        raise typer.Exit


@app.command()
def link(
    left: Annotated[Path, typer.Argument(help="A network: a folder with users.parquet, .csv or .jsonl.")],
    right: Annotated[Path, typer.Argument(help="The other network.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The run folder to make.")],
    linker: Annotated[str, typer.Option(help="Which linker.")] = DEFAULT_LINKER,
    known: Annotated[Path | None, typer.Option(help="A pairs file of links that are known already.")] = None,
    seed: Seed = 0,
    kind: Annotated[list[str], typer.Option(help="COLUMN=KIND: how a column is compared. Repeatable.")] = [],
    setting: Annotated[list[str], typer.Option("--set", help="KEY=VALUE: a setting of the linker. Repeatable.")] = [],
    drop_dangling: Annotated[bool, typer.Option(help="Drop links to users that do not exist, and count them.")] = False,
    precision: Annotated[
        float, typer.Option(help="The share of the links found that should be right; known pairs do not count.")
    ] = 0.9,
    min_probability: Annotated[float, typer.Option(help="The least probability of a link.")] = 0.5,
    one_to_one: Annotated[bool, typer.Option(help="Whether a right account is linked at most once.")] = True,
    calibrate: Annotated[
        bool, typer.Option(help="Whether known pairs correct the probabilities: a second fit.")
    ] = True,
    overwrite: Annotated[bool, typer.Option(help="Replace a finished run.")] = False,
    reuse: Annotated[
        Path | None, typer.Option(help="A run: its vectors of names, texts and pictures are not made again.")
    ] = None,
    half: Annotated[
        bool, typer.Option(help="Keep vectors in float16: half the disk, links may change a little.")
    ] = False,
    memory: Annotated[str, typer.Option(help="The most memory to use, like 8GB; by default what is free.")] = "",
    cluster: Annotated[str | None, typer.Option(help="Work on a Ray cluster: auto, or its address.")] = None,
    as_json: AsJson = False,
) -> None:
    """Link the accounts of two networks."""
    from factlink.cli.render.results import print_made, watched_stages
    from factlink.decision.decisions import DecisionRule
    from factlink.execution.cluster import cluster_of
    from factlink.linkers.settings import make_linker
    from factlink.runs.inputs import Order
    from factlink.runs.making import make_run
    from factlink.runs.planning import workers_within

    made_by = make_linker(linker, _assignments(setting, "--set"), seed)
    bar = DecisionRule(precision, one_to_one, calibrate, min_probability)
    order = Order(left, right, out, known, _assignments(kind, "--kind"), drop_dangling, overwrite, half)
    frugal = workers_within(order, memory) if linker == DEFAULT_LINKER else None
    with watched_stages() as on_stage, cluster_of(cluster) as workers:
        made = make_run(order, made_by, on_stage, bar=bar, workers=workers or frugal, reuse=reuse)
    print_made(made, as_json=as_json)


@app.command()
def plan(
    left: Annotated[Path, typer.Argument(help="A network: a folder with users.parquet, .csv or .jsonl.")],
    right: Annotated[Path, typer.Argument(help="The other network.")],
    kind: Annotated[list[str], typer.Option(help="COLUMN=KIND: how a column is compared. Repeatable.")] = [],
    as_json: AsJson = False,
) -> None:
    """Tell what linking would cost with default settings: time, memory, disk and methods; reads sizes only."""
    from factlink.cli.render.plans import print_plan
    from factlink.runs.planning import plan_link

    print_plan(plan_link(left, right, _assignments(kind, "--kind")), as_json=as_json)


@app.command()
def evaluate(
    run: Annotated[Path, typer.Argument(help="A run folder made by factlink link.")],
    truth: Annotated[
        Path, typer.Argument(help="A pairs file with the true pairs (columns left, right; right empty for none).")
    ],
    as_json: AsJson = False,
) -> None:
    """Compare a run with the truth."""
    from factlink.cli.render.scores import print_scores
    from factlink.runs.scoring import evaluate_run

    print_scores(evaluate_run(run, truth), as_json=as_json)


@app.command()
def hide(
    left: Annotated[Path, typer.Argument(help="A network folder.")],
    right: Annotated[Path, typer.Argument(help="The network that loses accounts.")],
    truth: Annotated[Path, typer.Argument(help="A pairs file with the true pairs (columns left, right).")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the smaller right network and its truth go.")],
    share: Annotated[float, typer.Option(help="The share of right partners to hide.")] = 0.7,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Hide partners, to see whether a linker says "no account there" when that is so."""
    from factlink.cli.render.results import print_hidden
    from factlink.runs.hiding import hide as hide_partners

    print_hidden(left, hide_partners(left, right, truth, out, share, seed), as_json=as_json)


@app.command()
def explain(
    run: Annotated[Path, typer.Argument(help="A run folder made by factlink link.")],
    users: Annotated[list[str], typer.Argument(help="Two users, one of either network, or one: its five best.")],
    as_json: AsJson = False,
) -> None:
    """Say why two users were linked, or not: what met, and how much each part weighs."""
    from factlink.cli.render.explanations import print_explanations, tell_of_refit
    from factlink.runs.explaining import explain_run

    if len(users) > 2:
        raise SettingError(f"explain takes one user or two, found {len(users)}")
    print_explanations(explain_run(run, users, tell_of_refit), as_json=as_json)


@app.command()
def report(
    run: Annotated[Path, typer.Argument(help="A run folder made by factlink link.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The HTML file; RUN/report.html if not named.")
    ] = None,
    truth: Annotated[Path | None, typer.Option(help="A pairs file with the true pairs.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write a run as one HTML file that opens anywhere, without a network."""
    from factlink.cli.render.as_json import print_json
    from factlink.cli.render.results import watched_stages
    from factlink.report.gathering import gather_report
    from factlink.report.page import write_report

    if as_json:
        print_json(gather_report(run, truth))
        return
    file = out or run / "report.html"
    with watched_stages() as on_stage:
        write_report(run, file, truth, on_stage)
    typer.echo(f"report  {file}  ({file.stat().st_size / 1e6:.1f} MB)")


@app.command()
def add(
    run: Annotated[Path, typer.Argument(help="A run folder made by factlink link.")],
    new_users: Annotated[Path, typer.Argument(help="A folder with the new users, like a network's.")],
    side: Annotated[str, typer.Option(help="The network that the new users belong to: left or right.")] = "left",
    drop_dangling: Annotated[bool, typer.Option(help="Drop links to users that do not exist.")] = False,
    as_json: AsJson = False,
) -> None:
    """Add accounts to a finished run: they are linked without training, and earlier links stay."""
    from factlink.cli.render.adding import print_added
    from factlink.cli.render.results import watched_stages
    from factlink.runs.adding import NewUsers, add_users

    with watched_stages() as on_stage:
        added = add_users(NewUsers(run, new_users, side, drop_dangling), on_stage)
    print_added(added, as_json=as_json)


@app.command()
def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the made-up networks and the run go.")] = Path("demo"),
    people: Annotated[int, typer.Option(help="How many people to make up.")] = 1500,
    seed: Seed = 0,
) -> None:
    """Make up two networks, link them and compare with the truth; needs no input."""
    from factlink.cli.render.results import print_demo, watched_stages
    from factlink.runs.demo import make_demo

    with watched_stages() as on_stage:
        shown = make_demo(out, people, seed, on_stage)
    print_demo(shown)


@app.command()
def review(
    run: Annotated[Path, typer.Argument(help="A run folder made by factlink link.")],
    port: Annotated[int, typer.Option(help="The port on this machine; 0 takes a free one.")] = 0,
    reviewer: Annotated[str, typer.Option(help="The name under which judgements are kept.")] = "reviewer",
    blind: Annotated[bool, typer.Option("--blind", help="Hide what the run and other reviewers think.")] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address and open nothing.")] = False,
) -> None:
    """Judge the links of a run on a page that only this machine sees."""
    from factlink.cli.render.results import watched_stages
    from factlink.cli.render.reviews import announced_review
    from factlink.review.serving import Service, open_review

    with watched_stages() as on_stage:
        opened = open_review(run, Service(port, reviewer, blind), on_stage)
    with announced_review(opened.url, open_page=not no_browser):
        opened.serve()


@app.command()
def judgements(
    run: Annotated[Path, typer.Argument(help="A run folder that was reviewed.")],
    export: Annotated[Path | None, typer.Option(help="Write a pairs file, ready for factlink link --known.")] = None,
    verdict: Annotated[str, typer.Option(help="Which pairs to write: match, unknown or non-match.")] = "match",
    file: Annotated[
        Path | None,
        typer.Option("--import", help="Add the judgements of a file: left, right, verdict, and reviewer, note if any."),
    ] = None,
    reviewer: Annotated[str, typer.Option(help="Who made them, if the file does not say.")] = "reviewer",
    as_json: AsJson = False,
) -> None:
    """Show what people said of a run's pairs, write it as a pairs file, or add what was judged elsewhere."""
    from factlink.cli.render.reviews import print_exported, print_imported, print_judgements
    from factlink.runs.importing import import_judgements
    from factlink.runs.reviewing import export_pairs, summarise_judgements

    if file is not None and export is not None:
        raise SettingError("--import and --export were both given; import first, then export")
    if file is not None:
        print_imported(import_judgements(run, file, reviewer), file, as_json=as_json)
    elif export is None:
        print_judgements(summarise_judgements(run), as_json=as_json)
    else:
        print_exported(export_pairs(run, verdict, export), export, as_json=as_json)


@app.command()
def relink(
    run: Annotated[Path, typer.Argument(help="A run folder that was reviewed.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The run folder to make.")],
    overwrite: Annotated[bool, typer.Option(help="Replace a finished run.")] = False,
    as_json: AsJson = False,
) -> None:
    """Link a run again: judged matches are known pairs, judged non-matches are never linked."""
    from factlink.cli.render.results import print_relinked, watched_stages
    from factlink.runs.relinking import relink as link_again

    with watched_stages() as on_stage:
        relinked = link_again(run, out, overwrite, on_stage)
    print_relinked(relinked, as_json=as_json)


@app.command()
def trace(
    run: Annotated[Path, typer.Argument(help="A run folder made by factlink link --linker fe.")],
    users: Annotated[list[str], typer.Argument(help="Ids of users of either network; partners come along.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The drawing to make, .svg or .png.")],
    top: Annotated[int, typer.Option(help="How many factoids to list per user.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Draw how users moved while they were embedded, and list what moved them furthest."""
    from factlink.cli.render.results import watched_stages
    from factlink.cli.render.traces import print_trace
    from factlink.evaluation.traces import check_drawable, draw_paths
    from factlink.runs.tracing import trace_run

    check_drawable(out)
    with watched_stages() as on_stage:
        traced = trace_run(run, users, top, on_stage)
        draw_paths(traced.paths, out)
    print_trace(traced, out, as_json=as_json)


@app.command()
def bench(
    experiment: Annotated[Path, typer.Argument(help="A TOML file; those of the project lie in experiments/.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where results go; by default results/ and the file's name.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="Where the experiment's folders lie, if not beside it.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="The experiment's small form, for a few minutes.")] = False,
    figures: Annotated[bool, typer.Option("--figures", help="Draw the experiment's figures too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run linkers side by side, with the published figures under ours; a second run continues a broken one."""
    from factlink.cli.render.bench import print_results, watched_jobs
    from factlink.experiments.analyses import draw_figures
    from factlink.experiments.benchmark import run_experiment, save_results
    from factlink.experiments.experiment import read_experiment
    from factlink.storage.durable import locked_folder

    wanted = read_experiment(experiment, quick=quick, data_folder=data)
    folder = out or Path("results") / (experiment.stem + ("-quick" if quick else ""))
    with watched_jobs() as on_progress, locked_folder(folder, f"{folder} is being written"):
        results = run_experiment(wanted, folder, on_progress)
        save_results(results, folder)
        if figures:
            draw_figures(wanted, folder, on_progress)
    print_results(results, folder, as_json=as_json)


def _assignments(words: list[str], option: str) -> dict[str, str]:
    """`KEY=VALUE` words as a mapping."""
    pairs = [word.partition("=") for word in words]
    for word, (key, equals, _) in zip(words, pairs, strict=True):
        if not key or not equals:
            raise SettingError(f"{option} takes KEY=VALUE, found '{word}'")
    return {key.strip(): value.strip() for key, _, value in pairs}
