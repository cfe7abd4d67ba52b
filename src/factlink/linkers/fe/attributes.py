"""Which user-object factoids `fe` embeds, and how their objects become vectors."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, get_args

import numpy as np

from factlink.encoders.plugged import text_encoder
from factlink.errors import SettingError
from factlink.linkers.fe.profiles import join_profiles
from factlink.types import FactoidTable, Floats, Has, Kind

NamesAs = Literal["ngrams", "jaro-winkler", "tfidf"]
PicturesAs = Literal["patches", "efficientnet", "vgg16"]
Spaces = Literal["kind", "predicate", "profile"]

KINDS = (Kind.NAME, Kind.TEXT, Kind.CATEGORY, Kind.DATE, Kind.NUMBER, Kind.LOCATION, Kind.IMAGE)
VGG16: Final = "vgg16"
PROFILE: Final = "profile"


@dataclass(frozen=True, slots=True)
class Attributes:
    """Which user-object factoids are embedded, how their objects become vectors, and how much each counts.

    `names` are n-grams of several spellings, or vectors fitted to Jaro-Winkler (the paper) or to a root of tf-idf
    cosines (the published program). `pictures` are vectors of patches, of EfficientNet-Lite0, or of VGG16 from the
    file `picture_model`; `fitted` fits vectors to the cosines of pictures that share a bucket, as the paper does.
    `spaces`: predicates of one kind share a space, or each predicate has its own (the paper), or all names and pictures
    of a user are one object (the published program).
    """

    kinds: tuple[str, ...] = ("name",)
    without: tuple[str, ...] = ()  # predicates to leave out
    names: NamesAs = "ngrams"
    pictures: PicturesAs = "patches"
    picture_model: str = ""  # file of VGG16's weights
    fitted: bool = False
    text_model: str = ""  # folder of a sentence model that reads texts; empty for their words
    spaces: Spaces = "kind"
    centred: bool = True
    drop_known: bool = False  # as in the authors' code: users of known pairs lose their attributes
    weigh_pictures: bool = True  # a picture that many users hold counts less; otherwise 1, as in the paper
    weigh_kinds: bool = True  # a kind counts by how well it agrees with names; otherwise 1, as in the paper

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in KINDS:
                raise SettingError(f"factoid embedding has no vectors for kind '{kind}'; there are: {', '.join(KINDS)}")
        _check_one_of("attributes.names", self.names, get_args(NamesAs))
        _check_one_of("attributes.pictures", self.pictures, get_args(PicturesAs))
        _check_one_of("attributes.spaces", self.spaces, get_args(Spaces))
        if self.picture_model and self.pictures != VGG16:
            raise SettingError(
                "a picture_model is named but pictures are not read by VGG16; set attributes.pictures=vgg16"
            )
        if self.picture_model and not Path(self.picture_model).is_file():
            raise SettingError(f"attributes.picture_model is '{self.picture_model}', where there is no file")
        if self.text_model:
            text_encoder(self.text_model)  # raises if there is no such folder or plugin
            if Kind.TEXT not in self.kinds:
                raise SettingError("a text_model is named but no text is embedded; add text to attributes.kinds")


def _check_one_of(setting: str, word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise SettingError(f"setting '{setting}' is '{word}'; there are: {', '.join(known)}")


def choose_factoids(table: FactoidTable, attributes: Attributes) -> FactoidTable:
    """The table with the chosen user-object factoids only."""
    for predicate in attributes.without:
        if predicate not in table.has:
            raise SettingError(f"no predicate is called '{predicate}'; there are: {', '.join(sorted(table.has))}")
    chosen = [
        predicate
        for predicate, objects in table.objects.items()
        if objects.kind in attributes.kinds and predicate not in attributes.without
    ]
    has = {predicate: table.has[predicate] for predicate in chosen}
    if attributes.drop_known:
        seen = np.bincount(np.concatenate(list(table.rows.values())), minlength=table.n_rows)
        has = {predicate: _of_users(part, seen == 1) for predicate, part in has.items()}
    chosen_table = replace(table, objects={p: table.objects[p] for p in chosen}, has=has)
    return join_profiles(chosen_table) if attributes.spaces == PROFILE else chosen_table


def _of_users(has: Has, kept: Floats) -> Has:
    places = np.flatnonzero(kept[has.users])
    return Has(has.users[places], has.objects[places])
