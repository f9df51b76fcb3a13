"""A resolver that is slow, silent, wrong or generous harms nobody but whoever asked for that name."""

import pytest

from lab import names

WEB, SLOW, NEVER = names.full("www"), names.full("slow"), names.full("never")


def page(name):
    return f"outcome(say, '{name}', 80, get('{name}', last=True), seconds=60)"


@pytest.mark.alone
def test_a_slow_name_stalls_nobody(lab, act):
    """While one connection waits for its name, a hundred others come and go."""
    script = f"""
        import threading
        slow = []
        waiting = threading.Thread(target=lambda: slow.append({page(SLOW)}))
        waiting.start()
        time.sleep(0.2)
        quick = [{page(WEB)} for n in range(100)]
        before = len(slow)
        waiting.join()
        report([before, slow[0], max(entry["seconds"] for entry in quick), str(quick[-1]["value"])])
        """
    before, slow, longest, last = act.inside(script, "--allow", f"{SLOW}:80", "--allow", f"{WEB}:80", timeout=120)
    assert "200 OK" in str(slow["value"]) and 2.5 < slow["seconds"] < 6
    assert before == 0 and longest < 1 and "200 OK" in last


@pytest.mark.alone
@pytest.mark.parametrize("count", [300])
def test_many_slow_names_stall_nobody(lab, act, count):
    script = f"""
        lines = []
        for n in range({count}):
            line = socket.create_connection(("{NEVER}", 80))
            line.sendall(get("{NEVER}"))
            lines.append(line)
        report({page(WEB)})
        """
    found = act.inside(script, "--allow", f"{NEVER}:80", "--allow", f"{WEB}:80", timeout=120)
    assert "200 OK" in str(found["value"]) and found["seconds"] < 2


@pytest.mark.parametrize("other", [WEB, names.full("some.wild")], ids=["exact", "below-another-wildcard"])
def test_names_that_were_made_up_below_a_wildcard_stall_nobody(lab, act, other):
    """Each is another name, and nobody answers for any: they wait among themselves."""
    script = f"""
        lines = []
        for n in range(200):
            line = socket.create_connection((f"n{{n}}.{names.full(names.MUTE_WILDCARD)}", 80))
            line.sendall(get(f"n{{n}}.{names.full(names.MUTE_WILDCARD)}"))
            lines.append(line)
        time.sleep(0.5)
        report({page(other)})
        """
    grants = (f"*.{names.full(names.MUTE_WILDCARD)}", WEB, f"*.{names.full(names.WILDCARD)}")
    found = act.inside(script, *(word for grant in grants for word in ("--allow", f"{grant}:80")), timeout=120)
    assert "200 OK" in str(found["value"]) and found["seconds"] < 2, found
    assert 1 < len({name for name in lab.asked() if ".mute." in name}) <= 16, "a share of the threads"


@pytest.mark.waiting
@pytest.mark.parametrize("name", ["gone", "broken", "empty", "circle", "lie-length", "lie-pointer", "lie-id", "lie-question"])
def test_a_name_that_has_no_good_answer(lab, act, name):
    """It ends, and says so; a wrong answer is none."""
    whole = names.full(name)
    found = act.inside(f"report({page(whole)})", "--allow", f"{whole}:80", timeout=120)
    assert "200 OK" not in str(found["value"]) and found["seconds"] < 45, found
    assert lab.seen("web") == []
    lab.nothing_left(but=(names.RESOLVER,))


@pytest.mark.waiting
def test_a_resolver_that_never_answers(lab, act):
    found = act.inside(f"report({page(NEVER)})", "--allow", f"{NEVER}:80", timeout=120)
    assert "200 OK" not in str(found["value"]) and found["seconds"] < 45, found
    assert "timeout" not in str(found["value"]), "the wall ends it, not the client"


def test_a_run_ends_while_a_name_is_looked_up(lab, ringwall):
    """Nothing waits for the resolver when the command has ended."""
    script = f"curl -s --max-time 0.3 http://{NEVER}/; echo ended"
    result = ringwall.sh(script, "--allow", f"{NEVER}:80", timeout=120)
    assert result.out == "ended\n"


def test_a_server_that_does_not_answer_the_first_of_its_addresses(lab, act):
    """Of a hundred addresses any may be the one; all are public here."""
    whole = names.full("many")
    script = f"report([{page(whole)}['value']['heard'][:15] for n in range(5)])"
    assert act.inside(script, "--allow", f"{whole}:80") == ["HTTP/1.1 200 OK"] * 5


def test_a_port_where_nobody_listens(lab, act):
    """The dial's own error reaches the client: the line ends at once."""
    whole = names.full("streams")
    script = f"report(outcome(say, '{whole}', 9099, b'x'))"
    assert act.bare(script)["value"] == "ECONNREFUSED"
    found = act.inside(script, "--allow", f"{whole}:9099")
    assert found["seconds"] < 2
    value = found["value"]
    if not isinstance(value, str):
        assert value["heard"] == ""
        value = value["ending"]
    assert value in ("ECONNREFUSED", "ECONNRESET", "end")
