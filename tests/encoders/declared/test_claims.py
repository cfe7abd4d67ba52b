"""Handles and addresses in what people write about themselves."""

import polars as pl
import pytest

from factlink.encoders.declared.addresses import LABELS, PROFILES, network_called
from factlink.encoders.declared.claims import FIELD, MENTION, claims_of_fields, claims_of_texts


def said(text: str, other: str = "facepage") -> list[tuple[str, str, float]]:
    claims = claims_of_texts(pl.Series([7]), pl.Series([text]), other)
    assert set(claims["row"]) <= {7}
    return list(claims.select("handle", "network", "strength").iter_rows())


@pytest.mark.parametrize(
    ("text", "handle", "network", "strength"),
    [
        ("https://twitter.com/Amy_Tan?lang=en", "amy_tan", "twitter", FIELD),
        ("see x.com/amytan for more", "amytan", "twitter", FIELD),
        ("www.instagram.com/amy.tan/", "amy.tan", "instagram", FIELD),
        ("https://www.linkedin.com/in/amy-tan-42", "amy-tan-42", "linkedin", FIELD),
        ("https://mastodon.social/@amytan", "amytan", "mastodon", FIELD),
        ("https://bsky.app/profile/amy.bsky.social", "amy.bsky.social", "bluesky", FIELD),
        ("youtube.com/@amytan", "amytan", "youtube", FIELD),
        ("https://orcid.org/0000-0002-1825-0097", "0000-0002-1825-0097", "orcid", FIELD),
        ("music. IG: amy.tan", "amy.tan", "instagram", FIELD),
        ("facepage: @amytan", "amytan", "", FIELD),
        ("wife of @bob, cats", "bob", "", MENTION),
        ("@amytan@hachyderm.io", "amytan", "mastodon", MENTION),
        ("mail me: amy@example.org", "amy", "e-mail", MENTION),
        ("https://facepage.com/amytan", "amytan", "", FIELD),
        ("http://www.facepage.co.uk/people/amytan", "amytan", "", FIELD),
        ("facebook.com/profile.php?id=100042", "100042", "facebook", FIELD),
        ("https://m.facebook.com/amytan", "amytan", "facebook", FIELD),
        ("threads.net/@amytan", "amytan", "threads", FIELD),
        ("https://github.com/amytan/cats", "amytan", "github", FIELD),
        ("https://amytan.github.io", "amytan", "github", FIELD),
        ("gitlab.com/amytan", "amytan", "gitlab", FIELD),
        ("https://www.tiktok.com/@amytan", "amytan", "tiktok", FIELD),
        ("https://old.reddit.com/user/amytan", "amytan", "reddit", FIELD),
        ("t.me/amytan", "amytan", "telegram", FIELD),
        ("https://medium.com/@amytan", "amytan", "medium", FIELD),
        ("https://amytan.medium.com/", "amytan", "medium", FIELD),
        ("https://www.flickr.com/photos/amytan/", "amytan", "flickr", FIELD),
        ("https://math.stackexchange.com/users/4217/amy", "4217", "stackexchange", FIELD),
        ("https://hachyderm.io/@amytan", "amytan", "mastodon", FIELD),
        ("mastodon: @amytan@hachyderm.io", "amytan", "mastodon", FIELD),
    ],
)
def test_one_claim_is_found(text: str, handle: str, network: str, strength: float) -> None:
    assert (handle, network, strength) in said(text)


@pytest.mark.parametrize("text", ["no handles here", "twitter.com/home", "a/b testing"])
def test_texts_that_name_nobody(text: str) -> None:
    assert said(text) == []


def test_a_field_says_it_more_strongly_than_a_text() -> None:
    claims = claims_of_fields(pl.Series([1, 2]), pl.Series(["AmyTan", "https://github.com/amy"]), "twitter")
    assert list(claims.iter_rows()) == [(1, "amytan", "", "twitter", FIELD), (2, "amy", "", "github", FIELD)]


def test_networks_are_known_by_their_names() -> None:
    assert network_called("my_twitter-2024") == "twitter"
    assert network_called("insta") == "instagram"
    assert network_called("facepage") == ""


def test_every_network_of_the_table_is_a_label_and_can_be_a_name() -> None:
    for network, _ in PROFILES:
        assert LABELS[network] == network_called(network) == network
