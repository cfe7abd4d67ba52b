"""Linkers and settings from words."""

from dataclasses import dataclass, field
from typing import Literal

import pytest

from factlink.errors import SettingError
from factlink.linkers.settings import (
    RENAMED,
    _build,
    _words,
    linker_names,
    make_linker,
    remake_linker,
    settings_of,
)


@dataclass(frozen=True)
class Inner:
    dim: int = 128
    rate: float = 0.05


@dataclass(frozen=True)
class Outer:
    links: bool = True
    projection: Literal["linear", "free"] = "linear"
    without: tuple[str, ...] = ()
    stop: float | None = None
    start: float | Literal["ready"] = 0.0
    training: Inner = field(default_factory=Inner)


def outer(**words: str) -> object:
    return _build(Outer, {key.replace("__", "."): word for key, word in words.items()}, "linker 'x'")


def test_words_become_typed_settings() -> None:
    made = outer(links="no", projection="free", without="bio, name", stop="0.5", training__dim="256")
    assert made == Outer(False, "free", ("bio", "name"), 0.5, training=Inner(256))
    assert outer(stop="none") == Outer()
    assert (outer(start="ready"), outer(start="0.5")) == (Outer(start="ready"), Outer(start=0.5))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"links": "perhaps"}, "setting 'links' is 'perhaps'; it is yes or no"),
        ({"projection": "cubic"}, "setting 'projection' is 'cubic'; there are: linear, free"),
        ({"training__dim": "wide"}, "setting 'dim' is 'wide'; it takes a whole number"),
        ({"start": "steady"}, "setting 'start' is 'steady'; it takes a number or: ready"),
        ({"training__rate": "fast"}, "setting 'rate' is 'fast'; it takes a number"),
        ({"colour": "red"}, "linker 'x' has no setting 'colour'; there are: links, .*training.dim, training.rate"),
        ({"training": "long"}, "has no setting 'training'"),
        ({"links__deep": "yes"}, "has no setting 'links.deep'"),
    ],
)
def test_wrong_words_are_refused(words: dict[str, str], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        outer(**words)


def test_a_linker_by_name_takes_its_seed_and_settings() -> None:
    linker = make_linker("name", {"similarity": "vectors"}, seed=7)
    assert settings_of(linker) == {"similarity": "vectors", "seed": 7}


def test_an_unknown_linker_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingError, match=r"no linker is called 'u-link'; there are: .*name"):
        make_linker("u-link", {})


@pytest.mark.parametrize("linker", ["factoid", "fe", "lr"])
def test_former_names_of_settings_work_with_a_warning(linker: str) -> None:
    keys = dict(_words(settings_of(make_linker(linker, {}))))
    renamed = {old: keys[new] for old, new in RENAMED.items() if new in keys}
    assert renamed
    for old, word in renamed.items():
        with pytest.warns(FutureWarning, match=f"setting '{old}' of linker '{linker}' is now called '{RENAMED[old]}'"):
            assert make_linker(linker, {old: word}) == make_linker(linker, {RENAMED[old]: word})


def test_settings_of_runs_made_before_are_read_without_a_word() -> None:
    old = {"seed": 3, "assignment": {"alone": 0.3}, "steps": {"worth": False, "strangers": True}}
    new = {"seed": "3", "assignment.no_match": "0.3", "steps.weights": "no"}
    assert remake_linker("factoid", old) == make_linker("factoid", new, seed=3)


def test_runs_that_did_not_take_a_step_that_is_gone_are_made_again() -> None:
    assert remake_linker("factoid", {"seed": 3, "steps": {"boilerplate": False}}) == make_linker("factoid", {}, seed=3)
    with pytest.raises(SettingError, match="boilerplate"):
        remake_linker("factoid", {"steps": {"boilerplate": True}})


@pytest.mark.parametrize("seed", ["-1", "4294967296", "9" * 30])
def test_a_seed_that_not_all_can_take_is_refused(seed: str) -> None:
    with pytest.raises(SettingError, match=f"seed is {seed}; use a whole number from 0 to 4,294,967,295"):
        make_linker("factoid", {"seed": seed})
    with pytest.raises(SettingError, match="use a whole number from 0"):
        make_linker("lr", {}, int(seed))
    assert settings_of(make_linker("lr", {}, 4294967295))["seed"] == 4294967295


@pytest.mark.parametrize(
    ("key", "word"),
    [("k", "4294967296"), ("assignment.temperature", "nan"), ("assignment.temperature", "inf"), ("rounds", "9" * 30)],
)
def test_numbers_beyond_all_measure_are_refused(key: str, word: str) -> None:
    with pytest.raises(
        SettingError, match=f"setting '{key.rpartition('.')[2]}' is {word}; it takes a number up to 4,294,967,295"
    ):
        make_linker("factoid", {key: word})


@pytest.mark.parametrize("name", linker_names())
def test_every_linker_can_be_made_again_from_its_settings(name: str) -> None:
    linker = make_linker(name, {})
    assert remake_linker(name, settings_of(linker)) == linker
