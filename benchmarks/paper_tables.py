"""The paper's tables, and some more with real networks, by `factlink bench`; then the pages made from the results.

    python benchmarks/paper_tables.py xie2018-fb-tw xie2018-fq-tw congress foursquare-twitter
    python benchmarks/paper_tables.py foursquare-twitter --only=walks --only=pale

Runs the experiments named (`--figures` draws theirs too), keeps each row in benchmarks/results/NAME.json as soon as it
is measured and writes docs/paper-tables.md from all that are there; stopped, it goes on where it stood. `--only` runs
some rows and keeps the others, `--at-once 2` runs two fits at a time. Real networks are looked for where FACTLINK_DATA
points, else in ../shared/data.
"""

import argparse
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from machine import DATA, RESULTS, ROOT, Row
from pages import OLD, Block, Result, fill_pages, read_result

from factlink.experiments.analyses import draw_figures
from factlink.experiments.benchmark import results_as_json, run_experiment, save_results
from factlink.experiments.experiment import METRICS, Experiment, read_experiment
from factlink.experiments.tables import as_markdown, explanation

EXPERIMENTS = (
    "xie2018-fb-tw",
    "xie2018-fq-tw",
    "congress",
    "foursquare-twitter",
    "us-politicians",
    "us-politicians-three",
)
FIGURES = {
    "mrr-over-dim": "MRR over the dimension of a user's vector",
    "mrr-over-iterations": "MRR while users are embedded",
    "strata": "HR@1 on pairs whose names are alike, less alike and unlike",
    "trace": "Two pairs that names alone do not find, on their way",
    "annotation": "Links outside the labelled pairs, judged",
}
SHOWN = (METRICS[0], METRICS[-1])
SHORT = """The next table compares every system of the paper, on made-up networks of the paper's sizes, because
its own data is not public ([limits](../paper-tables.md)). Systems that use labels are measured on
five folds. `factlink bench experiments/…` makes it:"""


def run(name: str, *, only: Sequence[str] = (), figures: bool = False, at_once: int = 1) -> None:
    """One experiment, or some rows of it; each row is kept as soon as it is measured."""
    out, path = ROOT / "results" / name, RESULTS / f"{name}.json"
    whole = read_experiment(ROOT / "experiments" / f"{name}.toml", data_folder=DATA)
    wanted = replace(whole, rows=[row for row in whole.rows if not only or row.title in only])
    for row in wanted.rows:
        results = run_experiment(
            replace(wanted, rows=[row]), out, lambda progress: print(name, progress, flush=True), at_once
        )
        save_results(results, out)
        found = results_as_json(results)
        kept = json.loads(path.read_text("utf-8")) if path.exists() else found
        path.write_text(json.dumps(merged(kept, found, whole), indent=2, ensure_ascii=False) + "\n", "utf-8")
    if figures:
        draw_figures(wanted, out, lambda progress: print(name, progress, flush=True))
        keep_figures(out / "figures", name)


def merged(kept: Mapping[str, Any], found: Mapping[str, Any], experiment: Experiment) -> dict[str, Any]:
    """Results with the rows found anew, in the experiment's order; kept ones as far as they are of its settings."""
    same = (kept["seeds"], kept["folds"]) == (found["seeds"], found["folds"])
    listed = [*(kept["rows"] if same else []), *found["rows"]]
    by_print = {(row["title"], row["linker"], json.dumps(row["settings"], sort_keys=True)): row for row in listed}
    wanted = [(row.title, row.linker, json.dumps(dict(row.settings), sort_keys=True)) for row in experiment.rows]
    rows = [by_print[each] for each in wanted if each in by_print]
    used = {row.get("made") for row in rows}
    made = {key: by for key, by in (kept.get("made", {}) | found["made"]).items() if key in used}
    return {**found, "tested_users": found["tested_users"] or kept["tested_users"], "made": made, "rows": rows}


def keep_figures(folder: Path, name: str) -> None:
    """The drawings as the docs show them."""
    for stem in FIGURES:
        if (folder / f"{stem}.svg").exists():
            (ROOT / "docs" / "figures").mkdir(exist_ok=True)
            shutil.copy(folder / f"{stem}.svg", ROOT / "docs" / "figures" / f"{name}-{stem}.svg")


def blocks() -> list[Block]:
    """Every table with what its figures are and its drawings."""
    parts = [part for name, result in results().items() for part in section(name, result)]
    return [Block("docs/paper-tables.md", "tables: benchmarks/paper_tables.py", "\n".join(parts))]


def results() -> dict[str, Result]:
    """What was kept of each experiment."""
    return {name: read_result(name) for name in EXPERIMENTS if (RESULTS / f"{name}.json").exists()}


def section(name: str, result: Result) -> Iterator[str]:
    """One table and its drawings."""
    values, ours = result.values, [row for row in result.rows if row["figures"]]
    rows = [{**row, "title": result.label(row["title"], row)} if row["figures"] else row for row in result.rows]
    table = as_markdown({**values, "rows": rows})
    yield f"## {values['title']}\n\n{table}\n{result.note(ours)} {explanation(values)}\n"
    for stem, told in FIGURES.items():
        if (ROOT / "docs" / "figures" / f"{name}-{stem}.svg").exists():
            yield f"![{told}](figures/{name}-{stem}.svg)\n"


def short_table(found: Mapping[str, Result]) -> str:
    """HR@1 and MRR of both of the paper's tables, ours and published."""
    sets = [name for name in EXPERIMENTS[:2] if name in found]
    titles = dict.fromkeys(row["title"] for name in sets for row in found[name].rows)
    head = [f"{name.removeprefix('xie2018-')} {metric.upper()}" for name in sets for metric in SHOWN]
    lines = ["| ours (published) | " + " | ".join(head) + " |", "|---" * (len(head) + 1) + "|"]
    for title in titles:
        rows = {name: row for name in sets for row in found[name].rows if row["title"] == title}
        old = any(found[name].is_old(row) for name, row in rows.items())
        cells = [cell(rows.get(name), metric) for name in sets for metric in SHOWN]
        lines.append(f"| {title}{' ' + OLD if old else ''} | " + " | ".join(cells) + " |")
    notes = " ".join(dict.fromkeys(found[name].note() for name in sets))
    return f"{SHORT}\n\n" + "\n".join(lines) + f"\n\n{notes}"


def cell(row: Row | None, metric: str) -> str:
    """One figure of ours, and the published one."""
    if row is None or not row["figures"]:
        return ""
    ours, published = f"{row['figures'][metric]['mean']:.3f}", row["published"].get(metric)
    return ours if published is None else f"{ours} ({published:.3f})"


def main() -> None:
    """Runs what is named, then writes the pages."""
    words = argparse.ArgumentParser()
    words.add_argument("experiments", nargs="*")
    words.add_argument("--only", action="append", default=[], help="the title of a row to run; may be given again")
    words.add_argument("--at-once", type=int, default=1, help="rows that run at once, each on its share of the cores")
    words.add_argument("--figures", action="store_true")
    asked = words.parse_args()
    for name in asked.experiments:
        run(name, only=asked.only, figures=asked.figures, at_once=asked.at_once)
    fill_pages(blocks())


if __name__ == "__main__":
    main()
