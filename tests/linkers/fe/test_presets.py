"""The paper and the published program, from the command line and from Python."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from factlink.embedding.settings import Training
from factlink.errors import InputError, SettingError
from factlink.linkers.fe.attributes import Attributes
from factlink.linkers.fe.linker import FELinker
from factlink.linkers.settings import make_linker, remake_linker, settings_of
from factlink.synthetic.worlds import Dials, LinkDials, Population, World, twins

INFORMATIVE = LinkDials(mean=20, kept=0.8, own=0.1)


@pytest.fixture(scope="module")
def world() -> World:
    return twins(Dials(population=Population(people=120), links=INFORMATIVE))


def test_presets_by_name_are_the_presets_of_python() -> None:
    assert make_linker("fe", {"preset": "paper"}) == FELinker.paper()
    assert make_linker("fe", {"preset": "authors"}, seed=3) == FELinker.authors(seed=3)


def test_further_settings_change_a_preset_and_a_manifest_remakes_it() -> None:
    linker = make_linker("fe", {"preset": "paper", "training.dim": "64", "attributes.pictures": "patches"})
    paper = FELinker.paper()
    wanted = replace(
        paper, training=replace(paper.training, dim=64), attributes=replace(paper.attributes, pictures="patches")
    )
    assert linker == wanted
    assert remake_linker("fe", settings_of(linker)) == linker


def test_unknown_presets_and_linkers_without_any_are_refused() -> None:
    with pytest.raises(SettingError, match="setting 'preset' is 'book'; there are: paper, authors"):
        make_linker("fe", {"preset": "book"})
    with pytest.raises(SettingError, match="linker 'name' has no setting 'preset'; there are: similarity, seed"):
        make_linker("name", {"preset": "paper"})


def test_the_paper_has_nothing_besides() -> None:
    paper = FELinker.paper()
    assert (paper.attributes.names, paper.attributes.pictures, paper.attributes.fitted) == (
        "jaro-winkler",
        "vgg16",
        True,
    )
    assert paper.attributes.spaces == "predicate"
    assert (paper.persons.rounds, paper.persons.less_hubness) == (0, False)
    kept = (paper.attributes.weigh_kinds, paper.attributes.weigh_pictures, paper.attributes.centred)
    assert kept == (False, False, False)
    assert (paper.links.weight, paper.negatives.count, paper.negatives.pool) == (1.0, 1, 0)


def test_the_program_has_its_own_numbers() -> None:
    authors = FELinker.authors()
    assert authors.training.dim == 1280
    assert authors.training.rate == pytest.approx(5 / 128)
    assert authors.training.rate * authors.links.weight == pytest.approx(0.05)  # type: ignore[operator]
    assert (authors.negatives.fixed, authors.negatives.pool, authors.negatives.objects) == (True, 256, "softmax")


@pytest.mark.parametrize("preset", ["paper", "authors"])
def test_presets_find_partners(world: World, preset: str) -> None:
    left, right = world.networks
    words = {"preset": preset, "training.dim": "64", "training.passes": "3"}
    scores = make_linker("fe", words).fit(left, right).scores(np.arange(len(left)))
    truth = world.truth(left.name, right.name)
    true = scores[truth.lefts, truth.rights][:, None]
    chance = 1 / len(right)
    assert np.mean(1 / (scores[truth.lefts] >= true).sum(axis=1)) > 10 * chance


def test_pictures_of_the_paper_need_weights(tmp_path: Path) -> None:
    made = twins(Dials(population=Population(people=12), links=LinkDials(mean=3)), tmp_path)
    with pytest.raises(InputError, match="no file of its weights is named; give one with"):
        make_linker("fe", {"preset": "paper"}).fit(*made.networks)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"names": "soundex"}, "setting 'attributes.names' is 'soundex'; there are: ngrams, jaro-winkler, tfidf"),
        ({"picture_model": "w.npz"}, "pictures are not read by VGG16; set attributes.pictures=vgg16"),
        ({"pictures": "vgg16", "picture_model": "nowhere.npz"}, "'nowhere.npz', where there is no file"),
    ],
)
def test_settings_are_checked_at_birth(settings: dict[str, str], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Attributes(**settings)  # type: ignore[arg-type]


def test_the_usual_dimension_follows_the_budget() -> None:
    from factlink.embedding.settings import dim_for

    assert (dim_for(2_000), dim_for(65_536), dim_for(65_537)) == (1024, 1024, 512)
    with pytest.raises(SettingError, match="dim is -1"):
        Training(dim=-1)
