"""Puts small faults into the code, one at a time, and asks whether the tests see them.

    python mutation/run.py [PART ...] [--count N] [--seed N] [--list | --record | --recount]

From every part that mutation/settings.toml names, the same number of mutants is drawn at random. A mutant survives if
the tests of its module pass. Those listed as equivalent, with a reason, are drawn and not tried. Fails if more than the
threshold of those tried survive. `--record` writes the figures of each part to mutation/results.json, and `--recount`
takes out survivors that were listed as equivalent since.
"""

import argparse
import json
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mutants import Fault, Mutant, draw
from trials import Outcome, Trials, load_libraries

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "factlink"
SETTINGS, RESULTS = ROOT / "mutation" / "settings.toml", ROOT / "mutation" / "results.json"

Figures = dict[str, Any]


def main() -> None:
    """Draws mutants, runs their tests, and says which survive."""
    settings = tomllib.loads(SETTINGS.read_text("utf-8"))
    asked = parse_options(settings)
    parts = asked.parts or list(settings["parts"])
    if asked.recount:
        return record({}, settings)
    drawn = {part: draw(PACKAGE, settings["parts"][part], asked.count, f"{asked.seed} {part}") for part in parts}
    if asked.list:
        return print(*(mutant.fault for mutants in drawn.values() for mutant in mutants), sep="\n")
    load_libraries()
    figures: dict[str, Figures] = {}
    made_of = commit()
    with tempfile.TemporaryDirectory() as place:
        trials = Trials(ROOT, Path(place))
        for part, mutants in drawn.items():
            figures[part] = {"commit": made_of, "seed": asked.seed, **tried_part(mutants, settings, trials)}
            if asked.record:
                record({part: figures[part]}, settings)
    return report(figures, settings["threshold"])


def parse_options(settings: dict[str, Any]) -> argparse.Namespace:
    """What was asked for on the command line."""
    words = argparse.ArgumentParser()
    words.add_argument("parts", nargs="*", help=f"of {', '.join(settings['parts'])}; all by default")
    words.add_argument("--count", type=int, default=settings["count"], help="mutants of each part")
    words.add_argument("--seed", type=int, default=settings["seed"])
    words.add_argument("--list", action="store_true", help="print the mutants that would be tried")
    words.add_argument("--record", action="store_true", help="write mutation/results.json")
    words.add_argument("--recount", action="store_true", help="take out survivors listed as equivalent since")
    return words.parse_args()


def tried_part(mutants: Sequence[Mutant], settings: dict[str, Any], trials: Trials) -> Figures:
    """How many mutants of a part were drawn, are equivalent, were tried, survive or hang, and which survive."""
    equivalent = equivalent_faults(settings)
    real = [mutant for mutant in mutants if mutant.fault not in equivalent]
    outcomes = list(tried(real, settings, trials))
    survivors = [each.fault.written() for each, outcome in outcomes if outcome is Outcome.SURVIVES]
    hang = sum(outcome is Outcome.HANGS for _, outcome in outcomes)
    return {**counted(len(mutants), len(mutants) - len(real), survivors), "hang": hang}


def counted(drawn: int, equivalent: int, survivors: list[dict[str, str]]) -> Figures:
    """The figures of a part."""
    counts = {"drawn": drawn, "equivalent": equivalent, "tried": drawn - equivalent, "survive": len(survivors)}
    return {**counts, "survivors": survivors}


def tried(mutants: Sequence[Mutant], settings: dict[str, Any], trials: Trials) -> Iterator[tuple[Mutant, Outcome]]:
    """What becomes of the mutants, as they come; prints every outcome."""
    for number, mutant in enumerate(mutants, 1):
        outcome = trials.outcome(mutant, tests_of(mutant.fault.module, settings))
        print(f"{number}/{len(mutants)} {outcome} {mutant.line}: {mutant.fault}", flush=True)
        yield mutant, outcome


def equivalent_faults(settings: dict[str, Any]) -> set[Fault]:
    """Those that no test can see."""
    return {Fault.read(each) for each in settings.get("equivalent", [])}


def tests_of(module: str, settings: dict[str, Any]) -> list[str]:
    """The test files that cover a module: its own, then those that the settings add, then others of its folder."""
    folder = ROOT / "tests" / Path(module).parent
    own = sorted(folder.glob(f"test_{Path(module).stem}*.py"))
    named = [
        file
        for glob, tests in settings["tests"].items()
        if Path(module).match(glob)
        for test in tests
        for file in (sorted((ROOT / test).glob("**/test_*.py")) if (ROOT / test).is_dir() else [ROOT / test])
    ]
    found = dict.fromkeys(str(file.relative_to(ROOT)) for file in (*own, *named, *sorted(folder.glob("test_*.py"))))
    if not found:
        raise SystemExit(f"no tests are known for {module}; name them under [tests] in mutation/settings.toml")
    return list(found)


def record(figures: dict[str, Figures], settings: dict[str, Any]) -> None:
    """Writes the results: these figures, and of other parts those that are there."""
    known, equivalent = (
        json.loads(RESULTS.read_text("utf-8"))["parts"] if RESULTS.exists() else {},
        equivalent_faults(settings),
    )
    parts = {name: without(part, equivalent) for name, part in (known | figures).items()}
    RESULTS.write_text(json.dumps({**summed(parts), "parts": parts}, indent=2, ensure_ascii=False) + "\n", "utf-8")


def without(part: Figures, equivalent: set[Fault]) -> Figures:
    """The figures of a part, survivors that are equivalent counted as such."""
    kept = [each for each in part["survivors"] if Fault.read(each) not in equivalent]
    return part | counted(part["drawn"], part["equivalent"] + len(part["survivors"]) - len(kept), kept)


def summed(parts: dict[str, Figures]) -> Figures:
    """The counts of all parts together, and the share that survives."""
    total = {name: sum(part[name] for part in parts.values()) for name in ("drawn", "equivalent", "tried", "survive")}
    return {**total, "share": round(total["survive"] / max(total["tried"], 1), 3)}


def report(parts: dict[str, Figures], threshold: float) -> None:
    """Prints which mutants survive; fails if they are too many."""
    total = summed(parts)
    print(f"\n{total['survive']} of {total['tried']} mutants survive ({total['share']:.1%}):")
    print(*(Fault.read(each) for part in parts.values() for each in part["survivors"]), sep="\n")
    if total["share"] > threshold:
        raise SystemExit(
            f"more than {threshold:.0%} survive; write tests that see them, or list those that no test can see in "
            "mutation/settings.toml with the reason"
        )


def commit() -> str:
    """The commit of the checkout."""
    asked = ["git", "-C", str(ROOT), "describe", "--always"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
