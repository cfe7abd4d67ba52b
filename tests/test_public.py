"""What `import factlink` offers."""

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import factlink


def test_every_public_name_is_there_and_sorted() -> None:
    assert dir(factlink) == sorted(dir(factlink))
    for name in dir(factlink):
        assert callable(getattr(factlink, name)), name


def test_every_public_name_is_documented_and_no_other() -> None:
    page = Path(__file__).parents[1] / "docs" / "api.md"
    rows = [line.split("|")[1] for line in page.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert sorted(name for row in rows for name in re.findall(r"`(\w+)`", row)) == factlink.__all__


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(AttributeError, match=r"has no attribute 'read_graph'; there are: .*read_network"):
        factlink.read_graph  # noqa: B018


def test_importing_costs_nothing() -> None:
    code = "import sys, factlink; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_version_is_that_of_the_package() -> None:
    assert factlink.__version__ == version("factlink")


def test_types_are_found_by_type_checkers() -> None:
    assert (Path(factlink.__file__).parent / "py.typed").is_file()
