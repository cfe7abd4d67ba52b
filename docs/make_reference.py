"""Writes docs/reference/settings.md and docs/reference/python-api.md from the code.

python docs/make_reference.py
"""

from pathlib import Path

import factlink
from factlink.linkers.catalogue import list_settings
from factlink.linkers.settings import LINKERS, linker_class_of

FOLDER = Path(__file__).parent / "reference"


def settings_page() -> str:
    """Every linker of this package with its settings, defaults and meanings."""
    parts = ["# Settings of the linkers\n\n`--set KEY=VALUE` sets one; `factlink settings LINKER` prints this list.\n"]
    for name in sorted(LINKERS):
        summary = (linker_class_of(name).__doc__ or "").partition("\n")[0]
        rows = "".join(
            f"| `{entry.key}` | `{entry.default}` | {entry.takes} | {entry.meaning} |\n".replace("``", " ")
            for entry in list_settings(name)
        )
        head = "| key | default | takes | meaning |\n|---|---|---|---|\n"
        parts.append(f"\n## {name}\n\n<!-- -->\n{summary}\n<!-- -->\n\n{head}{rows}")
    return "".join(parts)


def api_page() -> str:
    """Every public name with its docstring, drawn by mkdocstrings."""
    places = factlink._PLACES
    parts = ["# API from docstrings\n\nThese names are public ([stability](stability.md)): `import factlink as fl`.\n"]
    parts += [f"\n::: factlink.{places[name]}.{name}\n" for name in sorted(places, key=str.lower)]
    return "".join(parts)


def main() -> None:
    """Writes both pages."""
    (FOLDER / "settings.md").write_text(settings_page(), "utf-8")
    (FOLDER / "python-api.md").write_text(api_page(), "utf-8")


if __name__ == "__main__":
    main()
