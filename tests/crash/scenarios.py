"""Every command that writes, with the world it writes in."""

from dataclasses import dataclass

LINK = ["link", "left", "right", "-o", "run"]
JUDGED = [LINK, ["judge", "run", "ann"]]

SEVERAL = ["link", "left", "right", "third", "-o", "run"]
JUDGED_PAIR = [SEVERAL, ["judge", "run/pairs/1-2", "ann"]]


@dataclass(frozen=True)
class Scenario:
    """A command, and what was done before it."""

    words: list[str]
    before: tuple[list[str], ...] = ()
    grows: bool = False  # leaves finished files one by one, to continue from
    judging: bool = False  # somebody judges pairs of the run meanwhile
    posting: bool = False  # accounts are posted to the service of the run; some may be acknowledged before the end


SCENARIOS = {
    "link": Scenario(LINK),
    "link-known": Scenario([*LINK, "--known", "known.csv"]),
    "link-overwrite": Scenario([*LINK, "--overwrite", "--linker", "name"], tuple(JUDGED)),
    "link-fe": Scenario(
        [
            *LINK,
            "--linker",
            "fe",
            "--set",
            "training.passes=1",
            "--set",
            "training.dim=16",
            "--set",
            "training.batch=32",
        ]
    ),
    "relink": Scenario(["relink", "run", "-o", "again"], tuple(JUDGED)),
    "relink-overwrite": Scenario(
        ["relink", "run", "-o", "again", "--overwrite"],
        (*JUDGED, ["link", "left", "right", "-o", "again", "--linker", "name"], ["judge", "again", "bob"]),
    ),
    "add": Scenario(["add", "run", "new"], tuple(JUDGED)),
    "link-several": Scenario(SEVERAL),
    "link-several-overwrite": Scenario([*SEVERAL, "--overwrite", "--set", "rounds=1"], tuple(JUDGED_PAIR)),
    "relink-several": Scenario(["relink", "run", "-o", "again"], tuple(JUDGED_PAIR)),
    "add-several": Scenario(["add", "run", "new", "--network", "left"], tuple(JUDGED_PAIR)),
    "report-several": Scenario(["report", "run"], tuple(JUDGED_PAIR)),
    "duplicates": Scenario(["duplicates", "left", "-o", "run"]),
    "duplicates-overwrite": Scenario(
        ["duplicates", "left", "-o", "run", "--overwrite", "--precision", "0.8"],
        (["duplicates", "left", "-o", "run"], ["judge", "run", "ann"]),
    ),
    "forget": Scenario(["forget", "run", "18a1bc1154492c80"], tuple(JUDGED)),
    "report": Scenario(["report", "run"], tuple(JUDGED)),
    "export": Scenario(["judgements", "run", "--export", "matches.csv"], tuple(JUDGED)),
    "export-links": Scenario(["export", "run", "-o", "links.xlsx"], tuple(JUDGED)),
    "judgements-import": Scenario(["judgements", "run", "--import", "judged.csv"], tuple(JUDGED)),
    "demo": Scenario(["demo", "--people", "20"], (["demo", "--people", "25"],), grows=True),
    "import": Scenario(["import", "left", "-o", "imported"]),
    "hide": Scenario(["hide", "left", "right", "truth.parquet", "-o", "hidden"]),
    "audit": Scenario(["audit", "left", "right", "-o", "audit"]),
    "bench": Scenario(["bench", "small.toml", "-o", "results"], grows=True),
    "post": Scenario(["post", "run", "new"], tuple(JUDGED), posting=True),
    "review": Scenario([*LINK, "--overwrite", "--linker", "name"], tuple(JUDGED), judging=True),
}
