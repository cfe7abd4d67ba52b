"""What people write: verdicts, undoing the last one, and under which name."""

from urllib.parse import parse_qsl, quote, urlencode

from starlette.requests import Request
from starlette.responses import Response

from factlink.data.formats.html_text import forbidden_in
from factlink.errors import InputError
from factlink.review.answers import Answers
from factlink.review.request_parameters import bulk_threshold, filters_of, query_of
from factlink.review.view_models import ViewModels
from factlink.runs.folder.judgements import LONGEST_NAME
from factlink.types import Verdict

Fields = dict[str, str]


class Writing:
    """Takes forms and JSON objects; what it acknowledges is on disk."""

    def __init__(self, views: ViewModels, answers: Answers) -> None:
        self._views, self._answers = views, answers

    def judge(self, request: Request, fields: Fields) -> Response:
        """Keeps a verdict; everything is checked before anything is kept."""
        left, right = fields.get("left", ""), fields.get("right", "")
        self._views.left.row_of(left)
        self._views.right.row_of(right)
        if fields.get("verdict") not in [verdict.value for verdict in Verdict]:
            raise InputError(
                f"no verdict is called '{fields.get('verdict', '')[:20]}'; there are: {', '.join(Verdict)}"
            )
        verdict, note = Verdict(fields["verdict"]), _typed(fields, "note").strip()
        filters, skipped = filters_of(dict(parse_qsl(fields.get("filters", ""))), blind=self._answers.settings.blind)
        row = self._views.judgements.add(left, right, verdict, self._answers.reviewer(request), note)
        if fields.get("page") == "pair":
            return self._answers.done(request, f"/pair?{urlencode({'left': left, 'right': right})}", {"judgement": row})
        return self._answers.done(request, f"/queue?{urlencode(query_of(filters, skipped))}", {"judgement": row})

    def bulk(self, request: Request, fields: Fields) -> Response:
        """Judges all open links of at least a probability a match, if they are as many as the reviewer saw."""
        at_least = bulk_threshold(fields.get("at_least", ""), blind=self._answers.settings.blind)
        views, pairings = self._views, self._views.queue.pairings
        places = views.queue.confident_links(at_least, views.decided.by_anybody())
        if fields.get("count") != str(len(places)):
            raise InputError(
                f"{len(places):,} open links have a probability of {at_least:g} or more now, "
                f"not {fields.get('count', '')[:20] or 'an unknown number'}; look at them again"
            )
        lefts = views.left.users.gather(pairings.lefts[places]).to_list()
        rights = views.right.users.gather(pairings.rights[places]).to_list()
        why, reviewer = f"probability {at_least:g} or more", self._answers.reviewer(request)
        judged = views.judgements.add_together(list(zip(lefts, rights, strict=True)), Verdict.MATCH, reviewer, why)
        return self._answers.done(request, f"/queue?judged={judged}", {"judged": judged})

    def undo(self, request: Request, fields: Fields) -> Response:
        """Takes the reviewer's last judgement back, or all that were made together."""
        withdrawn = self._views.judgements.withdraw_last(self._answers.reviewer(request))
        if not withdrawn:
            return self._answers.done(request, "/queue", {"undone": None})
        if len(withdrawn) > 1:
            return self._answers.done(request, f"/queue?undone={len(withdrawn)}", {"undone": len(withdrawn)})
        undone = withdrawn[0]
        pair = {"left": undone.left, "right": undone.right}
        return self._answers.done(
            request, f"/pair?{urlencode(pair)}&undone=1", {"undone": pair | {"verdict": undone.verdict}}
        )

    def rename(self, request: Request, fields: Fields) -> Response:
        """Sets the name under which this browser judges."""
        return rename_reviewer(self._answers, request, fields)


def rename_reviewer(answers: Answers, request: Request, fields: Fields) -> Response:
    """Sets the name under which a browser judges."""
    name = " ".join(_typed(fields, "reviewer").split())[:LONGEST_NAME]
    if not name:
        raise InputError("a reviewer needs a name; type one")
    answer = answers.done(request, "/queue", {"reviewer": name})
    answer.set_cookie(answers.name_cookie, quote(name), httponly=True, samesite="strict", path=answers.home)
    return answer


def _typed(fields: Fields, name: str) -> str:
    """What somebody typed, if a page can show it."""
    if (found := forbidden_in(fields.get(name, ""))) is not None:
        raise InputError(f"the {name} holds {found}, which no page can show; leave it out")
    return fields.get(name, "")
