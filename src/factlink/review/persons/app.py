"""The addresses of a review of persons, and what answers at each."""

from functools import lru_cache
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from factlink.errors import InputError
from factlink.review.answers import Answers, ReviewSettings
from factlink.review.app import guarded_app
from factlink.review.persons.view_models import PersonViews
from factlink.review.pictures import thumbnail
from factlink.review.request_parameters import asked_for, whole_number
from factlink.review.security import Door
from factlink.review.view_models import Values
from factlink.review.writing import Fields, rename_reviewer
from factlink.runs.several.judging import Tie
from factlink.types import Verdict


def make_persons_app(views: PersonViews, settings: ReviewSettings, door: Door) -> Starlette:
    """The review of a run of three networks or more behind its door."""
    answers = Answers(views, settings, door)
    pages, writing = PersonPages(views, answers), PersonWriting(views, answers)
    written = (("judge", writing.judge), ("split", writing.split), ("merge", writing.merge), ("undo", writing.undo))
    routes = [
        Route("/", lambda request: RedirectResponse(f"{door.place}/queue", 303)),
        *(
            Route(f"/{page.__name__}{twin}", answers.showing(page), methods=["GET"])
            for page in (pages.queue, pages.person, pages.search)
            for twin in ("", ".json")
        ),
        Route("/picture", pages.picture),
        *(Route(f"/{name}", answers.taking(write), methods=["POST"]) for name, write in written),
        Route("/reviewer", answers.taking(writing.rename), methods=["POST"]),
    ]
    return guarded_app(routes, answers, door)


class PersonPages:
    """What each address shows."""

    def __init__(self, views: PersonViews, answers: Answers) -> None:
        self._views, self._answers = views, answers
        self._thumbnail = lru_cache(maxsize=512)(thumbnail)

    def queue(self, request: Request) -> tuple[str, Values]:
        """What to ask first."""
        return "persons.html", self._views.queue() | {"undone": whole_number(request, "undone")}

    def person(self, request: Request) -> tuple[str, Values]:
        """One person, by id or by an account."""
        if "id" in request.query_params:
            person = asked_for(request, "id")
        else:
            person = self._views.person_of(asked_for(request, "network"), asked_for(request, "user"))
        judged = whole_number(request, "judged")
        return "person.html", self._views.person(person, self._answers.reviewer(request)) | {"judged": judged}

    def search(self, request: Request) -> tuple[str, Values]:
        """Persons by a part of an id or a name."""
        text = request.query_params.get("q", "").strip()[:200]
        return "persons_found.html", {"q": text, "found": self._views.search(text) if text else []}

    def picture(self, request: Request) -> Response:
        """A small copy of a picture that a network lists for a user."""
        network = asked_for(request, "network")
        accounts = self._views.network(network)
        listed = accounts.pictures(accounts.row_of(asked_for(request, "user")))
        n = whole_number(request, "n")
        path = self._views.picture(network, listed[n]) if n < len(listed) else None
        small = self._thumbnail(path) if path is not None else None
        if small is None:
            raise HTTPException(404, "This picture is not there, not in the network's folder, or no sound picture.")
        return Response(small, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


class PersonWriting:
    """Splits, merges and verdicts; what it acknowledges is on disk."""

    def __init__(self, views: PersonViews, answers: Answers) -> None:
        self._views, self._answers = views, answers

    def judge(self, request: Request, fields: Fields) -> Response:
        """A verdict on two accounts."""
        if fields.get("verdict") not in [verdict.value for verdict in Verdict]:
            known = ", ".join(Verdict)
            raise InputError(f"no verdict is called '{fields.get('verdict', '')[:20]}'; there are: {known}")
        first = fields.get("first_network", ""), fields.get("first", "")
        second = fields.get("second_network", ""), fields.get("second", "")
        person, _ = self._views.person_of(*first), self._views.person_of(*second)
        ties = self._views.judgements.ties([first], [second])
        return self._judged(request, person, self._say(request, ties, Verdict(fields["verdict"]), ""))

    def split(self, request: Request, fields: Fields) -> Response:
        """An account does not belong to its person: it matches no other account of it."""
        account = fields.get("network", ""), fields.get("user", "")
        person = self._views.person_of(*account)
        others = [each for each in self._views.accounts_of(person) if each != account]
        if not others:
            raise InputError("the account is the only one of its person; there is nothing to split")
        ties = self._views.judgements.ties([account], others)
        why = f"{account[1]} of {account[0]} is not person {person}"
        return self._judged(request, person, self._say(request, ties, Verdict.NON_MATCH, why))

    def merge(self, request: Request, fields: Fields) -> Response:
        """Two persons are one: all of their accounts match that were compared."""
        person, other = fields.get("person", ""), fields.get("other", "")
        if person == other:
            raise InputError("a person cannot be merged with itself; name another")
        ties = self._views.judgements.ties(self._views.accounts_of(person), self._views.accounts_of(other))
        why = f"persons {person} and {other} are one"
        return self._judged(request, person, self._say(request, ties, Verdict.MATCH, why))

    def undo(self, request: Request, fields: Fields) -> Response:
        """Takes back what the reviewer said last."""
        undone = self._views.judgements.withdraw_last(self._answers.reviewer(request))
        return self._answers.done(request, f"/queue?{urlencode({'undone': undone})}", {"undone": undone})

    def rename(self, request: Request, fields: Fields) -> Response:
        """Sets the name under which this browser judges."""
        return rename_reviewer(self._answers, request, fields)

    def _say(self, request: Request, ties: list[Tie], verdict: Verdict, why: str) -> int:
        return self._views.judgements.judge(ties, verdict, self._answers.reviewer(request), why)

    def _judged(self, request: Request, person: str, count: int) -> Response:
        onward = f"/person?{urlencode({'id': person, 'judged': count})}"
        return self._answers.done(request, onward, {"person": person, "judged": count})
