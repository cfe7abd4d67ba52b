"""Training killed at random moments, in the middle of writing too, ends with the bytes of an undisturbed one."""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[3]
FAMILIES = ("Tan", "Lim", "Ong", "Koh", "Seah", "Ng", "Goh", "Teo")
NAMES = [(given, family) for given in ("Amy", "Ben", "Cid", "Dee", "Eve", "Fay") for family in FAMILIES]

TRAIN = """
import sys
from dataclasses import replace
from pathlib import Path
import numpy as np
sys.path.insert(0, sys.argv[1])
from factlink.embedding.training.checkpoints import Checkpoints
from factlink.embedding.settings import NegativeSampling, Projection, Settings, Training
from factlink.embedding.training.sgd import Options, embed_factoids
from tests.embedding.embedding_world import World

settings = Settings(Training(dim=32, batch=16), Projection(rate=1e-3), NegativeSampling(pool=16))
world, folder = World(), Path(sys.argv[2])
checkpoints = Checkpoints(folder / "state.npz", seconds=float(sys.argv[3]))
tell = lambda progress: print(progress.share, flush=True)
space = embed_factoids(world.table, {"name": world.vectors}, settings, Options(np.array([1, 2]), checkpoints, tell))
np.save(folder / "vectors.npy", space.vectors)
np.save(folder / "trail.npy", np.array(space.trail.snapshots))
"""

LINK = """
import functools, sys
from factlink.cli.app import main
from factlink.linkers.fe import linker as fe
fe.Checkpoints = functools.partial(fe.Checkpoints, seconds=0)
told = fe._reporter
fe._reporter = lambda on_progress: told(lambda line: print(line, flush=True))
sys.argv = ["factlink", "link", "left", "right", "-o", sys.argv[1], "--linker", "fe", "--set", "training.dim=64"]
sys.argv += ["--set", "training.batch=2", "--json"]
main()
"""


def kill_after_start(command: list[str], seconds: float, folder: Path, saved: Path | None = None) -> str:
    """Kills a training so many seconds after it has begun, or saved a file; its first line."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        while saved and not saved.exists() and process.poll() is None:
            time.sleep(0.001)
        time.sleep(seconds)
        process.kill()
        process.stdout.read()
    assert process.returncode == -9, "it ended before it was killed"
    return first


def test_killed_ten_times_at_random_moments_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("killed", "undisturbed")]
    for folder in folders:
        folder.mkdir()
    job = [sys.executable, "-c", TRAIN, str(ROOT)]
    shares, halves = [], 0
    for seconds in np.random.default_rng(0).uniform(0, 0.1, 10):
        shares.append(float(kill_after_start([*job, str(folders[0]), "0"], seconds, tmp_path)))
        halves += (folders[0] / ".state.npz.part").exists()
    assert shares == sorted(shares)  # each goes on where the one before had come to
    assert shares[-1] > shares[0]
    assert halves > 0  # some died while they wrote
    for folder in folders:
        subprocess.run([*job, str(folder), "30"], check=True, stdout=subprocess.DEVNULL)
    for file in ("vectors.npy", "trail.npy"):
        assert (folders[0] / file).read_bytes() == (folders[1] / file).read_bytes()


def test_a_killed_command_given_again_makes_the_same_links(tmp_path: Path) -> None:
    for name in ("left", "right"):
        (tmp_path / name).mkdir()
        users = "".join(f"{name}{row},{given} {row % 7}{family}\n" for row, (given, family) in enumerate(NAMES))
        links = "".join(f"{name}{row},{name}{row * 7 % len(NAMES)}\n" for row in range(1, len(NAMES)))
        (tmp_path / name / "users.csv").write_text("id,name\n" + users)
        (tmp_path / name / "links.csv").write_text("source,target\n" + links)
    job = [sys.executable, "-c", LINK]
    checkpoint = tmp_path / "killed.part" / "work" / "training.npz"
    kill_after_start([*job, "killed"], 0.02, tmp_path, checkpoint)
    assert not (tmp_path / "killed").exists()
    assert checkpoint.exists()
    for run in ("killed", "undisturbed"):
        subprocess.run([*job, run], check=True, stdout=subprocess.DEVNULL, cwd=tmp_path)
    killed, undisturbed = ((tmp_path / run / "links.parquet").read_bytes() for run in ("killed", "undisturbed"))
    assert killed == undisturbed
    assert not (tmp_path / "killed" / "training.npz").exists()
