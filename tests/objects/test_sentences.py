"""The optional sentence encoder: clear words when it cannot run, and a real model folder when it can."""

import builtins
from pathlib import Path

import numpy as np
import pytest

from factlink.errors import InputError, MissingExtraError
from factlink.objects.sentences import SentenceEncoder


def test_the_folder_must_exist() -> None:
    with pytest.raises(InputError, match="there is no model folder 'nowhere'"):
        SentenceEncoder("nowhere")


def test_the_package_must_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole_import = builtins.__import__

    def without_model2vec(name: str, *rest: object) -> object:
        if name == "model2vec":
            raise ImportError(name)
        return whole_import(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without_model2vec)
    with pytest.raises(MissingExtraError, match=r"pip install 'factlink\[text\]'"):
        SentenceEncoder(str(tmp_path)).encode(["a"])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_model_from_a_folder(tmp_path: Path) -> None:
    model2vec = pytest.importorskip("model2vec", reason="the text extra is not installed")
    tokenizers = pytest.importorskip("tokenizers", reason="the text extra is not installed")
    words = {"[UNK]": 0, "cat": 1, "kitten": 2, "rocket": 3, "car": 4}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    vectors = np.array([[0, 0, 0], [1, 0, 0.1], [0.9, 0.1, 0], [0, 0, 1], [0, 1, 0]], np.float32)
    model2vec.StaticModel(vectors, tokenizer).save_pretrained(str(tmp_path / "model"))
    encoded = SentenceEncoder(str(tmp_path / "model")).encode(["cat", "kitten", "rocket", "car"])
    assert encoded.shape == (4, 3)
    np.testing.assert_allclose(np.linalg.norm(encoded, axis=1), 1, atol=1e-5)
    assert (encoded[1:] @ encoded[0]).argmax() == 0
