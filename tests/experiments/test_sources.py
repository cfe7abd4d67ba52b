from pathlib import Path

import pytest

from factlink.errors import InputError
from factlink.experiments.sources import changed_parts, needed_modules, sources_of

ENTRY, PARTS = "toy.linkers.one", ["linkers", "matching"]
FILES = {
    "toy/__init__.py": "from toy.linkers.two import Two\n",
    "toy/errors.py": "class ToyError(Exception): ...\n",
    "toy/linkers/__init__.py": '"""Linkers."""\n',
    "toy/linkers/one.py": "import numpy as np\nfrom toy.errors import ToyError\nfrom toy.matching import links\n",
    "toy/linkers/two.py": "TWO = 2\n",
    "toy/matching/__init__.py": "",
    "toy/matching/links.py": "def link() -> float:\n    from toy.matching.late import LATE\n\n    return LATE * 0.5\n",
    "toy/matching/late.py": "LATE = 1\n",
    "toy/objects/__init__.py": "",
    "toy/objects/names.py": "NAME = 1\n",
    "toy/objects/texts.py": "TEXT = 1\n",
    "toy/lazy.py": 'import importlib\n\n\ndef f(name): return importlib.import_module(f"toy.objects.{name}")\n',
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        file = tmp_path / "src" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return tmp_path / "src" / "toy"


def changed_by(package: Path, file: str, text: str) -> list[str]:
    """The parts of the entry that differ once a file says something else."""
    before = dict(sources_of((ENTRY,), package))
    (package / file).write_text(text, "utf-8")
    return changed_parts([ENTRY], before, fresh(package))


def fresh(package: Path) -> Path:
    """The same package at another place, for what was read of a place is remembered."""
    moved = package.parents[1] / f"{len(list(package.parents[1].iterdir()))}" / "toy"
    moved.parent.mkdir()
    return package.rename(moved)


def test_modules_are_needed_through_others_and_inside_functions_but_not_through_the_package_itself(
    package: Path,
) -> None:
    assert needed_modules([ENTRY], package) == {
        "toy.linkers.one",
        "toy.errors",
        "toy.matching",
        "toy.matching.links",
        "toy.matching.late",
    }


def test_a_name_that_is_put_together_needs_every_module_it_may_be(package: Path) -> None:
    assert needed_modules(["toy.lazy"], package) == {
        "toy.lazy",
        "toy.objects",
        "toy.objects.names",
        "toy.objects.texts",
    }


@pytest.mark.parametrize(
    ("file", "text", "changed"),
    [
        ("matching/late.py", "LATE = 2\n", ["matching"]),
        ("matching/late.py", '"""Late."""\n\n# a reason\nLATE   =   1\n', []),
        ("matching/late.py", "LATE = 1.0\n", ["matching"]),
        ("linkers/one.py", FILES["toy/linkers/one.py"].replace("from toy.matching import links\n", ""), PARTS),
        ("linkers/two.py", "TWO = 3\n", []),
        ("errors.py", "class ToyError(ValueError): ...\n", []),
    ],
)
def test_what_is_said_to_have_changed(package: Path, file: str, text: str, changed: list[str]) -> None:
    assert changed_by(package, file, text) == changed


def test_statements_that_move_out_of_a_block_are_a_change(package: Path) -> None:
    (package / "matching" / "late.py").write_text("LATE = 1\nif LATE:\n    LATE += 1\n    LATE += 2\n", "utf-8")
    assert changed_by(package, "matching/late.py", "LATE = 1\nif LATE:\n    LATE += 1\nLATE += 2\n") == ["matching"]


def test_an_entry_that_is_gone_is_a_change_and_cannot_be_measured(package: Path) -> None:
    assert changed_parts([ENTRY, "toy.linkers.three"], {}, package) == ["toy.linkers.three"]
    with pytest.raises(InputError, match=r"no module or file is called 'toy.linkers.three'; name one"):
        sources_of((ENTRY, "toy.linkers.three"), package)


def test_a_file_beside_the_package_is_a_part_of_its_own(package: Path) -> None:
    script = package.parents[1] / "benchmarks" / "peer.py"
    script.parent.mkdir()
    script.write_text("LEVELS = [0.9]\n", "utf-8")
    assert list(sources_of(("benchmarks/peer.py", "toy.linkers.two"), package)) == ["benchmarks/peer.py", "linkers"]


def test_the_default_linker_needs_its_encoders_and_no_other_linker() -> None:
    needed = needed_modules(["factlink.linkers.factoid.linker"])
    assert any(module.startswith("factlink.encoders.") for module in needed)
    assert not {"factlink.linkers.baselines.walks", "factlink.cli.app"} & needed
