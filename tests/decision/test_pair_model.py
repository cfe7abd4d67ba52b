import numpy as np
import pytest
from numpy.testing import assert_allclose

from factlink.decision.pair_model import Curve, PairEvidence, PairModel, fit_pair_model, pieces


def evidence(values: list[float]) -> PairEvidence:
    """Pairs whose gap says the same as their evidence."""
    return PairEvidence((np.array(values, np.float32),), np.array(values, np.float32))


def test_pieces_of_values_by_hand() -> None:
    reach = pieces(np.array([-1, 0.5, 1.5, 4], np.float32), np.array([0.0, 1.0, 2.0]))
    assert_allclose(reach, [[-1, 0, 0], [0.5, 0, 0], [1, 0.5, 0], [1, 1, 2]])


def test_a_curve_goes_on_at_both_ends() -> None:
    curve = Curve((0.0, 1.0), (2.0, 5.0))
    assert_allclose(curve(np.array([-1, 0, 1, 3], np.float32)), [-2, 0, 2, 12])


def test_a_curve_is_0_at_0_wherever_its_pieces_begin() -> None:
    curve = Curve((-1.0, 0.5), (2.0, 4.0))
    assert_allclose(curve(np.array([-2, 0, 0.25, 1], np.float32)), [-4, 0, 0.5, 1 + 2])


def test_channels_and_gap_add_up_and_what_is_missing_adds_nothing() -> None:
    model = PairModel(-1.0, (Curve((0.0,), (2.0,)), Curve((-0.5,), (4.0,))), Curve((0.0,), (10.0,)))
    channels = np.array([1, 1, 0], np.float32), np.array([0, 0.5, 0], np.float32)
    assert_allclose(model.log_odds(PairEvidence(channels, np.array([0, 0.5, 0], np.float32))), [1, 8, -1])


@pytest.fixture(scope="module")
def learned() -> tuple[PairModel, float]:
    """Everybody has non-matches at N(0, 1); a tenth of the pairs' number is a partner at N(4, 1)."""
    rng = np.random.default_rng(0)
    decoys, users = rng.normal(0, 1, 20_000), np.concatenate([rng.normal(0, 1, 20_000), rng.normal(4, 1, 2_000)])
    best = evidence(np.sort(users)[-4_000:].tolist())
    return fit_pair_model(evidence(users.tolist()), evidence(decoys.tolist()), best, 1.0), 0.1


def test_it_finds_the_likelihood_ratio_of_a_made_up_world(learned: tuple[PairModel, float]) -> None:
    model, share = learned
    asked = [2.0, 3.0]
    true = np.log(share) + 4 * np.array(asked) - 8  # log of share · N(4, 1) / N(0, 1)
    assert_allclose(model.log_odds(evidence(asked)), true, atol=0.5)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_it_finds_sixty_partners_of_thirty_thousand_users(seed: int) -> None:
    rng = np.random.default_rng(seed)
    decoys, users = rng.normal(0, 1, 30_000), np.concatenate([rng.normal(0, 1, 29_940), rng.normal(3, 1, 60)])
    best = evidence(np.sort(users)[-6_000:].tolist())
    model = fit_pair_model(evidence(users.tolist()), evidence(decoys.tolist()), best, 1.0)
    assert_allclose(model.log_odds(evidence([3.0])), [-1.7], atol=0.6)  # log of .002 · N(3, 1) / N(0, 1) at 3


def test_no_scale_of_evidence_matters(learned: tuple[PairModel, float]) -> None:
    rng = np.random.default_rng(0)
    decoys, users = rng.normal(0, 1, 20_000), np.concatenate([rng.normal(0, 1, 20_000), rng.normal(4, 1, 2_000)])
    small = [evidence((0.3 + 0.01 * values).tolist()) for values in (users, decoys, np.sort(users)[-4_000:])]
    model = fit_pair_model(small[0], small[1], small[2], 1.0)
    asked = np.array([1.0, 2.0, 3.0])
    assert_allclose(
        model.log_odds(evidence((0.3 + 0.01 * asked).tolist())), learned[0].log_odds(evidence(asked.tolist())), atol=0.2
    )


def test_more_evidence_never_says_less(learned: tuple[PairModel, float]) -> None:
    rising = learned[0].log_odds(evidence(np.linspace(-5, 8, 100).tolist()))
    assert (np.diff(rising) >= 0).all()


def test_users_who_look_like_decoys_have_no_partner() -> None:
    rng = np.random.default_rng(1)
    users, decoys = (evidence(rng.normal(0, 1, 5_000).tolist()) for _ in range(2))
    best = evidence(np.sort(users.gaps)[-500:].tolist())
    model = fit_pair_model(users, decoys, best, 1.0)
    assert model.log_odds(evidence([3.0]))[0] < 0


def test_two_channels_that_say_the_same_count_once() -> None:
    rng = np.random.default_rng(2)
    decoys, users = rng.normal(0, 1, 20_000), np.concatenate([rng.normal(0, 1, 20_000), rng.normal(4, 1, 2_000)])

    def seen(values: np.ndarray, times: int) -> PairEvidence:
        flat = values.astype(np.float32)
        return PairEvidence((flat,) * times, np.zeros(len(flat), np.float32))

    asked = np.array([1.0, 2.0, 3.0])
    best = np.sort(users)[-4_000:]
    once, twice = (
        fit_pair_model(seen(users, n), seen(decoys, n), seen(best, n), 1.0).log_odds(seen(asked, n)) for n in (1, 2)
    )
    assert_allclose(twice, once, atol=0.2)
