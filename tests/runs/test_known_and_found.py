"""Links that were given and links that were found: precision is asked, and quality measured, of the latter alone."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import factlink as fl
from factlink.decision.decisions import DecisionRule
from factlink.decision.soft_assignment import SoftAssignment
from factlink.linkers.baselines.name import NameLinker
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.protocols import Linker
from factlink.runs.arrivals import standing_of
from factlink.runs.demo import make_demo
from factlink.runs.folder.store import load_manifest, load_run, read_links
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.runs.scoring import evaluate_run
from factlink.synthetic.worlds import Dials, Population, twins
from factlink.types import Network, Pairs
from tests.cli.test_app import run as run_command
from tests.sealing import reseal


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two networks, their truth, a fifth of its pairs, and the rest."""
    place = tmp_path_factory.mktemp("home") / "demo"
    make_demo(place, 200, 0, lambda stage: None)
    truth = pl.read_csv(place / "truth.csv", infer_schema=False)
    known = truth.drop_nulls("right").sample(fraction=0.2, seed=0)
    known.write_csv(place / "known.csv")
    truth.join(known, on="left", how="anti").write_csv(place / "rest.csv")
    return place


def made(place: Path, name: str, linker: Linker, rule: DecisionRule, known: str | None = "known.csv") -> Path:
    order = LinkRequest(
        place / "chirper", place / "facepage", place / name, place / known if known else None, overwrite=True
    )
    make_run(order, linker, rule=rule)
    return place / name


@pytest.mark.parametrize("linker", [FactoidLinker(), NameLinker()], ids=lambda linker: linker.name)
def test_known_pairs_pay_for_no_doubtful_link(place: Path, linker: Linker) -> None:
    run = made(place, f"budget-{linker.name}", linker, DecisionRule(min_probability=0.0))
    links, known = read_links(run), pl.read_csv(place / "known.csv", infer_schema=False)
    given, found = (links.filter(decision="link", source=source) for source in ("known", "found"))
    assert sorted(given.select("left", "right").rows()) == sorted(known.rows())
    assert (given["probability"] == 1).all()
    assert float(1 - found["probability"].mean()) == pytest.approx(0.1, abs=0.01)  # type: ignore[arg-type]
    assert (1 - found["probability"]).mean() <= 0.1  # type: ignore[operator]
    notes = load_manifest(run).notes
    assert notes["links"] == {"known": known.height, "judged": 0, "found": found.height}
    assert notes["expected_false_links"] == pytest.approx((1 - found["probability"]).mean())
    partners = links.filter(pl.col("right").is_in(known["right"].implode()))
    assert sorted(partners.select("left", "right").rows()) == sorted(known.rows())  # nobody else has a known account


def test_known_pairs_are_left_out_of_the_evaluation(place: Path) -> None:
    run = made(place, "evaluated", FactoidLinker(), DecisionRule())
    whole, rest = (evaluate_run(run, place / f"{name}.csv") for name in ("truth", "rest"))
    assert whole == rest
    truth = pl.read_csv(place / "truth.csv", infer_schema=False).drop_nulls("right")
    known = pl.read_csv(place / "known.csv").height
    assert (whole.known, whole.judged, whole.metrics.n) == (known, 0, truth["left"].n_unique() - known)
    assert whole.links == read_links(run).filter(decision="link", source="found").height


def test_the_counts_are_printed(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    assert run_command("factlink link chirper facepage -o printed --known known.csv --linker name", monkeypatch) == 0
    known = pl.read_csv("known.csv").height
    found = read_links(Path("printed")).filter(decision="link", source="found").height
    shown = " ".join(capsys.readouterr().out.split())
    assert f"{known + found} links: {known} known, {found} found" in shown
    assert run_command("factlink evaluate printed truth.csv", monkeypatch) == 0
    assert f"Given pairs are left out: {known} known, 0 judged matches." in capsys.readouterr().out
    assert run_command("factlink evaluate printed truth.csv --json", monkeypatch) == 0
    assert json.loads(capsys.readouterr().out)["known"] == known


def test_a_run_from_before_there_were_sources_still_loads(place: Path) -> None:
    run = made(place, "old", NameLinker(), DecisionRule())
    before, scores = read_links(run), evaluate_run(run, place / "truth.csv")
    pl.read_parquet(run / "links.parquet").drop("source").write_parquet(run / "links.parquet")
    reseal(run)
    assert read_links(run).equals(before)
    assert evaluate_run(run, place / "truth.csv") == scores
    (run / "known.parquet").unlink()
    assert set(read_links(run)["source"].to_list()) == {"found", None}


def test_the_least_probability_of_a_link_is_kept_with_the_run(place: Path) -> None:
    usual = made(place, "usual", FactoidLinker(), DecisionRule(precision=0.8), known=None)
    strict = made(place, "strict", FactoidLinker(), DecisionRule(precision=0.8, min_probability=0.9), known=None)
    for run, least in ((usual, 0.5), (strict, 0.9)):
        links = read_links(run).filter(decision="link")
        assert least <= links["probability"].min() < least + 0.1  # type: ignore[operator]
        assert load_manifest(run).notes["decision_rule"]["min_probability"] == least
        assert standing_of(load_run(run), 0).threshold >= least  # what accounts added later have to reach
    both = read_links(usual).join(read_links(strict), on="left", suffix="_strict")
    lost = both.filter(decision="link", decision_strict="unknown")
    assert both.filter(pl.col("decision") != pl.col("decision_strict")).height == lost.height > 0
    assert lost["probability"].max() < 0.9  # type: ignore[operator]


def test_on_the_command_line_the_least_probability_is_checked_before_anything_is_read(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    assert run_command("factlink link nowhere nowhere -o no --min-probability 2", monkeypatch) == 2
    assert capsys.readouterr().err.startswith("factlink: min_probability is 2.0; use a number from 0 to 1")


@pytest.fixture(scope="module")
def networks() -> tuple[Network, Network, Pairs]:
    world = twins(Dials(Population(people=150), seed=1))
    left, right = world.networks
    return left, right, world.truth(left.name, right.name)


def test_in_python_the_scorer_says_which_pairs_are_known(networks: tuple[Network, Network, Pairs]) -> None:
    left, right, truth = networks
    known = Pairs(truth.lefts[::5], truth.rights[::5])
    links = fl.link(FactoidLinker().fit(left, right, known), precision=0.9, min_probability=0.3)
    assert links.count_links()["known"] == len(known)
    assert np.mean(1 - links.probabilities[links.found_links()]) <= 0.1


@pytest.mark.parametrize("rule", [SoftAssignment(temperature=0.06), SoftAssignment(one_to_one=False)])
def test_what_the_linker_was_set_to_holds_for_its_links(
    networks: tuple[Network, Network, Pairs], rule: SoftAssignment
) -> None:
    left, right, _ = networks
    scorer = FactoidLinker(assignment=rule).fit(left, right)
    links = fl.link(scorer)
    paired = links.rights >= 0
    ends = scorer.orders.left.places[links.lefts[paired]], scorer.orders.right.places[links.rights[paired]]
    places = scorer.scorer.pairs.places(*ends)
    assert np.array_equal(links.probabilities[paired], scorer.scorer.probabilities[places])
    taken = links.rights[paired]
    assert (len(np.unique(taken)) == len(taken)) == rule.one_to_one
    other = fl.link(scorer, one_to_one=not rule.one_to_one)
    taken = other.rights[other.rights >= 0]
    assert (len(np.unique(taken)) == len(taken)) != rule.one_to_one


def test_one_to_one_is_one_setting_whoever_says_it(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    line = "factlink link chirper facepage --json -o"
    for words in ("usual11", "option --no-one-to-one", "setting --set assignment.one_to_one=no"):
        assert run_command(f"{line} {words}", monkeypatch) == 0
    usual, option, setting = (load_run(Path(name)) for name in ("usual11", "option", "setting"))
    assert option.links.equals(setting.links)
    assert not option.links.equals(usual.links)
    for run in (option, setting):
        assert run.manifest.notes["decision_rule"]["one_to_one"] is False
        assert run.manifest.settings["assignment"]["one_to_one"] is False
        assert run.manifest.notes["estimated_by"].startswith("matching with a dustbin, several left users")
    assert usual.manifest.notes["estimated_by"].startswith("one-to-one matching with a dustbin")
