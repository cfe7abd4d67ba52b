"""Profile addresses and labels of the common networks: one line each, easy to extend."""

import re

HANDLE = r"[\p{L}\p{N}_](?:[\p{L}\p{N}_.\-]{0,48}[\p{L}\p{N}_])?"
"""What a handle looks like."""

MASTODON = "mastodon"
"""The network of many hosts: there a handle is name@host."""

PROFILES: tuple[tuple[str, str], ...] = (
    ("twitter", r"(?:twitter|x)\.com/(?:#!/)?@?(?:intent/user\?screen_name=)?({h})"),
    ("instagram", r"(?:instagram|instagr)\.(?:com|am)/({h})"),
    ("facebook", r"(?:facebook|fb)\.(?:com|me)/(?:people/[^/]+/|pg/|profile\.php\?id=)?({h})"),
    ("threads", r"threads\.(?:net|com)/@({h})"),
    ("bluesky", r"bsky\.app/profile/@?({h})"),
    ("linkedin", r"linkedin\.com/(?:in|company|pub)/({h})"),
    ("github", r"github\.com/({h})"),
    ("github", r"({h})\.github\.io"),
    ("gitlab", r"gitlab\.com/({h})"),
    ("youtube", r"youtube\.com/(?:@|user/|c/|channel/)?({h})"),
    ("tiktok", r"tiktok\.com/@({h})"),
    ("reddit", r"reddit\.com/(?:u|user)/({h})"),
    ("telegram", r"(?:t|telegram)\.me/(?:s/)?({h})"),
    ("medium", r"medium\.com/@({h})"),
    ("medium", r"({h})\.medium\.com"),
    ("flickr", r"flickr\.com/(?:people|photos)/({h})"),
    ("stackexchange", r"(?:stackoverflow|stackexchange|serverfault|superuser|askubuntu)\.com/users/(\d+)"),
    ("stackexchange", r"mathoverflow\.net/users/(\d+)"),
    ("orcid", r"orcid\.org/([\dX\-]{{19}})"),
    ("tumblr", r"({h})\.tumblr\.com"),
    ("pinterest", r"pinterest\.com/({h})"),
    ("twitch", r"twitch\.tv/({h})"),
    ("soundcloud", r"soundcloud\.com/({h})"),
    ("keybase", r"keybase\.io/({h})"),
    ("vk", r"vk\.com/({h})"),
    (MASTODON, r"[\w.\-]+/(?:web/)?@({h})"),
    (MASTODON, r"[\w.\-]+/users/({h})"),
)
"""Network, and the address of a profile after the scheme, the handle in the first group; the first that fits counts."""

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
    "fediverse": MASTODON,
    "masto": MASTODON,
    **{network: network for network, _ in PROFILES},
}
"""Words before a handle, as in "IG: name", by the network they mean."""

NOBODY = (
    "about",
    "explore",
    "hashtag",
    "help",
    "home",
    "intent",
    "login",
    "p",
    "search",
    "share",
    "status",
    "watch",
    "www",
)
"""First parts of addresses that are not handles."""

_OWN_ADDRESS = r"{name}\.[a-z]{{{{2,}}}}(?:\.[a-z]{{{{2,}}}})?/(?:@|~|u/|users?/|in/|profiles?/|people/)?({{h}})"


def network_called(name: str) -> str:
    """The common network that a network's name speaks of; empty if none."""
    words = "".join(letter if letter.isalnum() else " " for letter in name.lower()).split()
    return next((LABELS[word] for word in words if word in LABELS), "")


def profiles_for(other: str) -> tuple[tuple[str, str], ...]:
    """The table, and before it the addresses of a network that is not in it: facepage.com/amy is amy of facepage."""
    if network_called(other) or not re.fullmatch(r"[a-z0-9\-]{3,}", other.lower()):
        return PROFILES
    return ("", _OWN_ADDRESS.format(name=re.escape(other.lower()))), *PROFILES
