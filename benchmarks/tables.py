"""Every table and sentence of the README and the docs that is made from results, anew; nothing is measured.

    python benchmarks/tables.py            writes them
    python benchmarks/tables.py --check    says what would change, and fails if anything would

Run it after any change of the code: rows whose code has changed since they were measured are marked then.
"""

import sys

import ablation
import add_users
import audit
import blocking_recall
import database_read
import duplicates
import edge_overlap
import encode_names
import factoids_per_second
import fe_beside_names
import fe_differences
import growth
import half_and_twice
import impersonation
import kept_vectors
import known_fifth
import name_vectors
import names_as_written
import never_worse
import open_world
import paper_size
import paper_tables
import peers
import peers_alignment
import pictures
import public_results
import quality
import read_names
import spreading
import step_rates
import warm_start
from machine import ROOT
from pages import Block, fill_pages

import persons
import review
import serve

MAKERS = (
    quality,
    public_results,
    paper_tables,
    edge_overlap,
    duplicates,
    fe_beside_names,
    fe_differences,
    peers,
    peers_alignment,
    growth,
    ablation,
    never_worse,
    open_world,
    name_vectors,
    names_as_written,
    blocking_recall,
    pictures,
    known_fifth,
    warm_start,
    factoids_per_second,
    kept_vectors,
    encode_names,
    paper_size,
    add_users,
    database_read,
    review,
    serve,
    step_rates,
    impersonation,
    half_and_twice,
    spreading,
    read_names,
    audit,
    persons,
)


def differences(blocks: list[Block]) -> list[str]:
    """The blocks that stand otherwise on their pages."""
    pages = {block.page: (ROOT / block.page).read_text("utf-8") for block in blocks}
    return [f"{block.page}: {block.mark}" for block in blocks if block.put_into(pages[block.page]) != pages[block.page]]


def main() -> None:
    """Writes or checks all of them."""
    blocks = [block for maker in MAKERS for block in maker.blocks()]
    if "--check" in sys.argv[1:]:
        wrong = differences(blocks)
        if wrong:
            raise SystemExit(
                "\n".join([*wrong, "these are not what results and code say: python benchmarks/tables.py"])
            )
    else:
        print(*fill_pages(blocks), sep="\n")


if __name__ == "__main__":
    main()
