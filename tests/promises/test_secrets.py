"""P29: what the supervisor was given is not found inside, whatever it was given for."""

import os

import layers
import pytest
import sandbox_run
from sanitized import skipped_if_sanitized

YAMA = "/proc/sys/kernel/yama/ptrace_scope"


def tracing_is_restricted():
    """Some hosts let nobody read the memory of a process that is not below him."""
    if not os.path.exists(YAMA):
        return False
    with open(YAMA) as setting:
        return setting.read().strip() != "0"


def given(outside):
    """Flags by which a supervisor learns a secret. Nobody listens at that proxy."""
    return [
        *("--allow", "granted.ringwall.invalid"),
        *("--upstream", "http://127.0.0.1:9", "--upstream-login", outside.login),
    ]


def test_P29_the_login_of_a_proxy(outside):
    with sandbox_run.Run(outside, flags=given(outside)) as run:
        answer = run.probe("P29")["P29"]
    assert answer["finding"] == "held", answer
    assert answer["acts"]["open the memory of another process"] == "EACCES"


@pytest.mark.skipif(tracing_is_restricted(), reason="this host guards memory by itself")
@skipped_if_sanitized("the memory of a sanitized process is too large to be searched")
def test_P29_pid_1_holds_a_copy_and_is_closed_for_it(outside):
    """Without that part of its wall the probe finds the login in its memory: it can fail."""
    # A change of id closes it as well.
    away = ["pid-namespace", *(["own-identity"] if layers.AS_ROOT else [])]
    with sandbox_run.Run(outside, take_away=away, flags=given(outside)) as run:
        answer = run.probe("P29")["P29"]
    assert answer["finding"] == "breached", answer
    assert answer["acts"]["find a secret in the memory of another process"] == "", answer
