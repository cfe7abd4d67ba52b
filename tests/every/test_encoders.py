"""One suite for all encoders, and a test that none is missing."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numba
import numpy as np
import pytest

import factlink.encoders
from factlink.encoders.categories import CategoryEncoder, DateEncoder, LocationEncoder, NumberEncoder
from factlink.encoders.jaro_winkler import JaroWinklerEncoder
from factlink.encoders.names import NameEncoder
from factlink.encoders.ngrams.encoder import GramEncoder
from factlink.encoders.texts import TextEncoder
from factlink.encoders.tfidf import TfidfEncoder
from factlink.protocols import Encoder

NAMES = [
    "John Doe",
    "john_doe85",
    "Jane Roe",
    "李小龙",
    "Li Xiaolong",
    "Владимир",
    "x",
    "Anna-Maria",
    "RepJohnDoe",
    "O'Neil",
]
TEXTS = [
    "Fighter for women's equality",
    "мать, врач, бегунья",
    "#ClimateAction now",
    "coffee, cats and code",
    "a",
    "コーヒー",
]
DATES = ["1950-07-15", "1950-07-15T00:00:00Z", "1950-07", "1950", "19710101", "2001-12-31"]
NUMBERS = ["1", "2.5", "-7", "1000000", "0", "1e3"]
PLACES = ["Paris, France", "paris", "São Paulo", "New York, NY", "東京", "Nice"]


@dataclass(frozen=True)
class Case:
    """An encoder, objects it can read, and an object it cannot."""

    make: Callable[[], Encoder]
    objects: list[str]
    unreadable: str
    dim: int


CASES = {
    "GramEncoder": Case(lambda: GramEncoder(dim=64), NAMES, "!!!", 64),
    "NameEncoder": Case(lambda: NameEncoder(dim=256), NAMES, "!!!", 256),
    "JaroWinklerEncoder": Case(lambda: JaroWinklerEncoder(dim=64), NAMES, "!!!", 64),
    "TfidfEncoder": Case(lambda: TfidfEncoder(dim=64), [name for name in NAMES if name.isascii()], "李小龙", 64),
    "TextEncoder": Case(lambda: TextEncoder(dim=256), TEXTS, "…", 256),
    "CategoryEncoder": Case(CategoryEncoder, ["male", "female", "Ünbekannt", "n/a"], "?", 256),
    "DateEncoder": Case(DateEncoder, DATES, "yesterday", 768),
    "NumberEncoder": Case(NumberEncoder, NUMBERS, "many", 256),
    "LocationEncoder": Case(LocationEncoder, PLACES, "--", 512),
}
ELSEWHERE = {
    "PluggedEncoder",
    "SentenceEncoder",  # needs an optional package; tests/encoders/test_sentences.py
    "EfficientNetEncoder",  # these read files; tests/encoders/pictures/test_images.py
    "FittedPictureEncoder",  # tests/encoders/pictures/test_fitted.py
    "ImageEncoder",
    "VGG16Encoder",
}


@pytest.fixture(params=sorted(CASES))
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


def _encoders_here() -> Iterator[str]:
    for module in pkgutil.walk_packages(factlink.encoders.__path__, "factlink.encoders."):
        members = vars(importlib.import_module(module.name))
        for name, member in members.items():
            if isinstance(member, type) and name.endswith("Encoder") and member is not Encoder:
                yield name


def test_no_encoder_is_missing() -> None:
    assert set(_encoders_here()) == set(CASES) | ELSEWHERE


def test_rows_are_unit_float32(case: Case) -> None:
    vectors = case.make().encode(case.objects)
    assert vectors.shape == (len(case.objects), case.dim)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_an_unreadable_object_has_no_vector(case: Case) -> None:
    vectors = case.make().encode([case.unreadable, *case.objects])
    assert not vectors[0].any()
    assert vectors[1:].any(axis=1).all()


def test_nothing_but_unreadable_objects(case: Case) -> None:
    assert not case.make().encode([case.unreadable]).any()


def test_no_objects(case: Case) -> None:
    assert case.make().encode([]).shape == (0, case.dim)


def test_one_object_alone_has_a_vector(case: Case) -> None:
    vectors = case.make().encode(case.objects[:1])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_same_bytes_again(case: Case) -> None:
    assert case.make().encode(case.objects).tobytes() == case.make().encode(case.objects).tobytes()


def test_same_bytes_with_one_and_two_threads(case: Case) -> None:
    if numba.config.NUMBA_NUM_THREADS < 2:
        pytest.skip("one core only")
    encoded = []
    for n_threads in (1, 2):
        numba.set_num_threads(n_threads)
        encoded.append(case.make().encode(case.objects * 200).tobytes())
    numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert encoded[0] == encoded[1]


def test_order_of_objects_does_not_matter(case: Case) -> None:
    order = np.random.default_rng(3).permutation(len(case.objects))
    shuffled = case.make().encode([case.objects[i] for i in order])
    np.testing.assert_allclose(shuffled, case.make().encode(case.objects)[order], atol=1e-5)


def test_equal_objects_have_equal_vectors(case: Case) -> None:
    vectors = case.make().encode([*case.objects, case.objects[0]])
    np.testing.assert_array_equal(vectors[0], vectors[-1])
