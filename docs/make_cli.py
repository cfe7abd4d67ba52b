"""Writes docs/cli.md from the command line's own help texts.

python docs/make_cli.py
"""

from pathlib import Path

import typer.main
from typer.testing import CliRunner

from factlink.cli.app import app

PAGE = Path(__file__).parent / "cli.md"
HEAD = """# Commands

Every command with its options, as `factlink COMMAND --help` prints them. Most commands print tables
for people, and JSON with `--json`. Exit codes: 0 success, 2 an error in the input or the options, 1
an error in factlink. `python docs/make_cli.py` writes this page.
"""


def help_of(*words: str) -> str:
    """What `factlink WORDS --help` prints, 100 columns wide."""
    runner = CliRunner(env={"COLUMNS": "100", "TERM": "dumb"})
    return runner.invoke(app, [*words, "--help"], prog_name="factlink", terminal_width=100).output.strip()


def page() -> str:
    """All commands with their help texts."""
    commands = typer.main.get_group(app).commands
    rows = [f"| [{name}](#factlink-{name}) | {each.get_short_help_str(90)} |" for name, each in commands.items()]
    overview = "\n".join(["| command | what it does |", "|---|---|", *rows, ""])
    parts = [f"## factlink {name}\n\n```text\n{help_of(name)}\n```\n" for name in commands]
    return "\n".join([HEAD, overview, *parts])


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
