"""What can go wrong, and whose mistake it is.

    FactlinkError
    ├── InputError         a file, a frame or a pair that cannot be used as it is
    ├── SettingError       a setting, a linker or a kind that does not exist or does not fit
    ├── MissingExtraError  a feature whose optional packages are not installed
    ├── RunError           a run folder that is absent, incomplete or does not fit its inputs
    └── BusyError          something that another process is writing

All of them are the user's to mend: the command line prints the message alone and exits with 2.
"""

import difflib
import errno
import os
import re
from collections.abc import Iterable
from importlib.util import find_spec

_ADVICE = {
    errno.ENOSPC: "free some space, or name a place on another disk",
    errno.EDQUOT: "free some space, or name a place on another disk",
    errno.EFBIG: "raise the limit of file sizes (ulimit -f)",
    errno.EACCES: "change the permissions, or name another place",
    errno.EPERM: "change the permissions, or name another place",
    errno.EROFS: "name a place that can be written to",
    errno.ENOTDIR: "name a path whose folders are folders",
    errno.EISDIR: "name a file",
    errno.ENOENT: "check the path",
    errno.ENAMETOOLONG: "use a shorter name",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
    errno.ENOMEM: "close other programs, or link parts of the networks",
    errno.EADDRINUSE: "name another port, or 0 for a free one",
}
LONGEST = 1000
"""Letters of a message; what was found may be a file's whole content."""


class FactlinkError(Exception):
    """What was found, what was wanted, and what to do, in one sentence on one line, whatever was found."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class InputError(FactlinkError):
    """A file, a frame or a pair that cannot be used as it is."""


class SettingError(FactlinkError):
    """A setting, a linker or a kind that does not exist or does not fit."""


class MissingExtraError(FactlinkError):
    """A feature whose optional packages are not installed."""


class RunError(FactlinkError):
    """A run folder that is absent, incomplete or does not fit its inputs."""


class BusyError(FactlinkError):
    """Something that another process is writing."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question to end a message with, like "; did you mean 'members.csv'?", or '' where nothing is near."""
    by_small = {name.lower(): name for name in known}
    near = difflib.get_close_matches(word.lower(), by_small, 1, 0.7)
    return f"; did you mean '{by_small[near[0]]}'?" if near else ""


def require_extra(what: str, extra: str, *modules: str) -> None:
    """Refuses to go on, before any work is done, where packages of an extra are not installed."""
    absent = [module for module in modules if find_spec(module) is None]
    if absent:
        raise MissingExtraError(f"{what} needs {', '.join(absent)}; pip install 'factlink[{extra}]'")


def describe_os_error(error: OSError) -> str:
    """What the system refused, where, and what to do, in one sentence."""
    number, path = _number_and_path(error)
    what = os.strerror(number).lower() if number else str(error)
    where = f"{os.fsdecode(path)}: " if isinstance(path, str | bytes | os.PathLike) and path else ""
    return f"{where}{what}; {_ADVICE.get(number, 'check the disk and the path')}"


def os_error_at(path: os.PathLike[str], error: OSError) -> OSError:
    """The error, of this file if it names none."""
    number, named = _number_and_path(error)
    return OSError(number, os.strerror(number), os.fspath(path)) if number and not named else error


def _number_and_path(error: OSError) -> tuple[int, str | bytes | int]:
    """What the system says, 0 if it does not, and of which file, empty if of none."""
    found = re.search(r"\(os error (\d+)\)", str(error))  # as polars says it
    number = error.errno or (int(found[1]) if found else 0)
    return number, error.filename2 or error.filename or (str(error).partition("): ")[2] if found else "")


def one_line(text: str) -> str:
    """The text with control, invisible and half characters written out, and cut in its middle where it is long."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
