import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.data.pairs import Truth, read_known, read_pairs, read_truth, write_pairs, write_truth
from factlink.errors import InputError, SettingError
from factlink.types import Network, Pairs

LEFT = Network("fb", pl.Series(["a", "b", "7"]), {}, {})
RIGHT = Network("tw", pl.Series(["x", "y", "z", "7"]), {}, {})


def written(path: Path, content: str) -> Path:
    path.write_text(content)
    return path


def refused(path: Path, message: str) -> None:
    with pytest.raises(InputError, match="^" + re.escape(message) + "$"):
        read_pairs(path, LEFT, RIGHT)


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
def test_pairs_survive_writing(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"truth.{suffix}"
    write_pairs(Pairs(np.array([1, 0, 1]), np.array([0, 3, 2])), path, LEFT, RIGHT)
    pairs = read_pairs(path, LEFT, RIGHT)
    assert pairs.lefts.tolist() == [1, 0, 1]
    assert pairs.rights.tolist() == [0, 3, 2]
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_ids_are_strings_and_repeated_pairs_count_once(tmp_path: Path) -> None:
    path = tmp_path / "known.parquet"
    pl.DataFrame({"right": [7, 7], "left": [7.0, 7.0], "note": [1, 2]}).write_parquet(path)
    pairs = read_pairs(path, LEFT, RIGHT)
    assert (pairs.lefts.tolist(), pairs.rights.tolist()) == ([2], [3])


def test_text_pairs_of_the_authors_in_both_directions(tmp_path: Path) -> None:
    path = written(tmp_path / "ground_truth.txt", "x\tb\ny  a 1\n\n")
    assert read_pairs(path, LEFT, RIGHT).lefts.tolist() == [1, 0]
    assert read_pairs(path, LEFT, RIGHT).rights.tolist() == [0, 1]
    assert read_pairs(path, RIGHT, LEFT).lefts.tolist() == [0, 1]


def test_unknown_users(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", "left,right\na,x\nb,q\n")
    refused(path, f"{path} row 2: right user 'q' is not in network 'tw'; add the user or drop the pair")
    path = written(tmp_path / "p.txt", "a x\nb y\nc z\n")
    refused(path, f"{path} row 3: left user 'c' is not in network 'fb'; add the user or drop the pair")


def test_swapped_columns(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", "left,right\nx,a\n")
    refused(
        path, f"{path} row 1: left user 'x' is not in network 'fb'; it is in 'tw': swap the columns or the networks"
    )


def test_missing_users(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", "left,right\na,x\n,y\n")
    refused(path, f"{path} row 2: the left user is empty; name both users of the pair, or drop it")


def test_missing_columns(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", "fb,tw\na,x\n")
    refused(path, f"{path} has no column 'left'; name the users of the left network 'left' (columns found: 'fb', 'tw')")


def test_one_id_on_a_line(tmp_path: Path) -> None:
    path = written(tmp_path / "p.txt", "a x\nb\n")
    refused(path, f"{path} row 2: 'b' stands alone; give two ids on each line")


def test_no_pairs(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", "left,right\n")
    refused(path, f"{path} holds no pairs; give one left and one right user on each row")
    refused(tmp_path / "q.csv", f"there is no file {tmp_path / 'q.csv'}; check the path")
    refused(
        tmp_path / "q.txt",
        f"{tmp_path / 'q.txt'} cannot be read (No such file or directory); check the path and its permissions",
    )


def test_writing_to_another_format(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"no table can be written as '.txt'; there are: .parquet, .csv, .jsonl"):
        write_pairs(Pairs(np.array([0]), np.array([0])), tmp_path / "p.txt", LEFT, RIGHT)


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl"])
def test_truth_may_say_that_a_user_has_no_account_there(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"truth{suffix}"
    write_truth(Truth(Pairs(np.array([0]), np.array([1])), np.array([1])), path, LEFT, RIGHT)
    truth = read_truth(path, LEFT, RIGHT)
    assert (truth.pairs.lefts.tolist(), truth.pairs.rights.tolist(), truth.absent.tolist()) == ([0], [1], [1])


def test_truth_that_contradicts_itself(tmp_path: Path) -> None:
    path = written(tmp_path / "truth.csv", "left,right\na,x\na,\n")
    with pytest.raises(InputError, match="left user 'a' has both a right user and an empty one; drop one of the rows"):
        read_truth(path, LEFT, RIGHT)


def test_known_pairs_must_be_whole(tmp_path: Path) -> None:
    path = written(tmp_path / "known.csv", "left,right\na,\n")
    message = f"{path} row 1: the right user is empty; name both users of the pair, or drop it"
    with pytest.raises(InputError, match="^" + re.escape(message) + "$"):
        read_known(path, LEFT, RIGHT)


def test_a_user_without_an_account_there_is_in_no_pair(tmp_path: Path) -> None:
    pairs = read_pairs(written(tmp_path / "truth.csv", "left,right\na,\nb,x\n"), LEFT, RIGHT)
    assert (pairs.lefts.tolist(), pairs.rights.tolist()) == ([1], [0])
