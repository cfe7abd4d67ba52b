"""Commands that make or change a run."""

from pathlib import Path
from typing import Annotated

import typer

from factlink.cli.options import DEFAULT_LINKER, AsJson, Seed, assignments, parse_pairs
from factlink.cli.sources import NOTHING, SOURCE, Reading, reads_networks
from factlink.errors import SettingError

Pairs = Annotated[
    str,
    typer.Option(metavar="A:B,A:C", help="With three networks or more: which two to link with each other; else all."),
]


@reads_networks()
def link(
    networks: Annotated[list[str], typer.Argument(metavar="NETWORK", help=f"Two networks or more. {SOURCE}")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write the run to.")],
    linker: Annotated[str, typer.Option(help="The linker to use; factlink linkers lists them.")] = DEFAULT_LINKER,
    known: Annotated[
        Path | None, typer.Option(help="A table of pairs that are known to be one person; columns left, right.")
    ] = None,
    seed: Seed = 0,
    reading: Reading = NOTHING,
    setting: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="A setting of the linker; factlink settings LINKER lists them. May be given several times.",
        ),
    ] = [],
    drop_dangling: Annotated[
        bool, typer.Option(help="Ignore links to users who are not in the table, and count them.")
    ] = False,
    precision: Annotated[float, typer.Option(help="The share of the links found that should be correct.")] = 0.9,
    min_probability: Annotated[float, typer.Option(help="Link no pair with a lower probability.")] = 0.5,
    one_to_one: Annotated[bool, typer.Option(help="Link a right account at most once.")] = True,
    calibrate: Annotated[
        bool, typer.Option(help="With --known: calibrate probabilities on the known pairs, which takes a second fit.")
    ] = True,
    pairs: Pairs = "",
    within: Annotated[
        str, typer.Option(metavar="A,B", help="Networks in which to look for several accounts of one person too.")
    ] = "",
    declared: Annotated[bool, typer.Option(help="Use accounts that people name in their own profiles.")] = True,
    overwrite: Annotated[bool, typer.Option(help="Replace a run of that name.")] = False,
    reuse: Annotated[
        Path | None, typer.Option(help="An earlier run, whose encoded names, texts and pictures save time.")
    ] = None,
    half: Annotated[
        bool, typer.Option(help="Store vectors as float16: half the disk space, slightly different links.")
    ] = False,
    memory: Annotated[str, typer.Option(help="The most memory to use, such as 8GB; by default the free memory.")] = "",
    cluster: Annotated[str | None, typer.Option(help="Run on a Ray cluster: auto, or its address.")] = None,
    as_json: AsJson = False,
) -> None:
    """Find the accounts of the same person in two or more networks."""
    from factlink.cli.render.persons import print_several
    from factlink.cli.render.results import print_result, watched_stages
    from factlink.decision.decisions import DecisionRule
    from factlink.execution.cluster import cluster_of
    from factlink.linkers.settings import make_linker
    from factlink.runs.inputs import LinkRequest, read_early, read_inputs
    from factlink.runs.making import make_run
    from factlink.runs.planning import workers_within
    from factlink.runs.several.inputs import SeveralRequest
    from factlink.runs.several.making import make_several

    without = {} if declared or linker != DEFAULT_LINKER else {"steps.declared": "no"}
    made_by = make_linker(linker, assignments(setting, "--set") | without, seed)
    rule = DecisionRule(precision, one_to_one, calibrate, min_probability)
    kinds, said = reading.kinds, reading.options_of(networks, "link")
    if len(networks) > 2 or within:
        refuse_for_several(cluster=cluster, memory=memory)
        wanted, own = parse_pairs(pairs), parse_pairs(within)
        several = SeveralRequest(networks, out, wanted, known, kinds, drop_dangling, overwrite, half, said, own)
        with watched_stages() as on_stage:
            made = make_several(several, made_by, on_stage, rule=rule, earlier=reuse)
        print_several(made, as_json=as_json)
        return
    left, right = networks
    request = LinkRequest(left, right, out, known, kinds, drop_dangling, overwrite, half, (said[0], said[1]))
    with watched_stages() as on_stage, cluster_of(cluster) as workers:
        on_stage("reading")
        early = read_early(request)
        out_of_core = workers_within(request, memory, early) if linker == DEFAULT_LINKER else None
        read = read_inputs if early is None else lambda _: early
        result = make_run(request, made_by, on_stage, read, rule, workers or out_of_core, reuse)
    print_result(result, as_json=as_json)


@reads_networks()
def duplicates(
    network: Annotated[str, typer.Argument(help=SOURCE)],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write the run to.")],
    seed: Seed = 0,
    reading: Reading = NOTHING,
    drop_dangling: Annotated[
        bool, typer.Option(help="Ignore links to users who are not in the table, and count them.")
    ] = False,
    precision: Annotated[float, typer.Option(help="The share of the pairs found that should be correct.")] = 0.9,
    min_probability: Annotated[float, typer.Option(help="Link no pair with a lower probability.")] = 0.5,
    overwrite: Annotated[bool, typer.Option(help="Replace a run of that name.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find several accounts of the same person in one network."""
    from factlink.cli.render.results import print_duplicates, watched_stages
    from factlink.decision.decisions import DecisionRule
    from factlink.linkers.settings import make_within_linker
    from factlink.runs.duplicates import find_duplicates
    from factlink.runs.inputs import LinkRequest

    said = reading.options()
    kinds, rule = reading.kinds, DecisionRule(precision, False, False, min_probability)
    request = LinkRequest(network, network, out, None, kinds, drop_dangling, overwrite, options=(said, said))
    with watched_stages() as on_stage:
        result = find_duplicates(request, make_within_linker({}, seed), on_stage, rule)
    print_duplicates(result, as_json=as_json)


@reads_networks()
def plan(
    networks: Annotated[list[str], typer.Argument(metavar="NETWORK", help=f"Two networks or more. {SOURCE}")],
    reading: Reading = NOTHING,
    pairs: Pairs = "",
    drop_dangling: Annotated[bool, typer.Option(help="Ignore links to users who are not in the table.")] = False,
    as_json: AsJson = False,
) -> None:
    """Estimate how much time, memory and disk linking will take."""
    from factlink.cli.render.plans import print_plan, print_several_plan
    from factlink.runs.inputs import LinkRequest
    from factlink.runs.planning import plan_request
    from factlink.runs.several.inputs import SeveralRequest
    from factlink.runs.several.planning import plan_several

    kinds, said = reading.kinds, reading.options_of(networks, "plan")
    if len(networks) > 2:
        wanted = parse_pairs(pairs)
        several = SeveralRequest(networks, Path("run"), wanted, None, kinds, drop_dangling, options=said)
        print_several_plan(plan_several(several), as_json=as_json)
        return
    left, right = networks
    request = LinkRequest(left, right, Path("run"), None, kinds, drop_dangling, options=(said[0], said[1]))
    print_plan(plan_request(request), as_json=as_json)


@reads_networks("kind")
def add(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    new_users: Annotated[str, typer.Argument(help="The new accounts, in any form that factlink link takes.")],
    side: Annotated[str, typer.Option(help="The network of the new accounts: left or right.")] = "left",
    network: Annotated[str, typer.Option(help="In a run of three networks or more: their network, by name.")] = "",
    reading: Reading = NOTHING,
    drop_dangling: Annotated[bool, typer.Option(help="Ignore links to users who are not in the table.")] = False,
    as_json: AsJson = False,
) -> None:
    """Add new accounts to a run. They are linked without training, and existing links stay."""
    from factlink.cli.render.adding import print_added, print_several_added
    from factlink.cli.render.persons import print_several
    from factlink.cli.render.results import watched_stages
    from factlink.runs.adding import AddRequest, add_users
    from factlink.runs.folder.several import is_several
    from factlink.runs.several.adding import SeveralAdded, SeveralAddition
    from factlink.runs.several.again import add_several

    said = reading.options()
    if is_several(run):
        with watched_stages() as on_stage:
            made = add_several(SeveralAddition(run, new_users, network, drop_dangling, said), on_stage)
        if isinstance(made, SeveralAdded):
            print_several_added(made, as_json=as_json)
        else:
            print_several(made, as_json=as_json)
        return
    with watched_stages() as on_stage:
        added = add_users(AddRequest(run, new_users, side, drop_dangling, said), on_stage)
    print_added(added, as_json=as_json)


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for the networks and the run.")] = Path("demo"),
    people: Annotated[int, typer.Option(help="How many people to make up.")] = 1500,
    seed: Seed = 0,
    csv: Annotated[
        bool, typer.Option("--csv", help="Only make up the networks, as CSV files, and link nothing.")
    ] = False,
) -> None:
    """Try it: make up two networks, link them, check the result."""
    from factlink.cli.render.results import print_demo, watched_stages
    from factlink.runs.demo import NETWORKS, make_demo, make_networks

    if csv:
        truth = make_networks(out, people, seed, "csv")
        left, right = (out / network for network in NETWORKS)
        typer.echo(f"networks  {left}  {right}\ntruth     {truth}\nnext: factlink link {left} {right} -o RUN")
        return
    with watched_stages() as on_stage:
        shown = make_demo(out, people, seed, on_stage)
    print_demo(shown)


def relink(
    run: Annotated[Path, typer.Argument(help="The folder of a run that was reviewed.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write the run to.")],
    overwrite: Annotated[bool, typer.Option(help="Replace a run of that name.")] = False,
    as_json: AsJson = False,
) -> None:
    """Link again, with the judgements of a review. Matches become known pairs; non-matches are never linked."""
    from factlink.cli.render.persons import print_several
    from factlink.cli.render.results import print_relinked, watched_stages
    from factlink.runs.folder.several import is_several
    from factlink.runs.relinking import relink as link_again
    from factlink.runs.several.again import relink_several

    if is_several(run):
        with watched_stages() as on_stage:
            made = relink_several(run, out, overwrite, on_stage)
        print_several(made, as_json=as_json)
        return
    with watched_stages() as on_stage:
        relinked = link_again(run, out, overwrite, on_stage)
    print_relinked(relinked, as_json=as_json)


def refuse_for_several(cluster: str | None, memory: str) -> None:
    """Refuses options that hold for two networks alone."""
    if cluster or memory:
        given = "--cluster" if cluster else "--memory"
        raise SettingError(f"{given} works for two networks, not for three or more; leave it out")
