import numpy as np
import pytest

from factlink.decision.decoy_calibration import DecoyCalibration, Side, calibrate_on_decoys


def test_the_line_by_hand() -> None:
    line = DecoyCalibration(-1.0, 2.0)
    assert line.probabilities(np.array([0.5, 0.0], np.float32)).tolist() == pytest.approx([0.5, 0.26894], abs=1e-4)


def test_without_a_line_log_odds_stay() -> None:
    assert DecoyCalibration().probabilities(np.array([np.log(3)], np.float32))[0] == pytest.approx(0.75)


def test_the_share_of_wrong_best_candidates_is_read_below_the_decoys_level() -> None:
    decoys = np.arange(100.0)
    users = np.concatenate([np.arange(0, 100, 2.0), np.full(50, 500.0)])  # half like decoys, half far above
    assert Side.alike(users, decoys).share_wrong() == pytest.approx(0.5, abs=0.03)
    assert Side.alike(decoys, decoys).share_wrong() == 1


def world(seed: int, share_right: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Log odds that are honest: right at 4 ± 2, wrong at −4 ± 2 · √2, of which 2:1 decoys there are none."""
    rng = np.random.default_rng(seed)
    right = rng.random(20_000) < share_right
    users = np.where(right, rng.normal(3, 1.5, 20_000), rng.normal(-3, 1.5, 20_000))
    return users, rng.normal(-3, 1.5, 20_000), right


@pytest.mark.parametrize("share", [0.8, 0.3, 0.05])
def test_probabilities_come_true(share: float) -> None:
    users, decoys, right = world(1, share)
    likely = calibrate_on_decoys([Side.alike(users, decoys)]).probabilities(users.astype(np.float32))
    called = likely > 0.5
    assert 1 - likely[called].mean() == pytest.approx(1 - right[called].mean(), abs=0.01)
    assert likely.mean() == pytest.approx(share, abs=0.02)


def test_where_nobody_has_a_partner_nobody_is_certain() -> None:
    rng = np.random.default_rng(2)
    users, decoys = rng.normal(-3, 1.5, (2, 3_000))
    assert calibrate_on_decoys([Side.alike(users, decoys)]).probabilities(users.astype(np.float32)).max() < 0.7


def test_the_range_of_false_links_by_hand() -> None:
    """100 links at even odds: half of them, 1.645 · 5 more or fewer."""
    even = np.full(100, 0.5, np.float32)
    assert DecoyCalibration().false_link_range(even) == pytest.approx((0.5 - 0.08225, 0.5 + 0.08225), abs=1e-4)
    assert DecoyCalibration().false_link_range(even[:0]) == (0, 0)


def test_the_range_holds_what_decoys_of_either_network_alone_say() -> None:
    """One network's decoys say a quarter is false, with chance by 1.645 · √(3 / 16) / 100 more or less."""
    even = np.full(10_000, 0.5, np.float32)
    low, high = DecoyCalibration(0.0, 1.0, ((np.log(3), 1.0),)).false_link_range(even)
    assert low == pytest.approx(0.25 - 0.00712, abs=1e-4)
    assert high == pytest.approx(0.5 + 0.00822, abs=1e-4)


def test_few_decoys_make_the_range_wider_by_hand() -> None:
    """Half is false; by chance √.0025 more or less, and by a tenth of it because of 99 decoys above even odds."""
    even = np.full(100, 0.5, np.float32)
    reach = 1.645 * np.hypot(0.05, 0.05)
    assert DecoyCalibration(doubt=0.1).false_link_range(even) == pytest.approx((0.5 - reach, 0.5 + reach), abs=1e-4)


def test_decoys_that_hardly_count_tell_less() -> None:
    rng = np.random.default_rng(3)
    users, decoys = np.concatenate([rng.normal(0, 1, 500), rng.normal(9, 1, 500)]), rng.normal(0, 1, 1_000)
    decoys[:15] = 20.0
    assert calibrate_on_decoys([Side.alike(users, decoys)]).doubt == pytest.approx(
        1 / np.sqrt(18), abs=0.02
    )  # a few more are above even odds
    uneven = np.ones(1_000)
    uneven[:14] = 0.01
    assert calibrate_on_decoys([Side(users, decoys, uneven)]).doubt > 0.5


def test_every_network_has_a_line_of_its_own() -> None:
    rng = np.random.default_rng(3)
    users, decoys = np.concatenate([rng.normal(0, 1, 500), rng.normal(5, 1, 500)]), rng.normal(0, 1, 1_000)
    line = calibrate_on_decoys([Side.alike(users, decoys), Side.alike(users, decoys + 1)])
    assert len(line.by_side) == 2
    assert line.by_side[0][0] > line.by_side[1][0]  # better decoys, lower odds
