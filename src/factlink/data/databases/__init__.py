"""Networks in databases, by address: PostgreSQL, MySQL, SQLite and DuckDB → tables; frames → tables of a database.

    urls.py         an address taken apart; nothing that is shown holds its password
    queries.py      a table or a query → SQL, and names quoted
    connections.py  what every database can do, its errors in one sentence, and which module serves which address
    reading.py      an address or a database file → users and links
    writing.py      a frame → a new table

One module for each database: postgresql.py, mysql.py, sqlite.py, duckdb.py. rows.py makes columns of rows for the two
that give rows.
"""

from factlink.data.databases.urls import is_database
from factlink.data.protocol import Found, SourceOptions


def recognises(source: object) -> bool:
    """Whether the source is the address of a database, or a file of SQLite or DuckDB."""
    return is_database(source)


def read(source: object, options: SourceOptions) -> Found:
    """The users and the links that the address names."""
    from factlink.data.databases.reading import read_database

    return read_database(source, options.name)
