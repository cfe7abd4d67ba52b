import pytest

from factlink.data.exports import recognises
from factlink.errors import InputError
from tests.data.exports.conftest import Pack
from tests.data.exports.reading import found_in, links, users

NOTES = 'Notes:\r\n"When exporting your connection data, you may notice, that ..."\r\n\r\n'
HEADER = "First Name,Last Name,URL,Email Address,Company,Position,Connected On\r\n"
ROWS = (
    'Bob,Lee,https://www.linkedin.com/in/bob-lee-1a2b,bob@example.org,"Acme, Inc.",Engineer,12 Mar 2024\r\n'
    "Eve,,,,,,03 Jan 2023\r\n"
    "Eve,,,,,,04 Jan 2023\r\n"
    ",,,,,,\r\n"
    ",,,,Globex,,\r\n"
)
PROFILE = "First Name,Last Name,Maiden Name,Headline,Summary,Industry,Geo Location\r\nAmy,Tan,,Writer,Writes.,,Oslo\r\n"
FILES = {"Connections.csv": "\ufeff" + NOTES + HEADER + ROWS, "Profile.csv": PROFILE}


def test_connections_and_profile(pack: Pack) -> None:
    found = found_in(pack("Basic_LinkedInDataExport", FILES))
    assert users(found) == {
        "me": {"name": "Amy Tan", "headline": "Writer", "bio": "Writes.", "location": "Oslo"},
        "bob-lee-1a2b": {
            "name": "Bob Lee",
            "username": "bob-lee-1a2b",
            "company": "Acme, Inc.",
            "position": "Engineer",
        },
        "Eve": {"name": "Eve"},
        "Eve (2)": {"name": "Eve"},
    }
    assert len(links(found)) == 6
    assert ("bob-lee-1a2b", "me", "follows", 1) in links(found)
    assert found.notes[1] == "Connections.csv: 1 entry without a name or an address left out"
    assert not any("example.org" in str(cell) for row in found.tables.users.rows() for cell in row)


def test_the_file_alone_without_notes(folder_of: Pack) -> None:
    path = folder_of("one", {"Connections.csv": HEADER + ROWS}) / "Connections.csv"
    assert found_in(path).tables.users.height == 4


def test_any_other_table_is_not_recognised(folder_of: Pack) -> None:
    assert not recognises(folder_of("other", {"connections.csv": "source,target\n1,2\n"}))


def test_damage(folder_of: Pack) -> None:
    broken = NOTES + HEADER + 'Bob,"Lee' + "x" * 200_000
    with pytest.raises(InputError, match=r"Connections.csv is damaged \(field larger than field limit"):
        found_in(folder_of("cut", {"Connections.csv": broken}))
