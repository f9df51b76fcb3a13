"""runs a command on another machine by ssh, and copies files there and back"""

import work_tools

NEEDS = {"ssh": "openssh-client", "scp": "openssh-client"}
LAB = True
OPTIONS = {"hosts": ["git.rwlab.net:22"]}
RINGWALL = ["--show", "id_lab"]
ACT = """set -e
o="-i id_lab -o IdentitiesOnly=yes -o BatchMode=yes -o UserKnownHostsFile=known_hosts"
ssh $o @LOGIN@@git.rwlab.net 'echo there; cat' < README.md && scp -O -q $o README.md @LOGIN@@git.rwlab.net:copied-@MARK@ && scp -O -q $o @LOGIN@@git.rwlab.net:copied-@MARK@ back
cmp back README.md && ssh $o @LOGIN@@git.rwlab.net 'rm copied-@MARK@; exit 7' || echo $?
"""


def prepare(host):
    work_tools.lab_key(host)


def works(host, done):
    return done.status == 0 and done.out == "there\n# A project\n7\n" and host.read("back") == b"# A project\n"
