"""Draws docs/figures/terminal.svg from what the commands print: python docs/make_terminal.py."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import polars as pl
from rich.console import Console
from rich.text import Text

FIGURE = Path(__file__).parent / "figures" / "terminal.svg"
WIDTH = 88
SHOWN = 14  # lines of the explanation
LATIN = re.compile(r"[\x20-\x7e…↔│█▏▎▍▌▋▊▉×÷–]*")  # what every monospaced font has


def printed(folder: str, *words: str) -> list[str]:
    """The lines that a command prints."""
    done = subprocess.run(
        [sys.executable, "-m", "factlink", *words],
        cwd=folder,
        env={**os.environ, "COLUMNS": str(WIDTH), "TERM": "dumb"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def shown() -> list[str]:
    """Two commands with the middle of the first left out."""
    with tempfile.TemporaryDirectory() as folder:
        printed(folder, "demo", "--people", "300", "--csv", "-o", "people")
        link = printed(folder, "link", "people/chirper", "people/facepage", "-o", "runs/first")
        start = next(place for place, line in enumerate(link) if line.startswith("Outcomes"))
        end = next(place for place, line in enumerate(link) if line.startswith("Most probable"))
        links = pl.read_csv(Path(folder) / "runs/first/links.csv", infer_schema=False).filter(decision="link")
        pair = links.filter(
            pl.col("evidence").str.contains("different names") & (pl.col("probability").cast(float) > 0.9)
        )
        for left, right in pair.select("left", "right").rows():
            explain = printed(folder, "explain", "runs/first", left, right)
            if all(map(LATIN.fullmatch, explain[:SHOWN])):
                break
    first = ["$ factlink link people/chirper people/facepage -o runs/first", "  …", *link[start:end]]
    words = next(place for place, line in enumerate(explain) if line.startswith("What the two share"))
    said = [line for line in explain[words:] if line]
    return [*first, f"$ factlink explain runs/first {left} {right}", *explain[:SHOWN], "  …", *said]


def main() -> None:
    """Draws it; nothing in the drawing is loaded from elsewhere."""
    with open("/dev/null", "w") as nothing:
        console = Console(record=True, width=WIDTH, file=nothing)
        for line in shown():
            console.print(Text(line, style="bold" if line.startswith("$") else ""), soft_wrap=True)
        drawing = console.export_svg(title="factlink")
    drawing = re.sub(r"@font-face \{.*?\}\s*", "", drawing, flags=re.DOTALL)
    FIGURE.write_text(drawing.replace("Fira Code", "ui-monospace, monospace"), "utf-8")


if __name__ == "__main__":
    main()
