import numpy as np

from factlink.vectors import row_lengths, unit_rows

ROWS = np.array([[3, 4], [0, 0], [0, 1e-13]], np.float32)


def test_rows_get_length_one_and_zero_rows_stay_zero() -> None:
    assert unit_rows(ROWS)[:2].tolist() == [[np.float32(0.6), np.float32(0.8)], [0, 0]]
    assert unit_rows(ROWS)[2].tolist() == ROWS[2].tolist()  # a rest of rounding points nowhere


def test_lengths_at_hand_are_used() -> None:
    assert row_lengths(ROWS[:2]).tolist() == [5, 0]
    assert unit_rows(ROWS[:2], np.array([10, 0], np.float32)).tolist() == [[np.float32(0.3), np.float32(0.4)], [0, 0]]


def test_vectors_stay_single() -> None:
    assert unit_rows(ROWS).dtype == row_lengths(ROWS).dtype == np.float32
