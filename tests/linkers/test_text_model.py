"""A sentence model of the user's reads texts, for `fe` and for the default linker."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from factlink.data.frames import network_from_frames
from factlink.embedding.settings import Training
from factlink.encoders.sentences import SentenceEncoder
from factlink.errors import InputError, SettingError
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.state.restored import unpack
from factlink.linkers.fe.attributes import Attributes
from factlink.linkers.fe.linker import FELinker
from factlink.linkers.settings import make_linker, remake_linker, settings_of
from factlink.protocols import Scorer
from factlink.types import Network
from tests.encoders.sentence_model import save_model

NAMED, NAMESAKES, CONCEPTS = 60, 30, 40
RANDOM = np.random.default_rng(5)
TONGUES = RANDOM.choice(list("abcdefghijklmnopqrstuvwxyz"), (2, CONCEPTS, 7))  # every concept in two unrelated words
INTERESTS = [RANDOM.choice(CONCEPTS, 4, replace=False) for _ in range(NAMED + NAMESAKES)]
NAMES = ["".join(RANDOM.choice(list("abcdefghijklmnopqrstuvwxyz"), 8)) for _ in range(NAMED)]


def network(name: str, side: int) -> Network:
    """People with a name of their own and three of every other name, who say the same things in other words."""
    names = [*NAMES, *(f"John Smith {n // 3}" for n in range(NAMESAKES))]
    bios = [" ".join("".join(TONGUES[side, concept]) for concept in concepts) for concepts in INTERESTS]
    users = pl.DataFrame({"id": [f"{name}{n}" for n in range(len(names))], "name": names, "bio": bios})
    return network_from_frames(name, users, kinds={"name": "name", "bio": "text"})


LEFT, RIGHT = network("left", 0), network("right", 1)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    concepts = np.eye(CONCEPTS).tolist()
    words = {"".join(TONGUES[side, n]): concepts[n] for side in range(2) for n in range(CONCEPTS)}
    return save_model(tmp_path_factory.mktemp("text") / "model", words)


def hits(scorer: Scorer) -> float:
    """Among the namesakes; ties are misses."""
    rows = np.arange(NAMED, NAMED + NAMESAKES)
    scores = scorer.scores(rows)
    return float(np.mean((scores >= scores[np.arange(NAMESAKES), rows][:, None]).sum(1) == 1))


def test_factoid_embedding_finds_who_means_the_same(model: str) -> None:
    words = FELinker(Training(dim=64), attributes=Attributes(kinds=("name", "text")))
    meaning = replace(words, attributes=replace(words.attributes, text_model=model))
    assert hits(meaning.fit(LEFT, RIGHT)) > hits(words.fit(LEFT, RIGHT)) + 0.3


def test_the_default_linker_finds_who_means_the_same(model: str) -> None:
    assert hits(FactoidLinker(text_model=model).fit(LEFT, RIGHT)) > hits(FactoidLinker().fit(LEFT, RIGHT)) + 0.3


def test_new_accounts_are_read_by_the_same_model(model: str) -> None:
    scorer = FactoidLinker(text_model=model).fit(LEFT, RIGHT)
    (attribute,) = unpack(scorer.scorer.keep_state()).attributes
    assert attribute.predicates == ("bio", "bio")
    assert attribute.encoder == SentenceEncoder(model, centred=False)


def test_texts_are_explained_as_a_whole_where_words_did_not_meet(model: str) -> None:
    parts = FactoidLinker(text_model=model).fit(LEFT, RIGHT).explain(np.array([NAMED]), np.array([NAMED]))
    (told,) = parts.filter(predicate="bio").select("left", "right").rows()
    assert told == (LEFT.attributes["bio"].objects[NAMED], RIGHT.attributes["bio"].objects[NAMED])


def test_the_model_belongs_to_the_settings(model: str) -> None:
    linker = make_linker("factoid", {"text_model": model})
    assert remake_linker("factoid", settings_of(linker)) == linker


def test_a_folder_that_is_not_there_is_refused_at_once() -> None:
    with pytest.raises(InputError, match="there is not a model folder 'nowhere'"):
        make_linker("factoid", {"text_model": "nowhere"})
    with pytest.raises(InputError, match="there is not a model folder 'nowhere'"):
        make_linker("fe", {"attributes.text_model": "nowhere", "attributes.kinds": "name,text"})


def test_a_model_without_texts_is_refused(model: str) -> None:
    with pytest.raises(SettingError, match=r"no text is embedded; add text to attributes\.kinds"):
        make_linker("fe", {"attributes.text_model": model})
