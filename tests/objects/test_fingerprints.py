"""A fingerprint changes with what the vectors depend on, and with nothing else."""

from factlink.objects.fingerprints import fingerprint
from factlink.objects.names import NameEncoder
from factlink.objects.texts import TextEncoder


def test_same_settings_and_objects_same_fingerprint() -> None:
    assert fingerprint(NameEncoder(), ["a", "b"]) == fingerprint(NameEncoder(), ["a", "b"])
    assert len(fingerprint(NameEncoder(), [])) == 32


def test_everything_that_matters_changes_it() -> None:
    prints = {
        fingerprint(NameEncoder(), ["a", "b"]),
        fingerprint(NameEncoder(seed=1), ["a", "b"]),
        fingerprint(NameEncoder(dim=512), ["a", "b"]),
        fingerprint(TextEncoder(), ["a", "b"]),
        fingerprint(NameEncoder(), ["b", "a"]),
        fingerprint(NameEncoder(), ["ab"]),
        fingerprint(NameEncoder(), ["a", "b", ""]),
    }
    assert len(prints) == 7
