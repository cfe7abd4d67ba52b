"""What names are compared as."""

import polars as pl
import pytest

from factlink.encoders.readings import written
from factlink.encoders.readings.nicknames import given_names, without_nicknames
from factlink.encoders.readings.sounds import NEAR
from factlink.encoders.readings.written import ALWAYS, ReadingRules, choose_rules, write_out

PLAINLY = ReadingRules()


def test_latin_names_alone_stay_as_they_are() -> None:
    written = write_out(pl.Series(["Tim Keller", "timk"]), PLAINLY)
    assert written.all_texts.to_list() == ["Tim Keller", "timk"]
    assert not written.foreign.any()


def test_a_name_in_another_script_is_read_and_the_others_get_their_sounds() -> None:
    written = write_out(pl.Series(["Ivan Petrov", "Пётр"]), PLAINLY)
    assert written.texts.to_list() == ["Ivan Petrov", "Petr"]
    assert written.foreign.tolist() == [False, True]
    rows = list(zip(written.sources.tolist(), written.more, written.alternatives.tolist(), written.sounds, strict=True))
    assert rows == [(1, "Petr", 0, False), (1, "btr", 0, True), (0, "bn btrb", ALWAYS, True)]
    assert set(written.families.tolist()) == {NEAR}


def test_a_nickname_is_read_as_its_given_names() -> None:
    assert given_names()["tim"] == ("timothy",)
    read = without_nicknames(pl.Series(["Tim Keller", "Tim", "Rep. Tim Ryan", "Keller Tim"]))
    assert read["place"].to_list() == [0, 2]
    assert read["text"].to_list() == ["Timothy Keller", "Rep Timothy Ryan"]
    assert (read["nick"][0], read["given"][0]) == ("Tim", "Timothy")


def test_nicknames_count_where_real_names_meet_real_names() -> None:
    real, handles = pl.Series(["Tim Keller", "Amy Tan"]), pl.Series(["timk", "amyt"])
    assert choose_rules(real, real).nicknames
    assert not choose_rules(real, handles).nicknames
    written = write_out(real, ReadingRules(nicknames=True))
    assert written.more.to_list()[0] == "Timothy Keller"
    assert write_out(pl.Series(["Пётр"]), ReadingRules(none=True)).texts.to_list() == ["Пётр"]


SEVERAL = (
    "Tim Keller|Bob|Ёлка\u2003Иванова|Jim²Bob Smith|李小龙|山田 太郎|סמיר חדד|김 철수|"
    "|ªb Åsa|Tim Bob Ray|\x1cTim\x1cKeller|Ιωάννης Δ|李小龙|محمد علي|☃ Tim ★ Doe|مرحبا Tim Doe"
)


@pytest.mark.parametrize("families", [(), (1,), (1, 2, 3)])
@pytest.mark.parametrize("rules", [PLAINLY, ReadingRules(nicknames=True), ReadingRules(japanese=True, nicknames=True)])
def test_few_names_are_written_as_many_are(
    rules: ReadingRules, families: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = pl.Series(SEVERAL.split("|"))
    few = write_out(names, rules, families)
    monkeypatch.setattr(written, "FEW", 0)
    many = write_out(names, rules, families)
    for field in ("texts", "foreign", "more", "sources", "families", "alternatives", "sounds"):
        assert list(getattr(few, field)) == list(getattr(many, field)), field
