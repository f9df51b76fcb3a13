"""Many foreign names within TLS to one granted host are many tries, and the run's risk says so."""

import json

from lab import names

WEB = names.full("www")


def test_each_foreign_name_counts(lab, act, ringwall):
    script = f"""
        import socket
        def ask(name):
            with socket.create_connection(("{WEB}", 443), 60) as line:
                line.settimeout(60)
                line.sendall(hello(name))
                try:
                    while line.recv(9999):
                        pass
                except OSError:
                    pass
        prefix = ".".join(["a" * 60] * 3)
        for number in range(60):
            ask(f"{{prefix}}.site{{number}}.example")
        report(True)
    """
    off = ("--risk-isolated", "none", "--risk-killed", "none")
    assert act.inside(script, "--name", "fronting", "--allow", WEB, *off) is True
    lines = [json.loads(line) for line in ringwall("log", "fronting", "--json").ok().splitlines()]
    refused = [line for line in lines if line["event"] == "blocked" and line.get("by_content")]
    assert len({line["why"] for line in refused}) == 60, "they differ behind the first hundred letters, and are told apart"
    heaviest = json.loads(ringwall("explain", "risk", "fronting", "--json").ok())
    assert heaviest["points"]["addresses"] >= 60 * 3_000 - 20_000
    assert "restricted" in {line["level"] for line in lines if line["event"] == "risk_level"}
    assert "the same" in ringwall("risk", "replay", "fronting").ok()
