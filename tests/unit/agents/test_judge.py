"""What the judge reads of the evidence for an answer."""

from __future__ import annotations

from agencyclaw.agents.judge import JudgedMaterial, describe_case, instructions_for

REMARKS = [f"Sara Lindqvist: remark {number} on the banner" for number in range(400)]
LATE = "Miguel Santos: the blue one, then"


def test_the_judge_reads_the_latest_part_of_a_long_thread_in_whole_lines() -> None:
    thread = "\n".join([*REMARKS, LATE])

    case = describe_case("The blue one.", JudgedMaterial("which one?", thread=thread))

    assert LATE in case
    assert REMARKS[0] not in case
    assert "its beginning is left out here]\nSara Lindqvist: remark " in case


def test_the_judge_reads_the_end_of_a_single_long_message() -> None:
    case = describe_case("Blue.", JudgedMaterial("which?", thread="so " * 5_000 + "blue"))

    assert "so blue\n" in case


def test_a_short_thread_is_read_as_a_whole() -> None:
    case = describe_case("Blue.", JudgedMaterial("which?", thread=LATE))

    assert f"[The thread of people that was read]\n{LATE}\n" in case


def test_the_instructions_say_whether_anything_is_prepared() -> None:
    bare, with_card = JudgedMaterial("make it"), JudgedMaterial("make it", comes_with=("A card",))

    assert "with this answer it has prepared none. It" in instructions_for(bare)
    assert "it has prepared what [What comes with the answer] lists" in instructions_for(with_card)
    assert "[What comes with the answer]" not in describe_case("Made.", bare)


def test_of_many_results_the_newest_are_read_and_the_others_counted() -> None:
    results = tuple((f"Search {number}", f"found {number} " * 400) for number in range(9))

    case = describe_case("It says so.", JudgedMaterial("what?", results=results))

    assert "- 5 earlier ones are left out here.\n- Search 5: found 5" in case
    assert case.count("more characters]") == 4


def test_a_single_long_result_may_be_as_long_as_several() -> None:
    case = describe_case("It says so.", JudgedMaterial("what?", results=(("A", "word " * 900),)))

    assert "word " * 900 in case
