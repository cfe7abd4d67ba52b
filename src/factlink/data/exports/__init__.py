"""Exports of people's own data → the network around one person: the person, whom they follow, who follows them.

    bundles.py     a folder, a zip, a tar or a single file, read in place and within limits
    ego_network.py the person and the accounts around them → users, links, notes
    json_lists.py  long JSON lists, one element at a time
    csv_rows.py    rows of CSV under a header that may not come first

One module for each kind of export: twitter.py, mastodon.py, bluesky.py (with atproto/), instagram.py and facebook.py
(with meta_text.py), linkedin.py, github.py; reading.py asks them in order. docs/own-data.md says how to get each.
"""

from factlink.data.protocol import Found, SourceOptions


def recognises(source: object) -> bool:
    """Whether the source has the files of an export that is known."""
    from factlink.data.exports.reading import is_export

    return is_export(source)


def read(source: object, options: SourceOptions) -> Found:
    """The network around the person whose export it is."""
    from factlink.data.exports.reading import read_export

    return read_export(source)
