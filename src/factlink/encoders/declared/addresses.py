"""Profile addresses and labels of the common networks: one line each, easy to extend."""

HANDLE = r"[\p{L}\p{N}_](?:[\p{L}\p{N}_.\-]{0,48}[\p{L}\p{N}_])?"
"""What a handle looks like."""

PROFILES: dict[str, str] = {
    "twitter": r"(?:twitter|x)\.com/@?(?:intent/user\?screen_name=)?({h})",
    "instagram": r"(?:instagram|instagr)\.(?:com|am)/({h})",
    "facebook": r"(?:facebook|fb)\.(?:com|me)/(?:people/|pg/)?({h})",
    "threads": r"threads\.(?:net|com)/@({h})",
    "bluesky": r"bsky\.app/profile/@?({h})",
    "linkedin": r"linkedin\.com/(?:in|company|pub)/({h})",
    "github": r"github\.com/({h})",
    "gitlab": r"gitlab\.com/({h})",
    "youtube": r"youtube\.com/(?:@|user/|c/|channel/)?({h})",
    "tiktok": r"tiktok\.com/@({h})",
    "reddit": r"reddit\.com/(?:u|user)/({h})",
    "telegram": r"(?:t|telegram)\.me/({h})",
    "medium": r"medium\.com/@({h})",
    "flickr": r"flickr\.com/(?:people|photos)/({h})",
    "stackexchange": r"(?:stackoverflow|stackexchange|serverfault|superuser)\.com/users/(\d+)",
    "orcid": r"orcid\.org/([\dX\-]{{19}})",
    "mastodon": r"[\w.\-]+/@({h})",
}
"""By network: the address of a profile after the scheme, the handle in the first group; the first that fits counts."""

LABELS: dict[str, str] = {
    "ig": "instagram",
    "insta": "instagram",
    "tw": "twitter",
    "x": "twitter",
    "fb": "facebook",
    "tg": "telegram",
    "gh": "github",
    "yt": "youtube",
    "tt": "tiktok",
    "bsky": "bluesky",
    **{network: network for network in PROFILES},
}
"""Words before a handle, as in "IG: name", by the network they mean."""

NOBODY = ("home", "share", "login", "explore", "search", "about", "help", "hashtag", "intent", "watch", "status")
"""First parts of addresses that are no handle."""


def network_called(name: str) -> str:
    """The common network that a network's name speaks of; empty if none."""
    words = "".join(letter if letter.isalnum() else " " for letter in name.lower()).split()
    return next((LABELS[word] for word in words if word in LABELS), "")
