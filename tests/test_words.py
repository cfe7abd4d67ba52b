"""One word per thing: what the field has a word for goes by that word, in code, docs, pages and help texts."""

import re
from pathlib import Path

import pytest

from factlink.linkers.settings import RENAMED

ROOT = Path(__file__).parent.parent
FORMER = {
    r"strangers?": "non-matches, null model",
    r"crowds?": "population, synthetic networks",
    r"stay(s|ing)? alone": "no match, dustbin",
    r"sure pairs?": "confident pairs",
    r"sureness": "calibration",
    r"echo(ed|es)? (rates?|above|by the other)|echo_rates": "edge overlap",
    r"heeds?": "competition discount",
    r"worths": "channel weights",
    r"told by|tell_how|unless told|told in": "described",
    r"postings": "inverted index",
    r"settled_?scorer": "overrides",
    r"newcomers?": "new users",
    r"rememberer|remembered|remember": "fitted state, encoder cache",
    r"shelf|shelves": "encoder cache",
    r"frugal\w*": "out of core",
    r"strolls?": "walks",
    r"fakes?": "negatives",
    r"desk": "view models",
    r"rightly": "correctly",
    r"in the mean": "on average",
    r"near names": "similar names",
    r"is no frame": "is not a DataFrame",
}
KEPT = {f'"{former}"' for former in RENAMED} | {'"worths"'}
"""Names that settings and runs of version 0.1.0 hold, which are still read."""


def _pages() -> list[Path]:
    sources = ROOT / "src" / "factlink"
    code = [file for kind in ("py", "html", "js") for file in sources.rglob(f"*.{kind}")]
    return [*sorted(code), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


@pytest.mark.parametrize("former", FORMER)
def test_former_words_do_not_come_back(former: str) -> None:
    word = re.compile(rf"(?<![a-z]){former}(?![a-z])", re.IGNORECASE)
    for page in _pages():
        for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
            for kept in KEPT:
                line = line.replace(kept, "")  # noqa: PLW2901
            where = f"{page.relative_to(ROOT)}:{number}"
            assert not word.search(line), f"{where}: say {FORMER[former]}\n{line.strip()}"


def _prose(page: Path) -> list[tuple[int, str]]:
    """Lines of a page outside of tables, code, pictures and blocks made from results."""
    lines, in_code, in_block = [], False, False
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        if line.startswith("<!--"):
            in_block = not in_block
        elif line.lstrip().startswith("```"):
            in_code = not in_code
        elif not in_code and not in_block and not line.startswith(("|", "    ", "![")):
            lines.append((number, line))
    return lines


@pytest.mark.parametrize(
    "page",
    [page for page in [*_pages(), ROOT / "CHANGELOG.md"] if page.suffix == ".md"],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_prose_is_wrapped_at_100_characters(page: Path) -> None:
    for number, line in _prose(page):
        is_one_link = " " not in line.strip()
        assert len(line) <= 100 or is_one_link, f"{page.relative_to(ROOT)}:{number}: {len(line)} characters"
