from pathlib import Path

import pytest

from factlink.errors import FactlinkError
from factlink.experiments.experiment import read_experiment

from .bench_world import DATA, LR, NAME, QUOTED, write_experiment

ROOT = Path(__file__).parents[2]
PRESET = '[data]\npreset = "fb-tw"\n'


def test_a_file_says_everything(tmp_path: Path) -> None:
    rows = NAME, '[[rows]]\ntitle = "FE*"\nlinker = "fe"\nknown = true\nsettings = {"training.dim" = 32}\n', QUOTED
    found = read_experiment(write_experiment(tmp_path, *rows, top="folds = 3\nseeds = [0, 7]\n"))
    assert (found.title, found.folds, found.seeds) == ("A tiny table", 3, (0, 7))
    assert found.data.left == tmp_path / "chirper"
    name, star, quoted = found.rows
    assert (name.code, name.title, name.linker, name.known) == ("U1", "Name", "name", False)
    assert name.published == {
        "hr@1": 0.5, "hr@2": 0.6, "hr@3": 0.6, "hr@4": 0.6, "hr@5": 0.6, "hr@30": 0.7, "mrr": 0.55
    }  # fmt: skip
    assert (star.known, star.settings) == (True, {"training.dim": "32"})
    assert (quoted.linker, quoted.published) == (None, {"hr@1": 0.1, "mrr": 0.125})


def test_folders_may_lie_elsewhere(tmp_path: Path) -> None:
    found = read_experiment(write_experiment(tmp_path, NAME), data_folder=Path("elsewhere"))
    assert found.data.truth == Path("elsewhere/truth.csv")


def test_the_quick_form_is_smaller(tmp_path: Path) -> None:
    quick = "[quick]\nscale = 0.05\nfolds = 2\n"
    path = write_experiment(tmp_path, NAME, top="seeds = [0, 1]\n", data=PRESET, end=quick)
    whole, small = read_experiment(path), read_experiment(path, quick=True)
    assert (whole.data.scale, whole.folds, whole.seeds) == (1.0, 5, (0, 1))
    assert (small.data.scale, small.folds, small.seeds) == (0.05, 2, (0,))
    assert small.title == "A tiny table (quick)"


@pytest.mark.parametrize("path", sorted((ROOT / "experiments").glob("*.toml")), ids=lambda path: path.stem)
def test_the_experiments_of_the_project_are_sound(path: Path) -> None:
    found = read_experiment(path)
    if path.stem.startswith("xie2018"):
        codes = [(row.code, row.title) for row in found.rows if row.published]
        paper = "S1 ULink, S2 LR, SS1 COSNET, SS2 IONE, SS3 FE*, U1 Name, U2 CNL, U3 FE"
        assert ", ".join(" ".join(code) for code in codes) == paper
        assert found.folds == 5
        assert all(len(row.published) == 8 for row in found.rows if row.published)


@pytest.mark.parametrize(
    ("rows", "changes", "sentence"),
    [
        ([LR.replace('"lr"', '"l-r"')], {}, r"tiny.toml: row 1 \('LR'\): no linker is called 'l-r'; there are: cnl, "),
        ([LR + "settings = {depth = 3}\n"], {}, r"row 1 \('LR'\): linker 'lr' has no setting 'depth'; there are: look"),
        ([NAME, LR + "linkr = 3\n"], {}, r"row 2 \('LR'\) has no key 'linkr'; there are: title, code, linker, known"),
        (["[[rows]]\nlinker = 'lr'\n"], {}, r"row 1 \('\?'\) lacks the key 'title'"),
        (["[[rows]]\ntitle = 'LR'\n"], {}, r"row 1 \('LR'\) has neither a linker nor published figures"),
        ([LR + "published = [0.5]\n"], {}, r"published has 1 entries; it takes the 8 of HR@1, 2, 3, 4, 5, 10, 30 and"),
        ([LR, LR], {}, "two rows are called 'LR'; titles must differ"),
        ([LR], {"data": ""}, "the experiment lacks the key 'data'"),
        ([LR], {"data": "[data]\n"}, r"\[data\] needs a preset, or left, right and truth"),
        ([LR], {"data": '[data]\nleft = "a"\n'}, r"\[data\] lacks the key 'right'"),
        ([LR], {"data": PRESET + "scale = 2\n"}, "scale is 2.0; it lies above 0 and is at most 1"),
        ([LR], {"data": PRESET + "pictures = 1\n"}, "pictures is 1; it takes true or false"),
        ([LR], {"top": "folds = true\n"}, "folds is True; it takes a whole number"),
        ([LR], {"top": 'seeds = ["a"]\n'}, r"seeds is \['a'\]; it is a list of whole numbers"),
        ([LR], {"data": DATA + 'known = "k"\n'}, "data.known and folds exclude each other"),
        ([LR], {"end": '[figures]\nstrata = ["FE"]\n'}, r"\[figures\] names 'FE'; the rows with a linker are: LR"),
        ([LR], {"end": '[figures]\ncurve = "LR"\n'}, "it must be a row of linker 'fe'"),
        ([LR], {"top": "folds = = 3\n"}, "tiny.toml is not TOML: Invalid value"),
        ([LR], {"top": f"seeds = {'[' * 5_000}{']' * 5_000}\n"}, "tiny.toml is not TOML: maximum recursion depth"),
        ([LR], {"top": f"folds = {'9' * 5_000}\n"}, "tiny.toml is not TOML: Exceeds the limit"),
        ([LR], {"top": "seeds = [-1]\n"}, "seed is -1; use a whole number from 0 to 4,294,967,295"),
        ([], {}, "the experiment lacks the key 'rows'"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path: Path, rows: list[str], changes: dict[str, str], sentence: str) -> None:
    with pytest.raises(FactlinkError, match=sentence):
        read_experiment(write_experiment(tmp_path, *rows, **changes))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FactlinkError, match=r"none.toml cannot be read .*; name the TOML file of an experiment"):
        read_experiment(tmp_path / "none.toml")
