"""Risk by hand: forty of sixty people are linked, twenty with .95 and twenty with .6."""

from dataclasses import replace

import numpy as np
import pytest

from factlink.audits.attacks import Attack, Attacker
from factlink.audits.groups import check_columns, risk_by_group
from factlink.audits.release import Release
from factlink.audits.risks import measure_risks, share_of
from factlink.data.pairs import Truth
from factlink.errors import InputError
from factlink.types import Kind, Pairs
from tests.audits.conftest import column


def test_risk_without_labels_is_the_sum_of_probabilities(attack: Attack) -> None:
    risks = measure_risks(attack)
    assert [risk.correct.value for risk in risks] == pytest.approx([31 / 60, 19 / 60, 0.0], abs=1e-6)
    assert [risk.claimed.value for risk in risks] == pytest.approx([40 / 60, 20 / 60, 0.0])
    assert [risk.baseline.value for risk in risks] == [0.0, 0.0, 0.0]
    assert risks[0].baseline.people == 50


def test_risk_by_the_truth_counts_correct_links(attacker: Attacker, true_release: Release) -> None:
    risks = measure_risks(attacker.attack(true_release))
    assert [risk.correct.value for risk in risks] == pytest.approx([40 / 60, 20 / 60, 0.0])


def test_wrong_links_do_not_count_by_the_truth(attacker: Attacker, release: Release) -> None:
    swapped = np.arange(40)
    swapped[[0, 1]] = swapped[[1, 0]]
    wrong = replace(release, truth=Truth(Pairs(np.arange(40), swapped), np.empty(0, np.int64)))
    assert attacker.attack(wrong).risk(0.5) == pytest.approx(38 / 40)


def test_known_pairs_are_not_counted(attacker: Attacker, release: Release) -> None:
    known = replace(release, known=Pairs(np.arange(20), np.arange(20)))
    assert attacker.attack(known).risk(0.5) == pytest.approx(12 / 40)


def test_people_who_are_linked_as_often_as_decoys_are_at_no_risk(attack: Attack) -> None:
    assert replace(attack, decoys=np.full(50, 0.6, np.float32)).risk(0.5) == 0.0
    many, few = np.zeros(50, np.float32), np.zeros(50, np.float32)
    many[:34], few[:5] = 0.6, 0.6
    assert replace(attack, decoys=many).risk(0.5) == 0.0
    assert replace(attack, decoys=few).risk(0.5) == pytest.approx(31 / 60)


def test_risk_is_never_more_than_the_decoys_allow(attack: Attack) -> None:
    half = np.zeros(2000, np.float32)
    half[:1000] = 0.6
    certain = np.where(attack.rights >= 0, 0.99, 0).astype(np.float32)
    # two standard errors are .1238, so at most (2/3 − .5 + .1238) / (1 − .5) are linked correctly, not .66
    assert replace(attack, decoys=half, probabilities=certain).risk(0.5) == pytest.approx(0.5808, abs=1e-4)


def test_nothing_to_link_by_is_no_risk_unless_it_has_to_be_there(attacker: Attacker, release: Release) -> None:
    bare = release.publish(replace(release.left, attributes={}))
    assert attacker.attack(bare).risk(0.5) == 0.0
    with pytest.raises(InputError, match="no columns to link by"):
        attacker.attack(bare, may_be_empty=False)


def test_wilson_interval_by_hand() -> None:
    share = share_of(5, 10)
    assert (share.value, share.low, share.high) == pytest.approx((0.5, 0.2366, 0.7634), abs=1e-4)
    assert share_of(0, 10).low == 0.0
    assert share_of(0, 0).high == 1.0


def test_groups_by_links_and_by_a_column(attacker: Attacker, release: Release) -> None:
    towns = column(["Oslo"] * 20 + ["Bergen"] * 20 + ["Oslo"] * 5 + [""] * 15, Kind.CATEGORY)
    left = replace(release.left, attributes={**release.left.attributes, "town": towns})
    groups = risk_by_group(attacker.attack(release.publish(left)), ["town"])
    found = {(group.by, group.name): (group.risk.people, round(group.risk.value, 3)) for group in groups}
    assert found["town", "Oslo"] == (25, 0.76)
    assert found["town", "Bergen"] == (20, 0.6)
    assert found["town", "(empty)"] == (15, 0.0)
    assert found["links", "1 to 4 links"] == (51, 0.608)
    assert found["names", "a rare name"] == (60, 0.517)
    assert ("links", "no links") not in found  # nine people


def test_a_column_to_group_by_has_to_be_there(release: Release) -> None:
    with pytest.raises(InputError, match="no column 'town' to group by; there are: name, handle"):
        check_columns(release.left, ["town"])
