"""A release as read: two networks, the pairs that the attacker knows, and the truth."""

from pathlib import Path

from factlink.audits.release import Release
from factlink.data.pairs import read_truth
from factlink.errors import InputError
from factlink.runs.inputs import LinkRequest, read_inputs


def read_release(request: LinkRequest, truth: Path | None) -> Release:
    """The two networks of a request with its known pairs; a truth that names nobody else is refused."""
    inputs = read_inputs(request)
    left, right = (reading.network for reading in inputs.readings)
    release = Release(left, right, inputs.known, None if truth is None else read_truth(truth, left, right))
    if not release.counted.any():
        raise InputError(
            f"nobody is left to audit in '{left.name}': all people are in known pairs, or not in the truth"
        )
    return release
