"""What each address shows: every page has a JSON twin, at the same path with `.json` or by the Accept header."""

from functools import lru_cache
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from factlink.evaluation.agreement import agreements
from factlink.review.answers import Answers
from factlink.review.pictures import thumbnail
from factlink.review.request_parameters import (
    asked_for,
    bulk_threshold,
    filters_of,
    query_of,
    side_of,
    whole_number,
)
from factlink.review.view_models import Values, ViewModels
from factlink.runs.reviewing import count_verdicts

SHOWN_FOUND = 20


class Pages:
    """What each address answers."""

    def __init__(self, views: ViewModels, answers: Answers) -> None:
        self._views, self._answers, self._blind = views, answers, answers.settings.blind
        self._thumbnail = lru_cache(maxsize=512)(thumbnail)

    def queue(self, request: Request) -> tuple[str, Values]:
        """The open pair whose answer settles most."""
        filters, skipped = filters_of(dict(request.query_params), blind=self._blind)
        reviewer = self._answers.reviewer(request)
        decided = self._views.decided.by(reviewer) if self._blind else self._views.decided.by_anybody()
        place = self._views.queue.next_place(filters, decided, reviewer, skipped)
        order = self._views.queue.fitting(filters)
        query = query_of(filters, skipped)
        values: Values = {
            "filters": query,
            "query": urlencode(query),
            "skip_query": urlencode(query_of(filters, skipped + 1)),
            "pairs": len(order),
            "decided": int(decided[order].sum()),
            "pair": None,
            "notice": _notice(request),
        }
        if place is not None:
            pairings = self._views.queue.pairings
            values["pair"] = self._pair(int(pairings.lefts[place]), int(pairings.rights[place]), reviewer)
        return "queue.html", values

    def bulk(self, request: Request) -> tuple[str, Values]:
        """How many open links have at least a probability, and which: what accepting them all would judge."""
        at_least = bulk_threshold(request.query_params.get("at_least", ""), blind=self._blind)
        places = self._views.queue.confident_links(at_least, self._views.decided.by_anybody())
        pairings = self._views.queue.pairings
        probabilities = pairings.figures["probability"].gather(places).to_list()
        shown = [
            {
                "left": self._views.named(self._views.left, int(pairings.lefts[place])),
                "right": self._views.named(self._views.right, int(pairings.rights[place])),
                "probability": round(float(pairings.figures["probability"][int(place)]), 6),
            }
            for place in places[::-1][:SHOWN_FOUND]
        ]
        figures = {"count": len(places), "expected_false": round(sum(1 - p for p in probabilities), 2)}
        return "bulk.html", {"at_least": at_least, "least_probable": shown, **figures}

    def pair(self, request: Request) -> tuple[str, Values]:
        """Any left user beside any right user: why they were linked, or why not."""
        left = self._views.left.row_of(asked_for(request, "left"))
        right = self._views.right.row_of(asked_for(request, "right"))
        undone = request.query_params.get("undone") == "1"
        return "pair.html", {"pair": self._pair(left, right, self._answers.reviewer(request)), "undone": undone}

    def user(self, request: Request) -> tuple[str, Values]:
        """One account, with its best candidates."""
        accounts = self._views.side(side_of(request))
        row = accounts.row_of(asked_for(request, "user"))
        whole = request.query_params.get("all") == "1"
        values: Values = {"account": self._views.account(accounts, row, whole=whole), "whole": whole}
        if accounts.side == "left":
            values["candidates"] = self._views.candidates(row, blind=self._blind)
        else:
            values["candidates"] = [] if self._blind else self._views.linked_lefts(row)
        return "user.html", values

    def search(self, request: Request) -> tuple[str, Values]:
        """Users by a part of their id or name."""
        text, network = request.query_params.get("q", "").strip()[:200], request.query_params.get("network", "")
        sides = [side for side in (self._views.left, self._views.right) if network in ("", side.name)]
        found = [
            {"network": side.name, "users": [self._views.named(side, row) for row in side.search(text, SHOWN_FOUND)]}
            for side in sides
            if text
        ]
        return "search.html", {"q": text, "found": found, "most": SHOWN_FOUND}

    def progress(self, request: Request) -> tuple[str, Values]:
        """How far the review is, and how right the run's links proved."""
        by_reviewer = self._views.judgements.by_reviewer()
        counts = count_verdicts(by_reviewer)
        if self._blind:
            counts = {name: count for name, count in counts.items() if name == self._answers.reviewer(request)}
        decided = self._views.decided.by_anybody()
        order = self._views.queue.pairings.order
        values: Values = {"reviewers": counts, "pairs": len(order), "decided": int(decided[order].sum())}
        return "progress.html", values | {"precision": None if self._blind else self._views.judged_links()}

    def agreement(self, request: Request) -> tuple[str, Values]:
        """Cohen's kappa between every two reviewers."""
        found = agreements(self._views.judgements.by_reviewer())
        names = ("first", "second", "pairs", "agreed", "kappa")
        return "agreement.html", {"agreements": [{name: getattr(each, name) for name in names} for each in found]}

    def picture(self, request: Request) -> Response:
        """A small copy of a picture that the run lists for a user."""
        accounts = self._views.side(side_of(request))
        listed = accounts.pictures(accounts.row_of(asked_for(request, "user")))
        n = whole_number(request, "n")
        path = self._views.picture(accounts, listed[n]) if n < len(listed) else None
        small = self._thumbnail(path) if path is not None else None
        if small is None:
            raise HTTPException(404, "This picture is not there, not in the network's folder, or no sound picture.")
        return Response(small, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})

    def _pair(self, left: int, right: int, reviewer: str) -> Values:
        return self._views.pair(left, right, reviewer, blind=self._blind)


def _notice(request: Request) -> str:
    """What was just done to several pairs at once."""
    for name, sentence in (("judged", "{} pairs were judged match."), ("undone", "{} judgements were undone.")):
        if count := whole_number(request, name):
            return sentence.format(f"{count:,}")
    return ""
