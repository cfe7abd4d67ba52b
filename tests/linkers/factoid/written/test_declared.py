"""Links that people declare: which pairs, and how far each is believed."""

import hashlib
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from factlink.candidates.pairs import gather_pairs
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.written.declared import (
    IN_POST,
    IN_TEXT,
    MUTUAL,
    OWN_FIELD,
    SAME_ADDRESS,
    SAME_MAIL,
    SAME_SITE,
    Declared,
    DeclaredLinks,
    believe,
    find_declared,
    learn_trust,
    raise_evidence,
)
from factlink.types import NO_PAIRS, Attribute, Kind, Network, Pairs
from tests.linkers.factoid.written.declared_world import N, network, words


def test_ways_to_declare_a_link() -> None:
    left = network(
        "left",
        ["amy", "bob", "cat", "dan"],
        {
            "bio": (Kind.TEXT, {0: "right: @amy_r", 1: "hi @bob_r"}),
            "site": (Kind.URL, {2: "https://cat.example.org/"}),
            "elsewhere": (Kind.HANDLE, {3: "dan_r"}),
        },
    )
    right = network(
        "right",
        ["amy_r", "bob_r", "cat_r", "dan_r"],
        {"bio": (Kind.TEXT, {0: "left: @amy"}), "site": (Kind.URL, {2: "http://www.cat.example.org"})},
    )
    declared = find_declared(left, right)
    pairs = zip(declared.pairs.lefts.tolist(), declared.pairs.rights.tolist(), strict=True)
    found = dict(zip(pairs, declared.ways, strict=True))
    assert found == {(0, 0): MUTUAL, (1, 1): IN_TEXT, (2, 2): SAME_SITE, (3, 3): OWN_FIELD}
    assert declared.shares.tolist() == [1, 1, 1, 1]


def test_a_claim_that_many_make_is_shared_out() -> None:
    left = network("left", words(4, 1), {"bio": (Kind.TEXT, dict.fromkeys(range(4), "fan of @star"))})
    declared = find_declared(left, network("right", ["star", "moon"], {}))
    assert declared.shares.tolist() == [0.25] * 4


def test_a_claim_about_another_common_network_is_none() -> None:
    left = network("left", ["amy"], {"bio": (Kind.TEXT, {0: "IG: amy_r"})})
    assert len(find_declared(left, network("twitter", ["amy_r"], {}))) == 0
    assert len(find_declared(left, network("instagram", ["amy_r"], {}))) == 1


def test_trust_falls_where_claims_contradict_names() -> None:
    bios = {row: f"right: @r{(row + 1) % N}" for row in range(N)}
    left = network("left", words(N, 1), {"bio": (Kind.TEXT, bios)})
    declared = find_declared(left, network("right", [f"r{row}" for row in range(N)], {}))
    agree, differ = Pairs(np.arange(N), (np.arange(N) + 1) % N), Pairs(np.arange(N), np.arange(N))
    assert learn_trust(declared, (N, N), NO_PAIRS)[OWN_FIELD] == pytest.approx(0.95)
    assert learn_trust(declared, (N, N), agree)[OWN_FIELD] == pytest.approx(69.5 / 70)
    assert learn_trust(declared, (N, N), differ)[OWN_FIELD] == pytest.approx(9.5 / 70)
    assert believe(declared, (N, N), differ).beliefs[0] == pytest.approx(9.5 / 70 / 2)


def declared_by(ways: list[str], lefts: list[int], rights: list[int], shares: list[float]) -> Declared:
    return Declared(Pairs(np.array(lefts), np.array(rights)), pl.Series(ways), np.array(shares), pl.Series(ways))


def test_trust_is_learned_from_claims_of_users_with_a_confident_partner_on_either_side() -> None:
    """(0, 5) and (1, 0) contradict (0, 0); nothing is known of the other two."""
    declared = declared_by([OWN_FIELD] * 4, [0, 1, 2, 3], [5, 0, 3, 2], [1, 0.5, 1, 1])
    contradicted = Pairs(np.array([0]), np.array([0]))
    assert learn_trust(declared, (4, 6), contradicted)[OWN_FIELD] == pytest.approx(9.5 / 11.5)
    assert learn_trust(declared, (4, 6), Pairs(np.array([1]), np.array([0])))[OWN_FIELD] == pytest.approx(10 / 10.5)
    assert believe(declared, (4, 6), contradicted).beliefs == pytest.approx(
        [9.5 / 11.5 / 2, 9.5 / 11.5 / 4, 9.5 / 11.5, 9.5 / 11.5]
    )


def test_trust_before_anything_is_known() -> None:
    declared = declared_by([MUTUAL, SAME_SITE, OWN_FIELD, IN_TEXT], [5, 1, 2, 3], [0, 1, 2, 3], [1, 1, 1, 0.5])
    links = believe(declared, (6, 4), NO_PAIRS)
    assert links.beliefs == pytest.approx([0.99, 0.9, 0.95, 0.3])
    assert links.weight == 1
    assert links.weighting.reason == (
        "1 × both name each other (believed 0.99); 1 × the same site (believed 0.90); "
        "1 × a field names it (believed 0.95); 1 × a text names it (believed 0.60)"
    )


def test_ways_that_nobody_uses_are_not_told() -> None:
    links = believe(declared_by([IN_TEXT, IN_TEXT], [0, 1], [0, 1], [1, 1]), (2, 2), NO_PAIRS)
    assert links.weighting.reason == "2 × a text names it (believed 0.60)"


def test_users_who_name_each_other_are_believed_whatever_names_say() -> None:
    declared = declared_by([MUTUAL, OWN_FIELD], [0, 1], [1, 0], [1, 1])
    beliefs = believe(declared, (2, 2), Pairs(np.array([0]), np.array([0]))).beliefs
    assert beliefs == pytest.approx([19.8 / 21, 9.5 / 11 / 2])


def test_a_claim_about_the_confident_partner_is_not_contested() -> None:
    declared = declared_by([OWN_FIELD, OWN_FIELD], [0, 1], [0, 1], [1, 1])
    beliefs = believe(declared, (2, 2), Pairs(np.array([0, 1]), np.array([0, 1]))).beliefs
    assert beliefs == pytest.approx([11.5 / 12, 11.5 / 12])


def test_evidence_rises_by_the_belief_of_what_is_missing_to_one() -> None:
    declared = declared_by([OWN_FIELD] * 3, [0, 1, 2], [0, 1, 0], [1, 1, 1])
    beliefs = np.array([0.5, 0.25, 0.75], np.float32)
    links = DeclaredLinks(ChannelWeight(EvidenceSource.DECLARED, "", "", 1.0, ""), declared, beliefs)
    pairs = gather_pairs(3, 2, [(np.array([0, 0, 2]), np.array([0, 1, 0]))])
    assert links.beliefs_in(pairs).tolist() == [0.5, 0, 0.75]
    assert links.beliefs_in(Pairs(np.array([1, 4, 0]), np.array([1, 0, 3]))).tolist() == [0.25, 0, 0]
    raised = raise_evidence(np.array([0.2, 0.3, 0.8], np.float32), links.beliefs_in(pairs))
    assert raised == pytest.approx([0.6, 0.3, 0.95])


def found(left: dict[str, tuple[Kind, dict[int, str]]], handles: list[str]) -> list[tuple[int, int, str, float]]:
    """Lefts, rights, ways and shares where four left users say something and right users have only handles."""
    declared = find_declared(network("left", ["w0", "w1", "w2", "w3"], left), network("right", handles, {}))
    rows = (declared.pairs.lefts.tolist(), declared.pairs.rights.tolist(), declared.ways, declared.shares.tolist())
    return list(zip(*rows, strict=True))


def test_a_claim_of_several_accounts_is_shared_out() -> None:
    bios = {0: "@amy_r and @bob_r", 1: "@amy_r"}
    assert found({"bio": (Kind.TEXT, bios)}, ["amy_r", "bob_r"]) == [
        *((0, 0, IN_TEXT, 0.5), (0, 1, IN_TEXT, 0.5), (1, 0, IN_TEXT, 0.5))
    ]


def test_what_is_said_twice_counts_as_its_strongest_way() -> None:
    columns = {"bio": (Kind.TEXT, {1: "hi @bob_r"}), "elsewhere": (Kind.HANDLE, {1: "@Bob_R"})}
    assert found(columns, ["amy_r", "bob_r"]) == [(1, 1, OWN_FIELD, 1)]


def test_a_name_column_called_like_a_network_names_accounts_there() -> None:
    said = {2: "bob_r"}
    assert found({"twitter": (Kind.NAME, said)}, ["amy_r", "bob_r"]) == [(2, 1, OWN_FIELD, 1)]
    assert found({"nick": (Kind.NAME, said)}, ["amy_r", "bob_r"]) == []


def test_handles_that_two_users_have_and_names_of_several_words_name_nobody() -> None:
    bios = {0: "@bob_r", 1: "@amy", 2: "@right2"}
    assert found({"bio": (Kind.TEXT, bios)}, ["bob_r", "Bob_R", "amy tan"]) == [(2, 2, IN_TEXT, 1)]


@pytest.mark.parametrize(("n", "pairs"), [(3, 3), (4, 0)])
def test_a_site_that_more_than_three_have_is_nobodys(n: int, pairs: int) -> None:
    sites = dict.fromkeys(range(n), "https://club.example.org/")
    left = network("left", [f"w{row}" for row in range(5)], {"site": (Kind.URL, sites)})
    right = network("right", ["v0", "v1"], {"home": (Kind.URL, {1: "club.example.org"}), "nick": (Kind.NAME, {})})
    declared = find_declared(left, right)
    assert declared.pairs.lefts.tolist() == list(range(pairs))
    assert declared.pairs.rights.tolist() == [1] * pairs
    assert declared.shares.tolist() == pytest.approx([1 / 3] * pairs)


def test_naming_each_other_counts_whole_however_many_others_join_in() -> None:
    left = network("left", ["amy", "bob"], {"bio": (Kind.TEXT, {0: "@amy_r", 1: "@amy_r"})})
    right = network("right", ["amy_r"], {"bio": (Kind.TEXT, {0: "@amy"})})
    declared = find_declared(left, right)
    assert list(declared.ways) == [MUTUAL, IN_TEXT]
    assert declared.shares.tolist() == [1, 0.5]


def ways(left: Network, right: Network) -> dict[tuple[int, int], str]:
    declared = find_declared(left, right)
    pairs = zip(declared.pairs.lefts.tolist(), declared.pairs.rights.tolist(), strict=True)
    return dict(zip(pairs, declared.ways, strict=True))


def test_the_same_e_mail_address_or_its_hash_joins_two_accounts() -> None:
    """Plain against plain, md5, sha256 in a Gravatar, and two hashes; as Gravatar makes them: small letters."""
    mails = ["Amy@Example.org", "bob@example.org", "cat@example.org", "dan@example.org"]
    md5, sha = (
        [algorithm(mail.lower().encode()).hexdigest() for mail in mails] for algorithm in (hashlib.md5, hashlib.sha256)
    )
    left = network(
        "left",
        ["l0", "l1", "l2", "l3"],
        {
            "email": (Kind.NAME, {0: mails[0], 1: mails[1]}),
            "bio": (Kind.TEXT, {2: f"write to {mails[2]}."}),
            "email_md5": (Kind.HANDLE, {3: md5[3].upper()}),
        },
    )
    right = network(
        "right",
        ["r0", "r1", "r2", "r3"],
        {
            "mail": (Kind.NAME, {0: "amy@example.org"}),
            "avatar": (Kind.URL, {2: f"https://www.gravatar.com/avatar/{sha[2]}?s=80"}),
            "hash": (Kind.HANDLE, {1: md5[1], 3: md5[3]}),
        },
    )
    assert ways(left, right) == {(row, row): SAME_MAIL for row in range(4)}
    assert ways(right, left) == {(row, row): SAME_MAIL for row in range(4)}
    assert set(find_declared(left, right).said) == {"both have the same e-mail address"}


def test_an_address_that_four_users_have_is_nobodys() -> None:
    left = network("left", words(4, 1), {"mail": (Kind.NAME, dict.fromkeys(range(4), "info@example.org"))})
    assert ways(left, network("right", ["r"], {"mail": (Kind.NAME, {0: "info@example.org"})})) == {}


def test_a_site_in_a_bio_says_less_than_one_in_a_field_or_with_rel_me() -> None:
    left = network(
        "left",
        ["l0", "l1", "l2"],
        {
            "bio": (
                Kind.TEXT,
                {
                    0: "blog: http://amy.example.org/blog.",
                    1: '<a href="https://bob.example.org" rel="nofollow me noopener">site</a>',
                    2: '<a href="https://cat.example.org" rel="nofollow memo">site</a>',
                },
            )
        },
    )
    sites = {0: "https://www.amy.example.org/blog/", 1: "bob.example.org", 2: "cat.example.org"}
    right = network("right", ["r0", "r1", "r2"], {"site": (Kind.URL, sites)})
    assert ways(left, right) == {(0, 0): SAME_ADDRESS, (1, 1): SAME_SITE, (2, 2): SAME_ADDRESS}


def test_posts_say_less_than_bios_and_never_name_each_other() -> None:
    posts = Attribute(Kind.TEXT, np.array([0, 0, 1, 2]), pl.Series(["hi @r0", "lunch", "right: @r1", OWN_PAGE]))
    left = network("left", ["l0", "l1", "l2"], {})
    left = replace(left, attributes={**left.attributes, "posts": posts})
    right = network("right", ["r0", "r1", "r2"], {"bio": (Kind.TEXT, {0: "@l0"})})
    assert ways(left, right) == {(0, 0): IN_TEXT, (1, 1): IN_TEXT, (2, 2): OWN_FIELD}
    assert ways(left, network("right", ["r0"], {})) == {(0, 0): IN_POST}


OWN_PAGE = '<a rel="me" href="https://right.social/r2">me</a>'


def test_an_account_of_many_hosts_is_found_on_the_host_that_is_named() -> None:
    ids = ["amy@one.example", "amy@two.example", "bob@one.example", "cat@one.example"]
    right = replace(network("right", ["w", "x", "y", "z"], {}), users=pl.Series(ids))
    bios = {
        0: "also @amy@two.example",
        1: "https://one.example/@amy",
        2: "toots as bob@one.example",
        3: "cat@mail.example",
        4: "right: amy",
    }
    left = network("left", words(5, 1), {"bio": (Kind.TEXT, bios)})
    assert ways(left, right) == {(0, 1): IN_TEXT, (1, 0): OWN_FIELD, (2, 2): IN_TEXT}


@pytest.mark.parametrize(
    ("way", "before", "after"),
    [
        (MUTUAL, 0.99, 19.8 / 21),
        (SAME_MAIL, 0.95, 9.5 / 11),
        (SAME_SITE, 0.9, 9 / 11),
        (OWN_FIELD, 0.95, 9.5 / 11),
        (IN_TEXT, 0.6, 0.5),
        (SAME_ADDRESS, 0.6, 0.5),
        (IN_POST, 0.2, 1 / 6),
    ],
)
def test_each_way_has_a_trust_of_its_own_that_a_wrong_claim_lowers(way: str, before: float, after: float) -> None:
    claim = Declared(Pairs(np.array([0]), np.array([0])), pl.Series([way]), np.ones(1), pl.Series(["said"]))
    assert learn_trust(claim, (2, 2), NO_PAIRS)[way] == pytest.approx(before)
    assert learn_trust(claim, (2, 2), Pairs(np.array([0]), np.array([1])))[way] == pytest.approx(after)
