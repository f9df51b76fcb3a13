"""Every command that a page shows is typed, by a person without a network, and ends as the page says."""

import collections

import pages
import pytest

BLOCKS = pages.all_blocks()
# How many commands are shown and not run, by reason. Who adds one says so here.
NOT_RUN = {"root": 7, "builds": 6, "guard": 3, "container": 2}


def type_all(person, block):
    """What went otherwise than the page says, one text for each command."""
    for need in block.needs:
        person.prepare(need)
    wrong = []
    for command in block.commands:
        if command.not_here:
            continue
        for need in command.needs:
            person.prepare(need)
        status, output = person.type(command)
        if status not in command.statuses:
            wrong.append(f"{block.page}:{command.line}: {command.text}: status {status}\n{output}")
    return wrong


def parameter(block):
    """`ringwall verify` measures how soon everything ends: nothing else may be at work then."""
    measures = any(command.text.startswith("ringwall verify") for command in block.commands)
    return pytest.param(block, marks=[pytest.mark.alone] if measures else [], id=str(block))


@pytest.mark.parametrize("block", map(parameter, BLOCKS))
def test_every_command_runs(person, block):
    if all(command.not_here for command in block.commands):
        return  # counted below
    assert not (wrong := type_all(person, block)), "\n".join(wrong)


def test_nothing_is_passed_over_in_silence(capsys):
    commands = [command for block in BLOCKS for command in block.commands]
    left_out = collections.Counter(command.not_here for command in commands if command.not_here)
    with capsys.disabled():
        print(f"\n{len(commands)} commands in {len(BLOCKS)} blocks, not run: {dict(left_out)}")
    assert left_out == collections.Counter(NOT_RUN)


@pytest.mark.parametrize(
    "page",
    [
        "```sh\nringwall rum -- true\n```\n",
        "```sh\nringwall run -- true\nringwall run --no-such-flag -- true\n```\n",
        "<!-- run:\nstatus 3: ringwall run\n-->\n```sh\nringwall run -- true\n```\n",
        "```sh\nringwall log nobody-1\n```\n",
        "```console\n$ ringwall run -- sh -c 'exit 3'\n3\n```\n",
        "```sh\nno-such-program\n```\n",
    ],
)
def test_a_wrong_command_is_found(person, page):
    (block,) = pages.blocks_of("wrong.md", page)
    assert len(type_all(person, block)) == 1


def test_a_right_one_is_not(person):
    said = "<!-- run:\nstatus 3: ringwall run -- sh\n-->\n"
    page = said + "```sh\nringwall run -- …   # any\nringwall run -- sh -c 'exit 3'\n```\n"
    (block,) = pages.blocks_of("right.md", page)
    assert [command.statuses for command in block.commands] == [(0,), (3,)]
    assert type_all(person, block) == []


@pytest.mark.parametrize(
    "page, words",
    [
        ("```\nringwall doctor\n```\n", "say what the block is"),
        ("```text\nringwall doctor\n```\n", "not run"),
        ("<!-- run:\nnot here, lazy\n-->\n```sh\nringwall doctor\n```\n", "'lazy' is no reason"),
        ("<!-- run:\nstatus 1: ringwall gone\n-->\n```sh\nringwall doctor\n```\n", "no command begins with"),
        ("<!-- run:\nperhaps\n-->\n```sh\nringwall doctor\n```\n", "not understood"),
        ("<!-- run:\nwith luck\n-->\n```sh\nringwall doctor\n```\n", "nobody knows"),
        ("<!-- run:\nwith run x\n-->\n\ntext\n\n```sh\nringwall doctor\n```\n", "stands alone"),
        ("```sh\n# nothing\n```\n", "no command in a block"),
    ],
)
def test_a_page_that_cannot_be_run_is_a_mistake(page, words):
    with pytest.raises(pages.Mistake, match=words):
        pages.blocks_of("wrong.md", page)
