"""Each probe gets through bare, and is stopped inside."""

import os
import shutil

import layers
import promises
import pytest
import sandbox_run

ALL = [pytest.param(promise, id=promises.test_id(promise)) for promise in promises.PROMISES]


def test_every_probe_is_tested(inside):
    assert set(inside) == set(promises.PROMISES)


@pytest.mark.parametrize("promise", ALL)
def test_breached_when_bare(bare, promise):
    assert bare[promise]["finding"] == "breached", bare[promise]


@pytest.mark.parametrize("promise", ALL)
def test_held_inside(inside, promise):
    assert inside[promise]["finding"] == "held", inside[promise]


@pytest.mark.parametrize("promise", ALL)
def test_evidence_is_short(inside, bare, promise):
    for answer in (inside[promise], bare[promise]):
        assert 0 < len(answer["evidence"]) <= 300, answer["evidence"]


def test_probes_leave_nothing_behind(outside, bare, inside):
    assert bare and inside
    assert sorted(os.listdir(outside.workspace)) == ["ipc.sock"]
    assert not [name for name in os.listdir(outside.home) if "probe" in name]


def test_P02_no_setuid_file_can_be_made_in_any_way(bare, inside):
    for way in layers.SETUID_WAYS:
        act = layers.SETUID + way
        assert bare["P02"]["acts"][act] == "", act
        met = "ENOSYS" if way == "openat2" else "EPERM"
        assert inside["P02"]["acts"][act] == met, act


def test_P07_openat2_is_not_there(bare, inside):
    """Its mode may ask for a setuid file, and no filter can see it."""
    for act in ("read by openat2", "read by openat2 in a root"):
        assert bare["P07"]["acts"][act] == ""
        assert inside["P07"]["acts"][act] == "ENOSYS"


def test_P15_a_folder_as_stdin_is_seen_bare_and_refused_inside(outside, tmp_path):
    folder = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    try:
        answer = sandbox_run.probe_bare(outside, tmp_path / "facts.json", ["P15"], stdin=folder)
        assert answer["P15"]["acts"]["descriptor 0 is a folder"] == ""
        with sandbox_run.Run(outside, stdin=folder) as run:
            with pytest.raises(sandbox_run.DidNotStart, match="stdin is a folder"):
                run.probe("P15")
    finally:
        os.close(folder)


def test_P34_own_program_in_the_workspace_cannot_be_replaced(outside):
    folder = os.path.join(outside.workspace, "build/bin")
    program = os.path.join(folder, "ringwall")
    os.makedirs(folder)
    shutil.copy(sandbox_run.RINGWALL, program)
    before = outside.facts["own_binary"]
    outside.facts["own_binary"] = program
    try:
        with sandbox_run.Run(outside, program=program) as run:
            answer = run.probe("P34")["P34"]
        assert answer["finding"] == "held", answer
        assert answer["acts"]["replace Ringwall's own program"] == "EBUSY"
        assert answer["acts"]["move its folder"] == "EBUSY"
        assert answer["acts"]["start Ringwall inside"].startswith("exit ")
    finally:
        outside.facts["own_binary"] = before
        shutil.rmtree(os.path.join(outside.workspace, "build"))
