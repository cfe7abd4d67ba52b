"""A tiny world in files, and experiments on it."""

from pathlib import Path

from factlink.data.files import write_network
from factlink.data.pairs import write_pairs
from factlink.synthetic.dials import Dials, LinkDials, NameDials, Population
from factlink.synthetic.worlds import twins
from factlink.types import Pairs

DATA = '[data]\nleft = "chirper"\nright = "facepage"\ntruth = "truth.csv"\n'
NAME = '[[rows]]\ncode = "U1"\ntitle = "Name"\nlinker = "name"\npublished = [0.5, 0.6, 0.6, 0.6, 0.6, nan, 0.7, 0.55]\n'
LR = '[[rows]]\ntitle = "LR"\nlinker = "lr"\n'
QUOTED = '[[rows]]\ntitle = "Other tool"\npublished = [0.1, nan, nan, nan, nan, nan, nan, 0.125]\n'


def write_world(folder: Path) -> None:
    """80 people, most of them in both networks, who keep most of their names and friends."""
    population = Population(
        people=80, networks=("chirper", "facepage"), presence=0.9, predicates=("username", "screen_name")
    )
    world = twins(
        Dials(population, NameDials(same=0.6, hidden=0.0), links=LinkDials(mean=8, kept=0.9, own=0.1), seed=5)
    )
    left, right = world.networks
    for network in world.networks:
        write_network(network, folder / network.name, "csv")
    truth = world.truth("chirper", "facepage")
    write_pairs(truth, folder / "truth.csv", left, right)
    write_pairs(Pairs(truth.lefts[:20], truth.rights[:20]), folder / "known.csv", left, right)


def write_experiment(folder: Path, *rows: str, top: str = "folds = 3\n", data: str = DATA, end: str = "") -> Path:
    path = folder / "tiny.toml"
    path.write_text(f'title = "A tiny table"\n{top}{data}{"".join(rows)}{end}', "utf-8")
    return path
