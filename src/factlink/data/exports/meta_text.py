"""Text of Meta's downloads: each byte of UTF-8 is written as one character, `\\u00c3\\u00a9` for é."""


def mended(text: str | None) -> str | None:
    """The text that was meant; one that is not written in this way stays."""
    if text is None:
        return None
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def html_in_place_of_json(shown: str) -> str:
    """The sentence for a download in the other of its two formats."""
    return f"{shown} was downloaded as HTML; request the download again with the format JSON"
