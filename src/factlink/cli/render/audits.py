"""An audit on a terminal."""

import sys
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from factlink.audits.auditing import Audit
from factlink.audits.page import summarise
from factlink.audits.risks import Share
from factlink.audits.writing import PAGE
from factlink.cli.render.as_json import print_json

SHOWN = 8


def print_audit(audit: Audit, folder: Path, *, as_json: bool) -> None:
    """The summary, the risk by level, reasons, measures, and where the page is."""
    values = audit.as_dict()
    if as_json:
        print_json(values)
        return
    console = Console(file=sys.stdout)
    for table in (_risks(audit), _reasons(audit), _measures(audit)):
        console.print(table)
    _print_account(audit, console)
    console.print(escape(summarise(values)), soft_wrap=True, highlight=False)
    console.print(f"audit  {escape(str(folder / PAGE))}  ({audit.attacks} attacks)", soft_wrap=True, highlight=False)


def _risks(audit: Audit) -> Table:
    how = "by the truth" if audit.by_truth else "estimated without labels"
    table = Table(title=f"Risk of {audit.people:,} people, {how}", title_justify="left")
    for column in ("certainty", "linked correctly", "decoys linked", "above the decoys"):
        table.add_column(column, justify="right")
    for risk in audit.risks:
        figures = _interval(risk.correct), _interval(risk.baseline), f"{risk.above_baseline:.1%}"
        table.add_row(f"{risk.level:.0%}", *figures)
    return table


def _reasons(audit: Audit) -> Table:
    table = Table(title="Why: what gives people away", title_justify="left")
    table.add_column("column or links")
    for column in ("part of the risk", "alone", "without"):
        table.add_column(column, justify="right")
    for reason in audit.reasons.single[:SHOWN]:
        figures = (f"{share:z.1%}" for share in (reason.shapley or 0.0, reason.alone, reason.without))
        table.add_row(escape(reason.parts[0]), *figures)
    return table


def _measures(audit: Audit) -> Table:
    table = Table(title="What would help, one by one", title_justify="left")
    table.add_column("measure")
    for column in ("risk after it", "information lost"):
        table.add_column(column, justify="right")
    for tried in audit.advice.single[:SHOWN]:
        table.add_row(escape(tried.measures[0].words), _interval(tried.risk), f"{tried.cost:.1%}")
    return table


def _print_account(audit: Audit, console: Console) -> None:
    account = audit.account
    if account is None:
        return
    if not account.linked:
        console.print(escape(f"Account {account.user} is not linked (probability {account.probability:.2f})."))
        return
    table = Table(title=escape(f"Account {account.user} is linked to {account.partner}"), title_justify="left")
    for column in ("what gives it away", "here", "probability without it and those above"):
        table.add_column(column)
    for thing in account.things:
        table.add_row(escape(thing.predicate), escape(thing.shown[:60]), f"{thing.probability:.2f}")
    console.print(table)
    hides = "these do not hide it" if account.smallest is None else f"remove {', '.join(account.smallest)}"
    console.print(escape(f"The smallest change found that hides it: {hides}."), highlight=False)


def _interval(share: Share) -> str:
    return f"{share.value:.1%} ({share.low:.1%}–{share.high:.1%})"
