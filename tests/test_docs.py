"""The README and the docs are run: Python and bash blocks, and the `factlink` lines of console blocks."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str]]:
    return [
        (kind, text) for kind, text in BLOCK.findall(page.read_text("utf-8")) if kind in {"python", "console", "bash"}
    ]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page)], ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_every_block_of_a_page_runs_in_order(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for kind, text in blocks(page):
        if kind == "python":
            exec(compile(text, page.name, "exec"), names)
        elif kind == "bash":
            run_bash(text, tmp_path)
        else:
            run_console(text)


def run_bash(text: str, folder: Path) -> None:
    """Runs a block as a person pastes it; `factlink` is that of this Python."""
    tools = folder / ".tools"
    tools.mkdir(exist_ok=True)
    for name, words in {"factlink": "-m factlink", "python": ""}.items():
        (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        (tools / name).chmod(0o755)
    environment = os.environ | {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    words = ["bash", "-e", "-o", "pipefail", "-c", text]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{text}\n{done.stderr}"


def run_console(text: str) -> None:
    for line in text.splitlines():
        if line.startswith("$ factlink "):
            done = subprocess.run(
                [sys.executable, "-m", *shlex.split(line[2:])], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{line}\n{done.stderr}"


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_command_and_option_is_on_the_page_of_commands() -> None:
    import typer.main

    from factlink.cli.app import app

    text = (ROOT / "docs" / "cli.md").read_text("utf-8")
    for name, command in typer.main.get_group(app).commands.items():
        section = text.partition(f"## factlink {name}\n")[2].partition("\n## ")[0]
        assert section, f"docs/cli.md lacks '{name}'; run: python docs/make_cli.py"
        for parameter in command.params:
            assert any(word in section for word in [*parameter.opts, str(parameter.name)]), f"{name} {parameter.opts}"


def test_every_setting_and_public_name_is_on_its_page_of_reference() -> None:
    import factlink
    from factlink.linkers.catalogue import list_settings
    from factlink.linkers.settings import LINKERS

    reference = ROOT / "docs" / "reference"
    settings, names = ((reference / page).read_text("utf-8") for page in ("settings.md", "python-api.md"))
    for linker in LINKERS:
        section = settings.partition(f"## {linker}\n")[2].partition("\n## ")[0]
        missing = [entry.key for entry in list_settings(linker) if f"| `{entry.key}` |" not in section]
        assert not missing, f"settings.md lacks {missing} of {linker}; run: python docs/make_reference.py"
    assert re.findall(r"^::: \S+\.(\w+)$", names, re.MULTILINE) == sorted(factlink.__all__, key=str.lower)


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    for page in sorted((ROOT / "docs").rglob("*.md")):
        assert page.relative_to(ROOT / "docs").as_posix() in navigation, f"mkdocs.yml lacks {page.name}"
