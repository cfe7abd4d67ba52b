"""1. Networks in: folders, frames, exports of people's own data and databases become `Network`s.

    files.py       folder ⇄ Network; several networks at once, with distinct names
    frames.py      DataFrames ⇄ Network; `Reading`: what was guessed and dropped
    pairs.py       pairs files ⇄ Pairs
    authors.py     the text layout of the paper's authors
    exports/       exports of people's own data, read as the network around them
    databases/     tables of databases ⇄ tables of networks

They use: layout.py (which files are a network), tables.py (one file ⇄ one table), formats/ (CSV, JSONL, Parquet,
exactly), foreign.py (pandas and Arrow → polars), columns.py (cells → strings),
links.py (lines → links), kinds.py (how to compare a column), pictures.py (paths of pictures).
"""
