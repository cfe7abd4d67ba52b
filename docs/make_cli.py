"""Writes docs/cli.md from the command line's own help texts.

python docs/make_cli.py
"""

from pathlib import Path

import typer.main
from typer.testing import CliRunner

from factlink.cli.app import app

PAGE = Path(__file__).parent / "cli.md"
HEAD = """# Commands

`python docs/make_cli.py` writes this page from the help texts.
Exit codes: 0 success, 2 an error in the input or the options, 1 an error in factlink.
"""


def help_of(*words: str) -> str:
    """What `factlink WORDS --help` prints, 100 columns wide."""
    runner = CliRunner(env={"COLUMNS": "100", "TERM": "dumb"})
    return runner.invoke(app, [*words, "--help"], prog_name="factlink", terminal_width=100).output.strip()


def page() -> str:
    """All commands with their help texts."""
    names = list(typer.main.get_group(app).commands)
    parts = [f"## factlink {name}\n\n```text\n{help_of(name)}\n```\n" for name in names]
    return "\n".join([HEAD, *parts])


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
