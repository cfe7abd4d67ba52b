"""What --linker and --set take."""

from factlink.linkers.catalogue import SettingEntry, list_linkers, list_settings
from factlink.linkers.meanings import MEANINGS
from factlink.linkers.settings import LINKERS


def test_every_linker_is_listed_with_what_it_needs() -> None:
    listed = {linker.name: linker for linker in list_linkers()}
    assert sorted(listed) == sorted(LINKERS)
    assert (listed["factoid"].needs_known_pairs, listed["lr"].needs_known_pairs) == (False, True)
    assert all(linker.summary for linker in listed.values())


def test_a_setting_has_a_default_a_type_and_a_meaning() -> None:
    settings = {setting.key: setting for setting in list_settings("fe")}
    assert settings["projection.bias"] == SettingEntry("projection.bias", "yes", "yes or no", "projections have a bias")
    assert settings["training.start"].takes == "number or propagate"
    assert (settings["links.weight"].default, settings["attributes.kinds"].default) == ("none", "name")


def test_every_setting_has_a_meaning_and_no_meaning_is_left_over() -> None:
    found = [(linker, setting) for linker in LINKERS for setting in list_settings(linker)]
    assert [f"{linker}.{setting.key}" for linker, setting in found if not setting.meaning] == []
    known = {f"{linker}.{setting.key}" for linker, setting in found} | {setting.key for _, setting in found}
    assert set(MEANINGS) <= known
