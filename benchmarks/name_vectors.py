"""What turning names into vectors costs in HR@1: each similarity of the `name` linker on every shared set.

    python benchmarks/name_vectors.py

Looks for the networks where FACTLINK_DATA points, else in ../shared/data; truth is read only to score. Writes a
table of docs/names.md.
"""

from machine import write_result
from pages import Block, fill_pages, read_result, table
from quality import SETS, measure

SIMILARITIES = {
    "ngrams": "n-gram cosine, exact",
    "vectors": "our name vectors",
    "jaro-winkler": "Jaro-Winkler, exact",
    "jaro-winkler-vectors": "the paper's Jaro-Winkler vectors",
}


def blocks() -> list[Block]:
    """HR@1 of every similarity on every set."""
    result = read_result("name_vectors")
    rows = {(row["similarity"], row["set"]): row for row in result.rows}
    lines = []
    for similarity, title in SIMILARITIES.items():
        found = [rows[similarity, name] for name in SETS]
        lines.append(result.line(title, [(f"{row['hr@1']:.3f}", row) for row in found]))
    return [Block("docs/names.md", "figures: benchmarks/name_vectors.py", table(["HR@1", *SETS], lines, result.note()))]


if __name__ == "__main__":
    rows = []
    for name in SETS:
        for similarity in SIMILARITIES:
            found = measure(name, "name", "--set", f"similarity={similarity}")
            kept = ("set", "hr@1", "hr@30", "mrr", "seconds", "memory_gb", "made")
            rows.append({"similarity": similarity, **{key: found[key] for key in kept}})
            print(rows[-1], flush=True)
            write_result("name_vectors", rows, ["factlink", "numpy", "faiss-cpu", "rapidfuzz"])
    fill_pages(blocks())
