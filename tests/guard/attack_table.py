"""What each way of tests/guard/attempts.c gets: bare, where programs are denied, where they are allowed.

"ran" in a sandbox is said openly in docs/guard.md: a denied program that was changed is another one, memory that
belongs to no file stays executable where programs may compile, a debugger may write into code there, and a script that is read is no program.
"""

RAN_WHERE_DENIED = {
    "padded",
    "own-memory-file",
    "traced-child",
    "anonymous",
    "anonymous-later",
    "stack",
    "script",
    "read-script",
    "busy-threads",
    "named-pipe",
}
RAN_WHERE_ALLOWED = {"read-script", "named-pipe"}

RACES = ["path-flips", "content-flips", "library-flips", "mapped-content-flips"]

ATTEMPTS = [
    *("direct", "renamed", "hard-link", "symbolic-link", "proc-root", "loader", "copied-loader"),
    *("descriptor", "path-descriptor", "proc-descriptor", "memory-file", "nameless-file", "removed-file"),
    *("from-outside", "padded", "library", "preloaded", "as-loader", "mapped", "mapped-then-executable"),
    *("changed-in-memory", "own-text", "own-memory-file", "traced-child", "anonymous", "anonymous-later", "stack", "written-alias"),
    *("shared-memory", "old-personality", "zeros", "asked-before", "overwritten", "overwritten-by-mapping"),
    *("overwritten-in-memory", "written-while-loaded", "loaded-while-written", "script", "read-script"),
    *RACES,
    *("busy-threads", "named-pipe"),
]


def parse(output):
    """The answers of `attempts`, by name."""
    return dict(line.split() for line in output.splitlines() if line.count(" ") == 1)


def expected(name, mode):
    ran = {"deny": RAN_WHERE_DENIED, "allow": RAN_WHERE_ALLOWED}[mode]
    return "ran" if name in ran else "refused"


# So many refused programs are a risk by which the run would stand still: here each is to be tried.
NO_LEVELS = ["--risk-restricted=none", "--risk-isolated=none", "--risk-killed=none"]


def rules_of(mode, programs, workspace):
    """In mode allow the workspace may hold programs: else nothing there could run, guard or not."""
    if mode == "allow":
        return [*NO_LEVELS, "--exec", "allow", "--exec-tree", str(workspace)]
    return [*NO_LEVELS, f"--deny-program=file:{programs}/target", f"--deny-program=file:{programs}/target.so"]
