"""A run that learns is walled as any other: every probe is stopped in it too."""

import errno

import caller_terminal
import promises
import pytest
import sandbox_run
from test_held import ALL


@pytest.fixture(scope="module")
def learning(outside, leaky_descriptors):
    with caller_terminal.CallerTerminal() as terminal:
        with sandbox_run.Run(outside, pass_fds=leaky_descriptors, terminal=terminal, verb="learn") as going_on:
            yield going_on


@pytest.fixture(scope="module")
def found(learning):
    return learning.probe(answers_names=True)


def test_every_probe_is_tried(found):
    assert set(found) == set(promises.PROMISES)


@pytest.mark.parametrize("promise", ALL)
def test_held_in_a_run_that_learns(found, promise):
    assert found[promise]["finding"] == "held", found[promise]


def test_P24_names_get_an_address_of_the_inside(learning, found):
    """For a run that does not learn that would be a breach: whoever connects there is not stopped by the name."""
    assert found["P24"]["acts"]["ask for A"] == "an address of the inside"
    assert learning.probe("P24")["P24"]["finding"] == "breached"


def hands_acts(run):
    run.shell("true")
    with run.connect() as connection:
        acts = sandbox_run.control_client.try_acts(connection)
    return {act: err for act, err in acts.items() if act.startswith("hand: ")}


def test_P39_the_hand_that_learns_is_walled(outside, learning):
    """It reads names in the memory of hostile processes: who takes it over finds nothing to use."""
    acts = hands_acts(learning)
    assert "hand: see where the supervisor works" in acts
    assert set(acts.values()) <= {errno.EPERM, errno.EACCES}, acts
    with sandbox_run.Run(outside, ["helper-walls"], verb="learn") as run:
        acts = hands_acts(run)
    assert acts["hand: make a socket"] == 0, acts
