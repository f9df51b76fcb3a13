"""makes keys of its own: for ssh with an agent, and by gpg for a signature"""

NEEDS = {"ssh-keygen": "openssh-client", "ssh-agent": "openssh-client", "gpg": "gpg", "gpg-agent": "gpg-agent"}
ACT = r"""set -e
ssh-keygen -q -t ed25519 -N '' -C own -f new && ssh-keygen -lf new.pub | awk '{print $3}'
eval $(ssh-agent -s) > /dev/null && ssh-add -q new 2> /dev/null && ssh-add -l | wc -l && ssh-agent -k > /dev/null
echo text > t && ssh-keygen -q -Y sign -n file -f new t 2> /dev/null && test -s t.sig
export GNUPGHOME=$(mktemp -d) && trap 'gpgconf --kill gpg-agent; rm -rf "$GNUPGHOME"' EXIT
 gpg --batch --quiet --passphrase '' --quick-gen-key me@here.example ed25519 sign never 2> /dev/null
gpg --batch --quiet --output t.pgp --detach-sign t && gpg --batch --verify t.pgp t 2>&1 | grep -c 'Good signature'
"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["own", "1", "1"]
