"""Frames of any cells become a network that says the same, or are refused in one sentence."""

from .frames import frame_target
from .harness import check, share_of


def test_frames_of_any_cells() -> None:
    check(frame_target(), share_of(200, 10))
