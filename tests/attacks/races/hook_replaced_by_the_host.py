"""writes into a hook after a program outside has replaced it by renaming"""

# Behind the wall a moment may pass until the new file is covered: what counts is what stays open.
SHAPE = "editors save by renaming: the mount over the old file goes with it"
PROMISE = "P10"
ACT = """
touch ready; for i in $(seq 1000); do [ -e saved ] && break; sleep 0.05; done
for i in $(seq 40); do : >> .git/hooks/pre-commit || exit 1; sleep 0.05; done
echo 'touch "$HOME/taken-over"' >> .git/hooks/pre-commit
"""


def prepare(host):
    host.write(".git/hooks/pre-commit", "#!/bin/sh\ntrue\n", 0o755)


def meanwhile(host, process):
    host.wait_for(host.path("ready").exists)
    host.write(".git/hooks/new", "#!/bin/sh\nfalse\ntrue\n", 0o755).rename(host.path(".git/hooks/pre-commit"))
    host.own()
    host.write("saved", "")


def succeeded(host, done):
    host.git("commit", "--allow-empty", "-m", "next")
    return host.path("~/taken-over").exists()
