"""What turning names into vectors costs in HR@1: each similarity of the `name` linker on every shared set.

    python benchmarks/name_vectors.py

Looks for the networks where FACTLINK_DATA points, else in ../shared/data; truth is read only to score. Writes the
tables of docs/names.md, the one of blocking from results/blocking_recall.json.
"""

import json

from machine import RESULTS, write_result
from quality import ROOT, SETS, measure, put_table

SIMILARITIES = {
    "ngrams": "n-gram cosine, exact",
    "vectors": "our name vectors",
    "jaro-winkler": "Jaro-Winkler, exact",
    "jaro-winkler-vectors": "the paper's Jaro-Winkler vectors",
}
PAGE = ROOT / "docs" / "names.md"
FIGURES, BLOCKING = "<!-- figures: benchmarks/name_vectors.py -->", "<!-- blocking: benchmarks/blocking_recall.py -->"


def figures(rows: list[dict[str, object]]) -> str:
    """HR@1 as Markdown."""
    found = {(row["similarity"], row["set"]): row["hr@1"] for row in rows}
    lines = ["| HR@1 | " + " | ".join(SETS) + " |", "|---" * (len(SETS) + 1) + "|"]
    for similarity, title in SIMILARITIES.items():
        lines.append(f"| {title} | " + " | ".join(f"{found[similarity, name]:.3f}" for name in SETS) + " |")
    return "\n".join(lines)


def blocking() -> str:
    """Shares of true pairs kept, as Markdown."""
    columns = {
        "set": "columns",
        "equal": "equal",
        "share_a_trigram": "share a 3-gram",
        "trigram_recall": "kept by 3-grams, capped",
        "nearest_recall": "kept by the 50 nearest",
    }
    rows = json.loads((RESULTS / "blocking_recall.json").read_text())["rows"]
    lines = ["| " + " | ".join(columns.values()) + " |", "|---" * len(columns) + "|"]
    for row in rows:
        cells = [row[key] if key == "set" else f"{row[key]:.3f}" for key in columns]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    rows = []
    for name in SETS:
        for similarity in SIMILARITIES:
            found = measure(name, "name", "--set", f"similarity={similarity}")
            kept = ("set", "hr@1", "hr@30", "mrr", "seconds", "memory_gb")
            rows.append({"similarity": similarity, **{key: found[key] for key in kept}})
            print(rows[-1], flush=True)
            write_result("name_vectors", rows, ["factlink", "numpy", "faiss-cpu", "rapidfuzz"])
    put_table(PAGE, FIGURES, figures(rows))
    put_table(PAGE, BLOCKING, blocking())
