"""A cluster of three nodes on this machine: the same links as here, whatever happens to the nodes."""

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from factlink.candidates import top_k
from factlink.data.files import write_network
from factlink.decision.soft_assignment import SoftAssignment
from factlink.embedding.settings import Training
from factlink.errors import MissingExtraError, SettingError
from factlink.execution import cluster as clusters
from factlink.execution.cluster import RayWorkers, connect, size_of
from factlink.execution.workers import HERE, Workers
from factlink.linkers.baselines.name import NameLinker
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.fe.linker import FELinker
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.synthetic.worlds import Dials, Population, twins
from factlink.types import NO_PAIRS

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own
pytest.importorskip("ray", reason="needs the extra [cluster]")

NODE = {"num_cpus": 1, "object_store_memory": 100_000_000}
STAGES = ("vectors_part", "propagate_part", "meet_part", "sparse_products_of", "propose_part", "balance_part")
LINKER = FactoidLinker(k=20, assignment=SoftAssignment(rounds=5))
EMBEDDING = FELinker(training=Training(dim=64, batch=64), parts=6)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    head = {**NODE, "include_dashboard": False, "_system_config": {"worker_niceness": 0}}
    made = Cluster(initialize_head=True, head_node_args=head)
    for _ in range(2):
        made.add_node(**NODE)
    yield made
    made.shutdown()


@pytest.fixture(scope="module")
def workers(cluster: Any) -> Iterator[RayWorkers]:
    connected = connect(cluster.address)
    yield connected
    connected.close()


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(top_k, "BLOCK_ENTRIES", 5_000)


def networks() -> Any:
    return twins(Dials(seed=4, population=Population(people=200))).networks


def test_three_nodes_give_the_same_run_as_one_process(workers: RayWorkers, tmp_path: Path) -> None:
    for network in networks():
        write_network(network, tmp_path / network.name)
    order = LinkRequest(tmp_path / "left", tmp_path / "right", tmp_path / "here")
    make_run(order, LINKER)
    make_run(LinkRequest(order.left, order.right, tmp_path / "there"), LINKER, workers=workers)
    assert workers.parts == 6
    for file in ("links.parquet", "candidates.parquet", "space/left.vectors.npy"):
        assert (tmp_path / "here" / file).read_bytes() == (tmp_path / "there" / file).read_bytes()
    assert not (tmp_path / "there" / "stages").exists()


def linger(part: Any, step: Callable[..., Any], folder: str, *shared: Any) -> Any:
    """The step, after telling which node it runs on and giving that node time to die."""
    import ray

    (Path(folder) / ray.get_runtime_context().get_node_id()).touch()
    time.sleep(0.6)
    return step(part, *shared)


class Saboteur(Workers):
    """Workers one of whose nodes is killed in the middle of each stage; another one takes its place."""

    def __init__(self, workers: RayWorkers, cluster: Any, folder: Path, stages: Sequence[str] = STAGES) -> None:
        self.parts, self._workers, self._cluster, self._folder = workers.parts, workers, cluster, folder
        self._stages = stages
        self.killed: list[str] = []

    def map(self, step: Callable[..., Any], parts: Sequence[Any], *shared: Any) -> list[Any]:
        if step.__name__ not in self._stages or step.__name__ in self.killed or len(parts) < self.parts:
            return self._workers.map(step, parts, *shared)
        folder = self._folder / step.__name__
        folder.mkdir(exist_ok=True)
        self._wake()
        done = threading.Event()
        killer = threading.Thread(target=self._kill_one, args=(folder, done))
        killer.start()
        results = self._workers.map(linger, parts, step, str(folder), *shared)
        done.set()
        killer.join()
        if len(self._cluster.worker_nodes) < 2:
            self.killed.append(step.__name__)
            self._cluster.add_node(**NODE)
        return results

    def _wake(self) -> None:
        """Waits until every node has a process at hand, so that none is left out of the stage."""
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as There

        nodes = [node.node_id for node in self._cluster.worker_nodes]
        task = ray.remote(num_cpus=1)(size_of)
        ray.get([task.options(scheduling_strategy=There(node, soft=False)).remote(0) for node in nodes])

    def _kill_one(self, folder: Path, done: threading.Event) -> None:
        """Kills the first node, other than the head, that is seen at work."""
        while not done.is_set():
            for node in list(self._cluster.worker_nodes):
                if (folder / node.node_id).exists():
                    self._cluster.remove_node(node, allow_graceful=False)
                    return
            time.sleep(0.01)


def test_a_node_lost_in_any_stage_is_made_up_for(workers: RayWorkers, cluster: Any, tmp_path: Path) -> None:
    left, right = networks()
    saboteur = Saboteur(workers, cluster, tmp_path)
    there = LINKER.fit_over(saboteur, left, right, NO_PAIRS).scorer
    here = LINKER.fit_over(HERE, left, right, NO_PAIRS).scorer
    assert sorted(saboteur.killed) == sorted(STAGES)
    assert there.pairs.lefts.tolist() == here.pairs.lefts.tolist()
    assert there.pairs.rights.tolist() == here.pairs.rights.tolist()
    assert there.probabilities.tobytes() == here.probabilities.tobytes()


def test_factoid_embedding_trains_in_parts_to_the_same_bytes_though_a_node_is_lost(
    workers: RayWorkers, cluster: Any, tmp_path: Path
) -> None:
    left, right = networks()
    saboteur = Saboteur(workers, cluster, tmp_path, ["project_part", "train_part"])
    there = EMBEDDING.fit_over(saboteur, left, right, NO_PAIRS).scorer
    here = EMBEDDING.fit(left, right).scorer
    assert saboteur.killed == ["project_part", "train_part"]
    assert there.left_vectors.tobytes() == here.left_vectors.tobytes()
    assert there.right_vectors.tobytes() == here.right_vectors.tobytes()


def half(part: Any, whole: Any) -> Any:
    return part / 2 + whole.sum()


def test_what_is_shared_again_is_not_sent_again(workers: RayWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "_SMALL", 0)
    whole, sent = np.ones(1000), []
    put = workers._ray.put
    monkeypatch.setattr(workers._ray, "put", lambda value: sent.append(value) or put(value))
    parts = [np.full(2, n, np.float32) for n in range(3)]
    for _ in range(2):
        results = workers.map(half, parts, whole)
        assert [result.tolist() for result in results] == [[1000.0, 1000.0], [1000.5, 1000.5], [1001.0, 1001.0]]
    assert len(sent) == 4


def test_sizes_are_those_of_arrays() -> None:
    assert size_of((np.zeros(3, np.float32), [np.zeros(2, np.int64)], 7, "word")) == 28
    assert size_of(csr_matrix(np.eye(2, dtype=np.float32))) == 2 * 4 + 2 * 4 + 3 * 4


def test_other_linkers_say_that_they_stay_on_one_machine(workers: RayWorkers, tmp_path: Path) -> None:
    for network in networks():
        write_network(network, tmp_path / network.name)
    order = LinkRequest(tmp_path / "left", tmp_path / "right", tmp_path / "run")
    with pytest.raises(SettingError, match="linker 'name' does not run on a cluster; leave out --cluster"):
        make_run(order, NameLinker(), workers=workers)
    assert not (tmp_path / "run.part").exists()


def test_no_ray_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"--cluster needs ray; pip install 'factlink\[cluster\]'"):
        connect("auto")
