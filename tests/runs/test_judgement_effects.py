"""What a judgement changes, and what it must not: the probabilities of everybody else."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.linkers.baselines.name import NameLinker
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.protocols import Linker
from factlink.review.view_models import ViewModels
from factlink.runs.demo import make_demo
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.store import load_manifest, load_run, read_links
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.runs.relinking import relink
from factlink.types import Verdict

PEOPLE = 200
THIRTY = 30


def quiet(stage: str) -> None:
    pass


@dataclass(frozen=True)
class Home:
    """Made-up networks with their truth, linked."""

    place: Path

    @property
    def run(self) -> Path:
        return self.place / "run"

    def link(self, linker: Linker, name: str) -> Path:
        make_run(LinkRequest(self.place / "chirper", self.place / "facepage", self.place / name), linker)
        return self.place / name

    def false_links(self, run: Path) -> set[tuple[str, str]]:
        truth = pl.read_csv(self.place / "truth.csv", infer_schema=False)
        links = read_links(run).filter(decision="link").select("left", "right")
        return set(links.join(truth, on=["left", "right"], how="anti").rows())

    def false_share(self, run: Path) -> float:
        return len(self.false_links(run)) / read_links(run).filter(decision="link").height

    def judge(self, run: Path, pairs: list[tuple[str, str]]) -> None:
        """As the truth says."""
        true = set(pl.read_csv(self.place / "truth.csv", infer_schema=False).rows())
        Judgements(run).add_all(
            [(*pair, Verdict.MATCH if pair in true else Verdict.NON_MATCH, "ann", "") for pair in pairs]
        )


def home_of(place: Path, seed: int) -> Home:
    make_demo(place, PEOPLE, seed, quiet)
    return Home(place)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return home_of(tmp_path_factory.mktemp("home") / "demo", 0)


@pytest.mark.parametrize("linker", [FactoidLinker(), NameLinker()], ids=lambda linker: linker.name)
def test_a_non_match_that_nothing_depends_on_moves_no_other_probability(home: Home, linker: Linker) -> None:
    first, again = home.link(linker, f"{linker.name}-first"), home.place / f"{linker.name}-again"
    before = load_run(first)
    row = int(np.flatnonzero(before.candidates.rights[:, 5] >= 0)[0])  # its sixth candidate: no link, no runner-up
    judged = before.left.users[row], before.right.users[int(before.candidates.rights[row, 5])]
    Judgements(first).add(*judged, Verdict.NON_MATCH, "ann")
    relinked = relink(first, again, overwrite=False, on_stage=quiet)
    after = load_run(again)
    assert relinked.changes.height == 0
    assert after.links.equals(before.links)  # to the bit
    same = np.arange(len(before.left)) != row
    assert np.array_equal(after.candidates.rights[same], before.candidates.rights[same])
    assert np.array_equal(after.candidates.scores[same], before.candidates.scores[same])
    assert after.candidates.rights[row].tolist() == [*np.delete(before.candidates.rights[row], 5).tolist(), -1]
    notes = [load_manifest(run).notes for run in (first, again)]
    for name in ("expected_false_links", "estimated_by", "links", "decision_rule"):
        assert notes[0][name] == notes[1][name]
    assert ("scores are rescaled first" in notes[1]["estimated_by"]) == (linker.name == "name")
    assert ("calibrated on decoys" in notes[1]["estimated_by"]) == (linker.name == "factoid")


def test_a_refused_link_changes_no_other_link(home: Home) -> None:
    first, again = home.link(FactoidLinker(), "with-link"), home.place / "without-link"
    before = read_links(first)
    doubtful = before.filter(decision="link").sort("probability").row(0, named=True)
    Judgements(first).add(doubtful["left"], doubtful["right"], Verdict.NON_MATCH, "ann")
    relinked = relink(first, again, overwrite=False, on_stage=quiet)
    assert relinked.changes.rows() == [
        (doubtful["left"], doubtful["right"], None, "the old pair was judged a non-match")
    ]
    both = before.join(read_links(again), on=["left", "right"], suffix="_after", nulls_equal=True)
    assert both.height > 0.95 * before.height
    assert (both["probability"] == both["probability_after"]).all()


def as_asked(run: Path) -> list[tuple[str, str]]:
    pairings, loaded = ViewModels(run).queue.pairings, load_run(run)
    lefts, rights = (side[pairings.order[:THIRTY]] for side in (pairings.lefts, pairings.rights))
    return list(zip(loaded.left.users.gather(lefts), loaded.right.users.gather(rights), strict=True))


def at_random(run: Path) -> list[tuple[str, str]]:
    links = read_links(run).filter(decision="link").sort("left")
    return links.sample(THIRTY, seed=0).select("left", "right").rows()


def surest_first(run: Path) -> list[tuple[str, str]]:
    links = read_links(run).filter(decision="link").sort("probability", "left", descending=True)
    return links.head(THIRTY).select("left", "right").rows()


def most_doubtful_first(run: Path) -> list[tuple[str, str]]:
    links = read_links(run).filter(decision="link").sort("probability", "left")
    return links.head(THIRTY).select("left", "right").rows()


def probabilities(run: Path) -> dict[tuple[str, str], float]:
    """Of its links."""
    links = read_links(run).filter(decision="link")
    return {(left, right): p for left, right, p in links.select("left", "right", "probability").iter_rows()}


def uncontradicted(run: Path) -> set[tuple[tuple[str, str], float]]:
    """Links, with their probabilities, of whose accounts none was judged to match and that were not refused."""
    matches, refused = (Judgements(run).pairs(verdict).rows() for verdict in (Verdict.MATCH, Verdict.NON_MATCH))
    lefts, rights = {left for left, _ in matches}, {right for _, right in matches}
    links = probabilities(run).items()
    return {(pair, p) for pair, p in links if pair not in refused and pair[0] not in lefts and pair[1] not in rights}


@pytest.fixture(scope="module", params=range(4))
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Home:
    return home_of(tmp_path_factory.mktemp("world") / "demo", request.param)


@pytest.mark.parametrize("drawn", [as_asked, at_random, surest_first, most_doubtful_first])
def test_thirty_right_judgements_never_raise_the_share_of_false_links(
    world: Home, drawn: Callable[[Path], list[tuple[str, str]]], tmp_path: Path
) -> None:
    run, again = tmp_path / "run", tmp_path / "again"
    shutil.copytree(world.run, run)
    world.judge(run, drawn(run))
    relinked = relink(run, again, overwrite=False, on_stage=quiet)
    assert relinked.matches + relinked.refused == THIRTY
    assert world.false_links(again) <= world.false_links(run)
    assert world.false_share(again) <= world.false_share(run)
    assert uncontradicted(run) <= probabilities(again).items()
    expected = relinked.result.manifest.notes["expected_false_links"]
    assert world.false_share(again) <= expected + 0.05
    if drawn is not surest_first:  # else only the doubtful ones are left among the links that were found
        assert expected <= 0.2  # earlier links stay while they are likelier right than wrong


def test_what_a_withdrawn_match_had_made_known_is_known_no_more(home: Home) -> None:
    first, again, third = home.link(NameLinker(), "one"), home.place / "two", home.place / "three"
    pair, other = (read_links(first).filter(decision="link").select("left", "right").row(place) for place in (0, 1))
    Judgements(first).add(*other, Verdict.NON_MATCH, "ann")
    Judgements(first).add(*pair, Verdict.MATCH, "ann")
    relink(first, again, overwrite=False, on_stage=quiet)
    assert load_manifest(again).notes["links"]["judged"] == 1
    assert pl.read_parquet(again / "known.parquet").rows() == [pair]
    Judgements(again).withdraw_last("ann")
    relink(again, third, overwrite=False, on_stage=quiet)
    counts = load_manifest(third).notes["links"]
    assert (counts["known"], counts["judged"]) == (0, 0)
    assert not (third / "known.parquet").exists()
