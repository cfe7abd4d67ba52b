"""All values that the pages of persons show, for templates and JSON alike."""

from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlencode

import polars as pl

from factlink.data.tables import read_table
from factlink.errors import InputError
from factlink.review.accounts import Accounts
from factlink.review.pictures import find_picture, is_sound, picture_roots
from factlink.review.view_models import PATIENCE, Values, predicate_values
from factlink.runs.folder.identity import Identity
from factlink.runs.folder.listing import LISTING
from factlink.runs.folder.several import compared_networks, load_several, pair_folder
from factlink.runs.several.gathering import gather_persons
from factlink.runs.several.judging import Account, PersonJudgements, Tie
from factlink.types import Verdict

SHOWN_ASKS = 20
"""Disagreements and doubtful persons on the first page."""
SHOWN_OTHERS = 8
"""Persons that accounts of one may belong to instead."""


class PersonViews:
    """The persons of a run laid out for reviewers."""

    def __init__(self, run: Path, on_stage: Callable[[str], None] = lambda stage: None) -> None:
        self._stamp = Identity(run)
        self.run, self.manifest = run, load_several(run)
        on_stage("reading accounts")
        compared = compared_networks(run, self.manifest.names, self.manifest.pairs, single=True)
        inputs = zip(self.manifest.names, compared.folders, self.manifest.networks, strict=True)
        self.networks = {name: Accounts("left", name, folder) for name, folder, _ in inputs}
        paths = {network.name: network.path for network in self.manifest.networks}
        self._roots = {name: picture_roots(each.folder, paths[name]) for name, each in self.networks.items()}
        on_stage("reading persons")
        found = gather_persons(run)
        self.members, self.asks = found.members, found.asks
        self._by_person = self.members.partition_by("person", as_dict=True, maintain_order=True)
        self._persons: dict[Account, str] = dict(
            zip(zip(self.members["network"], self.members["user"], strict=True), self.members["person"], strict=True)
        )
        on_stage("reading links and judgements")
        self._links = {pair: _read_links(pair_folder(run, pair)) for pair in self.manifest.pairs}
        self.judgements = PersonJudgements(run, self.manifest, PATIENCE)

    def check_current(self) -> None:
        """Raises an error if the run was replaced since it was read."""
        self._stamp.check()

    def around(self) -> Values:
        """What every page shows."""
        return {"networks": list(self.networks), "predicates": [], "pages": [("/queue", "Persons")]}

    def accounts_of(self, person: str) -> list[Account]:
        """The accounts of a person."""
        if (person,) not in self._by_person:
            raise InputError(f"no person of this run has the id '{person[:40]}'; see persons.csv")
        return list(self._by_person[person,].select("network", "user").iter_rows())

    def person_of(self, network: str, user: str) -> str:
        """The person that an account belongs to."""
        self.network(network).row_of(user)
        return self._persons[network, user]

    def network(self, name: str) -> Accounts:
        """The accounts of one network."""
        if name not in self.networks:
            raise InputError(f"no network is called '{name[:40]}'; there are: {', '.join(self.networks)}")
        return self.networks[name]

    def picture(self, network: str, listed: str) -> Path | None:
        """The file of a picture that a network lists, if it may be shown."""
        return find_picture(listed, self.networks[network].folder, self._roots[network])

    def queue(self) -> Values:
        """What to ask first: links that disagree, the weakest first, then persons with the least likely account."""
        judged = self.judgements.judged().with_columns(is_judged=pl.lit(value=True))
        said = self.judgements.pairs()
        open_asks = self.asks.join(said, on=said.columns, how="anti", maintain_order="left")
        several = self.members.filter(pl.len().over("person") > 1)
        rest = several.join(judged, on=["network", "user"], how="left", maintain_order="left")
        open_persons = rest.group_by("person", maintain_order=True).agg(
            pl.col("probability").min(), pl.len().alias("accounts"), pl.col("is_judged").any(ignore_nulls=True)
        )
        open_persons = open_persons.filter(~pl.col("is_judged").fill_null(value=False)).sort("probability")
        return {
            "n_asks": open_asks.height,
            "asks": [self._ask(row) for row in open_asks.head(SHOWN_ASKS).iter_rows(named=True)],
            "doubtful": [self._named(row) for row in open_persons.head(SHOWN_ASKS).iter_rows(named=True)],
            "n_persons": several["person"].n_unique(),
            "n_open": open_persons.height,
            "judged": self.judgements.count(),
        }

    def person(self, person: str, reviewer: str) -> Values:
        """All accounts side by side, what ties each to the others, and persons that may be the same."""
        accounts = self.accounts_of(person)
        belongs = dict(zip(accounts, self._by_person[person,]["probability"].to_list(), strict=True))
        predicates: dict[str, None] = {}
        shown = [self._account(account, belongs[account]) for account in accounts]
        for each in shown:
            predicates |= dict.fromkeys(each["shown"])
        pairs = [(first, second) for at, first in enumerate(accounts) for second in accounts[at + 1 :]]
        ties = [(tie, first, second) for first, second in pairs if (tie := self.judgements.tie(first, second))]
        return {
            "person": person,
            "accounts": shown,
            "columns": list(predicates),
            "ties": [self._tie(*each, reviewer) for each in ties],
            "others": self._others(person, accounts, reviewer),
        }

    def search(self, text: str) -> list[Values]:
        """Persons with an account whose id or name contains the text."""
        found: dict[str, Values] = {}
        for name, accounts in self.networks.items():
            for row in accounts.search(text, SHOWN_ASKS):
                user = accounts.users[row]
                person = self._persons[name, user]
                found.setdefault(person, {"person": person, **self._called((name, user))})
        return list(found.values())[:SHOWN_ASKS]

    def _account(self, account: Account, probability: float) -> Values:
        network, user = account
        accounts = self.networks[network]
        row = accounts.row_of(user)
        values = [predicate_values(accounts, name, found, whole=False) for name, found in accounts.objects(row).items()]
        listed = accounts.pictures(row)
        pictures = [
            {"url": f"/picture?{urlencode({'network': network, 'user': user, 'n': n})}", "listed": path[-200:]}
            for n, path in enumerate(listed[:1])
            if (file := self.picture(network, path)) is not None and is_sound(file)
        ]
        return {
            **self._called(account),
            "probability": round(probability, 4),
            "pictures": pictures,
            "shown": {part["predicate"]: part["objects"] for part in values if part["objects"]},
        }

    def _called(self, account: Account) -> Values:
        network, user = account
        accounts = self.networks[network]
        return {"network": network, "user": user, "name": accounts.called(accounts.row_of(user))[:120]}

    def _tie(self, tie: Tie, first: Account, second: Account, reviewer: str) -> Values:
        """How likely two accounts are one person by themselves, and what is said for it."""
        users = [tie.left, tie.right]
        links = self._links[tie.pair].filter(pl.col("left").is_in(users), pl.col("right").is_in(users))
        link = links.row(0, named=True) if links.height else None
        said = self.judgements.of_tie(tie)
        return {
            "first": self._called(first),
            "second": self._called(second),
            "probability": link["probability"] if link else None,
            "decision": link["decision"] if link else "not linked",
            "evidence": (link["evidence"] or "") if link else "",
            "mine": next((each.verdict.value for each in said if each.reviewer == reviewer), None),
            "others_say": [f"{each.reviewer}: {each.verdict.value}" for each in said if each.reviewer != reviewer],
        }

    def _others(self, person: str, accounts: Sequence[Account], reviewer: str) -> list[Values]:
        """Persons whom links, chosen or not, tie to this one, the likeliest first."""
        mine, found = set(accounts), dict[str, tuple[float, Account, Account, Values]]()
        for pair, links in self._links.items():
            names = [self.manifest.names[place] for place in pair]
            lefts, rights = ([user for network, user in accounts if network == name] for name in names)
            near = links.filter(pl.col("left").is_in(lefts) | pl.col("right").is_in(rights))
            for link in near.iter_rows(named=True):
                ends = (names[0], link["left"]), (names[1], link["right"])
                own, other = ends if ends[0] in mine else ends[::-1]
                whose, likely = self._persons[other], link["probability"] or 0.0
                if whose != person and (whose not in found or likely > found[whose][0]):
                    found[whose] = (likely, own, other, link)
        best = sorted(found.items(), key=lambda each: -each[1][0])[:SHOWN_OTHERS]
        return [self._other(whose, *what, accounts, reviewer) for whose, what in best]

    def _other(
        self,
        whose: str,
        likely: float,
        own: Account,
        other: Account,
        link: Values,
        accounts: Sequence[Account],
        reviewer: str,
    ) -> Values:
        ties = self.judgements.ties(accounts, self.accounts_of(whose))
        mine = [each.verdict for tie in ties for each in self.judgements.of_tie(tie) if each.reviewer == reviewer]
        return {
            "person": whose,
            "accounts": [self._called(each) for each in self.accounts_of(whose)],
            "own": self._called(own),
            "other": self._called(other),
            "probability": likely,
            "decision": link["decision"],
            "evidence": link["evidence"] or "",
            "merged": bool(mine) and all(verdict is Verdict.MATCH for verdict in mine),
        }

    def _ask(self, row: Values) -> Values:
        ends = (row["network"], row["user"]), (row["other_network"], row["other_user"])
        first, second = ({**self._called(end), "person": self._persons[end]} for end in ends)
        return {"first": first, "second": second, "probability": row["probability"], "triangles": row["triangles"]}

    def _named(self, row: Values) -> Values:
        account = self.accounts_of(row["person"])[0]
        return {**self._called(account), "person": row["person"], "n": row["accounts"], "least": row["probability"]}


def _read_links(part: Path) -> pl.DataFrame:
    """What a part says of its chosen pairs."""
    listed = read_table(part / LISTING, str(part / LISTING)).filter(pl.col("right").is_not_null())
    return listed.select("left", "right", pl.col("probability").cast(pl.Float64), "decision", "evidence")
