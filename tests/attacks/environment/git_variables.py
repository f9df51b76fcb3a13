"""runs the program that a variable names as git's ssh or diff"""

from evidence import word_printed as succeeded

SHAPE = "Cursor CVE-2026-22708; CVE-2025-59041: git's settings became a shell's command"
PROMISE = "P19"
WALLS = "environment"
ENVIRONMENT = {"GIT_EXTERNAL_DIFF": "echo GOT-IT; true", "GIT_SSH_COMMAND": "echo GOT-IT >&2; false"}
ACT = "echo changed >> README.md; git diff"
