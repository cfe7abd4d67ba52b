"""Tables and sentences of the README and the docs, made from results; what was measured with older code says so."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from machine import RESULTS, ROOT, Row

from factlink.experiments.sources import changed_parts

OLD = "†"
UNRECORDED = "before commits were recorded"


@dataclass(frozen=True)
class Block:
    """What stands on a page between two equal marks."""

    page: str  # relative to the checkout
    mark: str  # its name and the script that makes it
    text: str

    @property
    def place(self) -> str:
        """The mark as the page has it."""
        return f"<!-- {self.mark} -->"

    def put_into(self, page: str) -> str:
        """The page with this block anew."""
        parts = page.split(self.place)
        if len(parts) != 3:
            raise SystemExit(f"{self.page} needs the mark {self.place} twice, and has it {len(parts) - 1} times")
        return f"{parts[0]}{self.place}\n{self.text}\n{self.place}{parts[2]}"


def fill_pages(blocks: Iterable[Block]) -> list[str]:
    """Writes blocks into their pages; the pages that changed."""
    changed = []
    for block in blocks:
        page = ROOT / block.page
        before = page.read_text("utf-8")
        after = block.put_into(before)
        if after != before:
            page.write_text(after, "utf-8")
            changed.append(f"{block.page}: {block.mark}")
    return changed


@dataclass(frozen=True)
class Result:
    """A result as it is kept: rows, and what made each."""

    values: Mapping[str, Any]

    @property
    def rows(self) -> list[Row]:
        """All rows."""
        return self.values["rows"]

    @cached_property
    def _old(self) -> set[str]:
        """The keys of what was made by code that has changed since."""
        made = self.values.get("made", {})
        return {key for key, by in made.items() if changed_parts(by["entries"], by["sources"])}

    def is_old(self, row: Row) -> bool:
        """Whether the code that made a row has changed since, or is not known."""
        return row.get("made") is None or row["made"] in self._old

    def label(self, text: str, *rows: Row) -> str:
        """A row's label, marked where some of its figures are of older code."""
        return f"{text} {OLD}" if any(map(self.is_old, rows)) else text

    def line(self, label: str, cells: Sequence[tuple[str, Row | None]]) -> str:
        """A line of a table: the label is marked if all cells are of older code, else those cells that are."""
        rows = [row for _, row in cells if row is not None]
        if all(map(self.is_old, rows)):
            return "| " + " | ".join([f"{label} {OLD}", *(text for text, _ in cells)]) + " |"
        return "| " + " | ".join([label, *(self.label(text, *([row] if row else [])) for text, row in cells)]) + " |"

    def note(self, rows: Iterable[Row] | None = None) -> str:
        """A sentence for each age: with which commits some rows, or all, were measured."""
        listed = list(self.rows if rows is None else rows)
        now = [row for row in listed if not self.is_old(row)]
        old = [row for row in listed if self.is_old(row)]
        said = [f"Measured at commit {self._commits(now)}."] if now else []
        said += [f"{OLD} Measured with older code ({self._commits(old)})."] if old else []
        return " ".join(said)

    def _commits(self, rows: Iterable[Row]) -> str:
        return ", ".join(sorted({self._commit(row) for row in rows}))

    def _commit(self, row: Row) -> str:
        made = self.values.get("made", {}).get(row.get("made"))
        if not made or not made["commit"]:
            return UNRECORDED
        return made["commit"][:7] + (" with changes" if made["dirty"] else "")


def read_result(name: str) -> Result:
    """The result of that name; without rows where it was never measured."""
    path = RESULTS / f"{name}.json"
    return Result(json.loads(path.read_text("utf-8")) if path.exists() else {"rows": []})


def table(head: Sequence[str], lines: Iterable[str], note: str) -> str:
    """A table of Markdown with a note under it."""
    top = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join([*top, *lines, "", note])
