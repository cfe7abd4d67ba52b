"""Puts small faults into the code, one at a time, and asks whether the tests see them.

    python mutation/run.py [PART ...] [--count N] [--seed N] [--list] [--record]

From every part that mutation/settings.toml names, the same number of mutants is drawn at random. A mutant survives if
the tests of its module pass. Those listed as equivalent, with a reason, are drawn and not tried. Fails if more than the
threshold of those tried survive. `--record` writes mutation/results.json.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mutants import Fault, Mutant, draw
from trials import Trials, load_libraries

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "factlink"
SETTINGS, RESULTS = ROOT / "mutation" / "settings.toml", ROOT / "mutation" / "results.json"


def main() -> None:
    """Draws mutants, runs their tests, and says which survive."""
    settings = tomllib.loads(SETTINGS.read_text("utf-8"))
    asked = parse_options(settings)
    parts = asked.parts or list(settings["parts"])
    drawn = {part: draw(PACKAGE, settings["parts"][part], asked.count, f"{asked.seed} {part}") for part in parts}
    if asked.list:
        print(*(mutant.fault for mutants in drawn.values() for mutant in mutants), sep="\n")
        return
    load_libraries()
    with tempfile.TemporaryDirectory() as place:
        trials = Trials(ROOT, Path(place))
        figures = {part: tried_part(mutants, settings, trials) for part, mutants in drawn.items()}
    results = {"commit": commit(), "seed": asked.seed, **summed(figures), "parts": figures}
    if asked.record:
        RESULTS.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n", "utf-8")
    print(f"\n{results['survive']} of {results['tried']} mutants survive ({results['share']:.1%}):")
    print(*(Fault.read(each) for part in figures.values() for each in part["survivors"]), sep="\n")
    if results["share"] > settings["threshold"]:
        raise SystemExit(
            f"more than {settings['threshold']:.0%} survive; write tests that see them, or list those that no test can "
            "see in mutation/settings.toml with the reason"
        )


def parse_options(settings: dict[str, Any]) -> argparse.Namespace:
    """What was asked for on the command line."""
    words = argparse.ArgumentParser()
    words.add_argument("parts", nargs="*", help=f"of {', '.join(settings['parts'])}; all by default")
    words.add_argument("--count", type=int, default=settings["count"], help="mutants of each part")
    words.add_argument("--seed", type=int, default=settings["seed"])
    words.add_argument("--list", action="store_true", help="print the mutants that would be tried")
    words.add_argument("--record", action="store_true", help="write mutation/results.json")
    return words.parse_args()


def tried_part(mutants: Sequence[Mutant], settings: dict[str, Any], trials: Trials) -> dict[str, Any]:
    """How many mutants of a part were drawn, are equivalent, were tried and survive, and which."""
    equivalent = {Fault.read(each) for each in settings.get("equivalent", [])}
    real = [mutant for mutant in mutants if mutant.fault not in equivalent]
    survivors = [mutant.fault.written() for mutant in surviving(real, settings, trials)]
    counts = {"drawn": len(mutants), "equivalent": len(mutants) - len(real), "tried": len(real)}
    return {**counts, "survive": len(survivors), "survivors": survivors}


def surviving(mutants: Sequence[Mutant], settings: dict[str, Any], trials: Trials) -> Iterator[Mutant]:
    """The mutants that survive, as they come; prints every outcome."""
    for number, mutant in enumerate(mutants, 1):
        survives = trials.survives(mutant, tests_of(mutant.fault.module, settings))
        print(f"{number}/{len(mutants)} {'SURVIVES' if survives else 'seen'} {mutant.line}: {mutant.fault}", flush=True)
        if survives:
            yield mutant


def tests_of(module: str, settings: dict[str, Any]) -> list[str]:
    """The test files that cover a module: its own, then those that the settings add, in their order."""
    own = sorted((ROOT / "tests" / Path(module).parent).glob(f"test_{Path(module).stem}*.py"))
    named = [
        file
        for glob, tests in settings["tests"].items()
        if Path(module).match(glob)
        for test in tests
        for file in (sorted((ROOT / test).glob("**/test_*.py")) if (ROOT / test).is_dir() else [ROOT / test])
    ]
    found = dict.fromkeys(str(file.relative_to(ROOT)) for file in (*own, *named))
    if not found:
        raise SystemExit(f"no tests are known for {module}; name them under [tests] in mutation/settings.toml")
    return list(found)


def summed(figures: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The counts of all parts together, and the share that survives."""
    total = {name: sum(part[name] for part in figures.values()) for name in ("drawn", "equivalent", "tried", "survive")}
    return {**total, "share": round(total["survive"] / max(total["tried"], 1), 3)}


def commit() -> str:
    """The commit of the checkout."""
    asked = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


if __name__ == "__main__":
    sys.exit(main())
