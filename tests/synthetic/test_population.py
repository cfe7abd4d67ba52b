from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from PIL import Image

from factlink.errors import SettingError
from factlink.synthetic.dials import (
    CULTURES,
    Dials,
    GroupDials,
    LinkDials,
    NameDials,
    PictureDials,
    Population,
    TextDials,
)
from factlink.synthetic.graphs import draw_graphs, draw_sociability, shuffle_ends
from factlink.synthetic.people import draw_people
from factlink.synthetic.pictures import draw_picture, edit
from factlink.synthetic.stock import read_stock, words
from factlink.synthetic.wording import choose, compose, compose_any, template
from factlink.synthetic.worlds import World, twins
from factlink.types import Follows


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Population(people=1), "people=1 must be at least 2"),
        (lambda: Population(presence=1.2), "presence=1.2 must lie between 0 and 1"),
        (lambda: Population(networks=("a",)), "must be two or more different names"),
        (lambda: Population(networks=("a", "a")), "must be two or more different names"),
        (lambda: Population(users=(5,)), r"users=\(5,\) must have one number for each of the 2 networks"),
        (lambda: Population(people=10, users=(5, 11)), "must lie between 1 and people=10; raise people"),
        (lambda: Population(predicates=("age",)), "predicates has no 'age'; there are: username, screen_name"),
        (lambda: Population(revealed=-1), "revealed=-1 must be at least 0"),
        (lambda: NameDials(cultures=("martian",)), "cultures has no 'martian'; there are: arabic"),
        (lambda: NameDials(cultures=()), "cultures is empty; there are: arabic"),
        (lambda: NameDials(same=0.8, near=0.3), r"same \+ near=1.1 must lie between 0 and 1"),
        (lambda: TextDials(own=-0.1), "own=-0.1 must lie between 0 and 1"),
        (lambda: GroupDials(tail=1), "tail=1 must be above 1"),
        (lambda: GroupDials(size=0.5), "size=0.5 must be at least 1"),
        (lambda: LinkDials(counts=(-1, 2)), "must not be negative"),
        (lambda: LinkDials(mean=float("nan")), "mean=nan must be at least 0"),
        (lambda: PictureDials(size=8), "size=8 must be at least 16"),
        (lambda: Dials(links=LinkDials(counts=(1, 2, 3))), "must have one number for each of the 2 networks"),
        (lambda: Dials(seed=-4), "seed=-4 must be at least 0"),
    ],
)
def test_bad_dials_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        make()


def test_presence_too_small_is_refused() -> None:
    with pytest.raises(SettingError, match=r"presence=0\.0 leaves network 'left' empty"):
        twins(Dials(population=Population(people=10, presence=0.0)))


@pytest.mark.parametrize("culture", CULTURES)
def test_every_culture_has_names_and_a_plain_spelling(culture: str) -> None:
    stock = read_stock([culture], 10_000)
    for names in (stock.given.names, stock.family.names):
        assert names["plain"].str.contains("^[a-z]+$").all()
        assert names["latin"].str.len_chars().min() >= 2
        native = names["native"] != ""
        assert native.all() or not native.any()
    assert len(stock.given.names) >= 38
    assert len(stock.family.names) >= 45


def test_larger_populations_have_rarer_names() -> None:
    small, large = (len(read_stock(["english"], people).family.names) for people in (100, 100_000))
    assert small == 220 + 5
    assert large == 220 + 5_000


def test_nicknames_come_from_the_stock_or_are_cut() -> None:
    names = read_stock(["english"], 100).given.names
    robert = names.filter(pl.col("latin") == "Robert").row(0, named=True)
    assert (robert["nick"], robert["pet"]) == ("bob", "rob")
    sandra = names.filter(pl.col("latin") == "Sandra").row(0, named=True)
    assert (sandra["nick"], sandra["pet"]) == ("sand", "sany")


def test_words_may_have_spaces() -> None:
    assert "New York" in words("city").to_list()
    assert "Opinions are my own." in words("phrase").to_list()


def test_common_names_are_shared_by_many() -> None:
    people = draw_people(20_000, CULTURES, GroupDials(), np.random.default_rng(0))
    sharing = people.select(pl.len().over("G", "F")).to_series()
    assert 0.6 < (sharing == 1).mean() < 0.95
    assert 3 <= sharing.max() < 60
    families = people.filter(pl.col("culture") == "english")["F"].value_counts()["count"]
    assert 0.005 < families.max() / families.sum() < 0.04


def test_names_are_written_in_the_order_of_the_culture() -> None:
    people = draw_people(3_000, ("chinese", "russian"), GroupDials(), np.random.default_rng(0))
    chinese = people.filter((pl.col("culture") == "chinese") & (pl.col("G") == "Wei") & (pl.col("F") == "Wang"))
    assert set(chinese["native"]) == {"王伟"}
    russian = people.filter((pl.col("G") == "Elena") & (pl.col("F") == "Ivanov"))
    assert set(russian["native"]) <= {"Елена Иванов"}
    assert (people.filter(pl.col("culture") == "chinese")["S"] == "").all()


def test_communities_have_a_culture() -> None:
    people = draw_people(5_000, CULTURES, GroupDials(mixing=0), np.random.default_rng(0))
    assert people.group_by("community").agg(pl.col("culture").n_unique())["culture"].max() == 1
    assert people["community"].n_unique() == pytest.approx(83, abs=3)


def test_templates_fill_their_slots() -> None:
    line = pl.DataFrame({"g": ["isabel"], "f": ["souza"], "u": ["a.bc9"], "d": ["40187"], "o": ["wli"]})
    written = {
        "{g}.{f}": "isabel.souza",
        "{g:1}{f}": "isouza",
        "{f:leet}_{g:3}": "50uz4_isa",
        "{g:title} {f:up}!": "Isabel SOUZA!",
        "{g:consonants}": "isbl",
        "{f:short}": "sou",
        "{u:letters}{u:underscored}": "abca_bc9",
        "{d:letters}": "40187",
        "{o:short}": "wli",
        "x": "x",
    }
    for text, expected in written.items():
        assert line.select(template(text)).item() == expected


def test_compose_follows_the_choices() -> None:
    lines = pl.DataFrame({"a": ["1", "2", "3", "4"]})
    texts = compose(lines, np.array([1, 0, 1, 0]), [template("p{a}"), template("q{a}"), template("never")])
    assert texts.to_list() == ["q1", "p2", "q3", "p4"]


def test_choices_follow_the_weights() -> None:
    counts = np.bincount(choose([1, 0, 3], 10_000, np.random.default_rng(0)), minlength=3)
    assert counts[1] == 0
    assert counts[2] / 10_000 == pytest.approx(0.75, abs=0.02)
    drawn = compose_any(pl.DataFrame({"a": ["x"] * 1_000}), {"{a}": 1, "{a}{a}": 9}, np.random.default_rng(0))
    assert (drawn == "xx").mean() == pytest.approx(0.9, abs=0.04)


def graphs(n: int, dials: LinkDials, groups: GroupDials | None = None) -> tuple[np.ndarray, list[Follows]]:
    """Two networks that both show everybody, in the same rows."""
    rng = np.random.default_rng(5)
    groups = groups or GroupDials()
    communities = rng.integers(0, max(1, round(n / groups.size)), n)
    social = draw_sociability(communities, groups, rng)
    return communities, draw_graphs(social, [np.arange(n), np.arange(n)], dials, rng)


def as_set(follows: Follows) -> set[tuple[int, int]]:
    return set(zip(follows.followers.tolist(), follows.followees.tolist(), strict=True))


@pytest.mark.parametrize(("kept", "own"), [(1.0, 0.0), (0.6, 0.3), (0.5, 0.0), (0.3, 0.8), (0.5, 1.0)])
def test_links_in_common_are_as_many_as_the_dials_say(kept: float, own: float) -> None:
    even = GroupDials(size=1_000, tail=6)
    _, (left, right) = graphs(4_000, LinkDials(mean=6, kept=kept, own=own), even)
    assert len(left) == len(right) == 24_000
    assert len(as_set(left) & as_set(right)) / 24_000 == pytest.approx((1 - own) * kept, abs=0.04)


def test_degrees_have_a_heavy_tail() -> None:
    _, (left, _) = graphs(8_000, LinkDials(mean=8))
    followers = np.sort(np.bincount(left.followees, minlength=8_000))[::-1]
    assert followers[0] > 30 * 8
    assert followers[:80].sum() / len(left) > 0.07
    assert np.median(followers) <= 7
    _, (even, _) = graphs(8_000, LinkDials(mean=8), GroupDials(tail=8))
    assert np.bincount(even.followees).max() < 60


@pytest.mark.parametrize("inside", [0.0, 0.7, 1.0])
def test_links_stay_inside_communities(inside: float) -> None:
    communities, (left, _) = graphs(6_000, LinkDials(mean=5), GroupDials(inside=inside))
    share = np.mean(communities[left.followers] == communities[left.followees])
    assert share == pytest.approx(inside, abs=0.08)


def test_mutual_links_come_in_pairs() -> None:
    shares = []
    for mutual in (0.0, 1.0):
        _, (left, _) = graphs(3_000, LinkDials(mean=4, kept=1, own=0, mutual=mutual), GroupDials(inside=0))
        links = as_set(left)
        shares.append(np.mean([(b, a) in links for a, b in links]))
    assert shares[0] < 0.1
    assert shares[1] > 0.75


def test_nobody_is_left_alone_unless_allowed() -> None:
    _, (alone, _) = graphs(3_000, LinkDials(mean=2))
    assert len(np.union1d(alone.followers, alone.followees)) < 3_000
    _, (left, right) = graphs(3_000, LinkDials(mean=2, isolates=False))
    for follows in (left, right):
        assert len(np.union1d(follows.followers, follows.followees)) == 3_000
        assert len(follows) == len(as_set(follows)) == 6_000


def test_too_few_links_for_everybody_is_refused() -> None:
    with pytest.raises(SettingError, match="10 links leave some of 100 users without any"):
        graphs(100, LinkDials(mean=0.1, isolates=False))


def test_too_many_links_are_refused() -> None:
    with pytest.raises(SettingError, match="91 links do not fit between 10 users"):
        graphs(10, LinkDials(counts=(91, 91), kept=0))


def test_shuffling_a_complete_graph_is_refused() -> None:
    ends = np.array([(a, b) for a in range(20) for b in range(20) if a != b])
    with pytest.raises(SettingError, match="380 links among 20 users are too many to shuffle"):
        shuffle_ends(Follows(ends[:, 0], ends[:, 1], np.ones(380, np.float32)), 20, np.random.default_rng(1))


@pytest.fixture(scope="module")
def pictured(tmp_path_factory: pytest.TempPathFactory) -> World:
    dials = Dials(
        population=Population(people=150, presence=1.0), pictures=PictureDials(same=0.5, default=0.2, missing=0.1)
    )
    return twins(dials, pictures=tmp_path_factory.mktemp("pictures"))


def test_pictures_are_files_that_open(pictured: World) -> None:
    for network in pictured.networks:
        attribute = network.attributes["picture"]
        assert attribute.kind == "image"
        assert len(attribute.rows) / 150 == pytest.approx(0.9, abs=0.08)
        sizes = set()
        for file in attribute.objects:
            with Image.open(file) as picture:
                sizes.add(picture.size)
        assert len(sizes) > 5


def test_default_avatars_are_shared(pictured: World) -> None:
    for network in pictured.networks:
        files = network.attributes["picture"].objects
        shared = files.filter(files.str.contains("default-"))
        assert 0.1 < len(shared) / 150 < 0.3
        assert shared.n_unique() == 4


def thumbnail(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.convert("RGB").resize((8, 8)), dtype=float).ravel()


def test_the_same_picture_is_recognisable_in_another_network() -> None:
    dials = Dials(population=Population(people=80, presence=1.0), pictures=PictureDials(same=1, default=0, missing=0))
    assert _nearest_is_right(dials) > 0.9


def test_other_pictures_of_a_person_have_nothing_in_common() -> None:
    dials = Dials(population=Population(people=80, presence=1.0), pictures=PictureDials(same=0, default=0, missing=0))
    assert _nearest_is_right(dials) < 0.1


def _nearest_is_right(dials: Dials) -> float:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        world = twins(dials, pictures=Path(folder))
        left, right = (
            np.stack([thumbnail(Image.open(file)) for file in network.attributes["picture"].objects])
            for network in world.networks
        )
    truth = world.truth("left", "right")
    distances = np.linalg.norm(left[:, None] - right[None], axis=2)
    return float(np.mean(distances.argmin(axis=1)[truth.lefts] == truth.rights))


def test_pictures_are_the_same_bytes_again(tmp_path: Path) -> None:
    dials = Dials(population=Population(people=12))
    bytes_by_file = []
    for run in ("once", "again"):
        twins(dials, pictures=tmp_path / run)
        files = sorted((tmp_path / run).rglob("*.*"))
        bytes_by_file.append({file.relative_to(tmp_path / run): file.read_bytes() for file in files})
    assert bytes_by_file[0] == bytes_by_file[1]
    assert len(bytes_by_file[0]) > 15


def test_without_a_folder_there_are_no_pictures() -> None:
    assert "picture" not in twins(Dials(population=Population(people=20))).networks[0].attributes


def test_a_picture_follows_from_its_seed() -> None:
    one, again, other = (np.asarray(draw_picture(seed, 32)) for seed in ([1, 2], [1, 2], [1, 3]))
    assert one.shape == (32, 32, 3)
    assert (one == again).all()
    assert not (one == other).all()
    edited = edit(draw_picture([1, 2], 64), np.random.default_rng(0))
    assert edited.width == edited.height
    assert 38 <= edited.width <= 96
