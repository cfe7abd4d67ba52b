"""The optional sentence encoder: clear words when it cannot run, and real model folders when it can."""

import builtins
import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from factlink.encoders import sentences
from factlink.encoders.cache import EncoderCache, caching
from factlink.encoders.sentences import SentenceEncoder
from factlink.errors import InputError, MissingExtraError
from factlink.types import Floats
from tests.encoders.sentence_model import WORDS, save_model


@pytest.fixture
def model(tmp_path: Path) -> str:
    return save_model(tmp_path / "model")


@pytest.fixture
def transformer(tmp_path: Path) -> str:
    """A folder as sentence-transformers writes it, as far as it is looked at here."""
    modules = [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"}]
    (tmp_path / "transformer").mkdir()
    (tmp_path / "transformer" / "modules.json").write_text(json.dumps(modules))
    return str(tmp_path / "transformer")


def without(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole_import = builtins.__import__

    def importing(name: str, *rest: object) -> object:
        if name == package:
            raise ImportError(name)
        return whole_import(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", importing)


def test_the_folder_must_exist() -> None:
    with pytest.raises(InputError, match="there is not a model folder 'nowhere'; give the folder of a model2vec or"):
        SentenceEncoder("nowhere")


def test_the_package_must_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without("model2vec", monkeypatch)
    with pytest.raises(MissingExtraError, match=r"pip install 'factlink\[text\]'"):
        SentenceEncoder(str(tmp_path)).encode(["a"])


def test_the_other_package_must_be_there_for_its_own_folders(transformer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without("sentence_transformers", monkeypatch)
    with pytest.raises(MissingExtraError, match="holds a model of sentence-transformers; pip install sentence-transf"):
        SentenceEncoder(transformer).encode(["a"])


@pytest.mark.parametrize("modules", ["", "[]", "{}", '[{"type": "models.StaticEmbedding"}]', "[7]"])
def test_a_folder_without_a_model_is_told_as_such(tmp_path: Path, modules: str) -> None:
    pytest.importorskip("model2vec", reason="the text extra is not installed")
    (tmp_path / "config.json").write_text("{}")
    if modules:
        (tmp_path / "modules.json").write_text(modules)
    with pytest.raises(InputError, match=r"holds no model that can be read .*; give the folder of a model2vec or"):
        SentenceEncoder(str(tmp_path)).encode(["a"])


def test_a_model_from_a_folder(model: str) -> None:
    encoded = SentenceEncoder(model).encode(["cat", "kitten", "rocket", "car"])
    assert encoded.shape == (4, 3)
    np.testing.assert_allclose(np.linalg.norm(encoded, axis=1), 1, atol=1e-5)
    assert (encoded[1:] @ encoded[0]).argmax() == 0


def test_texts_without_a_known_word_have_no_vector(model: str) -> None:
    assert not SentenceEncoder(model).encode(["cat", "qqq", "car"])[1].any()
    assert SentenceEncoder(model).encode([]).shape == (0, 3)


def test_uncentred_every_text_is_encoded_for_itself(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = SentenceEncoder(model, centred=False)
    together = encoder.encode(list(WORDS))
    alone = np.concatenate([encoder.encode([word]) for word in WORDS])
    monkeypatch.setattr(sentences, "_CHUNK", 2)
    assert together.tobytes() == alone.tobytes() == encoder.encode(list(WORDS)).tobytes()
    assert together[list(WORDS).index("car")] == pytest.approx([0, 1, 0])


def test_a_model_reads_every_text_once(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = SentenceEncoder(model).encode(["cat", "car"])
    with caching(EncoderCache(tmp_path / "kept")):
        assert SentenceEncoder(model).encode(["cat", "car"]).tobytes() == plain.tobytes()
    monkeypatch.setattr(sentences, "_load", lambda folder: pytest.fail("it was read again"))
    with caching(EncoderCache(tmp_path / "kept")):
        assert SentenceEncoder(model).encode(["cat", "car"]).tobytes() == plain.tobytes()


def test_another_model_in_the_folder_reads_anew(model: str, tmp_path: Path) -> None:
    with caching(EncoderCache(tmp_path / "kept")):
        before = SentenceEncoder(model, centred=False).encode(["cat"])
        save_model(Path(model), {word: [-x for x in vector] for word, vector in WORDS.items()})
        assert SentenceEncoder(model, centred=False).encode(["cat"]) == pytest.approx(-before)


class FakeTransformer:
    """As much of sentence_transformers.SentenceTransformer as is called."""

    def __init__(self, folder: str, device: str, local_files_only: bool) -> None:
        assert Path(folder).is_dir()
        assert (device, local_files_only) == ("cpu", True)

    def encode(self, texts: list[str], convert_to_numpy: bool, show_progress_bar: bool) -> Floats:
        assert convert_to_numpy
        assert not show_progress_bar
        return np.array([[len(text), 4.0] for text in texts], np.float32)

    def get_sentence_embedding_dimension(self) -> int:
        return 2


def test_sentence_transformers_read_their_own_folders(transformer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    package = ModuleType("sentence_transformers")
    package.SentenceTransformer = FakeTransformer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)
    encoder = SentenceEncoder(transformer, centred=False)
    assert encoder.encode(["abc", ""]) == pytest.approx(np.array([[0.6, 0.8], [0.0, 1.0]], np.float32))
    assert encoder.encode([]).shape == (0, 2)
