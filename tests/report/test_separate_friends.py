"""Impersonators in a run: the report and `explain` point them out, alike and without accusing anybody."""

from pathlib import Path

import pytest

from factlink.cli.render.explanations import SEPARATE, explained_as_json, print_explanations
from factlink.data.files import write_network
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.report.gathering import gather_report
from factlink.report.page import render_page
from factlink.runs.explaining import explain_run
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.synthetic.worlds import Dials, LinkDials, Population, World, twins


@pytest.fixture(scope="module")
def world() -> World:
    return twins(Dials(Population(people=350, impersonated=0.25), links=LinkDials(mean=14), seed=12))


@pytest.fixture(scope="module")
def run(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("copied")
    for network in world.networks:
        write_network(network, place / network.name)
    make_run(LinkRequest(place / "left", place / "right", place / "run"), FactoidLinker())
    return place / "run"


def test_what_is_pointed_out_is_impersonated(
    world: World, run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("factlink.report.gathering.map_links", lambda run, links: None)
    left, right = world.networks
    copies = world.impersonations("left", "right")
    pairs = set(zip(left.users.gather(copies.lefts), right.users.gather(copies.rights), strict=True))
    values = gather_report(run)
    shown = [(link["left"]["user"], link["right"]["user"]) for link in values["separate_friends"]]
    assert len(shown) >= 4
    assert len(pairs & set(shown)) > 0.7 * len(shown)
    assert all(link["shared"] == 0 and link["left_friends"] > 2 for link in values["separate_friends"])
    page = render_page(values)
    assert "Same names, separate friends" in page
    assert "mpersonat" not in page
    explained = explain_run(run, list(shown[0]), lambda seconds: None)
    assert explained_as_json(explained[0])["has_separate_friends"] is True
    print_explanations(explained, as_json=False)
    assert SEPARATE in " ".join(capsys.readouterr().out.split())
    surest = ([link[side]["user"] for side in ("left", "right")] for link in values["surest"])
    honest = next(users for users in surest if tuple(users) not in pairs)
    assert explain_run(run, honest, lambda seconds: None)[0].explanation.has_separate_friends is False
