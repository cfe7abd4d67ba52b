"""Commands that measure runs and linkers."""

from pathlib import Path
from typing import Annotated

import typer

from factlink.cli.options import AsJson, OfPair, Seed


def evaluate(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    truth: Annotated[
        list[Path],
        typer.Argument(
            help="A table of the true pairs: columns left and right; right is empty for no account. For three networks "
            "or more: pairs of any two, or persons (person, network, user), in one file or several."
        ),
    ] = [],
    declared: Annotated[
        bool,
        typer.Option("--declared", help="In place of a truth: fit without declared links, then compare with them."),
    ] = False,
    as_json: AsJson = False,
    pair: OfPair = "",
) -> None:
    """Compare a run with the truth, or with declared links."""
    from factlink.cli.render.persons import print_several_scores
    from factlink.cli.render.scores import print_declared, print_duplicate_scores, print_scores
    from factlink.errors import SettingError
    from factlink.runs.duplicates import evaluate_duplicates
    from factlink.runs.folder.several import choose_pair, is_several
    from factlink.runs.folder.store import load_manifest
    from factlink.runs.scoring import evaluate_declared, evaluate_run
    from factlink.runs.several.scoring import evaluate_several

    if bool(truth) == declared:
        raise SettingError("give either a truth file or --declared")
    if truth and not pair and is_several(run):
        print_several_scores(evaluate_several(run, truth), as_json=as_json)
        return
    run = choose_pair(run, pair)
    if len(truth) > 1:
        raise SettingError(f"two networks have one truth file, got {len(truth)}")
    if truth and load_manifest(run).within:
        print_duplicate_scores(evaluate_duplicates(run, truth[0]), as_json=as_json)
    elif truth:
        print_scores(evaluate_run(run, truth[0]), as_json=as_json)
    else:
        print_declared(evaluate_declared(run), as_json=as_json)


def hide(
    left: Annotated[Path, typer.Argument(help="A network folder.")],
    right: Annotated[Path, typer.Argument(help="The network that loses accounts.")],
    truth: Annotated[Path, typer.Argument(help="A table of the true pairs: columns left and right.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for the reduced right network and its truth.")],
    share: Annotated[float, typer.Option(help="The share of right partners to hide.")] = 0.7,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Remove partners, to test whether "no account" is found."""
    from factlink.cli.render.results import print_hidden
    from factlink.runs.hiding import hide as hide_partners

    print_hidden(left, hide_partners(left, right, truth, out, share, seed), as_json=as_json)


def trace(
    run: Annotated[Path, typer.Argument(help="A run folder made by factlink link --linker fe.")],
    users: Annotated[list[str], typer.Argument(help="Ids of users of either network; their partners are included.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The drawing to write, .svg or .png.")],
    top: Annotated[int, typer.Option(help="How many factoids to list per user.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Draw how users move while --linker fe trains. The factoids that moved them furthest are listed."""
    from factlink.cli.render.results import watched_stages
    from factlink.cli.render.traces import print_trace
    from factlink.evaluation.traces import check_drawable, draw_paths
    from factlink.runs.tracing import trace_run

    check_drawable(out)
    with watched_stages() as on_stage:
        traced = trace_run(run, users, top, on_stage)
        draw_paths(traced.paths, out)
    print_trace(traced, out, as_json=as_json)


def bench(
    experiment: Annotated[Path, typer.Argument(help="A TOML file; the project's own are in experiments/.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The folder of results; by default results/ and the file's name.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="The folder with the experiment's data, if not beside it.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A small version that takes a few minutes.")] = False,
    figures: Annotated[bool, typer.Option("--figures", help="Draw the experiment's figures too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compare linkers with each other and with published figures. A stopped benchmark continues."""
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
