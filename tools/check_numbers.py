#!/usr/bin/python3 -B
"""Checks that numbers which stand in a page and in the source are the same in both."""

import re
import sys

import source_tree

# A page and the words around the number in it; a source and the words around it there; how many of the source's units one
# of the page's is. The reference pages (policy.md and its like) are made from the source and need no row.
NUMBERS = [
    ("docs/undo.md", "`undo.wait`: # ms in a folder", "src/session/keeper_link.cc", "kWaitForNew = #", 1),
    ("docs/undo.md", "else # ms, and not", "src/session/keeper_link.cc", "kWaitForKnown = #", 1),
    ("docs/undo.md", "held more than # files", "src/session/keeper_link.cc", "kLookedAtInTime = #", 1),
    ("docs/undo.md", "`undo.size` (# GiB", "src/policy/policy.h", "Number size{#ull << 30}", 1),
    ("docs/undo.md", "`undo.age` (# days)", "src/policy/policy.h", "Number age{#ull * 86'400'000}", 1),
    ("docs/undo.md", "`undo.kept` (# GiB)", "src/policy/policy.h", "Number size{1ull << 30}; Number kept{#ull << 30}", 1),
    ("docs/deletions.md", "more than # files that were there", "src/policy/policy.h", "deleted_files{#}", 1),
    ("docs/deletions.md", "if that is # or more", "src/broker/deletion_count.h", "kLeastForShare = #", 1),
    ("docs/guide.md", "From # on nobody's silence", "src/policy/policy.h", "caution{#}", 1000),
    ("docs/guide.md", "from # on nobody new", "src/policy/policy.h", "restricted{#}", 1000),
    ("docs/guide.md", "from # on the network is cut", "src/policy/policy.h", "isolated{#}", 1000),
    ("docs/guide.md", "at # the run is killed", "src/policy/policy.h", "killed{#}", 1000),
    ("docs/gate.md", "more than # MiB, an event", "src/gate/hook_event.h", "kMostHookBytes = #u << 20", 1),
    ("docs/gate.md", "has not answered after # seconds", "src/tool_calls/hook_process.cc", "kWatchdog = # *", 1000),
    ("docs/gate.md", "at most # a second", "src/desks/gate_desk.cc", "kVisitsASecond = #", 1),
    ("docs/gate.md", "# questions at a time", "src/desks/waiting_requests.h", "kMost = #;", 1),
    ("docs/gate.md", "nested more than # deep", "src/shell/nesting.h", "kDeepestNesting = #", 1),
    ("docs/gate.md", "(# different commands", "src/shell/rough.cc", "kMostCommands = #", 1),
    ("docs/gate.md", "# words in one of them", "src/shell/skeleton.h", "kMostWords = # * 1024", 1 / 1024),
    ("docs/gate.md", "# named files", "src/gate/decide_command.cc", "kMostFiles = #", 1),
    ("docs/mcp.md", "at most # MiB", "src/mcp/message.h", "kMostLine = #u << 20", 1),
    ("docs/mcp.md", "MiB, # levels deep", "src/mcp/message.cc", "{kMostLine, #}", 1),
    ("docs/mcp.md", "SIGTERM, # seconds later", "src/session/supervise.cc", "kGraceNanoseconds = #", 10**9),
    ("docs/life-of-a-run.md", "a run shorter than # ms", "src/session/recorder.cc", "kPatience = #", 10**6),
    ("docs/life-of-a-run.md", "waits in memory, up to # MiB", "src/session/recorder.cc", "kMostQueued = # << 20", 1),
    ("docs/life-of-a-run.md", "sent last (# seconds", "src/session/supervise_network.cc", "kPatience = #", 10**9),
    ("docs/limits.md", "when it ends has # seconds", "src/session/supervise_network.cc", "kPatience = #", 10**9),
    ("docs/limits.md", "behind its first # KiB", "src/files/hidden.h", "kMostLookedAt = #", 1024),
]
# Counted, not written in the source.
COUNTED = [
    ("README.md", "# attacks of published shapes", "tests/attacks/*/*.py"),
    ("README.md", "# tasks of daily work", "tests/work/*/*.py"),
]
NUMBER = r"(\d[\d,.']*)"


def numbers_in(text, words):
    """The numbers that stand where # does; a line may end between any two words."""
    pattern = r"\s+".join(re.escape(word).replace(r"\#", NUMBER) for word in words.split())
    return [float(re.sub("[,']", "", found.rstrip(".,"))) for found in re.findall(pattern, text)]


def one_number(top, path, words):
    """(number, None), or (None, why there is not exactly one)."""
    if not (top / path).is_file():
        return None, f"{path}: is not there; its rows stand in check_numbers.py"
    found = numbers_in(source_tree.read_text(top, path), words)
    if len(set(found)) != 1:
        return None, f"{path}: “{words}” stands there {len(found)} times; mend its row in check_numbers.py"
    return found[0], None


def check_rows(top, rows):
    complaints = []
    for page, page_words, source, source_words, units in rows:
        said, wrong = one_number(top, page, page_words)
        holds, wrong_source = one_number(top, source, source_words)
        if wrong or wrong_source:
            complaints.append(wrong or wrong_source)
        elif abs(said * units - holds) > 1e-9:
            complaints.append(f"{page}: “{page_words}” says {said:g}, and {source} holds {holds / units:g}")
    return complaints


def check_counts(top, rows):
    complaints = []
    for page, words, pattern in rows:
        said, wrong = one_number(top, page, words)
        count = len(list(top.glob(pattern)))
        if wrong or said != count:
            complaints.append(wrong or f"{page}: “{words}” says {said:g}, and there are {count}")
    return complaints


def check(top):
    return check_rows(top, NUMBERS) + check_counts(top, COUNTED)


def check_made_up(top):
    return check_rows(top, [("page.md", "waits # ms", "src/a.cc", "kWait = #", 1000)])


CASES = [
    ("the same", {"page.md": "It waits\n3.5 ms.", "src/a.cc": "kWait = 3'500;"}, None),
    ("another", {"page.md": "It waits 3 ms.", "src/a.cc": "kWait = 3'500;"}, "holds 3.5"),
    ("gone from the page", {"page.md": "It waits.", "src/a.cc": "kWait = 3'500;"}, "0 times"),
    ("gone from the source", {"page.md": "It waits 3.5 ms."}, "is not there"),
]

if __name__ == "__main__":
    sys.exit(source_tree.main(check_made_up if "--self-test" in sys.argv else check, CASES, __doc__))
