"""Vectors kept with a run: the next one takes them, whatever else is set, and ends with the same bytes."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from factlink.cli.app import main
from factlink.data.files import write_network
from factlink.encoders import jaro_winkler
from factlink.encoders.ngrams import spaces
from factlink.encoders.pictures import image_batches
from factlink.errors import RunError
from factlink.linkers.baselines.name import NameLinker
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.fe.attributes import Attributes
from factlink.linkers.fe.linker import FELinker, Training
from factlink.protocols import Linker
from factlink.runs.explaining import explain_run
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.store import ENCODED, load_manifest
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.runs.relinking import relink
from factlink.runs.tracing import trace_run
from factlink.synthetic.dials import PictureDials
from factlink.synthetic.worlds import Dials, Population, twins
from factlink.types import Verdict
from tests.sealing import reseal

FE = FELinker(Training(dim=64), attributes=Attributes(kinds=("name", "text", "image")))


def quiet(stage: str) -> None:
    pass


@pytest.fixture
def order(tmp_path: Path) -> LinkRequest:
    dials = Dials(Population(people=60, users=(50, 50)), pictures=PictureDials(size=24), seed=3)
    for network in twins(dials, tmp_path / "pictures").networks:
        write_network(network, tmp_path / network.name)
    return LinkRequest(tmp_path / "left", tmp_path / "right", tmp_path / "first")


@pytest.fixture
def forbid(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From when it is called on, nothing can be encoded."""

    def fail(*_: Any) -> None:
        pytest.fail("it was encoded again")

    def stop() -> None:
        monkeypatch.setattr(image_batches, "decode", fail)
        monkeypatch.setattr(spaces, "project_part", fail)
        monkeypatch.setattr(jaro_winkler, "fit_cosines", fail)

    return stop


def links(run: Path) -> bytes:
    return (run / "links.parquet").read_bytes()


def encoded(run: Path) -> dict[str, int]:
    told: dict[str, int] = load_manifest(run).notes["encoded"]
    return told


def test_in_half_precision_vectors_take_half_the_room_and_every_further_look_ends_the_same(
    order: LinkRequest, tmp_path: Path, forbid: Callable[[], None]
) -> None:
    make_run(order, FE)
    half = replace(order, out=tmp_path / "half", half=True)
    make_run(half, FE)
    sizes = [sum(file.stat().st_size for file in (run / ENCODED).iterdir()) for run in (order.out, half.out)]
    assert 0.5 < sizes[1] / sizes[0] < 0.65  # beside numbers there are hashes of pictures
    assert load_manifest(half.out).notes["encoded"]["made"] == 3  # none taken from the run in full precision
    forbid()
    make_run(replace(half, out=tmp_path / "again"), FE, reuse=half.out)
    assert links(tmp_path / "again") == links(half.out)
    linked = pl.read_parquet(half.out / "links.parquet").filter(decision="link").row(0, named=True)
    kept = explain_run(half.out, [linked["left"], linked["right"]], lambda _: None)[0].explanation
    (half.out / "evidence.parquet").unlink()
    reseal(half.out)
    again = explain_run(half.out, [linked["left"], linked["right"]], lambda _: None)[0].explanation
    assert again.total == pytest.approx(kept.total, abs=1e-6)
    Judgements(half.out).add(linked["left"], linked["right"], Verdict.MATCH, "ann")
    relink(half.out, tmp_path / "relinked", overwrite=False, on_stage=quiet)
    assert load_manifest(tmp_path / "relinked").notes["half"]


@pytest.mark.parametrize(
    ("linker", "sets"),
    [
        (FE, 3),
        (FactoidLinker(), 2),  # bios and pictures; names are no vectors there
        (NameLinker("vectors"), 1),
        (NameLinker("jaro-winkler-vectors"), 1),
    ],
)
def test_a_second_run_encodes_nothing_and_ends_the_same(
    linker: Linker, sets: int, order: LinkRequest, forbid: Callable[[], None]
) -> None:
    make_run(order, linker)
    forbid()
    again = replace(order, out=order.out.with_name("again"))
    make_run(again, linker, reuse=order.out)
    assert links(again.out) == links(order.out)
    assert encoded(order.out) == {"made": sets, "reused": 0}
    assert encoded(again.out) == {"made": 0, "reused": sets}
    assert len(list((again.out / ENCODED).iterdir())) == sets


def test_other_training_settings_do_not_encode_again(order: LinkRequest, forbid: Callable[[], None]) -> None:
    make_run(order, FE)
    without = replace(order, out=order.out.with_name("without"))
    other = replace(FE, training=replace(FE.training, passes=4))
    make_run(without, other)
    forbid()
    again = replace(order, out=order.out.with_name("again"))
    make_run(again, other, reuse=order.out)
    assert links(again.out) == links(without.out) != links(order.out)


def test_another_linker_takes_what_it_has_in_common(order: LinkRequest) -> None:
    make_run(order, FE)
    again = replace(order, out=order.out.with_name("again"))
    make_run(again, FactoidLinker(), reuse=order.out)
    assert encoded(again.out) == {"made": 1, "reused": 1}  # bios are shorter there, pictures are the same


def test_replacing_a_run_takes_its_vectors(order: LinkRequest, forbid: Callable[[], None]) -> None:
    make_run(order, FE)
    before = links(order.out)
    forbid()
    make_run(replace(order, overwrite=True), FE)
    assert links(order.out) == before
    assert encoded(order.out) == {"made": 0, "reused": 3}


def test_a_killed_run_goes_on_with_its_own_vectors(
    order: LinkRequest, forbid: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("factlink.linkers.fe.linker.embed_factoids", killed)
        with pytest.raises(KeyboardInterrupt):
            make_run(order, FE)
    forbid()
    make_run(order, FE)
    assert encoded(order.out) == {"made": 0, "reused": 3}


def test_vectors_of_other_networks_do_not_stay(order: LinkRequest, tmp_path: Path) -> None:
    stale = tmp_path / "first.part" / ENCODED
    stale.mkdir(parents=True)
    (stale / "strings-0123.npz").write_bytes(b"of another order")
    make_run(order, FE)
    assert len(list((order.out / ENCODED).iterdir())) == 3


def test_spoilt_vectors_are_made_anew(order: LinkRequest) -> None:
    make_run(order, FE)
    for file in (order.out / ENCODED).iterdir():
        file.write_bytes(file.read_bytes()[:-40])
    again = replace(order, out=order.out.with_name("again"))
    make_run(again, FE, reuse=order.out)
    assert links(again.out) == links(order.out)
    assert encoded(again.out) == {"made": 3, "reused": 0}


def test_linking_again_tracing_and_explaining_encode_nothing(order: LinkRequest, forbid: Callable[[], None]) -> None:
    make_run(order, FE)
    Judgements(order.out).add("l0", "r0", Verdict.UNKNOWN, "ann")
    (order.out / "evidence.parquet").unlink()
    reseal(order.out)
    user = pl.read_parquet(order.out / "left" / "users.parquet")["id"][0]
    forbid()
    relink(order.out, order.out.with_name("again"), overwrite=False, on_stage=quiet)
    assert trace_run(order.out, [user], 1, quiet).paths.height
    assert explain_run(order.out, [user], lambda seconds: None)


def test_the_run_to_reuse_must_be_one(order: LinkRequest, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"there is not a run folder .*nowhere"):
        make_run(order, FE, reuse=tmp_path / "nowhere")
    with pytest.raises(RunError, match="is not a run"):
        make_run(order, FE, reuse=tmp_path)
    assert not order.out.exists()


def test_reuse_on_the_command_line(
    order: LinkRequest, forbid: Callable[[], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["factlink", "link", str(order.left), str(order.right), "-o"]
    again = order.out.with_name("again")
    for words in ([str(order.out)], [str(again), "--reuse", str(order.out)]):
        monkeypatch.setattr("sys.argv", [*line, *words])
        with pytest.raises(SystemExit, match="0"):
            main()
        forbid()
    assert links(order.out) == links(again)
    told = capsys.readouterr()
    assert "2 of 2 sets of vectors were reused from an earlier run." in told.out
    assert told.err == ""
