"""Exit statuses, as a shell would give them; and what is said when a command cannot be run."""

import os
import signal

import pytest
from conftest import not_for_root


def script(path, text, mode=0o755):
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.mark.parametrize("status", [0, 1, 2, 42, 125, 126, 127, 128, 255])
def test_the_commands_own_status(ringwall, bare, status):
    result = ringwall.sh(f"exit {status}")
    assert (result.status, result.err) == (status, "")
    assert bare("sh", "-c", f"exit {status}").status == status


@pytest.mark.parametrize("name", ["TERM", "KILL", "SEGV", "INT", "HUP", "PIPE", "ABRT", "USR1", "RTMAX"])
def test_killed_by_a_signal(ringwall, name):
    number = signal.SIGRTMAX if name == "RTMAX" else getattr(signal, f"SIG{name}")
    result = ringwall.sh(f"kill -{int(number)} $$")
    assert (result.status, result.err) == (128 + number, "")


def test_a_command_that_is_missing(ringwall, bare):
    result = ringwall("run", "no-such-program-anywhere").refused("no-such-program", "PATH", status=127)
    assert bare("sh", "-c", "no-such-program-anywhere").status == result.status
    ringwall("run", "./missing").refused("./missing", "no such file", status=127)
    ringwall("run", "").refused("''", status=127)


def test_a_file_that_is_not_executable(ringwall, bare, place):
    script(place.work / "plain", "echo RAN\n", 0o644)
    result = ringwall("run", "./plain").refused("not executable", status=126)
    assert "chmod +x" in result.hint()
    assert bare("sh", "-c", "./plain").status == 126
    (place.work / "plain").chmod(0o755)
    assert ringwall("run", "./plain").ok() == "RAN"


def test_a_folder_is_no_command(ringwall, bare, place):
    (place.work / "folder").mkdir()
    ringwall("run", "./folder").refused("./folder", status=126)
    assert bare("sh", "-c", "./folder").status == 126


def test_a_script_without_an_interpreter_line_runs_in_a_shell(ringwall, place):
    script(place.work / "bare", 'echo "$0 $1"\n')
    assert ringwall("run", "./bare", "word").ok().endswith("bare word")


def test_a_script_with_a_missing_interpreter(ringwall, place):
    script(place.work / "lost", "#!/nowhere/interpreter\necho RAN\n")
    result = ringwall("run", "./lost").refused("interpreter", status=126)
    assert "--ro" in result.hint()
    script(place.work / "found", "#!/bin/sh\necho RAN\n")
    assert ringwall("run", "./found").ok() == "RAN"


def test_a_broken_program(ringwall, place):
    script(place.work / "broken", "\x7fELF this is no program\n")
    result = ringwall("run", "./broken")
    assert result.status in (2, 126, 127) and "RAN" not in result.out


def test_a_program_without_read_permission(ringwall, place):
    script(place.work / "mine", "#!/bin/sh\necho RAN\n", 0o711)
    assert ringwall("run", "./mine").ok() == "RAN"


@not_for_root
def test_a_program_that_others_may_run_but_not_we(ringwall, place):
    script(place.work / "theirs", "#!/bin/sh\necho RAN\n", 0o055)
    ringwall("run", "./theirs").refused("not executable", status=126)


def test_a_name_is_searched_in_path_and_not_here(ringwall, place):
    script(place.work / "planted", "#!/bin/sh\necho RAN\n")
    ringwall("run", "planted").refused("PATH", status=127)
    ringwall("run", "planted", env={"PATH": ".::/usr/bin"}).refused("PATH", status=127)
    found = ringwall("run", "planted", env={"PATH": f"{place.work}:/usr/bin:/bin"})
    assert found.ok() == "RAN"


def test_no_path_at_all(ringwall):
    assert ringwall("run", "sh", "-c", "echo RAN", env={"PATH": None}).ok() == "RAN"
    ringwall("run", "nosuchprogram", env={"PATH": None}).refused("not found", status=127)
    assert ringwall("run", "/bin/sh", "-c", "echo RAN", env={"PATH": None}).ok() == "RAN"


def arguments_of(total):
    piece = "x" * 100_000
    return [piece] * (total // len(piece))


def test_two_megabytes_of_arguments(ringwall):
    """Near the kernel's limit both sides run; where only the caller's own fits, the reason is told."""
    limit = os.sysconf("SC_ARG_MAX")
    fits = arguments_of(min(limit, 2 << 20) - 300_000)
    result = ringwall("run", "sh", "-c", 'echo $# ; printf %s "$*" | wc -c', "sh", *fits)
    assert result.ok().split() == [str(len(fits)), str(len(fits) * 100_001 - 1)]


def test_arguments_that_fit_outside_but_not_inside(ringwall):
    """Variables come twice on the way in: as --set, and as what the command gets."""
    limit = os.sysconf("SC_ARG_MAX")
    pieces = limit // 100_000 - 3
    values = [word for n in range(pieces // 2) for word in ("--env", f"V{n}")]
    planted = {f"V{n}": "b" * 100_000 for n in range(pieces // 2)}
    fits = ringwall("run", *values, "true", *["x" * 100_000] * (pieces // 2), env=planted)
    assert fits.status == 0, fits
    sets = [word for n in range(pieces) for word in ("--set", f"W{n}=" + "a" * 100_000)]
    assert ringwall("run", *sets, "true").status == 0
    # A shorter line outside becomes a longer one inside: one long word, named by many variables.
    twice = [word for n in range(pieces // 2) for word in ("--set", f"W{n}=" + "a" * 100_000)]
    result = ringwall("run", *values, *twice, "true", env=planted)
    assert result.status == 0, result


def test_an_argument_longer_than_the_kernel_takes(ringwall, place):
    """The plan may hold what no exec can carry: told, not crashed."""
    (place.home / "policy.toml").write_text('[environment]\nset = ["A=%s"]\n' % ("a" * 200_000))
    result = ringwall("run", "--policy", place.home / "policy.toml", "sh", "-c", "echo RAN")
    assert "pipe" in result.refused("too long", status=126).hint()


def test_what_is_missing_is_named(ringwall):
    for command in ("attach", "pause", "resume", "kill"):
        assert "ringwall ls" in ringwall(command).refused("which run?").err
    ringwall("off").refused("AGENT is missing")
    ringwall("explain", "host", "example.com").refused("host is nothing that can be explained", "connect HOST")


def test_usage_errors(ringwall):
    assert "ringwall run -- COMMAND" in ringwall("run").refused("no command").hint()
    ringwall("run", "--").refused("no command")
    ringwall("run", "--fresh").refused("no command")
    assert "ringwall inspect" in ringwall("inspekt").refused("inspekt").hint()
    ringwall("frobnicate").refused("frobnicate")


def test_an_unknown_flag_gets_a_suggestion(ringwall):
    assert "--fresh" in ringwall("run", "--frehs", "sh", "-c", "echo RAN").refused("--frehs").hint()
    assert "--explain" in ringwall("run", "--explian", "true").refused("--explian").hint()
    assert "--json" in ringwall("ls", "--jsno").refused("--jsno").hint()
    ringwall("run", "-Q", "echo", "RAN").refused("-Q")
    ringwall("run", "--ro").refused("--ro")
