"""Tokens are compared whole, read from a header, and turned into an address that does not tell them."""

from factlink.web.tokens import bearer_of, new_token, place_of, same_token


def test_only_the_whole_token_is_the_same() -> None:
    assert same_token("open", "open")
    assert not same_token("ope", "open")
    assert not same_token("\ud800", "open")


def test_bearers() -> None:
    assert bearer_of("Bearer  abc ") == "abc"
    assert bearer_of("bearer abc") == "abc"
    assert bearer_of("Basic abc") is None
    assert bearer_of("") is None


def test_a_place_is_the_same_for_a_token_and_does_not_hold_it() -> None:
    token = new_token()
    assert place_of(token) == place_of(token) != place_of(new_token())
    assert token not in place_of(token)
    assert len(place_of(token)) == 33
