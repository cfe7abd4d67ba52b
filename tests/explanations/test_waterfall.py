"""The parts of a score as steps."""

from factlink.evidence import Evidence
from factlink.explanations.waterfall import make_waterfall

PARTS = [
    Evidence("prior", "", "", -4.0, "rivals"),
    Evidence("bio", "x", "y", -1.0, "text"),
    Evidence("name", "Ann", "Ann", 3.0, "name"),
    Evidence("city", "Oslo", "Oslo", 0.5, "location"),
]


def test_each_step_begins_where_the_one_before_ended() -> None:
    fall = make_waterfall(PARTS)
    assert [(step.predicate, step.start, step.end) for step in fall.steps] == [
        ("name", 0.0, 3.0),
        ("city", 3.0, 3.5),
        ("bio", 3.5, 2.5),
        ("prior", 2.5, -1.5),
    ]
    assert (fall.total, fall.low, fall.high) == (-1.5, -1.5, 3.5)


def test_bars_are_places_in_the_range() -> None:
    fall = make_waterfall(PARTS)
    assert fall.bar(fall.steps[0]) == {"x": 30.0, "width": 60.0, "zero": 30.0}
    assert fall.bar(fall.steps[3]) == {"x": 0.0, "width": 80.0, "zero": 30.0}
    assert fall.bar() == {"x": 0.0, "width": 30.0, "zero": 30.0}


def test_small_parts_are_added_up() -> None:
    fall = make_waterfall(PARTS, shown=1)
    assert [(step.predicate, step.weight) for step in fall.steps] == [
        ("name", 3.0),
        ("2 smaller parts", -0.5),
        ("prior", -4.0),
    ]


def test_nothing_is_no_range() -> None:
    assert make_waterfall([]).values() == {"steps": [], "total": 0.0, "bar": {"x": 0.0, "width": 0.4, "zero": 0.0}}
