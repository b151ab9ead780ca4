"""People of Slack and ClickUp beside the profiles: matched by e-mail or account, never by name."""

from __future__ import annotations

from datetime import UTC, datetime

from agencyclaw.domain.reconciling import SlackPerson, reconcile
from agencyclaw.domain.record_kinds.separate_accounts import KeepSeparate, Separation
from agencyclaw.domain.records import StoredRecord
from agencyclaw.domain.team import ClickUpMember, PersonFacts, TeamMember
from tests.fakes.ports import an_id


def profile(name: str, **facts: str | None) -> TeamMember:
    email = f"{name.lower()}@lanternfish.example"
    return TeamMember(
        profile_id=an_id(name),
        name=name,
        display_name=name,
        email=email,
        facts=PersonFacts.model_validate({"name": name, **facts}),
    )


def in_slack(name: str, account: str, email: str | None = None) -> SlackPerson:
    address = email if email is not None else f"{name.lower()}@lanternfish.example"
    return SlackPerson(id=account, name=name, email=address)


def in_clickup(name: str, account: int) -> ClickUpMember:
    return ClickUpMember(id=account, name=name, email=f"{name.upper()}@lanternfish.example")


def separate(account: str, of: str = "") -> StoredRecord[KeepSeparate]:
    held = Separation(name=account, not_of=f"{of.lower()}@lanternfish.example" if of else None)
    since = datetime(2026, 11, 1, tzinfo=UTC)
    return StoredRecord(KeepSeparate(account=account, before=held), "Ines Varga", since)


def test_one_e_mail_in_both_services_is_one_new_person() -> None:
    found = reconcile([in_slack("Noor", "U1")], [in_clickup("Noor", 7)], [])

    [new] = found.new
    assert (new.email, new.after and new.after.slack, new.after and new.after.clickup) == (
        "noor@lanternfish.example",
        "U1",
        "7",
    )
    assert (found.links, found.review) == ((), ())


def test_a_missing_account_is_linked_by_the_e_mail() -> None:
    found = reconcile([in_slack("Noor", "U1")], [], [profile("Noor", clickup="7")])

    [link] = found.links
    assert link.after == PersonFacts(name="Noor", slack="U1", clickup="7")
    assert (found.new, found.review) == ((), ())


def test_what_is_linked_already_changes_nothing() -> None:
    team = [profile("Noor", slack="U1", clickup="7")]

    found = reconcile([in_slack("Noor", "U1", "other@lanternfish.example")], [], team)

    assert found == reconcile([], [], [])


def test_an_account_that_is_there_is_never_replaced() -> None:
    found = reconcile([in_slack("Noor", "U2")], [], [profile("Noor", slack="U1")])

    assert [(one.account, one.why) for one in found.review] == [("U2", "conflicting_slack_id")]
    assert (found.new, found.links) == ((), ())


def test_two_profiles_for_one_account_are_for_a_person_to_decide() -> None:
    team = [profile("Noor"), profile("Sara", slack="U1")]

    [review] = reconcile([in_slack("Noor", "U1")], [], team).review

    assert (review.why, review.candidates) == ("several_profiles", ("Noor", "Sara"))


def test_a_name_alone_matches_nobody() -> None:
    found = reconcile([in_slack("Noor", "U1", "")], [], [profile("Noor")])

    assert [one.why for one in found.review] == ["no_email"]
    assert (found.new, found.links) == ((), ())


def test_archived_people_stay_archived() -> None:
    found = reconcile([in_slack("Noor", "U1")], [], [profile("Noor", employment="inactive")])

    assert (found.new, found.links) == ((), ())


def test_a_separate_account_is_not_offered_for_whom_it_is_not() -> None:
    team = [profile("Noor", slack="U9")]

    for decision in (separate("U1", of="Noor"), separate("U1")):
        found = reconcile([in_slack("Noor", "U1")], [], team, [decision])
        assert (found.new, found.links, found.review) == ((), (), ())
    of_sara = reconcile([in_slack("Noor", "U1")], [], team, [separate("U1", of="Sara")])
    assert [one.account for one in of_sara.review] == ["U1"]


def test_a_separate_account_without_a_profile_is_nobody_new() -> None:
    found = reconcile([in_slack("Robot", "U2")], [], [], [separate("U2")])

    assert (found.new, found.links, found.review) == ((), (), ())
