"""With a wall taken away, what it stops gets through: so the tests of that wall can fail."""

import pytest

from lab import names

A, B = names.full("tenant-a"), names.full("tenant-b")

# (the wall, what is granted, the act, what shows that it got through)
ACTS = {
    "a name that nobody granted": (
        "network-names",
        [f"{A}:80"],
        f"report(outcome(say, '{B}', 80, get('{B}', last=True)))",
        f'"host": "{B}"',
    ),
    "another tenant by its name in the hello": (
        "network-names",
        [A],
        f"report(starts_tls(say('{A}', 443, hello('{B}'), end=True)))",
        "server hello",
    ),
    "another tenant by its host": (
        "network-names",
        [f"{A}:80"],
        f"report(say('{A}', 80, get('{B}', last=True)))",
        f'"host": "{B}"',
    ),
    "another tenant by a second request": (
        "network-names",
        [f"{A}:80"],
        f"report(say('{A}', 80, get('{A}') + get('{B}', last=True)))",
        f'"host": "{B}"',
    ),
    "a private address": (
        "network-addresses",
        [f"{names.full('rebind')}:80"],
        f"report(outcome(say, '{names.full('rebind')}', 80, get('{names.full('rebind')}', last=True)))",
        f'"to": "{names.PRIVATE}"',
    ),
    "the metadata service": (
        "network-addresses",
        [f"{names.full('metadata')}:80"],
        f"report(outcome(say, '{names.full('metadata')}', 80, get('{names.full('metadata')}', last=True)))",
        f'"to": "{names.METADATA}"',
    ),
    "an address of the host's own": (
        "network-addresses",
        [f"{names.full('own')}:{names.OWN_ADDRESS_PORT}"],
        f"report(outcome(say, '{names.full('own')}', {names.OWN_ADDRESS_PORT}, get('{names.full('own')}', last=True)))",
        f'"to": "{names.HOST_PUBLIC}"',
    ),
}


@pytest.mark.parametrize("name", ACTS)
def test_an_act_that_one_wall_stops(lab, act, mutant, name):
    wall, granted, script, sign = ACTS[name]
    flags = [word for host in granted for word in ("--allow", host)]

    def happened(report):
        # What is heard is JSON within JSON.
        return sign in str(report["value"] if "value" in report else report).replace('\\\\"', '"')

    assert not happened(act.inside(script, *flags)), "it got through"
    assert happened(act.inside(script, *flags, runner=mutant(wall))), f"stopped by something else than {wall}"


def test_without_the_redirect_nothing_is_reached(lab, act, mutant):
    """It is the way to the wall: taken away, there is no way at all, and no other one opens."""
    script = f"report([resolve('{A}'), connect('{names.TENANTS}', 443)['value']])"
    assert act.inside(script, "--allow", A, "--allow", f"{names.TENANTS}:443")[1] == "connected"
    lab.forget()
    flags = ["--allow", A, "--allow", f"{names.TENANTS}:443"]
    name, address = act.inside(script, *flags, runner=mutant("network-redirect"))
    assert isinstance(name, str) and address in ("ENETUNREACH", "ECONNREFUSED")
    lab.nothing_left()
