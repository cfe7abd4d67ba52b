"""What a person has after one call."""

import gc
from pathlib import Path

import polars as pl
import pytest

import factlink as fl
from factlink.runs.folder.listing import COLUMNS
from factlink.synthetic.worlds import World


def a_link(result: fl.Result) -> tuple[str, str]:
    left, right = result.links.filter(decision="link").sort("probability").select("left", "right").row(-1)
    return left, right


def test_links_are_a_frame_for_people(result: fl.Result, world: World) -> None:
    assert tuple(result.links.columns) == COLUMNS
    assert result.links.height == len(world.networks[0])
    assert result.links.to_pandas()["decision"].isin(["link", "unknown", "no account"]).all()


def test_it_finds_the_pairs_that_were_made(result: fl.Result, truth: Path) -> None:
    scores = result.evaluate(truth)
    assert scores.coverage > 0.6
    assert scores.false_links < 0.2
    assert str(scores).startswith(f"{scores.links} accounts were linked. ")
    assert result.evaluate(pl.read_csv(truth)) == scores


def test_a_pair_is_explained_by_ids_and_by_names(result: fl.Result) -> None:
    left, right = a_link(result)
    explained = result.explain(left, right)
    assert explained.decision == "link"
    assert repr(explained).startswith("<Explained: ")
    assert [each.explanation.left for each in result.explain(left)] == [left] * len(result.explain(left))
    with pytest.raises(fl.FactlinkError, match="no user is called 'nobody at all'"):
        result.explain("nobody at all")


def test_what_is_shown_is_short_and_escaped(result: fl.Result, world: World) -> None:
    left = fl.network_from_frames("<b>", pl.DataFrame({"id": ["1"], "name": ["<script>"]}))
    assert repr(left) == "<Network '<b>': 1 users, 0 links; columns: name>"
    assert "<script>" not in left._repr_html_()
    assert "&lt;b&gt;" in left._repr_html_()
    assert repr(result).startswith("<Result: ")
    assert len(repr(result)) < 200
    assert repr(result.scorer).startswith("<FactoidScorer of old (")
    assert "names" in result.scorer._repr_html_()
    for shown in (result, result.explain(*a_link(result)), result.explain(*a_link(result)).explanation):
        assert shown._repr_html_().endswith("</table>")


def test_it_is_saved_as_a_run_like_any_other(result: fl.Result, tmp_path: Path) -> None:
    run = result.save(tmp_path / "run")
    assert fl.load_run(run).links.height == result.links.height
    assert fl.open_run(run).links.equals(result.links)
    assert run.stat().st_mode & 0o777 == 0o700
    with pytest.raises(fl.FactlinkError, match="holds a finished run"):
        result.save(run)
    result.save(run, overwrite=True)
    assert [place.name for place in tmp_path.iterdir()] == ["run"]
    with pytest.raises(fl.FactlinkError, match="a run folder keeps no scorer"):
        _ = fl.open_run(run).scorer


def test_a_report_is_written(result: fl.Result, truth: Path, tmp_path: Path) -> None:
    result.report(tmp_path / "out.html", truth)
    assert "Compared with the truth" in (tmp_path / "out.html").read_text("utf-8")


def test_the_temporary_run_goes_with_the_result(world: World) -> None:
    left, right = world.networks
    result = fl.link(left, right, linker="name")
    place = result.run
    assert place.exists()
    del result
    gc.collect()
    assert not place.exists()


def test_frames_folders_and_known_pairs(world: World, truth: Path, tmp_path: Path) -> None:
    left, right = world.networks
    fl.write_network(left, tmp_path / "old")
    users, _ = fl.frames_from_network(right)
    known = pl.read_csv(truth).head(3)
    result = fl.link(str(tmp_path / "old"), users.to_pandas(), linker=fl.NameLinker(), known=known, precision=0.8)
    assert result.manifest.known_pairs == 3
    assert result.manifest.linker == "name"


def test_a_scorer_is_linked_as_before(world: World) -> None:
    left, right = world.networks
    scorer = fl.NameLinker().fit(left, right)
    links = fl.link(scorer, 0.95, min_probability=0.6)
    assert isinstance(links, fl.Links)
    assert len(fl.link(scorer, precision=0.95)) == len(left)


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        (([1], [2]), {}, "expected a DataFrame, a folder, .* got a list"),
        (("left",), {}, "link takes two networks or more, or a fitted scorer; got 1 network$"),
        ((), {}, "link takes two networks"),
        (("nowhere", "elsewhere"), {}, "there is no folder or file nowhere"),
        (("a", "b"), {"linker": 3}, "expected the name of a linker or a linker with settings, got int"),
        (("a", "b"), {"linker": "magic"}, "no linker is called 'magic'"),
        (("a", "b"), {"known": [1]}, "expected a pairs file or a DataFrame with columns left and right, got a list"),
        (("a", "b"), {"precision": 2.0}, "precision"),
    ],
)
def test_a_wrong_type_gets_one_sentence(given: tuple[object, ...], options: dict[str, object], message: str) -> None:
    with pytest.raises(fl.FactlinkError, match=message):
        fl.link(*given, **options)  # type: ignore[call-overload]
