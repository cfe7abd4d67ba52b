"""What each difference between the paper, the published program and our `fe` is worth, one at a time.

    python benchmarks/fe_differences.py [PRESET …]

Two made-up worlds at three hundredths of the paper's sizes, with pictures, one seed, all pairs tested, all right users
ranked. Every row is `--linker fe` with the settings it shows, at 256 dimensions. Rows that are there and of the same
code are kept, so a stopped run continues. Fills a table of docs/factoid-embedding.md.
"""

import sys
import tempfile
from pathlib import Path

from machine import MAKING_UP, Row, linking, made_by, made_up, write_result
from pages import Block, fill_pages, read_result, table

from factlink.encoders.cache import PICTURES, EncoderCache, caching
from factlink.evaluation.metrics import evaluate
from factlink.experiments.datasets import scaled
from factlink.linkers.settings import make_linker
from factlink.synthetic.worlds import World, preset, twins

WORLDS = ("fb-tw", "fq-tw")
SCALE = 0.03
PAPER = {"preset": "paper", "attributes.pictures": "patches", "training.dim": "256"}
AUTHORS = {"preset": "authors", "attributes.pictures": "patches", "training.dim": "320", "training.passes": "6"}
BEST = {"attributes.kinds": "name,image", "training.dim": "256"}
ROWS = {
    "names alone: Jaro-Winkler": ("name", {"similarity": "jaro-winkler"}),
    "names alone: n-grams": ("name", {}),
    "preset=paper": ("fe", PAPER),
    "… without links": ("fe", PAPER | {"links.weight": "0"}),
    "… without pictures": ("fe", PAPER | {"attributes.kinds": "name"}),
    "… names of one space": ("fe", PAPER | {"attributes.spaces": "kind"}),
    "… names by tf-idf, as in the program": ("fe", PAPER | {"attributes.names": "tfidf"}),
    "… names by n-grams": ("fe", PAPER | {"attributes.names": "ngrams"}),
    "… pictures not fitted": ("fe", PAPER | {"attributes.fitted": "no"}),
    "… full softmax for objects, as in the program": ("fe", PAPER | {"negatives.objects": "softmax"}),
    "… 256 fixed negatives, as in the program": (
        "fe",
        PAPER | {"negatives.count": "2", "negatives.pool": "256", "negatives.fixed": "yes"},
    ),
    "… K = 5 negatives": ("fe", PAPER | {"negatives.count": "5"}),
    "… 512 dimensions": ("fe", PAPER | {"training.dim": "512"}),
    "… 1,024 dimensions": ("fe", PAPER | {"training.dim": "1024"}),
    "… 512 dimensions, without pictures": ("fe", PAPER | {"training.dim": "512", "attributes.kinds": "name"}),
    "… objects centred": ("fe", PAPER | {"attributes.centred": "yes"}),
    "… links in both directions, by degree": (
        "fe",
        PAPER | {"links.both_directions": "yes", "links.degree_normalised": "yes"},
    ),
    "… pictures and kinds weighed": (
        "fe",
        PAPER | {"attributes.weigh_pictures": "yes", "attributes.weigh_kinds": "yes"},
    ),
    "… less hubness": ("fe", PAPER | {"persons.less_hubness": "yes"}),
    "… four rounds of persons": ("fe", PAPER | {"persons.rounds": "4"}),
    "preset=authors": ("fe", AUTHORS),
    "default, name and image": ("fe", BEST),
    "… kinds not weighed": ("fe", BEST | {"attributes.weigh_kinds": "no"}),
    "… no persons": ("fe", BEST | {"persons.rounds": "0"}),
    "… no persons, hubs as they are": ("fe", BEST | {"persons.rounds": "0", "persons.less_hubness": "no"}),
    "… names by Jaro-Winkler": ("fe", BEST | {"attributes.names": "jaro-winkler"}),
    "… non-linear φ of links": ("fe", BEST | {"projection.kind": "tanh"}),
}


def measure(name: str, world: World, title: str) -> Row:
    """One setting in one world."""
    linker, settings = ROWS[title]
    left, right = world.networks
    scored = evaluate(make_linker(linker, settings).fit(left, right), world.whole_truth(left.name, right.name))
    made = made_by((*linking(linker), MAKING_UP), made_up(scaled(preset(name), SCALE)))
    figures = {"n": scored.n, "hr@1": round(scored.hits[1], 4), "mrr": round(scored.mrr, 4)}
    return {"world": name, "what": title, "linker": linker, "settings": settings, **figures, "made": made}


def blocks() -> list[Block]:
    """HR@1 and MRR of both worlds."""
    result = read_result("fe_differences")
    lines = []
    by_place = {(row["world"], row["what"]): row for row in result.rows}
    for title in ROWS:
        rows = [by_place.get((name, title)) for name in WORLDS]
        cells = [(f"{row[key]:.3f}" if row else "", row) for row in rows for key in ("hr@1", "mrr")]
        if any(rows):
            lines.append(result.line(title, cells))
    head = ["", *(f"{name}, {metric}" for name in WORLDS for metric in ("HR@1", "MRR"))]
    text = table(head, lines, result.note())
    return [Block("docs/factoid-embedding.md", "differences: benchmarks/fe_differences.py", text)]


def main() -> None:
    """Measures what is missing or older than the code, writes after every row, fills the page."""
    for name in sys.argv[1:] or WORLDS:
        with tempfile.TemporaryDirectory() as folder, caching(EncoderCache(Path(folder) / "kept", only=[PICTURES])):
            world = twins(scaled(preset(name), SCALE), Path(folder))
            for title in ROWS:
                result = read_result("fe_differences")
                if (name, title) in {(row["world"], row["what"]) for row in result.rows if not result.is_old(row)}:
                    continue
                row = measure(name, world, title)
                print({key: row[key] for key in ("world", "what", "hr@1", "mrr")}, flush=True)
                others = [each for each in result.rows if (each["world"], each["what"]) != (name, title)]
                write_result("fe_differences", [*others, row], ["factlink", "numpy", "numba"])
    fill_pages(blocks())


if __name__ == "__main__":
    main()
