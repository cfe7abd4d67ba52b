"""The README and the docs are run: Python blocks, and the `factlink` lines of console blocks."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str]]:
    return [(kind, text) for kind, text in BLOCK.findall(page.read_text("utf-8")) if kind in {"python", "console"}]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: page.name)
def test_every_block_of_a_page_runs_in_order(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for kind, text in blocks(page):
        if kind == "python":
            exec(compile(text, page.name, "exec"), names)
        else:
            run_console(text)


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
