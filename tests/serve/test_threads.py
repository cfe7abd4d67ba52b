"""An answer is computed by one thread, whichever thread it is that answers."""

import threading
from typing import Any

import faiss
import numba
import pytest

from factlink.runs.placing import Placed, place
from factlink.serve.warm import run as warm
from factlink.serve.warm.holding import Held
from tests.serve.conftest import World


def test_a_thread_that_answers_computes_alone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(world.run, warm.work_folder(world.run))
    seen: list[tuple[int, int]] = []

    def watched(*given: Any) -> Placed:
        seen.append((numba.get_num_threads(), faiss.omp_get_max_threads()))
        return place(*given)

    def answer() -> None:
        faiss.omp_set_num_threads(3)
        held.now().warm_up()
        seen.append((0, faiss.omp_get_max_threads()))

    monkeypatch.setattr(warm, "place", watched)
    thread = threading.Thread(target=answer)
    thread.start()
    thread.join()
    assert seen == [(1, 1)] * 20 + [(0, 3)]
