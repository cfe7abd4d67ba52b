"""Charts are drawn from the figures of the report."""

import pytest

import factlink as fl
from factlink.notebook.neighbourhood import gather_neighbourhood
from tests.notebook.test_result import a_link


def test_every_chart_can_be_drawn(result: fl.Result) -> None:
    pair = a_link(result)
    plot = result.plot
    charts = [plot.probabilities(), plot.weights(), plot.precision_by_threshold(), plot.waterfall(*pair)]
    for chart in [*charts, plot.neighbourhood(*pair)]:
        drawn = chart.to_json()
        assert "#0102" not in drawn  # every stand-in has become a colour


def test_a_waterfall_ends_at_the_score(result: fl.Result) -> None:
    pair = a_link(result)
    (rows,) = result.plot.waterfall(*pair).to_dict()["datasets"].values()
    assert rows[-1]["part"] == "score"
    assert rows[-1]["to"] == pytest.approx(rows[-2]["to"])
    assert rows[-1]["to"] == pytest.approx(result.explain(*pair).explanation.total)


def test_linked_neighbours_stand_above_each_other(result: fl.Result) -> None:
    left, right = a_link(result)
    nodes, edges = gather_neighbourhood(result.run, result.manifest, left, right)
    assert {node["user"] for node in nodes} >= {left, right}
    links = [edge for edge in edges if edge["kind"] == "link"]
    assert links
    assert all(edge["x"] == edge["x2"] for edge in links)


def test_a_linker_without_weights_says_so(world: object) -> None:
    left, right = world.networks  # type: ignore[attr-defined]
    with pytest.raises(fl.FactlinkError, match="linker 'name' learns no weights"):
        fl.link(left, right, linker="name").plot.weights()
