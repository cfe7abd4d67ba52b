"""How many threads an answer takes."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_thread() -> Iterator[None]:
    """Has the thread that is in this compute alone.

    A question is too small to be shared out, and workers run side by side: threads that wait for each other turn on the
    spot, which made a lookup ten times as dear. OpenMP and numba keep the number for each thread by itself, so what the
    main thread sets says nothing to those that answer requests.
    """
    import faiss
    import numba

    before = numba.get_num_threads(), faiss.omp_get_max_threads()
    numba.set_num_threads(1)
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        numba.set_num_threads(before[0])
        faiss.omp_set_num_threads(before[1])
