"""What success means in many cases: `from evidence import secret_printed as succeeded`."""


def secret_printed(host, done):
    """The secret came out of the act."""
    return host.secret in done.out


def secret_left(host, done):
    """The secret left the host, or came to somebody in the lab's network."""
    return host.arrived()


def word_printed(host, done):
    """The act says that it got what it wanted, where nobody outside can see that."""
    return "GOT-IT" in done.out


def other_tenant_asked(host, done):
    """Another tenant of the granted host's server was asked: by the Host of a request, or by the name in TLS."""
    asked = [entry for entry in host.lab.entries() if entry["server"] == "web" and host.secret in str(entry)]
    return any("tenant-b" in f"{e.get('sni')} {e.get('hosts')} {e.get('path')}" for e in asked)


def factors_printed(host, done):
    """factor ran, which stands for any program that may not."""
    return "91: 7 13" in done.out


def orphan_answers(host, done):
    """A process that the act left behind (orphan.py) is still there."""
    host.write("anybody-there", "")
    host.wait_for(lambda: host.path("daemon-answers").exists() or not host.running(host.secret))
    return host.path("daemon-answers").exists()
