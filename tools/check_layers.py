#!/usr/bin/python3 -B
"""Checks that no room includes a room above or beside it, and that no file has a name for anything.

A room that knows only what lies below it can be read, tested and trusted alone.
"""

import re
import sys

import source_tree

# A room may include itself and rooms of a lower level; rooms of one level do not know each other.
LEVELS = {
    "base": 0,  # words of the operating system, none of ours
    "policy": 1,  # what is wanted; touches nothing
    "events": 2,  # what happened, and the record of it
    "shell": 2,  # what a command line would do
    "instructions": 2,  # which orders a text holds for an agent, and what hides them
    "calls": 2,  # which system calls pass, which are refused, which are caught
    "limits": 2,  # how much a run may use up, and the cgroup that keeps it
    "sandbox": 3,  # the walls, and pid 1 behind them
    "terminal": 3,  # what a run may show on the person's terminal
    "files": 3,  # what is protected or hidden in a tree, by name, content and where links lead
    "git": 3,  # what in git's configs and folders may run or redirect something
    "net": 3,  # which hosts are reached, and how
    "identity": 3,  # which program this is, by its content
    "gate": 3,  # may this tool call run
    "risk": 3,  # what a run has done, as a number
    "changes": 3,  # how two states of a tree differ
    "host": 4,  # what this host can do, tried by a run's own steps, and what mends what it cannot
    "hand": 4,  # who works inside the sandbox's own mounts, and the calls caught there
    "broker": 4,  # who watches the trees of a run, and takes away what is planted
    "undo": 4,  # what runs have replaced, kept
    "guard": 4,  # root's daemon
    "advisor": 4,  # who asks a model for a second opinion
    "mcp": 4,  # what MCP servers and agents say to each other
    "review": 5,  # changes that wait for the person
    "audit": 5,  # what a repository holds that could harm, and how an audit reads and tells it
    "state": 5,  # what lies outside every sandbox: folders, homes, trust, entries of runs with their sockets
    "machine_audit": 6,  # what this machine's agents, editors and tools are set to, and what --fix changes
    "processes": 6,  # how helpers are started behind walls, and what the processes inside use
    "clients": 7,  # who looks at a run and steers it over its socket
    "desks": 7,  # where a run's requests are decided: network, tool calls, keys, risk
    "prepare": 8,  # from the layers of a policy to the plan of a run
    "explain": 9,  # may it: answers from that plan
    "tool_calls": 9,  # where an agent's tool calls pass: hooks, MCP filter
    "learn": 10,  # from what a run was refused to a proposal
    "session": 11,  # one run, from its start to its exit status
    "verify": 12,  # does it hold: probes and checks
    "install": 12,  # setting up a host or a user
    "cli": 13,  # one file for each command
}

# probes/ stands beside src/: it knows base alone, and only these (and tests) know it.
KNOW_PROBES = {"verify"}
PROBES_MAY_INCLUDE = {"base", "probes"}

# Names under which anything can be filed, so that in the end anything is.
NAMES_FOR_ANYTHING = {"util", "utils", "helper", "helpers", "common", "misc", "manager", "types"}
NAMED_FOLDERS = ("src", "probes", "bpf", "tests", "tools", "bench")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.MULTILINE)

# At the beginning of a line: a type of the room's own namespace.
TYPE = re.compile(r"^(?:struct|class|union|enum class|enum) (\w+)(?: final)?(?: ?: [^;{]*)? \{", re.MULTILINE)


def includes_of(top, path):
    """Yields (line, room, include) for each include of a room."""
    text = source_tree.read_text(top, path)
    for match in INCLUDE.finditer(text):
        bracket, target = match.groups()
        room = target.split("/")[0]
        if bracket == "<" and not (top / "src" / target).is_file():
            continue  # a system header: <net/if.h> is not the room net
        if "/" in target and (room in LEVELS or room in ("probes", "..", ".")):
            yield source_tree.line_of(text, match.start()), room, target


def is_test(path):
    return path.parts[0] == "tests" or path.stem.endswith("_test")


def why_not(source, target, path):
    """The reason why a file of room `source` may not include room `target`; None if it may."""
    if target in ("..", "."):
        return "includes are written from the top of src/, so that this check can read them"
    if source == target:
        return None
    if source == "probes":
        if target in PROBES_MAY_INCLUDE or is_test(path):
            return None
        return "probes include only base"
    if target == "probes":
        return None if source in KNOW_PROBES or is_test(path) else "only verify and tests know probes"
    if LEVELS[target] < LEVELS[source]:
        return None
    direction = "sideways" if LEVELS[target] == LEVELS[source] else "upward"
    return f"{direction}: {source} is level {LEVELS[source]}, {target} is level {LEVELS[target]}"


def check_includes(top):
    complaints = []
    for path in source_tree.files_below(top, "src", source_tree.CPP_SUFFIXES):
        if path.parts[1] not in LEVELS:
            complaints.append(f"{path}: lies in no room of the table in check_layers.py")
    for folder in ("src", "probes"):
        for path in source_tree.files_below(top, folder, source_tree.CPP_SUFFIXES):
            source = path.parts[1] if folder == "src" else "probes"
            if source != "probes" and source not in LEVELS:
                continue
            for line, target, include in includes_of(top, path):
                reason = why_not(source, target, path)
                if reason:
                    complaints.append(f'{path}:{line}: #include "{include}": {reason}')
    return complaints


def check_names(top):
    complaints = []
    for folder in NAMED_FOLDERS:
        for path in source_tree.files_below(top, folder):
            stem = path.name.split(".")[0].removesuffix("_test").removeprefix("test_")
            if stem.lower() in NAMES_FOR_ANYTHING:
                complaints.append(f"{path}: name the one subject of the file")
    return complaints


def check_types(top):
    """Two types of one name in a namespace are two for the compiler and one for the linker: memory is then misread."""
    complaints = []
    seen = {}
    for path in source_tree.files_below(top, "src", (".h",)):
        text = source_tree.read_text(top, path)
        for match in TYPE.finditer(text):
            place = f"{path}:{source_tree.line_of(text, match.start())}"
            first = seen.setdefault((path.parts[1], match.group(1)), place)
            if first != place:
                complaints.append(f"{place}: {match.group(1)} is the name of another type of this room: {first}")
    return complaints


def check(top):
    return check_includes(top) + check_names(top) + check_types(top)


CASES = [
    (
        "downward, own room, system header",
        {"src/net/a.cc": '#include <net/if.h>\n#include "base/fd.h"\n#include "net/a.h"\n'},
        None,
    ),
    ("upward", {"src/base/a.cc": '#include "policy/p.h"\n'}, "upward: base"),
    ("sideways", {"src/net/a.cc": '#include "files/f.h"\n'}, "sideways: net"),
    ("sideways in a test", {"src/net/a_test.cc": '#include "gate/g.h"\n'}, "sideways"),
    (
        "upward in angle brackets",
        {"src/base/a.cc": "#include <cli/c.h>\n", "src/cli/c.h": ""},
        "upward",
    ),
    ("by way of ..", {"src/base/a.cc": '#include "../cli/c.h"\n'}, "from the top"),
    ("no room", {"src/engine/a.cc": ""}, "no room"),
    ("file outside all rooms", {"src/a.cc": ""}, "no room"),
    ("verify knows probes", {"src/verify/a.cc": '#include "probes/p.h"\n'}, None),
    ("a test knows probes", {"src/sandbox/a_test.cc": '#include "probes/p.h"\n'}, None),
    ("session does not", {"src/session/a.cc": '#include "probes/p.h"\n'}, "only verify"),
    (
        "probes know base",
        {"probes/p.cc": '#include "base/fd.h"\n#include "probes/p.h"\n'},
        None,
    ),
    ("probes know nothing else", {"probes/p.cc": '#include "policy/p.h"\n'}, "only base"),
    ("name for anything", {"src/base/utils.h": ""}, "one subject"),
    ("name for anything, test", {"tests/support/test_helpers.py": ""}, "one subject"),
    (
        "two types of one name",
        {"src/net/a.h": "struct Flow {\n};\n", "src/net/b.h": "class Flow : public X {\n};\n"},
        "another type",
    ),
    (
        "one name in two rooms, and within types",
        {"src/net/a.h": "struct Flow {\n  struct Part {};\n};\nstruct Part;\n", "src/gate/b.h": "struct Flow {\n};\n"},
        None,
    ),
    ("name that contains one", {"src/events/event_types.h": ""}, None),
]

if __name__ == "__main__":
    sys.exit(source_tree.main(check, CASES, __doc__))
