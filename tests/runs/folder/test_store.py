"""Run folders: what is written comes back, and nothing is ever half there."""

import json
import sqlite3
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.data.files import write_network
from factlink.data.sources.networks import read_network
from factlink.errors import RunError
from factlink.runs.folder.drafts import unfinished_run
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.manifest import (
    Input,
    Manifest,
    checksum_of,
    checksums,
    network_checksum,
    parse_manifest,
)
from factlink.runs.folder.store import (
    check_run,
    check_writable,
    load_run,
    read_links,
    save_candidates,
    save_links,
    save_manifest,
)
from factlink.types import Candidates, Links, Network, Verdict

LEFT = Network("left", pl.Series(["a", "b", "c"]), {}, {})
RIGHT = Network("right", pl.Series(["x", "y"]), {}, {})
CANDIDATES = Candidates(
    np.array([[0, 1], [1, -1], [-1, -1]], np.int32),
    np.array([[0.9, 0.5], [0.7, -np.inf], [-np.inf, -np.inf]], np.float32),
)
LINKS = Links(
    np.arange(3),
    np.array([0, 1, -1]),
    np.array([0.9, 0.7, -np.inf], np.float32),
    np.array([0.75, np.nan, 0.5], np.float32),
    np.array([0, 1, 2]),
    np.array([1, -1, -1]),
    np.array([0.4, np.inf, np.inf], np.float32),
)


def manifest() -> Manifest:
    side = Input("left", "some/left", 3, 0, {"bio": "text"}, {"users.csv": "00ff"})
    return Manifest("name", {"seed": 7}, side, side, 0, {"reading": 0.5}, 1_000, "2026-01-01T00:00:00+00:00")


def save(path: Path) -> None:
    with unfinished_run(path) as draft:
        folder = draft.run
        write_network(LEFT, folder / "left")
        write_network(RIGHT, folder / "right")
        save_candidates(folder, CANDIDATES)
        save_links(folder, LINKS, LEFT, RIGHT)
        save_manifest(folder, manifest())


def test_a_run_comes_back_as_it_was(tmp_path: Path) -> None:
    save(tmp_path / "run")
    run = load_run(tmp_path / "run")
    assert replace(run.manifest, files={}) == manifest()
    assert run.left.users.to_list() == ["a", "b", "c"]
    assert np.array_equal(run.candidates.rights, CANDIDATES.rights)
    assert np.array_equal(run.candidates.scores, CANDIDATES.scores)
    assert run.links["right"].to_list() == ["x", "y", None]
    assert run.links["decision"].to_list() == ["link", "unknown", "no account"]
    assert run.links["probability"].to_list() == [0.75, None, 0.5]
    assert run.links["runner_up"].to_list() == ["y", None, None]


def test_a_failure_leaves_no_run_and_an_old_run_untouched(tmp_path: Path) -> None:
    save(tmp_path / "run")
    before = (tmp_path / "run" / "links.parquet").read_bytes()
    with pytest.raises(OSError, match="disk full"):
        fail_halfway(tmp_path / "run")
    assert (tmp_path / "run" / "links.parquet").read_bytes() == before
    with pytest.raises(OSError, match="disk full"):
        fail_halfway(tmp_path / "new")
    assert not (tmp_path / "new").exists()


def fail_halfway(path: Path) -> None:
    with unfinished_run(path) as draft:
        (draft.run / "links.parquet").write_bytes(b"half")
        raise OSError("disk full")


def test_a_finished_run_is_replaced_only_when_asked(tmp_path: Path) -> None:
    save(tmp_path / "run")
    with pytest.raises(RunError, match="run holds a finished run; name another folder, or replace it with --overwrite"):
        check_writable(tmp_path / "run", overwrite=False)
    check_writable(tmp_path / "run", overwrite=True)
    save(tmp_path / "run")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run"]


def test_judgements_outlive_the_making_anew_of_a_run(tmp_path: Path) -> None:
    save(tmp_path / "run")
    store = Judgements(tmp_path / "run")
    store.add("a", "x", Verdict.MATCH, "ann")
    with sqlite3.connect(store.path) as held_open:
        held_open.execute("SELECT * FROM judgement").fetchall()
        save(tmp_path / "run")
        store.add("b", "y", Verdict.MATCH, "ann")
    save(tmp_path / "run")
    assert store.pairs(Verdict.MATCH).rows() == [("a", "x"), ("b", "y")]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run"]


def test_a_kill_while_a_run_is_replaced_loses_no_judgement(tmp_path: Path) -> None:
    save(tmp_path / "run")
    Judgements(tmp_path / "run").add("a", "x", Verdict.MATCH, "ann")
    (tmp_path / "run.part").mkdir()
    (tmp_path / "run").rename(tmp_path / "run.part" / "old")  # where a kill leaves it on disks that cannot exchange
    save(tmp_path / "run")
    assert Judgements(tmp_path / "run").pairs(Verdict.MATCH).rows() == [("a", "x")]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run"]


def test_what_is_no_run_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    for path in (tmp_path, tmp_path / "thesis.txt"):
        with pytest.raises(RunError, match="exists and is not a run; name another folder"):
            check_writable(path, overwrite=True)


def test_a_folder_that_is_no_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"there is not a run folder .*nowhere; make one with: factlink link"):
        load_run(tmp_path / "nowhere")
    with pytest.raises(RunError, match=r"is not a run \(it has no manifest.json\)"):
        load_run(tmp_path)


def test_what_a_run_has_lost_is_named(tmp_path: Path) -> None:
    save(tmp_path / "run")
    for name in ("left/users.parquet", "candidates.parquet"):
        (tmp_path / "run" / name).unlink()
    with pytest.raises(RunError, match=r"run .*run has lost candidates.parquet, left/users.parquet; put that back"):
        load_run(tmp_path / "run")
    check_run(tmp_path / "run")  # what people said of its pairs can still be read


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"left": 1}'])
def test_a_broken_manifest_is_named(text: str) -> None:
    with pytest.raises(RunError, match=r"some.json is not a manifest of a run"):
        parse_manifest(text, Path("some.json"))


def test_a_run_of_a_later_version_is_named() -> None:
    text = json.dumps(json.loads(manifest().to_json()) | {"format": 99})
    with pytest.raises(RunError, match="has format 99, this version reads 2"):
        parse_manifest(text, Path("some.json"))


def test_notes_of_runs_made_before_are_read_by_their_former_names() -> None:
    text = replace(manifest(), notes={"bar": 1, "worths": 2, "correction": 3, "ties": 4}).to_json()
    notes = parse_manifest(text, Path("some.json")).notes
    assert notes == {"decision_rule": 1, "channel_weights": 2, "platt_scaling": 3, "ties": 4}


def test_a_manifest_that_was_changed_is_refused_unless_it_is_older_than_checksums() -> None:
    fields = json.loads(manifest().to_json())
    assert parse_manifest(json.dumps(fields), Path("some.json")) == manifest()
    with pytest.raises(RunError, match=r"some.json is damaged \(its checksum differs\)"):
        parse_manifest(json.dumps(fields | {"known_pairs": 7}), Path("some.json"))
    older = {name: value for name, value in fields.items() if name != "checksum"} | {"format": 1, "known_pairs": 7}
    assert parse_manifest(json.dumps(older), Path("some.json")).known_pairs == 7


def test_checksums_name_every_data_file(tmp_path: Path) -> None:
    (tmp_path / "users.csv").write_text("id\n1\n")
    users = {"users.csv": "7cde7fb64fd82bd152710cf238e017b9ab46c0592483edc067ba4f6c75fac108"}
    network = read_network(tmp_path)
    assert checksums(tmp_path, network) == users
    assert checksums(tmp_path / "users.csv", network) == users | {"as read": network_checksum(network)}
    assert list(checksums("sqlite:///x", network)) == ["as read"]


def test_the_checksum_of_a_network_changes_with_its_users_values_and_links() -> None:
    users, links = (
        pl.DataFrame({"id": ["a", "b"], "name": ["x", "y"]}),
        pl.DataFrame({"source": ["a"], "target": ["b"]}),
    )
    other = pl.DataFrame({"source": ["b"], "target": ["a"]})
    networks = [
        read_network(users, links),
        read_network(users, other),
        read_network(users),
        read_network(users.with_columns(name=pl.lit("x"))),
        read_network(users.rename({"name": "nick"})),
        read_network(users.with_columns(name=pl.Series(["x", None]))),
    ]
    assert len({network_checksum(network) for network in networks}) == len(networks)
    assert network_checksum(read_network(users, links)) == network_checksum(networks[0])


def test_links_of_a_run_without_sources_are_known_where_known_pairs_say_so(tmp_path: Path) -> None:
    links = pl.DataFrame({"left": ["a", "b", "c"], "right": ["x", "y", None]})
    links.write_parquet(tmp_path / "links.parquet")
    assert read_links(tmp_path).rows() == [("a", "x", "found"), ("b", "y", "found"), ("c", None, None)]
    pl.DataFrame({"left": ["b", "a"], "right": ["y", "z"]}).write_parquet(tmp_path / "known.parquet")
    assert read_links(tmp_path).rows() == [("a", "x", "found"), ("b", "y", "known"), ("c", None, None)]
    links.with_columns(source=pl.lit("judged")).write_parquet(tmp_path / "links.parquet")
    assert read_links(tmp_path)["source"].to_list() == ["judged"] * 3


def test_a_manifest_is_the_same_whatever_the_order_of_its_fields() -> None:
    """SHA-256 of the fields by name, so an editor that sorts them does no harm."""
    fields = {"b": 1, "a": {"d": 2, "c": 3}}
    assert checksum_of(fields) == sha256(b'{"a": {"c": 3, "d": 2}, "b": 1}').hexdigest()
    assert checksum_of({"a": {"c": 3, "d": 2}, "b": 1}) == checksum_of(fields)
