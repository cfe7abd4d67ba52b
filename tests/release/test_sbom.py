"""What a release is made of: no package under the GPL or LGPL, and every dependency in the SBOM."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_no_licence_of_a_dependency_is_refused() -> None:
    words = [sys.executable, str(ROOT / "release" / "sbom.py"), "--check"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_direct_dependency_is_in_the_sbom_and_on_the_page() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = {re.split(r"[\[<>=]", line)[0].lower() for line in project["dependencies"]}
    bill = json.loads((ROOT / "release" / "sbom.cdx.json").read_text("utf-8"))
    page = (ROOT / "docs" / "reference" / "licences.md").read_text("utf-8")
    assert bill["metadata"]["component"]["version"] == project["version"]
    assert needed <= {component["name"] for component in bill["components"]}
    assert [name for name in sorted(needed) if f"| {name} |" not in page] == []


def test_the_version_is_the_same_everywhere() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\n## {version}\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")
