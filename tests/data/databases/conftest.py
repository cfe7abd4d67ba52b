from collections.abc import Iterator

import pytest

from tests.servers import Server, private_mariadb, private_postgresql, program


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A PostgreSQL server with an empty database 'forum'."""
    if program("initdb") is None:
        pytest.skip("no PostgreSQL server is installed: apt-get install postgresql")
    with private_postgresql() as server:
        yield server


@pytest.fixture(scope="session")
def mariadb() -> Iterator[Server]:
    """A MariaDB server, which speaks MySQL's protocol, with an empty database 'forum'."""
    if program("mariadb-install-db") is None or program("my_print_defaults") is None:
        pytest.skip("no MariaDB server is installed: apt-get install mariadb-server")
    with private_mariadb() as server:
        yield server
