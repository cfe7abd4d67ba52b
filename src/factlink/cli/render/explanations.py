"""Explanations on a terminal: a bar for every part, to the right if it is evidence for the pair, else to the left."""

import math
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from factlink.cli.render.as_json import print_json
from factlink.evidence import REST, RIVALS, Evidence
from factlink.explanations.explain import Explanation
from factlink.runs.explaining import Explained

BAR = 8
"""Cells of the longest bar, each way."""
PREDICATE = 18
"""Largest width of the predicate of a part, in cells; longer ones wrap."""
SHOWN, SHOWN_OF_MANY = 20, 7
MOST_TIMES = math.log(1e9)
"""Log odds from which on it says no more than a thousand million times."""
SEPARATE = (
    "The names or pictures agree as well as in the best quarter of the links, but no friend of one is linked to a "
    "friend of the other."
)
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def announce_refit(seconds: float) -> None:
    """Says why the explanation takes long."""
    sys.stderr.write(f"The run keeps no evidence for this pair; fitting again (the first fit took {seconds:.0f} s) …\n")


def print_explanations(explained: Sequence[Explained], *, as_json: bool) -> None:
    """One chart for each pair; shorter ones if there are several."""
    if as_json:
        values = [explained_as_json(each) for each in explained]
        print_json(values)
        return
    console = Console(file=sys.stdout)
    for each in explained:
        console.print(_chart(each, SHOWN if len(explained) == 1 else SHOWN_OF_MANY))
        if each.in_log_odds:
            console.print(_in_words(each.explanation), highlight=False)
        if line := _closing(each.explanation):
            console.print(line, highlight=False)
        if each.explanation.has_separate_friends:
            console.print(SEPARATE, style="yellow")
        console.print()


def explained_as_json(explained: Explained) -> dict[str, Any]:
    """All parts and figures of a pair."""
    explanation = explained.explanation
    return {
        "left": explanation.left,
        "right": explanation.right,
        "names": list(explained.names),
        "decision": explained.decision,
        "probability": explained.probability,
        "rank": explained.rank,
        "score": explanation.score,
        "total": explanation.total,
        "gap": explanation.gap,
        "has_separate_friends": explanation.has_separate_friends,
        "parts": [asdict(part) for part in explanation.parts],
    }


def _chart(explained: Explained, shown: int) -> Table:
    explanation = explained.explanation
    table = Table(title=escape(explained.title()), title_justify="left", show_header=False, box=None, pad_edge=False)
    table.add_column(no_wrap=True, min_width=2 * BAR + 1)
    table.add_column(justify="right", no_wrap=True, min_width=7)
    if explained.in_log_odds:
        table.add_column(justify="right", no_wrap=True)
    table.add_column(max_width=PREDICATE)
    table.add_column(overflow="fold")
    rows = _rows(explanation.parts, shown)
    longest = max((abs(weight) for weight, _, _ in rows), default=1.0)
    for weight, predicate, met in rows:
        times = [times_likelier(weight)] if explained.in_log_odds else []
        table.add_row(_bar(weight / longest), f"{weight:+z.3f}", *times, escape(predicate), escape(met))
    return table


def times_likelier(log_odds: float) -> str:
    """×1,200 or ÷30: how many times likelier log odds make it that two users are one person, in two digits."""
    times = math.exp(min(abs(log_odds), MOST_TIMES))
    digits = max(0, math.floor(math.log10(times)) - 1)
    shown = f"{times:.1f}" if times < 9.95 else f"{round(times, -digits):,.0f}"
    return f"{'×' if log_odds >= 0 else '÷'}{shown}"


def _in_words(explanation: Explanation) -> str:
    """What the evidence of the pair comes to, as a person would say it."""
    shared = sum(part.weight for part in explanation.parts if part.kind not in (RIVALS, REST))
    others = sum(part.weight for part in explanation.parts if part.kind == RIVALS)
    said = f"What the two share makes it {_times_in_words(shared)} that they are one person"
    return said + (f"; other candidates and the prior make it {_times_in_words(others)}." if others else ".")


def _times_in_words(log_odds: float) -> str:
    return f"{times_likelier(log_odds)[1:]} times {'likelier' if log_odds >= 0 else 'less likely'}"


def _rows(parts: Sequence[Evidence], shown: int) -> list[tuple[float, str, str]]:
    """Weight, predicate and the two objects: the strongest evidence, the sum of the rest, then competition and gaps."""
    evidence = [part for part in parts if part.kind not in (RIVALS, REST)]
    others = [part for part in parts if part.kind in (RIVALS, REST)]
    rest = len(evidence) - shown
    added = [(sum(part.weight for part in evidence[shown:]), f"all others, {rest} part{'s' if rest > 1 else ''}", "")]
    lines = [(part.weight, part.predicate, _met(part)) for part in evidence[:shown]]
    return lines + (added if rest > 0 else []) + [(p.weight, p.predicate, _met(p)) for p in others]


def _closing(explanation: Explanation) -> str:
    """A line for what the parts do not show: no score, or a gap between the sum of the parts and the score."""
    if explanation.score is None:
        return f"sum {explanation.total:z.3f}; the pair was not a candidate, so the run has no score for it"
    gap = round(explanation.gap or 0.0, 3)
    return f"sum of the parts {explanation.total:z.3f}, gap {gap:+.3f}" if gap else ""


def _met(part: Evidence) -> str:
    met = " ↔ ".join(text for text in (part.left, part.right) if text)
    return f"{met}  [{part.note}]" if part.note else met


def _bar(share: float) -> Text:
    """2·BAR cells: to the right of the middle for a positive share, to the left for a negative one."""
    cells = abs(share) * BAR
    if share >= 0:
        whole = int(cells)
        bar = "█" * whole + (_EIGHTHS[int((cells - whole) * 8)].strip() if whole < BAR else "")
        return Text(" " * BAR + "│") + Text(bar.ljust(BAR), style="green")
    return Text(("█" * round(cells)).rjust(BAR), style="red") + Text("│" + " " * BAR)
