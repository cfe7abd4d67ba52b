"""What can go wrong, and whose mistake it is.

    FactlinkError
    ├── InputError         a file, a frame or a pair that cannot be used as it is
    ├── SettingError       a setting, a linker or a kind that does not exist or does not fit
    ├── MissingExtraError  a feature whose optional packages are not installed
    ├── RunError           a run folder that is absent, incomplete or does not fit its inputs
    └── BusyError          something that another process is writing

All of them are the user's to mend: the command line prints the message alone and exits with 2.
"""


class FactlinkError(Exception):
    """What was found, what was wanted, and what to do, in one sentence."""


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
