"""clones and pushes by ssh with a key that is in the person's ssh-agent"""

import os
import subprocess

import work_tools

NEEDS = {"git": "git", "ssh": "openssh-client", "ssh-agent": "openssh-client"}
LAB = True
OPTIONS = {"hosts": ["git.rwlab.net:22"]}
RINGWALL = ["--git-push", "--git-key", "@HOME@/.ssh/id_lab.pub"]
# ssh asks the list of accounts for its home, which is not the one of this case where there is no wall.
ACT = """set -e
export GIT_SSH_COMMAND="ssh -o UserKnownHostsFile=@HOME@/.ssh/known_hosts"
git clone -q ssh://@LOGIN@@git.rwlab.net@REPOSITORIES@/thing.git copy && cd copy && date > now && git add now && git commit -q -m now
git push -q -f origin HEAD:refs/heads/by-ssh-@MARK@ && git ls-remote -h origin by-ssh-@MARK@ | wc -l && git push -q origin :by-ssh-@MARK@
"""


def prepare(host):
    work_tools.lab_key(host)
    for name in ("id_lab", "id_lab.pub", "known_hosts"):
        os.rename(host.path(name), host.path(f"~/.ssh/{name}"))
    host.own()
    socket = host.variables["SSH_AUTH_SOCK"] = str(host.root / "agent.sock")
    host.path("~/..").chmod(0o777)
    host.start("ssh-agent", "-D", "-a", socket, stdout=subprocess.DEVNULL)
    add = ["ssh-add", "-q", str(host.path("~/.ssh/id_lab"))]

    def added():
        done = subprocess.run(add, env=host.environment(), preexec_fn=host.become, capture_output=True)
        return done.returncode == 0

    assert host.wait_for(added)


def works(host, done):
    return done.status == 0 and done.out == "1\n"
