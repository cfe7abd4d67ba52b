"""What a third network says about two accounts, by hand."""

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import gather_pairs
from factlink.decision.decoy_calibration import DecoyCalibration
from factlink.decision.matching import match
from factlink.decision.pair_model import Curve, PairModel
from factlink.evidence import EvidenceSource
from factlink.linkers.factoid.partners import partner_state
from factlink.linkers.factoid.probability.learning import Probabilities
from factlink.linkers.factoid.through import (
    Elsewhere,
    explain_through,
    propose_through,
    through_channel,
)
from factlink.types import Floats, Network, Pairs


def rows(*values: list[float]) -> csr_matrix:
    return csr_matrix(np.array(values, np.float32))


def network(name: str, *users: str) -> Network:
    return Network(name, pl.Series(users), {}, {})


WIKI = Elsewhere(network("wiki", "w0", "w1"), rows([0.9, 0], [0, 0.8], [0, 0.5]), rows([0.5, 0.1], [0, 1]))
MEMO = Elsewhere(network("memo", "m0"), rows([1], [0], [0]), rows([0.8], [0]))
EVERY = Pairs(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 0, 1]))
CONFIDENT = Pairs(np.array([0, 1]), np.array([0, 1]))


def test_products_are_how_likely_two_accounts_have_one_partner_elsewhere() -> None:
    channel = through_channel([WIKI], CONFIDENT, 0)
    assert channel.products(EVERY).tolist() == pytest.approx([0.45, 0, 0.08, 0.8, 0.05, 0.5])
    assert channel.weighting.source is EvidenceSource.THROUGH
    assert channel.weighting.left == "wiki"


def test_several_other_networks_add_up_to_certainty_at_most() -> None:
    channel = through_channel([WIKI, MEMO], CONFIDENT, 0)
    assert channel.products(EVERY)[:2].tolist() == pytest.approx([1.0, 0.0])
    assert channel.weighting.left == "wiki + memo"


def test_a_channel_that_ranks_all_confident_pairs_first_counts_half() -> None:
    same = csr_matrix(np.eye(40, dtype=np.float32))
    everybody = Pairs(np.arange(40), np.arange(40))
    channel = through_channel([Elsewhere(network("wiki", *map(str, range(40))), same, same)], everybody, 0)
    assert channel.weight == pytest.approx(0.5, abs=0.03)


def test_accounts_with_a_likely_partner_in_common_are_proposed() -> None:
    lefts, rights = propose_through([WIKI])
    assert sorted(zip(lefts.tolist(), rights.tolist(), strict=True)) == [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1)]


def test_an_explanation_names_the_accounts_and_adds_up() -> None:
    channel = through_channel([WIKI, MEMO], CONFIDENT, 0)
    parts = explain_through(channel, Pairs(np.array([0]), np.array([0])), 2.0)
    assert parts.select("predicate", "left").rows() == [
        ("account in wiki", "w0"),
        ("account in memo", "m0"),
        ("other networks, together", None),
    ]
    assert parts["weight"].to_list() == pytest.approx([0.9, 1.6, -0.5])


def found(log_odds: list[float]) -> Probabilities:
    """Left users 0 and 1, both of whom may be right user 0; left user 0 may be right user 1 as well."""
    pairs = gather_pairs(2, 2, [(np.array([0, 0, 1]), np.array([0, 1, 0]))])
    odds: Floats = np.array(log_odds, np.float32)
    model, none = PairModel(0.0, (Curve((0.0,), (0.0,)),), Curve((0.0,), (0.0,))), np.zeros(2, np.float32)
    matching = match(pairs, odds, (np.full(2, 0.5), np.full(2, 0.5)))
    return Probabilities(
        model,
        ("names",),
        DecoyCalibration(),
        (0.5, 0.5),
        pairs,
        odds,
        matching,
        (none, none),
        one_to_one=True,
        learned=True,
    )


def test_two_accounts_may_have_one_partner() -> None:
    """Odds 4 for both with right user 0: under one-to-one they would share it."""
    partners = partner_state(found([np.log(4), -30, np.log(4)])).partners[0].toarray()
    alone = 4 / 0.5 / 0.5
    assert partners.tolist() == [pytest.approx([alone / (1 + alone), 0]), pytest.approx([alone / (1 + alone), 0])]


def test_the_candidates_of_one_account_compete() -> None:
    """Seen from the right, left users 0 and 1 compete for being right user 0."""
    partners = partner_state(found([np.log(4), -30, np.log(4)])).partners[1].toarray()
    odds = 4 / 0.5 / (0.5 + 4 / 0.5)
    assert partners[0].tolist() == pytest.approx([odds / (1 + odds)] * 2)
