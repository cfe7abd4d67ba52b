"""How much the links of two networks overlap among their labelled people: a public set, and the made-up presets.

    python benchmarks/edge_overlap.py

Looks for foursquare_twitter where FACTLINK_DATA points, else in ../shared/data. A link counts once, whichever its
direction. Fills a table of docs/paper-tables.md.
"""

import numpy as np
from machine import DATA, MAKING_UP, Row, files, made_by, made_up, write_result
from pages import Block, fill_pages, read_result, table

from factlink.data.pairs import read_pairs
from factlink.data.sources.networks import read_networks
from factlink.synthetic.worlds import preset, twins
from factlink.types import Ints, Network, Pairs

FOLDERS = ("foursquare_twitter/foursquare", "foursquare_twitter/twitter")
PAIRS = ("foursquare_twitter/truth.parquet", "foursquare_twitter/seeds.parquet")
READING = ("factlink.data.sources.networks", "factlink.data.pairs")
COLUMNS = {
    "jaccard": "Jaccard",
    "right_of_left": "of the left links",
    "left_of_right": "of the right links",
    "in_common": "people in both",
}


def measured(left: Network, right: Network, labelled: Pairs, in_common: int) -> Row:
    """Shares of the links between labelled people that both networks have, and how many people are in both."""
    rights = np.full(len(left), -1, np.int64)
    rights[labelled.lefts] = labelled.rights
    ours = _links(left, rights, len(right))
    mapped = np.full(len(right), -1, np.int64)
    mapped[labelled.rights] = labelled.rights
    theirs = _links(right, mapped, len(right))
    both = len(np.intersect1d(ours, theirs))
    shares = (both / len(np.union1d(ours, theirs)), both / len(ours), both / len(theirs))
    return {**dict(zip(COLUMNS, (round(share, 3) for share in shares), strict=False)), "in_common": in_common}


def _links(network: Network, numbers: Ints, n: int) -> Ints:
    """Links between numbered users as one number each, smaller end first."""
    parts = [numbers[np.stack([f.followers, f.followees])] for f in network.links.values()]
    ends = np.sort(np.concatenate(parts, axis=1), axis=0)
    kept = ends[:, ends[0] >= 0]
    return np.unique(kept[0] * n + kept[1])


def rows() -> list[Row]:
    """The public set, then the presets."""
    left, right = (reading.network for reading in read_networks([DATA / folder for folder in FOLDERS]))
    parts = [read_pairs(DATA / file, left, right) for file in PAIRS]
    labelled = Pairs(*(np.concatenate([getattr(part, side) for part in parts]) for side in ("lefts", "rights")))
    made = made_by(READING, files(*FOLDERS, *PAIRS))
    found = [{"set": "foursquare_twitter, public", **measured(left, right, labelled, len(labelled)), "made": made}]
    for name in ("crawl", "fb-tw", "fq-tw"):
        world = twins(preset(name))
        left, right = world.networks
        common = len(world.whole_truth(left.name, right.name))
        made = made_by([MAKING_UP], made_up(preset(name)))
        figures = measured(left, right, world.truth(left.name, right.name), common)
        found.append({"set": f"preset {name}", **figures, "made": made})
    return found


def blocks() -> list[Block]:
    """One line for each set."""
    result = read_result("edge_overlap")
    lines = [
        result.line(row["set"], [(f"{row[c]:,}" if c == "in_common" else f"{row[c]:.3f}", row) for c in COLUMNS])
        for row in result.rows
    ]
    text = table(["links among labelled people", *COLUMNS.values()], lines, result.note())
    return [Block("docs/paper-tables.md", "overlap: benchmarks/edge_overlap.py", text)]


if __name__ == "__main__":
    write_result("edge_overlap", rows(), ["factlink", "numpy"])
    fill_pages(blocks())
