"""The packages that a released factlink needs, from what is installed: an SBOM (CycloneDX 1.5) and a table of licences.

python release/sbom.py            writes release/sbom.cdx.json and docs/reference/licences.md
python release/sbom.py --check    fails if a licence is not allowed
"""

import argparse
import json
import re
import sys
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = ("cluster", "databases", "excel", "graphs", "images", "mcp", "report", "review", "scripts", "serve", "text")
REFUSED = re.compile(r"\b(A?GPL|LGPL|GNU (Affero |Lesser )?General Public)", re.IGNORECASE)
HEAD = """# Licences of dependencies

`make sbom` makes this page, and an SBOM in the CycloneDX format (`release/sbom.cdx.json`), from the
packages that are installed. Packages under the GPL or LGPL are refused.

| package | version | licence | needed by |
|---|---|---|---|
"""


def main() -> None:
    """Writes both, or checks the licences."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    found = gather()
    refused = [name for name, (package, _) in found.items() if REFUSED.search(licence_of(package))]
    if refused:
        sys.exit(f"not allowed: {', '.join(refused)}")
    if not parser.parse_args().check:
        (ROOT / "release" / "sbom.cdx.json").write_text(json.dumps(bill(found), indent=2) + "\n", "utf-8")
        (ROOT / "docs" / "reference" / "licences.md").write_text(HEAD + table(found), "utf-8")
    print(f"{len(found)} packages, no licence refused")


def gather() -> dict[str, tuple[Distribution, str]]:
    """Every package that factlink or one of its extras needs, directly or not, and the extra that needs it."""
    found: dict[str, tuple[Distribution, str]] = {}
    needs = [(package_name(line), "factlink") for line in PROJECT["dependencies"]]
    needs += [(package_name(line), extra) for extra in EXTRAS for line in PROJECT["optional-dependencies"][extra]]
    while needs:
        name, by = needs.pop(0)
        if name in found or name == "factlink":
            continue
        try:
            found[name] = distribution(name), by
        except PackageNotFoundError:
            continue  # for another system or another Python
        needs += [(each, by) for each in requirements(name)]
    return dict(sorted(found.items()))


def requirements(name: str) -> list[str]:
    """Names of what an installed package needs, without its extras."""
    lines = [line.partition(";") for line in distribution(name).requires or ()]
    return [package_name(text) for text, _, marker in lines if "extra" not in marker]


def package_name(requirement: str) -> str:
    """The name of a package as the package index spells it."""
    return re.split(r"[\s\[<>=!~(;]", requirement.strip())[0].lower().replace("_", "-").replace(".", "-")


def licence_of(package: Distribution) -> str:
    """The licence as an SPDX expression, a classifier, or the first line of what the package says."""
    fields = package.metadata
    classifiers = [
        text.rpartition(" :: ")[2] for text in fields.get_all("Classifier") or () if text.startswith("License")
    ]
    said = (fields.get("License") or "").strip().splitlines()
    return fields.get("License-Expression") or ", ".join(classifiers) or (said[0][:60] if said else "not stated")


def bill(found: dict[str, tuple[Distribution, str]]) -> dict[str, object]:
    """CycloneDX 1.5."""
    components = [
        {
            "type": "library",
            "name": name,
            "version": package.version,
            "purl": f"pkg:pypi/{name}@{package.version}",
            "licenses": [{"license": {"name": licence_of(package)}}],
        }
        for name, (package, _) in found.items()
    ]
    product = {"type": "application", "name": "factlink", "version": PROJECT["version"]}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": product},
        "components": components,
    }


def table(found: dict[str, tuple[Distribution, str]]) -> str:
    """Rows in Markdown."""
    rows = [f"| {n} | {p.version} | {licence_of(p).replace('|', ',')} | {by} |" for n, (p, by) in found.items()]
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    main()
