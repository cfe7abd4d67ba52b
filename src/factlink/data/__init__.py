"""1. Networks in: whatever people have becomes a `Network`.

    sources/       any source → Network: the list of ways to read one, names of columns, ends of links
    files.py       Network → folder, and the kinds that a folder states
    frames.py      DataFrames ⇄ Network; `Reading`: what was guessed and dropped
    pairs.py       pairs files ⇄ Pairs
    opening/       one file as people have it → tables: encodings, separators, archives, sheets, JSON
    graphs/        graphs in memory and in files → tables
    authors.py     the text layout of the paper's authors
    exports/       exports of people's own data, read as the network around them
    databases/     tables of databases ⇄ tables of networks
    additions.py   further users for a network folder      sizes.py   how large a network is

They use: protocol.py (what all ways of reading have in common), layout.py (which files are a network), tables.py (one
file ⇄ one table), formats/ (CSV, JSONL, Parquet, exactly), foreign.py (pandas and Arrow → polars), columns.py (cells →
strings), links.py (lines → links), kinds.py (how to compare a column), pictures.py (paths of pictures).
"""
